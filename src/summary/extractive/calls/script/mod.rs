//! Scripts that call tools (Codex's code mode): the tool `exec` takes JavaScript that calls `tools.exec_command({cmd:
//! …})`, `tools.apply_patch(…)` and others. These calls are treated as if made directly.

mod literal;
mod printed;

use super::act::Action;
use super::acts::session;
use super::args::Args;
use super::args::stated;
use crate::summary::text::contains_any;
use literal::Reader;
pub(in crate::summary::extractive) use printed::{ended, failed, printed, says_more};
use serde_json::Value;

/// Maximum size of a script that is read, in bytes.
const LARGEST: usize = 256 << 10;
/// The object that holds a script's tools.
const TOOLS: &str = "tools";
/// Parts of the names of tools that run commands.
const SHELLS: [&str; 2] = ["exec", "shell"];
/// Keywords that declare a constant.
const CONSTANTS: [&str; 3] = ["const", "let", "var"];
/// Characters before a regular expression rather than a division.
const BEFORE_PATTERN: &str = "(,=:[!&|?{};\n";

/// The calls of one kind of tool in a script.
pub(super) struct Inner {
    pub(super) action: Action,
    /// The working folder that they state.
    pub(super) stated: Option<String>,
    /// The session that they ask about.
    pub(super) session: Option<String>,
}

/// The calls in a script; `None` if the call is no script. All file changes are one item and all commands are one,
/// since the script has a single result.
pub(super) fn inner(tool: &str, args: &Args<'_>) -> Option<Vec<Inner>> {
    let name = tool.rsplit('.').next().unwrap_or(tool);
    let script = (name == "exec").then(|| args.free_text()).flatten()?;
    if script.len() > LARGEST || !script.contains("tools.") {
        return None;
    }
    let mut all: Vec<Inner> = Vec::new();
    for (tool, argument) in calls(&script) {
        let argument = match argument {
            Some(Value::String(text)) => text,
            Some(value) => value.to_string(),
            None => String::new(),
        };
        let args = Args::read(&argument);
        let action = match Action::read(tool, &args) {
            // A command that is only composed while the script runs.
            Action::Other(_) if contains_any(tool, &SHELLS) => Action::Quiet,
            action => action,
        };
        let inner = Inner { stated: stated(&args), session: session(&args), action };
        if !all.iter_mut().any(|other| other.joins(&inner)) {
            all.push(inner);
        }
    }
    if all.is_empty() {
        all.push(Inner { action: Action::Quiet, stated: None, session: None });
    }
    Some(all)
}

impl Inner {
    /// Merges another call into this one if it is of the same kind; returns whether it was.
    fn joins(&mut self, other: &Self) -> bool {
        match (&mut self.action, &other.action) {
            (Action::Files(files), Action::Files(more)) => files.extend(more.iter().cloned()),
            (Action::Run(command), Action::Run(next)) => {
                *command = format!("{}; {}", &**command, &**next).into();
                self.stated = self.stated.take().filter(|folder| other.stated.as_ref() == Some(folder));
            }
            (Action::Quiet, Action::Quiet) | (Action::Input, Action::Input) if other.session.is_none() => {}
            _ => return false,
        }
        true
    }
}

/// The tool calls of a script, in order, each with its argument if that is a constant.
fn calls(script: &str) -> Vec<(&str, Option<Value>)> {
    let (mut all, mut reader) = (Vec::new(), Reader::of(script));
    let mut before = '\n';
    loop {
        reader.space();
        let rest = reader.rest();
        let Some(first) = rest.chars().next() else { return all };
        match first {
            '"' | '\'' | '`' if reader.text(first).is_some() => before = first,
            '/' if BEFORE_PATTERN.contains(before) => {
                let line = rest.lines().next().unwrap_or(rest);
                let end = line[1..].find('/').map_or(line.len(), |at| at + 2);
                reader.go(&rest[end..]);
            }
            _ => match reader.name() {
                Some(TOOLS) if before != '.' => all.extend(call(&mut reader)),
                Some(word) if CONSTANTS.contains(&word) => constant(&mut reader),
                Some(_) => before = 'a',
                None => {
                    reader.go(&rest[first.len_utf8()..]);
                    before = first;
                }
            },
        }
    }
}

/// A tool call after the name of the tools object. An argument that is no constant is read again for calls in it.
fn call<'s>(reader: &mut Reader<'s>) -> Option<(&'s str, Option<Value>)> {
    let name = reader.takes(".").then(|| reader.name()).flatten()?;
    reader.takes("(").then_some(())?;
    let start = reader.rest();
    let value = reader.value();
    if value.is_none() {
        reader.go(start);
    }
    Some((name, value))
}

/// Records the value of a constant.
fn constant(reader: &mut Reader<'_>) {
    let Some(name) = reader.name() else { return };
    if !reader.takes("=") {
        return;
    }
    let start = reader.rest();
    match reader.value() {
        Some(value) => reader.bind(name, value),
        None => reader.go(start),
    }
}

#[cfg(test)]
mod tests {
    use super::super::act::FileOp;
    use super::*;

    fn told(script: &str) -> Vec<String> {
        let inner = inner("exec", &Args::read(script)).unwrap_or_default();
        inner.into_iter().map(|inner| format!("{:?}", inner.action)).collect()
    }

    fn run(command: &str) -> String {
        format!("{:?}", Action::Run(command.into()))
    }

    #[test]
    fn commands_of_a_script_are_told_as_such() {
        for script in [
            r#"const r = await tools.exec_command({cmd:"make lamp","workdir":"/quay","yield_time_ms":1000}); text(r.output)"#,
            r#"text(await tools.exec_command({ "cmd": 'make lamp', workdir }));"#,
            "const cmd = `make lamp`;\nconst r = await tools.exec_command({cmd, tty: true});\ntext(JSON.stringify(r));",
            r#"const lamp = "lamp"; text((await tools.exec_command({cmd: `make ${lamp}`})).output);"#,
            r#"await tools.exec_command({cmd: "make " + "lamp"})"#,
            r#"await tools.shell_command({command: ["make", "lamp"].join(" "), ...more, at: quay(3, "}")})"#,
        ] {
            assert_eq!(told(script), [run("make lamp")], "{script}");
        }
        let two = r#"const [a, b] = await Promise.all([tools.exec_command({cmd:"make a"}), tools.exec_command({cmd:"make b"})]);"#;
        assert_eq!(told(two), [run("make a; make b")]);
        assert_eq!(told("await tools.exec_command({cmd: 'say \\'a\\' \\u00fc\\n'})"), [run("say 'a' ü\n")]);
    }

    #[test]
    fn what_is_no_script_is_read_to_its_end() {
        let doubled: String = (0..80).map(|at| format!("const a{} = a{at} + a{at};\n", at + 1)).collect();
        let listed: String = (0..80).map(|at| format!("const a{} = [a{at}, `${{a{at}}}`, a{at}];\n", at + 1)).collect();
        for text in ["[ }", "{ ]", "[1, }", "{a: ]", "[)", "{a: [}", &"[".repeat(50_000), &"{a:".repeat(50_000)] {
            for lead in ["const a = ", "await tools.exec_command(", "const a0 = `quay`;\nconst [b] = "] {
                told(&format!("{lead}{text} tools.exec_command"));
            }
        }
        for many in [doubled, listed] {
            let script = format!("const a0 = `quay and lamp`;\n{many}await tools.exec_command({{cmd: a80}})");
            assert!(told(&script).concat().len() < 10_000_000);
        }
        assert_eq!(told(&("tools.".to_owned() + &" ".repeat(LARGEST))).len(), 0);
    }

    #[test]
    fn patches_of_a_script_change_files() {
        let files = format!(
            "{:?}",
            Action::Files(vec![(FileOp::Edited, "lamp.rs".into()), (FileOp::Created, "oil.rs".into())])
        );
        let patch = r"*** Begin Patch\n*** Update File: lamp.rs\n@@\n-a\n+b\n*** Add File: oil.rs\n+c\n*** End Patch";
        let lines = patch.replace("\\n", "\n");
        for script in [
            format!("const patch = \"{patch}\";\ntext(await tools.apply_patch(patch));"),
            format!("await tools.apply_patch(`{lines}`)"),
            format!("await tools.apply_patch(String.raw`{lines}`)"),
            format!("await tools.apply_patch([\"{}\"].join(\"\\n\"))", patch.replace("\\n", "\",\n\"")),
            format!("await tools.apply_patch({{input: '{patch}'}})"),
        ] {
            assert_eq!(told(&script), std::slice::from_ref(&files), "{script}");
        }
        let both = format!("await tools.apply_patch(\"{patch}\"); await tools.exec_command({{cmd: 'make'}})");
        assert_eq!(told(&both), [files, run("make")]);
    }

    #[test]
    fn what_only_looks_like_a_call_is_none() {
        let quiet = vec![format!("{:?}", Action::Quiet)];
        for script in [
            "// tools.exec_command({cmd: \"rm lamp\"})\ntext(1)",
            "const note = \"tools.exec_command({cmd: 'rm lamp'})\"; text(note)",
            "const found = /it's tools.exec_command({/.test(note);",
            "for (const lamp of all) { await tools.exec_command({cmd: light(lamp)}) }",
        ] {
            assert_eq!(told(script)[..1], quiet, "{script}");
        }
        assert!(inner("exec", &Args::read("make tools.exec")).is_some());
        assert!(inner("bash", &Args::read("await tools.exec_command({cmd: 'make'})")).is_none());
        assert!(inner("exec", &Args::read(r#"{"command":"make tools.lamp"}"#)).is_none());
    }

    #[test]
    fn any_text_is_read() {
        for text in [
            "",
            "tools.",
            "tools.a(",
            "tools.a({",
            "tools.a({b",
            "tools.a({'b",
            "tools.a([",
            "tools.a(`${",
            "const",
            "/",
        ] {
            calls(text);
            calls(&format!("é{text}ü"));
        }
    }
}
