//! Work that is not committed or pushed yet, in other languages than English.

use crate::summary::extractive::calls::sieve::Sieve;
use std::sync::LazyLock;

/// What says that something is still to be done, in lower case.
static UNDONE: LazyLock<Sieve> = LazyLock::new(|| {
    Sieve::new(&[
        "ainda não",
        "aún no",
        "bisher nicht",
        "falta ",
        "il faut encore",
        "muss noch",
        "musst du",
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
        "没有提交",
        "没有推送",
        "未提交",
        "未推送",
        "需要",
        "まだ",
        "아직",
    ])
});
/// Stems of words for committing and for pushing.
const STEMS: [&[&str]; 2] =
    [&["commit", "коммит", "提交", "コミット", "커밋"], &["push", "pouss", "запуш", "推送", "プッシュ", "푸시"]];

/// Whether a clause of a sentence in lower case says that something is not committed, and that it is not pushed.
pub(super) fn unpushed(lower: &str) -> [bool; 2] {
    if !UNDONE.is_in(lower) {
        return [false; 2];
    }
    let clauses = lower.split([',', ';', ':', '—', '，', '；', '：', '。']);
    let undone: Vec<&str> = clauses.filter(|clause| UNDONE.is_in(clause)).collect();
    STEMS.map(|stems| undone.iter().any(|clause| stems.iter().any(|stem| clause.contains(stem))))
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
        ] {
            assert_eq!(unpushed(other), [false; 2], "{other}");
        }
    }
}
