//! Paths that a listing shows in two pieces: the folder in the call, the rest in its result.

use crate::facts::values;
use crate::transcript::{Message, PartKind};
use std::collections::HashMap;

/// Whether a call names a folder as a whole word, and its result what is below it, so that both make this path.
pub(super) fn lists(messages: &[&Message<'_>], path: &str) -> bool {
    let parts = || messages.iter().flat_map(|message| &message.parts);
    let calls: HashMap<&str, &str> = parts()
        .filter_map(|part| match &part.kind {
            PartKind::Call { id, .. } => Some((&**id, &*part.text)),
            _ => None,
        })
        .collect();
    let cuts: Vec<(&str, &str)> = path.match_indices('/').map(|(at, _)| (&path[..at], &path[at + 1..])).collect();
    parts().any(|part| {
        let PartKind::Result { id, .. } = &part.kind else { return false };
        let below = || cuts.iter().filter(|(folder, rest)| !folder.is_empty() && begins_word(&part.text, rest));
        let Some(call) = calls.get(&**id).filter(|_| below().next().is_some()) else { return false };
        let told = values(call);
        below().any(|(folder, _)| is_argument(&told, folder))
    })
}

/// Whether a path below a folder is in a text as a word of its own, maybe behind `./`.
fn begins_word(text: &str, path: &str) -> bool {
    let inside = |sign: char| sign.is_alphanumeric() || "/_.-".contains(sign);
    memchr::memmem::find_iter(text.as_bytes(), path).any(|at| {
        let before = text[..at].strip_suffix("./").unwrap_or(&text[..at]);
        let behind = text[at + path.len()..].trim_start_matches(['.', '/', '-']);
        // The letter before may be that of an escape: `\nlamp.rs`.
        (!before.ends_with(inside) || before.ends_with("\\n"))
            && !behind.starts_with(|sign: char| sign.is_alphanumeric() || sign == '_')
    })
}

/// Whether a folder is an argument of a call: whole, or the end of a longer path.
fn is_argument(call: &str, folder: &str) -> bool {
    let inside = |sign: char| sign.is_alphanumeric() || "_.-".contains(sign);
    memchr::memmem::find_iter(call.as_bytes(), folder).any(|at| {
        let behind = call[at + folder.len()..].trim_start_matches('/');
        let ends = behind.starts_with(|sign: char| sign.is_whitespace() || "\"'\\;&|)".contains(sign));
        let before = call[..at].strip_suffix("./").unwrap_or(&call[..at]);
        !before.ends_with(inside) && (behind.is_empty() || ends)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Part;
    use crate::transcript::sketch::sketch;

    #[test]
    fn a_listing_shows_paths_in_two_pieces() {
        let listed = |command: &str, result: &'static str, path: &str| {
            let mut transcript = sketch("au");
            let [call, printed] = [0, 1].map(|at| transcript.messages[at].parts[0].clone());
            let arguments = serde_json::json!({ "command": command }).to_string();
            let call_kind = PartKind::Call { id: "c".into(), name: "bash".into() };
            let result_kind =
                PartKind::Result { id: "c".into(), tool: None, error: false, pruned: false, media: Vec::new() };
            transcript.messages[0].parts[0] = Part { kind: call_kind, text: arguments.into(), ..call };
            transcript.messages[1].parts[0] = Part { kind: result_kind, text: result.into(), ..printed };
            lists(&transcript.messages.iter().collect::<Vec<_>>(), path)
        };
        let all = "a_lamp.sql\ntides/b_lamp.sql\n";
        assert!(listed("ls -la /w/quay/db", all, "quay/db/a_lamp.sql"));
        assert!(listed("cd apps/quay && git ls-files tides", all, "apps/quay/tides/b_lamp.sql"));
        for (command, path) in [
            ("ls quay/db/old", "quay/db/a_lamp.sql"),
            ("ls quay/db", "quay/db/b_lamp.sql"),
            ("cat quay/db.txt", "quay/db/a_lamp.sql"),
            ("ls notquay/db", "quay/db/a_lamp.sql"),
        ] {
            assert!(!listed(command, all, path), "{command}");
        }
    }
}
