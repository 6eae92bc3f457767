//! What later calls say of earlier ones: that a slip or a missing program was overcome, and that the state of a work
//! tree is no longer what it was.

use super::turns::Turn;
use crate::facts::program_name;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::args::Args;
use crate::summary::extractive::calls::trials::git_verbs;
use crate::summary::extractive::calls::verbs;
use crate::summary::extractive::files::paths::file_name;
use crate::summary::extractive::words::TOOL_SLIPS;
use crate::summary::text::contains_any;
use crate::transcript::FILE_PATH_KEYS;
use foldhash::HashSet;

/// Maximum number of slips that wait for a call that overcomes them, the last ones.
const OPEN: usize = 32;
/// What shells say of a program that is not there.
const NO_PROGRAM: &str = "command not found";

/// Subcommands of git that change what it says of the work tree.
const TREE_VERBS: [&str; 15] = [
    "add",
    "apply",
    "checkout",
    "cherry-pick",
    "clean",
    "commit",
    "merge",
    "mv",
    "pull",
    "rebase",
    "reset",
    "restore",
    "revert",
    "stash",
    "switch",
];

/// What later calls say of earlier ones.
#[derive(Default)]
pub(in crate::summary::extractive) struct Later {
    /// Failed calls, by message and id, that a later one overcame.
    overcome: HashSet<(usize, String)>,
    /// The message of the last call that may have changed the work tree.
    touched: Option<usize>,
}

impl Later {
    /// Reads the calls of a head, and those `behind` it.
    pub(super) fn of(turns: &[Turn<'_>], behind: &[Act<'_>]) -> Self {
        let acts = || turns.iter().flat_map(|turn| &turn.acts);
        let (mut open, mut overcome): (Vec<Slip<'_>>, _) = (Vec::new(), HashSet::default());
        for act in acts().chain(behind) {
            if act.outcome.worked() {
                open.retain(|slip| {
                    let is_over = slip.is_overcome_by(act);
                    if is_over {
                        overcome.insert((slip.act.message, slip.act.call.to_owned()));
                    }
                    !is_over
                });
            } else if let Some(slip) = Slip::of(act) {
                if open.len() == OPEN {
                    open.remove(0);
                }
                open.push(slip);
            }
        }
        let all = acts().map(|act| (act, act.message)).chain(behind.iter().map(|act| (act, usize::MAX)));
        let touched = all.filter(|(act, _)| touches(act)).map(|(_, at)| at).max();
        Self { overcome, touched }
    }

    /// Whether a call failed only by a slip, or for want of a program, and a later one worked in its place.
    pub(in crate::summary::extractive) fn has_overcome(&self, act: &Act<'_>) -> bool {
        self.overcome.contains(&(act.message, act.call.to_owned()))
    }

    /// Whether the work tree may have changed in this message or later.
    pub(in crate::summary::extractive) fn is_stale(&self, message: usize) -> bool {
        self.touched.is_some_and(|touched| touched >= message)
    }
}

/// A failed call that another one may overcome.
struct Slip<'a> {
    act: &'a Act<'a>,
    target: Target<'a>,
}

/// What such a call was about.
enum Target<'a> {
    /// A path, and its name without folders.
    Path(String, String),
    /// A program that is not there.
    Program(&'a str),
    /// Nothing but its tool.
    Tool,
}

impl<'a> Slip<'a> {
    fn of(act: &'a Act<'_>) -> Option<Self> {
        let error = act.outcome.error()?;
        let target = match &act.action {
            Action::Run(_) => Target::Program(missing_program(error)?),
            _ if !contains_any(&error.to_lowercase(), TOOL_SLIPS) => return None,
            _ => {
                let own = act.files().first().map(|(_, path)| path.clone());
                let path = own.or_else(|| Args::read(act.arguments).text(FILE_PATH_KEYS));
                path.map_or(Target::Tool, |path| {
                    let path = path.trim_end_matches(['/', '\\']).to_owned();
                    let name = file_name(&path).unwrap_or(&path).to_owned();
                    Target::Path(path, name)
                })
            }
        };
        Some(Self { act, target })
    }

    /// Whether a call that worked did what this one was to do.
    fn is_overcome_by(&self, act: &Act<'_>) -> bool {
        match &self.target {
            Target::Tool => act.tool == self.act.tool,
            Target::Path(path, name) => {
                act.arguments.contains(path.as_str()) || act.files().iter().any(|(_, own)| file_name(own) == Some(name))
            }
            Target::Program(program) => {
                let Action::Run(command) = &act.action else { return false };
                let Action::Run(failed) = &self.act.action else { return false };
                let wanted = failed.steps().iter().find_map(|step| run_of(step, program));
                let runs = |step| run_of(step, program).filter(|run| wanted.is_none_or(|wanted| *run == wanted));
                command.steps().iter().any(|step| runs(step).is_some())
            }
        }
    }
}

/// Options and subcommands behind which the name of what is run stands.
const RUNNERS: [&str; 4] = ["-m", "dlx", "exec", "run"];

/// The arguments that say what a step runs with a program, in whatever version, behind settings and one other word.
fn run_of<'s>(step: &'s [String], program: &str) -> Option<&'s [String]> {
    let is_it = |word: &String| {
        let version = program_name(word).strip_prefix(program).unwrap_or("?");
        version.chars().all(|char| char.is_ascii_digit() || char == '.')
    };
    let args = &step[step.iter().take(WITHIN).position(is_it)? + 1..];
    let most = if args.first().is_some_and(|first| RUNNERS.contains(&&**first)) { 2 } else { 1 };
    Some(&args[..most.min(args.len())])
}

/// Number of words of a step in which its program stands.
const WITHIN: usize = 3;

/// The program that a shell does not find: `zsh:1: command not found: lamp`, `bash: line 1: lamp: command not found`.
fn missing_program(error: &str) -> Option<&str> {
    let (before, behind) = error.split_once(NO_PROGRAM)?;
    let named = behind.strip_prefix(": ").or_else(|| before.trim_end_matches([':', ' ']).rsplit(": ").next())?;
    let program = program_name(named.split_whitespace().next()?);
    let is_plain = program.chars().all(|char| char.is_alphanumeric() || "._+-".contains(char));
    (is_plain && program.contains(char::is_alphabetic)).then_some(program)
}

/// Whether a call may have changed the work tree.
fn touches(act: &Act<'_>) -> bool {
    match &act.action {
        Action::Files(_) => act.has_changed_files(),
        Action::Run(command) => {
            let changes = || git_verbs(command).iter().any(|verb| TREE_VERBS.contains(&verb.as_str()));
            act.has_changed_files() || !command.is_quiet() && !command.runs_tests() || changes()
        }
        Action::Input => true,
        Action::Other(_) => verbs::may_change(act.tool),
        Action::Plan(_) | Action::Step(_) | Action::Quiet => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::*;
    use crate::summary::builders::act;
    use crate::transcript::Message;

    fn over(failed: [Message<'static>; 2], later: [Message<'static>; 2]) -> bool {
        let messages = [failed, later].concat();
        let all = turns(&messages.iter().collect::<Vec<_>>(), &[]);
        let own = &all[0].acts[0];
        Later::of(&all, &[]).has_overcome(own)
    }

    #[test]
    fn a_slip_is_over_once_the_same_target_is_reached() {
        let read = || {
            let said = "EISDIR: illegal operation on a directory, read '/w/quay'";
            act("Read", r#"{"file_path":"/w/quay"}"#, said, true)
        };
        assert!(over(read(), act("Glob", r#"{"pattern":"*","path":"/w/quay"}"#, "/w/quay/lamp.rs", false)));
        assert!(!over(read(), act("Glob", r#"{"pattern":"*","path":"/w/pier"}"#, "/w/pier/lamp.rs", false)));
        let wrong =
            act("Grep", r#"{"patern":"lamp"}"#, "InputValidationError: Grep failed: unexpected parameter", true);
        assert!(over(wrong, act("Grep", r#"{"pattern":"lamp"}"#, "lamp.rs", false)));
    }

    #[test]
    fn a_program_that_is_missing_is_over_once_another_form_of_it_works() {
        let run = |command: &str, printed: &str, failed| {
            act("bash", &serde_json::json!({ "command": command }).to_string(), printed, failed)
        };
        let missing = || run("lamp tide.x", "zsh:1: command not found: lamp\nExit code: 127", true);
        assert!(over(missing(), run("lamp3 tide.x", "lit\nExit code: 0", false)));
        assert!(over(missing(), run("OIL=1 /opt/bin/lamp tide.x", "lit\nExit code: 0", false)));
        assert!(!over(missing(), run("lamp3 other.x", "lit\nExit code: 0", false)), "another run");
        let tests = || run("lamp -m tides -q", "bash: line 1: lamp: command not found\nExit code: 127", true);
        assert!(over(tests(), run("lamp3 -m tides", "lit\nExit code: 0", false)));
        assert!(!over(tests(), run("lamp3 -m piers", "lit\nExit code: 0", false)));
        assert!(!over(missing(), run("lamps tide.x", "lit\nExit code: 0", false)));
        assert_eq!(missing_program("bash: line 1: lamp: command not found"), Some("lamp"));
        assert_eq!(missing_program("README.md: line 1: #: command not found"), None);
    }

    #[test]
    fn a_change_makes_what_was_seen_of_the_tree_stale() {
        let look = || act("bash", r#"{"command":"git status"}"#, "clean", false);
        let stale = |later: [Message<'static>; 2]| {
            let messages = [look(), later].concat();
            Later::of(&turns(&messages.iter().collect::<Vec<_>>(), &[]), &[]).is_stale(0)
        };
        assert!(stale(act("Edit", r#"{"file_path":"/w/a.rs"}"#, "ok", false)));
        assert!(stale(act("bash", r#"{"command":"git add -A"}"#, "", false)));
        assert!(!stale(act("bash", r#"{"command":"cargo test"}"#, "1 passed", false)) && !stale(look()));
    }
}
