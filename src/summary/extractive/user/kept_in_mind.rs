//! Labels of lists that the agent is to keep in mind: “Remember:”, “Write down for this project:”, “记住：”.

use crate::summary::extractive::words::{
    AROUND_MEMORY, FOR_LATER, REMEMBERS, REMEMBERS_DENSE, TELLS_OF_MEMORY, WRITES_DOWN,
};
use crate::summary::text::{contains_any, each_word, has_dense, starts_any};

/// Maximum length of such a label in a script without spaces, in characters.
const LONGEST: usize = 24;
/// Verbs with which something is added to the work itself, and words for that.
const ADDS: [&str; 2] = ["add", "put"];
const OF_WORK: [&str; 4] = ["project", "repo", "repository", "file"];

/// Whether a line says that the list below it is to be kept in mind.
pub(super) fn heads_memory(line: &str) -> bool {
    let bare = line.trim_matches(['*', '_', ' ']);
    let Some(label) = bare.strip_suffix([':', '：']).map(|label| label.trim_matches(['*', '_', ' '])) else {
        return false;
    };
    if has_dense(label) {
        return contains_any(label, REMEMBERS_DENSE)
            && label.chars().count() <= LONGEST
            && !starts_any(label, TELLS_OF_MEMORY);
    }
    let lower = label.to_lowercase().replace('’', "'");
    let has = |list: &[&str]| each_word(&lower).any(|word| list.contains(&word));
    let knows = |word: &str| {
        let lists = [REMEMBERS, WRITES_DOWN, FOR_LATER, AROUND_MEMORY];
        lists.iter().any(|list| list.contains(&word))
    };
    let remembers = || has(REMEMBERS) && !starts_any(&lower, &["never mind", "do you ", "did you ", "i ", "we "]);
    // “Add to the project:” is a task.
    let verb = || each_word(&lower).find(|word| *word != "please").unwrap_or_default();
    let of_work = |word: &str| OF_WORK.contains(&word);
    let lasts = || each_word(&lower).any(|word| FOR_LATER.contains(&word) && !of_work(word)) || !ADDS.contains(&verb());
    let writes = || WRITES_DOWN.contains(&verb()) && lasts();
    each_word(&lower).all(knows) && (remembers() || writes() && has(FOR_LATER))
}

#[cfg(test)]
mod tests {
    use super::heads_memory;
    use crate::summary::extractive::user::asked::Asked;

    #[test]
    fn what_is_to_be_remembered_binds() {
        for text in [
            "Write down for this project:\n1. Use the conda environment Harbour.\n2. Hints are enough, I still learn.\n\nThe tide is low now.",
            "Light the pier.\n\n**Remember:**\n\n- Use the conda environment Harbour.\n\n- Hints are enough, I still learn.\n\nThe tide is low now.",
            "Please keep in mind:\nUse the conda environment Harbour.\nHints are enough, I still learn.\n\nThe tide is low now.",
        ] {
            let asked = Asked::read(Some(0), text, String::new());
            for rule in ["Use the conda environment Harbour.", "Hints are enough, I still learn."] {
                assert!(asked.instructs(rule, false), "{text}: {:?}", asked.sentences);
            }
            assert!(!asked.is_ruled("The tide is low now."));
        }
        let asked = Asked::read(
            Some(0),
            "写下这个项目的记忆：\n1.使用灯塔的环境来检查\n2、给我修改建议就可以了",
            String::new(),
        );
        assert!(asked.instructs("使用灯塔的环境来检查", false), "{:?}", asked.sentences);
        assert!(asked.instructs("给我修改建议就可以了", false), "{:?}", asked.sentences);
    }

    #[test]
    fn labels_that_only_ask_to_remember_are_known_by_all_their_words() {
        for label in [
            "Remember:",
            "Please remember the following:",
            "Don't forget:",
            "Save to your memory:",
            "Merk dir bitte:",
            "Запомни:",
            "记住：",
            "请记住以下几点：",
            "覚えておいて：",
        ] {
            assert!(heads_memory(label), "{label}");
        }
        for label in [
            "Write down for each lamp:",
            "Remember the lamps of the old pier:",
            "Add to the project:",
            "Do you remember this:",
            "I remember:",
            "Write down:",
            "Save to lamps.json:",
            "Remember",
            "The project:",
            "我的记忆：",
        ] {
            assert!(!heads_memory(label), "{label}");
        }
    }
}
