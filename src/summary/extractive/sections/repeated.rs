//! Instructions that the user said several times, or gave again with other numbers.

use crate::summary::items::Item;
use crate::summary::text::has_digit;
use foldhash::HashMap;

/// Rank of a repetition of a rule, and the maximum number of repetitions that count.
const AGAIN: i64 = 15;
const OFTEN: i64 = 3;
/// Length in bytes from which a rule may be a template that was filled in anew.
const FORM: usize = 80;

/// Removes a long rule of which a newer one has the same words with other numbers: a template that was filled in for the
/// next piece of work. `items` are newest first.
pub(super) fn drop_earlier_forms(items: &mut Vec<Item>) {
    let mut newer: HashMap<String, String> = HashMap::default();
    items.retain(|item| {
        if item.text.len() < FORM || !has_digit(&item.text) {
            return true;
        }
        let form: String = item.text.chars().filter(|char| !char.is_ascii_digit()).collect();
        *newer.entry(form).or_insert_with(|| item.text.clone()) == item.text
    });
}

/// Raises rules that several requests say: the user found it worth saying again.
pub(super) fn raise_repeated(items: &mut [Item]) {
    let mut times: HashMap<&str, i64> = HashMap::default();
    items.iter().for_each(|item| *times.entry(&item.text).or_default() += 1);
    let more: Vec<i64> = items.iter().map(|item| AGAIN * (times[&*item.text] - 1).min(OFTEN)).collect();
    items.iter_mut().zip(more).for_each(|(item, more)| item.rank += more);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(rules: &[&str]) -> Vec<String> {
        let mut items: Vec<Item> = rules.iter().map(|rule| Item::new((*rule).to_owned(), 0, 0)).collect();
        drop_earlier_forms(&mut items);
        items.into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn of_a_template_the_newest_form_stays() {
        let rule = |number: u32| {
            format!(
                "Rules for pier {number}: never light a lamp that `piers/{number}.md` does not name, and ask first."
            )
        };
        assert_eq!(left(&[&rule(15), &rule(14), &rule(15), &rule(13)]), [rule(15), rule(15)]);
        let other = rule(14).replace("ask first", "tell me");
        assert_eq!(left(&[&rule(15), &other]), [rule(15), other]);
        assert_eq!(left(&["Never use port 2.", "Never use port 1."]).len(), 2);
    }
}
