//! What came after an earlier summary, which may end what that summary left open.

use super::acted::Acted;
use super::ahead::{Stage, stage, work};
use super::earlier::{EarlierItem, ItemState};
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::trials::git_verbs;
use crate::summary::extractive::files::paths::file_name;
use crate::summary::extractive::sentences::cues::lower;
use crate::summary::extractive::sentences::green::{Scope, scope, without};
use crate::summary::extractive::sentences::state::StateClaim;
use crate::summary::extractive::session::refuted::Red;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::user::requests::is_request;
use crate::summary::extractive::user::tags::own_words;
use crate::summary::text::{first_bytes, has_any, has_words, is_dense, starts_any, without_ending};
use crate::transcript::{Author, Message, Part, PartKind};
use foldhash::{HashMap, HashSet};

/// Bytes of a text or call that are searched for the topic of a line.
const BEGINNING: usize = 4_000;
/// Minimum length of a word that tells a topic; in bytes before, in characters after stemming.
const SHORTEST: usize = 3;
/// The share of a line's words that a message about the same topic has (numerator, denominator).
pub(super) const SHARE: (usize, usize) = (3, 5);
/// Minimum number of such words in a line.
const FEWEST: usize = 2;
/// First word of a clause that denies everything: “No commits yet”.
const DENIES_ALL: [&str; 3] = ["no ", "nothing ", "none "];
/// Endings removed to get the stem of a word, longest first.
const ENDINGS: [&str; 6] = ["ing", "ed", "es", "er", "s", "e"];
/// Words without a topic.
const EMPTY: [&str; 34] = [
    "all", "and", "any", "are", "been", "but", "for", "from", "has", "have", "into", "its", "need", "needs", "next",
    "not", "now", "only", "other", "pending", "should", "still", "that", "the", "then", "there", "they", "this", "was",
    "were", "when", "will", "with", "yet",
];

/// Words of a summary for what is unfinished or wrong.
const UNFINISHED: [&str; 16] = [
    "broken",
    "currently",
    "fails",
    "failing",
    "flagged",
    "incomplete",
    "missing",
    "must be",
    "need to",
    "needs investigation",
    "not yet",
    "to be",
    "todo",
    "unfinished",
    "unfixed",
    "unresolved",
];
/// Those that say of a trouble without a name that it is to be mended: once changes are committed, it was, if it is one
/// of [`GATED`].
const UNMENDED: [&str; 3] = ["needs investigation", "unfixed", "unresolved"];
/// Words of a trouble that is usually mended before a commit.
const GATED: [&str; 13] = [
    "build",
    "compile",
    "conflict",
    "conflicts",
    "formatting",
    "lint",
    "linter",
    "test",
    "tests",
    "typo",
    "typos",
    "warning",
    "warnings",
];

/// Those of which a commit is the end.
const CONFLICTS: [&str; 2] = ["conflict", "conflicts"];

/// Words that say that something is not done, or not yet.
const PUT_OFF: [&str; 26] = [
    "not",
    "never",
    "still",
    "yet",
    "later",
    "wait",
    "waits",
    "will",
    "i'll",
    "next",
    "todo",
    "pending",
    "before",
    "until",
    "remains",
    "nicht",
    "noch",
    "später",
    "kein",
    "pas",
    "encore",
    "plus tard",
    "todavía",
    "没",
    "还",
    "稍后",
];

/// Whether a line may become obsolete: it describes a state, or something unfinished.
pub(in crate::summary) fn may_be_over(line: &str) -> bool {
    let lower = lower(line);
    let tells = |words: &&str| has_words(&lower, words);
    StateClaim::of(line).may_end()
        || starts_any(&lower, &["current:", "current merge conflict"])
        || UNFINISHED.iter().any(tells)
}

/// A session: its head, the requests of it that are kept, and the messages behind it.
pub(in crate::summary) struct Session<'s, 'a> {
    pub(in crate::summary) head: &'s [&'s Message<'a>],
    /// Each with the number of messages of the head before it.
    pub(in crate::summary) asked: &'s [(usize, &'s Message<'a>)],
    pub(in crate::summary) behind: &'s [&'s Message<'a>],
}

/// The fates of statements in earlier summaries, in order.
pub(in crate::summary::extractive) fn fates(
    session: &Session<'_, '_>,
    turns: &[Turn<'_>],
    behind: &[Act<'_>],
    then: &[EarlierItem],
) -> Vec<ItemState> {
    if then.is_empty() {
        return Vec::new();
    }
    let last = Last::of(session, turns, behind);
    let told = told_again(session, then);
    then.iter().zip(told).map(|(line, told)| last.fate(line, told)).collect()
}

/// The last time of each kind of event, as the number of messages up to it; zero if it never happened.
#[derive(Default)]
struct Last {
    /// The user said anything; the user asked for something.
    heard: usize,
    asked: usize,
    planned: usize,
    /// The agent finished a turn; a file was changed; a commit or push was made.
    closed: usize,
    changed: usize,
    committed: usize,
    pushed: usize,
    /// The tests ran last and failed, or only some of them worked since.
    red: usize,
    /// Changes of files, by name: path and time.
    files: HashMap<String, Vec<(String, usize)>>,
    acted: Acted,
}

impl Last {
    fn of(session: &Session<'_, '_>, turns: &[Turn<'_>], behind: &[Act<'_>]) -> Self {
        let mut last = Self::default();
        let head = session.head.len();
        for turn in turns {
            last.act_all(turn.acts.iter().map(|act| (act.message, act)));
            last.closed = turn.last_text().map_or(0, |(message, _)| message + 1).max(last.closed);
            if let Some((asked, at)) = turn.asked.as_ref().and_then(|asked| Some((asked, asked.message?))) {
                last.hear(asked.is_telling(), at);
            }
        }
        last.act_all(behind.iter().map(|act| (head + act.message, act)));
        let red = Red::of(turns.iter().flat_map(|turn| &turn.acts).chain(behind));
        let red_behind = || Red::of(behind.iter()).map(|red| head + red.message + 1);
        last.red = red.map_or(0, |red| red_behind().unwrap_or(red.message + 1));
        // Only requests from within the head: the others are among the messages behind it, at their place there.
        let carried =
            session.asked.iter().filter(|(place, _)| *place < head).map(|(place, message)| (*place, *message));
        let kept = session.behind.iter().enumerate().map(|(at, message)| (head + at, *message));
        for (at, message) in carried.chain(kept) {
            match message.author {
                Author::Person => last.hear(is_telling(message), at),
                Author::Model if is_final(message) => last.closed = last.closed.max(at + 1),
                _ => {}
            }
        }
        last
    }

    fn hear(&mut self, telling: bool, at: usize) {
        self.heard = self.heard.max(at + 1);
        if telling {
            self.asked = self.asked.max(at + 1);
        }
    }

    fn act_all<'x>(&mut self, acts: impl Iterator<Item = (usize, &'x Act<'x>)>) {
        for (at, act) in acts.map(|(at, act)| (at + 1, act)) {
            self.acted.take(at, act);
            if matches!(act.action, Action::Plan(_)) {
                self.planned = self.planned.max(at);
            }
            if let Action::Run(command) = &act.action
                && act.outcome.worked()
            {
                let verbs = git_verbs(command);
                let since = |verb: &str, last: usize| if verbs.contains(verb) { at.max(last) } else { last };
                (self.committed, self.pushed) = (since("commit", self.committed), since("push", self.pushed));
            }
            for (_, path) in act.files().iter().filter(|(op, _)| op.changes() && act.outcome.failure().is_none()) {
                self.changed = self.changed.max(at);
                if let Some(name) = file_name(path) {
                    self.files.entry(name.to_owned()).or_default().push((path.clone(), at));
                }
            }
        }
    }

    fn fate(&self, EarlierItem { place, text }: &EarlierItem, told: bool) -> ItemState {
        let since = |at: usize| at > *place;
        let stage = stage(text);
        let told = told || self.is_kept(text, *place) || stage.is_some() && self.acted.ends(text, work(text), *place);
        let goes_on = [self.asked, self.planned, self.closed, self.changed].into_iter().any(since);
        let over = match stage {
            Some(Stage::Question) => since(self.heard),
            Some(Stage::Step) => since(self.planned) || told,
            // A plan belongs to its request and says nothing about earlier open work.
            Some(Stage::Pending) => told,
            Some(Stage::Now) => goes_on || told,
            Some(Stage::Past) => since(self.asked) || since(self.planned) || told,
            None => {
                told || self.names_changed(text, *place)
                    || self.is_versioned(text, *place)
                    || self.is_delivered(text, *place)
                    || self.is_refuted(text, *place)
            }
        };
        match stage {
            _ if over => ItemState::Over,
            _ if !goes_on => ItemState::Newest,
            Some(Stage::Pending) if since(self.asked) => ItemState::Past,
            _ => ItemState::Open,
        }
    }

    /// Whether a line asks for a commit or push that was made since.
    fn is_kept(&self, text: &str, place: usize) -> bool {
        let lower = lower(text);
        let has = |verb: &str| lower.split(|char: char| !char.is_alphanumeric()).any(|word| word == verb);
        let done =
            [("commit", self.committed), ("push", self.pushed)].map(|(verb, last)| has(verb).then_some(last > place));
        done.contains(&Some(true)) && !done.contains(&Some(false))
    }

    /// Whether what a line says not to be committed or pushed was so since; “nothing yet” is denied by any commit.
    fn is_versioned(&self, text: &str, place: usize) -> bool {
        let (claim, lower) = (StateClaim::of(text), lower(text));
        let denies = |clause: &str| starts_any(clause.trim_start(), &DENIES_ALL) && StateClaim::of(clause).commit;
        let place = if lower.split([':', ';', ',']).any(denies) { 0 } else { place };
        claim.commit && self.committed > place || claim.push && self.pushed > place
    }

    /// Whether a line says of trouble without a name that it is not mended, or that a conflict is being resolved, and files
    /// were changed and committed since.
    fn is_delivered(&self, text: &str, place: usize) -> bool {
        if self.changed <= place || self.committed <= place {
            return false;
        }
        let lower = lower(text);
        let is_unmended = || !text.contains(['`', '/', '_']) && has_any(&lower, &UNMENDED);
        is_unmended() && has_any(&lower, &GATED) || lower.starts_with("current ") && has_any(&lower, &CONFLICTS)
    }

    /// Whether a line says only that all tests pass, and they failed since.
    fn is_refuted(&self, text: &str, place: usize) -> bool {
        self.red > place && scope(text) == Some(Scope::All) && without(text, &|_| true).is_empty()
    }

    /// Whether a line names a file that was changed since.
    fn names_changed(&self, text: &str, place: usize) -> bool {
        let inner = |char: char| char.is_alphanumeric() || "_-./".contains(char);
        let mut words = text.split(|char| !inner(char)).map(|word| word.trim_end_matches('.'));
        // Files of the same name are distinguished by their folders, as far as both paths have them.
        let is_it = |named: &str, path: &str| path.ends_with(named) || named.ends_with(path);
        words.any(|word| {
            let changes = file_name(word).and_then(|name| self.files.get(name));
            changes.is_some_and(|all| all.iter().any(|(path, at)| *at > place && is_it(word, path)))
        })
    }
}

fn is_telling(message: &Message<'_>) -> bool {
    is_request(&own_words(&message.said()))
}

/// Whether a message of the agent has text and no call.
fn is_final(message: &Message<'_>) -> bool {
    let has = |kind: fn(&PartKind<'_>) -> bool| message.parts.iter().any(|part| kind(&part.kind));
    has(|kind| *kind == PartKind::Text) && !has(|kind| matches!(kind, PartKind::Call { .. }))
}

/// By statement, whether most of its words are in a single later message of the user or agent.
fn told_again(session: &Session<'_, '_>, then: &[EarlierItem]) -> Vec<bool> {
    let terms: Vec<HashSet<String>> = then.iter().map(|line| words(work(&line.text), |_| true).collect()).collect();
    let mut lines: HashMap<&str, Vec<usize>> = HashMap::default();
    for (line, terms) in terms.iter().enumerate().filter(|(_, terms)| terms.len() >= FEWEST) {
        terms.iter().for_each(|term| lines.entry(term).or_default().push(line));
    }
    let first = then.iter().map(|line| line.place).min().unwrap_or(0);
    let mut told = vec![false; then.len()];
    let mut counts = vec![0_usize; then.len()];
    for (at, message) in session.head.iter().chain(session.behind).enumerate().skip(first) {
        if !matches!(message.author, Author::Person | Author::Model) {
            continue;
        }
        let said: HashSet<String> = message.parts.iter().flat_map(|part| tells(part, &lines)).collect();
        counts.fill(0);
        said.iter().filter_map(|word| lines.get(&**word)).flatten().for_each(|line| counts[*line] += 1);
        for (line, count) in counts.iter().enumerate() {
            told[line] |= at >= then[line].place && *count > 0 && *count * SHARE.1 >= terms[line].len() * SHARE.0;
        }
    }
    told
}

/// The words of `lines` in a part that may report work: in a text without negated and postponed sentences, or in a
/// call that does more than look.
fn tells(part: &Part<'_>, lines: &HashMap<&str, Vec<usize>>) -> Vec<String> {
    let text = first_bytes(&part.text, BEGINNING);
    // Most texts have no such word; only for the others the meaning is checked.
    let known = |text| words(text, |word| lines.contains_key(word)).collect::<Vec<_>>();
    let told = |text, is_told: &dyn Fn() -> bool| Some(known(text)).filter(|words| !words.is_empty() && is_told());
    match &part.kind {
        PartKind::Text => {
            let sentences = text.split_inclusive(['.', '!', '?', '\n', '。', '！', '？', '؟', '।', ';', '；']);
            sentences.filter_map(|sentence| told(sentence, &|| !puts_off(sentence))).flatten().collect()
        }
        PartKind::Call { name, .. } => told(text, &|| does(&Action::of(name, &part.text))).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Whether a call does more than look or plan.
fn does(action: &Action) -> bool {
    match action {
        Action::Files(files) => files.iter().any(|(op, _)| op.changes()),
        Action::Run(_) | Action::Other(_) => !action.only_shows(),
        _ => false,
    }
}

/// Whether a sentence says that something is not done, or not yet.
pub(super) fn puts_off(sentence: &str) -> bool {
    let lower = lower(sentence).replace('’', "'");
    let has = |words: &&str| has_words(&lower, words);
    lower.contains("n't ") || PUT_OFF.iter().any(has)
}

/// The stems of the topic words of a text that are `wanted`; in scripts without spaces, pairs of characters.
pub(super) fn words(text: &str, wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    let inner = |char: char| char.is_alphanumeric() || char == '_';
    text.split(move |char| !inner(char)).filter(|word| word.len() >= SHORTEST).flat_map(move |word| {
        let mut lower = word.to_lowercase();
        let chars: Vec<char> =
            if lower.is_ascii() { Vec::new() } else { lower.chars().filter(|char| is_dense(*char)).collect() };
        let pairs = chars.windows(2).map(|pair| pair.iter().collect::<String>()).filter(|pair| wanted(pair));
        let pairs: Vec<String> = pairs.collect();
        let end = without_ending(&lower, &ENDINGS, SHORTEST).len();
        let is_long = lower.chars().count() >= SHORTEST;
        let says = chars.is_empty() && is_long && wanted(&lower[..end]) && !EMPTY.contains(&&*lower);
        lower.truncate(end);
        says.then_some(lower).into_iter().chain(pairs)
    })
}

#[cfg(test)]
mod tests {
    use super::ItemState::{Newest, Open, Over, Past};
    use super::*;
    use crate::summary::builders::{act, agent, user};
    use crate::summary::extractive::sections::ahead::PAST;
    use crate::summary::extractive::session::turns::{acts_behind, turns};
    use crate::transcript::InTurn;

    const PLAN: &str = r#"{"todos":[{"content":"Paint the quay","status":"pending"}]}"#;
    const EDIT: &str = r#"{"file_path":"/w/lamp.rs","old_string":"a","new_string":"b"}"#;

    /// The fates of lines of a summary after the first message.
    fn became(messages: &[Message<'_>], kept: &[Message<'_>], lines: &[&str]) -> Vec<ItemState> {
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let behind: Vec<&Message<'_>> = kept.iter().collect();
        let then: Vec<_> = lines.iter().map(|text| EarlierItem { place: 1, text: (*text).to_owned() }).collect();
        let session = Session { head: &head, asked: &[], behind: &behind };
        fates(&session, &turns(&head, &[]), &acts_behind(&behind, &InTurn), &then)
    }

    fn then(after: &[Message<'_>], lines: &[&str]) -> Vec<ItemState> {
        let before = user("Mend the old lamps of the harbour.");
        let all = [std::slice::from_ref(&before), after].concat();
        let told = became(&all, &[], lines);
        assert_eq!(became(&[before], after, lines), told, "the same behind the head");
        told
    }

    const LINES: [&str; 4] = [
        "Next: Look at the ferry",
        "Pending: Dredge the outer basin",
        "Open question to the user: “Why?”",
        "Blocked: No oil",
    ];

    #[test]
    fn what_is_still_to_be_verified_is_over_once_it_ran() {
        let verify = "Still to verify: Run `make lamp` to confirm that the pier has no holes (it was not run)";
        let more = "Still to verify: Run `make lamp` to confirm the oil and then paint the pier";
        let ran =
            |command: &str| then(&act("bash", &format!(r#"{{"command":"{command}"}}"#), "ok", false), &[verify, more]);
        assert_eq!(ran("make lamp")[0], Over);
        assert_ne!(ran("make lamp")[1], Over);
        assert_ne!(ran("make pier")[0], Over);
    }

    #[test]
    fn what_is_next_is_open_until_something_comes_after_it() {
        assert_eq!(then(&[], &LINES), [Newest; 4]);
        assert_eq!(then(&act("Read", r#"{"file_path":"/w/quay.rs"}"#, "fn", false), &LINES), [Newest; 4]);
        assert_eq!(then(&act("Edit", EDIT, "ok", false), &LINES), [Over, Open, Open, Open]);
        assert_eq!(then(&[agent("All the lamps burn.")], &LINES), [Over, Open, Open, Open]);
    }

    #[test]
    fn what_the_user_asks_for_comes_before_what_was_to_be_done() {
        let asked = then(&[user("Now draw a map of the lighthouse for me.")], &LINES);
        assert_eq!(asked, [Over, Past, Over, Past]);
        assert_eq!(then(&[user("continue")], &LINES), [Newest, Newest, Over, Newest]);
        let again = then(&[user("Now draw a map of the lighthouse for me.")], &[&format!("{PAST}Dredge the basin")]);
        assert_eq!(again, [Over]);
    }

    #[test]
    fn a_later_plan_replaces_what_was_next_and_not_what_waits() {
        assert_eq!(then(&act("TodoWrite", PLAN, "ok", false), &LINES), [Over, Open, Open, Open]);
    }

    #[test]
    fn words_that_put_a_task_off_do_not_end_it() {
        let lines = ["Pending: Paint the lighthouse in white"];
        for off in ["The lighthouse is not painted white yet.", "Painting the white lighthouse has to wait."] {
            assert_eq!(then(&[agent(off)], &lines), [Open], "{off}");
        }
        assert_eq!(then(&act("Grep", r#"{"pattern":"paint lighthouse white"}"#, "", false), &lines), [Newest]);
        assert_eq!(then(&[agent("The lighthouse is painted white.")], &lines), [Over]);
    }

    #[test]
    fn a_task_is_over_once_later_words_or_commands_are_about_it() {
        let lines = ["Pending: Commit and push the dredging of the basin", "Pending: Paint the lighthouse in white"];
        let commit = act("Bash", r#"{"command":"git commit -am 'Dredge the basin' && git push"}"#, "ok", false);
        assert_eq!(then(&commit, &lines), [Over, Newest]);
        let long = ["Pending: The last of the whole protocol of the harbour (git add, sync, git commit, git push)"];
        assert_eq!(then(&commit, &long), [Over]);
        let failed = act("Bash", r#"{"command":"git commit -am x && git push"}"#, "fatal: no upstream", true);
        assert_eq!(then(&failed, &long), [Newest]);
        assert_eq!(then(&[agent("The lighthouse is painted white."), user("continue")], &lines), [Open, Over]);
        let printed = act("Bash", r#"{"command":"cat notes"}"#, "Paint the lighthouse in white", false);
        assert_eq!(then(&printed, &lines), [Newest, Newest], "what a tool printed tells nothing of it");
        assert_eq!(then(&[agent("我已经完成了灯塔的粉刷。"), user("continue")], &["Pending: 粉刷灯塔"]), [Over]);
    }

    #[test]
    fn a_numbered_task_is_over_once_it_was_closed() {
        let lines = ["Pending: Task #2 (in_progress): Await the ferry", "Pending: Task #3 (pending): Ring"];
        let moved = |status: &str| act("TaskUpdate", &format!(r#"{{"taskId":"2","status":"{status}"}}"#), "ok", false);
        assert_eq!(then(&moved("completed"), &lines), [Over, Newest]);
        assert_eq!(then(&moved("in_progress"), &lines), [Newest; 2]);
        assert_eq!(then(&[moved("completed"), moved("pending")].concat(), &lines), [Newest; 2]);
    }

    #[test]
    fn what_is_listed_under_a_name_is_over_once_that_was_closed() {
        let lines = ["Pending: pier-3 — Fix the lamp", "Pending: #7: Ring the bell", "Pending: pier-31 — Paint"];
        let ran = |command: &str, failed: bool| {
            then(&act("Bash", &serde_json::json!({ "command": command }).to_string(), "Closed.", failed), &lines)
        };
        assert_eq!(ran("bd close pier-3", false), [Over, Newest, Newest]);
        assert_eq!(ran("cd /quay && gh issue close 7 --comment done", false), [Newest, Over, Newest]);
        assert_eq!(ran("bd update pier-31 --status=closed", false), [Newest, Newest, Over]);
        assert_eq!(ran("bd close pier-3", true), [Newest; 3]);
        assert_eq!(ran("bd show pier-3", false), [Newest; 3]);
        for other in ["bd close pier-3 && bd reopen pier-3", "gh pr close 7", "bd update pier-31 --status open"] {
            assert_eq!(ran(other, false), [Newest; 3], "{other}");
        }
        let counted = act("Bash", r#"{"command":"gh issue close 7"}"#, "Closed.", false);
        assert_eq!(then(&counted, &["Pending: 7 — Paint the wall"]), [Newest]);
    }

    #[test]
    fn a_command_that_was_to_be_run_is_over_once_it_ran() {
        let lines = ["Next: Once it is dry — Run the final `make tide`", "Pending: Mend what `make tide` draws"];
        let lines = [&lines[0].replace("Next", "Pending"), lines[1]];
        let ran = |failed: bool| act("Bash", r#"{"command":"cd /quay && make tide"}"#, "done", failed);
        assert_eq!(then(&ran(false), &lines), [Over, Newest]);
        assert_eq!(then(&ran(true), &lines), [Newest; 2]);
        let other = act("Bash", r#"{"command":"make lamp"}"#, "done", false);
        assert_eq!(then(&other, &lines), [Newest; 2]);
        let others = [
            "Pending: Run `make tide` and then paint the lighthouse of the pier",
            "Pending: Do not run `make tide` on Sundays",
        ];
        assert_eq!(then(&ran(false), &others), [Newest; 2]);
        let part = act("Bash", r#"{"command":"cargo test lamps"}"#, "done", false);
        assert_eq!(then(&part, &["Pending: Run the full `cargo test`"]), [Newest], "a part of it ran");
    }

    #[test]
    fn a_task_is_over_where_later_words_have_those_behind_its_context() {
        let line = "Pending: After the storm has gone by — Paint the old lighthouse in white";
        assert_eq!(then(&[agent("The old lighthouse is painted white.")], &[line]), [Over]);
    }

    #[test]
    fn nothing_was_committed_until_something_was() {
        let commit = act("Bash", r#"{"command":"git commit -am 'Dredge the basin'"}"#, "[main 1a2b3c4] x", false);
        let lines = ["No version control operations performed yet", "The ropes of the quay are not committed"];
        assert_eq!(then(&commit, &lines), [Over, Over]);
        assert_eq!(then(&[agent("The sea is calm.")], &lines), [Open, Open]);
        let before = [commit.to_vec(), vec![agent("The sea is calm.")]].concat();
        let lines: Vec<_> = lines.iter().map(|text| EarlierItem { place: 2, text: (*text).to_owned() }).collect();
        let head: Vec<&Message<'_>> = before.iter().collect();
        let session = Session { head: &head, asked: &[], behind: &[] };
        assert_eq!(fates(&session, &turns(&head, &[]), &[], &lines), [Over, Open]);
        let text = "No lamp of the pier burns, and the ropes of the quay are not committed".to_owned();
        let apart = [EarlierItem { place: 2, text }];
        assert_eq!(fates(&session, &turns(&head, &[]), &[], &apart), [Open], "it denies only the lamps");
    }

    #[test]
    fn trouble_without_a_name_is_over_once_changes_were_committed() {
        let commit = act("Bash", r#"{"command":"git -C /w commit -am 'Light it'"}"#, "[main 1a2b3c4] x", false);
        let lines = ["Two lint errors remain unfixed", "CURRENT: the test of `quay.rs` fails"];
        let edit = act("Edit", EDIT, "ok", false);
        let both = [edit.clone(), commit].concat();
        assert_eq!(then(&both, &lines), [Over, Open]);
        assert_eq!(then(&both, &["The memory leak under load remains unresolved."]), [Open], "no gate tells");
        assert_eq!(then(&edit, &lines), [Open, Open]);
        let merging = "Current merge conflict: Resolving the merge from keeper/pier-7";
        assert!(may_be_over(merging));
        assert_eq!([then(&both, &[merging])[0], then(&edit, &[merging])[0]], [Over, Open]);
        let facts = ["The mail server to be used is broken on Sundays.", "The error message to be shown is red."];
        assert_eq!(then(&both, &facts), [Open, Open]);
        assert!(!may_be_over("The current price of the tide book is nine crowns in every error message."));
    }

    #[test]
    fn tests_that_failed_since_are_not_told_to_pass() {
        let ran = |printed: &str| act("Bash", r#"{"command":"cargo test"}"#, printed, false);
        let lines = ["All tests pass.", "Mended the lamp; all tests pass."];
        assert_eq!(then(&ran("test result: FAILED. 1 passed; 2 failed"), &lines), [Over, Newest]);
        assert_eq!(then(&ran("test result: ok. 3 passed; 0 failed"), &lines), [Newest; 2]);
    }

    #[test]
    fn a_state_is_over_where_its_file_was_changed() {
        let lines = ["`lamp.rs`: Still needs: the wick", "`quay.rs`: Still needs: the ropes"];
        assert_eq!(then(&act("Edit", EDIT, "ok", false), &lines), [Over, Open]);
        let before = act("Edit", EDIT, "ok", false);
        let place_behind = became(&[before[0].clone()], &[], &lines);
        assert_eq!(place_behind, [Newest, Newest], "it was changed before");
    }
}
