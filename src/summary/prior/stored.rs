//! Messages of the user that a summary of another system lists though the stored history has them: the history tells them
//! in the user's own words, in their order and with what came of them.

use super::Prior;
use crate::summary::extractive::{ASKED, own_words};
use crate::summary::stems::inflected;
use crate::summary::template::SectionSource;
use crate::summary::text::{each_word, is_dense};
use crate::transcript::Message;
use foldhash::HashSet;

/// Least length of a word that is compared, in bytes.
const LONG: usize = 3;
/// How many messages a list may have beyond those that are stored: a model also lists commands.
const MORE: usize = 1;

impl Prior {
    /// Removes the requests in the lists of summaries whose messages are stored: there are as many before the summary,
    /// and they say the most of what is listed. `stands` has, by summary, the number of messages before it.
    pub(in crate::summary) fn without_stored(&mut self, stands: &[usize], head: &[&Message<'_>]) {
        let lists: HashSet<usize> =
            self.lines.iter().filter(|line| line.foreign && line.typed).map(|line| line.summary).collect();
        let is_stored = |summary: &usize| {
            let before = stands.get(*summary).map_or(0, |place| head.len().min(*place));
            let said = head[..before].iter().filter(|message| message.is_real_user());
            let said: Vec<_> = said.map(|message| words(&own_words(&message.said()))).collect();
            let listed = self.lines.iter().filter(|line| line.foreign && line.typed && line.summary == *summary);
            let listed: Vec<_> =
                listed.filter(|line| line.text.starts_with(ASKED)).map(|line| words(&line.text)).collect();
            let found = listed.iter().filter(|line| said.iter().any(|words| is_most_of(line, words))).count();
            found * 2 >= listed.len() && listed.len() <= said.len() + MORE
        };
        let stored: HashSet<usize> = lists.into_iter().filter(is_stored).collect();
        let is_told = |source| source == SectionSource::Accomplished;
        self.lines
            .retain(|line| !(line.foreign && line.typed && is_told(line.source) && stored.contains(&line.summary)));
    }
}

/// The words of a text without their endings; in scripts without spaces, its signs.
fn words(text: &str) -> HashSet<String> {
    let lower = text.trim_start_matches(ASKED).to_lowercase();
    let signs = lower.chars().filter(|char| is_dense(*char)).map(String::from);
    let long = each_word(&lower).filter(|word| word.len() >= LONG && !word.contains(is_dense));
    long.map(|word| inflected(word).to_owned()).chain(signs).collect()
}

/// Whether at least half of these words are among those of a message.
fn is_most_of(line: &HashSet<String>, said: &HashSet<String>) -> bool {
    !line.is_empty() && line.iter().filter(|word| said.contains(*word)).count() * 2 >= line.len()
}

#[cfg(test)]
mod tests {
    use super::super::read_all;
    use crate::summary::builders::user;
    use crate::summary::template::SectionSource;

    const LIST: &str = "6. All user messages:\n   - \"I want to build a new harbour board\"\n   - \"take the \
                        tides from the table\"\n   - \"k\" (keep going with the quay)\n\n7. Pending Tasks:\n   - Step 9.\n";

    fn told(said: &[&str]) -> Vec<String> {
        let messages: Vec<_> = said.iter().map(|text| user(text)).collect();
        let head: Vec<_> = messages.iter().collect();
        let mut prior = read_all(&[LIST.to_owned()]);
        prior.without_stored(&[head.len()], &head);
        prior.lines(SectionSource::Accomplished).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn a_list_of_messages_that_are_stored_is_not_told_again() {
        let stored =
            ["I belive we need to build a new harbour board", "it sould take tides from table", "and the quay"];
        assert_eq!(told(&stored), ["Pending: Step 9."]);
    }

    #[test]
    fn a_list_of_messages_that_are_gone_is_told() {
        assert_eq!(told(&[]).len(), 4);
        assert_eq!(told(&["Paint the lamps in red.", "Which version are we on?", "Count the buoys."]).len(), 4);
        assert_eq!(told(&["I want to build a new harbour board"]).len(), 4, "some of them are gone");
    }
}
