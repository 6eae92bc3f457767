//! Validates the sections of summaries that epitome wrote: finds them by their wrapper, and checks them by a template.

use crate::summary::{SectionRule, Template, parse, unwrap, validate};
use crate::transcript::{Author, Fault, Transcript};
use std::cmp::Reverse;

/// The section faults of all summaries that epitome wrote, each by the template that it is held to, if any; the subject
/// of a fault is the section.
pub fn section_faults<'t>(
    transcript: &Transcript<'_>,
    template_of: impl Fn(&str) -> Option<&'t Template>,
) -> Vec<Fault> {
    let summaries = transcript.messages.iter().enumerate().filter(|(_, message)| message.author == Author::Summary);
    let texts = summaries.filter_map(|(index, message)| Some((index, unwrap(&message.text())?)));
    let texts = texts.filter_map(|(index, text)| Some((index, template_of(&text)?, text)));
    let judged = texts.flat_map(|(index, template, text)| {
        let record = transcript.messages[index].record;
        let report = validate(&text, template);
        let named =
            report.all().filter_map(|fault| Some((name(fault.rule)?, fault.section.clone().unwrap_or_default())));
        named.map(|(rule, subject)| transcript.fault(record, rule, subject)).collect::<Vec<_>>()
    });
    judged.collect()
}

/// Whether a summary was written by a template, as [`closest`] tells.
pub fn follows(summary: &str, template: &Template) -> bool {
    closest(summary, [template]).is_some()
}

/// The template by which a summary was written, whoever wrote it: the first of those of which it has the most headings, and
/// more than half of all, as templates share some of their headings.
pub fn closest<'t>(summary: &str, templates: impl IntoIterator<Item = &'t Template>) -> Option<&'t Template> {
    let headings = parse(summary);
    let counted = templates.into_iter().map(|template| {
        let names = template.sections().iter().map(|section| &section.name);
        (names.filter(|name| headings.iter().any(|own| own.is(name))).count(), template)
    });
    let most = counted.filter(|(count, template)| count * 2 > template.sections().len());
    most.min_by_key(|(count, _)| Reverse(*count)).map(|(_, template)| template)
}

/// The transcript rule for a section rule; `None` for rules about budgets, wrapper and support.
fn name(rule: SectionRule) -> Option<&'static str> {
    Some(match rule {
        SectionRule::Missing => "section_missing",
        SectionRule::Duplicate => "section_duplicate",
        SectionRule::OutOfOrder => "section_out_of_order",
        SectionRule::Empty => "section_empty",
        SectionRule::Unknown => "section_unknown",
        SectionRule::UnbalancedWrapper | SectionRule::TooLong | SectionRule::FilesCut | SectionRule::Unsupported => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    const GOOD: &str =
        "## Goal\n- a\n## Instructions\n(none)\n## Discoveries\n- b\n## Accomplished\n- c\n## Relevant files\n- d";

    fn faults(text: &str, wrapped: bool) -> Vec<(&'static str, String)> {
        let mut transcript = sketch("s u S a");
        transcript.messages[2].parts[0].text =
            if wrapped { crate::summary::wrap(text) } else { text.to_owned() }.into();
        let template = Template::default();
        let faults = section_faults(&transcript, |_| Some(&template));
        faults.into_iter().map(|fault| (fault.rule, format!("{} {}", fault.line, fault.subject))).collect()
    }

    #[test]
    fn a_wrapped_summary_is_held_to_the_template() {
        assert_eq!(faults(GOOD, true), []);
        let missing = faults(&GOOD.replace("## Discoveries\n", ""), true);
        assert_eq!(missing, [("section_missing", "3 Discoveries".to_owned())]);
        assert_eq!(faults(&format!("{GOOD}\n## Goal\n- e"), true), [("section_duplicate", "3 Goal".to_owned())]);
        assert_eq!(faults(&GOOD.replace("- c\n", ""), true), [("section_empty", "3 Accomplished".to_owned())]);
        assert_eq!(faults(&format!("{GOOD}\n## Mood\n- e"), true), [("section_unknown", "3 Mood".to_owned())]);
        let late = GOOD.replace("## Goal\n- a\n", "") + "\n## Goal\n- a";
        assert!(faults(&late, true).iter().all(|(rule, _)| *rule == "section_out_of_order"));
        assert!(!faults(&late, true).is_empty());
    }

    #[test]
    fn a_summary_that_may_be_by_another_template_is_held_to_one_whose_headings_it_has() {
        let followed = |text: &str| {
            let mut transcript = sketch("s u S a");
            transcript.messages[2].parts[0].text = crate::summary::wrap(text).into();
            let template = Template::default();
            section_faults(&transcript, |text| Some(&template).filter(|own| follows(text, own))).len()
        };
        assert_eq!(followed("## Goal\n- a\n## Progress\n- b\n## Next Steps\n- c"), 0, "by another template");
        assert_eq!(followed(&GOOD.replace("## Discoveries\n", "")), 1);
    }

    #[test]
    fn the_summary_of_another_harness_is_not_ours_to_judge() {
        assert_eq!(faults("This session is being continued.", false), []);
    }
}
