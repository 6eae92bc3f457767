//! What a user shows of others: output of programs and findings of reviews. It is the material of a request, and no
//! rule.

use super::material::without_material;
use super::numbered::{is_of_diff, is_of_trace, shows_diff, shows_trace, without_time};
use crate::summary::extractive::sentences::faults::is_of_faults;
use crate::summary::extractive::sentences::prose::{typed, without_marker};
use crate::summary::extractive::sentences::structure::is_console;
use crate::summary::extractive::words::SPEAKERS;
use crate::summary::fence::Fence;
use crate::summary::text::{all_digits, contains_any, ends_any, first_bytes, is_dense, is_number, starts_any};
use foldhash::HashSet;
use std::borrow::Cow;

/// Ends of the first word of a line that names an error.
const COMPLAINTS: [&str; 7] = ["error:", "exception:", "fatal:", "panic:", "warning:", "hint:", "error]:"];
/// Other lower-case beginnings of output lines.
const PRINTED: [&str; 27] = [
    // Git's advice on a detached head.
    "note: switching to 'refs/",
    "you are in 'detached head' state",
    "changes and commit them, and you can discard any commits",
    "state without impacting any branches by switching back",
    "if you want to create a new branch to retain commits you create, you may",
    "turn off this advice by setting",
    // React's reasons for a failed hydration.
    "a tree hydrated but some attributes",
    "- a server/client branch `if (typeof window",
    "- variable input such as `date.now()`",
    "hydration failed because the server rendered",
    "hydration failed because the initial ui",
    "- invalid html tag nesting",
    "- external changing data without sending a snapshot",
    "it can also happen if the client has a browser extension",
    "exit status ",
    "failed to solve: ",
    "(node:",
    "[violation] ",
    "caused by:",
    "error[",
    "exception in thread",
    "npm err!",
    "npm error",
    "npm warn",
    "traceback (most recent",
    "unhandled ",
    "uncaught ",
];
/// Levels at the start of log lines.
const LEVELS: [&str; 5] = ["INFO:", "DEBUG:", "[INFO]", "[WARN]", "[ERROR]"];
/// Beginnings of request lines in a server log.
const CALLS: [&str; 5] = ["GET /", "POST /", "PUT /", "DELETE /", "PATCH /"];
/// Check marks at the start of a builder's lines.
const TICKS: [char; 5] = ['✔', '✓', '✗', '✘', '×'];
/// Extensions of files whose position a browser prints before its messages.
const SCRIPTS: [&str; 6] = [".js", ".jsx", ".ts", ".tsx", ".mjs", ".vue"];
/// Minimum number of columns of a table row.
const COLUMNS: usize = 4;
/// Maximum length of a cell, in bytes.
const CELL: usize = 60;
/// Beginnings of error lines that a user may also write: only the lines below are surely output.
const TOLD: [&str; 6] = ["Error ", "Failed to ", "Could not ", "Cannot ", "Unable to ", "Warning "];
/// First words, in lower case, of a line that a user typed after output; one that begins in lower case counts anyway.
const PERSONS: [&str; 27] = [
    "a", "also", "always", "and", "but", "can", "could", "don't", "do", "fix", "how", "i", "i'm", "it", "let's",
    "keep", "never", "now", "only", "please", "should", "so", "use", "we", "what", "why", "you",
];

/// Labels of a review's finding; a number or mark may precede them.
const LABELS: [&str; 22] = [
    "actual",
    "boundary",
    "brief rationale",
    "conclusion",
    "evidence",
    "finding",
    "gap",
    "impact",
    "observed",
    "rationale",
    "reason",
    "reasoning",
    "root cause",
    "severity",
    "status",
    "title",
    "verdict",
    "why",
    "why it matters",
    "证据",
    "影响",
    "结论",
];
/// Labels that other texts have too: they alone make no review.
const PLAIN: [&str; 5] = ["reason", "reasoning", "status", "title", "why"];
/// Minimum number of output lines of a log.
const LOG: usize = 3;
/// Bytes of a line in which an error name is looked for.
const COMPLAINT: usize = 80;
/// Minimum number of labels of a review.
const LEAST: usize = 3;
/// First words of a review's sentence that says what to do.
const ORDERS: [&str; 24] = [
    "add",
    "always",
    "avoid",
    "change",
    "do not",
    "don't",
    "ensure",
    "fix",
    "i",
    "implement",
    "keep",
    "let's",
    "make",
    "never",
    "now",
    "please",
    "remove",
    "stop",
    "use",
    "we",
    "write",
    "you",
    "请",
    "不要",
];

/// The user's own sentences, if the message also shows text of others; otherwise `None`.
pub(super) fn own(text: &str, sentences: &[String]) -> Option<Vec<String>> {
    let without = without_material(text);
    let left = match without_output(without.as_deref().unwrap_or(text)) {
        Cow::Owned(left) => Some(left),
        Cow::Borrowed(_) => without.clone(),
    };
    let mut own = left.as_deref().map_or_else(|| sentences.to_vec(), typed);
    let fields: Vec<(usize, String)> = own.iter().enumerate().filter_map(|(at, own)| Some((at, field(own)?))).collect();
    let is_review = fields.len() >= LEAST && fields.iter().any(|(_, label)| !PLAIN.contains(&label.as_str()));
    let first = fields.first().map(|(at, _)| *at).filter(|_| is_review);
    if let Some(first) = first {
        let mut at = 0;
        own.retain(|sentence| {
            at += 1;
            at <= first || orders(sentence)
        });
    }
    (first.is_some() || left.is_some()).then_some(own)
}

/// Whether a sentence beside output sounds like a person: only letters and punctuation, or first-person words.
fn is_voice(sentence: &str) -> bool {
    let plain = |char: char| char.is_alphabetic() || char.is_whitespace() || ".,!?'’\"“”-…。，！？、".contains(char);
    is_personal(sentence) || speaks(sentence) || sentence.chars().all(plain)
}

/// The sentences of a message beside its log: all of them, and those of paragraphs that sound like a person.
pub(super) struct Voices {
    pub(super) left: Vec<String>,
    pub(super) voiced: Vec<String>,
}

impl Voices {
    /// Moves the user's own sentences before those of printed output, both in their order; a sentence that they announce
    /// stays with them.
    pub(super) fn come_first(&self, sentences: &mut [String]) {
        let known: HashSet<&String> = sentences.iter().collect();
        // Sentences that were split in another way cannot be matched.
        if !self.left.iter().all(|sentence| known.contains(sentence)) {
            return;
        }
        let (left, voiced): (HashSet<_>, HashSet<_>) = (self.left.iter().collect(), self.voiced.iter().collect());
        let (mut announced, mut behind) = (false, false);
        let is_own = |sentence: &String| {
            let own = left.contains(sentence) && (!behind || voiced.contains(sentence));
            behind |= !left.contains(sentence);
            let told = own || announced;
            announced = own && sentence.ends_with([':', '：']);
            told
        };
        let (own, others): (Vec<String>, Vec<String>) = sentences.iter().cloned().partition(is_own);
        for (place, sentence) in sentences.iter_mut().zip(own.into_iter().chain(others)) {
            *place = sentence;
        }
    }
}

/// The sentences beside a log; `None` if fewer than [`LOG`] lines are output.
pub(super) fn beside_log(text: &str) -> Option<Voices> {
    let (left, printed) = without_printed(text);
    let paragraphs = left.split("\n\n").map(typed).filter(|own| own.iter().any(|sentence| is_voice(sentence)));
    (printed >= LOG).then(|| Voices { voiced: paragraphs.flatten().collect(), left: typed(&left) })
}

/// The sentences of a message that are not the user's own, or no rules of the user: output, findings of a review, lists
/// of what is wrong.
pub fn shown(text: &str) -> Vec<String> {
    let mut all = typed(text);
    match own(text, &all) {
        Some(own) => {
            let own: HashSet<String> = own.into_iter().collect();
            all.retain(|sentence| !own.contains(sentence) || is_of_faults(sentence));
        }
        None => all.retain(|sentence| is_of_faults(sentence)),
    }
    all
}

/// The label of a review at the start of a sentence.
fn field(sentence: &str) -> Option<String> {
    label(sentence).filter(|label| LABELS.contains(&label.as_str()))
}

/// The lower-case words before the first colon.
fn label(sentence: &str) -> Option<String> {
    let (label, _) = sentence.split_once([':', '：'])?;
    (label.len() <= 24).then(|| label.trim_start_matches(|char: char| !char.is_alphabetic()).to_lowercase())
}

/// Whether a sentence of a review says what to do rather than what is wrong.
pub(super) fn orders(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    let begins = |order: &str| {
        let rest = lower.strip_prefix(order);
        rest.is_some_and(|rest| {
            !order.is_ascii() || !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-')
        })
    };
    label(sentence).map_or_else(|| ORDERS.iter().any(|order| begins(order)), |label| label.ends_with("fix"))
}

/// What the lines before determine about the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Above {
    Words,
    /// An error line: the rest of its paragraph is output too.
    Complaint,
    /// A shell prompt: the user's words begin a new paragraph.
    Prompt,
}

/// A text without its output lines.
fn without_output(text: &str) -> Cow<'_, str> {
    let (left, printed) = without_printed(text);
    if printed > 0 { Cow::Owned(left) } else { Cow::Borrowed(text) }
}

/// A text without its output lines, and the number of these.
fn without_printed(text: &str) -> (String, usize) {
    let (mut above, mut blank, mut printed) = (Above::Words, true, 0);
    let (mut out, mut fence) = (String::new(), Fence::default());
    let (shows_diff, shows_trace) = (shows_diff(text), shows_trace(text));
    let is_shown = |line: &str| shows_diff && is_of_diff(line) || shows_trace && is_of_trace(line);
    let is_logged = |line: &str| is_logged(line) || is_shown(line);
    let mut lines = text.lines().map(|line| (line, is_logged(line))).peekable();
    let (mut logged_before, mut announced) = (false, false);
    while let Some((line, logged)) = lines.next() {
        // A single such line may be the user's.
        let in_log = logged && (logged_before || lines.peek().is_some_and(|(_, logged)| *logged));
        logged_before = logged;
        // Fenced text is not parsed, and markup was written by a person, except a list that output announced.
        let ticked = above == Above::Complaint && line.trim_start().starts_with(TICKS);
        let listed = without_marker(line).0 && !ticked && !logged && !is_prompt(line);
        let is_markup = line.starts_with(['#', '<']) && without_time(line) == line;
        announced &= listed || line.trim().is_empty();
        if fence.holds(line) || is_markup || listed && !announced {
            (above, blank) = (Above::Words, true);
            out.extend([line, "\n"]);
            continue;
        }
        let complains = in_log || is_complaint(line);
        let ends = match above {
            Above::Words => false,
            Above::Complaint => !announced && (line.trim().is_empty() || is_personal(line)),
            Above::Prompt => blank && (is_personal(line) || speaks(line)),
        };
        if is_prompt(line) {
            above = Above::Prompt;
        } else if above != Above::Prompt && (complains || starts_any(line, &TOLD)) {
            // A user may write about an error too.
            let lone = above == Above::Words && !complains;
            above = Above::Complaint;
            if lone {
                out.push_str(line);
            }
            printed += usize::from(!lone);
        } else if ends || above == Above::Words {
            above = Above::Words;
            out.push_str(line);
        } else {
            printed += usize::from(!line.trim().is_empty());
        }
        blank = line.trim().is_empty();
        announced |= above == Above::Complaint && line.trim_end().ends_with(':');
        out.push('\n');
    }
    (out, printed)
}

/// Whether a line of output names an error or shows usage.
fn is_complaint(line: &str) -> bool {
    let line = without_time(line.trim_start());
    let used = || line.starts_with("usage: ") && (line.contains(" [-") || line.contains(" --"));
    if warns(line) || used() || line.starts_with("=> [") || of_browser(line) {
        return true;
    }
    let lower = first_bytes(line, COMPLAINT).to_lowercase();
    let first = lower.split(' ').next().unwrap_or_default();
    ends_any(first, &COMPLAINTS) || starts_any(&lower, &PRINTED)
}

/// A Python warning: `/quay/lamp.py:24: UserWarning: lit`
fn warns(line: &str) -> bool {
    let place = line.split_once("Warning: ").and_then(|(place, _)| place.split_once(": ")).map(|(place, _)| place);
    let is_file = |place: &&str| place.starts_with('/') || place.contains(".py:");
    let number = place.filter(is_file).and_then(|place| place.rsplit_once(':'));
    number.is_some_and(|(_, number)| is_number(number))
}

/// A browser's message or stack frame: `lamp.js?v=7:24 Lamp Warning: lit`, `light @ lamp.js:24`
fn of_browser(line: &str) -> bool {
    let place = |word: &str| {
        let (mut place, _) = word.rsplit_once(':').filter(|(_, number)| is_number(number))?;
        if let Some((file, _)) = place.rsplit_once(':').filter(|(_, line)| is_number(line)) {
            place = file;
        }
        let (file, version) = place.split_once('?').map_or((place, false), |(file, _)| (file, true));
        ends_any(file, &SCRIPTS).then_some(version)
    };
    let Some((first, rest)) = line.split_once(' ') else { return false };
    let complains = || contains_any(&first_bytes(rest, COMPLAINT).to_lowercase(), &COMPLAINTS);
    let frame = rest.strip_prefix("@ ").is_some_and(|rest| place(rest.trim_end()).is_some());
    frame || place(first).is_some_and(|version| version || complains())
}

/// Whether a line is from a log or table: `2026-01-02 03:04:05 lit`, `INFO:     lit`, `(Quay pid=17) lit`, or
/// columns.
fn is_logged(line: &str) -> bool {
    let line = line.trim_start();
    let time = line.trim_start_matches('[').as_bytes();
    let digits = |from: usize, to: usize| time.get(from..to).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    let dated = digits(0, 4) && time.get(4) == Some(&b'-') && digits(5, 7) && digits(8, 10) && digits(11, 13);
    // A service among several, with its name in a column or numbered: `quay-lamp  | lit`, `quay-1 | lit`
    let of_service = || {
        let Some((column, _)) = line.split_once(" | ") else { return false };
        let name = column.trim_end();
        let plain = !name.is_empty() && name.contains(['-', '_']) && !name.contains([' ', '|', '`']);
        plain && (name.len() < column.len() || name.ends_with(|last: char| last.is_ascii_digit()))
    };
    let of_process = || line.starts_with('(') && line.split_once(')').is_some_and(|(name, _)| name.contains(" pid="));
    let is_row = || {
        if !line.contains("  ") || line.starts_with('|') {
            return false;
        }
        let mut cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        // Some people put two spaces after a sentence.
        let all = cells.clone().all(|cell| cell.len() <= CELL && !cell.ends_with(['.', ',', ':', ';', '?', '!']));
        all && cells.nth(COLUMNS - 1).is_some()
    };
    // `GET /quay 200 in 7ms`
    let is_call = || {
        let mut words = line.split(' ').skip(2);
        let is_status = |word: &str| word.len() == 3 && all_digits(word);
        starts_any(line, &CALLS)
            && words.next().is_some_and(is_status)
            && matches!(words.next(), None | Some("in" | "-"))
    };
    // `[+] Building 60.6s (19/19) FINISHED`
    let builds = || line.starts_with("[+] Building ") && line.contains('/') && line.contains("s (");
    let of_builder = || starts_any(line, &LEVELS) || line.starts_with("=> [") || is_call() || builds();
    dated || of_builder() || of_process() || of_service() || is_row()
}

/// Whether a line has a shell prompt: `$ ls`, `PS C:\\>`, `me@quay:~/map$ ls`, `(base) ➜ map ls`.
fn is_prompt(line: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix('(').and_then(|named| named.split_once(") ")).map_or(line, |(_, prompt)| prompt);
    let first = line.split(' ').next().unwrap_or_default();
    let named = first.contains('@') && first.contains(':') && first.ends_with(['$', '#', '%']);
    let windows = line.strip_prefix("PS ").is_some_and(|rest| rest.contains(":\\") && rest.contains('>'));
    first == "$" || named || windows || line.starts_with(['➜', '❯']) || is_console(line)
}

/// Whether a line has first-person words, or a first word in a script that few programs print.
pub(super) fn speaks(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    let other = first.chars().any(|char| char.is_alphabetic() && char > '\u{36f}');
    other || line.split([' ', ',']).any(|word| SPEAKERS.contains(&word))
}

/// Whether a line looks like one that a user typed.
pub(super) fn is_personal(line: &str) -> bool {
    let first = line.split([' ', ',']).next().unwrap_or_default();
    let is_word = !first.is_empty() && first.chars().all(|char| char.is_alphabetic() || "'’".contains(char));
    let lower = first.to_lowercase().replace('’', "'");
    is_word && (first.starts_with(char::is_lowercase) || PERSONS.contains(&&*lower) || first.chars().any(is_dense))
}

#[cfg(test)]
pub(super) mod tests {
    use super::own;
    use crate::summary::extractive::sentences::prose::typed;

    /// The sentences of a text that are the user's own.
    pub(in crate::summary::extractive::user) fn own_of(text: &str) -> Vec<String> {
        let sentences = typed(text);
        own(text, &sentences).unwrap_or(sentences)
    }

    #[test]
    fn rules_in_columns_are_no_log_of_programs() {
        let rules = "read-only | must never be changed\nno-touch | must never be changed";
        assert_eq!(own_of(rules).len(), typed(rules).len());
        assert!(super::is_logged("quay-lamp  | lit") && super::is_logged("quay-1 | lit"));
    }

    #[test]
    fn what_a_program_complains_is_not_the_users() {
        let text = "Error loading tides: no such quay\nCould not open tide.json. Make sure it is in the same folder.\n\n\
                    never change the map";
        assert_eq!(own_of(text), ["Error loading tides: no such quay", "never change the map"]);
        let text = "When I light the lamp I get this:\n\n(node:8) LampWarning: The lamp is old. Please use another one instead.\n\
                    Oil: low\nError: no oil. Please renew the oil.\nplease fix it\nError: no oil\n2. Never light it twice.";
        let kept = ["When I light the lamp I get this:", "please fix it", "Never light it twice."];
        assert_eq!(own_of(text), kept);
    }

    #[test]
    fn output_with_times_and_numbered_diffs_is_not_the_users() {
        let npm = "please fix this:\n\n158.5 npm error The exit handler of the lamp is never called!\n158.5 npm error You must tell us of it.\n\nnever change the map";
        assert_eq!(own_of(npm), ["please fix this:", "never change the map"]);
        let built = "please fix this:\n\n#8 12.3 npm error The lamp must never be lit.\n#8 12.4 You must light it.\n\nnever change the map";
        assert_eq!(own_of(built), ["please fix this:", "never change the map"]);
        let run =
            "❯ ./light.sh\nLighting all lamps of the pier now\nThe lamp must never be lit\n\nnever change the map";
        assert_eq!(own_of(run), ["never change the map"]);
        let diff = "why this?\n\n  - 12 The lamp must be lit by the keeper\n  + 12 The lamp must never be lit by\n       anybody who is not the keeper\n  + 13 Always ask him first.\n\nnever change the map";
        assert_eq!(own_of(diff).last().map(String::as_str), Some("never change the map"));
        assert!(own_of(diff).iter().all(|own| !own.contains("keeper") && !own.contains("ask")), "{:?}", own_of(diff));
        let list = "I want this:\n\n- 3 lamps must burn\n- 4 buoys must never sink";
        assert_eq!(own_of(list).len(), 3);
    }

    #[test]
    fn the_trace_of_a_notebook_is_not_the_users() {
        let trace = "claude me ayudas con esto:\n\nCell In[7], line 16\n     15 # never light it twice\n---> 16 light()\n\nFile ~/quay/lamp.py:92, in light()\n     91     # you must light it here\n---> 92 raise OilError\n\nNO QUIERO QUE LO ARREGLES";
        assert_eq!(own_of(trace), ["claude me ayudas con esto:", "NO QUIERO QUE LO ARREGLES"]);
    }

    #[test]
    fn what_git_and_react_advise_is_not_the_users() {
        let git = "CI failed:\n\nNote: switching to 'refs/pull/17/merge'.\n\nYou are in 'detached HEAD' state. You can look \
                   around, make experimental\nchanges and commit them, and you can discard any commits you make in \
                   this\nstate without impacting any branches by switching back to a branch.";
        let react = "fix it\n\nHydration failed because the server rendered HTML didn't match the client. This can \
                     happen:\n\n- A server/client branch `if (typeof window !== 'undefined')`.\n- External changing \
                     data without sending a snapshot of it along with the HTML.\n- Invalid HTML tag nesting.";
        for (text, said) in [(git, "CI failed:"), (react, "fix it")] {
            let own = own_of(text);
            assert!(own.iter().all(|sentence| sentence == said), "{own:?}");
        }
    }

    #[test]
    fn what_stands_below_a_prompt_is_not_the_users() {
        let text = "I did this:\n\nme@quay:~/map$ git commit\nTo silence this, always run `oil`.\n\nNo lamps were lit here.\n\n\
                    but don't light the red lamp";
        assert_eq!(own_of(text), ["I did this:", "but don't light the red lamp"]);
    }

    #[test]
    fn what_stands_in_a_log_or_a_table_is_not_the_users() {
        for pasted in [
            "(base) ➜ tides make\nUse the new buoy instead.",
            "2026-01-02 03:04:05 INFO lamp lit\n2026-01-02 03:04:06 Never mind the lamp.",
            "NAME     READY   STATUS    AGE\nlamp-1   1/1     Running   3h",
            "(Quay pid=17) Please name the lamp.\nINFO:     lit",
            "INFO: never mind the lamp\nINFO: the tide is high",
            "/quay/lamp.py:24: UserWarning: please use oil\n  burn(lamp)",
            "C:\\quay\\lamp.py:24: FutureWarning: It will no longer burn. Please use oil.\n  burn(lamp)",
            "usage: lamp.py [-h] --oil OIL\nlamp.py: error: the following is required: --oil",
        ] {
            let text = format!("Look at what it says.\n\n{pasted}\n\nnever light it twice");
            assert_eq!(own_of(&text), ["Look at what it says.", "never light it twice"], "{pasted}");
        }
        for own in [
            "On 2026-01-02 we sailed.\nAlways look at the tide.",
            "INFO: never touch the legend of the map.",
            "Usage: always call it with --tide.",
            "Never use the old tide.\n\n2026\n",
            "Always use  oil  for the lamps  here  please",
        ] {
            assert_eq!(own_of(own), typed(own), "{own}");
        }
    }

    #[test]
    fn what_builders_and_browsers_print_is_not_the_users() {
        for pasted in [
            "[+] Building 60.6s (19/19) FINISHED\n => [quay] load the lamps 0.0s\nLamps should burn new oil.\n ✔ lamp Lit 0.0s\nMust be lit.",
            "GET /lamps 200 in 7ms\nPOST /lamps 503 in 9ms",
            "quay-dom.js?v=77c1:43 The quay is old. You should use the new one.\nlight @ quay-dom.js?v=77c1:43",
            "Quay.tsx:43 Lamp Warning: You should always use the new oil.\nwarn @ Quay.tsx:44",
        ] {
            let text = format!("Look at what it says.\n\n{pasted}\n\nnever light it twice");
            assert_eq!(own_of(&text), ["Look at what it says.", "never light it twice"], "{pasted}");
        }
        for own in [
            "[Note] Never touch the map of the pier.",
            "[Warning] Never touch the map of the pier.",
            "GET /lamps must never be cached by it.",
            "POST /lamps should only be called once.",
            "lamp.ts:14 must never block the ferry.\nbuoy.ts:3 should use the new oil.",
            "src/lamp.ts:14 should never block it.",
            "✔ the lamp is lit now\n✗ the buoy must be lit, too",
            "(never light it twice, please)",
            "(!) the chart must never be empty",
            "[Error] labels must always be red",
            "GET /lamps 200 must be cached by it.\nPOST /lamps 201 must never be cached by it.",
            "[+] building the lamp must never need oil",
            "@lamp.js:14 must never be changed.",
            "[+] add a lamp, and never remove the old one",
        ] {
            assert_eq!(own_of(own), typed(own), "{own}");
        }
    }

    #[test]
    fn who_speaks_of_himself_below_a_prompt_is_the_user() {
        for words in
            ["When I run it, the lamp must not burn.", "The lamp of my quay never burns.", "Лампа не горит совсем."]
        {
            assert_eq!(own_of(&format!("$ make lamp\nno oil here today\n\n{words}")), [words]);
        }
        assert!(own_of("$ make lamp\n\nUsually the lamp is lit by hand.").is_empty());
    }

    #[test]
    fn a_users_own_rules_stay_beside_what_was_pasted() {
        let text = "$ make lamp\nno oil here today\n\nUse oil of the pier, never tar.\n\nOnly the pier may be changed.";
        assert_eq!(own_of(text), ["Use oil of the pier, never tar.", "Only the pier may be changed."]);
        let plain = "Title: the lamps of the pier\nStatus: they are out again\nReason: there is no oil\n\nLamps must never burn by day.";
        assert_eq!(own_of(plain).last().map(String::as_str), Some("Lamps must never burn by day."));
    }

    #[test]
    fn what_a_review_finds_is_no_rule_but_what_it_orders_is() {
        let fault = "- Evidence: the lamps of the pier\n- Impact: The lamps that are required must not burn.\n\
                     - Fix: Never light the lamp twice.\n\n";
        let text = format!("Never change the map. Mend these:\n\n{}Only the lamp of the pier burns.", fault.repeat(2));
        let fix = "Fix: Never light the lamp twice.";
        assert_eq!(own_of(&text), ["Never change the map.", fix, fix]);
        let told = "Impact: high, never sail.\nOnly the lamp of the pier burns.";
        assert_eq!(own_of(told), typed(told));
    }
}
