//! Stubs: results, and arguments of calls, whose content is pruned.

use super::{Message, Tokens};

/// The fields of the pattern of a stub that are filled in from what it stands for.
pub const STUB_FIELDS: [&str; 10] =
    ["{tool}", "{id}", "{tokens}", "{lines}", "{chars}", "{path}", "{sha256}", "{head}", "{tail}", "{newer}"];

/// One result that is stubbed, or one call whose arguments are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stub {
    /// Index of its message.
    pub message: usize,
    /// Index of the part in it.
    pub part: usize,
    /// What stands there now.
    pub text: String,
    /// Tokens of that.
    pub tokens: Tokens,
    /// The later result that it points to, by message and part: without it, it must not stand.
    pub copy: Option<(usize, usize)>,
}

/// What a message has left after its results were stubbed; `stubs` are ordered by message.
pub fn tokens_left(message: &Message<'_>, index: usize, stubs: &[Stub]) -> Tokens {
    let from = stubs.partition_point(|stub| stub.message < index);
    let own = stubs[from..].iter().take_while(|stub| stub.message == index);
    own.fold(message.tokens(), |left, stub| left - message.parts[stub.part].tokens + stub.tokens)
}
