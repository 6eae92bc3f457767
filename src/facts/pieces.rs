//! Splits a text at white space into pieces, with the kinds of characters in each. No fact except a command contains
//! white space, and what precedes white space never changes how the text after it is read.

/// A set of character kinds, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const DIGIT: Self = Self(1);
    pub(super) const UPPER: Self = Self(2);
    pub(super) const UNDERSCORE: Self = Self(4);
    pub(super) const SLASH: Self = Self(8);
    pub(super) const DOT: Self = Self(16);
    pub(super) const COLON: Self = Self(32);
    /// Not ASCII.
    pub(super) const OTHER: Self = Self(64);
    const SPACE: Self = Self(128);

    /// Whether the set has a kind that occurs in facts: any but white space.
    #[inline]
    fn tells(self) -> bool {
        self.0 & !Self::SPACE.0 != 0
    }

    /// Whether the set has one of these kinds.
    #[inline]
    pub(super) fn any<const MANY: usize>(self, kinds: [Self; MANY]) -> bool {
        kinds.iter().any(|kind| self.0 & kind.0 != 0)
    }

    const fn of(byte: u8) -> Self {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Self::SPACE,
            b'0'..=b'9' => Self::DIGIT,
            b'A'..=b'Z' => Self::UPPER,
            b'_' => Self::UNDERSCORE,
            b'/' => Self::SLASH,
            b'.' => Self::DOT,
            b':' => Self::COLON,
            0x80.. => Self::OTHER,
            _ => Self(0),
        }
    }
}

static KINDS: [Kinds; 256] = {
    let mut kinds = [Kinds(0); 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = Kinds::of(byte as u8);
        byte += 1;
    }
    kinds
};

#[inline]
fn kind(byte: u8) -> Kinds {
    KINDS[usize::from(byte)]
}

/// A piece of a text without white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'t> {
    /// The text of the piece.
    pub(super) text: &'t str,
    /// The kinds of its characters.
    pub(super) kinds: Kinds,
}

/// Iterates over the pieces of a text in order, without those of only lower-case letters and punctuation, which hold no
/// fact.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let telling = at + bytes[at..].iter().position(|byte| kind(*byte).tells())?;
        let before = bytes[at..telling].iter().rposition(|byte| kind(*byte) == Kinds::SPACE);
        let start = before.map_or(at, |space| at + space + 1);
        let mut kinds = Kinds::default();
        at = telling;
        for kind in bytes[telling..].iter().map(|byte| kind(*byte)).take_while(|kind| *kind != Kinds::SPACE) {
            kinds.0 |= kind.0;
            at += 1;
        }
        Some(Piece { text: &text[start..at], kinds })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_between_white_space() {
        let found: Vec<_> = pieces(" of a1\n/B. to (it)\té ").map(|piece| (piece.text, piece.kinds)).collect();
        let kinds = |all: &[Kinds]| Kinds(all.iter().map(|kind| kind.0).sum());
        let expected = [
            ("a1", kinds(&[Kinds::DIGIT])),
            ("/B.", kinds(&[Kinds::SLASH, Kinds::UPPER, Kinds::DOT])),
            ("é", kinds(&[Kinds::OTHER])),
        ];
        assert_eq!(found, expected);
        assert_eq!(pieces(" \n").count(), 0);
    }
}
