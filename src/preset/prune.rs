//! T9: the pruning settings.

use super::choices::{Arguments, Estimate, PrunePolicy, PruneScope, Superseded, ToolAction};
use super::values::{rules, stated_stub, stub, tool_globs};
use crate::transcript::fixed_texts::STUBS;
use serde::{Deserialize, Serialize};

/// T9: which tool outputs are stubbed, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct PruneSettings {
    /// The rule that selects the results.
    pub policy: PrunePolicy,
    /// Prune the whole transcript before the split, or only the head after it.
    pub scope: PruneScope,
    /// Number of newest turns protected from pruning, counted by real user messages from the end.
    pub protect_turns: usize,
    /// Tools whose results are never pruned: names or globs with `*` and `?`, case-insensitive.
    #[serde(deserialize_with = "tool_globs")]
    pub protect_tools: Vec<String>,
    /// Maximum tokens of protected results, and of the prompt of the newest slash command, that are carried out of the
    /// head.
    pub protect_tokens: u64,
    /// Also prune results of failed calls.
    pub errors: bool,
    /// Also prune results whose tool is unknown.
    pub unnamed: bool,
    /// Also replace results that are no longer than the stub.
    pub short: bool,
    /// Write pruned results even if there is no head to summarize.
    pub alone: bool,
    /// The text that replaces a result; fields such as `{tool}`, `{id}`, `{tokens}` and `{sha256}` are filled in.
    #[serde(deserialize_with = "stub")]
    pub stub: String,
    /// Newest tokens of tool output that the policy `recent` keeps.
    pub recent_tokens: u64,
    /// The policy `recent` prunes only if this many tokens are exceeded, `newest` only if at least this many are saved.
    pub minimum_tokens: u64,
    /// How the policies `recent` and `newest` count tokens.
    pub estimate: Estimate,
    /// The policy `newest` prunes the oldest results first and stops once `minimum_tokens` are saved (LangChain).
    pub minimum_stops: bool,
    /// Number of newest results that the policy `newest` keeps.
    pub keep_results: usize,
    /// Number of newest messages whose results are never pruned.
    pub keep_messages: usize,
    /// Never prune the first result (SWE-agent).
    pub keep_first_result: bool,
    /// The only tools whose results are pruned; empty: all.
    #[serde(deserialize_with = "tool_globs")]
    pub only_tools: Vec<String>,
    /// Characters of a result's beginning that `{head}` in a stub shows; if nothing is set here and in the next three,
    /// `{head}` and `{tail}` show 200 each.
    pub head_chars: usize,
    /// Characters of a result's end that `{tail}` in a stub shows.
    pub tail_chars: usize,
    /// Lines that `{head}` shows; if a number of lines is set, the numbers of characters are ignored.
    pub head_lines: usize,
    /// Lines that `{tail}` shows.
    pub tail_lines: usize,
    /// What happens to the arguments of calls whose results are pruned.
    pub arguments: Arguments,
    /// The JSON object that replaces cleared arguments.
    pub arguments_stub: String,
    /// Which results count as superseded by a later one.
    pub superseded: Superseded,
    /// The text that replaces them; `{newer}` is filled in with the id of the later call, other fields as in `stub`.
    #[serde(deserialize_with = "stub")]
    pub superseded_stub: String,
    /// Rules for single tools; the first that matches counts.
    #[serde(deserialize_with = "rules")]
    pub rules: Vec<ToolRule>,
}

/// Settings for the results of some tools.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct ToolRule {
    /// The tools: names or globs, case-insensitive.
    #[serde(deserialize_with = "tool_globs")]
    pub tools: Vec<String>,
    /// What happens to their results.
    pub action: ToolAction,
    /// The stub for their results.
    #[serde(deserialize_with = "stated_stub")]
    pub stub: Option<String>,
    /// See the setting of the same name.
    pub head_chars: Option<usize>,
    /// See the setting of the same name.
    pub tail_chars: Option<usize>,
    /// See the setting of the same name.
    pub head_lines: Option<usize>,
    /// See the setting of the same name.
    pub tail_lines: Option<usize>,
    /// What happens to the arguments of their calls.
    pub arguments: Option<Arguments>,
}

impl PruneSettings {
    /// A stub text for where there is no result to fill in fields from.
    pub fn general_stub(&self) -> &str {
        if self.stub.contains('{') { STUBS[0] } else { &self.stub }
    }
}

impl Default for PruneSettings {
    fn default() -> Self {
        Self {
            policy: PrunePolicy::Turns,
            scope: PruneScope::All,
            protect_turns: 2,
            protect_tools: vec!["skill".into()],
            protect_tokens: 4_000,
            errors: false,
            unnamed: false,
            short: false,
            alone: false,
            stub: STUBS[0].into(),
            recent_tokens: 40_000,
            minimum_tokens: 20_000,
            estimate: Estimate::Exact,
            minimum_stops: false,
            keep_results: 3,
            keep_messages: 0,
            keep_first_result: false,
            only_tools: Vec::new(),
            head_chars: 0,
            tail_chars: 0,
            head_lines: 0,
            tail_lines: 0,
            arguments: Arguments::Keep,
            arguments_stub: "{}".into(),
            superseded: Superseded::Off,
            superseded_stub: "[superseded: the result of call {newer} below shows it again]".into(),
            rules: Vec::new(),
        }
    }
}
