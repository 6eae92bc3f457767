//! User messages in which an environment reports what came of an agent's calls, recognized by the label that they share:
//! `Action result: …` (browser-use). The calls are stored as such, and have results of their own that say little.
//!
//! A person may paste an output under such a label, so one message alone is no proof: two user messages in a row must
//! have the same label, and stand behind calls. Behind a summary, which has the earlier ones, one is enough, and so is a
//! label alone right before a call, unless they order something: “Check the output: …”.

use super::{harness_texts, react};
use crate::transcript::{Author, Message, PartKind, Role};
use std::collections::HashSet;

/// First words of a person's request about an output.
const ORDERS: [&str; 18] = [
    "analyze", "check", "compare", "copy", "describe", "explain", "fix", "give", "ignore", "look", "print", "read",
    "return", "see", "show", "use", "write", "wait",
];

/// Sets the author of reports.
pub(in crate::format) fn name(messages: &mut [Message<'_>]) {
    let labels = labels(messages);
    // Earlier reports are in a summary, so that one is enough.
    let shortened = messages.iter().any(|message| message.author == Author::Summary);
    let shared = if shortened { all(&labels) } else { in_a_row(&labels) };
    let shared: HashSet<&String> = shared.into_iter().filter(|label| !shortened || !orders(label)).collect();
    let is_report = |label: &Option<String>| label.as_ref().is_some_and(|label| shared.contains(label));
    let reports: Vec<usize> = labels.iter().filter(|(_, label)| is_report(label)).map(|(at, _)| *at).collect();
    let shown: Vec<usize> = (0..messages.len()).filter(|at| heads_call(&messages[*at..])).collect();
    for at in reports.into_iter().chain(shown) {
        messages[at].author = Author::Harness;
    }
}

/// The user messages that may be reports, each with its label if it has one and stands behind calls.
fn labels(messages: &[Message<'_>]) -> Vec<(usize, Option<String>)> {
    let (mut labels, mut behind_calls) = (Vec::new(), false);
    for (at, message) in messages.iter().enumerate() {
        let text = first_text(message);
        match message.role {
            Role::Assistant => behind_calls = message.calls().next().is_some(),
            Role::User if message.author == Author::Person || told(message, text) => {
                let label = react::result_label(text).filter(|_| behind_calls);
                behind_calls &= label.is_some();
                labels.push((at, label));
            }
            _ => {}
        }
    }
    labels
}

/// Whether the harness wrote a message, and its text alone shows that.
fn told(message: &Message<'_>, text: &str) -> bool {
    message.author == Author::Harness && harness_texts::is_told(text)
}

fn all(labels: &[(usize, Option<String>)]) -> HashSet<&String> {
    labels.iter().filter_map(|(_, label)| label.as_ref()).collect()
}

/// The labels of two messages in a row.
fn in_a_row(labels: &[(usize, Option<String>)]) -> HashSet<&String> {
    labels.windows(2).filter(|pair| pair[0].1 == pair[1].1).filter_map(|pair| pair[0].1.as_ref()).collect()
}

/// Whether a message is nothing but such a label before an agent's call: the example of one in a prompt.
fn heads_call(messages: &[Message<'_>]) -> bool {
    let [message, next, ..] = messages else { return false };
    let text = first_text(message).trim();
    let alone = message.author == Author::Person && message.parts.len() == 1 && !text.contains('\n');
    let calls = next.author == Author::Model && next.calls().next().is_some();
    alone && calls && text.ends_with(':') && react::result_label(text).is_some_and(|label| !orders(&label))
}

/// Whether a label begins with an order.
fn orders(label: &str) -> bool {
    let first = label.split_whitespace().next().unwrap_or_default().to_lowercase();
    ORDERS.contains(&&*first)
}

fn first_text<'m>(message: &'m Message<'_>) -> &'m str {
    message.parts.iter().find(|part| part.kind == PartKind::Text).map_or("", |part| &part.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::shared::slot::{fixed_at, part};

    fn message(author: Author, text: &'static str) -> Message<'static> {
        let role = match author {
            Author::Model => Role::Assistant,
            Author::Tool => Role::Tool,
            _ => Role::User,
        };
        let kind = match author {
            Author::Model => PartKind::Call { id: "a".into(), name: "look".into() },
            _ => PartKind::Text,
        };
        Message { role, author, parts: vec![part(kind, text.into(), fixed_at(0..0))], ..Message::default() }
    }

    fn authors(said: &[(Author, &'static str)]) -> Vec<Author> {
        let mut messages: Vec<_> = said.iter().map(|(author, text)| message(*author, text)).collect();
        name(&mut messages);
        messages.into_iter().map(|message| message.author).filter(|author| *author != Author::Model).collect()
    }

    #[test]
    fn what_two_messages_in_a_row_label_is_no_persons_word() {
        use Author::{Harness, Model, Person};
        let (call, ask) = ((Model, "{}"), (Person, "Book a berth. Is it free?"));
        for label in ["Action result: the quay is full", "Observation: please read the page. Is it free?"] {
            let seen = (Person, label);
            assert_eq!(authors(&[ask, call, seen, call, seen, seen]), [Person, Harness, Harness, Harness], "{label}");
            assert_eq!(authors(&[ask, call, seen]), [Person, Person], "{label}");
            assert_eq!(authors(&[ask, call, seen, call, ask, call, seen]), [Person; 4], "{label}");
            assert_eq!(authors(&[seen, seen, call]), [Person, Person], "{label}");
            let shortened = [(Author::Summary, "so far"), call, seen];
            assert_eq!(authors(&shortened), [Author::Summary, Harness], "{label}");
        }
        let went = (Person, "\u{2705} action 'go' with id=Q1 succeeded: 'went to the quay'");
        let failed = (Person, "\u{274c} action 'moor' with id=Q2 failed with error: no berth. Moor elsewhere");
        assert_eq!(authors(&[ask, call, went, call, failed]), [Person, Harness, Harness]);
        let action = (Person, "Action failed for me: why?");
        assert_eq!(authors(&[ask, call, action, call, action]), [Person, Person, Person]);
    }

    #[test]
    fn a_label_alone_before_a_call_shows_an_example() {
        use Author::{Harness, Model, Person};
        assert_eq!(authors(&[(Person, "Example output:"), (Model, "{}")]), [Harness]);
        assert_eq!(authors(&[(Person, "Example output: 4"), (Model, "{}")]), [Person]);
        assert_eq!(authors(&[(Person, "Now this:"), (Model, "{}")]), [Person]);
        assert_eq!(authors(&[(Person, "Print the result:"), (Model, "{}")]), [Person]);
        let asked = [(Author::Summary, "so far"), (Model, "{}"), (Person, "Check the output: it has two lamps")];
        assert_eq!(authors(&asked), [Author::Summary, Person]);
    }
}
