//! T9: the settings of pruning.

use super::choices::{Arguments, Estimate, PrunePolicy, PruneScope, Superseded, ToolAction};
use super::values::{rules, stated_stub, stub};
use crate::transcript::fixed_texts::STUBS;
use serde::{Deserialize, Serialize};

/// T9: which tool outputs are stubbed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct PruneSettings {
    /// The rule.
    pub policy: PrunePolicy,
    /// Prune the whole transcript before it is split, or only the head after it.
    pub scope: PruneScope,
    /// Real user messages, counted from the end, from the oldest of which on nothing is pruned.
    pub protect_turns: usize,
    /// Tools whose results are never pruned: names or globs, in any case.
    pub protect_tools: Vec<String>,
    /// Tokens of protected results that are carried out of the head.
    pub protect_tokens: u64,
    /// Prune results of failed calls, too.
    pub errors: bool,
    /// Prune results of tools without a name, too.
    pub unnamed: bool,
    /// Stub results that are no longer than the stub, too.
    pub short: bool,
    /// Prune also where nothing is summarized.
    pub alone: bool,
    /// What stands where content was; `{tool}` `{id}` `{tokens}` `{sha256}` are filled in.
    #[serde(deserialize_with = "stub")]
    pub stub: String,
    /// Newest tokens of tool output that the policy `recent` protects.
    pub recent_tokens: u64,
    /// The policy `recent` prunes only if more than this goes.
    pub minimum_tokens: u64,
    /// How the policy `recent` counts.
    pub estimate: Estimate,
    /// What goes goes oldest first, and no more than it takes to save `minimum_tokens` (LangChain).
    pub minimum_stops: bool,
    /// Newest results that the policy `newest` keeps.
    pub keep_results: usize,
    /// Newest messages whose results are never pruned.
    pub keep_messages: usize,
    /// The very first result is never pruned (SWE-agent).
    pub keep_first_result: bool,
    /// The only tools whose results are pruned; all by default.
    pub only_tools: Vec<String>,
    /// Characters of the beginning of a result that `{head}` stands for in a stub.
    pub head_chars: usize,
    /// Characters of its end that `{tail}` stands for.
    pub tail_chars: usize,
    /// The same in lines; where they are stated, characters do not count.
    pub head_lines: usize,
    /// The same in lines.
    pub tail_lines: usize,
    /// What becomes of the arguments of calls whose results are pruned.
    pub arguments: Arguments,
    /// What stands for cleared arguments: a JSON object.
    pub arguments_stub: String,
    /// Results that a later one replaces.
    pub superseded: Superseded,
    /// What stands for them; besides the fields of a stub, `{path}` and `{newer}`, the id of the later call, are filled in.
    #[serde(deserialize_with = "stub")]
    pub superseded_stub: String,
    /// What differs for some tools; the first rule that matches counts.
    #[serde(deserialize_with = "rules")]
    pub rules: Vec<ToolRule>,
}

/// What differs for some tools.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct ToolRule {
    /// Their names, or globs, in any case.
    pub tools: Vec<String>,
    /// What becomes of their results.
    pub action: ToolAction,
    /// Their stub.
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
    /// What becomes of the arguments of their calls.
    pub arguments: Option<Arguments>,
}

impl PruneSettings {
    /// The stub where there is no result that could fill it in.
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
            stub: "<tool-output-compacted />".into(),
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
