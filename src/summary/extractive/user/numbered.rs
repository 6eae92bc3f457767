//! Numbers before the lines of output: of a builder's steps, of times, of a diff's lines.

/// Minimum number of added lines of a numbered diff.
const ADDED: usize = 2;

/// Whether a text shows a numbered diff as agents print it: `- 12 lit`, `+ 12 out`.
pub(super) fn shows_diff(text: &str) -> bool {
    let changed = |sign: char| text.lines().filter(move |line| is_changed(line, sign)).count();
    changed('+') >= ADDED && changed('-') > 0
}

fn is_changed(line: &str, sign: char) -> bool {
    let rest = line.trim_start().strip_prefix(sign).map(str::trim_start).unwrap_or_default();
    starts_with_number(rest)
}

/// Whether a line is one of a numbered diff: changed, unchanged, or the rest of a wrapped one.
pub(super) fn is_of_diff(line: &str) -> bool {
    let wrapped = line.len() - line.trim_start().len() >= 4;
    is_changed(line, '+') || is_changed(line, '-') || wrapped
}

fn starts_with_number(text: &str) -> bool {
    let rest = text.trim_start_matches(|char: char| char.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with(' ')
}

/// A line of output without the number of its step and its time: `#8 158.5 npm error`, `12:03:04 npm error`.
pub(super) fn without_time(line: &str) -> &str {
    let numbered = line.strip_prefix('#').filter(|rest| starts_with_number(rest));
    let line = numbered.and_then(|rest| Some(rest.split_once(' ')?.1)).unwrap_or(line);
    let timed = line.split_once(' ').filter(|(time, _)| {
        let time = time.trim_matches(['[', ']']);
        let digits = time.bytes().all(|byte| byte.is_ascii_digit() || b".:".contains(&byte));
        digits
            && time.starts_with(|char: char| char.is_ascii_digit())
            && time.contains(['.', ':'])
            && !time.ends_with('.')
    });
    timed.map_or(line, |(_, rest)| rest)
}
