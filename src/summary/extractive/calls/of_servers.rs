//! Results that are nothing but the answer of a server that refuses: `403 Forbidden: …`, `Access denied`.

use super::outcome::DETAIL;
use super::stated::refuses;
use super::states::PROBLEMS;
use super::verbs;
use crate::summary::text::{cut, fold};

/// Maximum length of such a line, in bytes.
const LONGEST: usize = 300;
/// What may stand before the status, and refusals that stand alone, in lower case.
const BEFORE: [&str; 5] = ["error:", "error", "http/1.1", "http", "status"];
const ALONE: [&str; 4] = ["access denied", "access is denied", "forbidden", "unauthorized"];
/// What goes on behind the words that a status means; with others they are part of a sentence.
const GOES_ON: [&str; 12] = [".", ":", ",", ";", "!", "-", "–", " (", " - ", " – ", " for ", " error"];

/// The line in which a server refuses a call in its shown form, if that is all of its result, and the call asks a
/// server: a text of another tool may say so. Of a tool that examines something, or tells of it, it may be what was
/// asked for.
pub(super) fn refusal(shown: &str, result: &str) -> Option<String> {
    let (line, tool) = (result.trim(), shown.split('(').next().unwrap_or(shown));
    if line.len() > LONGEST || line.contains('\n') || verbs::examines(tool) || verbs::tells_of(tool) {
        return None;
    }
    if !verbs::names_address(tool, shown) {
        return None;
    }
    let lower = line.to_lowercase();
    let bare = BEFORE.iter().fold(&*lower, |text, word| text.strip_prefix(word).unwrap_or(text).trim_start());
    let means = |(code, rest): (&str, &str)| {
        let rest = rest.trim_start_matches([' ', '-', ':', '–']);
        let ends = |rest: &str| rest.is_empty() || GOES_ON.iter().any(|sign| rest.starts_with(sign));
        code.parse().is_ok_and(refuses) && PROBLEMS.iter().any(|own| rest.strip_prefix(own).is_some_and(ends))
    };
    let is_status = bare.split_once([' ', ':']).is_some_and(means);
    (is_status || ALONE.contains(&bare.trim_end_matches(['.', '!']))).then(|| cut(&fold(line), DETAIL).into_owned())
}

#[cfg(test)]
mod tests {
    use super::refusal;

    #[test]
    fn the_answer_of_a_server_that_refuses_is_a_failure_if_it_is_all() {
        for refused in [
            "403 Forbidden: subscribers only",
            "404 Not Found",
            "HTTP 429 Too Many Requests",
            "Error: 502 Bad Gateway",
            "HTTP/1.1 503 Service Unavailable",
            "Access denied",
            "Forbidden.",
        ] {
            for shown in ["open_page(id=3)", "call_api(endpoint=http://localhost:80/lamps)", "peek(url=quay.example)"] {
                assert_eq!(refusal(shown, refused).as_deref(), Some(refused), "{shown} {refused}");
            }
        }
        for fine in [
            "404 lamps burn",
            "200 OK",
            "403 forbidden books are listed here",
            "404 Not Found\nThe page says more.",
            "Access denied by the keeper in 1902 is the title of a book.",
        ] {
            assert_eq!(refusal("open_page(id=3)", fine), None, "{fine}");
        }
        for shown in ["check_link(url=quay.example)", "link_status(url=quay.example)"] {
            assert_eq!(refusal(shown, "404 Not Found"), None, "it was asked for");
        }
        for (shown, text) in [("get_template(id=9)", "404 Not Found"), ("get_policy(id=9)", "Forbidden.")] {
            assert_eq!(refusal(shown, text), None, "it asks no server");
        }
    }
}
