//! No input makes a format or the detection panic, and edits of generated transcripts keep what they must.

use super::support;
use crate::batch::Work;
use crate::check::Choice;
use crate::format::*;
use crate::report::Finding;
use crate::summary::Template;
use crate::transcript::{Author, Change, PartEdit, SummaryRole, UiCopies, apply};
use crate::work::{Checker, Held};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;

const SAMPLES: &[&str] = &[
    "\u{feff}{\"role\":\"system\",\"content\":\"s\"}\r\n{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}\r\n\r\n{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":[{\"type\":\"text\",\"text\":\"r\"}],\"metadata\":{\"time\":{\"start\":1}}}",
    "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{}},{\"type\":\"text\",\"text\":\"u\"}]},{\"role\":\"assistant\",\"reasoning\":\"w\",\"function_call\":{\"name\":\"f\",\"arguments\":\"{}\"}},{\"role\":\"function\",\"name\":\"f\",\"content\":\"r\"}],\"tools\":[]}",
    "{\"system\":\"be\\n\\n<prior-conversation-summary>\\none\\n</prior-conversation-summary>\",\"messages\":[{\"role\":\"user\",\"content\":\"u\"},{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"w\",\"signature\":\"s\"},{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"a\",\"content\":\"r\"}]}]}",
    "{\"system\":[{\"type\":\"text\",\"text\":\"be\"},{\"type\":\"text\",\"text\":\"<prior-conversation-summary>x</prior-conversation-summary>\"}],\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"redacted_thinking\",\"data\":\"d\"}]}]}",
    "{\"id\":1.0, \"system\":\"be\", \"conversations\":[{\"from\":\"human\",\"value\":\"u\"},{\"from\":\"function_call\",\"value\":\"[{\\\"name\\\":\\\"f\\\"},{\\\"name\\\":\\\"g\\\",\\\"arguments\\\":{}}]\"},{\"from\":\"observation\",\"value\":\"r\"},{\"from\":\"gpt\",\"value\":\"x\"}],\"tools\":\"[]\"}",
    "{\"conversations\":[{\"from\":\"system\",\"value\":\"be\\n\\n<prior-conversation-summary>\\none\\n</prior-conversation-summary>\"},{\"from\":\"human\",\"value\":\"<image>u\"},{\"from\":\"gpt\",\"value\":\"<tool_call>{\\\"name\\\":\\\"f\\\"}</tool_call>\",\"train_detail\":[]},{\"from\":\"tool\",\"value\":\"r\",\"train_detail\":[]},{\"from\":\"judge\",\"value\":1}],\"images\":[\"a\"]}",
    "{\"chosen\":[{\"role\":\"user\",\"content\":\"u\"},{\"role\":\"assistant\",\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]},{\"role\":\"tool\",\"name\":\"f\",\"content\":\"r\"},{\"role\":\"assistant\",\"content\":\"a\"}],\"rejected\":[{\"role\":\"user\",\"content\":\"u\"},{\"role\":\"assistant\",\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]},{\"role\":\"tool\",\"name\":\"f\",\"content\":\"r\"},{\"role\":\"assistant\",\"content\":\"b\"}]}",
    "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"u\"},{\"role\":\"user\",\"content\":\"v\"}]},\"preferred_output\":[{\"role\":\"assistant\",\"content\":\"a\"}],\"traj\":[{\"role\":\"user\",\"content\":\"u\"}],\"prompt\":\"p\",\"messages_display\":\"m\"}",
    "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"value\":\"u\"},{\"type\":\"image_url\",\"value\":\"i\"}],\"loss_weight\":0.0},{\"role\":\"assistant\",\"content\":[{\"type\":\"reasoning\",\"value\":\"w\"},{\"type\":\"tool_call\",\"value\":\"{\\\"name\\\":\\\"f\\\"}\"}]},{\"role\":\"tool\",\"content\":[{\"type\":\"text\",\"value\":\"r\"}]}],\"images\":[\"a\"]}",
    "\u{feff}\n[{\"role\":\"user\",\"content\":\"u\"},\n {\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\"}}]},\n {\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"r\"}\n]\n",
    "{\"info\":{\"id\":\"s\"},\"messages\":[{\"info\":{\"id\":\"msg_000000001000a\",\"role\":\"user\",\"time\":{\"created\":1}},\"parts\":[{\"type\":\"text\",\"text\":\"u\"}]},{\"info\":{\"id\":\"msg_000000002000a\",\"role\":\"assistant\",\"parentID\":\"msg_000000001000a\",\"time\":{\"created\":2},\"finish\":\"stop\"},\"parts\":[{\"type\":\"tool\",\"callID\":\"c\",\"tool\":\"ls\",\"state\":{\"status\":\"completed\",\"input\":{},\"output\":\"r\",\"metadata\":{},\"time\":{\"start\":1},\"attachments\":[]}}]}]}",
    "[{\"info\":{\"id\":\"a\",\"role\":\"user\",\"time\":{\"created\":1}},\"parts\":[{\"type\":\"compaction\",\"tail_start_id\":\"b\"}]},{\"info\":{\"id\":\"b\",\"role\":\"assistant\",\"parentID\":\"a\",\"summary\":true,\"finish\":\"stop\"},\"parts\":[{\"type\":\"text\",\"text\":\"so far\"},{\"type\":\"reasoning\",\"text\":\"w\",\"metadata\":{\"p\":{\"signature\":\"s\"}}}]}]",
    "{\"sessionId\":\"s\",\"projectHash\":\"p\",\"messages\":[{\"id\":\"a\",\"type\":\"user\",\"content\":[{\"text\":\"u\"},{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"x\"}}]},{\"id\":\"b\",\"type\":\"gemini\",\"content\":\"\",\"thoughts\":[{\"subject\":\"t\"}],\"toolCalls\":[{\"id\":\"c\",\"name\":\"f\",\"args\":{},\"result\":[{\"functionResponse\":{\"id\":\"c\",\"response\":{\"n\":1}}}],\"resultDisplay\":\"d\"}]}]}",
    "{\"sessionId\":\"s\",\"projectHash\":\"p\"}\n{\"id\":\"a\",\"type\":\"user\",\"content\":\"u\"}\n{\"$set\":{\"messages\":[{\"id\":\"a\",\"type\":\"user\",\"content\":\"u\"}, {\"id\":\"b\",\"type\":\"gemini\",\"content\":\"g\"}]}}\n{\"$rewindTo\":\"b\"}\n{\"id\":\"c\",\"type\":\"gemini\",\"content\":[{\"thought\":true,\"text\":\"t\",\"thoughtSignature\":\"s\"},{\"functionCall\":{\"name\":\"f\"}}]}",
    "{\"working_dir\":\"/w\",\"message_count\":2,\"conversation\":[{\"role\":\"user\",\"created\":1,\"content\":[{\"type\":\"text\",\"text\":\"u\"}],\"metadata\":{\"agentVisible\":false}},{\"role\":\"assistant\",\"created\":2,\"content\":[{\"type\":\"toolRequest\",\"id\":\"a\",\"toolCall\":{\"value\":{\"name\":\"f\",\"arguments\":{}}}}]},{\"role\":\"user\",\"created\":3,\"content\":[{\"type\":\"toolResponse\",\"id\":\"a\",\"toolResult\":{\"value\":[{\"type\":\"text\",\"text\":\"r\"}]}}]}]}",
    "{\"trajectory\":[],\"history\":[{\"role\":\"user\",\"content\":\"u\",\"agent\":\"m\"},{\"role\":\"assistant\",\"content\":\"t\",\"action\":\"ls\"},{\"role\":\"user\",\"content\":\"r\"},{\"role\":\"assistant\",\"content\":\"t\",\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\"}}]},{\"role\":\"tool\",\"content\":\"r\",\"tool_call_ids\":[\"a\",\"b\"]}]}",
    "{\"schema_version\":\"ATIF-v1.6\",\"steps\":[{\"step_id\":1,\"source\":\"user\",\"message\":\"u\"},{\"step_id\":2,\"source\":\"agent\",\"message\":[{\"type\":\"text\",\"text\":\"t\"}],\"reasoning_content\":\"w\",\"tool_calls\":[{\"tool_call_id\":\"a\",\"function_name\":\"f\",\"arguments\":{}}],\"observation\":{\"results\":[{\"source_call_id\":\"a\",\"content\":\"r\"},{\"content\":\"o\"}]}}],\"final_metrics\":{\"total_steps\":2}}",
    "[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"u\"},{\"type\":\"blob\",\"modality\":\"image\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"a\",\"name\":\"f\",\"arguments\":{}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"a\",\"response\":{\"k\":1}}]}]",
    "[{\"id\":0,\"timestamp\":\"t\",\"source\":\"user\",\"message\":\"u\",\"action\":\"message\",\"args\":{\"content\":\"u\",\"image_urls\":[\"i\"]}},\n{\"id\":1,\"source\":\"agent\",\"message\":\"m\",\"action\":\"run\",\"tool_call_metadata\":{\"function_name\":\"f\",\"tool_call_id\":\"a\",\"model_response\":{\"id\":\"r\",\"choices\":[{\"message\":{\"content\":\"t\",\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}}],\"usage\":{\"prompt_tokens\":7}},\"total_calls_in_response\":2},\"args\":{\"command\":\"c\"}},\n{\"id\":2,\"source\":\"agent\",\"cause\":1,\"observation\":\"run\",\"content\":\"r\",\"extras\":{\"screenshot\":\"data:x\",\"metadata\":{\"exit_code\":1}}},\n{\"id\":3,\"source\":\"agent\",\"action\":\"delegate\",\"args\":{}},{\"id\":4,\"source\":\"agent\",\"observation\":\"delegate\",\"content\":\"\",\"extras\":{\"outputs\":{\"content\":\"o\"}}},\n{\"id\":5,\"source\":\"agent\",\"action\":\"condensation\",\"args\":{\"forgotten_events_start_id\":1,\"forgotten_events_end_id\":2,\"summary\":\"s\",\"summary_offset\":1}}]\n",
    "{\"history\":[[{\"id\":0,\"source\":\"user\",\"action\":\"message\",\"args\":{\"content\":\"u\"}},{\"observation\":\"null\",\"content\":\"\",\"extras\":{}}],[{\"id\":1,\"source\":\"agent\",\"action\":\"run\",\"args\":{\"command\":\"c\",\"thought\":\"t\"}},{\"cause\":1,\"observation\":\"run\",\"content\":\"r\",\"extras\":{}}],{\"content\":\"x\",\"action\":\"message\"}],\"error\":null}",
    "{\"session_id\":\"s\",\"session_start\":\"t\",\"messages\":[{\"role\":\"user\",\"content\":\"u\"},{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"content\":\"r\",\"tool_call_id\":\"a\",\"tool_name\":\"f\"},{\"role\":\"session_meta\"}]}",
    "{\"id\":\"c\",\"context\":{\"conversation_id\":\"c\",\"messages\":[{\"text\":{\"role\":\"User\",\"content\":\"u\",\"droppable\":true}},{\"text\":{\"role\":\"Assistant\",\"content\":\"\",\"reasoning_details\":[{\"text\":\"w\",\"signature\":\"s\"}],\"tool_calls\":[{\"name\":\"f\",\"call_id\":\"a\",\"arguments\":{}}]},\"usage\":{\"prompt_tokens\":{\"actual\":1}}},{\"tool\":{\"name\":\"f\",\"call_id\":\"a\",\"output\":{\"is_error\":false,\"values\":[{\"text\":\"r\"},{\"image\":{}},\"empty\"]}}},{\"image\":{\"url\":\"x\"}}]}}",
    "{\"v\":1,\"messages\":[{\"role\":\"user\",\"messageId\":0,\"content\":[{\"type\":\"text\",\"text\":\"u\"}]},{\"role\":\"assistant\",\"messageId\":1,\"content\":[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{}}]},{\"role\":\"user\",\"messageId\":2,\"content\":[{\"type\":\"tool_result\",\"toolUseID\":\"a\",\"run\":{\"status\":\"done\",\"result\":{\"output\":\"r\"}}}]}],\"nextMessageId\":3}",
    "{\"role\":\"user\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"u\"}]}}\n{\"role\":\"assistant\",\"message\":{\"content\":[{\"type\":\"thinking\",\"thinking\":\"w\"},{\"type\":\"tool_use\",\"name\":\"f\",\"input\":{}}]}}\n{\"role\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":[{\"type\":\"text\",\"text\":\"r\"}]}]}}\n{\"type\":\"turn_ended\"}",
    "{\"type\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"u\"}],\"synthetic_reason\":\"x\"}\n{\"type\":\"reasoning\",\"id\":\"r\",\"summary\":[{\"text\":\"w\"}],\"encrypted_content\":\"x\"}\n{\"type\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"a\",\"name\":\"f\",\"arguments\":\"{}\"}]}\n{\"type\":\"tool_result\",\"tool_call_id\":\"a\",\"content\":\"r\"}\n{\"type\":\"backend_tool_call\",\"kind\":{}}",
    "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"<task>u</task>\"},{\"type\":\"text\",\"text\":\"<environment_details>\"}],\"ts\":1},\n {\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"w <f><path>a</path></f>\"}],\"metrics\":{\"tokens\":{\"prompt\":9,\"cached\":8,\"completion\":1}},\"ts\":2},\n {\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"[f for 'a'] Result:\"},{\"type\":\"text\",\"text\":\"r\"}],\"ts\":3}]",
    "{\n\t\"version\": 1,\n\t\"sessionId\": \"s\",\n\t\"updated_at\": \"t\",\n\t\"messages\": [\n\t\t{\n\t\t\t\"id\": \"a\",\n\t\t\t\"role\": \"user\",\n\t\t\t\"content\": [\n\t\t\t\t{\n\t\t\t\t\t\"type\": \"file\",\n\t\t\t\t\t\"content\": \"c\"\n\t\t\t\t}\n\t\t\t]\n\t\t},\n\t\t{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":[{\"query\":\"q\",\"result\":\"r\"}]}],\"metadata\":{\"kind\":\"compaction_summary\",\"userRunSpan\":2}}\n\t]\n}",
    "[{\"role\":\"user\",\"content\":\"u\",\"ts\":1,\"condenseParent\":\"c\",\"truncationParent\":\"m\"},{\"type\":\"reasoning\",\"summary\":[{\"text\":\"w\"}],\"encrypted_content\":\"x\"},{\"role\":\"assistant\",\"content\":\"a\",\"reasoning_content\":\"w\",\"condenseParent\":\"c\"},{\"role\":\"user\",\"content\":\"m\",\"isTruncationMarker\":true,\"truncationId\":\"m\"},{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"s\"}],\"isSummary\":true,\"condenseId\":\"c\"},{\"role\":\"user\",\"content\":\"v\",\"condenseParent\":\"none\"}]",
    "{\"role\":\"user\",\"content\":\"u\"}\n{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{}}]}\n{\"note\":1}\n{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"a\",\"content\":[{\"type\":\"text\",\"text\":\"r\"}]}]}\n",
    "{\"id\":1,\"epoch\":1,\"input\":\"u\",\"target\":\"\",\"messages\":[{\"id\":\"a\",\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"attachment://0a\"},{\"type\":\"image\",\"image\":\"i\"}]},{\"id\":\"b\",\"role\":\"assistant\",\"content\":[{\"type\":\"reasoning\",\"reasoning\":\"w\"}],\"tool_calls\":[{\"id\":\"c\",\"function\":\"f\",\"arguments\":{}}]},{\"id\":\"d\",\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"attachment://0b\"}],\"scores\":{\"s\":{\"value\":NaN}},\"events\":[{\"x\":\"attachment://0b\"}],\"attachments\":{\"0a\":\"u\",\"0b\":\"r\"}}",
    "{\"systemInstruction\":{\"parts\":[{\"text\":\"be\"}]},\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"u\"},{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"x\"}}]},{\"role\":\"model\",\"parts\":[{\"text\":\"w\",\"thought\":true},{\"functionCall\":{\"name\":\"f\",\"args\":{\"k\":1}}}]},{\"role\":\"function\",\"parts\":[{\"functionResponse\":{\"name\":\"f\",\"response\":{\"output\":\"r\"}}}]},{\"role\":\"model\",\"parts\":[{\"text\":\"x\"}]}]}",
    "{\"role\":\"user\",\"content\":[{\"text\":\"u\"},{\"image\":{\"format\":\"png\"}}]}\n{\"role\":\"assistant\",\"content\":[{\"reasoningContent\":{\"reasoningText\":{\"text\":\"w\",\"signature\":\"s\"}}},{\"toolUse\":{\"toolUseId\":\"a\",\"name\":\"f\",\"input\":{}}}]}\n{\"role\":\"user\",\"content\":[{\"toolResult\":{\"toolUseId\":\"a\",\"content\":[{\"json\":{\"k\":1}},{\"text\":\"r\"}],\"status\":\"error\"}}]}\n",
    "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"u\"},{\"type\":\"file\",\"mediaType\":\"image/png\",\"data\":\"x\"}]},\n {\"role\":\"assistant\",\"content\":[{\"type\":\"reasoning\",\"text\":\"w\"},{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"f\",\"input\":{}},{\"type\":\"tool-call\",\"toolCallId\":\"b\",\"toolName\":\"g\",\"args\":{}}]},\n {\"role\":\"tool\",\"content\":[{\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":\"f\",\"output\":{\"type\":\"json\",\"value\":{\"k\":1}}},{\"type\":\"tool-result\",\"toolCallId\":\"b\",\"toolName\":\"g\",\"result\":[1]}]}]",
    "[{\"type\":\"human\",\"content\":[{\"type\":\"text\",\"text\":\"u\"},{\"type\":\"image\",\"data\":\"x\"}]},\n {\"type\":\"ai\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"w\",\"signature\":\"s\"},{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{}}],\"additional_kwargs\":{\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},\"tool_calls\":[{\"name\":\"f\",\"args\":{},\"id\":\"a\"}]},\n {\"type\":\"tool\",\"content\":\"r\",\"tool_call_id\":\"a\"},{\"type\":\"ai\",\"data\":{\"content\":\"x\",\"type\":\"ai\"}},{\"lc\":1,\"type\":\"constructor\",\"id\":[\"langchain\",\"schema\",\"messages\",\"HumanMessage\"],\"kwargs\":{\"content\":\"v\"}}]",
    "{\"id\":\"s\",\"task_id\":\"0\",\"messages\":[{\"role\":\"assistant\",\"content\":\"h\"},{\"role\":\"user\",\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"name\":\"f\",\"arguments\":{\"k\":1},\"requestor\":\"user\"}]},{\"id\":\"a\",\"role\":\"tool\",\"content\":\"r\",\"requestor\":\"user\",\"error\":true},{\"role\":\"user\",\"content\":\"u\"}],\"reward_info\":{\"reward\":1.0}}",
    "{\"type\":\"init\",\"session_id\":\"s\",\"model\":\"m\"}\n{\"type\":\"message\",\"role\":\"user\",\"content\":\"u\"}\n{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"x\",\"delta\":true}\n{\"type\":\"tool_use\",\"tool_name\":\"f\",\"tool_id\":\"a\",\"parameters\":{\"k\":1}}\n{\"type\":\"tool_result\",\"tool_id\":\"a\",\"status\":\"error\",\"error\":{\"message\":\"r\"}}\n{\"type\":\"result\",\"status\":\"success\"}\n",
    "{\"uuid\":\"c\",\"current_leaf_message_uuid\":\"d\",\"chat_messages\":[{\"uuid\":\"a\",\"sender\":\"human\",\"text\":\"u\",\"content\":[{\"type\":\"text\",\"text\":\"u\"}],\"attachments\":[{\"file_name\":\"f\",\"extracted_content\":\"e\"}],\"files\":[{\"file_name\":\"p.png\"}],\"parent_message_uuid\":\"00000000-0000-4000-8000-000000000000\"},{\"uuid\":\"b\",\"sender\":\"assistant\",\"text\":\"x\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}],\"parent_message_uuid\":\"a\"},{\"uuid\":\"d\",\"sender\":\"assistant\",\"text\":\"y\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"w\"},{\"type\":\"tool_use\",\"name\":\"f\",\"input\":{}},{\"type\":\"tool_result\",\"name\":\"f\",\"content\":[{\"type\":\"text\",\"text\":\"r\"}],\"display_content\":{\"text\":\"r\"}},{\"type\":\"text\",\"text\":\"y\"}],\"parent_message_uuid\":\"a\"}]}",
    "{\"role\":\"user\",\"content\":[{\"text\":\"u\"},{\"image\":{\"format\":\"png\"}}]}\n{\"role\":\"assistant\",\"content\":[{\"reasoningContent\":{\"reasoningText\":{\"text\":\"w\",\"signature\":\"s\"}}},{\"toolUse\":{\"toolUseId\":\"a\",\"name\":\"f\",\"input\":{}}}]}{\"role\":\"user\",\"content\":[{\"toolResult\":{\"toolUseId\":\"a\",\"content\":[{\"json\":{\"k\":1}},{\"text\":\"r\"}],\"status\":\"error\"}}]}\n",
];

/// Sessions of linked lines, whose links are changed by edits.
const LINKED: &[&str] = &[
    "{\"timestamp\":\"1\",\"ordinal\":1,\"type\":\"session_meta\",\"payload\":{\"id\":\"a\"}}\n{\"ordinal\":2,\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"u\"},{\"type\":\"input_image\"}]}}\n{\"ordinal\":3,\"type\":\"event_msg\",\"payload\":{\"type\":\"thread_rolled_back\",\"num_turns\":1}}\n{\"ordinal\":4,\"type\":\"compacted\",\"payload\":{\"message\":\"m\",\"replacement_history\":[{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"u\"}]}]}}",
    "{\"type\":\"response_item\",\"payload\":{\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"x\"}}\n{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call\",\"name\":\"f\",\"arguments\":\"{}\",\"call_id\":\"a\"}}\n{\"type\":\"event_msg\",\"payload\":{\"type\":\"exec_command_end\",\"call_id\":\"a\",\"stdout\":\"long\",\"item\":{\"stdout\":\"long\"}}}\n{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call_output\",\"call_id\":\"a\",\"output\":[{\"type\":\"input_text\",\"text\":\"r\"}]}}\n{\"type\":\"event_msg\",\"payload\":{\"type\":\"token_count\",\"info\":{\"last_token_usage\":{\"input_tokens\":7,\"total_tokens\":9}}}}",
    "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/\"}\n{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"f\",\"arguments\":{}}]}}\n{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"message\":{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"content\":[{\"type\":\"text\",\"text\":\"r\"}],\"details\":{\"d\":\"long\"}}}\n{\"type\":\"label\",\"id\":\"d\",\"parentId\":\"b\",\"targetId\":\"a\"}\n{\"type\":\"compaction\",\"id\":\"e\",\"parentId\":\"d\",\"summary\":\"s\",\"firstKeptEntryId\":\"b\",\"tokensBefore\":1}\n{\"type\":\"branch_summary\",\"id\":\"f\",\"parentId\":\"e\",\"fromId\":\"a\",\"summary\":\"b\"}",
    "{\"type\":\"session\",\"harness\":\"h\",\"id\":\"s\"}\n{\"type\":\"message\",\"message\":{\"role\":\"assistant\",\"content\":\"a\",\"reasoningContent\":\"w\",\"toolCalls\":[{\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}}\n{\"type\":\"message\",\"message\":{\"role\":\"tool\",\"content\":\"r\",\"toolCallId\":\"c\"}}",
    "{\"id\":\"a\",\"source\":\"agent\",\"system_prompt\":{\"type\":\"text\",\"text\":\"s\"},\"kind\":\"SystemPromptEvent\"}\n{\"id\":\"b\",\"parent_id\":\"a\",\"source\":\"agent\",\"thought\":[{\"type\":\"text\",\"text\":\"t\"}],\"reasoning_content\":\"w\",\"thinking_blocks\":[{\"thinking\":\"w\",\"signature\":\"s\"}],\"tool_call\":{\"id\":\"c\",\"name\":\"f\",\"arguments\":\"{}\"},\"llm_response_id\":\"r\",\"kind\":\"ActionEvent\"}\n{\"id\":\"d\",\"parent_id\":\"b\",\"source\":\"environment\",\"tool_call_id\":\"c\",\"action_id\":\"b\",\"observation\":{\"content\":[{\"type\":\"text\",\"text\":\"r\"}],\"screenshot_data\":\"x\"},\"kind\":\"ObservationEvent\"}\n{\"id\":\"e\",\"parent_id\":\"b\",\"source\":\"environment\",\"forgotten_event_ids\":[\"b\"],\"summary\":\"s\",\"summary_offset\":1,\"kind\":\"Condensation\"}\n{\"id\":\"f\",\"parent_id\":\"__root__\",\"source\":\"user\",\"llm_message\":{\"role\":\"user\",\"content\":[{\"type\":\"image\",\"image_urls\":[]}]},\"kind\":\"MessageEvent\"}",
    "{\"uuid\":\"a\",\"parentUuid\":null,\"sessionId\":\"s\",\"type\":\"user\",\"message\":{\"role\":\"user\",\"parts\":[{\"text\":\"u\"},{\"inlineData\":{\"mimeType\":\"image/png\"}}]}}\n{\"uuid\":\"b\",\"parentUuid\":\"a\",\"sessionId\":\"s\",\"type\":\"assistant\",\"message\":{\"role\":\"model\",\"parts\":[{\"text\":\"w\",\"thought\":true},{\"functionCall\":{\"id\":\"c\",\"name\":\"f\",\"args\":{}}}]}}\n{\"uuid\":\"c\",\"parentUuid\":\"b\",\"sessionId\":\"s\",\"type\":\"tool_result\",\"message\":{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"id\":\"c\",\"response\":{\"output\":\"r\"}}}]},\"toolCallResult\":{\"resultDisplay\":\"long\"}}\n{\"uuid\":\"d\",\"parentUuid\":\"c\",\"sessionId\":\"s\",\"type\":\"system\",\"subtype\":\"chat_compression\",\"systemPayload\":{\"compressedHistory\":[{\"role\":\"user\",\"parts\":[{\"text\":\"s\"}]}]}}\n{\"uuid\":\"e\",\"parentUuid\":\"b\",\"sessionId\":\"s\",\"type\":\"system\",\"subtype\":\"rewind\"}",
    "{\"type\":\"session_start\",\"id\":\"s\",\"version\":2}\n{\"type\":\"message\",\"id\":\"a\",\"parentId\":\"s\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"u\"}]}}\n{\"type\":\"todo_state\",\"id\":\"t\"}\n{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"c\",\"name\":\"f\",\"input\":{}}]}}\n{\"type\":\"message\",\"id\":\"d\",\"parentId\":\"b\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"c\",\"content\":\"r\"}]}}\n{\"type\":\"compaction_state\",\"id\":\"e\",\"summaryText\":\"s\"}",
    "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/\"}\n{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"u\"}}\n{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}}\n{\"type\":\"leaf\",\"id\":\"l\",\"parentId\":\"b\",\"targetId\":\"a\",\"appendParentId\":\"a\"}\n{\"type\":\"custom\",\"id\":\"c\",\"parentId\":\"l\",\"appendMode\":\"side\"}",
    "{\"type\":\"session.start\",\"data\":{\"sessionId\":\"x\"},\"id\":\"s\",\"timestamp\":\"1\",\"parentId\":null}\n{\"type\":\"user.message\",\"data\":{\"content\":\"u\",\"transformedContent\":\"<t>u</t>\",\"attachments\":[{\"type\":\"blob\",\"mimeType\":\"image/png\"}]},\"id\":\"a\",\"timestamp\":\"2\",\"parentId\":\"s\"}\n{\"type\":\"assistant.turn_start\",\"data\":{},\"id\":\"b\",\"timestamp\":\"3\",\"parentId\":\"a\"}\n{\"type\":\"assistant.message\",\"data\":{\"content\":\"\",\"reasoningText\":\"w\",\"toolRequests\":[{\"toolCallId\":\"c\",\"name\":\"f\",\"arguments\":{}}]},\"id\":\"d\",\"timestamp\":\"4\",\"parentId\":\"b\"}\n{\"type\":\"hook.start\",\"data\":{\"hookInvocationId\":\"h\",\"input\":{\"toolResult\":{\"textResultForLlm\":\"long\"}}},\"id\":\"e\",\"timestamp\":\"5\",\"parentId\":\"d\"}\n{\"type\":\"tool.execution_complete\",\"data\":{\"toolCallId\":\"c\",\"success\":true,\"result\":{\"content\":\"long\",\"detailedContent\":\"long\"},\"toolTelemetry\":{}},\"id\":\"f\",\"timestamp\":\"6\",\"parentId\":\"e\"}\n{\"type\":\"session.compaction_start\",\"data\":{},\"id\":\"g\",\"timestamp\":\"7\",\"parentId\":\"f\"}\n{\"type\":\"session.compaction_complete\",\"data\":{\"success\":true,\"summaryContent\":\"s\"},\"id\":\"i\",\"timestamp\":\"8\",\"parentId\":\"g\"}",
    "{\"role\":\"user\",\"content\":\"u\"}\n{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"w\"}]}\n{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"a\",\"name\":\"f\",\"arguments\":\"{}\"}\n{\"type\":\"function_call_output\",\"call_id\":\"a\",\"output\":[{\"type\":\"input_text\",\"text\":\"r\"}]}\n{\"type\":\"compaction\",\"encrypted_content\":\"x\"}\n{\"type\":\"message\",\"id\":\"msg_1\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"x\"},{\"type\":\"refusal\",\"refusal\":\"no\"}]}\n",
    "{\"instructions\":\"be\",\"input\":[{\"role\":\"user\",\"content\":\"u\"},{\"type\":\"mcp_call\",\"id\":\"m\",\"server_label\":\"s\",\"name\":\"f\",\"arguments\":\"{}\",\"output\":\"r\"},{\"type\":\"shell_call\",\"call_id\":\"a\",\"action\":{}},{\"type\":\"shell_call_output\",\"call_id\":\"a\",\"output\":[{\"stdout\":\"r\",\"stderr\":\"\"}]}],\"response\":{\"output\":[{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"x\"}]}],\"usage\":{\"input_tokens\":3}}}",
    "{\"mapping\":{\"r\":{\"id\":\"r\",\"message\":null,\"parent\":null,\"children\":[\"a\"]},\"b\":{\"id\":\"b\",\"message\":{\"author\":{\"role\":\"assistant\"},\"recipient\":\"f\",\"content\":{\"content_type\":\"code\",\"text\":\"{}\"}},\"parent\":\"a\",\"children\":[\"c\"]},\"a\":{\"id\":\"a\",\"message\":{\"author\":{\"role\":\"user\"},\"content\":{\"content_type\":\"multimodal_text\",\"parts\":[\"u\",{\"content_type\":\"image_asset_pointer\"}]}},\"parent\":\"r\",\"children\":[\"b\",\"x\"]},\"x\":{\"id\":\"x\",\"message\":{\"author\":{\"role\":\"assistant\"},\"content\":{\"content_type\":\"text\",\"parts\":[\"y\"]}},\"parent\":\"a\",\"children\":[]},\"c\":{\"id\":\"c\",\"message\":{\"author\":{\"role\":\"tool\",\"name\":\"f\"},\"metadata\":{\"aggregate_result\":{\"k\":\"r\"}},\"content\":{\"content_type\":\"execution_output\",\"text\":\"r\"}},\"parent\":\"b\",\"children\":[\"d\"]},\"d\":{\"id\":\"d\",\"message\":{\"author\":{\"role\":\"assistant\"},\"content\":{\"content_type\":\"thoughts\",\"thoughts\":[{\"content\":\"w\"}]}},\"parent\":\"c\",\"children\":[]}},\"current_node\":\"d\"}",
];

/// A sample with some bytes replaced, removed or cut off.
fn broken() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), select(&b"\"{}[],:\\\n\0\xff<1 "[..]), 0u8..3);
    (select([SAMPLES, LINKED].concat()), prop::collection::vec(change, 0..6)).prop_map(|(sample, changes)| {
        let mut bytes = sample.as_bytes().to_vec();
        for (at, byte, how) in changes {
            let at = at.index(bytes.len().max(1)).min(bytes.len());
            match how {
                0 if at < bytes.len() => bytes[at] = byte,
                1 if at < bytes.len() => drop(bytes.remove(at)),
                2 if byte == b' ' => bytes.truncate(at),
                _ => bytes.insert(at, byte),
            }
        }
        bytes
    })
}

/// Reads, checks and edits bytes in all possible ways.
fn exercise(format: &dyn Format, bytes: &[u8], seed: usize) {
    let options = ReadOptions { lenient: !seed.is_multiple_of(4), first_line: 1 };
    let Ok(transcript) = format.read(bytes, options) else { return };
    format.faults(&transcript);
    let unchanged = EditScript::unchanged(&transcript);
    let patches = format.render(&transcript, &unchanged, &Marks::default());
    assert_eq!(*apply(bytes, &patches), *bytes);
    let mut script = unchanged;
    script.keep.iter_mut().enumerate().for_each(|(index, keep)| *keep = !(index + seed).is_multiple_of(3));
    for (message, read) in transcript.messages.iter().enumerate() {
        let changes = [Change::Remove, Change::Stub("x".into()), Change::Excerpt("y".into())];
        script.parts.extend((0..read.parts.len()).map(|part| PartEdit {
            message,
            part,
            change: changes[(part + seed) % 3].clone(),
        }));
    }
    script.ui_copies = [UiCopies::Keep, UiCopies::Stub, UiCopies::Drop][seed % 3];
    let role = [SummaryRole::System, SummaryRole::Assistant][seed % 2];
    let place = seed % (transcript.records.len() + 1);
    script.inserts = vec![support::summary(place, role, "it"), support::continuation(transcript.records.len())];
    let patches = format.render(&transcript, &script, &Marks { stub: "x", compacted_at: Some(1), ..Marks::default() });
    let out = apply(bytes, &patches);
    // In a file of another format, the messages that an edit drops may be all that this one knew it by.
    let is_own = detect(bytes).is_ok_and(|found| found.name == format.name());
    let again = format.read(&out, ReadOptions { lenient: options.lenient || !is_own, first_line: 1 });
    assert!(again.is_ok(), "{}: {:?}: {}", format.name(), again.err(), String::from_utf8_lossy(&out));
}

/// Repairs faults, and checks that the repaired ones are gone. Transcripts that were dropped whole are skipped.
fn mend(format: &'static dyn Format, bytes: &[u8], first_line: usize) {
    let check = |fix| Checker {
        rules: Choice::default(),
        templates: vec![Template::default()],
        held: Held::All,
        fix,
        from: None,
    };
    let done = check(true).run(format, bytes, first_line);
    // What is wrong with records of one line can only be seen once they are parted.
    let is_row = |finding: &Finding| finding.rule == "invalid_line" && format.layout() == Layout::PerLine;
    let parted = done.line.findings.iter().any(|finding| finding.rule == "glued_records" || is_row(finding));
    let left = |found: Vec<Finding>| {
        let left = found.into_iter().filter(|finding| !finding.mended);
        left.map(|finding| finding.rule).collect::<BTreeSet<_>>()
    };
    let out = apply(bytes, &done.patches);
    if !out.is_empty() && !parted {
        let again = check(false).run(format, &out, first_line);
        assert_eq!(
            left(done.line.findings),
            left(again.line.findings),
            "{}: {}",
            format.name(),
            String::from_utf8_lossy(&out)
        );
    }
}

/// Runs everything on the bytes that must not panic.
fn endanger(bytes: &[u8], seed: usize) {
    for format in FORMATS {
        exercise(*format, bytes, seed);
        mend(*format, bytes, seed % 3 + 1);
    }
    let given = if seed.is_multiple_of(2) { Bytes::Whole } else { Bytes::Beginning };
    let _ = detect_given(bytes, given);
}

/// Runs the samples unchanged with every mix of edits; inputs found by generated cases were added to the samples.
#[test]
fn no_sample_is_a_danger() {
    for sample in SAMPLES.iter().chain(LINKED) {
        (0..60).for_each(|seed| endanger(sample.as_bytes(), seed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_input_is_a_danger(bytes in broken(), seed in 0usize..60) {
        endanger(&bytes, seed);
    }

    #[test]
    fn edits_of_a_sample_keep_the_rest(sample in select(SAMPLES), seed in 0usize..60) {
        for format in FORMATS.iter().filter(|format| {
            !support::RELINKS.contains(&format.name()) && format.read(sample.as_bytes(), ReadOptions::default()).is_ok()
        }) {
            support::assert_edits_keep_the_rest(*format, sample, seed);
        }
    }
}

/// A conversation of turns, each with some calls and possibly an answer, in OpenAI's or Anthropic's form.
fn conversation(turns: &[(usize, bool)], anthropic: bool) -> String {
    let mut messages = Vec::new();
    for (turn, &(calls, answered)) in turns.iter().enumerate() {
        messages.push(format!(r#"{{"role":"user","content":"u{turn}"}}"#));
        for id in (0..calls).map(|call| format!("{turn}.{call}")) {
            messages.extend(if anthropic {
                [
                    format!(r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"f","input":{{}}}}]}}"#),
                    format!(r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"r"}}]}}"#),
                ]
            } else {
                [
                    format!(r#"{{"role":"assistant","tool_calls":[{{"id":"{id}","function":{{"name":"f"}}}}]}}"#),
                    format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"r"}}"#),
                ]
            });
        }
        if answered || turn + 1 < turns.len() {
            messages.push(r#"{"role":"assistant","content":"a"}"#.to_owned());
        }
    }
    format!(r#"{{"messages":[{}]}}"#, messages.join(","))
}

proptest! {
    #[test]
    fn a_cut_between_units_breaks_no_rule(
        turns in prop::collection::vec((0usize..3, any::<bool>()), 1..5),
        cut in any::<prop::sample::Index>(),
        role in select(&[SummaryRole::System, SummaryRole::User, SummaryRole::Assistant][..]),
        anthropic in any::<bool>(),
    ) {
        let format = by_name(if anthropic { "anthropic-messages" } else { "openai-chat" }).unwrap();
        let source = conversation(&turns, anthropic);
        let out = support::edited(format, &source, |transcript, script| {
            let units = crate::transcript::units(transcript, |_, _| true);
            let tail: Vec<_> = units[cut.index(units.len())..].iter().flat_map(|unit| &unit.messages).collect();
            let last_user = transcript.last_real_user();
            script.keep = (0..transcript.records.len()).map(|at| tail.contains(&&at) || last_user == Some(at)).collect();
            let first = script.keep.iter().position(|keep| *keep).unwrap();
            script.inserts = vec![support::summary(first, role, "it")];
        });
        let found = support::faults(format, &out);
        prop_assert!(found.iter().all(|(rule, _)| *rule == "no_assistant"), "{:?} in {}", found, out);
        let authors = support::authors(&support::read(format, &out));
        prop_assert_eq!(authors.iter().filter(|author| **author == Author::Summary).count(), 1);
    }
}
