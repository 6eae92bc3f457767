//! Heads so small that half of them only holds headings: a summary that says nothing must not replace the user's text.

use super::*;
use crate::format::by_name;
use crate::preset::When;
use crate::transcript::apply;

/// A conversation with this many words in its first request and answer each.
fn conversation(words: usize) -> Vec<u8> {
    let said = |role: &str, text: &str| format!("{{\"role\":\"{role}\",\"content\":\"{text}\"}}\n");
    let first = format!("Move my ferry 7 to May 2.{}", " please".repeat(words));
    let answer = format!("I need your name first.{}", " thanks".repeat(words));
    let later = "I am Ada, and the tide table says that the pier is dry at noon. ".repeat(3);
    let later = [said("user", &later), said("assistant", &later)].concat().repeat(2);
    [said("user", &first), said("assistant", &answer), later].concat().into_bytes()
}

fn compacted(source: &[u8], most: Option<u64>) -> (Outcome, Option<String>, String) {
    let compactor = opencode(|settings| {
        settings.split.tail_tokens = Some(220);
        settings.limits.max_tokens = most;
    });
    let done = compactor.run(by_name("openai-messages").unwrap(), source, 1);
    let output = String::from_utf8(apply(source, &done.patches).into_owned()).unwrap();
    (done.line.outcome, done.line.reason, output)
}

#[test]
fn a_head_that_a_summary_could_say_nothing_of_stays() {
    let source = conversation(45);
    let (outcome, reason, _) = compacted(&source, None);
    assert_eq!((outcome, reason.as_deref()), (Outcome::Unchanged, Some("would_not_shrink")));
    let (outcome, _, output) = compacted(&conversation(200), None);
    assert_eq!(outcome, Outcome::Compacted);
    assert!(output.contains("Move my ferry 7"), "{output}");
}

/// Half of such a head holds the headings and one of both requests, or a part of one.
#[test]
fn a_request_is_not_replaced_by_a_summary_without_it() {
    let said = |role: &str, text: &str| format!("{{\"role\":\"{role}\",\"content\":\"{text}\"}}\n");
    let source = |answer: usize| {
        let first =
            said("user", "How far is it by ferry from the old pier of Alder Bay to the new one of Birch Point?");
        let answer = said("assistant", &"It is 24 miles by the outer channel and 19 by the inner one. ".repeat(answer));
        let second =
            said("user", "And how far would it be from the mole of Birch Point to the lighthouse of Cedar Rock?");
        let later = said("assistant", &"It is 8 miles. ".repeat(3)) + &said("user", "Thanks!");
        [first, answer, second, later, said("assistant", &"You are welcome at any time. ".repeat(45))].concat()
    };
    let (outcome, reason, _) = compacted(source(4).as_bytes(), None);
    assert_eq!((outcome, reason.as_deref()), (Outcome::Unchanged, Some("would_not_shrink")));
    let (outcome, _, output) = compacted(source(30).as_bytes(), None);
    assert_eq!(outcome, Outcome::Compacted);
    assert!(output.contains("Alder Bay") && output.contains("Cedar Rock"), "{output}");
}

#[test]
fn a_template_without_a_section_for_requests_needs_none() {
    let said = |role: &str, text: &str| format!("{{\"role\":\"{role}\",\"content\":\"{text}\"}}\n");
    let source = [
        said("user", "Mend the lamp in src/lamp.rs so that it is lit at night."),
        said("assistant", &("Fixed the lamp in src/lamp.rs.".to_owned() + &" Many walk here at dusk.".repeat(12))),
        said("user", "Add a test for the lamp in tests/lamp.rs."),
        said("assistant", "Added the test in tests/lamp.rs."),
        said("user", "Thanks!"),
        said("assistant", &"You are welcome at any time. ".repeat(45)),
    ];
    let run = |source_of_section: &str| {
        let template = format!("---\nWork: {source_of_section}\n---\n## Work\n");
        let mut settings = Settings::of_preset("opencode").unwrap();
        settings.split.tail_tokens = Some(220);
        let template = Template::parse(&template, &[], false).unwrap();
        let compactor = Compactor::new("opencode", settings, template).unwrap();
        compactor.run(by_name("openai-messages").unwrap(), source.concat().as_bytes(), 1).line.outcome
    };
    assert_eq!(run("accomplished"), Outcome::Compacted);
    assert_eq!(run("goal"), Outcome::Compacted);
}

/// The request is kept, and half of what stands behind it has room for the headings only.
#[test]
fn what_an_agent_did_is_not_replaced_by_headings() {
    let said = |role: &str, text: &str| format!("{{\"role\":\"{role}\",\"content\":\"{text}\"}}\n");
    let step = |words: usize| {
        let text = format!("Thought: The quay may be wet.{}\\nAction: sound[quay 4]", " Maybe.".repeat(words));
        said("assistant", &text) + &said("user", "Observation: The quay is 4 fathoms deep.")
    };
    let source = |words: usize| [said("user", "How deep is quay 4?"), step(words), step(110), step(110)].concat();
    let (outcome, reason, _) = compacted(source(30).as_bytes(), None);
    assert_eq!((outcome, reason.as_deref()), (Outcome::Unchanged, Some("would_not_shrink")));
    let (outcome, _, output) = compacted(source(200).as_bytes(), None);
    assert_eq!(outcome, Outcome::Compacted);
    assert!(output.contains("sound"), "{output}");
}

/// The current request stands in the tail already.
#[test]
fn a_summary_that_only_repeats_the_tail_replaces_nothing() {
    let said = |role: &str, text: &str| format!("{{\"role\":\"{role}\",\"content\":\"{text}\"}}\n");
    let answer = "A quay stands along the water, and a pier goes out into it; ".repeat(6);
    let source = [
        said("user", "How does a quay differ from a pier?"),
        said("assistant", &answer),
        said("user", "Can you give a plain example of both of the two?"),
        said("assistant", &"The harbour has a quay for ferries, and a pier for anglers. ".repeat(20)),
    ];
    let (outcome, reason, output) = compacted(source.concat().as_bytes(), None);
    let told = output.contains("How does a quay differ") || output.contains("goes out into it");
    assert!(told, "{output}");
    assert_eq!((outcome, reason.as_deref()), (Outcome::Unchanged, Some("would_not_shrink")));
}

#[test]
fn a_short_earlier_summary_stays_where_a_resume_loads_nothing_else_before_the_tail() {
    let source = include_bytes!("../../../samples/claude-code/compacted-before.jsonl");
    let run = |tail: u64| {
        let compactor = opencode(|settings| settings.split.tail_tokens = Some(tail));
        let done = compactor.run(by_name("claude-code").unwrap(), source, 1);
        let output = String::from_utf8(apply(source, &done.patches).into_owned()).unwrap();
        (done.line.outcome, done.line.reason, output)
    };
    let (outcome, reason, output) = run(8_000);
    assert_eq!((outcome, reason.as_deref()), (Outcome::Unchanged, Some("already_compacted")));
    assert!(output.as_bytes() == source);
    let (outcome, _, output) = run(2_000);
    assert_eq!(outcome, Outcome::Compacted);
    assert!(output.contains(r"\n- Never invent a reading for more than an hour.\n"));
}

#[test]
fn a_rollout_that_would_get_more_bytes_stays_as_it_is() {
    let item = |role: &str, text: &str| {
        let content = serde_json::json!([{ "type": if role == "assistant" { "output_text" } else { "input_text" }, "text": text }]);
        let payload = serde_json::json!({ "type": "message", "role": role, "content": content });
        serde_json::json!({ "type": "response_item", "payload": payload }).to_string() + "\n"
    };
    let run = |instructions: usize| {
        let meta = r#"{"type":"session_meta","payload":{"id":"a","model_provider":"p"}}"#.to_owned() + "\n";
        let event = r#"{"type":"event_msg","payload":{"type":"user_message","message":"u"}}"#.to_owned() + "\n";
        let rules = item("developer", &"Moor every boat at the pier of its own color. ".repeat(instructions));
        let turn = |at: usize| {
            let asked = format!("How deep is the water at buoy {at} at noon, and who sounded it? ").repeat(4);
            item("user", &asked) + &item("assistant", &format!("Buoy {at} has {at} fathoms. ").repeat(20))
        };
        let turns: String = (0..12).map(turn).collect();
        let source = meta + &rules + &event + &turns;
        let compactor = opencode(|settings| settings.split.tail_tokens = Some(200));
        let done = compactor.run(by_name("codex").unwrap(), source.as_bytes(), 1);
        (done.line.outcome, done.line.reason, apply(source.as_bytes(), &done.patches).len() < source.len())
    };
    let (outcome, reason, _) = run(300);
    assert_eq!((outcome, reason.as_deref()), (Outcome::Unchanged, Some("would_not_shrink")));
    assert_eq!(run(3), (Outcome::Compacted, None, true));
}

#[test]
fn a_row_does_not_grow_for_the_tokens_of_a_picture() {
    let run = |picture: &str| {
        let ask = |text: &str| format!(r#"{{"role":"user","content":"{text}"}}"#);
        let answer = |text: &str| format!(r#"{{"role":"assistant","content":"{text}"}}"#);
        let first = format!(r#"{{"role":"user","content":[{picture}{{"type":"text","text":"What lamp is that?"}}]}}"#);
        let turns = [first, answer("A red one."), ask("Is it lit?"), answer("It is."), ask("By whom?"), answer("Ada.")];
        let source = format!(r#"{{"messages":[{}]}}"#, turns.join(","));
        let compactor = opencode(|settings| settings.split.tail_tokens = Some(20));
        let done = compactor.run(by_name("openai-chat").unwrap(), source.as_bytes(), 1);
        (done.line.outcome, done.line.reason, done.line.tokens.before)
    };
    let (outcome, reason, tokens) = run(r#"{"type":"image_url","image_url":{"url":"lamp.jpg"}},"#);
    assert_eq!((outcome, reason.as_deref()), (Outcome::Unchanged, Some("would_not_shrink")));
    assert!(tokens > 1_000, "the picture counts: {tokens}");
}

#[test]
fn a_budget_that_holds_no_headings_is_named_as_the_reason() {
    let compactor = opencode(|settings| {
        settings.split.tail_tokens = Some(220);
        settings.summary.tokens = 10;
    });
    let done = compactor.run(by_name("openai-messages").unwrap(), &conversation(200), 1);
    assert_eq!(done.line.reason.as_deref(), Some("small_summary_budget"));
}

#[test]
fn a_stated_budget_that_holds_little_more_than_headings_is_named_as_the_reason() {
    let run = |tokens: u64| {
        let compactor = opencode(|settings| {
            settings.split.tail_tokens = Some(220);
            settings.summary.tokens = tokens;
        });
        compactor.run(by_name("openai-messages").unwrap(), &conversation(400), 1).line
    };
    let little = run(50);
    assert_eq!((little.outcome, little.reason.as_deref()), (Outcome::Unchanged, Some("small_summary_budget")));
    let decision = little.decision.unwrap();
    assert_eq!((decision.tail_budget, decision.summary_budget), (220, 50), "what was decided is reported");
    assert_eq!(run(200).outcome, Outcome::Compacted);
}

#[test]
fn a_bound_that_leaves_room_for_headings_only_is_too_low() {
    let source = conversation(200);
    let run = |most: u64| {
        let compactor = opencode(|settings| settings.limits.max_tokens = Some(most));
        let done = compactor.run(by_name("openai-messages").unwrap(), &source, 1);
        let output = String::from_utf8(apply(&source, &done.patches).into_owned()).unwrap();
        (done.line.outcome, done.line.reason, output)
    };
    let outcomes: Vec<_> = (60..300).step_by(10).map(run).collect();
    for (outcome, reason, output) in &outcomes {
        match outcome {
            Outcome::Compacted => assert!(!output.contains("## Goal\\n(none)"), "{output}"),
            _ => assert_eq!(reason.as_deref(), Some("over_budget")),
        }
    }
    let any = |wanted: Outcome| outcomes.iter().any(|(outcome, ..)| *outcome == wanted);
    assert!(any(Outcome::Failed) && any(Outcome::Compacted));
}

#[test]
fn a_result_that_still_overflows_is_told() {
    let run = |usable: u64, most: Option<u64>| {
        let compactor = opencode(|settings| {
            settings.limits.usable = Some(usable);
            settings.limits.max_tokens = most;
            settings.split.tail_tokens = Some(100);
            settings.split.min_tail = 2;
        });
        let line = compactor.run(by_name("openai-messages").unwrap(), &conversation(400), 1).line;
        assert_eq!(line.outcome, Outcome::Compacted);
        (line.overflows, line.warnings.len())
    };
    assert_eq!(run(100, None), (true, 1));
    assert_eq!(run(100_000, None), (false, 0));
    assert_eq!(run(100_000, Some(400)), (false, 0));
}

#[test]
fn what_is_left_though_it_overflows_is_told() {
    let run = |usable: u64, trigger: Option<u64>| {
        let compactor = opencode(|settings| {
            settings.limits.usable = Some(usable);
            settings.overflow.when = When::Overflow;
            settings.overflow.trigger_tokens = trigger;
            settings.split.tail_tokens = Some(usable.min(5_000));
        });
        let line = compactor.run(by_name("openai-messages").unwrap(), &conversation(40), 1).line;
        assert_eq!(line.outcome, Outcome::Unchanged, "{:?}", line.error);
        (line.overflows, line.warnings)
    };
    let (told, warnings) = run(100, Some(1_000_000));
    assert!(told && warnings[0].starts_with("it is left as it is, though its "), "{warnings:?}");
    assert!(warnings[0].ends_with(": a smaller trigger, or --when always, compacts it"), "{warnings:?}");
    assert_eq!(run(1_000_000, None), (false, Vec::new()));
}

#[test]
fn an_unlimited_context_is_no_number() {
    let compactor = opencode(|settings| settings.limits.context_window = 0);
    let decision = compactor.run(by_name("openai-messages").unwrap(), &conversation(40), 1).line.decision.unwrap();
    assert_eq!((decision.usable, decision.trigger), (None, None));
    assert_eq!(decision.tail_budget, 8_000, "decided, though there is no head");
}

#[test]
fn below_a_bound_the_tail_gives_way_to_a_summary_that_says_something() {
    let (outcome, _, output) = compacted(&conversation(45), Some(260));
    assert_eq!(outcome, Outcome::Compacted);
    assert!(output.contains("Move my ferry 7"), "{output}");
}

#[test]
fn a_request_is_not_cut_to_a_few_letters_where_a_shorter_tail_lets_it_stand() {
    for words in [30, 40] {
        let (_, _, output) = compacted(&conversation(words), Some(320));
        assert!(output.contains("Move my ferry 7 to May 2"), "{words}: {output}");
    }
}

#[test]
fn a_file_of_one_record_is_no_head() {
    let said = "The tide table says that the pier is dry at noon. ".repeat(40);
    let event = |text: &str| {
        format!(
            r#"{{"id":"a","source":"agent","llm_message":{{"role":"assistant","content":[{{"type":"text","text":"{text}"}}]}},"kind":"MessageEvent"}}"#
        )
    };
    let record = |text: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"1","parentUuid":null,"sessionId":"s","message":{{"role":"assistant","content":"{text}"}}}}"#
        )
    };
    for (format, source, reason) in
        [("openhands", event(&said), "lone_event"), ("claude-code", record(&said), "no_head")]
    {
        let settings = Settings::of_preset("epitome-small").unwrap();
        let compactor = Compactor::new("epitome-small", settings, Template::default()).unwrap();
        let done = compactor.run(by_name(format).unwrap(), source.as_bytes(), 1);
        assert_eq!((done.line.outcome, done.line.reason.as_deref()), (Outcome::Unchanged, Some(reason)));
        assert!(done.patches.is_empty());
    }
}
