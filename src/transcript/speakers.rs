//! The names that collections of conversations give to speakers, and their roles. Shared by reading and judging.

use super::Role;

/// Maps a speaker's name to a role; some collections capitalize names. `None` if the name is unknown.
pub fn role(name: &str) -> Option<Role> {
    Some(match name {
        "system" | "developer" => Role::System,
        "human" | "user" | "prompter" => Role::User,
        "gpt" | "assistant" | "model" | "ai" | "agent" | "bot" | "chatbot" | "chatgpt" | "bard" => Role::Assistant,
        "function_call" | "tool_call" => Role::Assistant,
        "tool" | "function" | "function_response" | "tool_response" => Role::Tool,
        _ if is_environment(name) => Role::Tool,
        _ if name.bytes().any(|byte| byte.is_ascii_uppercase()) => return role(&name.to_ascii_lowercase()),
        _ => return name.split_once('-').and_then(|(side, _)| one_of_several(side)),
    })
}

/// The role of one of several speakers on a side: `assistant-subagent-7`, `user-2`.
fn one_of_several(side: &str) -> Option<Role> {
    matches!(side, "assistant" | "user").then(|| role(side)).flatten()
}

/// Whether turns of a speaker with this name may also answer something else than a call, such as code in a text.
pub fn is_environment(name: &str) -> bool {
    matches!(name, "observation" | "ipython" | "environment")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_with_capitals_too() {
        assert_eq!(["Human", "GPT", "System"].map(role), [Role::User, Role::Assistant, Role::System].map(Some));
        assert_eq!(["prompter", "model", "ipython"].map(role), [Role::User, Role::Assistant, Role::Tool].map(Some));
        assert_eq!(role("agent"), Some(Role::Assistant), "as opposed to a user");
        assert_eq!(role("assistant-subagent-a52"), Some(Role::Assistant), "one of several");
        assert_eq!(["judge", "", "Exit", "post-user"].map(role), [None; 4]);
    }
}
