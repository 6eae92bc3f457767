//! Files of a session that are of no more use: it created and deleted them, or they are in a temporary folder, or they
//! are plans of the harness.

use super::folders::with_slashes;
use super::pattern;
use crate::summary::{created_and_deleted, is_scratch};
use crate::transcript::Message;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Places of files that a harness or a system keeps for a while.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    let harness = r"\.(?:claude|codex|cursor|gemini|qwen|opencode|openclaw|windsurf|roo|kilocode|kiro)";
    pattern(&format!(r"(?i)/{harness}/plans/[^/]+\.md$|/appdata/local/temp/|^/var/tmp/[^/]+$"))
});

/// Of the paths that calls wrote, those that are of no more use.
pub fn spent(paths: &[String], messages: &[&Message<'_>]) -> HashSet<String> {
    let gone = created_and_deleted(messages);
    let kept_a_while = |path: &str| is_scratch(path) || PLACE.is_match(&with_slashes(path));
    paths.iter().filter(|path| gone.contains(*path) || kept_a_while(path)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    /// The files of a session that writes `path`, and then runs a command.
    fn gone(path: &str, command: &str) -> Vec<String> {
        let mut transcript = sketch("u tr tr");
        let calls = [
            ("Write", serde_json::json!({ "file_path": path, "content": "x" })),
            ("Bash", serde_json::json!({ "command": command })),
        ];
        let parts = transcript.messages.iter_mut().flat_map(|message| &mut message.parts);
        let parts = parts.filter(|part| matches!(part.kind, crate::transcript::PartKind::Call { .. }));
        for (part, (tool, arguments)) in parts.zip(calls) {
            if let crate::transcript::PartKind::Call { name, .. } = &mut part.kind {
                *name = tool.into();
            }
            part.text = arguments.to_string().into();
        }
        let messages: Vec<_> = transcript.messages.iter().collect();
        let mut gone: Vec<String> = spent(&[path.to_owned()], &messages).into_iter().collect();
        gone.sort();
        gone
    }

    #[test]
    fn what_was_created_and_deleted_is_of_no_more_use() {
        let path = "/w/quay/chart-a.html";
        for command in [
            "rm /w/quay/chart-a.html",
            "cd /w/quay && rm -f chart-*.html; ls",
            "cd /w/quay && rm -f x.html ./chart-a.html",
            "Remove-Item -Force '/w/quay/chart-a.html'",
        ] {
            assert_eq!(gone(path, command), [path], "{command}");
        }
        for command in [
            "cat /w/quay/chart-a.html",
            "rm -f /w/quay/chart-b.html",
            "cd /w/dist && rm -f chart-a.html chart-*.html *.html",
            "cd /w/quay && git rm --cached chart-a.html",
            "cd /w/quay && git rm -n chart-a.html",
            "docker rm /w/quay/chart-a.html",
            "git commit -m 'Never rm /w/quay/chart-a.html by hand'",
            "cat > README.md <<'EOF'\nrm /w/quay/chart-a.html\nEOF",
            "rm -f /w/quay/chart-a.html && cat > /w/quay/chart-a.html <<'EOF'\nx\nEOF",
            "cd /w/quay && rm chart-a.html && git checkout -- chart-a.html",
        ] {
            assert_eq!(gone(path, command), [""; 0], "{command}");
        }
    }

    #[test]
    fn temporary_files_and_plans_of_a_harness_are_of_no_more_use() {
        for path in
            ["/tmp/probe.py", r"C:\Users\me\AppData\Local\Temp\quay\probe.py", "/home/me/.claude/plans/red-lamp.md"]
        {
            assert_eq!(gone(path, "ls"), [path], "{path}");
        }
        for path in ["/w/quay/plans/lamp.md", "/w/quay/.github/plans/rollout.md"] {
            assert_eq!(gone(path, "ls"), [""; 0], "{path}");
        }
    }
}
