//! Ids of calls as a reader gives them: those that a file holds, and those that it has to make up from places.

/// The id of a call, or of its result, for which the file holds an id that an earlier call has; no other place gives it.
pub fn repeated_id(place: usize, stored: &str) -> String {
    format!("#{place} {stored}")
}

/// The id that the file holds for a call; none where the whole was made up.
///
/// The same call has another place in a transcript that was cut, or stands first there: what it is stored as stays.
pub fn stored_id(id: &str) -> Option<&str> {
    let Some(made_up) = id.strip_prefix('#') else { return Some(id) };
    let (place, stored) = made_up.split_once(' ')?;
    let is_place = !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_digit());
    is_place.then_some(stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_was_used_again_is_stored_as_it_was() {
        assert_eq!(stored_id(&repeated_id(12, "call 1")), Some("call 1"));
        assert_eq!(
            ["call_1", "", "#12", "#3.0", "#read_file 2"].map(stored_id),
            [Some("call_1"), Some(""), None, None, None]
        );
    }
}
