//! Origins of summary lines: lines of a session, messages of a row.

use super::*;
use crate::format::by_name;
use crate::preset::When;
use crate::report::OriginReport;
use crate::transcript::apply;

/// Compacts a text. Returns the origins, and the text of the result.
fn compacted(format: &str, source: &str) -> (Vec<OriginReport>, String) {
    let work = opencode(|settings| {
        settings.split.tail_tokens = Some(20);
        settings.overflow.when = When::Always;
        settings.summary.provenance = true;
    });
    let done = work.run(by_name(format).unwrap(), source.as_bytes(), 5);
    assert_eq!(done.line.outcome, Outcome::Compacted, "{:?}", done.line.error);
    (
        done.line.summary.unwrap().origins,
        String::from_utf8(apply(source.as_bytes(), &done.patches).into_owned()).unwrap(),
    )
}

fn messages() -> Vec<String> {
    let tide = "The gauge of Pellan was read again, and it is still an hour late. ".repeat(30);
    let said = |role: &str, text: &str| serde_json::json!({ "role": role, "content": text }).to_string();
    vec![
        said("system", "You keep the tide tables."),
        said("user", "Please mend src/gauge.rs. Never touch data/raw by hand."),
        said("assistant", &format!("The offset in src/gauge.rs was wrong. {tide}")),
        said("user", "Now look at src/report.rs, please."),
        said("assistant", &format!("The report is right. {tide}")),
        said("user", "And the export?"),
        said("assistant", "It is right, too."),
    ]
}

#[test]
fn of_a_row_the_message_is_told() {
    let (origins, text) = compacted("openai-chat", &format!("{{\"messages\":[{}]}}", messages().join(",")));
    let told: Vec<_> = origins.iter().filter(|origin| origin.line.is_some()).collect();
    assert!(told.len() > 2 && told.iter().all(|origin| origin.line == Some(5)), "{origins:?}");
    let goal = told.iter().find(|origin| origin.section == "Goal").unwrap();
    assert_eq!(goal.message, Some(2), "{origins:?}");
    assert!(told.iter().all(|origin| (1..=7).contains(&origin.message.unwrap())), "{origins:?}");
    assert!(text.contains(" [message 2]") && !text.contains(" [line "), "{text}");
}

#[test]
fn of_a_session_the_line_is_told() {
    let (origins, text) = compacted("openai-messages", &messages().join("\n"));
    let goal = origins.iter().find(|origin| origin.section == "Goal").unwrap();
    assert_eq!((goal.line, goal.message), (Some(6), None), "{origins:?}");
    assert!(origins.iter().all(|origin| origin.message.is_none()));
    assert!(text.contains(" [line 6]") && !text.contains(" [message "), "{text}");
    assert!(!serde_json::to_string(&origins).unwrap().contains("message"), "the shape is as it was");
}
