//! What stands between sentences that are quoted one behind the other: a semicolon where nothing else parts them.

/// Signs that end a sentence, or after which it goes on.
const STOPS: [char; 14] = ['.', '!', '?', '…', ':', ';', ',', '-', '–', '—', '/', '؟', '।', '،'];
/// Those of scripts without spaces.
const DENSE_STOPS: [char; 7] = ['。', '！', '？', '：', '；', '，', '、'];
/// Signs that may stand behind them, and behind the last word of an item.
const CLOSERS: [char; 14] = ['`', '"', '”', '“', '’', '\'', '*', '_', '(', ')', ']', '（', '）', '」'];
/// Words with which no item ends.
const GOES_ON: [&str; 16] =
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "with"];

/// What stands behind quoted words before the next sentence: a semicolon where neither a sign nor a gap ends them, as
/// behind an item of a list; no space in scripts without spaces.
pub(super) fn behind(quoted: &str) -> &'static str {
    let goes_on = quoted.rsplit(' ').next().is_some_and(|word| GOES_ON.contains(&word));
    match quoted.trim_end_matches(CLOSERS).chars().next_back() {
        _ if goes_on => " ",
        Some(stop) if DENSE_STOPS.contains(&stop) => "",
        Some('\u{3041}'..='\u{9fff}') => "；",
        Some(last) if !STOPS.contains(&last) => "; ",
        _ => " ",
    }
}

/// Sentences one behind the other, as [`behind`] parts them; what several lead up to with the same words is told once.
pub(super) fn joined(sentences: &[impl AsRef<str>]) -> String {
    let (mut all, mut last) = (String::new(), "");
    for sentence in sentences.iter().map(AsRef::as_ref) {
        if !all.is_empty() {
            all.push_str(behind(&all));
        }
        let told = without_lead(&all, last, sentence);
        all.push_str(told);
        last = sentence;
    }
    all
}

/// A sentence without the words that lead up to it, if what was told ends with them, or if they lead up to the sentence
/// before it, too: “Oil for: the pier” behind “Oil for:” or “Oil for: the quay”.
pub(super) fn without_lead<'s>(told: &str, last: &str, sentence: &'s str) -> &'s str {
    let told = told.trim_end();
    let leads = |end: &usize| told.ends_with(&sentence[..=*end]) || last.starts_with(&sentence[..end + 2]);
    let end = sentence.match_indices(": ").map(|(end, _)| end).filter(leads).last();
    end.map_or(sentence, |end| &sentence[end + 2..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_up_to_several_items_is_told_once() {
        let all = ["Oil for:", "Oil for: the pier", "Oil for: the quay.", "Wicks for: lamps", "Light them."];
        assert_eq!(joined(&all), "Oil for: the pier; the quay. Wicks for: lamps; Light them.");
        let longer = "A plan. It must have: lamps";
        assert_eq!(joined(&["A plan.", "It must have:", longer]), longer);
        assert_eq!(without_lead("", "Oil for: the pier", "Oil for the quay: none"), "Oil for the quay: none");
    }

    #[test]
    fn items_that_nothing_ends_are_parted_by_a_semicolon() {
        for item in
            ["Light the lamp", "Change `lamp()`", "Read it (line 4)", "Keep **all of it**", "100 %", "Feed it 🐟"]
        {
            assert_eq!(behind(item), "; ", "{item}");
        }
        for item in ["Light it.", "It says “all is lit.”", "Why?!", "The steps:", "First,", "Light the …", ""] {
            assert_eq!(behind(item), " ", "{item}");
        }
        assert_eq!(behind("Light the lamp of"), " ");
        assert_eq!((behind("点灯"), behind("(灯)"), behind("灯亮了。")), ("；", "；", ""));
    }
}
