//! Lists of what is to be done in a request, below a heading or label that says so: “Required changes:”.

use crate::summary::extractive::sentences::prose::{heading, without_marker};
use crate::summary::fence::Fence;
use crate::summary::text::each_word;

/// Words of such headings and labels.
const WORK: [&str; 39] = [
    "acceptance",
    "changes",
    "checklist",
    "criteria",
    "deliver",
    "deliverables",
    "fixes",
    "goals",
    "implement",
    "implementation",
    "improvements",
    "objectives",
    "requirements",
    "steps",
    "tasks",
    "tests",
    "todo",
    "todos",
    "anforderungen",
    "aufgaben",
    "änderungen",
    "schritte",
    "exigences",
    "tâches",
    "étapes",
    "requisitos",
    "tareas",
    "pasos",
    "tarefas",
    "требования",
    "задачи",
    "要求",
    "需求",
    "任务",
    "步骤",
    "验收标准",
    "要件",
    "タスク",
    "手順",
];
/// Words that say that it is not, or is no longer, to be done.
const OTHER: [&str; 41] = [
    "already",
    "bereits",
    "breaking",
    "completed",
    "current",
    "did",
    "done",
    "erledigt",
    "erledigte",
    "example",
    "examples",
    "existing",
    "failed",
    "failing",
    "future",
    "hecho",
    "hechas",
    "last",
    "legacy",
    "made",
    "never",
    "no",
    "non",
    "not",
    "old",
    "optional",
    "out",
    "passed",
    "passing",
    "previous",
    "recent",
    "rejected",
    "removed",
    "reproduce",
    "reverted",
    "taken",
    "took",
    "tried",
    "выполненные",
    "why",
    "without",
];
/// Maximum number of words of a label.
const LABEL: usize = 6;

/// The lists of a text that stand below such a heading or label.
pub(super) fn task_lists(text: &str) -> String {
    let (mut fence, mut open) = (Fence::default(), false);
    let mut has = |line: &str| {
        let bare = line.trim();
        let (is_item, _) = without_marker(bare);
        if let Some(label) = label(bare).filter(|_| !is_item && !line.starts_with([' ', '\t'])) {
            open = is_work(label);
            return false;
        }
        open &= bare.is_empty() || is_item || line.starts_with([' ', '\t']);
        open
    };
    text.split_inclusive('\n').filter(|line| !fence.holds(line.trim_end()) && has(line)).collect()
}

/// The words of a heading, or of a line that is only a label.
fn label(line: &str) -> Option<&str> {
    let labeled = || {
        let bare = line.trim_matches('*');
        bare.strip_suffix([':', '：']).filter(|label| each_word(label).count() <= LABEL)
    };
    heading(line).or_else(labeled)
}

fn is_work(label: &str) -> bool {
    let lower = label.to_lowercase();
    let has = |words: &[&str]| each_word(&lower).any(|word| words.contains(&word));
    // “Changes in v2” are there already.
    let is_version =
        |word: &str| word.strip_prefix('v').is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()));
    has(&WORK) && !has(&OTHER) && !each_word(&lower).any(is_version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_below_a_label_of_work_is_to_be_done() {
        let text = "Task for the harbour:\n\nContext:\n- It is dark.\n\nRequired changes:\n- Light the pier.\n  - With oil.\n\n\
                    ```\n- code\n```\n- Mend the quay.\nThe tide is low.\n- a note\n\n**Acceptance criteria:**\n1. The lamp burns.\n\n\
                    ## Tests already done\n- The bell rings.\n\n## 任务\n- 修好灯。\n";
        let told = "- Light the pier.\n  - With oil.\n\n- Mend the quay.\n1. The lamp burns.\n\n- 修好灯。\n";
        assert_eq!(task_lists(text), told);
    }

    #[test]
    fn other_labels_head_no_work() {
        for label in [
            "Steps to reproduce",
            "Requirements of the old system",
            "Changes in v2",
            "Changes we reverted",
            "Breaking changes",
        ] {
            assert_eq!(task_lists(&format!("{label}:\n- Burn tar.\n")), "", "{label}");
        }
        for text in [
            "Steps not to take:\n- Burn tar.\n",
            "We tried all of these and they made changes:\n- Tar.\n",
            "- tasks:\n  - x\n",
        ] {
            assert_eq!(task_lists(text), "", "{text}");
        }
    }
}
