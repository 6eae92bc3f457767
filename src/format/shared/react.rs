//! Actions that a text labels as the prompts of ReAct ask for: `Action: name` with `Action Input: …` below it, or one
//! of `name[input]`, `name(input)`, a JSON object, and a name above a fenced block. Texts that are one JSON object are
//! read by [`super::json_actions`].
//!
//! People label lines so, too, so the text alone is no proof: the next message must be labelled as a result, or the
//! input of the action.

use super::call_text::{self, Call, named};
use super::json::Object;
use super::json_actions;

/// Labels of actions and of their inputs, without the colon, in lower case.
const ACTIONS: [&str; 2] = ["action", "act"];
const INPUTS: [&str; 3] = ["action input", "action_input", "input"];
/// Labels behind which no action is taken any more: of the answer, and of results that the model made up itself.
const ENDS: [&str; 2] = ["final answer", "observation"];
/// Maximum length in bytes of a tool's name or a label, and of an action in one line.
const NAME: usize = 64;
const LINE: usize = 300;
/// Words of the labels that harnesses put before what an action returned, and the maximum of words in one.
const RETURNS: [&str; 9] =
    ["feedback", "observation", "observations", "output", "outputs", "response", "result", "results", "returned"];
const WORDS: usize = 6;
/// Words that a person uses in such a beginning.
const PERSONS: [&str; 12] = ["are", "here", "here's", "his", "how", "i", "is", "my", "our", "was", "what", "your"];
/// Actions that speak to a person, who then answers, in lower case.
const TALKS: [&str; 14] = [
    "answer", "ask", "complete", "done", "end", "final", "finish", "message", "none", "reply", "respond", "send_msg",
    "submit", "talk",
];

/// An action in a text.
pub(super) struct Action {
    /// The text before it, or the thoughts beside it.
    pub(super) before: String,
    /// Its calls, at least one.
    pub(super) calls: Vec<Call>,
    /// Whether its form alone shows that a harness answers.
    sure: bool,
}

/// Reads the action of a text.
pub(super) fn read(text: &str) -> Option<Action> {
    let action = match json_actions::read(text) {
        Some((before, calls)) => Action { before, calls, sure: false },
        None => labelled(text)?,
    };
    let names = |name: &str| !name.is_empty() && name.len() <= NAME;
    action.calls.iter().all(|(name, _)| names(name)).then_some(action)
}

/// Reads the action of a text whose result is the next message.
pub(super) fn answered(text: &str, answer: &str) -> Option<Action> {
    let is_result = is_observation(answer);
    let action = read(text)?;
    (is_result || action.sure && !talks(&action)).then_some(action)
}

/// Whether a text begins with a label of results: `Observation 2:`, `New Terminal Output:`, `The output of the OS:`.
fn is_observation(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches(['[', '*', '#', ' ']);
    let Some((label, _)) = text.split_once(['\n', ':']).filter(|(label, _)| label.len() <= NAME) else { return false };
    let letters = |char: char| char.is_ascii_alphabetic();
    let words = label.split_whitespace().map(|word| word.trim_matches(|char| !letters(char)).to_ascii_lowercase());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let returns = |word: &String| RETURNS.contains(&word.as_str());
    let of = words.iter().position(|word| word == "of").unwrap_or(words.len());
    let said = words.iter().any(|word| PERSONS.contains(&word.as_str())) || label.contains(['.', '?', ',']);
    words.len() <= WORDS && !said && words[..of].last().is_some_and(returns)
}

fn talks(action: &Action) -> bool {
    let begins = |name: &str, start: &str| name.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start));
    action.calls.iter().any(|(name, _)| TALKS.iter().any(|start| begins(name, start)))
}

/// The action behind the last label of a text.
fn labelled(text: &str) -> Option<Action> {
    let (start, behind) =
        lines(text).filter_map(|(at, line)| Some((at, at + line.len() - label(line, &ACTIONS)?.len()))).last()?;
    let rest = text[behind..].trim();
    if lines(rest).any(|(_, line)| label(line, &ENDS).is_some()) {
        return None;
    }
    let (call, sure) =
        match lines(rest).find_map(|(at, line)| Some((at, at + line.len() - label(line, &INPUTS)?.len()))) {
            Some((end, input)) => ((bare(&rest[..end]).to_owned(), arguments(&rest[input..])), true),
            None => (alone(rest)?, false),
        };
    let is_name = !call.0.contains('\n');
    is_name.then(|| Action { before: text[..start].trim_end().to_owned(), calls: vec![call], sure })
}

/// The lines of a text, with their places.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |end, line| {
        let at = *end;
        *end += line.len();
        Some((at, line))
    })
}

/// The rest of a line behind one of these labels, which may be numbered (`Action 2:`) or bold.
fn label<'t>(line: &'t str, labels: &[&str]) -> Option<&'t str> {
    let (name, rest) = line.split_once(':')?;
    let name = name.trim_matches(['*', '#', ' ', '\t']);
    let name = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == ' ');
    labels.iter().any(|label| name.eq_ignore_ascii_case(label)).then(|| rest.strip_prefix("**").unwrap_or(rest))
}

fn bare(name: &str) -> &str {
    name.trim().trim_matches(['*', '`', '[', ']', '"']).trim()
}

/// The arguments of a call: the object that they are, or the text as one argument.
fn arguments(input: &str) -> String {
    let input = json_actions::unfenced(input);
    if Object::parse(input).is_some() { input.to_owned() } else { named(&[("input", input)]) }
}

/// A call in an action without a label for its input.
fn alone(action: &str) -> Option<Call> {
    let inside = json_actions::unfenced(action);
    if let Some(found) = json_actions::call(inside).or_else(|| call_text::calls(inside)?.into_iter().next()) {
        return Some(found);
    }
    let first = action.lines().next()?.trim();
    let below = action[first.len().min(action.len())..].trim();
    if below.starts_with("```") {
        return Some((bare(first).to_owned(), named(&[("command", json_actions::unfenced(below))])));
    }
    if !below.is_empty() || first.len() > LINE {
        return None;
    }
    let closed = first.strip_suffix(']').map(|it| (it, '[')).or(first.strip_suffix(')').map(|it| (it, '(')));
    let split = closed.and_then(|(it, open)| it.split_once(open)).or(first.split_once(' ')).unwrap_or((first, ""));
    let (name, input) = (bare(split.0), split.1.trim());
    let is_name = name.chars().all(|char| char.is_alphanumeric() || "_-.".contains(char));
    is_name.then(|| (name.to_owned(), if input.is_empty() { "{}".to_owned() } else { named(&[("input", input)]) }))
}

#[cfg(test)]
mod tests {
    use super::answered;

    fn calls(text: &str, answer: &str) -> Option<(String, Vec<String>)> {
        let action = answered(text, answer)?;
        Some((action.before, action.calls.into_iter().map(|(name, arguments)| format!("{name} {arguments}")).collect()))
    }

    #[test]
    fn labelled_actions_that_are_answered_are_calls() {
        let before = "Thought: The tide table is old.";
        for (action, call) in [
            ("Action: search\nAction Input: {\"port\": 4}", r#"search {"port": 4}"#),
            ("**Action:** `search`\n**Action Input:** port 4", r#"search {"input":"port 4"}"#),
            ("Action 2: Search[port 4]", r#"Search {"input":"port 4"}"#),
            ("Action: search(port=4)", r#"search {"input":"port=4"}"#),
            ("ACTION: go to quay 4", r#"go {"input":"to quay 4"}"#),
            (
                "Action:\n```json\n{\"action\": \"search\", \"action_input\": \"port 4\"}\n```",
                r#"search {"input":"port 4"}"#,
            ),
            ("Action:\n{\"name\": \"search\", \"arguments\": {\"port\": 4}}", r#"search {"port": 4}"#),
            ("Act: bash\n\n```bash\nls -l\n```", r#"bash {"command":"ls -l"}"#),
        ] {
            for answer in
                ["Observation: 12.4 m", "Observation 2: 12.4 m", "The output of the OS:\n\n12.4", "[Tool result]\n12.4"]
            {
                let expected = Some((before.to_owned(), vec![call.to_owned()]));
                assert_eq!(calls(&format!("{before}\n\n{action}"), answer), expected, "{action} {answer}");
            }
        }
    }

    #[test]
    fn a_persons_answer_makes_no_call() {
        for answer in [
            "Thanks, go on.",
            "What is the result: 4 or 5?\n",
            "I looked at it. Result: fine",
            "Here is the output:\nx",
            "",
        ] {
            assert_eq!(calls("Action: search(port=4)", answer), None, "{answer}");
        }
        let named = "Action: search\nAction Input: port 4";
        assert!(calls(named, "12.4 m").is_some());
        assert_eq!(calls("Action: respond\nAction Input: Which port?", "Port 4."), None);
        for text in [
            "Plan:\nAction: we should look\nat the tide table.",
            "Action: search\nAction Input: x\nObservation: 12 m\nFinal Answer: 12 m",
            "The action is: search",
            "Action:",
            "",
        ] {
            assert_eq!(calls(text, "Observation: 12.4 m"), None, "{text}");
        }
    }
}
