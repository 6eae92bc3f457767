//! Recognizes a terminal's screen pasted by a user, by its prompts and the answers of an agent on it: the user's own
//! words stand before or behind it.

use crate::summary::extractive::sentences::prose::typed;
use std::borrow::Cow;

/// Signs with which prompts of shells and answers of agents on a screen begin.
const SIGNS: [&str; 5] = ["➜ ", "❯ ", "$ ", "✦ ", "⏺ "];
/// Ends of prompts before the command.
const ENDS: [&str; 4] = ["$ ", "% ", "# ", "> "];
/// Maximum length of a prompt, in bytes.
const PROMPT: usize = 120;

/// A text without the screen pasted into it: from the first prompt to the end of the paragraph with the last one; “…”
/// stands for it between words of the user. A text with no sentence outside of it is returned as it is.
pub(super) fn without_screen(text: &str) -> Cow<'_, str> {
    let Some((start, end)) = screen(text) else { return Cow::Borrowed(text) };
    let (before, behind) = (text[..start].trim_end(), text[end..].trim_start());
    let says = |words: &str| !typed(words).is_empty();
    match (says(before), says(behind)) {
        (false, false) => Cow::Borrowed(text),
        (true, false) => Cow::Borrowed(before),
        (false, true) => Cow::Borrowed(behind),
        (true, true) => Cow::Owned(format!("{before}\n\n…\n\n{behind}")),
    }
}

/// Byte offsets of the first prompt, and of the end of the paragraph with the last one; a single line is no screen.
fn screen(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    let (mut first, mut last) = (None, 0);
    let mut above = None;
    for line in text.split_inclusive('\n') {
        if let Some(said) = before_prompt(line) {
            first.get_or_insert(above.unwrap_or(at + said));
            last = at;
        }
        above = has_symbols(line).then_some(at);
        at += line.len();
    }
    let start = first?;
    let end = text[last..].find("\n\n").map_or(text.len(), |length| last + length);
    text[start..end].trim_end().contains('\n').then_some((start, end))
}

/// The length of what stands before the prompt in a line: nothing, or words of the user with a colon.
fn before_prompt(line: &str) -> Option<usize> {
    let said = || line.find(": ").map(|at| at + 2).filter(|at| is_prompt(line[*at..].trim()));
    if is_prompt(line.trim()) { Some(0) } else { said() }
}

/// Whether a line has symbols of fonts for terminals, as the upper line of a prompt of two: `quay on \u{e0a0} main`.
fn has_symbols(line: &str) -> bool {
    line.contains(|char| ('\u{e000}'..='\u{f8ff}').contains(&char))
}

/// Whether a line is a prompt with a command: `➜  quay git:(main) ✗ make`, `me@quay:~/lamps$ make`, `PS C:\quay> make`,
/// or the line with which npm announces a script: `> quay@1.2.0 lint`.
fn is_prompt(line: &str) -> bool {
    if SIGNS.iter().any(|sign| line.strip_prefix(sign).is_some_and(|command| !command.trim().is_empty())) {
        return true;
    }
    if let Some(script) = line.strip_prefix("> ") {
        let version =
            script.split(' ').next().and_then(|name| name.rsplit_once('@')).map_or("", |(_, version)| version);
        return version.starts_with(|char: char| char.is_ascii_digit()) && script.contains(' ');
    }
    let Some((at, end)) = ENDS.iter().filter_map(|end| Some((line.find(end)?, *end))).min() else { return false };
    let prompt = &line[..at];
    let of_windows = end == "> " && prompt.starts_with("PS ") && prompt.contains(":\\");
    // `(venv) me@quay:~/lamps`, `[me@quay lamps]`
    let place = prompt.strip_prefix('(').and_then(|rest| rest.split_once(") ")).map_or(prompt, |(_, place)| place);
    let host = place.trim_start_matches('[').split_once('@');
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || "_.-".contains(char));
    let of_host = host.is_some_and(|(user, host)| {
        let (name, folder) = host.split_at(host.find([':', ' ']).unwrap_or(host.len()));
        is_name(user) && is_name(name) && (!folder.is_empty() || place.len() < prompt.len())
    });
    at <= PROMPT && (of_windows || end != "> " && of_host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_screen_is_not_what_the_user_wants() {
        let screen = "➜  quay git:(main) ✗ make lamps\nerror: no `oil.toml` found\n- To silence this, run `make --no-oil`\n➜  quay git:(main) ✗ make clean\n`lamps` does not exist, skipping.";
        let wish = "i no longer use oil, please get rid of it";
        assert_eq!(without_screen(&format!("{screen}\n\n{wish}")), wish);
        assert_eq!(without_screen(&format!("{wish}\n{screen}")), wish);
        assert_eq!(
            without_screen(&format!("{wish}:\n{screen}\n\nnever ask for it again")),
            format!("{wish}:\n\n…\n\nnever ask for it again")
        );
        assert_eq!(without_screen(screen), screen, "nothing else is said");
        let agent = "✦ I will look for the oil.\n╭──╮\n│ ✓ ReadFolder quay │\n╰──╯\n✦ I'll light the lamp now.";
        assert_eq!(without_screen(&format!("{agent}\n\n{wish}")), wish);
        let behind = "there is a step missing, as I did this: me@quay lamps % make lamps\n{\"lit\":0}";
        assert_eq!(without_screen(behind), "there is a step missing, as I did this:");
        let two_lines =
            "quay on \u{e0a0} main took 2s\n❯ make lamps \\\n    --oil\n\nIt fails now: the lamp has no oil.";
        assert_eq!(without_screen(two_lines), "It fails now: the lamp has no oil.");
    }

    #[test]
    fn prompts_are_known() {
        for prompt in [
            "➜  quay git:(main) ✗ make",
            "$ make lamps",
            "me@quay:~/lamps$ make",
            "(venv) me@quay lamps % make",
            "[me@quay lamps]$ make",
            r"PS C:\quay> make",
            "> quay@1.2.0 lint",
        ] {
            assert!(is_prompt(prompt), "{prompt}");
        }
        for other in [
            "It costs 5 $ per lamp",
            "> as the keeper wrote to me@quay.example",
            "write to me@quay.example # soon",
            "# Lamps",
            "50 % of them",
            "$",
        ] {
            assert!(!is_prompt(other), "{other}");
        }
        assert_eq!(
            without_screen("Run this:\n\n$ make lamps\n\nThen stop."),
            "Run this:\n\n$ make lamps\n\nThen stop."
        );
    }
}
