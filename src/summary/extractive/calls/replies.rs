//! The user's answers to questions of the agent, in results of tools that ask.

use super::args::Args;
use super::verbs::{behind_server, words};
use super::wrapped;
use crate::summary::text::{QUESTION_MARKS, ends_any, fold, has_least, starts_any};
use crate::transcript::parsed;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Beginnings of the names of tools that ask the user (Claude Code, opencode, Copilot CLI, Cline, Codex, Cursor).
const ASKING: &[&str] =
    &["askuser", "ask_user", "askfollowup", "ask_followup", "askquestion", "ask_question", "request_user_input"];
/// The full name of another such tool, and the argument that holds what is asked.
const QUESTION: &str = "question";
/// Words in the names of others, which have no words but these: what they do, whom they ask, and what stands beside.
const ASKS_BY: [&str; 7] = ["ask", "clarification", "clarifications", "clarify", "consult", "input", "talk"];
const PERSONS: [&str; 2] = ["human", "user"];
/// What others get of a person; it is asked for by one of the other words only, as `help_user` helps.
const HELP: &str = "help";
const GETS: [&str; 3] = ["ask", "get", "request"];
const WITH_THESE: [&str; 12] =
    ["a", "an", "for", "from", "get", "question", "questions", "request", "the", "to", "tool", "with"];
/// Arguments of such a tool that may hold what is asked, the one that holds several of them, and those by which a tool
/// fills in a form instead.
const ASKED: [&str; 5] = [QUESTION, "prompt", "message", "text", "query"];
const QUESTIONS: &str = "questions";
const OF_FORMS: [&str; 7] = ["element", "field", "locator", "ref", "selector", "uid", "xpath"];
/// Least number of words of what is asked without a question mark.
const REQUEST: usize = 3;
/// Text before an answer (Copilot CLI).
const BEFORE: &[&str] = &["User responded: ", "User selected: "];
/// Tags around an answer (Cline).
const TAGS: [&str; 2] = ["<answer>", "</answer>"];
/// Text between a question and its answer, and after an answer (Claude Code, opencode).
const BETWEEN: &str = "\"=\"";
const BEHIND: [&str; 4] = ["\", \"", "\". You can now", "\" selected preview", "\" user notes"];
/// Fields of an object that hold the answer.
const ANSWERS: [&str; 8] =
    ["answer", "response", "reply", "user_answer", "user_response", "user_input", "user_reply", "user_message"];
/// Another one, and the field beside it that says what kind of an answer it is.
const OF_KIND: [&str; 1] = ["content"];
const KIND: &str = "response_type";
/// Texts in place of an answer if there was none.
const NONE: &[&str] = &["Unanswered", "cancel", "(no answer)"];

/// Maximum length of a result that is itself the answer, in bytes.
const BARE: usize = 400;
/// Phrases by which harnesses say that nobody answered, in two parts: the user or the question, and what happened.
const SUBJECTS: [&str; 4] = ["the user ", "user ", "the question was ", "question was "];
const DID: [&str; 15] = [
    "aborted",
    "cancel",
    "closed",
    "declined",
    "did not",
    "didn't",
    "dismissed",
    "does not want",
    "doesn't want",
    "has not",
    "hasn't",
    "refused",
    "rejected",
    "skipped",
    "timed out",
];
/// Beginnings of texts that only say that the question is on its way.
const ON_ITS_WAY: [&str; 9] = [
    "asked the user",
    "message delivered",
    "message sent",
    "question sent",
    "the user has been asked",
    "the user was asked",
    "transfer successful",
    "transferred",
    "waiting for ",
];
/// Ends of such texts.
const AWAITED: [&str; 6] = [
    "awaiting answer",
    "awaiting input",
    "awaiting reply",
    "awaiting response",
    "waiting for a reply",
    "waiting for the user",
];
/// Such phrases about a missing answer, in two parts.
const NOTHING: [&str; 4] = ["no answer", "no reply", "no response", "no selection"];
const CAME: [&str; 8] = ["", "after", "from", "given", "provided", "received", "was", "within"];
/// Beginnings of such texts about an interruption.
const STOPPED: [&str; 3] = ["[request interrupted", "question timed out", "request timed out"];
/// Results that say so in a word.
const ALONE: [&str; 11] = [
    "aborted",
    "canceled",
    "cancelled",
    "declined",
    "delivered",
    "dismissed",
    "pending",
    "queued",
    "sent",
    "skipped",
    "timed out",
];

/// Whether a result reports that the user did not answer.
fn refuses(result: &str) -> bool {
    let lower = result.trim().to_lowercase();
    let text = lower.strip_prefix("error: ").unwrap_or(&lower).trim_end_matches(['.', '!']);
    let behind = |starts: &[&str]| starts.iter().find_map(|start| text.strip_prefix(start).map(str::trim_start));
    let tool =
        behind(ASKING).is_some_and(|rest| rest.starts_with("is unavailable") || rest.starts_with("is not available"));
    let did = behind(&SUBJECTS).is_some_and(|rest| starts_any(rest, &DID));
    let first = |rest: &str| rest.split([' ', '.', ',']).next().is_some_and(|word| CAME.contains(&word));
    let waits = ON_ITS_WAY.iter().any(|start| text.starts_with(start)) || ends_any(text, &AWAITED);
    tool || did || waits || behind(&NOTHING).is_some_and(first) || behind(&STOPPED).is_some() || ALONE.contains(&text)
}

/// A question of the agent with the user's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::summary::extractive) struct Reply {
    /// Index of the message with the answer.
    pub(in crate::summary::extractive) message: usize,
    /// The question, if known.
    pub(in crate::summary::extractive) question: Option<String>,
    /// The user's words, or the text of the chosen option.
    pub(in crate::summary::extractive) answer: String,
}

/// Whether a call asks the user.
pub(super) fn asks(tool: &str, args: &Args<'_>) -> bool {
    let name = tool.to_lowercase();
    let own = behind_server(&name);
    own == QUESTION || starts_any(own, ASKING) || asks_by_words(behind_server(tool), args)
}

/// Whether a tool's name says that it asks a person, and the call passes what it asks.
fn asks_by_words(name: &str, args: &Args<'_>) -> bool {
    let all = words(name);
    let is = |list: &[&str], word: &String| list.contains(&word.as_str());
    let has = |list: &[&str]| all.iter().any(|word| is(list, word));
    let is_known = |word: &String| [&ASKS_BY[..], &PERSONS, &[HELP], &WITH_THESE].iter().any(|list| is(list, word));
    let gets_help = || has(&[HELP]) && has(&GETS);
    all.iter().all(is_known) && has(&PERSONS) && (has(&ASKS_BY) || gets_help()) && passes_question(args)
}

/// Whether the arguments of a call hold a question, or a request of some words, and name no field of a form.
fn passes_question(args: &Args<'_>) -> bool {
    let is_asked = |asked: String| asked.trim_end().ends_with(QUESTION_MARKS) || has_least(&asked, REQUEST);
    let of_form = args.names().any(|name| OF_FORMS.contains(&name));
    !of_form && (args.raw(QUESTIONS).is_some() || args.text(&ASKED).is_some_and(is_asked))
}

/// Whether the result of such a tool has an answer.
pub(in crate::summary::extractive) fn answered(result: &str) -> bool {
    !replies(0, "", result).is_empty()
}

/// The answers in the result of such a tool.
pub(in crate::summary::extractive) fn replies(message: usize, arguments: &str, result: &str) -> Vec<Reply> {
    let reply = |question: Option<String>, answer: &str| {
        let answer = fold(answer);
        let says = !answer.is_empty() && !NONE.contains(&&*answer);
        says.then_some(Reply { message, question, answer })
    };
    if result.contains(BETWEEN) {
        return pairs(result).into_iter().filter_map(|(asked, said)| reply(Some(fold(asked)), said)).collect();
    }
    let object = wrapped::in_any_form(result);
    let said =
        object.and_then(|object| field(&Args::read(&object))).filter(|said| said.len() <= BARE && !refuses(said));
    let args = Args::read(arguments);
    let asked = || args.text(&ASKED).map(|asked| fold(&asked));
    let alone = BEFORE.iter().find_map(|before| result.trim_start().strip_prefix(before));
    let tagged = || Some(result.split_once(TAGS[0])?.1.split_once(TAGS[1])?.0);
    // A short result that is no object is the answer itself.
    let bare =
        || Some(result).filter(|it| it.len() <= BARE && !it.trim_start().starts_with(['{', '[']) && !refuses(it));
    match alone.or_else(tagged).or(said.as_deref()).or_else(bare) {
        Some(answer) => reply(asked(), answer).into_iter().collect(),
        None => listed(result).into_iter().filter_map(|(id, answer)| reply(question(&args, &id), &answer)).collect(),
    }
}

/// The field of an object that holds the answer.
fn field(object: &Args<'_>) -> Option<String> {
    let of_kind = || object.raw(KIND).and_then(|_| object.text(&OF_KIND));
    object.text(&ANSWERS).or_else(of_kind)
}

/// Pairs of the form `"question"="answer", "question"="answer"`.
fn pairs(result: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut parts = result.split(BETWEEN);
    let mut before = parts.next().unwrap_or_default();
    for part in parts {
        let asked = before.split_once('"').map_or(before, |(_, asked)| asked);
        let ends = BEHIND.iter().filter_map(|behind| part.find(behind)).min();
        let end = ends.or_else(|| part.rfind('"')).unwrap_or(part.len());
        pairs.push((asked, &part[..end]));
        before = part[end..].trim_start_matches('"');
    }
    pairs
}

/// The question with this id.
fn question(args: &Args<'_>, id: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct One {
        id: String,
        question: String,
    }
    let all: Vec<One> = parsed(args.raw("questions")?)?;
    all.into_iter().find(|one| one.id == id).map(|one| fold(&one.question))
}

/// Text before the user's own words beside the options (Codex).
const OWN: &str = "user_note: ";

/// Answers of the form `{"answers":{"id":{"answers":["…"]}}}` (Codex), each with its id.
fn listed(result: &str) -> Vec<(String, String)> {
    #[derive(Deserialize)]
    struct All {
        answers: BTreeMap<String, One>,
    }
    #[derive(Deserialize)]
    struct One {
        answers: Vec<String>,
    }
    let all = serde_json::from_str::<All>(result).map(|all| all.answers).unwrap_or_default();
    let own = |answer: String| answer.strip_prefix(OWN).map_or(answer.clone(), str::to_owned);
    all.into_iter().flat_map(|(id, one)| one.answers.into_iter().map(move |it| (id.clone(), own(it)))).collect()
}

/// Text before and after the words of a user who refused a call (Claude Code).
const REFUSED: &str = "To tell you how to proceed, the user said:\n";
const NOTE: &str = "\n\nNote: ";
/// A standard text of the harness there.
const CLARIFIES: &str = "The user wants to clarify";

/// What the user said instead of allowing a call.
pub(in crate::summary::extractive) fn said_instead(result: &str) -> Option<&str> {
    let (_, said) = result.split_once(REFUSED)?;
    let said = said.split_once(NOTE).map_or(said, |(said, _)| said);
    (!said.starts_with(CLARIFIES)).then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(arguments: &str, result: &str) -> Vec<String> {
        let all = replies(0, arguments, result).into_iter();
        all.map(|reply| format!("{} → {}", reply.question.unwrap_or_default(), reply.answer)).collect()
    }

    #[test]
    fn answers_are_found_in_the_results_of_every_harness() {
        let two = "User has answered your questions: \"Which \"tide\" table?\"=\"The new one\", \"Push it?\"=\"Don't push yet\" user notes: x. You can now continue with the user's answers in mind.";
        assert_eq!(told("{}", two), ["Which \"tide\" table? → The new one", "Push it? → Don't push yet"]);
        let one = "User has answered your questions: \"Push it?\"=\"No\". You can now continue.";
        assert_eq!(told("{}", one), ["Push it? → No"]);
        let asked = r#"{"question":"Which table?"}"#;
        assert_eq!(told(asked, "User responded: the new\none"), ["Which table? → the new one"]);
        assert_eq!(told(asked, "<answer>\nthe new one\n</answer>"), ["Which table? → the new one"]);
        assert_eq!(told(asked, "the new one"), ["Which table? → the new one"]);
        for object in [r#"{"response":"the new one"}"#, "content: 'the new\n\n  one'\nresponse_type: clarification"] {
            assert_eq!(told(asked, object), ["Which table? → the new one"]);
        }
        assert_eq!(told(asked, "Table: new\nTide: old"), ["Which table? → Table: new Tide: old"]);
        let yes = r#"{"answers":{"a":{"answers":["Yes"]}}}"#;
        assert_eq!(told("{}", yes), [" → Yes"]);
        let own = r#"{"answers":{"a":{"answers":["Old","user_note: Keep the old lamp."]}}}"#;
        assert_eq!(told("{}", own), [" → Old", " → Keep the old lamp."]);
        assert_eq!(told(r#"{"questions":[{"id":"a","question":"Push it?"}]}"#, yes), ["Push it? → Yes"]);
        for nothing in [
            "",
            "User selected: cancel",
            "The user did not answer.",
            "request_user_input is unavailable in Default mode",
            "User declined to answer the questions",
            "No response from the user within 60 seconds.",
            "No response.",
            "Error: User dismissed the dialog",
            "[Request interrupted by user]",
            "Cancelled",
            "Message sent to the user.",
            "Queued.",
            "Session user_71 opened, awaiting reply",
            r#"{"value":"x","content":"Never use red lamps."}"#,
            "\"=\"",
            r#"{"answers":[]}"#,
        ] {
            assert!(!answered(nothing), "{nothing}");
            assert_eq!(told(asked, nothing), Vec::<String>::new(), "{nothing}");
        }
    }

    #[test]
    fn an_answer_may_speak_of_what_was_canceled_or_did_not_work() {
        for said in [
            "The old one did not work for us, so use table B and never touch table A.",
            "Cancel the subscription of Bob in the billing table.",
            "No, the request timed out.",
            "No answer needed, go on.",
            "The user table, and no response codes.",
            "Users cancel it by hand.",
        ] {
            assert_eq!(told("{}", said), [format!(" → {said}")]);
        }
    }

    #[test]
    fn tools_that_ask_are_known_by_their_name() {
        let asks = |tool: &&str| asks(tool, &Args::read(r#"{"message":"Which pier?"}"#));
        for asking in [
            "AskUserQuestion",
            "ask_followup_question",
            "question",
            "request_user_input",
            "ask_human",
            "human_input",
            "mcp__quay__get_user_help",
            "talk_to_user",
            "requestHumanInput",
        ] {
            assert!(asks(&asking), "{asking}");
        }
        for other in
            ["Task", "ask_agent", "get_question", "task_question", "sanitize_user_input", "get_user", "help", "clarify"]
        {
            assert!(!asks(&other), "{other}");
        }
    }

    #[test]
    fn a_tool_named_by_words_asks_only_if_it_passes_a_question_to_a_person() {
        for (tool, arguments, is_asking) in [
            ("ask_user_for_clarification", r#"{"questions":["Which pier?"]}"#, true),
            ("request_user_clarification", r#"{"query":"Name the pier that is meant."}"#, true),
            ("get_user_help", r#"{"text":"Name the pier that is meant."}"#, true),
            ("get_user_input", r#"{"field":"name"}"#, false),
            ("get_user_input", r#"{"field":"name","message":"Which name?"}"#, false),
            ("user_input", r##"{"selector":"#name","text":"Never light the mole"}"##, false),
            ("user_help", r#"{"topic":"lamps"}"#, false),
            ("user_help", r#"{"text":"Which lamps?"}"#, false),
            ("help_user", r#"{"text":"reset"}"#, false),
            ("ask_human", r#"{"text":"reset"}"#, false),
            ("clarify", r#"{"question":"What is a lamp?"}"#, false),
            ("ask", r#"{"question":"Which pier?"}"#, false),
        ] {
            assert_eq!(asks(tool, &Args::read(arguments)), is_asking, "{tool} {arguments}");
        }
    }

    #[test]
    fn who_refuses_a_call_says_what_to_do_instead() {
        let refused = "The user doesn't want to proceed. To tell you how to proceed, the user said:\nLeave the map alone.\n\nNote: It was rejected.";
        assert_eq!(said_instead(refused), Some("Leave the map alone."));
        assert_eq!(said_instead("The user said: no"), None);
    }
}
