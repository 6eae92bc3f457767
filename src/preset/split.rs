//! T8: the settings of head and tail.

use super::choices::{CutBy, Oversize, ShareOf, Snap, StartAt, Walk, Whole};
use super::values::share;
use serde::{Deserialize, Serialize};

/// T8: head and tail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct SplitSettings {
    /// The tail's budget, literally; else `clamp(usable × ratio, floor, cap)`.
    pub tail_tokens: Option<u64>,
    /// Share of the usable tokens.
    #[serde(deserialize_with = "share")]
    pub tail_ratio: f64,
    /// The least that the share comes to.
    pub tail_floor: u64,
    /// The most that the share comes to.
    pub tail_cap: u64,
    /// What the result should have, summary included: the tail gets what is left of it, as a budget.
    pub total: Option<u64>,
    /// Units that the tail always has.
    pub min_tail: usize,
    /// What happens to results that alone exceed the budget.
    pub oversize: Oversize,
    /// How the walk from the newest unit ends.
    pub walk: Walk,
    /// What is walked.
    pub cut_by: CutBy,
    /// Messages that the walks `messages` and `evict` keep.
    pub tail_messages: usize,
    /// Turns that the walk `turns` keeps.
    pub tail_turns: usize,
    /// Share of the conversation that the walks `share` and `evict` keep.
    #[serde(deserialize_with = "share")]
    pub tail_share: f64,
    /// What that share is measured in.
    pub share_of: ShareOf,
    /// Messages with text that the walk `reach` keeps at least.
    pub reach_texts: usize,
    /// Tokens that the walk `reach` never exceeds, though a message more would be needed.
    pub reach_cap: Option<u64>,
    /// Which way a cut inside a unit, or before a message that no tail starts with, is moved.
    pub snap: Snap,
    /// What the tail starts with.
    pub start_at: StartAt,
    /// What happens where the whole conversation would be tail.
    pub whole: Whole,
    /// The least share of the messages that must go, else nothing goes.
    #[serde(deserialize_with = "share")]
    pub min_progress: f64,
    /// Messages of the beginning that stay before the summary.
    pub keep_first: usize,
    /// Leading system messages count among these.
    pub first_counts_preamble: bool,
    /// All that stands before the first answer stays before the summary.
    pub keep_opening: bool,
    /// Tokens of the user's messages in the head that are kept word for word, the newest first.
    pub user_tokens: u64,
    /// Keep the last real user message though it falls in the head.
    pub pin_last_user: bool,
    /// Keep the first real user message though it falls in the head; shares of messages don't count it, and without one
    /// nothing goes.
    pub pin_first_user: bool,
    /// Keep leading system messages verbatim.
    pub keep_preamble: bool,
}

impl Default for SplitSettings {
    fn default() -> Self {
        Self {
            tail_tokens: None,
            tail_ratio: 0.25,
            tail_floor: 2_000,
            tail_cap: 8_000,
            total: None,
            min_tail: 2,
            oversize: Oversize::Excerpt,
            walk: Walk::Fit,
            cut_by: CutBy::Unit,
            tail_messages: 20,
            tail_turns: 2,
            tail_share: 0.5,
            share_of: ShareOf::Tokens,
            reach_texts: 0,
            reach_cap: None,
            snap: Snap::Back,
            start_at: StartAt::Any,
            whole: Whole::Unchanged,
            min_progress: 0.0,
            keep_first: 0,
            first_counts_preamble: false,
            keep_opening: false,
            user_tokens: 0,
            pin_last_user: true,
            pin_first_user: false,
            keep_preamble: true,
        }
    }
}
