//! One pass over the head: turns with what was asked, what was said, and what was done with which outcome.

use super::act::{Action, FileOp};
use super::args::Args;
use super::cues::{Kind, kind};
use super::delegates;
use super::folders;
use super::outcome::{Flags, Outcome};
use super::prose::{is_structure, sentences, typed};
use super::replies::{self, Reply};
use super::rules::{is_farewell, is_role, is_short_ban};
use super::shell::Shell;
use super::tags::{ends, own_words};
use super::words::NODS;
use crate::summary::items::Item;
use crate::summary::text::{cut, first_bytes, fold, words};
use crate::transcript::{Author, Message, Part, PartKind};
use foldhash::HashMap;

/// Words that an answer begins with.
const YES_OR_NO: [&str; 9] = ["yes", "no", "ja", "nein", "oui", "non", "sí", "да", "нет"];

/// A real user message, or the start of the head, and all up to the next one.
#[derive(Default)]
pub(super) struct Turn<'t> {
    /// What the user asked.
    pub(super) asked: Option<Asked>,
    /// What the agent said, sentence by sentence.
    pub(super) said: Vec<Said>,
    /// What the agent did.
    pub(super) acts: Vec<Act<'t>>,
    /// What the user answered when the agent asked.
    pub(super) replies: Vec<Reply>,
}

/// Words of the user.
pub(super) struct Asked {
    /// Index of the message in the head; `None` for one that is kept.
    pub(super) message: Option<usize>,
    /// All its sentences.
    pub(super) sentences: Vec<String>,
    /// Sentences that stand before what it asks for: other sections of a brief, who its reader is, thanks.
    pub(super) before: usize,
    /// Its beginning on one line.
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
    /// The sentences of a text.
    fn all(message: usize, text: &str) -> impl Iterator<Item = Self> {
        let sentences = sentences(&ends(text)).into_iter();
        sentences.map(move |sentence| Self { message, kind: kind(&sentence), sentence, closing: false })
    }

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
    /// What its command does with files.
    shell: Shell,
    /// How it ended.
    pub(super) outcome: Outcome,
    /// Its result.
    pub(super) result: &'t str,
    /// It gives work to another agent.
    delegates: bool,
    /// It asks the user, with these arguments.
    asking: Option<&'t str>,
    /// The call that it asks about, which goes on in the background: turn and place in it.
    asks: Option<(usize, usize)>,
}

impl<'t> Act<'t> {
    fn new(message: usize, tool: &'t str, arguments: &'t Part<'_>) -> Self {
        let args = Args::read(&arguments.text);
        let action = Action::read(tool, &args);
        let shell = if let Action::Run(command) = &action { Shell::read(command) } else { Shell::default() };
        let (stated, delegates) = (folders::stated(&args), delegates::is_order(&args));
        let asking = replies::asks(tool).then_some(&*arguments.text);
        let (outcome, result, asks) = (Outcome::Unknown, "", None);
        Self { message, tool, action, stated, shell, outcome, result, delegates, asking, asks }
    }

    /// The folder that it works in, where it says so.
    pub(super) fn folder(&self) -> Option<&str> {
        self.shell.folder.as_deref().or(self.stated.as_deref())
    }

    /// What it does with files, by a tool for that or by a command.
    pub(super) fn files(&self) -> &[(FileOp, String)] {
        if let Action::Files(files) = &self.action { files } else { &self.shell.files }
    }

    /// Whether it asks the user.
    pub(super) fn asks_user(&self) -> bool {
        self.asking.is_some()
    }

    /// Whether it is a command that does nothing but change files.
    pub(super) fn only_changes_files(&self) -> bool {
        self.shell.only_changes
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
                    if !error && !pruned {
                        self.reply(index, id, &part.text);
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
        let text = own_words(words);
        let start = cut(&fold(first_bytes(&text, 2_000)), 300).into_owned();
        let notice = start.starts_with('/') && !start[1..].contains(['/', ' ']);
        if start.is_empty() || notice || start.starts_with("[Request interrupted") {
            return;
        }
        self.close();
        let asked = Asked::read(message, &text, start);
        self.turns.push(Turn { asked: Some(asked), ..Turn::default() });
    }

    fn say(&mut self, message: usize, text: &str) {
        let Some(turn) = self.turns.last_mut() else { return };
        self.last_text = turn.said.len();
        turn.said.extend(Said::all(message, text));
    }

    /// What another agent reports is told like words of this one, before its newest text: that closes the turn.
    fn report(&mut self, message: usize, text: &str) {
        let Some(turn) = self.turns.last_mut() else { return };
        let (at, before) = (self.last_text.min(turn.said.len()), turn.said.len());
        turn.said.splice(at..at, Said::all(message, text));
        self.last_text = at + turn.said.len() - before;
    }

    /// What the user answered, where a call asked.
    fn reply(&mut self, message: usize, id: &str, result: &str) {
        let place = self.open.get(id).copied();
        let Some(act) = place.and_then(|place| self.act(place)) else { return };
        let Some(arguments) = act.asking else { return };
        let replies = replies::replies(message, arguments, result);
        if let (false, Some(turn)) = (replies.is_empty(), self.turns.last_mut()) {
            turn.replies.extend(replies);
        }
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

/// How a user takes back the last message, and where in the next one that stands: in its first bytes.
const RETRACTIONS: [&str; 8] = [
    "wrong chat",
    "wrong window",
    "wrong session",
    "wrong thread",
    "ignore my last message",
    "ignore last message",
    "ignore the last message",
    "ignore my previous message",
];
const TAKEN_BACK: usize = 80;
/// Characters that are worth showing of a sentence.
const LEAST: usize = 20;
/// Words of a ban that is told with any brief.
const FEW: usize = 5;
/// Letters of a word that says what is wanted, in a request of one or two words.
const NAMED: usize = 5;

impl Asked {
    fn read(message: Option<usize>, text: &str, start: String) -> Self {
        let sentences = typed(text);
        let section = request_section(text).map_or(0, |section| typed(section).len());
        let others = if section > 0 { sentences.len().saturating_sub(section) } else { 0 };
        let leads =
            sentences[others..].iter().take_while(|sentence| is_role(sentence) || is_farewell(sentence)).count();
        let before = if others + leads < sentences.len() { others + leads } else { others };
        let whole = whole(text).and_then(|whole| {
            let rest = sentences[..before]
                .iter()
                .try_fold(&*whole, |rest, lead| Some(rest.strip_prefix(&**lead)?.trim_start()));
            rest.map(str::to_owned)
        });
        Self { message, sentences, before, start, whole }
    }

    /// A line that comes from it.
    pub(super) fn item(&self, text: String, rank: i64) -> Item {
        Item { origin: self.message, ..Item::carried(text, rank) }
    }

    /// Whether the message says more than “go on”.
    pub(super) fn is_telling(&self) -> bool {
        let exact = self.start.chars().any(|char| char.is_ascii_digit() || char == '_');
        let named = |word: &str| word.chars().count() >= NAMED && !NODS.contains(&word.to_lowercase().as_str());
        (exact && !self.closes())
            || words(&self.start) >= 3 && !self.nods()
            || words(&self.start) == 2 && self.start.split(|char: char| !char.is_alphanumeric()).any(named)
    }

    /// Whether it takes back the message before it.
    pub(super) fn takes_back(&self) -> bool {
        let start = first_bytes(&self.start, TAKEN_BACK).to_lowercase();
        let mut clauses = start.split(['.', '!', ',', ';']).filter(|clause| words(clause) <= FEW);
        clauses.any(|clause| RETRACTIONS.iter().any(|words| clause.contains(words)))
    }

    /// Whether it only thanks or says goodbye.
    fn closes(&self) -> bool {
        !self.sentences.is_empty() && self.sentences.iter().all(|sentence| is_farewell(sentence))
    }

    /// Whether it only agrees, thanks, or says goodbye.
    pub(super) fn nods(&self) -> bool {
        if self.closes() {
            return true;
        }
        let mut words = self.start.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
        words.all(|word| NODS.contains(&word.to_lowercase().as_str()))
    }

    /// Its first sentences, as long as they fit.
    pub(super) fn brief(&self, most: usize) -> String {
        let mut sentences = self.sentences[self.before..].iter();
        let Some(first) = sentences.next() else { return cut(&self.start, most).into_owned() };
        let mut brief = cut(first, most).into_owned();
        let mut left = sentences.as_slice();
        while let Some((next, behind)) = left.split_first() {
            let room = most.saturating_sub(brief.chars().count() + 1);
            let fits = next.chars().count() < room;
            // What only announces the next sentence says nothing without it.
            if !fits && (!brief.ends_with(':') || room < LEAST) {
                break;
            }
            brief.push(' ');
            brief.push_str(&cut(next, room));
            left = behind;
            if !fits {
                break;
            }
        }
        // “Delete it, then commit.” without “Don't push.” asks for something else.
        if let Some(ban) = left.first().filter(|next| is_short_ban(next, FEW) && !brief.ends_with('…')) {
            brief.push(' ');
            brief.push_str(ban);
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

/// Headings below which a brief says what is wanted.
const REQUESTS: [&str; 10] =
    ["task", "tasks", "request", "goal", "goals", "objective", "objectives", "instructions", "aufgabe", "your task"];

/// The last section of a brief that is named after what is wanted, and all behind it.
fn request_section(text: &str) -> Option<&str> {
    let mut at = 0;
    let mut found = None;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let heading = line.trim().trim_start_matches('#').trim_matches(['*', ':', ' ', '_']);
        let marked = line.trim_start().starts_with('#') || line.trim().starts_with("**") && line.trim().len() <= 40;
        if marked && REQUESTS.contains(&&*heading.to_lowercase()) {
            found = Some(&text[at..]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_refuses_a_call_says_what_to_do_instead() {
        let refused = "The user doesn't want to proceed. To tell you how to proceed, the user said:\nLeave the map alone.\n\nNote: It was rejected.";
        assert_eq!(said_instead(refused), Some("Leave the map alone."));
        assert_eq!(said_instead("The user said: no"), None);
    }

    #[test]
    fn a_brief_holds_whole_sentences_that_fit() {
        let asked = Asked {
            message: Some(0),
            sentences: vec!["One two three.".into(), "Four five six.".into()],
            before: 0,
            start: "x".into(),
            whole: None,
        };
        assert_eq!(asked.brief(40), "One two three. Four five six.");
        assert_eq!(asked.brief(20), "One two three.");
        let sentences = vec!["I also got this:".into(), "The parser fails on empty files and on tabs.".into()];
        let announced = Asked { message: None, sentences, before: 0, start: "x".into(), whole: None };
        assert_eq!(announced.brief(46), "I also got this: The parser fails on empty…");
    }

    #[test]
    fn no_item_of_a_short_request_is_left_out() {
        let text = "ok, let's apply the fixes you suggest:\n\n1. fail loud.\n\n2. leave it alone.";
        let asked = Asked::read(None, text, text.into());
        assert_eq!(asked.brief(90), "ok, let's apply the fixes you suggest: fail loud. leave it alone.");
    }

    #[test]
    fn a_short_ban_stands_in_a_brief_in_any_case() {
        let text = "Delete the old file of the tests, then commit. Don't push.";
        assert_eq!(Asked::read(None, text, text.into()).brief(48), text);
    }

    #[test]
    fn a_brief_begins_with_what_is_wanted() {
        let read = |text: &str| Asked::read(None, text, text.into());
        let brief = "# Context\nWe run ferries on two lakes.\n\n## Task\nMend the board of times.\n";
        assert_eq!(read(brief).brief(300), "Mend the board of times.");
        let role = read("You are a careful engineer. Mend the board.");
        assert_eq!((&*role.brief(300), role.whole.as_deref()), ("Mend the board.", Some("Mend the board.")));
        assert_eq!(read("Thank you so much! Now mend the board of times.").brief(300), "Now mend the board of times.");
        assert!(
            !read("Thank you so much for your help!").is_telling()
                && read("Thank you, now add the tests.").is_telling()
        );
    }
}
