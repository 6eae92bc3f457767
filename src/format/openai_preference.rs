//! The format `openai-preference`: rows `{"input":{"messages":[…]},"preferred_output":[…],"non_preferred_output":[…]}`.
//!
//! Only the input is compacted: the outputs are what is trained on.

use super::detect::Evidence;
use super::openai::{ChatRows, Content, Turns};

/// The name of the format.
const NAME: &str = "openai-preference";

/// The `openai-preference` format.
pub(super) const FORMAT: ChatRows = ChatRows {
    name: NAME,
    key: "input.messages",
    within: None,
    evidence: |sample| {
        let is = sample.most_rows(|row| row.has("input") && row.has("preferred_output"));
        is.then(|| Evidence::certain("`input` and `preferred_output`"))
    },
    find: |fields| {
        let array = fields.object("input")?.get("messages")?;
        Turns::prompt(fields, array, NAME).map(Content::Turns)
    },
};

#[cfg(test)]
mod tests {
    use super::super::tests::support::{edited, faults, summary};
    use super::*;
    use crate::transcript::SummaryRole;

    const ROW: &str = r#"{"input": {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}], "tools": [], "parallel_tool_calls": true}, "preferred_output": [{"role": "assistant", "content": "d"}], "non_preferred_output": [{"role": "assistant", "content": "e"}]}"#;

    #[test]
    fn only_the_input_is_edited() {
        let out = edited(&FORMAT, ROW, |_, script| {
            script.keep = vec![false, false, true];
            script.inserts = vec![summary(2, SummaryRole::User, "it")];
        });
        let old = r#"{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}"#;
        let new = r#"{"role":"system","content":"<prior-conversation-summary>\nit\n</prior-conversation-summary>"}"#;
        assert_eq!(out, ROW.replace(old, new));
        assert_eq!(faults(&FORMAT, &out), []);
    }

    #[test]
    fn a_prompt_that_ends_on_an_answer_is_a_fault() {
        let row = ROW.replace(r#", {"role": "user", "content": "c"}"#, "");
        assert_eq!(faults(&FORMAT, &row), [("prompt_ends_on_answer", String::new())]);
    }
}
