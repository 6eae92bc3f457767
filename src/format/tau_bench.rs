//! The format `tau-bench`: results of runs, each with its messages in `traj`, in one array.
//!
//! Its examples (`messages_display`) are dialogs in one text, which are not edited.

use super::detect::Evidence;
use super::openai::{ChatRows, Content, Turns};
use crate::reason::Reason;
use crate::transcript::Role;

/// The `tau-bench` format.
pub(super) const FORMAT: ChatRows = ChatRows {
    name: "tau-bench",
    key: "traj",
    within: None,
    evidence: |sample| {
        let is = sample.most_rows(|row| row.has("traj") || row.has("messages_display"));
        is.then(|| Evidence::certain("`traj` or `messages_display`"))
    },
    find: |fields| match (fields.get("traj"), fields.get("messages_display")) {
        (Some(array), _) => Turns::all(fields, array).map(Content::Turns),
        (None, Some(text)) => text.is_string().then(|| Content::Flat(vec![(Role::User, text)], Reason::FlatText)),
        (None, None) => None,
    },
};

#[cfg(test)]
mod tests {
    use super::super::tests::support::{edited, faults, read, stub_results};
    use super::super::{Layout, detect};
    use super::*;

    const RUN: &str = r#"{"task_id": 0, "reward": 1.0, "traj": [{"role": "user", "content": "u"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "a", "name": "f", "content": "long"}], "trial": 0}"#;

    #[test]
    fn a_run_is_an_element_of_an_array() {
        let found = detect(format!("[\n{RUN},\n{RUN}\n]").as_bytes());
        assert!(found.is_ok_and(|found| found.name == "tau-bench" && found.layout == Layout::PerElement(None)));
        let out = edited(&FORMAT, RUN, stub_results);
        assert_eq!(out, RUN.replace(r#""long""#, r#""<stub />""#));
        assert_eq!(faults(&FORMAT, &out), []);
    }

    #[test]
    fn a_dialogue_in_one_text_stays() {
        let row = r#"{"messages_display": "Customer: hi\n"}"#;
        let transcript = read(&FORMAT, row);
        assert_eq!(transcript.traits.fixed, Some(Reason::FlatText));
        assert_eq!(transcript.messages[0].text(), "Customer: hi\n");
        assert_eq!(faults(&FORMAT, row), []);
    }
}
