//! The arguments of commands that worked: that `pip install lamp` works says nothing of `pip install lamp tide`.

use crate::facts::{commands, program_name};
use crate::summary::extractive::calls::run::Command;
use foldhash::{HashMap, HashSet};

/// Maximum number of arguments of a step.
const MOST: usize = 64;
/// Arguments that stand for all others.
const WHOLE: [&str; 4] = [".", "./", "./...", "..."];

/// For each program with its first argument, the other arguments with which it worked and did not fail since.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    worked: HashMap<String, HashSet<String>>,
}

impl Arguments {
    /// Records how a command ended.
    pub(super) fn note(&mut self, command: &Command, well: bool) {
        for (name, args) in of_steps(command, true) {
            let own = self.worked.entry(name).or_default();
            // Without any, it works on all that there is.
            let all = [WHOLE[0].to_owned()];
            let args = if args.is_empty() { &all[..] } else { &args };
            if well {
                own.extend(args.iter().cloned());
            } else {
                for arg in args.iter().map(String::as_str).chain(WHOLE) {
                    own.remove(arg);
                }
            }
        }
    }

    /// Whether the steps of a command worked with all of their arguments, or with more.
    pub(super) fn cover(&self, command: &Command) -> bool {
        let covers = |own: &HashSet<String>, args: &[String]| {
            WHOLE.iter().any(|all| own.contains(*all)) || args.iter().all(|arg| has(own, arg))
        };
        of_steps(command, false).iter().all(|(name, args)| self.worked.get(name).is_none_or(|own| covers(own, args)))
    }
}

/// Whether arguments have one, a folder that it is in, or the file of a test (`quay.py::test_lamp`).
fn has(own: &HashSet<String>, arg: &str) -> bool {
    let above = || arg.match_indices('/').any(|(at, _)| own.contains(&arg[..at]) || own.contains(&arg[..=at]));
    let file = || arg.split_once("::").is_some_and(|(file, _)| own.contains(file));
    own.contains(arg) || above() || file()
}

/// The program of each step with its first argument, and the other arguments that are plain words, with or without
/// those that may be values of options.
fn of_steps(command: &Command, with_values: bool) -> Vec<(String, Vec<String>)> {
    let of_step = |step: &Vec<String>| {
        let name = commands(&step.join(" ")).into_iter().next()?.value;
        let (program, first) = name.split_once(' ')?;
        let at = step.iter().position(|word| program_name(word) == program)?;
        let is_value = |at: usize| !with_values && step[at - 1].starts_with('-') && !step[at - 1].contains('=');
        let is_plain = |word: &String| {
            !word.starts_with('-') && word != first && !word.contains(|sign: char| sign.is_whitespace() || sign == '$')
        };
        let plain = (at + 1..step.len()).filter(|at| !is_value(*at) && is_plain(&step[*at]));
        let args = plain.take(MOST).map(|at| step[at].clone()).collect();
        Some((name.clone(), args))
    };
    command.steps().iter().filter_map(of_step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a command is covered after these, each with whether it worked.
    fn covered(ran: &[(&str, bool)], command: &str) -> bool {
        let mut arguments = Arguments::default();
        ran.iter().for_each(|(command, well)| arguments.note(&(*command).into(), *well));
        arguments.cover(&command.into())
    }

    #[test]
    fn a_command_with_fewer_arguments_says_nothing_of_the_others() {
        let both = "cd /quay && python3 -m pip install lamp tide 2>&1 | tail -3";
        assert!(!covered(&[("/usr/bin/python3 -m pip install tide --quiet", true)], both));
        assert!(covered(&[("python3 -m pip install -q lamp", true), ("python3 -m pip install tide", true)], both));
        assert!(covered(&[("python3 -m pip install tide lamp oil", true)], both));
        assert!(!covered(&[(both, true), (both, false), ("python3 -m pip install tide", true)], both));
        assert!(covered(&[("git push", true)], "git push origin quay"));
        assert!(!covered(&[("git push origin pier", true)], "git push origin quay"));
        assert!(covered(&[("go build ./...", true)], "go build ./lamp"));
        assert!(covered(&[("npx eslint src", true)], "npx eslint src/lamp.ts"));
        assert!(covered(&[("git commit -m two", true)], "git commit -m 'one lamp'"));
        assert!(covered(&[("make tide", true)], "npm ci && make tide"));
    }
}
