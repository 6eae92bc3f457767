//! A key that can be sent and not be seen.

use std::fmt;

/// What stands where a key was.
const HIDDEN: &str = "[key]";

/// The key of an endpoint. It has no `Display`, and its `Debug` says nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// A key from the text of a variable or a file; none if that is blank or can't stand in a header.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let can_be_sent = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        can_be_sent.then(|| Self(text.to_owned()))
    }

    /// The key for the request's header, behind what the endpoint wants before it.
    pub(super) fn header(&self, before: &str) -> String {
        format!("{before}{}", self.0)
    }

    /// The text without the key, should a server have echoed it.
    pub(super) fn hide_in(&self, text: &str) -> String {
        text.replace(&self.0, HIDDEN)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let key = Key::new(" sk-planted-0123456789 \n").unwrap();
        assert_eq!(format!("{key:?} {:?}", Some(&key)), "[key] Some([key])");
        assert_eq!(key.hide_in("wrong key sk-planted-0123456789!"), "wrong key [key]!");
        assert_eq!(key.header("Bearer "), "Bearer sk-planted-0123456789");
    }

    #[test]
    fn what_cannot_stand_in_a_header_is_no_key() {
        assert_eq!([Key::new("  "), Key::new("a\nb"), Key::new("é")], [None, None, None]);
    }
}
