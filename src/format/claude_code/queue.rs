//! What a person types while the agent works. The harness stores it as operations on a queue, and in some versions
//! nowhere else.
//!
//! - `enqueue` adds a text.
//! - `remove` takes one out that was told to the model with the next results. If no user record up to the next answer
//!   repeats it, it is a message of its own. Without a text, it means the newest words of a person, or else the oldest.
//! - `dequeue` takes one out that the next user record repeats.
//! - `popAll` gives all back to the person. A prompt that no operation took out shows that nothing waits any more.
//!
//! An operation with a text that does not wait does nothing.

use super::{author, content};
use crate::format::shared::json::Object;
use crate::format::shared::synthetic::without_reminders;
use crate::transcript::fixed_texts::is_local_command;
use crate::transcript::{Author, Class, Message, Record, Role};
use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};

/// How many of those that wait are searched for a text, from either end, and how many that were taken out.
const SEARCHED: usize = 64;

/// The operations of a session, each with its record.
#[derive(Default)]
pub(super) struct Queue<'a>(Vec<(usize, Operation<'a>)>);

enum Operation<'a> {
    Add(Box<Message<'a>>),
    /// Takes one out: the one with this text, if it has one.
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

    /// Makes messages of the persons' words that only the queue has, in the order of the records. Returns the record of
    /// each, and the one that takes it out. What takes something out is kept or dropped with what put it in.
    pub(super) fn settle(self, records: &mut [Record<'a>], messages: &mut Vec<Message<'a>>) -> Vec<(usize, usize)> {
        let mut walk = Walk::default();
        let mut said = messages.iter().peekable();
        for (at, operation) in self.0 {
            while let Some(message) = said.next_if(|message| message.record < at) {
                walk.pass(message);
            }
            walk.operate(at, operation);
        }
        said.for_each(|message| walk.pass(message));
        walk.answer();
        for (at, owner) in walk.ties {
            records[at].class = Class::With(owner);
        }
        let mut told = walk.told;
        told.sort_by_key(|(message, _)| message.record);
        let queued: Vec<(usize, usize)> = told.iter().map(|(message, at)| (message.record, *at)).collect();
        if !queued.is_empty() {
            messages.extend(told.into_iter().map(|(message, _)| message));
            messages.sort_by_key(|message| message.record);
            for (index, message) in messages.iter().enumerate() {
                records[message.record].class = Class::Message(index);
            }
        }
        queued
    }
}

/// A walk along operations and messages.
#[derive(Default)]
struct Walk<'a> {
    waiting: VecDeque<Message<'a>>,
    /// Records of `dequeue` without a text, of which no user record was seen yet.
    awaited: Vec<usize>,
    /// Texts that the next user records repeat.
    expected: VecDeque<String>,
    /// What was removed since the newest answer, each with the record that took it out.
    removed: VecDeque<(Message<'a>, usize)>,
    /// What was removed before that and has no other record.
    told: Vec<(Message<'a>, usize)>,
    /// Records that took something out, each with the one that put it in.
    ties: Vec<(usize, usize)>,
}

impl<'a> Walk<'a> {
    fn operate(&mut self, at: usize, operation: Operation<'a>) {
        match operation {
            Operation::Add(message) => self.waiting.push_back(Message { record: at, queued: true, ..*message }),
            Operation::Clear => self.waiting.clear(),
            Operation::Take(Some(text), taken) => {
                let place = self.searched().find(|place| self.waiting[*place].text() == text);
                if let Some(message) = place.and_then(|place| self.take(at, place)) {
                    match taken {
                        Taken::Told => self.tell(message, at),
                        Taken::Stored => self.expected.push_back(trimmed(&message)),
                    }
                }
            }
            Operation::Take(None, Taken::Stored) => self.awaited.push(at),
            Operation::Take(None, Taken::Told) => {
                let newest = self.searched().filter(|place| is_persons(&self.waiting[*place].text())).max();
                if let Some(message) = self.take(at, newest.unwrap_or_default()) {
                    self.tell(message, at);
                }
            }
        }
        if self.expected.len() > SEARCHED {
            self.expected.pop_front();
        }
        if self.removed.len() > SEARCHED {
            self.told.extend(self.removed.pop_front());
        }
    }

    /// Notes what was told to the model.
    fn tell(&mut self, message: Message<'a>, at: usize) {
        if is_persons(&message.text()) {
            self.removed.push_back((message, at));
        }
    }

    /// The places that are searched.
    fn searched(&self) -> impl Iterator<Item = usize> + use<'a> {
        let all = self.waiting.len();
        (0..all.min(SEARCHED)).chain(all.saturating_sub(SEARCHED).max(SEARCHED)..all)
    }

    fn take(&mut self, at: usize, place: usize) -> Option<Message<'a>> {
        let message = self.waiting.remove(place)?;
        self.ties.push((at, message.record));
        Some(message)
    }

    /// Passes a message of the session.
    fn pass(&mut self, message: &Message<'a>) {
        if message.role == Role::Assistant {
            self.answer();
        } else if message.role == Role::User && is_prompt(message) && !self.is_idle() {
            self.stored(message);
        }
    }

    fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.removed.is_empty() && self.expected.is_empty() && self.awaited.is_empty()
    }

    /// Passes a user record: it may repeat what was in the queue.
    fn stored(&mut self, message: &Message<'a>) {
        let text = message.text();
        let text = without_reminders(&text).trim();
        let mut seen = HashSet::new();
        let mut repeats = |words: String| has_lines(text, &words) && seen.insert(words);
        let before = self.expected.len() + self.removed.len();
        self.expected.retain(|words| !repeats(words.clone()));
        self.removed.retain(|(message, _)| !repeats(trimmed(message)));
        let mut is_repeated = before > self.expected.len() + self.removed.len();
        let places: Vec<usize> = self.searched().filter(|place| repeats(trimmed(&self.waiting[*place]))).collect();
        for place in places.into_iter().rev() {
            is_repeated = true;
            match self.awaited.pop() {
                Some(at) => drop(self.take(at, place)),
                None => drop(self.waiting.remove(place)),
            }
        }
        // A command of the harness is stored in another form.
        if !is_repeated && self.awaited.is_empty() && message.author == Author::Person {
            self.waiting.clear();
        }
    }

    /// Passes an answer: what was told before it and has no other record until then has none.
    fn answer(&mut self) {
        for at in std::mem::take(&mut self.awaited) {
            let is_command = |message: &Message<'_>| !is_persons(&message.text());
            if self.waiting.len() == 1 || self.waiting.front().is_some_and(is_command) {
                self.take(at, 0);
            }
        }
        self.expected.clear();
        self.told.extend(self.removed.drain(..));
    }
}

fn is_prompt(message: &Message<'_>) -> bool {
    message.is_content() && message.results().next().is_none()
}

fn trimmed(message: &Message<'_>) -> String {
    without_reminders(&message.text()).trim().to_owned()
}

/// Whether a text has words as whole lines.
fn has_lines(text: &str, words: &str) -> bool {
    let is_end = |rest: &str, end: &str| rest.is_empty() || end.contains('\n');
    let behind = |rest: &str| rest.len() - rest.trim_start().len();
    !words.is_empty()
        && text.match_indices(words).any(|(at, _)| {
            let (before, rest) = (&text[..at], &text[at + words.len()..]);
            is_end(before, &before[before.trim_end().len()..]) && is_end(rest, &rest[..behind(rest)])
        })
}

/// Whether a queued text is a person's words to the model: no text of the harness and no command of its own.
fn is_persons(text: &str) -> bool {
    let (name, behind) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let is_name = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":_-".contains(&byte));
    let is_command = name.strip_prefix('/').is_some_and(is_name) && (behind.is_empty() || is_local_command(name));
    !is_command && !is_notice(text) && author::is_persons_text(text)
}

/// Whether a text is the harness's object about a background task.
fn is_notice(text: &str) -> bool {
    Some(text.trim()).filter(|text| text.starts_with('{')).and_then(Object::parse).is_some_and(|it| it.has("task_id"))
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
        for harness in ["/exit", "/moor", "/compact the ferry", "<task-notification>done</task-notification>"] {
            assert_eq!(told_by(&[queue("enqueue", harness), queue("remove", "")]), ["a", "d"], "{harness}");
        }
        for words in ["/w/quay.rs is done?", "/moor the ferry", "/tmp has the logs."] {
            assert_eq!(told_by(&[queue("enqueue", words), queue("remove", "")]), ["a", words, "d"]);
        }
        assert_eq!(told_by(&[queue("enqueue", "d"), queue("remove", "")]), ["a", "d", "d"], "again behind an answer");
    }

    #[test]
    fn an_object_about_a_task_is_no_persons() {
        for (object, told) in [("task_id", 0), ("lamp_id", 1)] {
            let add = queue("enqueue", &format!(r#"{{\"{object}\": \"b7\", \"description\": \"Run the tests\"}}"#));
            assert_eq!(told_by(&[add, queue("remove", "")]).len(), 2 + told, "{object}");
        }
    }

    #[test]
    fn what_is_stored_too_counts_once() {
        let add = [queue("enqueue", WORDS), queue("enqueue", "Lamps too."), queue("remove", ""), queue("remove", "")];
        for stored in [
            format!(r"{WORDS}\nLamps too."),
            format!(r"Lamps too.\n\n{WORDS}\n\n<system-reminder>Plan.</system-reminder>"),
        ] {
            let record = spoken("x", "b", "user").replace(r#""content":"x""#, &format!(r#""content":"{stored}""#));
            let after = session(&[&add[..], &[record]].concat())
                .replace(r#""parentUuid":"b","type":"assistant""#, r#""parentUuid":"x","type":"assistant""#);
            assert_eq!(told(&read(&ClaudeCode, &after)), ["a", &stored.replace(r"\n", "\n"), "d"]);
        }
    }

    #[test]
    fn what_was_never_told_is_no_message() {
        let old = queue("enqueue", "Old words.");
        let (add, take) = (queue("enqueue", WORDS), queue("remove", ""));
        assert_eq!(told_by(&[old.clone(), queue("remove", "Others.")]), ["a", "d"], "unknown");
        let prompt = spoken("p", "b", "user");
        let linked = |operations: &[String]| {
            let source = session(operations);
            told(&read(
                &ClaudeCode,
                &source.replace(r#""parentUuid":"b","type":"assistant""#, r#""parentUuid":"p","type":"assistant""#),
            ))
        };
        assert_eq!(linked(&[old.clone(), prompt.clone(), add.clone(), take.clone()]), ["a", "p", WORDS, "d"]);
        let notice = queue("enqueue", "<task-notification>done</task-notification>");
        assert_eq!(told_by(&[notice, add.clone(), take.clone()]), ["a", WORDS, "d"], "before texts of the harness");
        let waits = queue("enqueue", "p");
        let operations = [waits, add, queue("dequeue", ""), prompt, take];
        assert_eq!(linked(&operations), ["a", WORDS, "p", "d"], "the prompt is what was dequeued");
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
        let new = out.lines().find(|line| line.contains("isCompactSummary")).unwrap_or_default();
        assert!(new.contains("2026-01-01T00:02"), "{new}");
    }

    #[test]
    fn queued_words_are_loaded_between_loaded_messages() {
        let source = session(&[queue("enqueue", WORDS), queue("remove", "")]);
        assert_eq!(read(&ClaudeCode, &source).traits.append, Append::From);
        let out = appended(&ClaudeCode, &source, &[1, 2, 3, 4, 5]);
        assert!(out.contains(r#""headUuid":"b""#), "{out}");
        assert_eq!(told(&read(&ClaudeCode, &out)), [WORDS, "d"]);
        assert_eq!(told(&read(&ClaudeCode, &appended(&ClaudeCode, &source, &[3, 4, 5]))), ["d"], "summarized");
        let rewound = source.clone() + "\n" + &spoken("f", "a", "user");
        assert_eq!(told(&read(&ClaudeCode, &rewound)), ["a", "f"], "what was rewound is gone with its queue");
        let begin =
            [spoken("a", "", "user").replace("\"\"", "null"), queue("enqueue", WORDS), spoken("b", "a", "assistant")];
        let end = [queue("remove", ""), spoken("c", "a", "assistant")];
        let again = [&begin[..], &end].concat().join("\n");
        assert_eq!(told(&read(&ClaudeCode, &again)), ["a", WORDS], "told to the second try");
    }
}
