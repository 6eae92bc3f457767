//! For every rule, a transcript that keeps it and the change that breaks it.

pub(super) const OPENAI: &str = r#"{"role":"system","content":"s"}
{"role":"user","content":"u"}
{"role":"assistant","content":"w","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"a","content":"r"}
{"role":"assistant","content":"x"}
{"role":"user","content":"thanks"}
"#;
const CHAT: &str =
    r#"{"messages":[{"role":"user","content":"<image>u"},{"role":"assistant","content":"x"}],"images":["1"]}"#;
const PAIR: &str = r#"{"input":{"messages":[{"role":"user","content":"u"}]},"preferred_output":[{"role":"assistant","content":"x"}],"non_preferred_output":[{"role":"assistant","content":"y"}]}"#;
pub(super) const SHAREGPT: &str = r#"{"conversations":[{"from":"human","value":"u"},{"from":"gpt","value":"x"}]}"#;
const ANTHROPIC: &str = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"text","text":"w"},{"type":"tool_use","id":"a","name":"ls","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"},{"type":"text","text":"go on"}]},{"role":"assistant","content":[{"type":"thinking","thinking":"h","signature":"s"},{"type":"text","text":"x"}]}]}"#;
pub(super) const CLAUDE: &str = r#"{"type":"summary","summary":"Title","leafUuid":"u3"}
{"type":"file-history-snapshot","messageId":"u1","snapshot":{}}
{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"u"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:02Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{}}]}}
{"type":"user","uuid":"u3","parentUuid":"u2","sessionId":"s","timestamp":"2026-01-01T00:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}}
{"type":"system","subtype":"compact_boundary","uuid":"u4","parentUuid":null,"logicalParentUuid":"u3","sessionId":"s","timestamp":"2026-01-01T00:00:04Z"}
{"type":"user","uuid":"u5","parentUuid":"u4","sessionId":"s","isCompactSummary":true,"timestamp":"2026-01-01T00:00:05Z","message":{"role":"user","content":"so far"}}
{"type":"assistant","uuid":"u6","parentUuid":"u5","sessionId":"s","timestamp":"2026-01-01T00:00:06Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"x"}]}}
{"type":"user","uuid":"u7","parentUuid":"u6","sessionId":"s","timestamp":"2026-01-01T00:00:07Z","message":{"role":"user","content":"thanks"}}
"#;
pub(super) const CODEX: &str = r#"{"timestamp":"1","ordinal":1,"type":"session_meta","payload":{"id":"a"}}
{"timestamp":"1","ordinal":2,"type":"event_msg","payload":{"type":"user_message","message":"u"}}
{"timestamp":"1","ordinal":3,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"u"}]}}
{"timestamp":"1","ordinal":4,"type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"x"}}
{"timestamp":"1","ordinal":5,"type":"response_item","payload":{"type":"function_call","name":"f","arguments":"{}","call_id":"a"}}
{"timestamp":"1","ordinal":6,"type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":"r"}}
{"timestamp":"1","ordinal":7,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"v"}]}}
"#;
const CODEX_COMPACTED: &str = r#"{"timestamp":"1","type":"session_meta","payload":{"id":"a"}}
{"timestamp":"1","type":"event_msg","payload":{"type":"user_message","message":"u"}}
{"timestamp":"1","type":"compacted","payload":{"message":"so far","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Summary: so far"}]}]}}
"#;
const PI: &str = r#"{"type":"session","version":3,"id":"s","cwd":"/"}
{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"u"}]}}
{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f","arguments":{}}]}}
{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"r"}]}}
{"type":"label","id":"d","parentId":"c","targetId":"a"}
{"type":"compaction","id":"e","parentId":"d","summary":"s","firstKeptEntryId":"c","tokensBefore":1}
{"type":"message","id":"f","parentId":"e","message":{"role":"user","content":[{"type":"text","text":"v"}]}}
"#;
const OPENCODE: &str = r#"{"info":{"id":"s"},"messages":[
{"info":{"id":"m1","role":"user","time":{"created":1}},"parts":[{"id":"p1","messageID":"m1","type":"text","text":"u"}]},
{"info":{"id":"m2","role":"assistant","parentID":"m1","time":{"created":2},"finish":"stop"},"parts":[{"id":"p2","messageID":"m2","type":"text","text":"x"}]},
{"info":{"id":"m3","role":"user","time":{"created":3}},"parts":[{"id":"p3","messageID":"m3","type":"compaction","tail_start_id":"m2"}]},
{"info":{"id":"m4","role":"assistant","parentID":"m3","time":{"created":4},"summary":true,"finish":"stop"},"parts":[{"id":"p4","messageID":"m4","type":"text","text":"so far"}]},
{"info":{"id":"m5","role":"user","time":{"created":5}},"parts":[{"id":"p5","messageID":"m5","type":"text","text":"v"}]}
]}"#;
const GEMINI: &str = r#"{"sessionId":"s","projectHash":"p"}
{"id":"a","type":"user","content":"u"}
{"id":"b","type":"gemini","content":"g"}
{"$rewindTo":"b"}
{"id":"c","type":"gemini","content":"h"}
"#;
const GOOSE: &str = r#"{"working_dir":"/w","message_count":2,"conversation":[
{"role":"user","created":1,"content":[{"type":"text","text":"u"}]},
{"role":"assistant","created":2,"content":[{"type":"text","text":"x"}]}]}"#;
const ATIF: &str = r#"{"schema_version":"ATIF-v1.6","steps":[
{"step_id":1,"source":"user","message":"u"},
{"step_id":2,"source":"agent","message":"w","tool_calls":[{"tool_call_id":"a","function_name":"f","arguments":{}}],"observation":{"results":[{"source_call_id":"a","content":"r"}]}}]}"#;
const STS: &str = r#"{"type":"session","harness":"h","id":"s"}
{"type":"message","message":{"role":"user","content":"u"}}
{"type":"message","message":{"role":"assistant","content":"a","toolCalls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}}
{"type":"message","message":{"role":"tool","content":"r","toolCallId":"c"}}
{"type":"message","message":{"role":"user","content":"v"}}
"#;
const CLAUDE_AI: &str = r#"{"uuid":"c","chat_messages":[{"uuid":"a","sender":"human","text":"u","parent_message_uuid":"r"},{"uuid":"b","sender":"assistant","text":"x","parent_message_uuid":"a"},{"uuid":"d","sender":"human","text":"v","parent_message_uuid":"b"}]}"#;
const OPEN_WEBUI: &str = r#"{"history":{"messages":{"a":{"id":"a","role":"user","content":"u","parentId":null,"childrenIds":["b"]},"b":{"id":"b","role":"assistant","content":"x","parentId":"a","childrenIds":["c"]},"c":{"id":"c","role":"user","content":"v","parentId":"b","childrenIds":[]}},"currentId":"c"}}"#;
const LIBRECHAT: &str = r#"{"conversationId":"i","messages":[{"messageId":"a","parentMessageId":"r","isCreatedByUser":true,"text":"u"},{"messageId":"b","parentMessageId":"a","isCreatedByUser":false,"text":"x"},{"messageId":"c","parentMessageId":"b","isCreatedByUser":true,"text":"v"}]}"#;
const CHATGPT: &str = r#"{"mapping":{"r":{"id":"r","message":null,"parent":null,"children":["a"]},"a":{"id":"a","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["u"]}},"parent":"r","children":["b"]},"b":{"id":"b","message":{"author":{"role":"assistant"},"content":{"content_type":"text","parts":["x"]}},"parent":"a","children":[]}},"current_node":"b"}"#;
const OTEL: &str = r#"[{"role":"user","parts":[{"type":"text","content":"u"}]},{"role":"assistant","parts":[{"type":"text","content":"x"}]}]"#;
const EVENTS: &str = r#"[{"id":0,"source":"user","action":"message","args":{"content":"u"}},
{"id":1,"source":"agent","action":"run","args":{"command":"ls","thought":"look"}},
{"id":2,"source":"agent","cause":1,"observation":"run","content":"r","extras":{"command":"ls","metadata":{"exit_code":0}}},
{"id":3,"source":"agent","action":"condensation","args":{"forgotten_events_start_id":1,"forgotten_events_end_id":2,"summary":"s","summary_offset":1}},
{"id":4,"source":"user","action":"message","args":{"content":"v"}}]"#;
const SDK: &str = r#"{"id":"a","source":"agent","system_prompt":{"type":"text","text":"s"},"kind":"SystemPromptEvent"}
{"id":"b","parent_id":"a","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"u"}]},"kind":"MessageEvent"}
{"id":"c","parent_id":"b","source":"agent","thought":[],"tool_call":{"id":"t","name":"f","arguments":"{}"},"tool_call_id":"t","tool_name":"f","action":{"kind":"X"},"llm_response_id":"r","kind":"ActionEvent"}
{"id":"d","parent_id":"c","source":"environment","tool_call_id":"t","tool_name":"f","action_id":"c","observation":{"content":[{"type":"text","text":"r"}]},"kind":"ObservationEvent"}
{"id":"e","parent_id":"d","source":"environment","forgotten_event_ids":["c","d"],"summary":"s","summary_offset":1,"llm_response_id":"r","kind":"Condensation"}
{"id":"f","parent_id":"e","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"v"}]},"kind":"MessageEvent"}
"#;
const AMP: &str = r#"{"v":1,"messages":[{"role":"user","messageId":0,"content":[{"type":"text","text":"u"}]},{"role":"assistant","messageId":1,"content":[{"type":"text","text":"x"}]}],"nextMessageId":2}"#;
const GROK: &str = r#"{"type":"user","content":"u"}
{"type":"reasoning","id":"r","summary":[],"encrypted_content":"x"}
{"type":"assistant","content":"x"}
{"type":"user","content":"v"}
"#;
const KIMI_CLI: &str = r#"{"role": "_checkpoint", "id":0}
{"role":"user","content":"u"}
{"role": "_checkpoint", "id":1}
{"role":"assistant","content":"x"}
"#;
const KIMI_CODE: &str = r#"{"type":"metadata","protocol_version":"1.4","created_at":1}
{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"u"}],"toolCalls":[]},"time":2}
{"type":"context.apply_compaction","summary":"so far","compactedCount":1,"tokensBefore":9,"tokensAfter":1,"time":3}
{"type":"context.append_loop_event","event":{"type":"step.begin","uuid":"s"},"time":4}
{"type":"context.append_loop_event","event":{"type":"content.part","uuid":"p","stepUuid":"s","part":{"type":"text","text":"x"}},"time":5}
{"type":"context.append_loop_event","event":{"type":"step.end","uuid":"s"},"time":6}
"#;
const QWEN: &str = r#"{"uuid":"a","parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"u"}]}}
{"uuid":"b","parentUuid":"a","sessionId":"s","type":"system","subtype":"chat_compression","systemPayload":{"info":{},"compressedHistory":[{"role":"user","parts":[{"text":"so far"}]}]}}
{"uuid":"c","parentUuid":"b","sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"v"}]}}
"#;
const ROO: &str = r#"[{"role":"user","content":[{"type":"text","text":"u"}],"ts":1,"condenseParent":"c"},{"role":"assistant","content":[{"type":"text","text":"x"}],"ts":2,"truncationParent":"t"},{"role":"user","content":[{"type":"text","text":"[cut]"}],"ts":3,"isTruncationMarker":true,"truncationId":"t"},{"role":"user","content":[{"type":"text","text":"so far"}],"ts":4,"isSummary":true,"condenseId":"c"},{"role":"assistant","content":[{"type":"text","text":"y"}],"ts":5}]"#;
const DROID: &str = r#"{"type":"session_start","id":"s","version":2}
{"type":"message","id":"a","message":{"role":"user","content":"u"}}
{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"v"}}
"#;
const COPILOT: &str = r#"{"type":"session.start","data":{"sessionId":"s","version":1},"id":"a","timestamp":"1","parentId":null}
{"type":"user.message","data":{"content":"u"},"id":"b","timestamp":"2","parentId":"a"}
{"type":"user.message","data":{"content":"v"},"id":"c","timestamp":"3","parentId":"b"}
"#;
const INSPECT: &str = r#"{"id":1,"epoch":1,"messages":[{"id":"a","role":"user","content":"attachment://0a"},{"id":"b","role":"assistant","content":"x"}],"attachments":{"0a":"u"}}"#;
const HERMES: &str = r#"{"session_id":"s","message_count":2,"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"x"}]}"#;
const OURS: &str = r###"{"role":"user","content":"u"}
{"role":"system","content":"<prior-conversation-summary>\n## Goal\n- a\n\n## Instructions\n(none)\n\n## Discoveries\n- b\n\n## Accomplished\n- c\n\n## Relevant files\n- d\n</prior-conversation-summary>"}
{"role":"assistant","content":"x"}
"###;

/// Rule, format, a transcript that keeps the rule, a text in it, and the replacement that breaks the rule.
pub(super) type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

pub(super) const CASES: &[Case] = &[
    ("invalid_line", "openai-messages", OPENAI, r#"{"role":"user","content":"thanks"}"#, r#"{"role":"user","con"#),
    ("invalid_line", "claude-code", CLAUDE, r#"{"type":"file-history-snapshot""#, "\0"),
    ("invalid_line", "opencode", OPENCODE, r#""text":"u"}]}"#, r#""text":"u"}]"#),
    ("glued_records", "openai-messages", OPENAI, "\n", ""),
    ("glued_records", "claude-code", CLAUDE, "\n", ""),
    ("invalid_escape", "openai-messages", OPENAI, r#""content":"r""#, r#""content":"\* r""#),
    ("invalid_escape", "openai-chat", CHAT, r#""content":"x""#, r#""content":"\x""#),
    ("unknown_shape", "openai-chat", CHAT, "messages", "massages"),
    ("wrong_format", "claude-code", CLAUDE, "\"type\"", "\"kind\""),
    ("no_json_arguments", "openai-messages", OPENAI, r#""arguments":"{}""#, r#""arguments":"{'k': 1}""#),
    ("orphan_result", "openai-messages", OPENAI, r#""tool_call_id":"a""#, r#""tool_call_id":"b""#),
    ("orphan_result", "claude-code", CLAUDE, r#""id":"a""#, r#""id":"b""#),
    ("orphan_result", "pi", PI, r#""toolCallId":"c""#, r#""toolCallId":"d""#),
    (
        "orphan_result",
        "codex",
        CODEX,
        r#""function_call_output","call_id":"a""#,
        r#""function_call_output","call_id":"b""#,
    ),
    ("orphan_result", "hf-sts", STS, r#""toolCallId":"c""#, r#""toolCallId":"d""#),
    ("orphan_result", "atif", ATIF, r#""source_call_id":"a""#, r#""source_call_id":"b""#),
    ("unanswered_call", "openai-messages", OPENAI, r#"{"role":"tool","tool_call_id":"a","content":"r"}"#, ""),
    (
        "unanswered_call",
        "anthropic-messages",
        ANTHROPIC,
        r#"{"type":"tool_result","tool_use_id":"a","content":"r"},"#,
        "",
    ),
    ("unanswered_call", "codex", CODEX, r#""function_call_output""#, r#""nothing""#),
    (
        "duplicate_result",
        "openai-messages",
        OPENAI,
        r#"{"role":"tool","tool_call_id":"a","content":"r"}"#,
        "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"r\"}\n{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"q\"}",
    ),
    (
        "duplicate_call_id",
        "openai-messages",
        OPENAI,
        r#""tool_calls":["#,
        r#""tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},"#,
    ),
    (
        "interrupted_results",
        "openai-messages",
        OPENAI,
        "{\"role\":\"tool\"",
        "{\"role\":\"user\",\"content\":\"?\"}\n{\"role\":\"tool\"",
    ),
    ("empty_content", "openai-messages", OPENAI, r#""content":"x""#, r#""content":"""#),
    (
        "empty_content",
        "anthropic-messages",
        ANTHROPIC,
        r#"{"type":"text","text":"x"}"#,
        r#"{"type":"text","text":""},{"type":"text","text":"x"}"#,
    ),
    (
        "assistant_media",
        "openai-messages",
        OPENAI,
        r#""content":"x""#,
        r#""content":[{"type":"image_url","image_url":{"url":"data:,"}}]"#,
    ),
    ("unknown_speaker", "openai-chat", CHAT, r#""role":"user""#, r#""role":"bogus""#),
    (
        "unknown_speaker",
        "openai-messages",
        OPENAI,
        r#"{"role":"assistant","content":"x"}"#,
        r#"{"speaker":"keeper","content":"x"}"#,
    ),
    (
        "unknown_speaker",
        "anthropic-messages",
        ANTHROPIC,
        r#"{"role":"user""#,
        r#"{"role":"keeper","content":"x"},{"role":"user""#,
    ),
    ("unknown_speaker", "hf-sts", STS, r#""role":"user","content":"v""#, r#""role":"keeper","content":"v""#),
    (
        "unreadable_calls",
        "openai-chat",
        CHAT,
        r#""role":"assistant""#,
        r#""role":"assistant","tool_calls":[{"id":"a","action":"sound"}]"#,
    ),
    ("no_assistant", "openai-chat", CHAT, r#""role":"assistant""#, r#""role":"user""#),
    (
        "prompt_ends_on_answer",
        "openai-preference",
        PAIR,
        r#"{"role":"user","content":"u"}"#,
        r#"{"role":"user","content":"u"},{"role":"assistant","content":"x"}"#,
    ),
    ("media_count", "openai-chat", CHAT, r#"["1"]"#, r#"["1","2"]"#),
    ("wrong_order", "sharegpt", SHAREGPT, r#""gpt""#, r#""human""#),
    ("first_not_user", "anthropic-messages", ANTHROPIC, r#"{"role":"user","content":"u"},"#, ""),
    (
        "same_role_twice",
        "anthropic-messages",
        ANTHROPIC,
        r#"{"role":"user","content":"u"},"#,
        r#"{"role":"user","content":"u"},{"role":"user","content":"v"},"#,
    ),
    ("ends_in_thinking", "anthropic-messages", ANTHROPIC, r#",{"type":"text","text":"x"}]"#, "]"),
    (
        "results_not_first",
        "anthropic-messages",
        ANTHROPIC,
        r#"[{"type":"tool_result""#,
        r#"[{"type":"text","text":"v"},{"type":"tool_result""#,
    ),
    (
        "several_sessions",
        "claude-code",
        CLAUDE,
        r#""uuid":"u7","parentUuid":"u6","sessionId":"s""#,
        r#""uuid":"u7","parentUuid":null,"sessionId":"t""#,
    ),
    (
        "several_sessions",
        "codex",
        CODEX,
        r#"{"timestamp":"1","ordinal":7,"#,
        "{\"timestamp\":\"1\",\"type\":\"session_meta\",\"payload\":{\"id\":\"0195a000-0000-7000-8000-00000000000f\"}}\n{\"timestamp\":\"1\",\"ordinal\":7,",
    ),
    (
        "several_sessions",
        "pi",
        PI,
        r#"{"type":"label""#,
        "{\"type\":\"session\",\"version\":3,\"id\":\"t\",\"cwd\":\"/\"}\n{\"type\":\"label\"",
    ),
    ("duplicate_uuid", "claude-code", CLAUDE, "{\"type\":\"system\"", TWICE),
    ("dangling_parent", "claude-code", CLAUDE, r#""parentUuid":"u6""#, r#""parentUuid":"gone""#),
    ("dangling_parent", "pi", PI, r#""parentId":"a""#, r#""parentId":"gone""#),
    ("dangling_parent", "opencode", OPENCODE, r#""parentID":"m1""#, r#""parentID":"gone""#),
    ("dangling_parent", "droid", DROID, r#""parentId":"a""#, r#""parentId":"gone""#),
    ("dangling_parent", "copilot-cli", COPILOT, r#""parentId":"b""#, r#""parentId":"gone""#),
    ("no_header", "copilot-cli", COPILOT, "session.start", "session.info"),
    ("lost_attachment", "inspect", INSPECT, r#""0a":"u""#, r#""0b":"u""#),
    ("dangling_parent", "qwen", QWEN, r#""parentUuid":"b""#, r#""parentUuid":"gone""#),
    ("id_not_below_next", "amp", AMP, r#""nextMessageId":2"#, r#""nextMessageId":1"#),
    ("message_count_off", "hermes", HERMES, r#""message_count":2"#, r#""message_count":7"#),
    ("broken_tree", "chatgpt-export", CHATGPT, r#""children":["b"]"#, r#""children":[]"#),
    ("parent_cycle", "chatgpt-export", CHATGPT, r#""parent":"r""#, r#""parent":"b""#),
    ("unknown_speaker", "chatgpt-export", CHATGPT, r#""role":"assistant""#, r#""role":"keeper""#),
    (
        "text_before_json",
        "opencode",
        OPENCODE,
        r#"{"info":{"id":"s"}"#,
        "Exporting session: s\n{\"info\":{\"id\":\"s\"}",
    ),
    ("broken_tree", "open-webui", OPEN_WEBUI, r#""childrenIds":["b"]"#, r#""childrenIds":[]"#),
    ("parent_cycle", "open-webui", OPEN_WEBUI, r#""parentId":"a""#, r#""parentId":"b""#),
    ("unknown_speaker", "open-webui", OPEN_WEBUI, r#""role":"assistant""#, r#""role":"keeper""#),
    ("broken_tree", "librechat", LIBRECHAT, r#""parentMessageId":"b""#, r#""parentMessageId":"gone""#),
    ("parent_cycle", "librechat", LIBRECHAT, r#""parentMessageId":"b""#, r#""parentMessageId":"c""#),
    ("broken_tree", "claude-ai-export", CLAUDE_AI, r#""parent_message_uuid":"a""#, r#""parent_message_uuid":"gone""#),
    ("parent_cycle", "claude-ai-export", CLAUDE_AI, r#""parent_message_uuid":"r""#, r#""parent_message_uuid":"d""#),
    ("unknown_speaker", "claude-ai-export", CLAUDE_AI, r#""sender":"assistant""#, r#""sender":"keeper""#),
    ("reasoning_without_answer", "grok", GROK, r#"{"type":"assistant","content":"x"}"#, ""),
    ("checkpoint_goes_back", "kimi-cli", KIMI_CLI, r#""id":1"#, r#""id":0"#),
    ("no_header", "kimi-code", KIMI_CODE, r#""type":"metadata""#, r#""type":"forked""#),
    ("part_without_step", "kimi-code", KIMI_CODE, r#""stepUuid":"s""#, r#""stepUuid":"t""#),
    ("invalid_compaction", "kimi-code", KIMI_CODE, "compactedCount", "compacted"),
    (
        "other_session",
        "qwen",
        QWEN,
        r#""uuid":"c","parentUuid":"b","sessionId":"s""#,
        r#""uuid":"c","parentUuid":"b","sessionId":"t""#,
    ),
    ("compression_without_history", "qwen", QWEN, "compressedHistory", "history"),
    ("condense_parent_missing", "roo", ROO, r#""condenseParent":"c""#, r#""condenseParent":"gone""#),
    ("truncation_parent_missing", "roo", ROO, r#""truncationParent":"t""#, r#""truncationParent":"gone""#),
    ("dangling_leaf", "claude-code", CLAUDE, r#""leafUuid":"u3""#, r#""leafUuid":"gone""#),
    ("dangling_snapshot", "claude-code", CLAUDE, r#""messageId":"u1""#, r#""messageId":"gone""#),
    ("summary_without_boundary", "claude-code", CLAUDE, r#""parentUuid":"u4""#, r#""parentUuid":"u3""#),
    ("other_role", "claude-code", CLAUDE, r#""id":"m2","role":"assistant""#, r#""id":"m2","role":"user""#),
    ("parent_cycle", "claude-code", CLAUDE, r#""parentUuid":"u6""#, r#""parentUuid":"u7""#),
    ("parent_cycle", "pi", PI, r#""id":"f","parentId":"e""#, r#""id":"f","parentId":"f""#),
    ("time_goes_back", "claude-code", CLAUDE, "00:00:06", "00:00:00"),
    ("time_goes_back", "opencode", OPENCODE, r#""created":5"#, r#""created":1"#),
    ("no_session_meta", "codex", CODEX, "session_meta", "turn_context"),
    ("no_user_message", "codex", CODEX, "user_message", "agent_message"),
    ("reasoning_without_item", "codex", CODEX, r#""function_call","#, r#""nothing","#),
    ("other_summary", "codex", CODEX_COMPACTED, r#""message":"so far""#, r#""message":"nobody said it""#),
    ("ordinal_goes_back", "codex", CODEX, r#""ordinal":5"#, r#""ordinal":4"#),
    ("no_header", "pi", PI, r#""type":"session""#, r#""type":"started""#),
    ("dangling_label", "pi", PI, r#""targetId":"a""#, r#""targetId":"gone""#),
    ("first_kept_not_on_path", "pi", PI, r#""firstKeptEntryId":"c""#, r#""firstKeptEntryId":"gone""#),
    ("no_id", "opencode", OPENCODE, r#""info":{"id":"m5""#, r#""info":{"id":"""#),
    ("no_id", "gemini-cli", GEMINI, r#""id":"c""#, r#""id":"""#),
    ("duplicate_id", "opencode", OPENCODE, r#""id":"p5""#, r#""id":"p1""#),
    ("duplicate_id", "pi", PI, "{\"type\":\"compaction\"", PI_TWICE),
    ("dangling_rewind", "gemini-cli", GEMINI, r#"{"$rewindTo":"b"}"#, r#"{"$rewindTo":"gone"}"#),
    ("no_parts", "opencode", OPENCODE, r#"[{"id":"p5","messageID":"m5","type":"text","text":"v"}]"#, "[]"),
    ("no_parts", "otel-genai", OTEL, r#"[{"type":"text","content":"x"}]"#, "[]"),
    ("part_of_another_message", "opencode", OPENCODE, r#""messageID":"m5""#, r#""messageID":"m1""#),
    ("dangling_tail_start", "opencode", OPENCODE, r#""tail_start_id":"m2""#, r#""tail_start_id":"gone""#),
    ("message_count_off", "goose", GOOSE, r#""message_count":2"#, r#""message_count":7"#),
    ("duplicate_id", "openhands", EVENTS, r#""id":4"#, r#""id":3"#),
    ("ids_out_of_order", "openhands", EVENTS, r#""id":0"#, r#""id":9"#),
    ("cause_without_target", "openhands", EVENTS, r#""cause":1"#, r#""cause":9"#),
    ("action_without_target", "openhands", SDK, r#""action_id":"c""#, r#""action_id":"gone""#),
    ("parent_without_target", "openhands", SDK, r#""parent_id":"e""#, r#""parent_id":"gone""#),
    (
        "not_one_of_action_and_observation",
        "openhands",
        EVENTS,
        r#""action":"message","args":{"content":"v"}"#,
        r#""args":{"content":"v"}"#,
    ),
    ("invalid_condensation", "openhands", EVENTS, r#""summary":"s","#, ""),
    (
        "condensation_without_response",
        "openhands",
        SDK,
        r#""llm_response_id":"r","kind":"Condensation""#,
        r#""kind":"Condensation""#,
    ),
    (
        "no_steps",
        "atif",
        "{\"schema_version\":\"ATIF-v1.6\",\"steps\":[{\"step_id\":1,\"source\":\"user\",\"message\":\"u\"}]}",
        r#"[{"step_id":1,"source":"user","message":"u"}]"#,
        "[]",
    ),
    ("step_ids_not_sequential", "atif", ATIF, r#""step_id":2"#, r#""step_id":5"#),
    ("agent_only_field", "atif", ATIF, r#""source":"user""#, r#""source":"user","model_name":"m""#),
    ("unknown_source_call", "atif", ATIF, r#""source_call_id":"a""#, r#""source_call_id":"b""#),
    ("content_not_text", "hf-sts", STS, r#""content":"v""#, r#""content":7"#),
    ("section_missing", "openai-messages", OURS, r"## Discoveries\n", ""),
    ("section_duplicate", "openai-messages", OURS, r"- d\n", r"- d\n## Goal\n- e\n"),
    (
        "section_out_of_order",
        "openai-messages",
        OURS,
        r"## Goal\n- a\n\n## Instructions\n(none)\n",
        r"## Instructions\n(none)\n\n## Goal\n- a\n",
    ),
    ("section_empty", "openai-messages", OURS, r"- c\n", ""),
    ("section_unknown", "openai-messages", OURS, r"- d\n", r"- d\n## Mood\n- e\n"),
];

pub(super) const TWICE: &str = "{\"type\":\"user\",\"uuid\":\"u3\",\"parentUuid\":\"u2\",\"sessionId\":\"s\",\"timestamp\":\"2026-01-01T00:00:03Z\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"a\",\"content\":\"r\"}]}}\n{\"type\":\"system\"";
const PI_TWICE: &str =
    "{\"type\":\"label\",\"id\":\"d\",\"parentId\":\"c\",\"targetId\":\"a\"}\n{\"type\":\"compaction\"";

/// Rules that can be mended, but not their fault in [`CASES`]; each with the format.
pub(super) const LEFT: &[(&str, &str)] =
    &[("invalid_line", "opencode"), ("duplicate_id", "opencode"), ("duplicate_id", "openhands")];
