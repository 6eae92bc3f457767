//! T03: text that a compaction added beside the summary: around our wrapper, in the continuation, and, in output of
//! other tools, in further messages beside the summary.

use crate::gates::view::SummaryText;
use crate::gates::{Finding, Tools, View};
use crate::summary::starts_any;
use crate::transcript::fixed_texts::{
    ACKNOWLEDGED, CARRIED, CONTINUATIONS, MEDIA_DESCRIBED, ONLY_MEDIA, PREFACES, SUMMARY_CLOSE, SUMMARY_OPEN,
    SUMMARY_QUESTION,
};
use crate::transcript::{Author, Message};

/// Fixed texts that harnesses put beside a summary.
const USUAL: [&str; 2] = [SUMMARY_QUESTION, ACKNOWLEDGED];
/// Beginnings of continuation messages of harnesses; any text may follow.
const GOING: [&str; 4] = [
    "Continue if you have next steps",
    "Please continue the conversation from where",
    "Continue the conversation from where",
    "Continue from where you left off",
];

/// Returns a finding for each text beside the summary that is neither in the original nor a fixed text of a compaction.
pub(super) fn added(view: &View<'_>, tools: &Tools<'_>) -> Vec<Finding> {
    let ours = view.summary.iter().any(|text| text.ours);
    let around = view.kept.summaries.iter().filter_map(|&at| around(view, at));
    let going = view.kept.going.iter().filter_map(|&at| going(view, tools, (at, ours)));
    around.chain(going).chain(beside(view)).collect()
}

fn message<'v>(view: &'v View<'_>, at: usize) -> Option<&'v Message<'v>> {
    view.compacted.transcript.messages.get(at)
}

/// Checks the text around our wrapper in the same message: it must be in the original or a fixed text.
fn around(view: &View<'_>, at: usize) -> Option<Finding> {
    let (text, source) = (message(view, at)?.text(), view.source.as_ref()?);
    let (before, rest) = text.split_once(SUMMARY_OPEN)?;
    let (_, behind) = rest.rsplit_once(SUMMARY_CLOSE)?;
    let (before, behind) = (before.trim(), behind.trim());
    let known = |text: &str| text.is_empty() || source.has_words(text);
    let what = match (PREFACES.contains(&before) || known(before), behind.starts_with(CARRIED) || known(behind)) {
        (false, _) => ("words before the summary that the original does not have", before),
        (_, false) => ("words behind the summary that the original does not have", behind),
        _ => return None,
    };
    Some(Finding::new(view.spot_of(at), what.0).about(what.1))
}

/// Checks that a continuation message says nothing else. An error beside a summary of ours, else a warning.
fn going(view: &View<'_>, tools: &Tools<'_>, (at, ours): (usize, bool)) -> Option<Finding> {
    let text = message(view, at)?.text();
    let text = text.trim();
    let bare = text.trim_end_matches(['.', '!']).to_lowercase();
    let described = || text.strip_prefix(MEDIA_DESCRIBED).is_some_and(|rest| rest.starts_with(' '));
    let known = CONTINUATIONS[0] == bare
        || bare == "please continue"
        || text == CONTINUATIONS[1]
        || text == OPENCODE
        || text == ONLY_MEDIA
        || text == SUMMARY_QUESTION
        || tools.continuation.is_some_and(|own| own.trim() == text)
        || described()
        || !ours && starts_any(text, &GOING);
    let what = "what sets the agent going again says more than that";
    let finding = Finding::new(view.spot_of(at), what).about(text);
    (!known).then(|| if ours { finding } else { finding.warning() })
}

/// The continuation of opencode.
const OPENCODE: &str =
    "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.";

/// Where no new text is marked as a summary, the longest one is taken as the summary; the others get a warning.
fn beside(view: &View<'_>) -> Vec<Finding> {
    let texts: Vec<_> = view.kept.summaries.iter().copied().zip(&view.summary).collect();
    let marked = |at: usize| message(view, at).is_none_or(|message| message.author == Author::Summary);
    if texts.len() < 2
        || texts.len() < view.kept.summaries.len()
        || texts.iter().any(|(at, text)| text.ours || marked(*at))
    {
        return Vec::new();
    }
    let Some((main, _)) = texts.iter().max_by_key(|(_, text)| text.text.len()) else { return Vec::new() };
    let doubtful = |(at, text): &&(usize, &SummaryText)| at != main && !USUAL.contains(&text.text.trim());
    let what = "words beside the summary that the original does not have";
    let finding =
        |(at, text): &(usize, &SummaryText)| Finding::new(view.spot_of(*at), what).about(text.text.trim()).warning();
    texts.iter().filter(doubtful).map(finding).collect()
}
