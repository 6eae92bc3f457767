//! Replaces Markdown links by words.

/// The offset of the bracket that opens the link text ending here; the text may have brackets itself, as in
/// `app/[slug]/page.tsx`.
fn opening(text: &str) -> Option<usize> {
    let mut closed = 0_usize;
    let opens = |(at, char): (usize, char)| {
        match char {
            ']' => closed += 1,
            '[' if closed == 0 => return Some(at),
            '[' => closed -= 1,
            _ => {}
        }
        None
    };
    text.char_indices().rev().find_map(opens).or_else(|| text.rfind('['))
}

/// The target of a link if it is a path that ends in the text, also before the lines that it names: `src/a.rs#L9`. Of a
/// text with folders, which is often the path without its root, the text with those lines; otherwise the text.
fn told(text: &str, target: &str) -> String {
    let lines = target.rfind("#L").map_or("", |at| &target[at..]);
    let is_path = !target.contains("://");
    if is_path && target.ends_with(text) {
        target.to_owned()
    } else if is_path && target[..target.len() - lines.len()].ends_with(text) {
        if text.contains('/') { format!("{text}{lines}") } else { target.to_owned() }
    } else {
        text.to_owned()
    }
}

/// `[text](target)` becomes what is told of it. Links in code marks stay.
pub fn without_links(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    // Code marks in the output, and the place of the last one in the line.
    let (mut marks, last) = (0, line.rfind('`'));
    let count = |text: &str| text.matches('`').count();
    let mut rest = line;
    while let Some(middle) = rest.find("](") {
        let (before, after) = (&rest[..middle], &rest[middle + 2..]);
        let (Some(open), Some(close)) = (opening(before), after.find(')')) else { break };
        let (text, target) = (&before[open + 1..], &after[..close]);
        marks += count(&before[..open]);
        let in_code = marks % 2 == 1 && last.is_some_and(|last| last >= line.len() - after.len());
        let told = match in_code {
            true => rest[open..middle + 2 + close + 1].to_owned(),
            false => told(text, target),
        };
        marks += count(&told);
        out.push_str(&before[..open]);
        out.push_str(&told);
        rest = &after[close + 1..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::super::prose::sentences;

    #[test]
    fn code_keeps_what_looks_like_a_link() {
        let code = "The lamps are no `[](…)` links, see [the keeper](https://quay.example/keeper).";
        assert_eq!(sentences(code), ["The lamps are no `[](…)` links, see the keeper."]);
    }

    #[test]
    fn two_lines_of_one_file_stay_apart() {
        let links = "The lamp is in [quay/lamp.rs](/w/quay/lamp.rs#L9) and [quay/lamp.rs](/w/quay/lamp.rs#L391-L402).";
        assert_eq!(sentences(links), ["The lamp is in quay/lamp.rs#L9 and quay/lamp.rs#L391-L402."]);
        assert_eq!(
            sentences("The lamp is in [lamp.rs](quay/lamp.rs#L9) only."),
            ["The lamp is in quay/lamp.rs#L9 only."]
        );
        assert_eq!(sentences("The lamp is lit in [L9](lamp.rs#L9) only."), ["The lamp is lit in lamp.rs#L9 only."]);
    }

    #[test]
    fn brackets_in_the_text_of_a_link_are_its_own() {
        let link = "The lamp of [quay/[lamp]/page.rs](/w/quay/[lamp]/page.rs) is never lit.";
        assert_eq!(sentences(link), ["The lamp of /w/quay/[lamp]/page.rs is never lit."]);
    }
}
