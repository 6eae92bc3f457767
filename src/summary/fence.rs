//! Code fences (Markdown): a heading or tag inside one is text, not structure.

use super::text::list_number;

/// Reads a text line by line and tracks whether the current line is in a fence.
#[derive(Debug, Default)]
pub(crate) struct Fence {
    open: Option<(u8, usize)>,
}

impl Fence {
    /// Whether the next line is in a fence.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Takes the next line and returns whether it belongs to a fence, marks included.
    pub(crate) fn holds(&mut self, line: &str) -> bool {
        let mark = mark(line);
        match (self.open, mark) {
            (None, None) => false,
            (None, Some((sign, count, _))) => {
                self.open = Some((sign, count));
                true
            }
            (Some((sign, least)), Some((other, count, true))) if sign == other && count >= least => {
                self.open = None;
                true
            }
            (Some(_), _) => true,
        }
    }
}

/// The character and length of a fence mark, and whether it has no info string (only such a mark can close a fence).
fn mark(line: &str) -> Option<(u8, usize, bool)> {
    let line = line.trim_start_matches(' ');
    let item =
        ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)).or_else(|| Some(list_number(line)?.1));
    // A fence in an item of a list begins behind its mark, and ends without one.
    let rest = item.unwrap_or(line).trim_start_matches(' ');
    let sign = *rest.as_bytes().first().filter(|sign| matches!(sign, b'`' | b'~'))?;
    let count = rest.bytes().take_while(|&byte| byte == sign).count();
    let info = rest[count..].trim();
    let is_words = item.is_some() && info.contains(char::is_whitespace);
    let opens = count >= 3 && (sign == b'~' || !info.contains('`')) && !is_words;
    opens.then_some((sign, count, info.is_empty() && item.is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(text: &str) -> String {
        let mut fence = Fence::default();
        text.lines().map(|line| if fence.holds(line) { 'x' } else { '.' }).collect()
    }

    #[test]
    fn a_fence_ends_with_its_own_sign_at_least_as_long() {
        assert_eq!(held("a\n```rust\nb\n~~~\n```\nc"), ".xxxx.");
        assert_eq!(held("````\n```\n````\na"), "xxx.");
        assert_eq!(held("~~~\n~~~ x\n~~~\na"), "xxx.");
    }

    #[test]
    fn a_fence_may_begin_in_an_item_of_a_list() {
        assert_eq!(held("- ```ts\n  a\n  ```\n- b\n1. ```\n2. c\n   ```\n## d"), "xxx.xxx.");
        assert_eq!(held("- a ```b```\n12 ```\n- ``` marks code\n- c"), "....");
    }

    #[test]
    fn inline_code_opens_no_fence() {
        assert_eq!(held("```a``` b\n`` ` ``\nc"), "...");
    }

    #[test]
    fn an_open_fence_holds_the_rest() {
        assert_eq!(held("```\na\n\nb"), "xxxx");
    }
}
