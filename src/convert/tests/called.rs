//! Calls that are written as text, and results of several calls in one text.

use super::*;

#[test]
fn calls_behind_the_mark_of_a_template_become_calls_and_what_the_environment_says_is_counted() {
    let said = |role: &str, content: &str| {
        format!(r#"{{"role":"{role}","content":{}}}"#, crate::format::json::quoted(content))
    };
    let call = |text: &str, role: &str| {
        let row = chat(&[USER, &said("assistant", text), &said(role, "ebb"), ANSWER]);
        converted("openai-chat", &row, "openai-messages")
    };
    for role in ["tool", "function", "ipython"] {
        let (out, losses) = call("<|python_tag|>{\"name\":\"tide\",\"parameters\":{\"at\":9}}", role);
        assert!(out.contains(r#""function":{"name":"tide","arguments":"{\"at\":9}"}"#), "{out}");
        assert_eq!((out.contains(r#""role":"tool""#), losses.contains("results_as_text")), (true, false), "{losses}");
    }
    let (out, losses) = call("I look at the tide.", "ipython");
    assert_eq!((out.matches(r#""role":"user""#).count(), losses.contains("results_as_text 1")), (2, true), "{losses}");
}
