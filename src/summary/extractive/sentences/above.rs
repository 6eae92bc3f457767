//! A paragraph after a code block may have its subject in it: “are in their own folders.”

use super::cues::lacks_subject;
use crate::summary::text::has_inner_capital;

/// Maximum length of a name, in bytes.
const NAME: usize = 60;

/// The code block right before a paragraph.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Above<'t> {
    /// Number of its lines, fence marks included.
    lines: usize,
    second: &'t str,
}

/// How a paragraph relates to the code before it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Begun {
    /// It is complete.
    Whole,
    /// It needs this text before it.
    By(String),
    /// Its first sentence began in the code.
    InCode,
}

impl<'t> Above<'t> {
    pub(super) fn take(&mut self, line: &'t str) {
        self.lines += 1;
        if self.lines == 2 {
            self.second = line.trim();
        }
    }

    /// How a paragraph after the code relates to it.
    pub(super) fn begun(self, paragraph: &str) -> Begun {
        let is_cut = lacks_subject(paragraph);
        match self.name() {
            _ if self.lines == 0 => Begun::Whole,
            Some(name) if paragraph.contains(name) => Begun::Whole,
            Some(name) if is_cut => Begun::By(format!("`{name}` ")),
            None if is_cut => Begun::InCode,
            _ => Begun::Whole,
        }
    }

    /// The name in the code, if the code is one line with a name that is no plain word.
    fn name(self) -> Option<&'t str> {
        let name = self.second;
        let inner = name.chars().all(|char| char.is_alphanumeric() || "_./:-".contains(char));
        let exact = name.contains(['_', '.', '/', ':']) || has_inner_capital(name);
        (self.lines == 3 && name.len() <= NAME && inner && exact).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::prose::sentences;

    #[test]
    fn a_sentence_that_code_begins_is_told_with_its_name_or_not_at_all() {
        let folders = "The folders of the pier:\n\n```text\nlamps/\nquays/\n```\n\nare more of a store room. Nobody looks into them.";
        assert_eq!(sentences(folders), ["The folders of the pier:", "Nobody looks into them."]);
        assert_eq!(sentences("```\nlamp_lit\n```\n\nThe final word of the board."), ["The final word of the board."]);
        assert_eq!(sentences("```\nlampLit\n```\nis the final word."), ["`lampLit` is the final word."]);
    }

    #[test]
    fn what_stands_behind_code_and_says_all_is_left_alone() {
        for code in ["```\nmake lamps\n```", "```\nmake\n```", "### lamp_lit"] {
            let text = format!("{code}\n\nThe lamps are lit by that.");
            assert_eq!(sentences(&text), ["The lamps are lit by that."], "{code}");
        }
        let apart = "```\nlamp_lit\n```\n\n## Wicks\n\nnpm fails because of the wick.";
        assert_eq!(sentences(apart), ["npm fails because of the wick."]);
        let text = "```\nlamp_lit\n```\n\nLet me read what `lamp_lit` says.\n\nthe board of the old harbour";
        assert_eq!(sentences(text), ["Let me read what `lamp_lit` says.", "the board of the old harbour"]);
    }
}
