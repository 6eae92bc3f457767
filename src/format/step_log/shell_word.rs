//! Command lines that only pass a script to a shell: the script is what the model asked for.

use crate::transcript::base_name;

/// Shells, and the flags before a script.
const SHELLS: [&str; 5] = ["bash", "zsh", "sh", "pwsh", "powershell"];
const FLAGS: [&str; 3] = ["-lc", "-c", "-Command"];

/// The script in `bash -lc '…'`; `None` for any other command line.
pub(super) fn inner(line: &str) -> Option<String> {
    let (program, mut rest) = word(line)?;
    let name = base_name(&program);
    if !SHELLS.contains(&name.strip_suffix(".exe").unwrap_or(name)) {
        return None;
    }
    let mut flag = String::new();
    loop {
        let (next, behind) = word(rest)?;
        rest = behind;
        if !next.starts_with('-') {
            return (FLAGS.contains(&&*flag) && rest.trim().is_empty()).then_some(next);
        }
        flag = next;
    }
}

/// The first word of a line without its quotes, and the text after it.
fn word(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start();
    let (mut word, mut quote) = (String::new(), None);
    let mut letters = line.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('\'' | '"', None) => quote = Some(letter),
            ('\\', None | Some('"')) => {
                let (_, next) = letters.next()?;
                if quote.is_some() && !"$`\"\\\n".contains(next) {
                    word.push('\\');
                }
                word.push(next);
            }
            _ if letter.is_whitespace() && quote.is_none() => return Some((word, &line[at..])),
            _ => word.push(letter),
        }
    }
    (quote.is_none() && !line.is_empty()).then_some((word, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_taken_out_of_its_shell() {
        let script = |line: &str| inner(line);
        assert_eq!(script("/bin/bash -lc 'ls | head'").as_deref(), Some("ls | head"));
        assert_eq!(script("bash -lc ls").as_deref(), Some("ls"));
        assert_eq!(script(r#"/usr/bin/zsh -lc "echo \"it's\" \$HOME \d""#).as_deref(), Some(r#"echo "it's" $HOME \d"#));
        assert_eq!(script(r"bash -lc 'a'\''b'").as_deref(), Some("a'b"));
        assert_eq!(script(r#""C:\\Program Files\\pwsh.exe" -NoProfile -Command 'dir'"#).as_deref(), Some("dir"));
        for line in ["", "ls -c x", "bash run.sh", "bash -lc 'open", "bash -lc 'a' b", "bash"] {
            assert_eq!(script(line), None, "{line}");
        }
    }
}
