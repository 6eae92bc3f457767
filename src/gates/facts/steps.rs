//! How one step of a command ended, as far as the end of the whole command tells.

use crate::measure::only_shows;

/// How the last of a command's steps that `is_it` accepts ended, given how the command did: whether it failed, or `None` if
/// a later step may be what failed. Returns `None` if there is no such step.
pub(super) fn end_of(
    steps: &[Vec<String>],
    failed: Option<bool>,
    is_it: impl Fn(&[String]) -> bool,
) -> Option<Option<bool>> {
    let at = steps.iter().rposition(|step| is_it(step))?;
    let is_last = steps[at + 1..].iter().all(|step| only_shows(&step.join(" ")));
    Some(failed.filter(|failed| !failed || is_last))
}

#[cfg(test)]
mod tests {
    use super::end_of;
    use crate::summary::shell_words;

    #[test]
    fn a_failed_command_tells_of_its_last_step_only() {
        let push = |step: &[String]| step.starts_with(&["git".to_owned(), "push".to_owned()]);
        for (command, end) in [
            ("git push", Some(Some(true))),
            ("git commit -m 'Light the lamp' && git push", Some(Some(true))),
            ("git push -u origin quay 2>&1 | tail -3", Some(Some(true))),
            ("git push && make tide", Some(None)),
            ("git commit -m 'git push'", None),
        ] {
            assert_eq!(end_of(&shell_words(command), Some(true), push), end, "{command}");
        }
        assert_eq!(end_of(&shell_words("git push && make tide"), Some(false), push), Some(Some(false)));
    }
}
