//! One pass over the head: turns with what was asked, what was said, and what was done with which outcome.

use super::act::{Action, FileOp};
use super::args::Args;
use super::cues::{Kind, kind};
use super::delegates;
use super::folders;
use super::outcome::{Flags, Outcome};
use super::prose::{is_structure, sentences, typed};
use super::shell;
use super::words::NODS;
use crate::summary::items::Item;
use crate::summary::text::{cut, first_bytes, fold, last_bytes, words};
use crate::transcript::{Author, Message, Part, PartKind};
use foldhash::HashMap;
use std::borrow::Cow;

/// How much of a text is read for its sentences: pasted files are no words of the user.
const FIRST: usize = 24_000;
const LAST: usize = 8_000;
/// Tags that a harness puts around the words of a user.
const USER_TAGS: [&str; 5] = ["task", "feedback", "answer", "user_message", "user_input"];
/// Words that an answer begins with.
const YES_OR_NO: [&str; 9] = ["yes", "no", "ja", "nein", "oui", "non", "sí", "да", "нет"];
/// Tags of the harness that are removed from one text at most.
const MOST_TAGS: usize = 100;

/// A real user message, or the start of the head, and all up to the next one.
#[derive(Default)]
pub(super) struct Turn<'t> {
    /// What the user asked.
    pub(super) asked: Option<Asked>,
    /// What the agent said, sentence by sentence.
    pub(super) said: Vec<Said>,
    /// What the agent did.
    pub(super) acts: Vec<Act<'t>>,
}

/// Words of the user.
pub(super) struct Asked {
    /// Index of the message in the head; `None` for one that is kept.
    pub(super) message: Option<usize>,
    /// All its sentences.
    pub(super) sentences: Vec<String>,
    /// Its beginning on one line, where it has no sentences.
    pub(super) start: String,
    /// All of it on one line, where it is short and nothing but words.
    pub(super) whole: Option<String>,
}

/// A sentence of the agent.
pub(super) struct Said {
    /// Index of the message.
    pub(super) message: usize,
    /// The sentence.
    pub(super) sentence: String,
    /// What kind of sentence it is.
    pub(super) kind: Kind,
    /// It belongs to the last text of its turn.
    pub(super) closing: bool,
}

impl Said {
    /// Whether it begins with yes or no.
    pub(super) fn says_yes_or_no(&self) -> bool {
        let first = self.sentence.split(|char: char| !char.is_alphabetic()).next().unwrap_or_default();
        YES_OR_NO.contains(&first.to_lowercase().as_str()) && words(&self.sentence) > 3
    }
}

/// A call with its outcome.
pub(super) struct Act<'t> {
    /// Index of the message that makes the call.
    pub(super) message: usize,
    /// The tool's name.
    pub(super) tool: &'t str,
    /// What it does.
    pub(super) action: Action,
    /// The folder that it states to work in.
    pub(super) stated: Option<String>,
    /// The folder that its command goes to.
    gone: Option<String>,
    /// What its command does with files.
    run: Vec<(FileOp, String)>,
    /// How it ended.
    pub(super) outcome: Outcome,
    /// Its result.
    pub(super) result: &'t str,
    /// It gives work to another agent.
    delegates: bool,
    /// The call that it asks about, which goes on in the background: turn and place in it.
    asks: Option<(usize, usize)>,
}

impl<'t> Act<'t> {
    fn new(message: usize, tool: &'t str, arguments: &Part<'_>) -> Self {
        let args = Args::read(&arguments.text);
        let action = Action::read(tool, &args);
        let command = if let Action::Run(command) = &action { command } else { "" };
        let (run, gone, stated) = (shell::files(command), shell::folder(command), folders::stated(&args));
        let delegates = delegates::is_order(&args);
        Self { message, tool, action, stated, gone, run, outcome: Outcome::Unknown, result: "", delegates, asks: None }
    }

    /// The folder that it works in, where it says so.
    pub(super) fn folder(&self) -> Option<&str> {
        self.gone.as_deref().or(self.stated.as_deref())
    }

    /// What it does with files, by a tool for that or by a command.
    pub(super) fn files(&self) -> &[(FileOp, String)] {
        if let Action::Files(files) = &self.action { files } else { &self.run }
    }
}

/// Parts the head into turns; requests that are kept begin turns, too, each behind so many messages of the head.
pub(super) fn turns<'t>(head: &[&'t Message<'_>], asked: &[(usize, &Message<'_>)]) -> Vec<Turn<'t>> {
    let mut reader =
        Reader { turns: vec![Turn::default()], open: HashMap::default(), running: HashMap::default(), last_text: 0 };
    let mut asked = asked.iter().peekable();
    for (index, &message) in head.iter().enumerate() {
        while let Some((_, request)) = asked.next_if(|(place, _)| *place <= index) {
            reader.ask(None, &request.text());
        }
        reader.read(index, message);
    }
    asked.for_each(|(_, request)| reader.ask(None, &request.text()));
    reader.close();
    reader.turns
}

struct Reader<'t> {
    turns: Vec<Turn<'t>>,
    /// Calls without result: turn and place in it.
    open: HashMap<&'t str, (usize, usize)>,
    /// Calls that go on in the background, by the name of their session.
    running: HashMap<&'t str, (usize, usize)>,
    /// Sentences of the running turn that stand before its newest text.
    last_text: usize,
}

impl<'t> Reader<'t> {
    fn read(&mut self, index: usize, message: &'t Message<'_>) {
        if message.author == Author::Person {
            self.ask(Some(index), &message.text());
        }
        for part in &message.parts {
            match &part.kind {
                PartKind::Text if message.author == Author::Model => self.say(index, &part.text),
                PartKind::Text if message.author == Author::Harness => {
                    delegates::notified(&part.text).into_iter().for_each(|report| self.report(index, report));
                }
                PartKind::Call { id, name } => self.call(id, Act::new(index, name, part), part),
                PartKind::Result { id, error, pruned, .. } => {
                    if !error && !pruned && self.delegated(id) {
                        delegates::report(&part.text).into_iter().for_each(|report| self.report(index, report));
                    }
                    self.answer(id, part, *error, *pruned);
                    if let Some(said) = error.then(|| said_instead(&part.text)).flatten() {
                        self.ask(Some(index), said);
                    }
                }
                _ => {}
            }
        }
    }

    fn ask(&mut self, message: Option<usize>, words: &str) {
        let text = without_tags(&ends(words));
        let start = cut(&fold(first_bytes(&text, 2_000)), 300).into_owned();
        let notice = start.starts_with('/') && !first_word(&start)[1..].contains('/');
        if start.is_empty() || notice || start.starts_with("[Request interrupted") {
            return;
        }
        self.close();
        let asked = Asked { message, sentences: typed(&text), start, whole: whole(&text) };
        self.turns.push(Turn { asked: Some(asked), ..Turn::default() });
    }

    fn say(&mut self, message: usize, text: &str) {
        let Some(turn) = self.turns.last_mut() else { return };
        self.last_text = turn.said.len();
        let sentences = sentences(&ends(text)).into_iter();
        let said = sentences.map(|sentence| Said { message, kind: kind(&sentence), sentence, closing: false });
        turn.said.extend(said);
    }

    /// What another agent reports is told like words of this one, before its newest text: that closes the turn.
    fn report(&mut self, message: usize, text: &str) {
        let Some(turn) = self.turns.last_mut() else { return };
        let sentences = sentences(&ends(text)).into_iter();
        let said = sentences.map(|sentence| Said { message, kind: kind(&sentence), sentence, closing: false });
        let (at, before) = (self.last_text.min(turn.said.len()), turn.said.len());
        turn.said.splice(at..at, said);
        self.last_text = at + turn.said.len() - before;
    }

    /// Whether a call gave work to another agent.
    fn delegated(&mut self, id: &str) -> bool {
        let place = self.open.get(id).copied();
        place.and_then(|place| self.act(place)).is_some_and(|act| act.delegates)
    }

    fn call(&mut self, id: &'t str, mut act: Act<'t>, arguments: &Part<'_>) {
        let at = self.turns.len() - 1;
        let may_ask = !self.running.is_empty() && matches!(act.action, Action::Other(_) | Action::Quiet);
        let session = may_ask.then(|| session(&arguments.text)).flatten();
        act.asks = session.and_then(|session| self.running.get(&*session)).copied();
        let Some(turn) = self.turns.last_mut() else { return };
        self.open.insert(id, (at, turn.acts.len()));
        turn.acts.push(act);
    }

    fn answer(&mut self, id: &str, part: &'t Part<'_>, error: bool, pruned: bool) {
        let Some(own) = self.open.remove(id) else { return };
        let text = if pruned { "" } else { &*part.text };
        let session = Outcome::session(text).filter(|_| !error);
        // How a command went on or ended is told where it was started; a call that only asks is none of its own.
        let asked = self.act(own).and_then(|act| act.asks);
        let started = asked.filter(|_| session.is_some() || Outcome::tells_end(text));
        if let (Some(_), Some(act)) = (started, self.act(own)) {
            act.action = Action::Quiet;
        }
        if let Some(started) = started {
            self.running.retain(|_, place| *place != started);
        }
        let place = started.unwrap_or(own);
        // The status of a call that asks is not that of the command that it asks about.
        let flags = Flags { error, status: part.status.filter(|_| started.is_none()) };
        let Some(act) = self.act(place) else { return };
        act.outcome = match session {
            _ if pruned && !error => Outcome::Unknown,
            Some(_) if !act.action.only_shows() => Outcome::Running,
            _ => act.action.outcome(text, flags),
        };
        act.result = text;
        self.running.extend(session.map(|session| (session, place)));
    }

    fn act(&mut self, (turn, act): (usize, usize)) -> Option<&mut Act<'t>> {
        self.turns.get_mut(turn)?.acts.get_mut(act)
    }

    fn close(&mut self) {
        if let Some(turn) = self.turns.last_mut() {
            turn.said.iter_mut().skip(self.last_text).for_each(|said| said.closing = true);
        }
        self.last_text = 0;
    }
}

/// Characters that are worth showing of a sentence.
const LEAST: usize = 20;
/// Letters of a word that says what is wanted, in a request of one or two words.
const NAMED: usize = 5;

impl Asked {
    /// A line that comes from it.
    pub(super) fn item(&self, text: String, rank: i64) -> Item {
        Item { origin: self.message, ..Item::carried(text, rank) }
    }

    /// Whether the message says more than “go on”.
    pub(super) fn is_telling(&self) -> bool {
        let exact = self.start.chars().any(|char| char.is_ascii_digit() || char == '_');
        let named = |word: &str| word.chars().count() >= NAMED && !NODS.contains(&word.to_lowercase().as_str());
        exact
            || words(&self.start) >= 3 && !self.nods()
            || words(&self.start) == 2 && self.start.split(|char: char| !char.is_alphanumeric()).any(named)
    }

    /// Whether it only agrees.
    pub(super) fn nods(&self) -> bool {
        let mut words = self.start.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
        words.all(|word| NODS.contains(&word.to_lowercase().as_str()))
    }

    /// Its first sentences, as long as they fit.
    pub(super) fn brief(&self, most: usize) -> String {
        let Some(first) = self.sentences.first() else { return cut(&self.start, most).into_owned() };
        let mut brief = cut(first, most).into_owned();
        for next in &self.sentences[1..] {
            let room = most.saturating_sub(brief.chars().count() + 1);
            let fits = next.chars().count() < room;
            // What only announces the next sentence says nothing without it.
            if !fits && (!brief.ends_with(':') || room < LEAST) {
                break;
            }
            brief.push(' ');
            brief.push_str(&cut(next, room));
            if !fits {
                break;
            }
        }
        brief
    }
}

/// What stands before the words of a user who refused a call (Claude Code), and behind them.
const REFUSED: &str = "To tell you how to proceed, the user said:\n";
const NOTE: &str = "\n\nNote: ";
/// What the harness says there itself.
const CLARIFIES: &str = "The user wants to clarify";

/// What the user said instead of letting a call run.
fn said_instead(result: &str) -> Option<&str> {
    let (_, said) = result.split_once(REFUSED)?;
    let said = said.split_once(NOTE).map_or(said, |(said, _)| said);
    (!said.starts_with(CLARIFIES)).then_some(said)
}

/// Arguments that name the session of a command that goes on.
const SESSION_KEYS: &[&str] = &["session_id", "sessionId", "bash_id", "task_id", "shell_id", "shellId"];

/// The session that a call asks about.
fn session(arguments: &str) -> Option<String> {
    let args = Args::read(arguments);
    SESSION_KEYS.iter().find_map(|key| args.raw(key)).map(|raw| raw.trim_matches('"').to_owned())
}

/// Characters and lines of a request that is told whole.
const WHOLE: usize = 500;
const LINES: usize = 12;

/// A request on one line, if it is short and no line of it is code, data or a heading.
fn whole(text: &str) -> Option<String> {
    let short = text.len() <= 4 * WHOLE && text.trim().lines().count() <= LINES;
    let words = || text.lines().all(|line| !line.contains("```") && !is_structure(line));
    let text = Some(text).filter(|_| short && words()).map(fold)?;
    (text.chars().count() <= WHOLE).then_some(text)
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// Beginning and end of a long text.
fn ends(text: &str) -> String {
    if text.len() <= FIRST + LAST {
        return text.to_owned();
    }
    format!("{}\n\n{}", first_bytes(text, FIRST), last_bytes(text, LAST))
}

/// The words of a user's message that are the user's own, without what a harness puts in between in tags.
pub fn own_words(text: &str) -> String {
    without_tags(&ends(text))
}

/// Removes what a harness puts into a user's message in tags of its own, such as `<system-reminder>`, and the tags alone
/// that it puts around the user's words.
fn without_tags(text: &str) -> String {
    let text = without_frames(without_editor(without_agents_file(text)));
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    for _ in 0..MOST_TAGS {
        let Some((before, after)) = next_tag(rest) else { break };
        out.push_str(before);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// What stands behind the project's file of instructions, which Codex puts into a user's message.
fn without_agents_file(text: &str) -> &str {
    let is_file = text.trim_start().starts_with("# AGENTS.md instructions");
    let behind = text.split_once("</INSTRUCTIONS>").filter(|_| is_file);
    behind.map_or(text, |(_, behind)| behind)
}

/// What stands behind the open files and tabs that an editor puts before the user's words (Codex).
fn without_editor(text: &str) -> &str {
    let is_editor = text.trim_start().starts_with("# Context from my IDE setup");
    let behind = text.split_once("\n## My request for ").filter(|_| is_editor);
    behind.and_then(|(_, behind)| behind.split_once('\n')).map_or(text, |(_, words)| words)
}

/// Takes the tags off that stand around the words of a user (Cline, Roo).
fn without_frames(text: &str) -> Cow<'_, str> {
    let frame = |text: &str, tag: &str| {
        let (before, after) = text.split_once(&format!("<{tag}"))?;
        let (attributes, inside) = after.split_once('>')?;
        let (inside, behind) = inside.split_once(&format!("</{tag}>"))?;
        (attributes.is_empty() || attributes.starts_with(' ')).then(|| [before, inside, behind].concat())
    };
    USER_TAGS.iter().fold(Cow::Borrowed(text), |text, tag| frame(&text, tag).map_or(text, Cow::Owned))
}

/// What stands before and after the next closed tag with a name of several words.
fn next_tag(text: &str) -> Option<(&str, &str)> {
    for (at, _) in text.match_indices('<').take(MOST_TAGS) {
        let Some(name) = tag_name(&text[at + 1..]) else { continue };
        if let Some(end) = end_of(&text[at..], name) {
            return Some((&text[..at], &text[at + end..]));
        }
    }
    None
}

/// Where the tag ends that a text begins with: at its own end, where it names itself inside, else at the first one.
fn end_of(text: &str, name: &str) -> Option<usize> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let ends = || text.match_indices(&close).map(|(at, _)| at + close.len());
    let own = ends().zip(1..).take(MOST_TAGS).find(|(end, closed)| text[..*end].matches(&open).count() == *closed);
    own.map(|(end, _)| end).or_else(|| ends().next())
}

/// The name of a tag of several words: `system-reminder`, also before attributes, or `permissions instructions`.
fn tag_name(text: &str) -> Option<&str> {
    let length = |text: &str, also: &str| text.find(|char: char| !(char.is_ascii_alphabetic() || also.contains(char)));
    let (name, rest) = text.split_at(length(text, "-_")?);
    if name.contains(['-', '_']) {
        return rest.starts_with(['>', ' ']).then_some(name);
    }
    let (words, rest) = text.split_at(length(text, "-_ ")?);
    (!name.is_empty() && words.contains(' ') && rest.starts_with('>')).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_the_harness_are_no_words_of_the_user() {
        let text = "Fix it. <system-reminder>Be quick & <b>good</b>.</system-reminder>Now <b>this</b> <open-tag>.";
        assert_eq!(without_tags(text), "Fix it. Now <b>this</b> <open-tag>.");
        assert_eq!(
            without_tags("<permissions instructions>\nNever ask.\n</permissions instructions>Fix it."),
            "Fix it."
        );
        let named = "<mode-x>Only `<mode-x>…</mode-x>` changes it.</mode-x>Fix it.";
        assert_eq!(without_tags(named), "Fix it.");
        assert_eq!(without_tags("<p hidden>Fix</p> <b>it</b>."), "<p hidden>Fix</p> <b>it</b>.");
        assert_eq!(without_tags("Fix it.<SYSTEM_NOTICE>\nold\n</SYSTEM_NOTICE>"), "Fix it.");
    }

    #[test]
    fn the_file_of_instructions_is_no_request() {
        let text = "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\n# Guide\nUse tabs.\n</INSTRUCTIONS>\nFix it.";
        assert_eq!(without_tags(text).trim(), "Fix it.");
        assert_eq!(without_tags("Say </INSTRUCTIONS> now."), "Say </INSTRUCTIONS> now.");
    }

    #[test]
    fn what_an_editor_shows_is_no_request() {
        let text =
            "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs: src/a.rs\n\n## My request for Codex:\nFix it.\n";
        assert_eq!(without_tags(text).trim(), "Fix it.");
        assert_eq!(
            without_tags("Why is\n## My request for Codex:\nthere?"),
            "Why is\n## My request for Codex:\nthere?"
        );
    }

    #[test]
    fn who_refuses_a_call_says_what_to_do_instead() {
        let refused = "The user doesn't want to proceed. To tell you how to proceed, the user said:\nLeave the map alone.\n\nNote: It was rejected.";
        assert_eq!(said_instead(refused), Some("Leave the map alone."));
        assert_eq!(said_instead("The user said: no"), None);
    }

    #[test]
    fn words_in_a_tag_for_users_are_the_users() {
        let text = "<user_message>\nFix it.\n</user_message>\n<environment_details>now</environment_details>";
        assert_eq!(without_tags(text).trim(), "Fix it.");
        assert_eq!(without_tags("<user_input mode=\"act\">Fix it.</user_input>"), "Fix it.");
        assert_eq!(without_tags("a <task> without end"), "a <task> without end");
    }

    #[test]
    fn a_brief_holds_whole_sentences_that_fit() {
        let asked = Asked {
            message: Some(0),
            sentences: vec!["One two three.".into(), "Four five six.".into()],
            start: "x".into(),
            whole: None,
        };
        assert_eq!(asked.brief(40), "One two three. Four five six.");
        assert_eq!(asked.brief(20), "One two three.");
        let sentences = vec!["I also got this:".into(), "The parser fails on empty files and on tabs.".into()];
        let announced = Asked { message: None, sentences, start: "x".into(), whole: None };
        assert_eq!(announced.brief(46), "I also got this: The parser fails on empty…");
    }
}
