//! B01, B02: token budgets.

use super::{Finding, GateResult, Pair, Tools, View, settings::Limits};
use crate::measure::Share;
use crate::transcript::Tokens;

/// B01: the summary and the whole result stay within their token budgets.
pub(super) fn within(view: &View<'_>, tools: &Tools<'_>, limits: Limits) -> GateResult {
    let (mut findings, mut share) = (Vec::new(), Share::default());
    let mut hold = |line: usize, what: &str, tokens: Tokens, most: f64| {
        share.of += 1;
        if tokens.0 as f64 > most {
            findings.push(Finding::new(
                line,
                format!("{what} has {tokens} tokens, {} more than {most}", tokens.0 as f64 - most),
            ));
        } else {
            share.kept += 1;
        }
    };
    for text in view.summary.iter().filter(|text| text.ours) {
        if let Some(most) = limits.max_summary {
            hold(text.line, "the summary", (tools.count)(&text.whole), most);
        }
    }
    if let Some(most) = limits.max {
        hold(view.first_line(), "the transcript", view.compacted.live(), most);
    }
    let outcome = GateResult::of(share, findings);
    if outcome.share.of == 0 { GateResult::insufficient("no budget is set for it") } else { outcome }
}

/// B02: the result has fewer tokens than the original.
pub(super) fn smaller(view: &View<'_>, pair: Pair<'_>, tools: &Tools<'_>, limits: Limits) -> GateResult {
    let original = pair.original;
    let is_new = |text: &str| !original.transcript.messages.iter().any(|message| message.text().contains(text));
    let summarized = || view.summary.iter().any(|summary| is_new(&summary.text));
    if view.unchanged() || (tools.converted && !summarized()) {
        return GateResult::insufficient("nothing was compacted");
    }
    let live = (original.live(), view.compacted.live());
    let (before, after) = if live.1 >= live.0 && original.transcript.has_encrypted_summary() {
        // What an encrypted summary stood for is in the new one, and in no count of what was loaded.
        (original.transcript.tokens(), view.compacted.transcript.tokens())
    } else {
        live
    };
    let ratio = after.0 as f64 / (before.0.max(1)) as f64;
    let line = view.first_line();
    let mut findings = Vec::new();
    // Records that no model reads have no tokens; dropping them still saves bytes.
    let lighter = view.compacted.transcript.source.len() < original.transcript.source.len();
    if after > before || (after == before && !lighter) {
        findings.push(Finding::new(line, format!("{before} tokens before, {after} after: nothing is saved")));
    }
    if limits.max.is_some_and(|most| ratio > most) || limits.min.is_some_and(|least| ratio < least) {
        findings.push(
            Finding::new(line, format!("{ratio:.3} of the tokens are left, which is outside the limits")).warning(),
        );
    }
    GateResult::of(Share { kept: usize::from(findings.is_empty()), of: 1 }, findings)
}
