//! What a tool call does, from its name and arguments: works on files, runs a command, plans, or something else.

use super::args::Args;
use super::outcome::{CallOutcome, Flags};
use super::plan::{self, Step};
use super::remote;
use super::run::Command;
use super::script;
use super::skills;
use crate::summary::extractive::words::{QUIET_NAMES, QUIET_TOOLS};
use crate::summary::text::{contains_any, cut, fold, starts_any, words};
use crate::transcript::FILE_PATH_KEYS;

/// Argument keys of a command; the last is Terminus's, which types it into a terminal.
const COMMAND_KEYS: &[&str] = &["command", "cmd", "script", "commandLine", "CommandLine", "code", "keystrokes"];
/// Argument key of several commands, one per item (Cline).
const COMMANDS: &str = "commands";
const SHELLS: &[&str] = &["bash", "shell", "exec", "terminal", "command", "run", "powershell", "python"];
/// Maximum length of a suffix after a path that says how the file is read, in bytes.
const LONGEST_WAY: usize = 8;
/// Parts of tool names that tell the operation; the first match counts.
const OPERATIONS: &[(&str, FileOp)] = &[
    ("delete", FileOp::Deleted),
    ("remove", FileOp::Deleted),
    ("rename", FileOp::Moved),
    ("move", FileOp::Moved),
    ("create", FileOp::Created),
    ("write", FileOp::Written),
    ("save", FileOp::Written),
    ("edit", FileOp::Edited),
    ("replace", FileOp::Edited),
    ("patch", FileOp::Edited),
    ("diff", FileOp::Edited),
    ("insert", FileOp::Edited),
    ("update", FileOp::Edited),
    ("append", FileOp::Edited),
    ("read", FileOp::Read),
    ("view", FileOp::Read),
    ("open", FileOp::Read),
    ("code_action", FileOp::Edited),
    ("cat", FileOp::Read),
    ("get", FileOp::Read),
];
/// Operations of editor tools that have one name for everything, by their command.
const EDITOR_COMMANDS: &[(&str, FileOp)] = &[
    ("create", FileOp::Created),
    ("str_replace", FileOp::Edited),
    ("insert", FileOp::Edited),
    ("undo_edit", FileOp::Edited),
    ("view", FileOp::Read),
];

/// An operation on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileOp {
    /// Created: it did not exist before.
    Created,
    /// Written as a whole, new or not.
    Written,
    /// Edited in places.
    Edited,
    /// Moved away: it has another path now.
    Moved,
    /// Deleted.
    Deleted,
    /// Read.
    Read,
    /// Restored to its state before it was changed.
    Restored,
    /// Moved here: the path is the target of the move before it.
    Arrived,
}

impl FileOp {
    /// Whether the content of the file may differ afterwards.
    pub(in crate::summary::extractive) fn changes(self) -> bool {
        !matches!(self, Self::Read | Self::Restored)
    }
}

/// The action of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::summary::extractive) enum Action {
    /// Works on files.
    Files(Vec<(FileOp, String)>),
    /// Runs a command.
    Run(Command),
    /// Rewrites the list of steps.
    Plan(Vec<Step>),
    /// Adds a step or changes the status of one.
    Step(StepChange),
    /// Types into a running program, or waits for its output.
    Input,
    /// Looks, waits or plans.
    Quiet,
    /// Any other call, shown by name and arguments.
    Other(String),
}

/// A change in a list of steps (Claude Code's `TaskCreate`, `TaskUpdate` and `TaskList`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::summary::extractive) enum StepChange {
    /// A new step; its number is in the result.
    Added(String),
    /// The number of a step, and its new status.
    Moved(String, String),
    /// The result tells all steps as they are.
    Listed,
}

impl Action {
    /// Whether it only maintains the list of steps.
    pub(in crate::summary::extractive) fn plans(&self) -> bool {
        matches!(self, Self::Plan(_) | Self::Step(_))
    }

    /// Whether its result only shows text of others or of the harness, and no command that may still run.
    pub(in crate::summary::extractive) fn only_shows(&self) -> bool {
        match self {
            Self::Files(_) | Self::Input | Self::Quiet => true,
            Self::Run(command) => command.is_quiet(),
            Self::Plan(_) | Self::Step(_) | Self::Other(_) => false,
        }
    }

    /// Whether it does more to a file than to read it.
    pub(super) fn changes_files(&self) -> bool {
        matches!(self, Self::Files(files) if files.iter().any(|(op, _)| *op != FileOp::Read))
    }

    /// The outcome of this action with this result.
    pub(super) fn outcome(&self, result: &str, flags: Flags) -> CallOutcome {
        match self {
            Self::Files(_) if self.changes_files() => CallOutcome::of_change(result, flags),
            Self::Run(command) if !self.only_shows() => CallOutcome::of_run(command, result, flags),
            // A status in it is that of the program, which may have been stopped by this input.
            Self::Input => CallOutcome::Ended,
            // A status in its text is that of the command it asks about.
            Self::Quiet if !flags.error => CallOutcome::Done(String::new()),
            Self::Run(command) => CallOutcome::of_look(command, result, flags),
            Self::Files(_) | Self::Quiet => CallOutcome::of_shown(result, flags),
            Self::Other(shown) => CallOutcome::of_call(shown, result, flags),
            Self::Plan(_) | Self::Step(_) => CallOutcome::of(result, flags),
        }
    }

    /// The action of a call, by tool name and stored arguments.
    pub(in crate::summary::extractive) fn of(tool: &str, arguments: &str) -> Self {
        Self::read(tool, &Args::read(arguments))
    }

    /// The same from parsed arguments.
    pub(in crate::summary::extractive) fn read(tool: &str, args: &Args<'_>) -> Self {
        match script::inner(tool, args) {
            Some(mut inner) => inner.swap_remove(0).action,
            None => Self::direct(tool, args),
        }
    }

    /// The action of a call that is not a script.
    pub(super) fn direct(tool: &str, args: &Args<'_>) -> Self {
        let name = tool.to_lowercase();
        if types(&name, args) {
            return Self::Input;
        }
        None.or_else(|| patched(args).map(Self::Files))
            .or_else(|| file(&name, args).map(|file| Self::Files(vec![file])))
            .or_else(|| files(&name, args).map(Self::Files))
            .or_else(|| in_python(&name, args).map(Self::Files))
            .or_else(|| command(&name, args).map(|line| Self::Run(remote::placed(&name, args, line).into())))
            .or_else(|| plan::steps(&name, args).map(Self::Plan))
            .or_else(|| step(&name, args).map(Self::Step))
            .or_else(|| remote::command(&name, args).map(|line| Self::Run(line.into())))
            .unwrap_or_else(|| other(&name, tool, args))
    }
}

fn step(name: &str, args: &Args<'_>) -> Option<StepChange> {
    match name {
        "taskcreate" => args.text(&["subject", "description"]).map(StepChange::Added),
        "tasklist" => Some(StepChange::Listed),
        "taskupdate" => Some(StepChange::Moved(args.text(&["taskId"])?, args.text(&["status"])?)),
        _ => None,
    }
}

/// The files of a patch in the `*** Update File:` form, whichever argument holds it.
fn patched(args: &Args<'_>) -> Option<Vec<(FileOp, String)>> {
    let argv = || args.texts("command").map(|words| words.join(" "));
    let text = args.free_text().or_else(|| args.text(COMMAND_KEYS)).or_else(argv)?;
    let body = &text[text.find("*** Begin Patch")?..];
    let mut files: Vec<(FileOp, String)> = Vec::new();
    for line in body.lines() {
        let moved = line.strip_prefix("*** Move to: ").zip(files.last().map(|(_, path)| path.clone()));
        match moved {
            Some((to, from)) => files.extend([(FileOp::Moved, from), (FileOp::Arrived, to.trim().to_owned())]),
            None => files.extend(patch_header(line)),
        }
    }
    (!files.is_empty()).then_some(files)
}

fn patch_header(line: &str) -> Option<(FileOp, String)> {
    let headers = [
        ("*** Update File: ", FileOp::Edited),
        ("*** Add File: ", FileOp::Created),
        ("*** Delete File: ", FileOp::Deleted),
    ];
    headers.iter().find_map(|(mark, op)| line.strip_prefix(mark).map(|path| (*op, path.trim().to_owned())))
}

fn file(name: &str, args: &Args<'_>) -> Option<(FileOp, String)> {
    let path = args.text(FILE_PATH_KEYS).map(|path| fold(&path)).filter(|path| is_path(path))?;
    let editor = args.text(&["command"]);
    let by_command = editor.and_then(|command| EDITOR_COMMANDS.iter().find(|(word, _)| *word == command));
    let op = by_command.map(|(_, op)| *op).or_else(|| operation(name))?;
    Some((op, if op == FileOp::Read { without_place(path) } else { path }))
}

/// A path without the suffix that says which part of the file is read, or how: `a.rs:1-5`, `a.rs#L10-L20`,
/// `a.rs:raw`.
fn without_place(path: String) -> String {
    let end = path.rfind(['/', '\\']).map_or(0, |end| end + 1);
    let Some((name, part)) = path[end..].split_once(['#', ':']).filter(|(name, _)| name.contains('.')) else {
        return path;
    };
    let is_range = part.starts_with(|first: char| first == 'L' || first.is_ascii_digit())
        && part.chars().all(|char| char.is_ascii_digit() || "L-,:+".contains(char));
    let is_way = part.len() <= LONGEST_WAY && part.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_range || is_way { path[..end + name.len()].to_owned() } else { path }
}

/// What a tool of this name, in lower case, does with a file.
pub(super) fn operation(name: &str) -> Option<FileOp> {
    let quiet = contains_any(name, QUIET_TOOLS);
    OPERATIONS.iter().find(|(piece, _)| !quiet && name.contains(piece)).map(|(_, op)| *op)
}

/// Several files in one call: `{"files":[{"path":…},…]}`, or `changes`.
fn files(name: &str, args: &Args<'_>) -> Option<Vec<(FileOp, String)>> {
    let op = operation(name)?;
    let each = args
        .objects("files")
        .or_else(|| args.objects("changes"))?
        .into_iter()
        .filter_map(|file| file.text(FILE_PATH_KEYS));
    let whole = |path: String| if op == FileOp::Read { without_place(path) } else { path };
    let files: Vec<_> =
        each.map(|path| fold(&path)).filter(|path| is_path(path)).map(|path| (op, whole(path))).collect();
    (!files.is_empty()).then_some(files)
}

/// The files that Python code works on through functions of its harness (OpenHands).
fn in_python(name: &str, args: &Args<'_>) -> Option<Vec<(FileOp, String)>> {
    let code = name.contains("python").then(|| args.text(&["code"])).flatten()?;
    Some(skills::files(&code)).filter(|files| !files.is_empty())
}

fn is_path(path: &str) -> bool {
    !path.is_empty()
        && path.len() <= 400
        && (path.contains(['/', '\\', '.']) || !path.contains(' '))
        && !path.contains("://")
}

fn command(name: &str, args: &Args<'_>) -> Option<String> {
    if !contains_any(name, SHELLS) {
        return None;
    }
    let cell = || name.contains("python").then(|| args.text(&["code"])).flatten().map(|code| cell(&code));
    let line = cell()
        .or_else(|| args.text(COMMAND_KEYS))
        .or_else(|| COMMAND_KEYS.iter().find_map(|key| args.texts(key)).map(|argv| joined(&argv)));
    let lines = || args.texts(COMMANDS).map(|lines| lines.join(" && "));
    line.or_else(lines).or_else(|| args.free_text()).filter(|line| !line.trim().is_empty())
}

/// A notebook cell as a command: its shell commands, or Python with the code as input.
fn cell(code: &str) -> String {
    let lines = || code.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines().next().unwrap_or_default();
    if ["%%bash", "%%sh"].contains(&first) {
        return code.trim_start().split_once('\n').map_or("", |(_, script)| script).to_owned();
    }
    let commands: Option<Vec<&str>> = lines().map(of_shell).collect();
    match commands {
        Some(commands) if !commands.is_empty() => commands.join("\n"),
        _ => format!("python3 - <<'CELL'\n{code}\nCELL"),
    }
}

/// The shell command of a cell's line, without `!`; magics that install packages count too.
fn of_shell(line: &str) -> Option<&str> {
    let installs = |line: &&str| starts_any(line, &["pip ", "conda ", "uv "]);
    line.strip_prefix('!').or_else(|| line.strip_prefix('%').filter(installs))
}

/// Whether a call types into a running program: by a tool for that (Codex), by `is_input` (OpenHands), or by a
/// control key, for which OpenHands does not always set that.
fn types(name: &str, args: &Args<'_>) -> bool {
    let is_key = |line: &str| line.len() == 3 && line.starts_with("C-");
    let typed = || ["true", r#""true""#].contains(&args.raw("is_input").unwrap_or_default());
    name.ends_with("write_stdin")
        || contains_any(name, SHELLS) && (typed() || args.text(&["command"]).is_some_and(|line| is_key(line.trim())))
}

/// The command line of an argv: `["bash", "-lc", "make"]` gives `make`.
fn joined(argv: &[String]) -> String {
    match argv {
        [_, flag, line] if flag.starts_with('-') && flag.ends_with('c') => line.clone(),
        _ => argv.join(" "),
    }
}

fn other(name: &str, tool: &str, args: &Args<'_>) -> Action {
    let is_quiet = QUIET_NAMES.contains(&name) || contains_any(name, QUIET_TOOLS);
    if is_quiet {
        return Action::Quiet;
    }
    if let Some(line) = args.code_line() {
        return Action::Other(format!("{}({})", fold(tool), cut(&fold(line), 140)));
    }
    // What tells one call from another stands before its reasons.
    let (prose, told): (Vec<_>, Vec<_>) =
        [args.brief(), args.all_lists()].concat().into_iter().partition(|field| is_prose(field));
    // What is sent matters as much as where.
    let sends = prose.iter().any(|field| field.split_once('=').is_some_and(|(name, _)| SENT.contains(&name)));
    let fields = told.iter().take(FIELDS - usize::from(sends)).chain(&prose).take(FIELDS);
    let fields: Vec<String> = fields.map(|field| cut(&fold(field), 70).into_owned()).collect();
    Action::Other(format!("{}({})", fold(tool), cut(&fields.join(", "), 140)))
}

/// Number of arguments shown.
const FIELDS: usize = 4;
/// Names of arguments with what is sent or stored.
const SENT: [&str; 4] = ["body", "content", "description", "message"];
/// Names of arguments in which the agent writes sentences.
const PROSE: [&str; 12] = [
    "body",
    "comment",
    "content",
    "description",
    "details",
    "explanation",
    "justification",
    "message",
    "notes",
    "reason",
    "reasoning",
    "summary",
];
/// Fewest words of such an argument that are a sentence.
const SENTENCE: usize = 4;

/// Whether an argument in the form `name=value` is a sentence of the agent.
fn is_prose(field: &str) -> bool {
    field.split_once('=').is_some_and(|(name, value)| PROSE.contains(&name) && words(value) >= SENTENCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(tool: &str, args: &str) -> Vec<(FileOp, String)> {
        match Action::of(tool, args) {
            Action::Files(files) => files,
            other => vec![(FileOp::Read, format!("{other:?}"))],
        }
    }

    #[test]
    fn what_tells_one_call_from_another_stands_before_its_reasons() {
        let args = r#"{"reason":"The keeper of the pier asked for it on Monday.","ferry":"F-7","summary":"Moved","tracking_number":"T-81"}"#;
        let shown = "move_ferry(ferry=F-7, summary=Moved, tracking_number=T-81, reason=The keeper of the pier asked for it on Monday.)";
        assert_eq!(Action::of("move_ferry", args), Action::Other(shown.into()));
        let args = r#"{"message":"Your ferry is moved to May 5.","to":"+1555","from":"Quay","priority":"high","language":"en"}"#;
        let shown = "send_sms(to=+1555, from=Quay, priority=high, message=Your ferry is moved to May 5.)";
        assert_eq!(Action::of("send_sms", args), Action::Other(shown.into()));
    }

    #[test]
    fn a_call_in_code_is_shown_by_its_first_line() {
        let shown = |code: &str| Action::of("browser", code);
        let searched = Action::Other("browser(search(\"quay\"))".into());
        assert_eq!(shown("# I look for it.\nsearch(\"quay\")\nclick(0)"), searched);
        assert_eq!(shown("{\"quay"), Action::Other("browser()".into()), "JSON that is cut is none");
    }

    #[test]
    fn file_tools_are_known_by_pieces_of_their_name() {
        let one = |op, path: &str| vec![(op, path.to_owned())];
        assert_eq!(files("Write", r#"{"file_path":"/a/b.rs","content":"x"}"#), one(FileOp::Written, "/a/b.rs"));
        assert_eq!(files("MultiEdit", r#"{"file_path":"b.rs"}"#), one(FileOp::Edited, "b.rs"));
        assert_eq!(files("delete_file", r#"{"target_file":"b.rs"}"#), one(FileOp::Deleted, "b.rs"));
        assert_eq!(
            files("replace_file_content", r#"{"TargetFile":"/w/a.rs","TargetContent":"x"}"#),
            vec![(FileOp::Edited, "/w/a.rs".into())]
        );
        assert_eq!(
            files("apply_patch", r#"{"changes":[{"path":"/w/a.rs","kind":"update"}]}"#),
            vec![(FileOp::Edited, "/w/a.rs".into())]
        );
        assert_eq!(
            files("str_replace_based_edit_tool", r#"{"command":"view","path":"b.rs"}"#),
            one(FileOp::Read, "b.rs")
        );
    }

    #[test]
    fn which_part_of_a_file_is_read_is_no_part_of_its_path() {
        for path in ["src/a.rs:raw", "src/a.rs:1-5", "src/a.rs:7", "src/a.rs#L10-L20", "src/a.rs:1-5,9+3", "src/a.rs"] {
            let args = serde_json::json!({ "path": path }).to_string();
            assert_eq!(files("read", &args), [(FileOp::Read, "src/a.rs".to_owned())], "{path}");
        }
        for path in ["C:\\quay\\a.rs", "c:/quay/a.rs", "notes/a:b", "a.rs:Lamp.light", "wiki/a.md#how-it-is-lit"] {
            let args = serde_json::json!({ "path": path }).to_string();
            assert_eq!(files("read", &args), [(FileOp::Read, path.to_owned())], "{path}");
        }
    }

    #[test]
    fn one_call_may_work_on_several_files() {
        let args = r#"{"files":[{"path":"a.rs","start_line":1},{"path":"b.rs"},3]}"#;
        assert_eq!(
            files("read_files", args),
            vec![(FileOp::Read, "a.rs".to_owned()), (FileOp::Read, "b.rs".to_owned())]
        );
        assert_eq!(files("apply_diff", r#"{"path":"a.rs"}"#), vec![(FileOp::Edited, "a.rs".to_owned())]);
    }

    #[test]
    fn a_patch_names_its_files_in_any_argument() {
        let expected = vec![(FileOp::Edited, "a.rs".to_owned()), (FileOp::Created, "b.rs".to_owned())];
        assert_eq!(files("apply_patch", "*** Begin Patch\n*** Update File: a.rs\n+x\n*** Add File: b.rs\n"), expected);
        let moved = [(FileOp::Edited, "a.rs"), (FileOp::Moved, "a.rs"), (FileOp::Arrived, "quay/a.rs")];
        let moved: Vec<_> = moved.into_iter().map(|(op, path)| (op, path.to_owned())).collect();
        let patch = "*** Begin Patch\n*** Update File: a.rs\n*** Move to: quay/a.rs\n@@\n-x\n+y\n";
        assert_eq!(files("apply_patch", patch), moved);
        let wrapped = r#"{"command":["apply_patch","*** Begin Patch\n*** Update File: a.rs\n*** Add File: b.rs\n"]}"#;
        assert_eq!(files("shell", wrapped), expected);
    }

    #[test]
    fn commands_are_taken_out_of_their_shell() {
        assert_eq!(Action::of("Bash", r#"{"command":"cargo test"}"#), Action::Run("cargo test".into()));
        assert_eq!(Action::of("shell", r#"{"command":["bash","-lc","make"]}"#), Action::Run("make".into()));
        let two = r#"{"commands":["make","make test"]}"#;
        assert_eq!(Action::of("run_commands", two), Action::Run("make && make test".into()));
    }

    #[test]
    fn the_cell_of_a_notebook_is_no_shell() {
        let run = |code: &str| match Action::of("run_ipython", &serde_json::json!({ "code": code }).to_string()) {
            Action::Run(command) => command,
            other => format!("{other:?}").into(),
        };
        assert_eq!(run("import tide\nmask = (ebb > 2) & (ebb < 6)\ndef flood(): pass").shown(), "python3 -");
        assert_eq!(run("%pip install tide\n!make quay\n"), "pip install tide\nmake quay".into());
        assert_eq!(run("%%bash\nmake quay\nls"), "make quay\nls".into());
        assert_eq!(run("%matplotlib inline\n!make").shown(), "python3 -");
    }

    #[test]
    fn what_is_typed_into_a_program_is_no_command() {
        for typed in [r#"{"command":"row north","is_input":"true"}"#, r#"{"is_input":true}"#, r#"{"command":"C-c"}"#] {
            assert_eq!(Action::of("execute_bash", typed), Action::Input, "{typed}");
        }
        assert_eq!(Action::of("write_stdin", r#"{"session_id":3,"chars":"north\n"}"#), Action::Input);
        let flags = Flags::of(true, Some(crate::transcript::Status::Exit(130)));
        assert_eq!(Action::Input.outcome("^CTraceback", flags), CallOutcome::Ended);
        assert_eq!(Action::of("bash", r#"{"command":"row","is_input":"false"}"#), Action::Run("row".into()));
    }

    #[test]
    fn other_tools_are_shown_with_their_short_arguments() {
        let shown = Action::Other("book_seat(user_id=u_1, seats=2)".into());
        assert_eq!(Action::of("book_seat", r#"{"user_id":"u_1","seats":2,"extra":{"a":1}}"#), shown);
        for (lists, told) in [
            (
                r#"{"notes":[{"title":"Low tide","size":3,"text":["long"]},{"title":"Lamps"}]}"#,
                "notes Low tide 3; Lamps",
            ),
            (r#"{"ids":["q1","q2","q3","q4"],"extra":[]}"#, "ids q1; q2; q3; …"),
        ] {
            assert_eq!(Action::of("book_seats", lists), Action::Other(format!("book_seats({told})")));
        }
        for quiet in ["Grep", "rg", "find", "report_intent", "view"] {
            assert_eq!(Action::of(quiet, r#"{"pattern":"x y","for":"z"}"#), Action::Quiet);
        }
    }

    #[test]
    fn a_plan_is_read_in_both_spellings() {
        let step = Step { content: "do".into(), status: "pending".into() };
        assert_eq!(
            Action::of("TodoWrite", r#"{"todos":[{"content":"do","status":"pending","id":"1"}]}"#),
            Action::Plan(vec![step.clone()])
        );
        assert_eq!(
            Action::of("update_plan", r#"{"plan":[{"step":"do","status":"pending"}]}"#),
            Action::Plan(vec![step])
        );
    }
}
