//! Words that forbid, permit or limit, as the gates of what is kept read them.

use crate::measure::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// Words that forbid what the verb behind them says.
const NOT: &str =
    r"never|(?:must|should|do|does|may|shall|can) ?not|cannot|(?:must|should|do|does|ca)n['’]t|dont|mustnt|shouldnt";

/// A word that forbids what its verb says: “never touch”, “must not be touched”.
pub(super) static FORBIDS: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)\b(?:{NOT})\b")));
/// The same, or a word that forbids a thing: “no changes”.
pub(super) static FORBIDS_ANY: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)\b(?:{NOT}|not to be|no)\b")));
/// Words that report a ban, too: “the user forbade pushing”.
pub(super) static BANS: LazyLock<Regex> = LazyLock::new(|| {
    let told = r"avoid(?:s|ed|ing)?|forb(?:ids?|ade|idden)|prohibit(?:s|ed)|disallow(?:s|ed)|not allowed|off[- ]limits";
    pattern(&format!(r"(?i)\b(?:{NOT}|no|{told})\b"))
});
/// Phrases that say something stays as it is.
pub(super) static STAYS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:leave|left|keep|kept|stays?|remains?)\b.*\b(?:alone|untouched|unchanged|unmodified|unaltered|intact|as (?:it|they) (?:is|are|was|were)|as is)\b",
        r"|\bhands off\b|\b(?:is|are) off[- ]limits\b",
        r"|\b(?:is|are|be|stays?|remains?|keep|kept|treat(?:ed)?)\b.* read[- ]?only\b|^\W*read[- ]?only:"
    ))
});
/// Words that allow what is forbidden.
pub(super) static LIFTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:\bnot|n['’]t|\bno longer|\bnever) (?:forbidden|prohibited|disallowed|off[- ]limits)\b")
});
