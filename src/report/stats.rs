//! Statistics of transcripts: tokens by role, tool and part kind, lengths, and what compaction would save.

use super::{Totals, grouped};
use crate::transcript::{PartKind, Role, Transcript};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Number, tokens and stored bytes of some parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// Number of parts.
    pub count: u64,
    /// Tokens.
    pub tokens: u64,
    /// Bytes as stored.
    pub bytes: u64,
}

/// Name in place of a part kind for answers stored beside the messages of a row.
const BESIDE: &str = "answer_beside";
/// Name in place of a part kind for messages of a row that can't be read, and in place of their role.
const UNREAD: (&str, &str) = ("unread_message", "(unknown)");

/// Sums over transcripts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Bytes of the transcripts.
    pub bytes: u64,
    /// By role.
    pub roles: BTreeMap<String, Amount>,
    /// By part kind.
    pub kinds: BTreeMap<String, Amount>,
    /// Tool results by tool.
    pub tools: BTreeMap<String, Amount>,
}

impl Tally {
    /// Sums up one transcript whose parts are counted, the answer stored beside its messages, if there is one, and the
    /// turns that can't be read.
    pub fn of(transcript: &Transcript<'_>, beside: Option<Amount>, unread: Amount) -> Self {
        let mut tally = Self { bytes: transcript.source.len() as u64, ..Self::default() };
        for message in &transcript.messages {
            for (part, bytes) in message.stored() {
                let share = Amount { count: 1, tokens: part.tokens.0, bytes };
                *tally.roles.entry(message.role.name().into()).or_default() += share;
                *tally.kinds.entry(part.kind.name().into()).or_default() += share;
                if let PartKind::Result { tool, .. } = &part.kind {
                    *tally.tools.entry(tool.as_deref().unwrap_or("(unknown)").into()).or_default() += share;
                }
            }
        }
        if let Some(answer) = beside {
            *tally.roles.entry(Role::Assistant.name().into()).or_default() += answer;
            *tally.kinds.entry(BESIDE.into()).or_default() += answer;
        }
        if unread.count > 0 {
            *tally.kinds.entry(UNREAD.0.into()).or_default() += unread;
            *tally.roles.entry(UNREAD.1.into()).or_default() += unread;
        }
        tally
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.tokens += other.tokens;
        self.bytes += other.bytes;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        let maps = [(&mut self.roles, other.roles), (&mut self.kinds, other.kinds), (&mut self.tools, other.tools)];
        for (own, others) in maps {
            for (key, share) in others {
                *own.entry(key).or_default() += share;
            }
        }
    }
}

/// The input of the statistics.
pub struct StatsInput<'s> {
    /// The encoding in which tokens were counted.
    pub tokenizer: &'s str,
    /// The sums.
    pub tally: &'s Tally,
    /// Tokens of each transcript.
    pub lengths: Vec<u64>,
    /// Lengths in tokens for which the share of longer transcripts is computed.
    pub over: &'s [u64],
    /// Totals of a compaction with these settings.
    pub totals: &'s Totals,
}

/// Statistics over all transcripts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stats {
    /// [`super::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The encoding in which tokens were counted.
    pub tokenizer: String,
    /// Number of transcripts.
    pub transcripts: u64,
    /// Bytes of transcripts that no model reads: everything but parts.
    pub other_bytes: u64,
    /// The sums.
    #[serde(flatten)]
    pub tally: Tally,
    /// Quantiles of the tokens of a transcript.
    pub quantiles: Vec<Quantile>,
    /// Amount of the transcripts with more tokens than the key.
    pub over: BTreeMap<u64, f64>,
    /// Number of transcripts with more tokens than the key.
    pub over_count: BTreeMap<u64, u64>,
    /// Tokens before compaction, answers beside messages included.
    pub tokens_before: u64,
    /// Tokens that compaction with these settings would leave, answers beside messages included.
    pub tokens_after: u64,
}

/// A quantile of the lengths of transcripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Quantile {
    /// Percent of the transcripts that have at most this length.
    pub percent: u64,
    /// Tokens.
    pub tokens: u64,
}

/// The quantiles that are computed, in percent.
const QUANTILES: [u64; 6] = [10, 50, 90, 95, 99, 100];

impl Stats {
    /// Computes the statistics.
    pub fn new(input: StatsInput<'_>) -> Self {
        let mut lengths = input.lengths;
        lengths.sort_unstable();
        let at = |percent: u64| {
            let last = lengths.len().saturating_sub(1) as u64;
            lengths.get((last * percent / 100) as usize).copied().unwrap_or_default()
        };
        let above = |limit: u64| lengths.len() - lengths.partition_point(|length| *length <= limit);
        let share = |limit: u64| above(limit) as f64 / lengths.len().max(1) as f64;
        let parts: u64 = input.tally.kinds.values().map(|share| share.bytes).sum();
        Self {
            schema_version: super::SCHEMA_VERSION,
            tokenizer: input.tokenizer.into(),
            transcripts: lengths.len() as u64,
            other_bytes: input.tally.bytes.saturating_sub(parts),
            tally: input.tally.clone(),
            quantiles: QUANTILES.iter().map(|&percent| Quantile { percent, tokens: at(percent) }).collect(),
            over: input.over.iter().map(|&limit| (limit, share(limit))).collect(),
            over_count: input.over.iter().map(|&limit| (limit, above(limit) as u64)).collect(),
            tokens_before: input.totals.tokens.before + input.totals.tokens.beside,
            tokens_after: input.totals.tokens.after + input.totals.tokens.beside,
        }
    }

    /// The statistics as JSON.
    ///
    /// # Errors
    /// Never in practice: all values are numbers and text.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|json| json + "\n")
    }

    /// The statistics as a table.
    pub fn table(&self) -> String {
        let tokens: u64 = self.tally.kinds.values().map(|share| share.tokens).sum();
        let bytes = grouped(self.tally.bytes);
        let (transcripts, all) = (grouped(self.transcripts), grouped(tokens));
        let mut lines = vec![format!("{transcripts} transcripts, {all} tokens ({}), {bytes} bytes", self.tokenizer)];
        for (title, shares) in
            [("role", &self.tally.roles), ("part", &self.tally.kinds), ("results of", &self.tally.tools)]
        {
            lines.push(format!("\n{title:<28}{:>12}{:>16}{:>8}{:>16}", "count", "tokens", "%", "bytes"));
            lines.extend(rows(shares, tokens));
        }
        lines.push(format!("\n{:<28}{:>52}", "no model context", grouped(self.other_bytes)));
        let quantiles =
            self.quantiles.iter().map(|quantile| format!("{} % ≤ {}", quantile.percent, grouped(quantile.tokens)));
        lines.push(format!("\ntokens of a transcript: {}", quantiles.collect::<Vec<_>>().join("  ")));
        let over = self.over.iter().zip(self.over_count.values()).map(|((limit, share), count)| {
            format!("over {}: {} ({:.1} %)", grouped(*limit), grouped(*count), share * 100.0)
        });
        lines.extend(over);
        let left = self.tokens_after as f64 / self.tokens_before.max(1) as f64 * 100.0;
        let (after, before) = (grouped(self.tokens_after), grouped(self.tokens_before));
        lines.push(format!("compaction would leave {after} of {before} tokens ({left:.1} %)\n"));
        lines.join("\n")
    }
}

/// Most characters of a name in a table.
const NAME: usize = 27;

/// A name that fits into its column: of a long one the end, in which tools of one server differ.
fn shortened(name: &str) -> String {
    let beyond = name.chars().count().saturating_sub(NAME);
    if beyond == 0 { name.to_owned() } else { format!("…{}", name.chars().skip(beyond + 1).collect::<String>()) }
}

/// The rows of one table, largest first, at most 20.
fn rows(shares: &BTreeMap<String, Amount>, total: u64) -> Vec<String> {
    let mut sorted: Vec<_> = shares.iter().collect();
    sorted.sort_by(|a, b| b.1.tokens.cmp(&a.1.tokens).then(a.0.cmp(b.0)));
    let row = |(name, share): (&String, &Amount)| {
        let percent = share.tokens as f64 / total.max(1) as f64 * 100.0;
        let name = shortened(name);
        let (count, tokens, bytes) = (grouped(share.count), grouped(share.tokens), grouped(share.bytes));
        format!("{name:<28}{count:>12}{tokens:>16}{percent:>8.1}{bytes:>16}")
    };
    sorted.into_iter().take(20).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_long_name_keeps_its_end() {
        assert_eq!(shortened("mcp__plugin_quay_quay__tides"), "…p__plugin_quay_quay__tides");
        assert_eq!(shortened("mcp__plugin_quay_quay__tide"), "mcp__plugin_quay_quay__tide");
    }
}
