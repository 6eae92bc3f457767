//! What can be typed behind `epitome check`.

use super::SelectionArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no fault and no failed gate, 1 some, 2 could not start, 3 nothing could be judged."
)]
pub(in crate::cli) struct CheckArgs {
    /// Files, folders, globs, or `-` for standard input
    #[arg(required_unless_present_any = ["files_from", "rules", "explain"])]
    pub(in crate::cli) inputs: Vec<PathBuf>,
    /// Print JSON lines, an object per fault and per file; with gates, the report as one object
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Report only faults of this rule; with gates, only these gates (`K01,K02`, or `K` for all of a kind); can be
    /// repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = trimmed)]
    pub(in crate::cli) select: Vec<String>,
    /// Leave out faults of this rule, or these gates; can be repeated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = trimmed)]
    pub(in crate::cli) ignore: Vec<String>,
    /// List all rules and what --fix does about them, then exit
    #[arg(long)]
    pub(in crate::cli) rules: bool,
    /// Check summaries against the sections of this Markdown file
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) template: Option<PathBuf>,
    /// A section that summaries have besides those of the template; can be repeated
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) section: Vec<String>,
    /// Explain a gate, a rule, a loss or a reason, then exit; `gates` and `losses` list all of them
    #[arg(long, value_name = "CODE")]
    pub(in crate::cli) explain: Option<String>,
    /// With --fix, the folder that mirrors the input (for one input also a file, or `-`); else KIND=PATH, a report
    /// of the
    /// gates: text, json, junit, sarif, github, summary or markdown; can be repeated
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    pub(in crate::cli) output: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) gates: GateArgs,
    #[command(flatten)]
    pub(in crate::cli) fix: FixArgs,
    #[command(flatten)]
    pub(in crate::cli) selection: SelectionArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Gates")]
pub(in crate::cli) struct GateArgs {
    /// Judge by gates even without originals
    #[arg(long, conflicts_with = "fix")]
    pub(in crate::cli) gates: bool,
    /// The folder with the originals of the inputs, by relative path; for one input also a file
    #[arg(long, value_name = "DIR", conflicts_with = "fix")]
    pub(in crate::cli) original: Option<PathBuf>,
    /// The folder with the reports of the run, if it was told to put them elsewhere (`--report`)
    #[arg(long, value_name = "DIR", conflicts_with = "fix", requires = "original")]
    pub(in crate::cli) report: Option<PathBuf>,
    /// Levels and thresholds of gates (`[gates]`) and settings, instead of ./epitome.toml
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// The preset that wrote inputs without a report of their run [default: that of the configuration]
    #[arg(long, value_name = "NAME", conflicts_with = "fix")]
    pub(in crate::cli) preset: Option<String>,
    /// A file (expect.toml) that says what given transcripts must keep
    #[arg(long, value_name = "FILE", conflicts_with = "fix")]
    pub(in crate::cli) expect: Option<PathBuf>,
    /// Fail if a metric is worse than in this baseline file
    #[arg(long, value_name = "FILE", conflicts_with = "fix")]
    pub(in crate::cli) baseline: Option<PathBuf>,
    /// Write the metrics of this run to the baseline instead of comparing them
    #[arg(long, requires = "baseline")]
    pub(in crate::cli) update_baseline: bool,
    /// Show text of transcripts in reports of gates
    #[arg(long)]
    pub(in crate::cli) show_content: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Mending")]
pub(in crate::cli) struct FixArgs {
    /// Fix what can be fixed without inventing content
    #[arg(long)]
    pub(in crate::cli) fix: bool,
    /// Replace the inputs themselves, with an undo store
    #[arg(long, requires = "fix")]
    pub(in crate::cli) in_place: bool,
    /// Write nothing; print what would be fixed
    #[arg(short = 'n', long, requires = "fix")]
    pub(in crate::cli) dry_run: bool,
    /// Write into a folder that is not empty or was written with other settings
    #[arg(long, requires = "fix")]
    pub(in crate::cli) force: bool,
    /// Remove credentials from everything that is written
    #[arg(long, requires = "fix")]
    pub(in crate::cli) redact: bool,
    /// Store what is removed here, so that `restore` can bring it back
    #[arg(long, value_name = "STORE", requires = "fix", value_parser = super::folder())]
    pub(in crate::cli) undo: Option<PathBuf>,
    /// With --in-place, leave younger files alone
    #[arg(long, value_name = "AGE", default_value = "10min", value_parser = super::age)]
    #[arg(requires = "in_place", conflicts_with = "output")]
    pub(in crate::cli) min_age: std::time::Duration,
}

/// One of several names behind commas, after which a space may stand.
#[expect(clippy::unnecessary_wraps, reason = "clap asks for a result")]
fn trimmed(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.trim().to_owned())
}
