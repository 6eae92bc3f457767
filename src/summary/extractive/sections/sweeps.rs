//! Several runs of one program with other arguments and other results: what came of each is a finding, so each is told
//! with what is different in it.

use super::LONGEST_LINE;
use super::accomplished::{TIER, rank};
use super::printed::result_of;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::command::parts;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::words::INTERPRETERS;
use crate::summary::items::Item;
use crate::summary::text::cut;
use foldhash::HashSet;
use std::collections::BTreeMap;

/// Minimum number of such runs, and maximum number that are told: the last ones, and those with the least and the
/// greatest number.
const LEAST: usize = 2;
const MOST: usize = 12;
/// Tier of such a line.
const TOLD: i64 = 2;
/// Maximum lengths of the program and of the arguments of a run in such a line, in characters.
const PROGRAM: usize = 64;
const ARGUMENTS: usize = 72;

/// A run with its result.
struct Run<'t> {
    shown: &'t str,
    message: usize,
    call: &'t str,
    result: String,
}

/// The runs of one program with other arguments whose results differ.
pub(super) struct Sweep<'t> {
    program: String,
    /// The runs, in their order.
    runs: Vec<Run<'t>>,
    worked: bool,
}

/// The sweeps among runs without details on their outcome.
pub(super) fn sweeps<'t>(runs: impl Iterator<Item = (&'t str, &'t Act<'t>)>) -> Vec<Sweep<'t>> {
    let mut by_program: BTreeMap<(String, bool), Vec<Run<'t>>> = BTreeMap::new();
    for (shown, act) in runs.filter(|(shown, _)| !shown.contains(['`', '“', '”'])) {
        let (Some(program), Some(result)) = (program(shown), result_of(shown, act)) else { continue };
        let run = Run { shown, message: act.message, call: act.call, result };
        by_program.entry((program, act.outcome != CallOutcome::Ended)).or_default().push(run);
    }
    let all = by_program.into_iter().map(|((program, worked), runs)| Sweep { program, runs, worked });
    // Of two only, the results must be of one kind, and have room in a line.
    let is_pair = |sweep: &Sweep<'_>| sweep.runs.len() == LEAST;
    all.filter(|sweep| sweep.differs() && (!is_pair(sweep) || sweep.is_alike() && sweep.items(0).len() == 1)).collect()
}

/// The program of a command, with its subcommand; of an interpreter and a runner of scripts, with the script. None for
/// git and hosts of repositories, whose commands are no trials.
fn program(shown: &str) -> Option<String> {
    let (name, argument) = parts(shown).filter(|(name, _)| !HOSTS.contains(&name.split(' ').next().unwrap_or(name)))?;
    let runs = name.ends_with(" run") && name != "cargo run";
    let script = argument.filter(|_| runs || INTERPRETERS.contains(&name.as_str()));
    Some(script.map_or_else(|| name.clone(), |script| format!("{name} {script}")))
}

/// Programs whose runs are none of one kind.
const HOSTS: [&str; 4] = ["git", "gh", "glab", "jj"];

impl Sweep<'_> {
    /// Whether both the commands and their results differ.
    fn differs(&self) -> bool {
        let different = |of: fn(&Run<'_>) -> String| self.runs.iter().map(of).collect::<HashSet<String>>().len();
        different(|run| run.result.clone()) >= LEAST && different(|run| run.shown.to_owned()) >= LEAST
    }

    /// Whether the results differ only in their numbers.
    fn is_alike(&self) -> bool {
        let shape = |run: &Run<'_>| run.result.replace(|char: char| char.is_ascii_digit() || char == '.', "");
        self.runs.windows(2).all(|pair| shape(&pair[0]) == shape(&pair[1]))
    }

    /// The calls of its runs, by message.
    pub(super) fn calls(&self) -> impl Iterator<Item = (usize, &str)> {
        self.runs.iter().map(|run| (run.message, run.call))
    }

    /// Its lines: as many runs in each as have room.
    pub(super) fn items(&self, newness: i64) -> Vec<Item> {
        let shown: Vec<&str> = self.runs.iter().map(|run| run.shown).collect();
        let (common, apart) = apart(&shown);
        let program = if common.is_empty() { &self.program } else { &common };
        let told = told(&self.runs);
        let mut left_out = self.runs.len() - told.len();
        let ok = if self.worked { ", ok" } else { "" };
        let lead = |count: usize| format!("Ran `{}` {count}×{ok}: ", cut(program, PROGRAM));
        let room = LONGEST_LINE - lead(self.runs.len()).chars().count().min(LONGEST_LINE);
        let mut lines: Vec<(Vec<String>, usize)> = Vec::new();
        for at in told {
            let arguments =
                if apart[at].is_empty() { String::new() } else { format!("`{}` ", cut(&apart[at], ARGUMENTS)) };
            let piece = arguments + &self.runs[at].result;
            let message = self.runs[at].message;
            let length = |pieces: &[String]| pieces.iter().map(|piece| piece.chars().count() + 2).sum::<usize>();
            match lines.last_mut() {
                Some((pieces, last)) if length(pieces) + piece.chars().count() + "…, ".len() <= room => {
                    pieces.push(piece);
                    *last = message;
                }
                _ => lines.push((vec![piece], message)),
            }
        }
        let line = |(pieces, message): (Vec<String>, usize)| {
            let others = std::mem::take(&mut left_out);
            let more = if others > 0 { "…, " } else { "" };
            let times =
                if pieces.len() + others > 1 { lead(pieces.len() + others) } else { lead(1).replace(" 1×", "") };
            let text = format!("{times}{more}{}", pieces.join(", "));
            Item::new(cut(&text, LONGEST_LINE).into_owned(), message, rank(newness, TOLD) + TIER / 2)
        };
        lines.into_iter().map(line).collect()
    }
}

/// Positions of the runs that are told.
fn told(runs: &[Run<'_>]) -> Vec<usize> {
    let all: Vec<Vec<f64>> = runs.iter().map(|run| numbers(&run.result)).collect();
    let least = all.iter().map(Vec::len).min().unwrap_or(0);
    // Of a result with several numbers, the first that differs is the one that was sought.
    let place = (0..least).find(|place| all.windows(2).any(|pair| pair[0][*place] != pair[1][*place]));
    let numbers = || all.iter().enumerate().filter_map(|(at, own)| Some((at, *own.get(place?)?)));
    let least = numbers().min_by(|one, other| one.1.total_cmp(&other.1));
    let greatest = numbers().max_by(|one, other| one.1.total_cmp(&other.1));
    let ends: Vec<usize> = least.into_iter().chain(greatest).map(|(at, _)| at).collect();
    let others = MOST.saturating_sub(ends.len());
    (0..runs.len()).filter(|at| runs.len() <= MOST || ends.contains(at) || *at + others >= runs.len()).collect()
}

/// The numbers of a result: “loss=0.53”, “12,000”, “1e-05”, but no times of day.
fn numbers(result: &str) -> Vec<f64> {
    let value = |word: &str| {
        let own = word.rsplit('=').next().unwrap_or(word);
        let own = own.trim_start_matches(|char: char| !(char.is_ascii_digit() || char == '-'));
        let own = own.trim_end_matches(|char: char| !char.is_ascii_digit());
        own.replace(',', "").parse().ok()
    };
    result.split_whitespace().filter_map(value).collect()
}

/// What commands have in common at both ends, and what is different in each; both in whole words, and an option stays
/// with its value.
pub(super) fn apart(shown: &[&str]) -> (String, Vec<String>) {
    let all: Vec<Vec<&str>> = shown.iter().map(|shown| shown.split(' ').collect()).collect();
    let Some((first, others)) = all.split_first() else { return (String::new(), Vec::new()) };
    let shortest = all.iter().map(Vec::len).min().unwrap_or(0);
    let is_common = |at: &usize| others.iter().all(|words| words[*at] == first[*at]);
    let mut start = (0..shortest).take_while(is_common).count();
    let ends_alike = |at: &usize| others.iter().all(|words| words[words.len() - 1 - at] == first[first.len() - 1 - at]);
    let end = (0..shortest - start).take_while(ends_alike).count();
    let is_option = |word: &str| word.starts_with('-') && word != "--" && !word.contains('=');
    let is_open =
        |words: &[&str]| ['"', '\''].iter().any(|quote| !words.join(" ").matches(*quote).count().is_multiple_of(2));
    // A quoted text stays in one piece.
    while start > 1 && (is_option(first[start - 1]) || is_open(&first[..start])) {
        start -= 1;
    }
    let end = if is_open(&first[first.len() - end..]) { 0 } else { end };
    let apart = all.iter().map(|words| words[start..words.len() - end].join(" ")).collect();
    let behind =
        if end > 0 && start > 0 { format!(" … {}", first[first.len() - end..].join(" ")) } else { String::new() };
    (first[..start].join(" ") + &behind, apart)
}

#[cfg(test)]
mod tests {
    use super::super::told_of_runs;
    use super::apart;
    use crate::summary::builders::{act, user};
    use crate::transcript::Message;

    /// The lines about these commands with their outputs.
    fn told(runs: &[(&str, &str)]) -> String {
        let acts = runs.iter().flat_map(|(command, printed)| {
            act("bash", &serde_json::json!({ "command": command }).to_string(), printed, false)
        });
        let messages: Vec<Message<'_>> = [user("Find the brightest lamp.")].into_iter().chain(acts).collect();
        told_of_runs(&messages)
    }

    #[test]
    fn each_run_with_other_arguments_is_told_with_its_result() {
        let oils = told(&[
            ("python3 light.py --oil 0.3", "lit\nlamp brightness: 0.83\nExit code: 0"),
            ("python3 light.py --oil 0.4", "lit\nlamp brightness: 0.84\nExit code: 0"),
            ("python3 light.py --oil 0.5", "lit\nlamp brightness: 0.79\nExit code: 0"),
        ]);
        let line = "Ran `python3 light.py` 3×, ok: `--oil 0.3` “lamp brightness: 0.83”, \
            `--oil 0.4` “lamp brightness: 0.84”, `--oil 0.5` “lamp brightness: 0.79”";
        assert_eq!(oils, line);
        let open = told(&[
            ("cargo run --release -- --seed 4 --fast", "lit\nbest lamp 84.5"),
            ("cargo run --release -- --seed 5 --fast", "lit\nbest lamp 85.5"),
        ]);
        assert_eq!(
            open,
            "Ran `cargo run --release -- … --fast` 2×: `--seed 4` “best lamp 84.5”, `--seed 5` “best lamp 85.5”"
        );
        let named = told(&[("LAMP=1 ./light", "7 lit"), ("LAMP=2 ./light", "8 lit")]);
        assert_eq!(named, "Ran `./light` 2×: `LAMP=1` “7 lit”, `LAMP=2` “8 lit”");
    }

    #[test]
    fn what_differs_is_whole_words_and_whole_quoted_texts() {
        let (common, each) = apart(&["light -d 'a red' --now", "light -d 'a blue' --now"]);
        assert_eq!((common.as_str(), each.join(", ").as_str()), ("light … --now", "-d 'a red', -d 'a blue'"));
    }

    #[test]
    fn two_runs_with_results_of_other_kinds_have_a_line_each() {
        let both = told(&[("./light --oil 3", "7 lamps lit"), ("./light --list", "red and blue")]);
        assert_eq!(both, "Ran `./light --oil 3`: printed “7 lamps lit”Ran `./light --list`: printed “red and blue”");
    }

    #[test]
    fn an_object_that_a_run_printed_is_told_by_its_fields() {
        let asked = told(&[
            ("curl -s -X POST http://quay:5000/oil -d '{\"of\":\"red one\"}'", r#"{"oil":7,"made_at":3,"level":0.51}"#),
            ("curl -s -X POST http://quay:5000/oil -d '{\"of\":\"red two\"}'", r#"{"oil":8,"made_at":4,"level":0.52}"#),
        ]);
        assert!(asked.contains(" 2×: `-d '{") && asked.ends_with("two\"}'` oil 8, level 0.52"), "{asked}");
    }

    #[test]
    fn of_many_runs_the_last_and_the_best_are_told() {
        let runs: Vec<_> =
            (10..50).map(|oil| (format!("./light --oil {oil}"), if oil == 13 { 999 } else { oil + 100 })).collect();
        let runs: Vec<_> =
            runs.iter().map(|(command, lit)| (command, format!("oil burns\nbrightness of all lamps: {lit}"))).collect();
        let runs: Vec<_> = runs.iter().map(|(command, printed)| (command.as_str(), printed.as_str())).collect();
        let lines = told(&runs);
        for own in ["…, `--oil 10` “brightness", "`--oil 13` “brightness of all lamps: 999”", "`--oil 49` “brightness"]
        {
            assert!(lines.contains(own), "{own}: {lines}");
        }
        assert!(!lines.contains("--oil 20"), "{lines}");
    }

    #[test]
    fn runs_with_the_same_result_share_a_line_with_what_differs() {
        let same = told(&[
            ("python3 light.py --oil 3", "lit\nExit code: 0"),
            ("python3 light.py --oil 4", "lit\nExit code: 0"),
            ("python3 light.py --oil 5", "lit\nExit code: 0"),
        ]);
        assert_eq!(same, "Ran `python3 light.py` 3× (--oil 3, --oil 4, --oil 5): ok");
    }
}
