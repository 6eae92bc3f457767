//! Work that is not committed or pushed yet, in other languages than English.

use crate::summary::text::{contains_any, has_any};

/// What says that something is still to be done, in lower case.
pub(super) const UNDONE: &[&str] = &[
    "ainda não",
    "aún no",
    "bisher nicht",
    "falta",
    "il faut encore",
    "muss noch",
    "müssen noch",
    "noch nicht",
    "non ancora",
    "pas encore",
    "reste à",
    "todavía no",
    "ещё не",
    "еще не",
    "нужно",
    "осталось",
    "尚未",
    "还未",
    "还没",
    "没有",
    "未",
    "需要",
    "まだ",
    "아직",
];
/// Words for committing and for pushing. The Chinese ones are also said of forms and of messages.
const COMMITS: [&str; 11] = [
    "commit",
    "committen",
    "committet",
    "committed",
    "commiter",
    "hacer commit",
    "закоммитить",
    "закоммичен",
    "закоммичены",
    "コミット",
    "커밋",
];
const PUSHES: [&str; 12] = [
    "git push",
    "gepusht",
    "pushen",
    "pousser",
    "poussé",
    "poussée",
    "hacer push",
    "запушить",
    "запушен",
    "запушена",
    "プッシュ",
    "푸시",
];
const CHINESE: [&[&str]; 2] = [&["提交"], &["推送"]];
/// What makes them another thing.
const OTHERS: [&str; 7] = ["表单", "申请", "订单", "作业", "通知", "消息", "通報"];

/// Whether a clause of a sentence in lower case says that something is not committed, and that it is not pushed; only for
/// a sentence with a phrase of [`UNDONE`].
pub(super) fn unpushed(lower: &str) -> [bool; 2] {
    let clauses = lower.split([',', ';', ':', '—', '，', '；', '：', '。']);
    let undone: Vec<&str> = clauses.filter(|clause| has_any(clause, UNDONE)).collect();
    let of_code = |clause: &&&str| !contains_any(clause, &OTHERS);
    let told = |words: &[&str], chinese: &[&str], last: &str| {
        let ends = |clause: &str| clause.trim_end_matches(['.', '!', ' ']).ends_with(last);
        let of_words = undone.iter().any(|clause| has_any(clause, words) || ends(clause));
        of_words || undone.iter().filter(of_code).any(|clause| has_any(clause, chinese))
    };
    [told(&COMMITS, CHINESE[0], " commit"), told(&PUSHES, CHINESE[1], " push")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_still_to_be_pushed_or_committed_is_known_in_more_languages() {
        for push in [
            "现在 remote 还是旧的，你需要创建一个新的仓库然后 push。",
            "die lampen sind noch nicht gepusht.",
            "il reste à pousser la branche du quai.",
            "осталось запушить ветку.",
            "ブランチはまだプッシュしていません。",
        ] {
            assert_eq!(unpushed(push), [false, true], "{push}");
        }
        for commit in
            ["las lámparas todavía no tienen commit.", "修改还没有提交。", "die lampen: noch nicht committet."]
        {
            assert_eq!(unpushed(commit), [true, false], "{commit}");
        }
        for other in [
            "需要先修好灯，再推送由你决定。",
            "die lampe brennt noch nicht.",
            "不要 push 到码头。",
            "the push is done.",
            "wir müssen noch push-benachrichtigungen einbauen.",
            "нужно добавить push-уведомления.",
            "需要提交表单才能点灯。",
        ] {
            assert_eq!(unpushed(other), [false; 2], "{other}");
        }
    }
}
