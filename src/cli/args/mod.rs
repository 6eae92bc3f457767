//! What can be typed. The doc comments are the help text.

mod check;
mod evaluate;
mod quantity;
mod suggested;

pub(super) use check::{CheckArgs, GateArgs};
pub(super) use evaluate::EvaluateArgs;
pub(super) use quantity::tokens;
pub(super) use suggested::Suggested;

use super::llm::LlmArgs;
use super::policy::PolicyArgs;
use crate::batch::{Compress, Override, Shard};
use crate::convert::TARGETS;
use crate::format::FORMATS;
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use quantity::bytes;
use std::path::PathBuf;

/// Makes stored conversation transcripts smaller, in the format they came in.
#[derive(Debug, Parser)]
#[command(
    name = "epitome",
    version,
    max_term_width = 100,
    after_help = "Exit status: 0 all done, 1 some failed, 2 could not start, 3 nothing to judge (check, evaluate).\n\
                  --redact, --threads and all flags under Policy in `epitome compact --help` can also be set as\n\
                  EPITOME_..., such as EPITOME_TAIL_TOKENS for --tail-tokens: switches take true or false, lists are\n\
                  separated by commas. An unknown EPITOME_ variable is an error."
)]
pub struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
    /// Print only results and errors
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Show no progress
    #[arg(long, global = true)]
    pub(super) no_progress: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Compact files, folders and globs into a folder
    Compact(Box<CompactArgs>),
    /// Write transcripts in another format, and list what it can't hold
    Convert(Box<ConvertArgs>),
    /// Show where the tokens are, and what compaction would save
    Stats(Box<StatsArgs>),
    /// Find faults in transcripts and fix them, or judge compactions by gates
    Check(Box<CheckArgs>),
    /// Compare how much of what agents needed later each policy preserves
    Evaluate(Box<EvaluateArgs>),
    /// List the named policies, or print one
    Presets(PresetsArgs),
    /// Print the format of each file, and the evidence for it
    Detect(DetectArgs),
    /// Rebuild the inputs from outputs and an undo store
    Restore(RestoreArgs),
    /// Add up the reports of several runs
    Totals(TotalsArgs),
    /// Generate synthetic transcripts with planted facts
    Fixtures(FixturesArgs),
    /// Print a completion script
    Completions(CompletionsArgs),
    /// Print the manual page of the program or of a command
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub(super) struct CompactArgs {
    /// Files, folders, globs, or `-` for standard input
    #[arg(required_unless_present_any = ["files_from", "show_settings"])]
    pub(super) inputs: Vec<PathBuf>,
    /// The output folder, which mirrors the input; for one input also a file, or `-`
    #[arg(short, long, value_name = "DIR", conflicts_with = "in_place")]
    pub(super) output: Option<PathBuf>,
    /// Replace the inputs themselves, with an undo store
    #[arg(long)]
    pub(super) in_place: bool,
    /// Write the result in this format (see `epitome convert`)
    #[arg(long, value_name = "FORMAT")]
    #[arg(value_parser = Suggested(target_names), hide_possible_values = true)]
    pub(super) to: Option<String>,
    /// Write nothing; print what would happen to every unit
    #[arg(short = 'n', long)]
    pub(super) dry_run: bool,
    /// Print the report as JSON to standard output
    #[arg(long)]
    pub(super) json: bool,
    /// Write into a folder that is not empty or was written with other settings
    #[arg(long)]
    pub(super) force: bool,
    /// Finish an interrupted run (a folder with a journal is always continued)
    #[arg(long)]
    pub(super) resume: bool,
    /// Leave unchanged and skipped files out of the output
    #[arg(long)]
    pub(super) changed_only: bool,
    /// Stay within this much memory (such as 300M or 2G): files wait for room, and a file that can never fit fails
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(super) memory_limit: Option<u64>,
    /// Compress every output as `gz`, `zst` or `none` [default: as its input]
    #[arg(long, value_name = "KIND")]
    pub(super) compress: Option<Compress>,
    /// Remove credentials from everything that is written; content that can't be searched is left out
    #[arg(long)]
    pub(super) redact: bool,
    /// Store what is removed here, so that `restore` can bring it back
    #[arg(long, value_name = "STORE", value_parser = folder())]
    pub(super) undo: Option<PathBuf>,
    /// Write report.json and report.jsonl here instead of OUT/.epitome
    #[arg(long, value_name = "DIR", value_parser = folder())]
    pub(super) report: Option<PathBuf>,
    /// With --in-place, leave younger files alone
    #[arg(long, value_name = "AGE", default_value = "10min", value_parser = age)]
    #[arg(requires = "in_place", conflicts_with = "output")]
    pub(super) min_age: std::time::Duration,
    /// Keep invalid lines as they are instead of failing
    #[arg(long)]
    pub(super) lenient: bool,
    /// Drop failed rows from the output, instead of copying them as they are
    #[arg(long, conflicts_with = "lenient")]
    pub(super) drop_failed: bool,
    /// Timestamp to write into compaction marks, in milliseconds since 1970 [default: the newest in the file]
    #[arg(long, value_name = "MS")]
    pub(super) now: Option<i64>,
    /// Give compacted opencode sessions new ids, to import them beside the originals
    #[arg(long)]
    pub(super) fresh_ids: bool,
    /// Print every setting and where it comes from, then exit
    #[arg(long)]
    pub(super) show_settings: bool,
    #[command(flatten)]
    pub(super) selection: SelectionArgs,
    #[command(flatten)]
    pub(super) policy: PolicyArgs,
    #[command(flatten)]
    pub(super) llm: LlmArgs,
}

#[derive(Debug, Args)]
pub(super) struct ConvertArgs {
    /// Files, folders, globs, or `-` for standard input
    #[arg(required_unless_present = "files_from")]
    pub(super) inputs: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", help = targets())]
    #[arg(value_parser = Suggested(target_names), hide_possible_values = true)]
    pub(super) to: String,
    /// The output folder, which mirrors the input; for one input also a file, or `-`
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: Option<PathBuf>,
    /// Write nothing; only report
    #[arg(short = 'n', long)]
    pub(super) dry_run: bool,
    /// Print the report as JSON to standard output
    #[arg(long)]
    pub(super) json: bool,
    /// Write into a folder that is not empty or was written with other settings
    #[arg(long)]
    pub(super) force: bool,
    /// Write report.json and report.jsonl here instead of OUT/.epitome
    #[arg(long, value_name = "DIR", value_parser = folder())]
    pub(super) report: Option<PathBuf>,
    /// Stay within this much memory (such as 300M or 2G): files wait for room, and a file that can never fit fails
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(super) memory_limit: Option<u64>,
    /// Compress every output as `gz`, `zst` or `none` [default: as its input]
    #[arg(long, value_name = "KIND")]
    pub(super) compress: Option<Compress>,
    /// Remove credentials from everything that is written
    #[arg(long)]
    pub(super) redact: bool,
    /// Leave invalid lines out instead of failing
    #[arg(long)]
    pub(super) lenient: bool,
    /// The encoding to count tokens in, or an OpenAI model's name
    #[arg(long, value_name = "NAME", default_value = "o200k_base", env = "EPITOME_TOKENIZER", hide_env = true)]
    pub(super) tokenizer: String,
    #[command(flatten)]
    pub(super) selection: SelectionArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Which files")]
pub(super) struct SelectionArgs {
    /// Take only files that match this glob
    #[arg(long, value_name = "GLOB", value_parser = glob)]
    pub(super) include: Vec<String>,
    /// Leave out files that match this glob
    #[arg(long, value_name = "GLOB", value_parser = glob)]
    pub(super) exclude: Vec<String>,
    /// Take only files last changed longer ago than this (such as 30d)
    #[arg(long, value_name = "AGE", value_parser = age)]
    pub(super) older_than: Option<std::time::Duration>,
    /// Take only files larger than this (such as 500K or 10M)
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(super) larger_than: Option<u64>,
    /// Read file names from a file, one per line (`-` for standard input)
    #[arg(long, value_name = "FILE")]
    pub(super) files_from: Option<PathBuf>,
    /// With --files-from, names are separated by NUL bytes, as `find -print0` writes them
    #[arg(short = '0', long, requires = "files_from")]
    pub(super) null: bool,
    /// Process only share I of N, such as 2/8 (I counts from 1)
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// The format of all inputs, instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = Suggested(format_names), hide_possible_values = true)]
    pub(super) from: Option<String>,
    /// Threads, up to 1024 [default: all cores]
    #[arg(
        short = 'j',
        long,
        value_name = "N",
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(..=1024),
        env = "EPITOME_THREADS",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(super) threads: usize,
}

#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    /// Files, folders, globs, or `-` for standard input
    #[arg(required_unless_present = "files_from")]
    pub(super) inputs: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Also count transcripts with more tokens than this; can be repeated
    #[arg(long, value_name = "TOKENS", value_parser = tokens, default_values_t = [8_192_u64, 32_768, 131_072])]
    pub(super) over: Vec<u64>,
    #[command(flatten)]
    pub(super) selection: SelectionArgs,
    #[command(flatten)]
    pub(super) policy: PolicyArgs,
}

#[derive(Debug, Args)]
pub(super) struct PresetsArgs {
    /// Print this preset as TOML
    pub(super) name: Option<String>,
    /// A TOML file with presets of your own [default: epitome.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct DetectArgs {
    /// Files, folders, globs, or `-` for standard input
    #[arg(required = true)]
    pub(super) inputs: Vec<PathBuf>,
    /// Print JSON lines
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct RestoreArgs {
    /// Outputs of an earlier run: files or folders
    #[arg(required = true)]
    pub(super) outputs: Vec<PathBuf>,
    /// The undo store of that run [default: the one that a run with --in-place left with the outputs]
    #[arg(long, value_name = "STORE")]
    pub(super) undo: Option<PathBuf>,
    /// Folder to write to, or for one output a file [default: replace the outputs themselves]
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 nothing failed, 1 something failed or a share has no report yet, 2 a report can't be read."
)]
pub(super) struct TotalsArgs {
    /// Output folders of runs or of their shares, report folders, or single `report.json` files
    #[arg(required = true)]
    pub(super) reports: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "manifest.json lists for each file where the cut is, which facts before it are needed after it,\n\
                  which are decoys, and where the canaries are. The same seed and tokens give the same\n\
                  bytes.\n\n\
                  Example: epitome fixtures -o fixtures/ --count 12 --tokens 50000 --to claude-code"
)]
pub(super) struct FixturesArgs {
    /// The folder to write to
    #[arg(short, long, value_name = "DIR", value_parser = folder())]
    pub(super) output: PathBuf,
    /// Seed of the first file; each further file has the next one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// Number of files
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) count: u64,
    /// Approximate tokens of each file, at four characters per token; more if the planted facts need it
    #[arg(long, value_name = "TOKENS", value_parser = fixture_tokens, default_value_t = 20_000)]
    pub(super) tokens: u64,
    /// The format to write (see `epitome convert`)
    #[arg(long, value_name = "FORMAT", default_value = crate::fixtures::BASE)]
    #[arg(value_parser = Suggested(target_names), hide_possible_values = true)]
    pub(super) to: String,
    /// Write into a folder that is not empty
    #[arg(long)]
    pub(super) force: bool,
}

/// Largest size of a fixture: it is made in memory, and no context is as large.
const LARGEST_FIXTURE: u64 = 100_000_000;

/// Tokens of a fixture.
fn fixture_tokens(text: &str) -> Result<u64, String> {
    let count = tokens(text)?;
    if count > LARGEST_FIXTURE {
        return Err(format!("a file has at most {LARGEST_FIXTURE} tokens; make more files with --count"));
    }
    Ok(count)
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The command
    pub(super) command: Option<String>,
}

/// Names of the formats to write.
fn target_names() -> Vec<&'static str> {
    TARGETS.iter().map(|target| target.name()).collect()
}

/// Names of the formats to read.
fn format_names() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.name()).collect()
}

/// The help on a format to write, which names them all.
fn targets() -> String {
    let names = target_names();
    let (last, others) = names.split_last().unwrap_or((&"", &[]));
    format!("The format to write: {} or {last}", others.join(", "))
}

/// A folder that is written to, by its path.
fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str().to_str() {
        Some("-") => Err("it is a folder, so it can't be standard output; for a folder with this name, write ./-"),
        _ => Ok(path),
    })
}

/// Checks a glob where the option is known.
fn glob(text: &str) -> Result<String, String> {
    Override::new(text, ()).map(|_| text.to_owned()).map_err(|err| err.to_string())
}

/// Parses an age or a time: 90s, 10min, 12h, 30d.
pub(super) fn age(text: &str) -> Result<std::time::Duration, String> {
    humantime::parse_duration(text)
        .map_err(|_| "a number with its unit is wanted, such as 90s, 10min, 12h or 30d".into())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn ages_have_units() {
        assert_eq!(age("2h").unwrap().as_secs(), 7200);
        assert!(["foo", "30", "", "3x"].iter().all(|text| age(text).is_err_and(|why| why.contains("such as 90s"))));
    }
}
