//! The output of a script: results of its tools as objects, or only what they printed.

use crate::summary::text::{contains_any, first_bytes, starts_any};
use serde::Deserialize;

/// Maximum size of a result that is parsed as objects, in bytes.
const LARGEST: usize = 256 * 1024;
/// First lines of the result of a script, and the end of its header.
const HEADS: [&str; 2] = ["Script completed\n", "Script failed\n"];
const HEAD_END: &str = "\nOutput:\n";
/// Bytes within which the header ends.
const HEAD: usize = 200;
/// Fields by which the result of a command is recognized.
const ANSWER: [&str; 2] = ["\"chunk_id\"", "\"wall_time_seconds\""];

/// The results of commands that a script printed.
pub(in crate::summary::extractive) struct Printed {
    /// The output of the commands.
    pub(in crate::summary::extractive) output: String,
    /// The first status of a command other than zero; zero if all that ended have that; `None` if none did.
    pub(in crate::summary::extractive) status: Option<i32>,
    /// The session of a command that still runs.
    pub(in crate::summary::extractive) session: Option<String>,
}

/// The result of a command.
#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    output: String,
    exit_code: Option<i32>,
    session_id: Option<serde_json::Value>,
}

/// Results as a script prints them: one, or a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answers {
    One(Answer),
    All(Vec<Answer>),
}

/// Whether a script was stopped by an error.
pub(in crate::summary::extractive) fn failed(result: &str) -> bool {
    result.starts_with(HEADS[1])
}

/// Whether a script has ended.
pub(in crate::summary::extractive) fn ended(result: &str) -> bool {
    starts_any(result, &HEADS)
}

/// Whether a script that asked about a command printed anything. Most print only its output, not how it ended.
pub(in crate::summary::extractive) fn says_more(result: &str) -> bool {
    !body(result).trim().is_empty()
}

/// The output of a script without the header.
fn body(result: &str) -> &str {
    if !ended(result) {
        return result;
    }
    let end = first_bytes(result, HEAD).find(HEAD_END);
    end.map_or(result, |end| &result[end + HEAD_END.len()..])
}

/// Parses the results of commands that a script printed unchanged; `None` if it printed anything else.
pub(in crate::summary::extractive) fn printed(result: &str) -> Option<Printed> {
    let body = body(result).trim_start();
    let is_answer = body.starts_with(['{', '[']) && contains_any(first_bytes(body, HEAD), &ANSWER);
    if !is_answer || body.len() > LARGEST {
        return None;
    }
    let mut answers = Vec::new();
    for read in serde_json::Deserializer::from_str(body).into_iter::<Answers>() {
        match read.ok()? {
            Answers::One(answer) => answers.push(answer),
            Answers::All(all) => answers.extend(all),
        }
    }
    let codes = || answers.iter().filter_map(|answer| answer.exit_code);
    let status = codes().find(|code| *code != 0).or_else(|| codes().next());
    let session =
        answers.iter().find(|answer| answer.exit_code.is_none()).and_then(|answer| answer.session_id.as_ref());
    let session = session.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
    let output = answers.iter().map(|answer| answer.output.as_str()).collect::<Vec<_>>().join("\n");
    Some(Printed { output, status, session })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_commands_are_read_from_what_a_script_printed() {
        let one = r#"{"chunk_id":"a","wall_time_seconds":0.1,"exit_code":0,"output":"lit\n"}"#;
        let two = r#"{"chunk_id":"b","wall_time_seconds":0.1,"exit_code":3,"output":"no oil"}"#;
        for text in [
            format!("Script completed\nWall time 0.1 seconds\nOutput:\n\n{one}\n{two}"),
            format!("Script completed\nWall time 0.1 seconds\nOutput:\n[{one},{two}]"),
        ] {
            let told = printed(&text).map(|printed| (printed.output, printed.status, printed.session));
            assert_eq!(told, Some(("lit\n\nno oil".to_owned(), Some(3), None)), "{text}");
        }
        let goes_on = r#"{"wall_time_seconds":1.0,"session_id":33,"output":"lighting"}"#;
        assert_eq!(printed(goes_on).and_then(|printed| printed.session).as_deref(), Some("33"));
        for other in [
            "Script completed\nWall time 0.1 seconds\nOutput:\nlit",
            r#"{"output":"lit"}"#,
            "",
            one.trim_end_matches('}'),
        ] {
            assert!(printed(other).is_none(), "{other}");
        }
        assert!(failed("Script failed\nWall time 0.1 seconds\nOutput:\nScript error:\nno oil"));
    }
}
