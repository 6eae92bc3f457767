//! Answers that are mended: what goes, what is moved, and what is asked for again.

use super::*;

#[test]
fn a_section_of_placeholders_is_asked_for_again_and_then_filled() {
    let lazy = GOOD.replace("- The loop runs one step too far because it compares with `<=`.", "[to be filled]");
    let (summary, asked) = run(&[&lazy, &lazy]);
    assert!(asked[1].user.contains("`## Discoveries`"), "{}", asked[1].user);
    assert_eq!(summary.written.as_ref().unwrap().filled, ["Discoveries"]);
    assert!(!summary.text.contains("to be filled"), "{}", summary.text);
    let all: String =
        GOOD.lines().map(|line| if line.starts_with("- ") { "N/A\n".into() } else { format!("{line}\n") }).collect();
    let (summary, _) = run(&[&all, &all]);
    assert_eq!(summary.by, "extractive");
    assert_eq!(summary.written.unwrap().calls[1].outcome.name(), "empty");
    let free = Template::parse("Summarize.", &[], true).unwrap();
    let summary = Case::default().by(&free, &Scripted::saying(&["TBD", "- N/A"])).unwrap();
    assert_eq!(summary.by, "extractive");
}

#[test]
fn what_a_hybrid_fills_itself_is_cut_from_the_answer() {
    let case = Case { settings: WriterSettings { hybrid: true, ..WriterSettings::default() }, ..Case::default() };
    let other = GOOD.replace("- Never touch the tests.", "- Fixed; go on").replace("— edited", "— Fixed");
    for dress in ["## ", "### ", "**"] {
        let answer = other.replace("## Instr", &format!("{dress}Instr")).replace("## Rel", &format!("{dress}Rel"));
        let answer = if dress == "**" {
            answer.replace("ctions\n", "ctions**\n").replace("files\n", "files**\n")
        } else {
            answer
        };
        let summary = case.run(&Scripted::saying(&[&answer])).unwrap();
        assert!(!summary.text.contains("Fixed"), "{dress}: {}", summary.text);
        assert_eq!((summary.attempts, summary.text.matches("Relevant files").count()), (1, 1), "{}", summary.text);
        assert!(summary.written.as_ref().unwrap().cuts.contains(&"sections"));
        assert_sound(&summary, 500);
    }
}

#[test]
fn a_renamed_section_is_known_at_once() {
    let (summary, asked) = run(&[&GOOD.replace("## Discoveries", "## Findings")]);
    assert_eq!((summary.text.as_str(), asked.len()), (GOOD, 1));
}
