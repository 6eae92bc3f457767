//! What a person types while the agent works. The harness stores it as operations on a queue, and in some versions
//! nowhere else: what `remove` takes out was told to the model with the next results. `dequeue` takes out what a user
//! record repeats, and `popAll` gives all back to the person.

use super::{author, content};
use crate::format::shared::json::Object;
use crate::transcript::{Author, Class, Message, Record, Role};
use foldhash::HashMap;
use std::borrow::Cow;
use std::collections::VecDeque;

/// How many of those that wait are searched for a text.
const SEARCHED: usize = 64;

/// The operations of a session, each with its record.
#[derive(Default)]
pub(super) struct Queue<'a>(Vec<(usize, Operation<'a>)>);

enum Operation<'a> {
    Add(Box<Message<'a>>),
    /// Takes out the first one, or the one with this text.
    Take(Option<Cow<'a, str>>, Taken),
    Clear,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// Told at once.
    Told,
    /// Stored as a record of its own.
    Stored,
}

impl<'a> Queue<'a> {
    /// Notes an operation, by the place of its record in the file.
    pub(super) fn note(&mut self, at: usize, source: &'a [u8], fields: &Object<'a>) {
        let content = fields.get("content");
        let text = || content.and_then(|content| content.text());
        let operation = match fields.text("operation").as_deref() {
            Some("enqueue") => {
                let parts = content.map(|content| content::parts(source, content)).unwrap_or_default();
                let timestamp = fields.text("timestamp");
                let (role, author) = (Role::User, Author::Person);
                Operation::Add(Box::new(Message { role, author, record: at, timestamp, parts, ..Message::default() }))
            }
            Some("remove") => Operation::Take(text(), Taken::Told),
            Some("dequeue") => Operation::Take(text(), Taken::Stored),
            Some("popAll") => Operation::Clear,
            _ => return,
        };
        self.0.push((at, operation));
    }

    /// Adds those of the following piece, of which `records` stand before it.
    pub(super) fn append(&mut self, more: Self, records: usize) {
        self.0.extend(more.0.into_iter().map(|(at, operation)| (at + records, operation)));
    }

    /// Makes messages of the persons' words that only the queue has, in the order of the records, and returns their
    /// records. A record that takes something out is kept or dropped with the one that put it in.
    pub(super) fn settle(self, records: &mut [Record<'a>], messages: &mut Vec<Message<'a>>) -> Vec<usize> {
        let mut told = self.told(records);
        told.retain(|message| is_persons(&message.text()));
        leave_out_stored(&mut told, messages);
        let queued: Vec<usize> = told.iter().map(|message| message.record).collect();
        if !queued.is_empty() {
            messages.append(&mut told);
            messages.sort_by_key(|message| message.record);
            for (index, message) in messages.iter().enumerate() {
                records[message.record].class = Class::Message(index);
            }
        }
        queued
    }

    /// What was told to the model straight from the queue.
    fn told(self, records: &mut [Record<'a>]) -> Vec<Message<'a>> {
        let mut waiting: VecDeque<Message<'a>> = VecDeque::new();
        let mut told = Vec::new();
        for (at, operation) in self.0 {
            match operation {
                Operation::Add(mut message) => {
                    message.record = at;
                    waiting.push_back(*message);
                }
                Operation::Clear => waiting.clear(),
                Operation::Take(text, taken) => {
                    let is_it = |message: &Message<'_>| text.as_ref().is_some_and(|text| *message.text() == **text);
                    let place = waiting.iter().take(SEARCHED).position(is_it).unwrap_or_default();
                    let Some(message) = waiting.remove(place) else { continue };
                    records[at].class = Class::With(message.record);
                    told.extend(Some(message).filter(|_| taken == Taken::Told));
                }
            }
        }
        told.sort_by_key(|message| message.record);
        told
    }
}

/// Whether a queued text is a person's words to the model: no text of the harness and no slash command.
fn is_persons(text: &str) -> bool {
    let name = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":_-".contains(&byte));
    let command = text.split_whitespace().next().and_then(|word| word.strip_prefix('/'));
    !command.is_some_and(name) && author::is_persons_text(text)
}

/// Leaves out what a later message repeats.
fn leave_out_stored(told: &mut Vec<Message<'_>>, messages: &[Message<'_>]) {
    if told.is_empty() {
        return;
    }
    let text = |message: &Message<'_>| message.text().trim().to_owned();
    let mut newest: HashMap<String, usize> = told.iter().map(|message| (text(message), 0)).collect();
    for message in messages.iter().filter(|message| message.role == Role::User) {
        if let Some(newest) = newest.get_mut(message.text().trim()) {
            *newest = message.record;
        }
    }
    told.retain(|message| newest.get(message.text().trim()).is_none_or(|newest| *newest < message.record));
}

#[cfg(test)]
mod tests {
    use super::super::ClaudeCode;
    use crate::format::tests::support::{appended, continuation, edited, faults, read, summary};
    use crate::transcript::{Append, Author, SummaryRole, Transcript};

    const WORDS: &str = "Never touch src/quay.rs, please.";

    fn spoken(id: &str, parent: &str, role: &str) -> String {
        format!(
            r#"{{"parentUuid":"{parent}","type":"{role}","uuid":"{id}","sessionId":"s","message":{{"role":"{role}","content":"{id}"}}}}"#
        )
    }

    fn queue(operation: &str, text: &str) -> String {
        let content = if text.is_empty() { String::new() } else { format!(r#","content":"{text}""#) };
        format!(r#"{{"type":"queue-operation","operation":"{operation}","sessionId":"s"{content}}}"#)
    }

    /// A session whose person adds these operations to the queue while the agent works.
    fn session(operations: &[String]) -> String {
        let begin = [spoken("a", "", "user").replace("\"\"", "null"), spoken("b", "a", "assistant")];
        let end = [spoken("c", "b", "assistant"), spoken("d", "c", "user"), spoken("e", "d", "assistant")];
        [&begin[..], operations, &end].concat().join("\n")
    }

    fn told(transcript: &Transcript<'_>) -> Vec<String> {
        let persons = transcript.messages.iter().filter(|message| message.author == Author::Person && message.live);
        persons.map(|message| message.text().into_owned()).collect()
    }

    fn told_by(operations: &[String]) -> Vec<String> {
        told(&read(&ClaudeCode, &session(operations)))
    }

    #[test]
    fn words_that_only_the_queue_has_are_a_persons() {
        let add = queue("enqueue", WORDS);
        let other = queue("enqueue", "Lamps too.");
        assert_eq!(told_by(&[add.clone(), queue("remove", "")]), ["a", WORDS, "d"]);
        assert_eq!(told_by(&[other.clone(), add.clone(), queue("remove", WORDS)]), ["a", WORDS, "d"]);
        let both = [add.clone(), other.clone(), queue("remove", ""), queue("remove", "")];
        assert_eq!(told_by(&both), ["a", WORDS, "Lamps too.", "d"]);
        for back in ["popAll", "dequeue"] {
            assert_eq!(told_by(&[add.clone(), queue(back, "")]), ["a", "d"], "{back}");
        }
        assert_eq!(told_by(&[add, other]), ["a", "d"], "they still wait");
        for harness in ["/exit", "/moor the ferry", "<task-notification>done</task-notification>", "d"] {
            assert_eq!(told_by(&[queue("enqueue", harness), queue("remove", "")]), ["a", "d"], "{harness}");
        }
        assert_eq!(told_by(&[queue("enqueue", "/w/quay.rs is done?"), queue("remove", "")]).len(), 3, "a path");
    }

    #[test]
    fn queued_words_are_kept_with_the_record_that_takes_them_out() {
        let source = session(&[queue("enqueue", WORDS), queue("remove", "")]);
        let out = edited(&ClaudeCode, &source, |transcript, script| {
            assert_eq!(transcript.records[3].class, crate::transcript::Class::With(2));
            script.keep[..2].fill(false);
            script.inserts = vec![summary(2, SummaryRole::System, "it"), continuation(transcript.records.len())];
        });
        assert!(out.contains(&queue("enqueue", WORDS)), "{out}");
        assert_eq!(
            (told(&read(&ClaudeCode, &out)), faults(&ClaudeCode, &out)),
            (vec![WORDS.into(), "d".into()], vec![])
        );
        let last = out.lines().last().unwrap_or_default();
        assert!(last.contains(r#""parentUuid":"e""#), "{last}");
    }

    #[test]
    fn behind_queued_words_at_the_end_the_chain_goes_on() {
        let source = session(&[]) + "\n" + &[queue("enqueue", WORDS), queue("remove", "")].join("\n");
        let out = edited(&ClaudeCode, &source, |transcript, script| {
            script.keep[..4].fill(false);
            script.inserts = vec![summary(4, SummaryRole::System, "it"), continuation(transcript.records.len())];
        });
        assert!(out.lines().last().is_some_and(|last| last.contains(r#""parentUuid":"e""#)), "{out}");
        assert_eq!(told(&read(&ClaudeCode, &out)), [WORDS]);
    }

    #[test]
    fn a_summary_before_queued_words_is_no_newer() {
        let source = session(&[queue("enqueue", WORDS), queue("remove", "")]);
        let timed = source.lines().zip(0..).map(|(line, minute)| {
            line.replace(r#""sessionId""#, &format!(r#""timestamp":"2026-01-01T00:0{minute}:00Z","sessionId""#))
        });
        let out = edited(&ClaudeCode, &timed.collect::<Vec<_>>().join("\n"), |_, script| {
            script.keep[..2].fill(false);
            script.keep[4] = false;
            script.inserts = vec![summary(2, SummaryRole::System, "it")];
        });
        assert_eq!(faults(&ClaudeCode, &out), [], "{out}");
    }

    #[test]
    fn queued_words_are_loaded_with_what_follows() {
        let source = session(&[queue("enqueue", WORDS), queue("remove", "")]);
        assert_eq!(read(&ClaudeCode, &source).traits.append, Append::From);
        let out = appended(&ClaudeCode, &source, &[2, 3, 4, 5]);
        assert!(out.contains(r#""headUuid":"c""#), "{out}");
        assert_eq!(told(&read(&ClaudeCode, &out)), [WORDS, "d"]);
        let rewound = source.clone() + "\n" + &spoken("f", "a", "user");
        assert_eq!(told(&read(&ClaudeCode, &rewound)), ["a", "f"], "what was rewound is gone with its queue");
    }
}
