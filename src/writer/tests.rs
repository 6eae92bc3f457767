//! Summaries by a scripted model: whatever it answers, the result is complete, supported, and within its budget.

#![expect(clippy::unwrap_used, reason = "tests")]

mod answers;

use super::*;
use crate::model::{Answer, Failure, Finish, Scripted};
use crate::question_outcome::QuestionOutcome;
use crate::summary::{Request, Template, extractive, unwrap};
use crate::transcript::{Author, Message, Part, PartKind, Role, Shape, Slot, Tokens};
use std::collections::BTreeMap;

const GOOD: &str = "## Goal\n- Fix the parser in src/parse.rs\n\n## Instructions\n- Never touch the tests.\n\n\
    ## Discoveries\n- The loop runs one step too far because it compares with `<=`.\n\n## Accomplished\n- Edited src/parse.rs\n\n\
    ## Relevant files\n- `src/parse.rs` — edited\n";

fn count(text: &str) -> Tokens {
    Tokens(text.len() as u64 / 4)
}

fn part(kind: PartKind<'static>, text: &str) -> Part<'static> {
    let slot = Slot { part: 0..1, content: 0..1, shape: Shape::Text };
    Part { kind, text: text.to_owned().into(), slot, tokens: count(text), status: None }
}

fn message(role: Role, author: Author, part: Part<'static>) -> Message<'static> {
    Message { role, author, parts: vec![part], live: true, ..Message::default() }
}

fn head() -> Vec<Message<'static>> {
    let user = |text| message(Role::User, Author::Person, part(PartKind::Text, text));
    let agent = |text| message(Role::Assistant, Author::Model, part(PartKind::Text, text));
    let call = PartKind::Call { id: "1".into(), name: "edit".into() };
    let result =
        PartKind::Result { id: "1".into(), tool: Some("edit".into()), error: false, pruned: false, media: Vec::new() };
    vec![
        user("Fix the parser in src/parse.rs. Never touch the tests."),
        agent("The loop runs one step too far because it compares with `<=`."),
        message(Role::Assistant, Author::Model, part(call, r#"{"file_path":"src/parse.rs","new_string":"<"}"#)),
        message(Role::Tool, Author::Tool, part(result, &format!("edited\n{}", "1234 lines\n".repeat(20)))),
        agent("Fixed; all 12 tests pass."),
    ]
}

struct Case {
    settings: WriterSettings,
    prior: Vec<String>,
    notes: Vec<String>,
    budget: u64,
    head: Vec<Message<'static>>,
}

impl Default for Case {
    fn default() -> Self {
        Self { settings: WriterSettings::default(), prior: Vec::new(), notes: Vec::new(), budget: 500, head: head() }
    }
}

impl Case {
    fn run(&self, model: &Scripted) -> Result<Summary, NoSummary> {
        self.by(&Template::default(), model)
    }

    fn by(&self, template: &Template, model: &Scripted) -> Result<Summary, NoSummary> {
        let request = Request {
            asked: Vec::new(),
            head: self.head.iter().collect(),
            kept: Vec::new(),
            behind: 0,
            lost: Vec::new(),
            prior: self.prior.clone(),
            prior_positions: Vec::new(),
            notes: self.notes.clone(),
            lines: None,
            budget: Tokens(self.budget),
            count: &count,
            spread: &crate::transcript::InTurn,
        };
        let offline = extractive(&request, template).unwrap();
        let pruned = BTreeMap::from([((3, 0), "(pruned)")]);
        let task = Task { request: &request, template, pruned };
        Writer { model, settings: &self.settings }.summarize(&task, offline)
    }
}

fn run(answers: &[&str]) -> (Summary, Vec<crate::model::Prompt>) {
    let model = Scripted::saying(answers);
    let summary = Case::default().run(&model).unwrap();
    (summary, model.asked())
}

fn assert_sound(summary: &Summary, budget: u64) {
    assert!(summary.sections.iter().all(|section| section.faults.is_empty()), "{}", summary.text);
    assert!(summary.faults.is_empty() && count(&summary.wrapped) <= Tokens(budget), "{}", summary.text);
    assert_eq!(unwrap(&summary.wrapped).as_deref(), Some(summary.text.trim_end()));
}

#[test]
fn a_good_answer_is_the_summary() {
    let (summary, asked) = run(&[GOOD]);
    assert_eq!((summary.text.as_str(), summary.by.name(), summary.attempts), (GOOD, "llm", 1));
    assert_sound(&summary, 500);
    assert_eq!(asked.len(), 1);
    let question = &asked[0].user;
    assert!(question.starts_with("<conversation>\n[user]\nFix the parser"), "{question}");
    assert!(question.trim_end().ends_with("exactly as they were."), "the template stands last: {question}");
    assert!(question.contains("[result edit]\n(pruned)") && !question.contains("1234 lines"));
}

#[test]
fn a_missing_section_is_named_in_the_second_question_and_then_filled() {
    let lacking =
        GOOD.replace("## Discoveries\n- The loop runs one step too far because it compares with `<=`.\n\n", "");
    let (summary, asked) = run(&[&lacking, GOOD]);
    assert_eq!((summary.text.as_str(), summary.by.name(), summary.attempts), (GOOD, "llm", 2));
    assert!(asked[1].user.contains("these sections are missing: `## Discoveries`"));

    let (summary, asked) = run(&[&lacking, &lacking]);
    assert_eq!((asked.len(), summary.by.name()), (2, "llm+extractive"));
    assert_eq!(summary.written.as_ref().unwrap().filled, ["Discoveries"]);
    assert!(
        summary.text.contains("## Discoveries\n- The loop runs one step too far because it compares with `<=`."),
        "{}",
        summary.text
    );
    assert_sound(&summary, 500);
}

#[test]
fn the_better_of_two_answers_is_taken() {
    let lacking =
        GOOD.replace("## Discoveries\n- The loop runs one step too far because it compares with `<=`.\n\n", "");
    let (summary, _) = run(&[&lacking, "## Goal\n- Fix the parser"]);
    assert_eq!(summary.written.as_ref().unwrap().filled, ["Discoveries"]);
    let (summary, _) = run(&[&lacking, ""]);
    assert_eq!(summary.by.name(), "llm+extractive");
}

#[test]
fn what_the_head_does_not_say_is_dropped_and_reported() {
    let inventive = GOOD
        .replace(
            "- Edited src/parse.rs",
            "- Edited src/parse.rs\n- Edited lib/made_up.rs with MakeUpError\n- 4817 rows are left",
        )
        .replace("- `src/parse.rs` — edited\n", "- `src/other.py` — new\n");
    let (summary, _) = run(&[&inventive]);
    assert!(!summary.text.contains("made_up") && !summary.text.contains("other.py"), "{}", summary.text);
    assert!(summary.text.contains("## Relevant files\n- `src/parse.rs`"), "filled: {}", summary.text);
    let written = summary.written.as_ref().unwrap();
    let dropped: Vec<_> = written.dropped.iter().map(|one| (one.section.as_str(), one.facts.join(", "))).collect();
    assert_eq!(dropped[0], ("Accomplished", "error MakeUpError, path lib/made_up.rs".into()));
    assert_eq!(dropped[1], ("Accomplished", "number 4817 rows".into()));
    assert_eq!(dropped[2].0, "Relevant files");
    assert!(written.faults.iter().any(|fault| fault.name() == "unsupported"));
    assert_sound(&summary, 500);
}

fn answer(text: &str, finish: Finish, reasoned: bool) -> Result<Answer, Failure> {
    Ok(Answer { text: text.into(), finish, reasoned, ..Answer::default() })
}

#[test]
fn an_answer_that_is_no_summary_is_asked_for_again_and_then_the_extractive_one_stands_in() {
    let cases = [
        ("refused", answer("", Finish::Refused, false)),
        ("refused", answer("I'm sorry, but I can't do that.", Finish::Stop, false)),
        ("empty", answer("", Finish::Stop, false)),
        ("empty", answer("## Goal\n(none)\n", Finish::Stop, false)),
        ("reasoning_only", answer("", Finish::Stop, true)),
        ("reasoning_only", answer("<think>hm", Finish::Stop, false)),
        ("length_cut", answer("## Goal\n- Fix", Finish::Length, false)),
        ("tool_calling", answer("", Finish::ToolCall, false)),
    ];
    for (name, bad) in cases {
        let model = Scripted::new(vec![bad.clone(), answer(GOOD, Finish::Stop, false)]);
        let summary = Case::default().run(&model).unwrap();
        assert_eq!(summary.text, GOOD, "{name}");
        assert!(model.asked()[1].user.contains("Your last answer"), "{name}");
        assert_eq!(summary.written.unwrap().calls[0].outcome.name(), name);

        let summary = Case::default().run(&Scripted::new(vec![bad.clone(), bad.clone()])).unwrap();
        assert_eq!((summary.by.name(), summary.attempts), ("extractive", 2), "{name}");
        assert!(summary.written.as_ref().unwrap().fell_back);
        assert_sound(&summary, 500);

        let strict = WriterSettings { fallback: false, ..WriterSettings::default() };
        let failed =
            Case { settings: strict, ..Case::default() }.run(&Scripted::new(vec![bad.clone(), bad])).unwrap_err();
        assert_eq!(failed.to_string(), format!("the model gave no summary: {name}"));
    }
}

#[test]
fn a_model_that_is_not_there_is_asked_once_and_its_failure_has_a_name() {
    for outcome in [
        QuestionOutcome::Timeout,
        QuestionOutcome::Unauthorized,
        QuestionOutcome::TooLarge,
        QuestionOutcome::BreakerOpen,
        QuestionOutcome::NotCached,
    ] {
        let model = Scripted::new(vec![Err(Failure::new(outcome, "why"))]);
        let summary = Case::default().run(&model).unwrap();
        assert_eq!((summary.by.name(), model.asked().len()), ("extractive", 1));
        assert_eq!(summary.written.unwrap().why(), format!("{}: why", outcome.name()));
    }
}

#[test]
fn an_answer_without_any_heading_is_no_summary() {
    let (summary, _) = run(&["Just some words.", "More words."]);
    assert_eq!(summary.by.name(), "extractive");
    assert_sound(&summary, 500);
}

#[test]
fn the_budget_holds_whatever_the_model_writes() {
    let long = GOOD.replace("- Edited src/parse.rs", &"- Edited src/parse.rs once more\n".repeat(200));
    for budget in [60, 100, 300] {
        let case = Case { budget, ..Case::default() };
        let summary = case.run(&Scripted::saying(&[&long, &long])).unwrap();
        assert_sound(&summary, budget);
        assert!(summary.written.as_ref().unwrap().faults.iter().any(|fault| fault.name() == "too_long"));
    }
}

#[test]
fn a_long_head_is_folded_piece_by_piece_and_nothing_of_it_is_left_out() {
    let user = |number| {
        let text = format!("Step {number}: {}", "look at the parser again ".repeat(30));
        message(Role::User, Author::Person, part(PartKind::Text, &text))
    };
    let long: Vec<_> = head().into_iter().chain((0..60).map(user)).collect();
    let settings = WriterSettings { context: 4_000, ..WriterSettings::default() };
    let case = Case { settings, head: long, prior: vec!["## Goal\n- An older goal".into()], ..Case::default() };
    let model = Scripted::saying(&[GOOD; 40]);
    let summary = case.run(&model).unwrap();
    let asked = model.asked();
    assert!(asked.len() > 3 && asked.len() == summary.written.as_ref().unwrap().chunks);
    assert!(asked.iter().all(|prompt| prompt.tokens + prompt.max_tokens <= 4_000));
    for number in 0..60 {
        assert!(asked.iter().any(|prompt| prompt.user.contains(&format!("Step {number}: "))), "{number}");
    }
    assert_eq!(asked[0].user.matches("<prior-summary>").count(), 1);
    assert!(asked[0].user.contains("An older goal") && !asked[1].user.contains("An older goal"));
    assert!(asked[1].user.contains("<prior-summary>\n## Goal\n- Fix the parser"));
    assert_sound(&summary, 500);
}

#[test]
fn a_piece_that_fails_makes_the_whole_extractive() {
    let user = |_| message(Role::User, Author::Person, part(PartKind::Text, &"look at the parser again ".repeat(90)));
    let head: Vec<_> = head().into_iter().chain((0..20).map(user)).collect();
    let settings = WriterSettings { context: 4_000, ..WriterSettings::default() };
    let case = Case { settings, head, ..Case::default() };
    let torn = Err(Failure::new(QuestionOutcome::Torn, "half of it"));
    let summary = case.run(&Scripted::new(vec![answer(GOOD, Finish::Stop, false), torn])).unwrap();
    assert_eq!((summary.by.name(), summary.attempts), ("extractive", 2));
}

#[test]
fn a_window_smaller_than_stated_means_smaller_pieces() {
    let head: Vec<_> = (0..40)
        .map(|_| message(Role::User, Author::Person, part(PartKind::Text, &"look at the parser again ".repeat(20))))
        .collect();
    let mut answers = vec![Err(Failure::new(QuestionOutcome::TooLongForModel, "8192 tokens"))];
    answers.extend(std::iter::repeat_n(answer(GOOD, Finish::Stop, false), 20));
    let model = Scripted::new(answers);
    let summary = Case { head, ..Case::default() }.run(&model).unwrap();
    let asked = model.asked();
    assert!(asked.len() > 2 && asked[1].tokens < asked[0].tokens * 2 / 3, "{}", asked.len());
    assert_ne!(summary.by.name(), "extractive");
}

#[test]
fn in_a_hybrid_the_model_writes_prose_only() {
    let prose = "## Goal\n- Fix the parser\n\n## Discoveries\n- The loop runs one step too far because it compares with `<=`.\n\n## Accomplished\n- Fixed it\n";
    let case = Case { settings: WriterSettings { hybrid: true, ..WriterSettings::default() }, ..Case::default() };
    let model = Scripted::saying(&[prose]);
    let summary = case.run(&model).unwrap();
    assert_eq!(summary.by.name(), "hybrid");
    assert!(!model.asked()[0].user.contains("## Relevant files") && !model.asked()[0].user.contains("## Instructions"));
    assert!(summary.text.contains("## Instructions\n- Never touch the tests."), "{}", summary.text);
    assert!(summary.text.contains("## Relevant files\n- `src/parse.rs`") && summary.text.contains("- Fixed it"));
    assert_sound(&summary, 500);
}

#[test]
fn secrets_are_neither_sent_nor_written() {
    let secret = format!("ghp_{}", "aB3xY9".repeat(7));
    let mut head = head();
    head[1].parts[0].text = format!("The token is {secret}.").into();
    let model = Scripted::saying(&[&GOOD.replace("one step", &secret)]);
    let summary =
        Case { head, prior: vec![format!("## Goal\n- use {secret}")], ..Case::default() }.run(&model).unwrap();
    assert!(model.asked().iter().all(|prompt| !prompt.user.contains(&secret) && prompt.user.contains("[secret]")));
    assert!(!summary.text.contains(&secret));
    assert_eq!(summary.written.unwrap().redacted, BTreeMap::from([("GitHub token", 2)]));
}

#[test]
fn a_note_is_in_the_summary_whoever_writes_it() {
    let note = "Load again, its output did not fit: skill deploy";
    let case = Case { notes: vec![note.into()], ..Case::default() };
    let summary = case.run(&Scripted::saying(&[GOOD])).unwrap();
    assert_eq!(summary.text.matches(note).count(), 1);
}

#[test]
fn an_estimate_asks_nothing() {
    let settings = WriterSettings { estimate: true, ..WriterSettings::default() };
    let model = Scripted::saying(&[]);
    let summary = Case { settings, ..Case::default() }.run(&model).unwrap();
    let estimate = summary.written.unwrap().estimate.unwrap();
    assert!(model.asked().is_empty() && estimate.calls == 1 && estimate.input_tokens > 100);
    assert_eq!(estimate.output_tokens, 500 * 2 + 200, "what the request states");
    let settings = WriterSettings { estimate: true, max_output: Some(300), ..WriterSettings::default() };
    let summary = Case { settings, ..Case::default() }.run(&model).unwrap();
    assert_eq!(summary.written.unwrap().estimate.unwrap().output_tokens, 300);
}

#[test]
fn answers_are_stored_that_were_of_use_and_no_others() {
    let lacking = GOOD.replace("## Goal\n- Fix the parser in src/parse.rs\n\n", "");
    let remembered = |answers: &[&str]| {
        let model = Scripted::saying(answers);
        Case::default().run(&model).unwrap();
        model.remembered()
    };
    let kept = |text: &str| Some(text.to_owned());
    assert_eq!(remembered(&[GOOD]), [kept(GOOD)]);
    assert_eq!(remembered(&[&lacking, GOOD]), [kept(&lacking), kept(GOOD)], "the way to it is had again for nothing");
    assert_eq!(remembered(&["", ""]), [None, None]);
    assert_eq!(remembered(&["I'm sorry, but no.", "Words."]), [None, None]);
    let prompt = Template::default().prompt().to_owned();
    assert_eq!(remembered(&[&prompt, &prompt]), [None, None], "what is echoed is no summary");
}

#[test]
fn a_template_that_nothing_else_fills_fails_without_a_model() {
    let template = Template::parse("## Mood\n## Weather\n", &[], false).unwrap();
    let torn = || Err(Failure::new(QuestionOutcome::Torn, "half of it"));
    let failed = Case::default().by(&template, &Scripted::new(vec![torn()])).unwrap_err().to_string();
    assert_eq!(
        failed,
        "the model gave no summary: torn: half of it; and nothing stands in, since no section of the template says what fills it"
    );
    let written = Case::default().by(&template, &Scripted::saying(&["## Mood\n- Good\n## Weather\n- Fair\n"])).unwrap();
    assert_eq!(written.text, "## Mood\n- Good\n\n## Weather\n- Fair\n");
}

#[test]
fn an_estimate_refuses_what_the_run_refuses_and_says_what_takes_the_room() {
    for estimate in [true, false] {
        let settings = WriterSettings { estimate, context: 700, ..WriterSettings::default() };
        let model = Scripted::saying(&[]);
        let summary = Case { settings, ..Case::default() }.run(&model).unwrap();
        let written = summary.written.unwrap();
        assert_eq!((model.asked().len(), written.estimate.map_or(0, |estimate| estimate.calls)), (0, 0));
        let why = written.why();
        assert!(why.starts_with("too_long_for_model: 700 tokens (--llm-context)"), "{why}");
        assert!(why.contains("350 are the answer's (--llm-output, --summary-tokens)"), "{why}");
    }
}
