//! Known formats that are not supported yet, so that a refusal can name the format of a file.
//!
//! Each entry is a name, the evidence, and a predicate over keys (never over texts, as a session may talk about
//! formats). The names are those used by tools and collections.
//!
//! Refused permanently: files without turns, such as telemetry, and settings, states and summaries stored beside a
//! session. Refused for now: `letta`, whose agent files hold messages like OpenAI's, but state separately which of them
//! are in context and which are memory.

use crate::format::Sample;
use crate::format::shared::json::{Json, Object};

/// A format that is only recognized by its keys.
pub(super) struct Known {
    /// The stable name of the format.
    pub(super) name: &'static str,
    /// The evidence, as a sentence fragment.
    pub(super) why: &'static str,
    /// Whether a file is of this format.
    pub(super) is: fn(&Sample<'_>) -> bool,
}

/// A hint what to do with a file of an unsupported format, to be appended to the refusal; empty if there is none.
pub fn hint(name: &str) -> &'static str {
    match name {
        "otlp" => {
            "; write the `gen_ai.input.messages` and `gen_ai.output.messages` of each span as one array of messages"
        }
        "acp-updates" => "; the session that the harness itself stores is read",
        "ai-sdk-ui" => "; make messages of OpenAI's or Anthropic's of them, whose calls and results are read",
        "chatgpt-export" => "; take the `conversation` out first (`jq .conversation`)",
        "tau2-bench" => "; only `messages` of simulations are read, no `ticks`, and no results without them",
        "gzip" | "zstd" => "; what is compressed twice is not read: decompress it once",
        "aider-history" => "; transcripts are JSON: make messages of OpenAI's of its questions and answers",
        "opencode-store" => "; `opencode export SESSION` writes a session whole",
        "llama-index" => "; make messages of OpenAI's of each list in its `store`",
        "librechat" => "; export it once more without `recursive`",
        "vscode-copilot-chat" => "; make messages of OpenAI's of its requests and responses",
        "toolbench" => "; only `answer_generation.train_messages` is trained on",
        "llm-http-logs" => {
            "; it is the tape of a test, which finds a response by what was asked: cut, it would play back nothing"
        }
        "messages-document" | "messages-array" => {
            "; its messages have no form that is known: --from FORMAT reads it, if they are of a known one"
        }
        "alpaca" => "; rows of an instruction and its output have no turns that could be compacted",
        "claude-code-web" => "; write its records one per line (`jq -c '.loglines[]'`)",
        "tar" | "zip" => "; unpack it first",
        "parquet" => {
            "; export it to JSONL first (`to_json` of `datasets` does), or compact a column of it with scripts/spark"
        }
        "arrow" => "; export it to JSONL first (`to_json` of `datasets` does)",
        _ => "",
    }
}

/// Makes a table entry.
const fn known(name: &'static str, why: &'static str, is: fn(&Sample<'_>) -> bool) -> Known {
    Known { name, why, is }
}

/// Formats with distinctive keys: tried before the supported formats.
pub(super) const OWN_KEYS: &[Known] = &[
    known("codex-tui-log", "`ts`, `dir` and `kind`", |s| {
        s.most(|r| all(r, &["ts", "dir", "kind"]) && r.text("dir").is_some())
    }),
    known("openclaw-telemetry", "telemetry of agents", |s| {
        s.most(|r| kind(r, &OPENCLAW_TELEMETRY) && (r.has("sessionKey") || r.has("channel")))
    }),
    known("opencode-events", "rows of opencode's table of events: `aggregate_id` and `seq`", |s| {
        s.most(|r| all(r, &["aggregate_id", "seq", "type", "data"]))
    }),
    known("opencode-store", "one message, part or session of opencode's store", |s| {
        let pieces: [&[&str]; 3] =
            [&["sessionID", "messageID", "type"], &["sessionID", "role", "time"], &["projectID", "directory", "time"]];
        let holds = |key: &&str| doc(s, &[key]);
        doc(s, &["id"]) && pieces.iter().any(|keys| doc(s, keys)) && !["content", "messages", "parts"].iter().any(holds)
    }),
    known("otlp", "`resourceSpans` of OpenTelemetry's protocol", |s| {
        doc(s, &["resourceSpans"]) || s.most(|r| r.has("resourceSpans"))
    }),
    known("acp-updates", "notices of the Agent Client Protocol: `method` and `params`", |s| {
        s.most(|r| all(r, &["method", "params"]) && r.text("method").is_some_and(|method| method.contains('/')))
    }),
    known("kiro", "lines of Kiro: `version`, `kind` and `data`", |s| {
        s.most(|r| r.has("version") && r.text("kind").is_some() && r.object("data").is_some())
    }),
    known("bot-framework", "activities with `channelId`, `conversation` and `recipient`", |s| {
        s.most(|r| all(r, &["channelId", "conversation", "from", "recipient"]))
    }),
    known(
        "vscode-copilot-chat",
        "`requests` with a `requesterUsername`, or changes of them with `kind` and `v`",
        |s| doc(s, &["requesterUsername", "requests"]) || s.most(|r| all(r, &["kind", "v"])),
    ),
    known("entire", "compact transcripts of Entire: `v`, `agent` and `cli_version`", |s| {
        s.most(|r| all(r, &["v", "agent", "cli_version", "type"]))
    }),
    known("droid-settings", "settings of a session", |s| doc(s, &["assistantActiveTimeMs"])),
    known("openhands-state", "`confirmation_policy` and `agent`, without the events", |s| {
        doc(s, &["agent", "confirmation_policy"])
    }),
    known("kimi-state", "state of a session", |s| doc(s, &["agents", "workDir", "isCustomTitle"])),
    known("grok-summary", "`chat_format_version`", |s| doc(s, &["chat_format_version"])),
    known("cass", "a session in one line, with `workspace` and `agent`", |s| {
        s.most(|r| all(r, &["agent", "workspace", "messages"]))
    }),
    known("claude-code-web", "`loglines` of a session on the web", |s| {
        s.fields.as_ref().and_then(|fields| first(fields, "loglines")).is_some_and(|record| record.has("message"))
    }),
    known("atof", "`atof_version`", |s| s.most(|r| r.has("atof_version"))),
    known("swe-agent-steps", "`trajectory` without a history", |s| {
        // Rows of verifiers have both beside their messages.
        let asks = |fields: &Object<'_>| ["prompt", "completion"].iter().all(|key| first(fields, key).is_some());
        doc(s, &["trajectory", "info"]) && !doc(s, &["history"]) && !s.fields.as_ref().is_some_and(asks)
    }),
    known("cline-compaction", "`source_message_count` and a hash of what was compacted", |s| {
        doc(s, &["messages", "source_message_count"]) && doc(s, &["updated_at"])
    }),
    known("cline-session", "`workspace_root` and `session_id`", |s| {
        doc(s, &["session_id", "workspace_root", "enable_tools"])
    }),
    known("cline-ui-messages", "UI messages with `say` or `ask`", |s| {
        elements(s, |r| r.has("ts") && (r.has("say") || r.has("ask")))
    }),
    known("cline-task-metadata", "`files_in_context` and `model_usage`", |s| {
        doc(s, &["files_in_context", "model_usage"])
    }),
    known("toolbench", "`answer_generation` without `train_messages`", |s| {
        doc(s, &["answer_generation"]) && !s.fields.as_ref().is_some_and(crate::format::toolbench::has_conversations)
    }),
    known("tau2-bench", "`simulations` without messages, or `ticks` of one by voice", |s| {
        let simulates =
            doc(s, &["simulations"]) && !s.fields.as_ref().is_some_and(crate::format::tau2_bench::has_messages);
        let speaks = |fields: &Object<'_>| fields.get("ticks").is_some_and(|ticks| !ticks.is_null());
        simulates || s.fields.as_ref().is_some_and(speaks)
    }),
    known("letta", "an agent's `core_memory` or `in_context_message_ids` beside its `messages`", |s| {
        all_ways(s, |r| is_letta(r) || first(r, "agents").is_some_and(|agent| is_letta(&agent)))
    }),
    known("llm-http-logs", "recorded requests and responses", |s| {
        elements(s, |r| all(r, &["method", "path", "response"]))
    }),
    known("sharegpt", "`from` and `value`", |s| {
        has_rows(s, |r| r.has("value") && r.text("from").is_some() || first_of_turns(r))
    }),
    known("chatgpt-export", "a tree of messages in the `mapping` of a `conversation`", |s| {
        all_ways(s, |r| r.object("conversation").is_some_and(|inner| crate::format::chatgpt::is_conversation(&inner)))
    }),
    known("llama-index", "a `store` of messages with `additional_kwargs`", |s| {
        let lists = s.fields.as_ref().and_then(|fields| fields.object("store")).unwrap_or_default();
        lists
            .fields()
            .iter()
            .any(|(key, _)| first(&lists, key).is_some_and(|it| all(&it, &["role", "additional_kwargs"])))
    }),
    known("librechat", "messages inside each other, in their `children`", |s| {
        all_ways(s, crate::format::librechat::is_nested)
    }),
    known("ai-sdk-ui", "messages of the Vercel AI SDK for a screen: `parts` beside `content`", |s| {
        let shows = |message: Json<'_>| message.object().is_some_and(|message| is_shown(&message));
        s.rows().0.iter().any(|row| is_shown(row) || row.array("messages").unwrap_or_default().into_iter().any(shows))
    }),
    known("agent-data-protocol", "`content` of actions and observations with a `class_`", |s| {
        all_ways(s, |r| r.has("id") && first(r, "content").is_some_and(|step| step.has("class_")))
    }),
    known("swe-agent-rows", "`trajectory` of turns with `role` and `text`", |s| {
        all_ways(s, |r| {
            first(r, "trajectory").is_some_and(|turn| all(&turn, &["role", "text"]) && !turn.has("content"))
        })
    }),
    known("mint", "`state.history`", |s| has_rows(s, |r| r.object("state").is_some_and(|state| state.has("history")))),
    known("alpaca", "instructions and outputs: no chat transcript", |s| {
        has_rows(s, |r| ["instruction", "output"].iter().all(|key| r.text(key).is_some()))
    }),
    known("predictions", "patches of models: no chat transcript", |s| {
        has_rows(s, |r| all(r, &["instance_id", "model_patch"]) && !r.has("trajectory"))
    }),
];

/// Other shapes of messages, not stored one per line: tried last.
pub(super) const OTHER_SHAPES: &[Known] = &[
    known("ai-sdk-ui", "messages of the Vercel AI SDK for a screen: `role` and `parts`", |s| {
        has_rows(s, |r| part_of_message(r).is_some_and(|part| part.has("type")))
    }),
    known("messages-document", "one `messages` array over several lines", |s| {
        s.fields.as_ref().is_some_and(|fields| fields.array("messages").is_some())
    }),
    known("messages-array", "an array of messages", |s| elements(s, |r| all(r, &["role", "content"]))),
    known("messages-array", "an array of conversations", |s| elements(s, |r| r.array("messages").is_some())),
];

const OPENCLAW_TELEMETRY: [&str; 7] =
    ["message.in", "message.out", "message.sending", "agent.start", "agent.end", "tool.start", "tool.end"];
const PI: [&str; 12] = [
    "session",
    "message",
    "model_change",
    "thinking_level_change",
    "compaction",
    "branch_summary",
    "custom",
    "custom_message",
    "label",
    "session_info",
    "leaf",
    "compact",
];

fn all(record: &Object<'_>, keys: &[&str]) -> bool {
    keys.iter().all(|key| record.has(key))
}

fn kind(record: &Object<'_>, kinds: &[&str]) -> bool {
    record.text("type").is_some_and(|kind| kinds.contains(&&*kind))
}

/// Whether the file is one object with these keys.
fn doc(sample: &Sample<'_>, keys: &[&str]) -> bool {
    sample.fields.as_ref().is_some_and(|fields| all(fields, keys))
}

/// Whether the file is an array and all examined elements pass `is`.
fn elements(sample: &Sample<'_>, is: impl Fn(&Object<'_>) -> bool) -> bool {
    sample.elements.as_ref().is_some_and(|elements| !elements.is_empty() && elements.iter().all(is))
}

/// Whether the file has rows that pass `is`: as lines, or as elements of one array.
fn has_rows(sample: &Sample<'_>, is: impl Fn(&Object<'_>) -> bool) -> bool {
    sample.most(&is) || elements(sample, &is)
}

/// Like [`has_rows`], or the file is one such row over several lines.
fn all_ways(sample: &Sample<'_>, is: impl Fn(&Object<'_>) -> bool) -> bool {
    sample.fields.as_ref().is_some_and(&is) || has_rows(sample, is)
}

/// The first part of a message, or of the first message of a row.
fn part_of_message<'a>(record: &Object<'a>) -> Option<Object<'a>> {
    let part = |message: &Object<'a>| first(message, "parts").filter(|_| message.has("role"));
    part(record).or_else(|| ["messages", "contents"].iter().find_map(|key| part(&first(record, key)?)))
}

/// Whether a message has more for a screen in its `parts` than the text of its `content`.
fn is_shown(message: &Object<'_>) -> bool {
    let more = |part: &Object<'_>| {
        part.text("type")
            .is_some_and(|kind| kind == "step-start" || kind.starts_with("tool-") || kind == "dynamic-tool")
    };
    let parts = || message.array("parts").unwrap_or_default().into_iter().filter_map(Json::object);
    message.has("role") && message.get("content").is_some_and(Json::is_string) && parts().any(|part| more(&part))
}

fn first<'a>(record: &Object<'a>, key: &str) -> Option<Object<'a>> {
    record.array(key)?.into_iter().next().and_then(Json::object)
}

pub(in crate::format) fn is_pi(sample: &Sample<'_>) -> bool {
    sample.any(is_pi_header) && sample.most(|r| kind(r, &PI))
}

/// Whether these are entries of pi's without the header that says so, or with less of it, as a session that was cut or
/// exported has them: linked, and with what only pi writes in messages.
pub(in crate::format) fn is_pi_without_header(sample: &Sample<'_>) -> bool {
    let headed = sample.any(|r| kind(r, &["session"]));
    let linked = |r: &Object<'_>| kind(r, &PI) && r.has("id") && (headed || r.has("parentId"));
    let header =
        |r: &Object<'_>| kind(r, &["session"]) && ["uuid", "createdAt", "harness"].iter().any(|key| r.has(key));
    sample.most(linked) && sample.any(says_as_pi) && !sample.any(|r| kind(r, &["session_start"]) || header(r))
}

/// Whether an entry is a message with a role, a call or an end as pi writes them.
fn says_as_pi(record: &Object<'_>) -> bool {
    let Some(message) = record.object("message").filter(|_| kind(record, &["message"])) else { return false };
    let calls = |block: Json<'_>| block.object().is_some_and(|block| kind(&block, &["toolCall"]));
    let role = message.text("role").unwrap_or_default();
    let ends = role == "assistant" && message.has("stopReason") && message.has("provider");
    ends || role == "toolResult" || message.array("content").unwrap_or_default().into_iter().any(calls)
}

fn is_pi_header(record: &Object<'_>) -> bool {
    let states = record.has("version") || record.has("cwd");
    let of_others = ["uuid", "createdAt"].iter().any(|key| record.has(key));
    kind(record, &["session"]) && record.has("id") && !of_others && states
}

/// Whether a record is the header of a session of pi, or a linked entry.
pub(in crate::format) fn is_pi_entry(record: &Object<'_>) -> bool {
    is_pi_header(record) || kind(record, &PI) && record.has("id") && record.has("parentId")
}

/// Whether a record is a Letta agent: the whole file in its first version, an element of a list in the second.
fn is_letta(record: &Object<'_>) -> bool {
    record.has("agent_type")
        && ["core_memory", "in_context_message_ids", "memory_blocks"].iter().any(|key| record.has(key))
}

fn first_of_turns(record: &Object<'_>) -> bool {
    first(record, "chosen").is_some_and(|turn| all(&turn, &["from", "value"]))
}

#[cfg(test)]
mod tests {
    use crate::format::detect;

    #[test]
    fn stores_and_sessions_that_are_not_read_say_what_to_do() {
        let named = |text: &str| detect(text.as_bytes()).ok().map(|found| (found.name, found.format.is_some()));
        let store = r#"{"store":{"a":[{"role":"user","additional_kwargs":{},"blocks":[{"block_type":"text","text":"u"}]}]},"class_name":"SimpleChatStore"}"#;
        assert_eq!(named(store), Some(("llama-index", false)));
        let asked = r#"{"requesterUsername":"me","requests":[{"message":{"text":"u"},"response":[]}]}"#;
        assert_eq!(named(asked), Some(("vscode-copilot-chat", false)));
        for piece in [
            r#"{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"u"}"#,
            r#"{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1}}"#,
            r#"{"id":"ses_1","projectID":"p","directory":"/w","title":"t","time":{"created":1}}"#,
        ] {
            assert_eq!(named(piece), Some(("opencode-store", false)), "{piece}");
        }
        assert_eq!(
            named("\n# aider chat started at 2025-01-02 10:00:00\n\n#### go on\n"),
            Some(("aider-history", false))
        );
        let spans = r#"{"resourceSpans":[{"resource":{},"scopeSpans":[]}]}"#;
        let update = r#"{"timestamp":1,"method":"session/update","params":{"sessionId":"s"}}"#;
        let kiro = r#"{"version":"1","kind":"prompt","data":{"content":"u"}}"#;
        for (text, name) in [(spans, "otlp"), (update, "acp-updates"), (kiro, "kiro")] {
            let two = format!("{text}\n{text}\n");
            assert_eq!((named(text), named(&two)), (Some((name, false)), Some((name, false))));
        }
        assert_ne!(named(r#"{"version":17,"kind":40,"data":3}"#).map(|found| found.0), Some("kiro"), "a vocabulary");
        let said = r#"{"id":"m","sessionID":"s","role":"user","time":1,"content":"u"}"#;
        assert_ne!(named(said).map(|found| found.0), Some("opencode-store"));
        assert!(["gzip", "zstd"].iter().all(|name| super::hint(name).contains("twice")));
        assert!(super::hint("opencode-store").contains("opencode export"));
        assert!(["llama-index", "vscode-copilot-chat"].iter().all(|name| super::hint(name).contains("make messages")));
    }

    #[test]
    fn a_row_of_verifiers_is_one_of_messages_and_no_run_of_swe_agent() {
        let name = |text: &str| detect(text.as_bytes()).ok().map(|found| found.name);
        let said = |role: &str| format!(r#"[{{"role":"{role}","content":"x"}}]"#);
        let run = r#""info":{"lamp":1},"trajectory":[{"action":"look","observation":"dark"}]"#;
        let row = format!(r#"{{"prompt":{},"completion":{},{run}}}"#, said("user"), said("assistant"));
        assert_eq!(name(&row), Some("trl"));
        assert_eq!(name(&format!("{{{run}}}")), Some("swe-agent-steps"));
    }

    #[test]
    fn what_a_screen_shows_and_a_tree_beside_its_list_are_not_taken_for_messages() {
        let name = |text: &str| detect(text.as_bytes()).ok().map(|found| found.name);
        let asked = r#"{"id":"a","role":"user","content":"Why?","parts":[{"type":"text","text":"Why?"}]}"#;
        let shown =
            r#"{"id":"b","role":"assistant","content":"So.","parts":[{"type":"tool-invocation","toolInvocation":{}}]}"#;
        assert_eq!(name(&format!("[{asked},{shown}]")), Some("ai-sdk-ui"));
        assert_eq!(name(&format!(r#"{{"messages":[{asked},{shown}]}}"#)), Some("ai-sdk-ui"));
        let said = r#"{"role":"assistant","content":"So."}"#;
        assert_eq!(
            name(&format!(r#"{{"messages":[{asked},{said}]}}"#)),
            Some("openai-chat"),
            "texts alone are no loss"
        );
        let node = r#"{"id":"a","parentId":null,"childrenIds":[],"role":"user","content":"Why?"}"#;
        let chat = format!(r#"{{"history":{{"messages":{{"a":{node}}},"currentId":"a"}},"messages":[{node}]}}"#);
        assert_eq!(name(&chat), Some("open-webui"));
        assert_eq!(name(&format!(r#"[{{"id":"c","chat":{chat}}}]"#)), Some("open-webui"));
        assert_eq!(name(&chat.replace("parentId", "of").replace("childrenIds", "to")), Some("openai-chat"));
        let simulation = |ticks: &str| {
            format!(
                r#"{{"id":"s","ticks":{ticks},"messages":[{{"role":"user","content":"Why?"}},{{"role":"assistant","content":"So."}}]}}"#
            )
        };
        assert_eq!(name(&simulation("null")), Some("openai-chat"));
        assert_eq!(name(&simulation("[{}]")), Some("tau2-bench"));
    }
}
