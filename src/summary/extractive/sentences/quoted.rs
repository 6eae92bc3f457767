//! Text in an agent's message that is not its own statement: quoted lines, several sentences in quotation marks, thoughts
//! that it marks, acceptance criteria, confirmations of a form.

use crate::summary::text::{starts_any, words};
use std::borrow::Cow;

/// First words, in bold, of acceptance criteria.
const CRITERIA: [&str; 5] = ["Given", "When", "Then", "And", "But"];
/// Maximum number of own words that say too little without the quote beside them.
const FEW: usize = 4;
/// Words by which somebody adopts a quote, or refers to a text they supply.
const ADOPTING: [&str; 14] = [
    "this", "these", "rule", "rules", "guide", "style", "policy", "follow", "above", "below", "use", "hold", "apply",
    "respect",
];
/// Beginnings of a note that is set off like a quote.
const NOTES: [&str; 7] = ["**", "[!", "Note", "Warning", "Important", "Tip", "⚠"];

/// Marks around a thought, in lines of their own.
const THOUGHT: (&str, &str) = ("<thinking>", "</thinking>");

/// The quote or thought around the current line of a text.
pub(super) struct Quoted {
    /// Whether the quote's words are somebody else's; `None` outside of quotes.
    of_others: Option<bool>,
    /// Whether the text closes a thought; without that no mark opens one.
    thinks: bool,
    in_thought: bool,
}

impl Quoted {
    /// The state before the first line of a text.
    pub(super) fn of(text: &str) -> Self {
        Self { of_others: None, thinks: text.contains(THOUGHT.1), in_thought: false }
    }

    /// Whether a line is somebody else's, a thought, or an acceptance criterion. A note that is set off is not.
    pub(super) fn holds(&mut self, line: &str) -> bool {
        if self.in_thought || self.thinks && line.trim_start().starts_with(THOUGHT.0) {
            self.in_thought = !line.contains(THOUGHT.1);
            return true;
        }
        let trimmed = line.trim_start();
        let Some(quoted) = trimmed.strip_prefix('>') else {
            self.of_others = None;
            return is_criterion(trimmed);
        };
        let of_others = || !starts_any(quoted.trim_start(), &NOTES);
        *self.of_others.get_or_insert_with(of_others)
    }
}

/// A user's text without quoted lines, unless a colon hands them over, the user adopts them, or the other words are
/// too few: “let's try this”.
pub(in crate::summary::extractive) fn without_quotes(text: &str) -> Cow<'_, str> {
    let quotes = |line: &str| line.trim_start().starts_with("> ") || line.trim() == ">";
    if !text.lines().any(quotes) {
        return Cow::Borrowed(text);
    }
    let (mut handed, mut says) = (false, false);
    let mut own = |line: &&str| {
        let quoted = quotes(line);
        if !quoted && !line.trim().is_empty() {
            (handed, says) = (line.trim_end().ends_with([':', '：']), true);
        }
        !quoted || handed
    };
    let left: String = text.split_inclusive('\n').filter(|line| own(&line.trim_end_matches(['\n', '\r']))).collect();
    let adopts =
        || left.split(|char: char| !char.is_alphabetic()).any(|word| ADOPTING.contains(&&*word.to_lowercase()));
    if says && words(&left) > FEW && !adopts() { Cow::Owned(left.trim_start().to_owned()) } else { Cow::Borrowed(text) }
}

/// Whether a line is an acceptance criterion: “**Given** the lamp is out”, “- **And** the wick is dry”.
fn is_criterion(trimmed: &str) -> bool {
    let bold = trimmed.trim_start_matches(['-', '*', ' ']);
    let marked = trimmed.len() - bold.len() >= 2 && trimmed[..trimmed.len() - bold.len()].ends_with("**");
    let word = marked.then(|| bold.split_once("**")).flatten().map(|(word, _)| word);
    word.is_some_and(|word| CRITERIA.contains(&word.trim_end_matches([':', ','])))
}

/// Tracks quotation marks through the sentences of a paragraph: finds sentences that are quoted as a whole, or part
/// of a longer quote.
pub(super) struct Marks {
    open: bool,
}

impl Marks {
    /// The state before the first sentence of a paragraph; `None` if it has no closed quotation marks.
    pub(super) fn of(paragraph: &str) -> Option<Self> {
        let opens = paragraph.find(['“', '„'])?;
        let closes = paragraph.rfind(['”', '“']).is_some_and(|closes| closes > opens);
        closes.then_some(Self { open: false })
    }

    /// Whether the next sentence is in quotation marks.
    pub(super) fn hold(&mut self, sentence: &str) -> bool {
        let (before, mut german) = (self.open, false);
        for char in sentence.chars() {
            match char {
                '„' => (self.open, german) = (true, true),
                '“' => (self.open, german) = (!german, false),
                '”' => (self.open, german) = (false, false),
                _ => {}
            }
        }
        let whole = sentence.starts_with('“') && sentence.ends_with('”') && sentence.matches('“').count() == 1;
        before || self.open || whole
    }
}

/// Whether a line is a ticked confirmation of a form: “[x] I searched for old reports”. Other ticks are choices.
pub(in crate::summary::extractive) fn is_ticked(line: &str) -> bool {
    let boxed = line.trim_start().trim_start_matches(['-', '*', '+']).trim_start();
    let ticked = boxed.strip_prefix("[x] ").or_else(|| boxed.strip_prefix("[X] "));
    ticked.is_some_and(|text| text.starts_with("I ") || text.starts_with("I'") || text.starts_with("I’"))
}

#[cfg(test)]
mod tests {
    use super::super::prose::{sentences, typed};
    use super::without_quotes;

    #[test]
    fn quoted_lines_are_no_words_of_the_agent() {
        let text = "The board tells the ferries:\n\n> I lit the lamp of the pier. I mended the wick.\n> All lamps are lit.\n\nSo nobody needs a map.";
        assert_eq!(sentences(text), ["The board tells the ferries:", "So nobody needs a map."]);
        let note = "> **Note:** The lamp of the pier is out.\n> It has no oil.";
        assert_eq!(sentences(note).len(), 2, "{:?}", sentences(note));
    }

    #[test]
    fn what_a_user_quotes_is_no_word_of_his() {
        let told = |text: &str| without_quotes(text).into_owned();
        assert_eq!(told("> The lamp is lit.\n> All is well.\n\nbut it is dark here"), "but it is dark here");
        for whole in [
            "Mend this:\n> The lamp is out.",
            "> The lamp is out.",
            "> Light the lamp of the pier.\n  > Do not paint it in the rain.",
            "> Light it.\n\nlet's try this",
            "Light it if a > b",
            "Light it.",
        ] {
            assert_eq!(told(whole), whole);
        }
    }

    #[test]
    fn words_in_marks_over_several_sentences_are_no_words_of_the_agent() {
        let text = "It says “I lit the lamp. I mended the wick. All is well.”\n\nThat is kept short.";
        assert_eq!(sentences(text), ["That is kept short."]);
        assert_eq!(sentences("“All of the lamps are lit.”"), [""; 0]);
        for whole in [
            "It says “no oil” and stops there.",
            "Die Lampe meldet „kein Öl“ und geht aus. Das Licht der Lampe ist dann weg.",
            "The sign “no oil is lit by the keeper.",
        ] {
            assert_eq!(sentences(whole).join(" "), whole);
        }
    }

    #[test]
    fn criteria_are_no_words_of_the_agent() {
        let text = "Here is the story of the pier.\n\n**Given** the lamp has oil\n**When** the keeper lights it\n\
                    **Then** the board shows `lit`\n- **And** all tests pass via `make test`\n\nDoes that fit?";
        assert_eq!(sentences(text), ["Here is the story of the pier.", "Does that fit?"]);
        assert_eq!(sentences("**And** so it ends.\nThen the lamp is lit.").len(), 1);
        assert_eq!(typed("> **Given** the lamp has oil").len(), 1);
    }
}
