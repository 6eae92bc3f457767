//! What else a long request asks for, told where nothing else needs the room: its questions and the items of its lists.

use crate::summary::extractive::sentences::cues::is_question;
use crate::summary::extractive::sentences::prose::{typed, without_marker};
use crate::summary::extractive::sentences::structure::{is_console, is_structure};
use crate::summary::fence::Fence;
use crate::summary::joints::joined;
use crate::summary::text::{fold, has_any, starts_any};
use foldhash::HashSet;

/// Maximum length of a request that is told with all that it asks for, in characters, and of its lines.
const LONGEST: usize = 1_500;
const LINES: usize = 100;
/// Maximum length of the user's own sentences around what was pasted that are told whole, in characters, and their number.
const AROUND: usize = 800;
const MOST: usize = 20;
/// Least share of sentences in prose, in percent.
const PROSE: usize = 80;
/// Characters by which the beginning of what is told is looked up; the second number, as a number of a list may follow.
const BEGINNING: [usize; 2] = [40, 20];
/// Beginnings of letters, and words for a text that is shown.
const SALUTATIONS: [&str; 9] =
    ["Cher ", "Chère ", "Dear ", "Estimad", "Hallo ", "Hello ", "Hi ", "Liebe", "Sehr geehrte"];
const SHOWN: [&str; 10] = [
    "my essay",
    "my letter",
    "my story",
    "my text",
    "this email",
    "this essay",
    "this letter",
    "this mail",
    "this story",
    "this text",
];
/// What stands where something is left out.
const GAP: &str = " … ";

/// What a request that is too long to be told at once asks for.
#[derive(Default)]
pub(in crate::summary::extractive) struct More {
    /// All of it on one line, if it is only prose; the user's own sentences, if they stand around
    /// something pasted.
    prose: Option<String>,
    /// Its sentences that ask, or are items of a list, in order.
    asks: Vec<String>,
}

impl More {
    /// Reads the text of a request with these sentences; `own` are the user's where it shows something else, too.
    pub(super) fn of(text: &str, sentences: &[String], own: Option<&[String]>) -> Self {
        if let Some(own) = own {
            return Self::around(own);
        }
        let is_prose = |line: &str| !line.contains("```") && !is_structure(line) && !is_console(line);
        let is_short = text.len() <= 4 * LONGEST && text.lines().count() <= LINES;
        let prose = Some(text).filter(|_| is_short && text.lines().all(is_prose)).map(fold);
        // Much that is no sentence was pasted.
        let length: usize = sentences.iter().map(|sentence| sentence.chars().count() + 1).sum();
        let says = |count: usize| count <= LONGEST && length * 100 >= count * PROSE;
        let prose = prose.filter(|prose| says(prose.chars().count()) && !shows_text(text));
        let items: HashSet<String> = typed(&items(text)).into_iter().collect();
        let asks = |sentence: &&String| items.contains(*sentence) || is_question(&sentence.to_lowercase());
        Self { prose, asks: sentences.iter().filter(asks).cloned().collect() }
    }

    /// Reads the user's own sentences around something pasted.
    fn around(own: &[String]) -> Self {
        let length: usize = own.iter().map(|sentence| sentence.chars().count() + 1).sum();
        let prose = (length <= AROUND && own.len() <= MOST).then(|| joined(own));
        Self { prose, asks: Vec::new() }
    }

    /// The request as told with what that leaves out of its questions and items; `None` if it leaves out none.
    pub(in crate::summary::extractive) fn with(&self, told: &str) -> Option<String> {
        let begun = |most: usize| told.chars().take_while(|char| *char != '…').take(most).collect::<String>();
        let found = |prose: &str| BEGINNING.iter().find_map(|most| prose.find(begun(*most).trim_end()));
        let prose = self.prose.as_ref().and_then(|prose| found(prose).map(|at| &prose[at..]));
        if let Some(prose) = prose {
            return Some(prose.to_owned()).filter(|all| all.len() > told.len());
        }
        let left: Vec<&String> = self.asks.iter().filter(|sentence| !told.contains(sentence.as_str())).collect();
        let mut room = LONGEST.saturating_sub(told.chars().count());
        let fits = |sentence: &&&String| {
            let length = sentence.chars().count() + GAP.chars().count();
            let fits = length <= room;
            room = if fits { room - length } else { 0 };
            fits
        };
        let more: Vec<&str> = left.iter().take_while(fits).map(|sentence| sentence.as_str()).collect();
        (!more.is_empty()).then(|| format!("{}{GAP}{}", told.trim_end_matches(['…', ' ']), joined(&more)))
    }
}

/// Whether a request shows a text of somebody to work on: a letter with its salutation, an essay.
fn shows_text(text: &str) -> bool {
    let first = text.split(['.', '?', '!', '\n']).next().unwrap_or_default().to_lowercase();
    text.lines().skip(1).any(|line| starts_any(line.trim(), &SALUTATIONS)) || has_any(&first, &SHOWN)
}

/// The items of the lists of a text.
fn items(text: &str) -> String {
    let mut fence = Fence::default();
    let is_item = |line: &&str| !fence.holds(line.trim_end()) && without_marker(line.trim()).0;
    text.split_inclusive('\n').filter(is_item).collect()
}

#[cfg(test)]
mod tests {
    use super::super::asked::Asked;

    #[test]
    fn a_long_request_is_told_with_all_that_it_asks() {
        let lamps: String = (1..=9).map(|pier| format!("Which lamps burn on pier {pier} at night?\n")).collect();
        let text = format!(
            "Find out how the harbour is lit.\n1. Piers (most important)\n\n{lamps}\n2. Quays\n\nIs there oil?\n"
        );
        let told = |text: &str| {
            let asked = Asked::read(Some(0), text, String::new());
            asked.more.with(&asked.beginning(300)).unwrap_or_default()
        };
        let pier = "on pier 9 at night? 2. Quays Is there oil?";
        let tides: String = (1..=5).map(|day| format!("The tide was low on day {day}, and nobody saw it. ")).collect();
        let long = text + &tides;
        assert!(told(&long).contains(pier) && told(&long).starts_with("Find out"), "{}", told(&long));
        let code = format!("{long}\n```\nlamp()\n```\n- Mend the lamp of the old pier.\n");
        let told = told(&code);
        assert!(told.contains("on pier 9 at night? Is there oil? Mend the lamp of the old pier."), "{told}");
        assert!(!told.contains("tide was low") && !told.contains("lamp()"), "{told}");
        let log: String = (0..20).map(|number| format!("lamp_{number}: ok (12 ms)\n")).collect();
        let pasted = Asked::read(Some(0), &format!("The build of the harbour fails now.\n{log}"), String::new());
        assert_eq!(pasted.more.with("The build of the harbour fails now."), None);
        let mail = "How do I answer this mail of mine? It came today.\n\nDear Ada,\n\nI want my money back by Friday.";
        let answered = Asked::read(Some(0), mail, String::new());
        assert_eq!(answered.more.with("How do I answer this mail of mine?"), None);
    }

    #[test]
    fn a_request_around_code_is_told_with_all_its_sentences() {
        let code = "body {\n  margin: 0;\n}\n\n#lamp {\n  color: red;\n}\n".repeat(9);
        let before: String = (1..=5)
            .map(|pier| format!("Make the lamp of pier {pier} burn like this, but darker than the sea. "))
            .collect();
        let text = format!(
            "{before}\n\n{code}\nLet nobody scroll to see the lamp. Leave out the line about the tides.\nThe ferry is too loud."
        );
        let asked = Asked::read(Some(0), &text, String::new());
        let told = asked.more.with(&asked.beginning(300)).unwrap_or_default();
        let end = "Let nobody scroll to see the lamp. Leave out the line about the tides. The ferry is too loud.";
        assert!(told.ends_with(end) && told.starts_with("Make the lamp") && !told.contains("margin"), "{told}");
        let log: String = (0..20).map(|number| format!("lamp_{number}: ok (12 ms)\n")).collect();
        let pasted = Asked::read(Some(0), &format!("{before}\n{log}{}", "The tide is low. ".repeat(60)), String::new());
        assert_eq!(pasted.more.with(&pasted.beginning(300)), None, "too much of it");
    }

    #[test]
    fn a_request_that_asks_for_nothing_more_is_told_as_before() {
        let text = format!("Light the pier.\n\n```\nlamp()\n```\n{}", "The tide was low at the quay. ".repeat(30));
        let asked = Asked::read(Some(0), &text, String::new());
        assert_eq!(asked.more.with(&asked.beginning(300)), None);
    }
}
