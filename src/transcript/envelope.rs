//! Text that the gateways of OpenClaw and Hermes put around a person's words, and their own texts in a person's name;
//! and the introduction of a subagent's task.
//!
//! Before a message's words, and to a lesser extent after them, a gateway adds sender, time, media, the message
//! answered, and other events. Each piece has a fixed form and is not the person's text.

use std::borrow::Cow;

/// Beginnings of the gateways' own texts.
const NOTICES: [&str; 9] = [
    "Read HEARTBEAT.md if it exists",
    "[OpenClaw heartbeat poll]",
    "Pre-compaction memory flush",
    "Session nearing compaction. Store durable memories now.",
    "A new session was started via /new or /reset.",
    "[Post-compaction context refresh]",
    "OpenClaw runtime context (internal):",
    "[Internal task completion event]",
    "An async command you ran earlier has completed.",
];
/// Heading of the open tasks that Hermes adds to the words after a compaction, and the beginning of each below it.
const TASKS: &str = "[Your active task list was preserved across context compression]";
const TASK: &str = "- [";
/// Beginning of what Hermes tells of a process, with its output up to a bracket, and what is behind that.
const PROCESS: &str = "[IMPORTANT: Background process ";
const PROCESS_END: &str = "]\n\n";
/// Text between the name and the colon in the heading of a metadata block.
const METADATA: &str = "(untrusted";
const UNTRUSTED: &str = "Untrusted context (metadata";
/// Events: a line, and the lines directly below it.
const EVENTS: [&str; 2] = ["System: [", "System (untrusted): ["];
/// Beginnings of lines before the person's words.
const LINES: [&str; 4] = [
    MEDIA,
    "To send an image back, prefer the message tool",
    "Note: The previous agent run was aborted",
    "[Thread starter",
];
/// A medium sent with the words, and its location.
const MEDIA: &str = "[media attached";
/// Beginnings of notes of Hermes on a line anywhere among the words, each up to a bracket: events, and media.
const NOTES: [&str; 3] = [
    "[Note: model was just switched from ",
    "[System note: A new message has arrived. ",
    "[System note: Your previous turn was interrupted ",
];
const SENT: [&str; 3] = [
    "[The user attached an image but it couldn't be analyzed. ",
    "[The user sent a document: '",
    "[The user sent an image but I couldn't quite see it this time",
];
/// Id of the message; the sender's name follows on the next line.
const ID: &str = "[message_id:";
/// Beginnings of lines after the words.
const ENDS: [&str; 3] = [ID, "[slack message id:", "[from:"];
/// Heading of messages that came while the agent worked, and the separator before each.
const QUEUED: &str = "[Queued messages while agent was busy]";
const EACH: &str = "---\nQueued #";
/// Blocks with words of others.
const BLOCKS: [(&str, &str); 2] = [
    ("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"),
    ("[Chat messages since your last reply - for context]", "[Current message - respond to this]"),
];
const REPLYING: [(&str, &str); 3] =
    [("[Replying to ", "[/Replying]"), ("[replying to ", "]"), ("[Replying to: \"", "\"]\n")];
/// What a model sees in an image, and the line after that.
const SEEN: [&str; 2] =
    ["[The user attached an image. Here's what it contains:", "[The user sent an image~ Here's what I can see:"];
const LOOK: &str = "\n[If you need a closer look, use vision_analyze with image_url: ";
/// A scheduled instruction, and the lines below it.
const CLOCK: &str = "[cron:";
const BELOW: [&str; 4] = [
    "Current time: ",
    "Return your summary as plain text; it will be delivered automatically.",
    "Return your response as plain text; it will be delivered automatically.",
    "Use the message tool if you need to notify the user directly",
];
/// Introductions of a subagent, each with what stands before its task (OpenClaw, Codex).
const SUBAGENT: [(&str, &str); 2] =
    [("[Subagent Context]", "[Subagent Task]:"), ("Message Type: NEW_TASK\n", "Payload:")];
/// Most characters of the sender's name, most bytes of the brackets before the words, and most pieces before them.
const NAME: usize = 60;
const STAMP: usize = 200;
const PIECES: usize = 40;

/// Whether a text in a person's name is entirely the gateway's.
pub fn is_gateways(text: &str) -> bool {
    let words = words(text);
    matches!(words, Cow::Owned(_)) && words.is_empty() || NOTICES.iter().any(|notice| words.starts_with(notice))
}

/// The person's words without the gateway's text around them; if there are none, the notes about media sent.
pub fn words(text: &str) -> Cow<'_, str> {
    let mut sent = Vec::new();
    match typed(text, &mut sent) {
        Cow::Owned(words) if words.is_empty() => Cow::Owned(sent.join("\n")),
        words => words,
    }
}

/// The person's words, and the notes about media sent with them.
pub fn words_and_media(text: &str) -> Cow<'_, str> {
    let mut sent = Vec::new();
    let words = typed(text, &mut sent);
    if sent.is_empty() {
        return words;
    }
    let words = (!words.is_empty()).then_some(&*words);
    Cow::Owned(words.into_iter().chain(sent).collect::<Vec<_>>().join("\n"))
}

/// The person's words, which may be none; adds the notes about media to `sent`.
fn typed<'t>(text: &'t str, sent: &mut Vec<&'t str>) -> Cow<'t, str> {
    let begun = text.trim_start();
    if let Some(queued) = begun.strip_prefix(QUEUED) {
        let each = queued.split(EACH).skip(1).filter_map(|message| message.split_once('\n'));
        let each: Vec<Cow<'_, str>> =
            each.map(|(_, message)| typed(message, sent)).filter(|words| !words.is_empty()).collect();
        return Cow::Owned(each.join("\n\n"));
    }
    let (mut rest, mut by_clock) = (begun, false);
    for _ in 0..PIECES {
        by_clock |= rest.starts_with(CLOCK);
        let Some(behind) = without_piece(rest) else { break };
        sent.extend(medium(rest));
        rest = behind.trim_start();
    }
    if rest.len() == begun.len() && !begun.contains("\n[") {
        return Cow::Borrowed(text);
    }
    let words = without_end(rest, by_clock, sent);
    let is_whole = words.len() == begun.len();
    if is_whole { Cow::Borrowed(text) } else { Cow::Owned(words) }
}

/// The text after its first piece; `None` if it begins with no piece.
fn without_piece(text: &str) -> Option<&str> {
    let (line, below) = text.split_once('\n').unwrap_or((text, ""));
    if EVENTS
        .iter()
        .any(|event| line.strip_prefix(event).is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit())))
    {
        return Some(text.split_once("\n\n").map_or("", |(_, behind)| behind));
    }
    if line.starts_with(ID) {
        return Some(without_speaker(below));
    }
    if LINES.iter().any(|start| line.starts_with(start)) {
        return Some(below);
    }
    if let Some(behind) = behind_note(line, &NOTES).or_else(|| behind_note(line, &SENT)) {
        return Some(&text[line.len() - behind.len()..]);
    }
    if line.contains(METADATA) && line.trim_end().ends_with("):") {
        return Some(below.strip_prefix("```")?.split_once("\n```")?.1);
    }
    if let Some((_, close)) = SUBAGENT.iter().chain(&BLOCKS).chain(&REPLYING).find(|(open, _)| text.starts_with(open)) {
        return Some(text.split_once(close)?.1);
    }
    if SEEN.iter().any(|open| text.starts_with(open)) {
        // Without words behind it, the image is what the person says.
        return text.split_once(LOOK)?.1.split_once('\n').map(|it| it.1).filter(|words| !words.trim().is_empty());
    }
    // A quoted line: “> [replying to Bob: …]”
    if line.strip_prefix("> ").is_some_and(|line| line.starts_with(REPLYING[1].0)) {
        return Some(below);
    }
    behind_event(text).or_else(|| stamped(text))
}

/// The text behind open tasks, or behind what is told of a process.
fn behind_event(text: &str) -> Option<&str> {
    let (line, below) = text.split_once('\n').unwrap_or((text, ""));
    if line.trim_end() == TASKS {
        let tasks = below.split_inclusive('\n').take_while(|line| line.starts_with(TASK));
        return Some(&below[tasks.map(str::len).sum()..]);
    }
    let whole = || text.trim_end().ends_with(']').then_some("");
    let behind = || text.split_once(PROCESS_END).map(|(_, behind)| behind).or_else(whole);
    text.starts_with(PROCESS).then(behind)?
}

/// What stands behind a note that a line begins with, up to its bracket.
fn behind_note<'t>(line: &'t str, notes: &[&str]) -> Option<&'t str> {
    let (_, behind) = notes.iter().any(|note| line.starts_with(note)).then(|| line.split_once(']'))??;
    Some(behind)
}

/// The note about a medium that a text begins with; of what a model sees in an image, only where the image is.
fn medium(text: &str) -> Option<&str> {
    if SEEN.iter().any(|open| text.starts_with(open)) {
        return text.find(LOOK).and_then(|at| text[at..].trim_start().lines().next());
    }
    let line = text.lines().next()?;
    let behind = if line.starts_with(MEDIA) { Some("") } else { behind_note(line, &SENT) };
    line.get(..line.len() - behind?.len())
}

/// The text after the sender and time in brackets, or after the name of a scheduled instruction.
fn stamped(text: &str) -> Option<&str> {
    if let Some(mention) = text.strip_prefix("<@") {
        return mention
            .split_once("> ")
            .filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            .map(|it| it.1);
    }
    let (stamp, behind) = text.strip_prefix('[')?.split_once(']')?;
    if text.starts_with(CLOCK) {
        return Some(behind);
    }
    if stamp.len() > STAMP || stamp.contains('\n') || !behind.starts_with(' ') || !is_dated(stamp) {
        return None;
    }
    let is_of_group = ["#", "id:-", "Feishu", "group"].iter().any(|mark| stamp.contains(mark));
    let names = |speaker: &str| speaker.ends_with(')');
    let (speaker, words) = behind.split_once(": ").unwrap_or_default();
    let named = !speaker.contains('\n') && speaker.chars().count() <= NAME && (is_of_group || names(speaker));
    Some(if named && !speaker.is_empty() { words } else { behind })
}

/// Whether a stamp ends with date, time and zone, after a weekday or channel.
fn is_dated(stamp: &str) -> bool {
    let mut pieces = stamp.rsplit(' ');
    let (zone, time, date) = (pieces.next(), pieces.next(), pieces.next());
    let digits = |text: Option<&str>, form: &str| {
        text.is_some_and(|text| {
            text.len() == form.len()
                && text
                    .bytes()
                    .zip(form.bytes())
                    .all(|(byte, form)| if form == b'0' { byte.is_ascii_digit() } else { byte == form })
        })
    };
    let is_zone = zone.is_some_and(|zone| zone.starts_with(|char: char| char.is_ascii_uppercase()) && zone.len() >= 3);
    is_zone
        && digits(date, "0000-00-00")
        && (digits(time, "00:00") || digits(time, "00:00:00"))
        && stamp.starts_with(|char: char| char.is_ascii_alphabetic())
}

/// The words after the speaker's name.
fn without_speaker(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    let speaker = line.split_once(": ").map(|(speaker, _)| speaker).filter(|speaker| speaker.chars().count() <= NAME);
    speaker.map_or(text, |speaker| &text[speaker.len() + ": ".len()..])
}

/// The words without the pieces after them.
fn without_end<'t>(text: &'t str, by_clock: bool, sent: &mut Vec<&'t str>) -> String {
    let text = text.split_once(UNTRUSTED).map_or(text, |(words, _)| words);
    let quoted = text.split_once(REPLYING[0].0);
    let quoted = quoted.and_then(|(words, quoted)| Some((words, quoted.split_once(REPLYING[0].1)?.1)));
    let (words, behind) = quoted.unwrap_or((text, ""));
    let (mut lines, mut in_tasks) = (Vec::new(), false);
    for line in words.trim_end().lines().chain(behind.lines()) {
        in_tasks = line.trim_end() == TASKS || in_tasks && line.starts_with(TASK);
        let behind = behind_note(line, &NOTES).or_else(|| behind_note(line, &SENT)).map(str::trim_start);
        if !in_tasks && behind.is_none_or(|behind| !behind.is_empty()) {
            lines.push(behind.unwrap_or(line));
        }
        sent.extend(behind.and_then(|_| medium(line)));
    }
    let ends = |line: &&str| {
        let line = line.trim();
        line.is_empty()
            || ENDS.iter().any(|start| line.starts_with(start) && line.ends_with(']'))
            || by_clock && BELOW.iter().any(|start| line.starts_with(start))
    };
    while lines.last().is_some_and(ends) {
        lines.pop();
    }
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: &str = "Conversation info (untrusted metadata):\n```json\n{\n  \"message_id\": \"4\"\n}\n```\n\nSender (untrusted metadata):\n```json\n{\n  \"label\": \"Ann\"\n}\n```\n\n";

    #[test]
    fn the_words_stand_in_their_envelope() {
        let read = "Never light the pier.";
        for text in [
            format!("{INFO}{read}"),
            format!("{INFO}[message_id: om_1]\nou_7f9: {read}"),
            format!("Message Type: NEW_TASK\nTask name: /root/quay\nSender: /root\nPayload:\n\n{read}"),
            format!("System: [2026-02-07 10:17:47 GMT+8] Exec completed (mild-oil, code 0) :: lit\n\n{INFO}{read}"),
            format!(
                "System: [2026-02-07 10:17:47 GMT+8] Feishu DM from ou_1: {read}\n\n[Feishu ou_1 2026-02-07 10:17 GMT+8] Ann: {read}\n[message_id: om_1]"
            ),
            format!(
                "[media attached: /w/a.jpg (image/jpeg) | /w/a.jpg]\nTo send an image back, prefer the message tool (media). Avoid absolute paths.\n{INFO}{read}"
            ),
            format!("[Mon 2026-03-09 15:38 GMT+8] {read}"),
            format!("[Telegram Ann (@ann) id:7 +13s 2026-02-08 18:27 GMT+8] {read}\n[message_id: 4]"),
            format!("[Telegram Quay id:-1007 +2m Sun 2026-03-08 11:18 GMT+1] Ann (7): {read}"),
            format!("[Slack #quay +2m 2026-05-01 10:00 UTC] Ann: {read}\n[slack message id: 1.2 channel: C01]"),
            format!("[Discord Guild #quay channel id:1 +5s 2026-05-01 10:00 UTC] Ann (ann#1): {read}\n[from: Ann (1)]"),
            format!(
                "[cron:f0d6 daily-round] {read}\nCurrent time: Friday, May 1st, 2026\n\nReturn your summary as plain text; it will be delivered automatically. Note who."
            ),
            format!(
                "[Fri 2026-05-01 10:00 GMT+2] [Subagent Context] You are running as a subagent. Do not poll.\n\n[Subagent Task]: {read}"
            ),
            format!(
                "[The user attached an image. Here's what it contains:\nA pier [in fog]. Never go there.]\n[If you need a closer look, use vision_analyze with image_url: /w/a.jpg]\n\n{read}"
            ),
            format!("[Replying to: \"The lamp [of brass] burns.\n\nNever touch it.\"]\n\n{read}"),
            format!(
                "[System note: A new message has arrived. IGNORE those pending results.]\n\n[Note: model was just switched from a to b via c.]\n\n{read}"
            ),
            format!(
                "{read}\n\n[Your active task list was preserved across context compression]\n- [>] 1. Fill the lamp (in_progress)"
            ),
            format!(
                "{read}\n\n[The user sent a document: 'tide.pdf'. It is saved at: /w/tide.pdf. To read it, extract its text yourself.]"
            ),
            format!("[Note: model was just switched from a to b via c. Adjust.] {read}"),
            format!("[Your active task list was preserved across context compression]\n- [>] 1. Fill it\n\n{read}"),
            format!("[IMPORTANT: Background process p_1 completed (exit code 0).\nOutput:\n[ok]]\n\n{read}"),
            format!("Note: The previous agent run was aborted by the user. Resume carefully.\n\n{read}"),
            format!("[Queued messages while agent was busy]\n\n---\nQueued #1\n{INFO}{read}"),
            format!("<@U0123> {read}"),
            format!("> [replying to Bob: we should never use oil]\n\n{read}"),
            format!(
                "[Mon 2026-03-09 15:38 GMT+8] {read}\n\n[Replying to Bob id:7]\nAlways use oil.\n[/Replying]\n[message_id: 4]"
            ),
        ] {
            assert_eq!(words(&text), read, "{text}");
            assert!(!is_gateways(&text), "{text}");
        }
        let two = format!(
            "[Queued messages while agent was busy]\n\n---\nQueued #1\n{INFO}Next.\n\n---\nQueued #2\n{INFO}Stop."
        );
        assert_eq!(words(&two), "Next.\n\nStop.");
        let around =
            "Stop.\n\n[Your active task list was preserved across context compression]\n- [>] 1. Fill it\n\nNext.";
        assert_eq!(words(around), "Stop.\n\n\nNext.");
        let amid = "Stop.\n[System note: A new message has arrived. Read it.] Next.";
        assert_eq!(words(amid), "Stop.\nNext.");
    }

    #[test]
    fn media_alone_are_what_the_person_says() {
        let document = "[The user sent a document: 'tide.pdf'. The file is saved at: /w/tide.pdf. Ask them.]";
        let unseen = "[The user sent an image but I couldn't quite see it this time (>_<) Look: /w/b.jpg]";
        let medium = "[media attached: /w/a.jpg (image/jpeg)]";
        for sent in [document, unseen, medium] {
            let stamped = format!("[Mon 2026-03-09 15:38 GMT+8] {sent}");
            for text in [sent.to_owned(), format!("{sent}\n\n"), format!("{INFO}{sent}"), stamped] {
                assert_eq!(words(&text), sent, "{text}");
                assert!(!is_gateways(&text), "{text}");
                assert_eq!(words_and_media(&text), sent, "{text}");
            }
        }
        let seen = "[The user attached an image. Here's what it contains:\nA pier.]\n[If you need a closer look, use vision_analyze with image_url: /w/a.jpg]\n";
        assert_eq!(words(seen), seen.trim_end());
        assert!(!is_gateways(seen));
        assert!(!is_gateways(&format!("{seen}\n[System note: A new message has arrived. Ignore it.]")));
        let two = format!("{document}\n{unseen}");
        assert_eq!(words(&two), two);
    }

    #[test]
    fn of_an_envelope_only_media_are_named() {
        let text = format!(
            "[media attached: /w/pier.jpg (image/jpeg)]\nTo send an image back, prefer the message tool (a/b).\n{INFO}Light it."
        );
        assert_eq!(words_and_media(&text), "Light it.\n[media attached: /w/pier.jpg (image/jpeg)]");
        assert_eq!(words_and_media("Light it."), "Light it.");
        let document = "[The user sent a document: 'tide.pdf'. It is saved at: /w/tide.pdf. Ask them.]";
        for text in [format!("{document}\n\nSum it up."), format!("{document} Sum it up.")] {
            assert_eq!(words_and_media(&text), format!("Sum it up.\n{document}"));
        }
    }

    #[test]
    fn words_without_an_envelope_stay_as_they_are() {
        for text in [
            "Light the pier.\n\n[message_id] stays unset, why?",
            "[2026-03-09 15:38:00] ERROR: no oil\nWhy?",
            "[lamp] is not lit: why?",
            "Light it.\n[Replying to Bob] stays: why?",
            "Why is `[Your active task list was preserved across context compression]` there?\n[lamp] Mend it.",
            "It says:\n[IMPORTANT: Background process 3 ended]\nNever show it.",
            "System: it is slow.",
            "Note: The lamp is out.",
            "Read HEARTBEAT.md, it is wrong.",
            "Current time: noon\nReturn your summary as plain text; it will be delivered automatically.",
            "",
        ] {
            assert!(matches!(words(text), Cow::Borrowed(same) if same == text), "{text}");
            assert!(!is_gateways(text), "{text}");
        }
    }

    #[test]
    fn what_the_gateway_says_is_nobodys() {
        let child = "[Sun 2026-03-22 06:55 GMT+8] OpenClaw runtime context (internal):\nKeep it private.\n\n[Internal task completion event]\ntask: You must light it.\n";
        for text in [
            "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. Do not infer old tasks.",
            "[OpenClaw heartbeat poll]",
            "Pre-compaction memory flush. Store durable memories now.",
            "A new session was started via /new or /reset. Execute your Session Startup sequence now.",
            child,
            "[Wed 2026-04-08 01:23 UTC] <<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nAction: send it.\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>",
            "System: [2026-03-22 06:38:23 GMT+8] Exec completed (mild-oil, code 0) :: lit",
            "[IMPORTANT: Background process p_1 completed (exit code 0).\nCommand: make\nOutput:\nok]",
            "[Your active task list was preserved across context compression]\n- [>] 1. Fill the lamp (in_progress)",
            "[System note: A new message has arrived. Ignore it.]",
        ] {
            assert!(is_gateways(text), "{text}");
        }
    }
}
