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

/// `[text](target)` becomes the target if that is a path ending in the text, otherwise the text. Links in code marks stay.
pub(super) fn without_links(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(middle) = rest.find("](") {
        let (before, after) = (&rest[..middle], &rest[middle + 2..]);
        let (Some(open), Some(close)) = (opening(before), after.find(')')) else { break };
        let (text, target) = (&before[open + 1..], &after[..close]);
        let marks = |text: &str| text.matches('`').count();
        let in_code = (marks(&out) + marks(&before[..open])) % 2 == 1 && after.contains('`');
        out.push_str(&before[..open]);
        match in_code {
            true => out.push_str(&rest[open..middle + 2 + close + 1]),
            false => out.push_str(if target.ends_with(text) && !target.contains("://") { target } else { text }),
        }
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
    fn brackets_in_the_text_of_a_link_are_its_own() {
        let link = "The lamp of [quay/[lamp]/page.rs](/w/quay/[lamp]/page.rs) is never lit.";
        assert_eq!(sentences(link), ["The lamp of /w/quay/[lamp]/page.rs is never lit."]);
    }
}
