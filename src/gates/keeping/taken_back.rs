//! Messages that the user has the agent ignore: their rules bind nobody.

use crate::measure::pattern;
use crate::summary::own_words;
use crate::transcript::Message;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// The beginning of a message that takes back the one before it: “ignore the last message, …”, “forget my last request.”.
static TAKES_BACK: LazyLock<Regex> = LazyLock::new(|| {
    let lead = r"(?:(?:sorry|oops|no|wait|ok|okay|please|actually)[,.! ]+)*";
    let message = r"(?:the|my) (?:last|previous|prior|earlier) (?:message|prompt|request|question|paste)";
    pattern(&format!(r"(?i)^{lead}(?:ignore|disregard|forget|scrap|scratch) (?:about )?{message}\s*(?:[.,;:!—–-]|$)"))
});

/// Indices of the messages of a person that the next message of a person takes back.
pub(super) fn taken_back(messages: &[&Message<'_>]) -> HashSet<usize> {
    let mut people = messages.iter().enumerate().filter(|(_, message)| message.is_real_user());
    let mut taken = HashSet::new();
    let Some((mut last, _)) = people.next() else { return taken };
    for (at, message) in people {
        if TAKES_BACK.is_match(own_words(&message.said()).trim_start()) {
            taken.insert(last);
        }
        last = at;
    }
    taken
}
