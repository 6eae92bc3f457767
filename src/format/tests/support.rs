//! Helpers for the formats' tests: edit a text and examine the result.

use crate::format::shared::lines;
use crate::format::{Format, Marks, ReadOptions, Undetected};
use crate::transcript::{Author, Change, EditScript, Insert, InsertKind, PartEdit, SummaryRole, Transcript, apply};

/// The name of the format detected for a source, or the error.
pub(in crate::format) fn detected(source: &str) -> Result<&'static str, Undetected> {
    crate::format::detect(source.as_bytes()).map(|found| found.name)
}

/// Messages stored in all ways that callers of an API use: in one array, one per line, and in each of these requests,
/// whose `MESSAGES` is replaced by the array.
pub(in crate::format) fn all_ways(messages: &[&str], requests: &[&str]) -> Vec<String> {
    let array = format!("[{}]", messages.join(","));
    let lines = messages.iter().map(|message| format!("{message}\n")).collect();
    let mut ways = vec![array.clone(), lines];
    ways.extend(requests.iter().map(|request| request.replace("MESSAGES", &array)));
    ways
}

/// Formats in which kept records get new links or numbers when others are dropped.
pub(in crate::format) const RELINKS: [&str; 15] = [
    "atif",
    "chatgpt-export",
    "claude-ai-export",
    "claude-code",
    "codex",
    "copilot-cli",
    "droid",
    "librechat",
    "open-webui",
    "openai-responses",
    "openclaw",
    "opencode",
    "pi",
    "qwen",
    "roo",
];

/// Reads a text; panics if that fails.
pub(in crate::format) fn read<'a>(format: &dyn Format, source: &'a str) -> Transcript<'a> {
    format.read(source.as_bytes(), ReadOptions::default()).unwrap()
}

/// Reads, edits and writes a text; the time of pruning is millisecond 7.
pub(in crate::format) fn edited(
    format: &dyn Format,
    source: &str,
    edit: impl Fn(&Transcript<'_>, &mut EditScript),
) -> String {
    let transcript = read(format, source);
    let mut script = EditScript::unchanged(&transcript);
    edit(&transcript, &mut script);
    let patches =
        format.render(&transcript, &script, &Marks { stub: "<stub />", compacted_at: Some(7), ..Marks::default() });
    String::from_utf8(apply(source.as_bytes(), &patches).into_owned()).unwrap()
}

/// A text after a compaction was appended; the messages `loaded` stay loaded.
pub(in crate::format) fn appended(format: &dyn Format, source: &str, loaded: &[usize]) -> String {
    edited(format, source, |transcript, script| {
        let behind = loaded.iter().filter(|index| transcript.messages[**index].author != Author::System);
        let before = transcript.first_record(behind).unwrap_or_default();
        script.inserts = vec![summary(before, SummaryRole::System, "it"), continuation(transcript.records.len())];
        script.appended = Some(loaded.to_vec());
    })
}

/// A summary before the record with this index.
pub(in crate::format) fn summary(before: usize, role: SummaryRole, text: &str) -> Insert {
    let text = format!("<prior-conversation-summary>\n{text}\n</prior-conversation-summary>");
    Insert { before, kind: InsertKind::Summary { text, role, tokens_before: 9, tokens_after: 1 } }
}

/// A continuation before the record with this index.
pub(in crate::format) fn continuation(before: usize) -> Insert {
    Insert { before, kind: InsertKind::Continuation { text: "continue".into(), had_media: false, replayed: false } }
}

/// What the last message of a transcript is known as if the continuation that was added at its end repeats the user's
/// question, and if it stands for one with media; each must have its key.
pub(in crate::format) fn marked_ends(format: &dyn Format, source: &str, count: usize) -> [Author; 2] {
    [("replayed", true, false), ("had_media", false, true)].map(|(key, replayed, had_media)| {
        let kind = InsertKind::Continuation { text: "Which tide?".into(), had_media, replayed };
        let out =
            edited(format, source, |_, script| script.inserts = vec![Insert { before: count, kind: kind.clone() }]);
        assert!(out.contains(&format!(r#""compaction_continue":true,"{key}":true"#)), "{out}");
        authors(&read(format, &out)).pop().unwrap()
    })
}

/// Stubs every tool result.
pub(in crate::format) fn stub_results(transcript: &Transcript<'_>, script: &mut EditScript) {
    for (message, read) in transcript.messages.iter().enumerate() {
        for (part, _) in read.parts.iter().enumerate().filter(|(_, part)| part.is_result()) {
            script.parts.push(PartEdit { message, part, change: Change::Stub("<stub />".into()) });
        }
    }
}

/// The authors of all messages.
pub(in crate::format) fn authors(transcript: &Transcript<'_>) -> Vec<Author> {
    transcript.messages.iter().map(|message| message.author).collect()
}

/// The faults of a text: rules and subjects.
pub(in crate::format) fn faults(format: &dyn Format, source: &str) -> Vec<(&'static str, String)> {
    format.faults(&read(format, source)).into_iter().map(|fault| (fault.rule, fault.subject)).collect()
}

/// Drops some records, stubs all results, inserts a summary and a continuation, at places derived from `seed`. The
/// output must be readable, and kept records must be the same except for stubs.
pub(in crate::format) fn assert_edits_keep_the_rest(format: &dyn Format, source: &str, seed: usize) {
    let transcript = read(format, source);
    let count = transcript.records.len();
    let author =
        |index: usize| transcript.messages.iter().find(|message| message.record == index).map(|message| message.author);
    let keeps = |index: usize| match author(index) {
        Some(Author::System) => true,
        Some(Author::Summary) => false,
        _ => !(index + seed).is_multiple_of(3),
    };
    let stubbed = edited(format, source, stub_results);
    let out = edited(format, &stubbed, |_, script| {
        script.keep = (0..count).map(keeps).collect();
        script.inserts = vec![summary(seed % (count + 1), SummaryRole::System, "it"), continuation(count)];
    });
    let again = read(format, &stubbed);
    let expected: Vec<_> = (0..count).filter(|index| keeps(*index)).map(|index| text_of(&again, index)).collect();
    let out = read(format, &out);
    let all: Vec<_> = (0..out.records.len()).map(|index| text_of(&out, index)).collect();
    let mut found = all.iter();
    for kept in &expected {
        assert!(found.any(|record| record == kept), "{kept} is lost or out of order");
    }
    assert_eq!(out.source.ends_with(b"\n"), source.ends_with('\n'));
    assert_eq!(out.source.starts_with(lines::BOM), source.as_bytes().starts_with(lines::BOM));
    assert_eq!(faults(format, &stubbed), faults(format, source), "a stub broke a rule");
}

fn text_of<'s>(transcript: &Transcript<'s>, record: usize) -> &'s str {
    std::str::from_utf8(&transcript.source[transcript.records[record].span.clone()]).unwrap()
}
