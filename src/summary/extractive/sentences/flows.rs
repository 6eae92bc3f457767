//! Steps of a flow that a report describes: they tell how something works, and not what happened in the session.

use super::cues::{begins_done, lower};
use super::prose::{Block, plain};
use crate::summary::text::{each_word, ends_any, words};

/// Last words of headings and labels of such flows.
const FLOWS: [&str; 12] = [
    "flow",
    "flows",
    "handshake",
    "lifecycle",
    "scenario",
    "sequence",
    "workflow",
    "ablauf",
    "déroulement",
    "flujo",
    "fluxo",
    "сценарий",
];
/// The same in scripts without spaces.
const DENSE: [&str; 4] = ["流程", "フロー", "手順", "흐름"];
/// Maximum number of words of such a heading, and its maximum length in bytes.
const FEW: usize = 6;
const SHORT: usize = 60;
/// Fewest steps of a flow.
const STEPS: usize = 2;

/// Writes before each step of a described flow what the flow is called: “Refresh flow: The request fails with 401”.
pub(super) fn tell_flows(blocks: &mut [Block<'_>]) {
    let mut at = 0;
    while at < blocks.len() {
        let name = name(&blocks[at]);
        at += 1;
        let Some(name) = name else { continue };
        // A line between the heading and its list says what it is for.
        let is_lead = |block: &Block<'_>| block.indent.is_none() && block.heading.is_empty();
        let lead = usize::from(blocks.get(at).is_some_and(is_lead));
        let more = blocks[at + lead..].iter().take_while(|block| block.indent.is_some()).count();
        let steps = &mut blocks[at + lead..at + lead + more];
        at += lead + more;
        // What was done is told as that.
        let reports = || steps.iter().any(|step| begins_done(&lower(&step.words)) || step.mark.is_some());
        if more < STEPS || reports() {
            continue;
        }
        let outer = steps.iter().filter_map(|step| step.indent).min();
        // A step with items of its own is their label.
        let heads = |at: usize| steps.get(at + 1).is_some_and(|next| next.indent > outer);
        let is_step = |at: &usize| steps[*at].indent == outer && !steps[*at].words.is_empty() && !heads(*at);
        for at in (0..more).filter(is_step).collect::<Vec<_>>() {
            steps[at].words = format!("{name}: {}", steps[at].words);
        }
    }
}

/// The name of the flow that a block heads.
fn name(block: &Block<'_>) -> Option<String> {
    let label = || block.words.strip_suffix([':', '：']).filter(|_| block.indent.is_none());
    let heading = if block.heading.is_empty() { label()? } else { block.heading };
    let name = plain(heading.trim_matches(['*', ':', '：', ' ', '#']));
    let lower = name.to_lowercase();
    let flows = each_word(&lower).next_back().is_some_and(|last| FLOWS.contains(&last)) || ends_any(&name, &DENSE);
    (flows && words(&name) <= FEW && name.len() <= SHORT).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::prose::sentences;

    #[test]
    fn the_steps_of_a_flow_are_told_as_those() {
        let list =
            "1. The request fails with 401\n2. The keeper asks for a new lamp\n3. The old request is sent again\n";
        for (head, name) in [
            ("### Refresh flow\n\n", "Refresh flow"),
            ("**Refresh flow:**\n", "Refresh flow"),
            ("Lamp lifecycle:\n", "Lamp lifecycle"),
            ("## Login flow\n\nIt begins with a lamp.\n\n", "Login flow"),
        ] {
            let told = sentences(&format!("{head}{list}"));
            assert!(told.contains(&format!("{name}: The request fails with 401")), "{told:?}");
        }
    }

    #[test]
    fn what_was_done_or_found_is_no_step_of_a_flow() {
        let nested = "### Refresh flow\n\n1. The request fails with 401\n2. The new request:\n   - It has the new lamp\n3. The old request is sent again\n";
        assert!(
            sentences(nested).iter().all(|told| !told.starts_with("Refresh flow: The new")),
            "{:?}",
            sentences(nested)
        );
        for text in [
            "### Refresh flow\n\n1. Added a lamp to the request\n2. The old request is sent again\n",
            "### Findings\n\n1. The request fails with 401\n2. The old request is sent again\n",
            "So the sequence was:\n\n- The request fails with 401\n- The old request is sent again\n",
            "The flow of the lamps that we saw yesterday at the harbour is broken:\n\n- The request fails with 401\n- The old request is sent again\n",
        ] {
            let told = sentences(text);
            assert!(told.contains(&"The old request is sent again".to_owned()), "{told:?}");
        }
    }
}
