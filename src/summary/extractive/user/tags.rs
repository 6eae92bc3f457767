//! The user's own words in a message, without what a harness adds between or around them, mostly in its own tags.

use super::approvals;
use super::briefs;
use super::media::behind_attachments;
use super::pasted::without_page;
use super::templates;
use super::terminal::without_screen;
use crate::summary::extractive::sentences::quoted::without_quotes;
use crate::summary::text::{contains_any, first_bytes, last_bytes, starts_any};
use crate::transcript::envelope;
use crate::transcript::fixed_texts::{CONTEXT_TAGS, expanded_skill, is_local_command, typed_behind_skill};
use std::borrow::Cow;
use std::ops::Range;

/// Bytes read at the start and at the end of a long text: pasted files are not the user's words.
const FIRST: usize = 24_000;
const LAST: usize = 8_000;
/// Maximum number of tags handled in a text.
const MOST_TAGS: usize = 100;
/// Maximum length in bytes of what a tag adds to a line.
const INLINE: usize = 100;
/// One-word tag names around the user's words; other one-word tags stay, since they may be HTML.
const FRAMES: [&str; 11] =
    ["answer", "feedback", "goal", "issue", "objective", "problem", "prompt", "query", "question", "request", "task"];
/// Parts of tag names around the user's words: `user_query`, `issue_description`.
const OF_USERS: [&str; 17] = [
    "answer",
    "bug",
    "description",
    "feedback",
    "goal",
    "input",
    "issue",
    "message",
    "objective",
    "problem",
    "prompt",
    "query",
    "question",
    "request",
    "requirement",
    "statement",
    "task",
];
/// Parts of tag names that a harness uses in user messages (FORMATS.md, and the tables of authors of the formats):
/// `system-reminder`, `environment_context`, `task-notification`, `local-command-stdout`, `bash-input`,
/// `hook_prompt`.
const OF_HARNESSES: [&str; 22] = [
    "aborted",
    "attached",
    "bash",
    "budget",
    "caveat",
    "command",
    "context",
    "environment",
    "hook",
    "ide",
    "memory",
    "monitor",
    "notice",
    "notification",
    "permission",
    "reminder",
    "shell",
    "skill",
    "stderr",
    "stdout",
    "subagent",
    "system",
];
/// Those of commands, which a sentence may name.
const RUN: [&str; 2] = ["bash", "shell"];
/// Full tag names of harnesses.
const HARNESS_NAMES: [&str; 14] = [
    "additional_data",
    "collaboration_mode",
    "current_datetime",
    "current_file",
    "file",
    "git_status",
    "mode_notice",
    "model_switch",
    "personality_spec",
    "project_layout",
    "recommended_plugins",
    "teammate-message",
    "user_info",
    "user_rules",
];
/// Phrases outside of a tag that refer to its content, whatever its name.
const POINTERS: [&str; 8] = [
    "described below",
    "described above",
    "given below",
    "given above",
    "provided below",
    "provided above",
    "shown below",
    "shown above",
];

/// Beginnings of user messages that report an interruption; the user's words may follow the first one.
const INTERRUPTED: &str = "[Request interrupted";
const STOPPED: &str = "Operation stopped by hook:";
/// Prefix by which converters mark system messages stored as the user's.
const SYSTEMS: &str = "[System]";
/// Beginnings of lines that start a harness notice, which ends at the next tag (Cline).
const NOTICES: [&str; 3] = ["# task_progress", "# TODO LIST", "[TASK RESUMPTION]"];
/// Beginnings of lines that a harness adds below an approved plan or a notice (Claude Code).
const BELOW: [&str; 3] = [
    "If you need specific details from before exiting plan mode",
    "If this plan can be broken down into multiple",
    "Read the output file to retrieve the result: ",
];
/// Marks by which a simulated user ends a conversation (tau-bench).
const END_MARKS: [&str; 4] = ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###", SEE_ABOVE];
/// Text that VS Code adds to a request with attachments.
const SEE_ABOVE: &str =
    "(See <attachments> above for file contents. You may not need to search or read the file again.)";
/// A one-word tag name used only by a harness (Copilot CLI).
const REMINDER: &str = "reminder";
/// Start and end of a comment in HTML.
const COMMENT: (&str, &str) = ("<!--", "-->");
/// Start of the tag of an attached file (pi, OpenClaw).
const FILE: &str = "file name=\"";

/// The start and end of a long text; a short one whole.
pub(in crate::summary::extractive) fn ends(text: &str) -> String {
    if text.len() <= FIRST + LAST {
        return text.to_owned();
    }
    format!("{}\n\n{}", first_bytes(text, FIRST), last_bytes(text, LAST))
}

/// The user's own words in a message: without a harness's tags, notices, expanded templates, pasted pages and quotes.
pub fn own_words(text: &str) -> String {
    let text = envelope::words(text);
    if envelope::is_gateways(&text) {
        return String::new();
    }
    if let Some(request) = approvals::assessed(&text) {
        return request;
    }
    let text = behind_attachments(briefs::task(&text));
    if text.starts_with(STOPPED)
        || text.strip_prefix(SYSTEMS).is_some_and(|rest| rest.trim_start_matches(' ').starts_with(['\n', '<']))
    {
        return String::new();
    }
    if let Some(typed) = typed_behind_skill(text) {
        return typed.to_owned();
    }
    if let Some(typed) = templates::typed(text) {
        return typed;
    }
    if let Some(comments) = templates::commented(text) {
        return own_words(&comments);
    }
    if let Some((name, typed)) = expanded_skill(text) {
        let call = name.map(|name| format!("/skill:{name} ")).unwrap_or_default();
        return format!("{call}{}", own_words(typed)).trim().to_owned();
    }
    let text = match text.strip_prefix(INTERRUPTED) {
        Some(behind) => behind.split_once(']').map_or("", |(_, words)| words),
        None => text,
    };
    let text = ends(text);
    let text = without_comments(&text);
    let text = without_quotes(&without_tags(&without_notices(&without_screen(&without_page(&text))))).into_owned();
    END_MARKS.iter().find_map(|mark| text.trim_end().strip_suffix(mark)).map(str::to_owned).unwrap_or(text)
}

/// A text without the comments of a template, which begin a line: `<!-- What do you want to use it for? -->`.
fn without_comments(text: &str) -> Cow<'_, str> {
    let begins = |at: &usize| text[..*at].trim_end_matches([' ', '\t']).ends_with('\n');
    let mut starts = text.match_indices(COMMENT.0).map(|(at, _)| at).filter(begins).peekable();
    if starts.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for start in starts {
        if let Some(length) = text[start..].find(COMMENT.1).filter(|_| start >= end) {
            out.push_str(&text[end..start]);
            end = start + length + COMMENT.1.len();
        }
    }
    Cow::Owned(out + &text[end..])
}

/// A text without notices of a harness outside of tags: from the first line of one to the next tag, or a single line.
fn without_notices(text: &str) -> Cow<'_, str> {
    let begins = |line: &str| starts_any(line.trim_start(), &NOTICES);
    let adds = |line: &str| starts_any(line, &BELOW);
    if !text.lines().any(|line| begins(line) || adds(line)) {
        return Cow::Borrowed(text);
    }
    let mut inside = false;
    let told = text.split_inclusive('\n').filter(|line| {
        inside = begins(line) || inside && !line.starts_with('<');
        !inside && !adds(line)
    });
    Cow::Owned(told.collect())
}

/// Whose words are in a tag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The user's, by its name.
    Users,
    /// A harness's, by its name.
    Harness,
    /// Unknown: the user's if there are no words outside, or the words outside refer to it.
    Unknown,
}

/// Removes tags of a harness such as `<system-reminder>` with their content; of tags around the user's words only the
/// marks are removed.
fn without_tags(text: &str) -> String {
    if let Some(typed) = typed_command(text) {
        return typed;
    }
    let text = without_editor(without_agents_file(text));
    let mut unknown = Vec::new();
    let bare = filtered(text, |name, is_inline| {
        let whose = whose(name);
        let completes = is_inline && may_complete(name);
        if whose == Whose::Unknown && !completes {
            unknown.push(name.to_lowercase());
        }
        whose == Whose::Users || completes
    });
    let outside = bare.to_lowercase();
    let wordless = !outside.chars().any(char::is_alphanumeric);
    unknown.retain(|name| wordless || points_at(&outside, name));
    if unknown.is_empty() {
        return bare;
    }
    filtered(text, |name, is_inline| match whose(name) {
        Whose::Users => true,
        _ if is_inline && may_complete(name) => true,
        Whose::Harness => false,
        Whose::Unknown => wordless || unknown.contains(&name.to_lowercase()),
    })
}

/// Whether the content of a tag can be part of a sentence around it: all but what a harness says.
fn may_complete(name: &str) -> bool {
    whose(name) != Whose::Harness || has_piece(&name.to_lowercase(), &RUN)
}

fn has_piece(name: &str, pieces: &[&str]) -> bool {
    name.split(['-', '_', ' ']).any(|piece| pieces.contains(&piece.trim_end_matches('s')))
}

fn whose(name: &str) -> Whose {
    let name = name.to_lowercase();
    let has = |pieces: &[&str]| has_piece(&name, pieces);
    if HARNESS_NAMES.contains(&&*name) || CONTEXT_TAGS.contains(&&*name) || has(&OF_HARNESSES) {
        Whose::Harness
    } else if FRAMES.contains(&&*name) || has(&OF_USERS) {
        Whose::Users
    } else if has(&["instruction"]) {
        Whose::Harness
    } else {
        Whose::Unknown
    }
}

/// Whether words outside of a tag refer to it, by name or by a phrase such as “below”.
fn points_at(outside: &str, name: &str) -> bool {
    let spaced = name.replace(['-', '_'], " ");
    outside.contains(name) || outside.contains(&spaced) || contains_any(outside, &POINTERS)
}

/// The text without its tags; the content of those that `stays` accepts, by name and by whether it completes a line, is
/// kept and searched too.
fn filtered(text: &str, mut stays: impl FnMut(&str, bool) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.to_owned();
    for _ in 0..MOST_TAGS {
        let Some(tag) = next_tag(&rest) else { break };
        out.push_str(&rest[..tag.all.start]);
        let is_inline = completes(&out, &rest[tag.inside.clone()]);
        let inside = if stays(tag.name, is_inline) { &rest[tag.inside] } else { "" };
        rest = [inside, &rest[tag.all.end..]].concat();
    }
    out + &rest
}

/// Whether the content of a tag completes the line that it stands in: “run this: <cmd> exit </cmd>”.
fn completes(before: &str, inside: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim();
    line.len() > 1 && line.ends_with(':') && inside.len() <= INLINE && !inside.trim().contains('\n')
}

/// A slash command at the start of a message as Claude Code stores it: its name, its arguments, and the text after
/// it.
fn slash_command(text: &str) -> Option<(&str, &str, &str)> {
    let start = ["<command-name>", "<command-message>"].iter().filter_map(|tag| text.find(tag)).min()?;
    let begins = filtered(&text[..start], |_, _| false).trim().is_empty();
    let (mut name, mut typed, mut rest) = ("", "", text[start..].trim_start());
    while let Some(tag) = next_tag(rest).filter(|tag| begins && tag.all.start == 0) {
        match tag.name {
            "command-name" => name = rest[tag.inside].trim(),
            "command-args" => typed = rest[tag.inside].trim(),
            "command-message" => {}
            _ => break,
        }
        rest = rest[tag.all.end..].trim_start();
    }
    Some((name, typed, rest))
}

/// A command with its arguments and the text after it: `/review the last change`.
fn typed_command(text: &str) -> Option<String> {
    let (name, typed, rest) = slash_command(text).filter(|(_, typed, _)| !typed.is_empty())?;
    Some([format!("{name} {typed}").trim(), &without_tags(rest)].join("\n\n").trim().to_owned())
}

/// The name of the slash command that a message begins with; `None` if it only controls the program.
pub(in crate::summary::extractive) fn lone_command(text: &str) -> Option<&str> {
    let (name, ..) = slash_command(text).filter(|_| text.trim_start().starts_with("<command-"))?;
    (name.starts_with('/') && !is_local_command(name)).then_some(name)
}

/// Start of the instructions file that Codex inserts.
const AGENTS: &str = "# AGENTS.md instructions";

/// The text after the project's instructions file, which Codex puts into a user's message.
fn without_agents_file(text: &str) -> &str {
    let Some((before, file)) = text.split_once(AGENTS) else { return text };
    let begins = before.is_empty() || before.ends_with('\n') && filtered(before, |_, _| false).trim().is_empty();
    let behind = file.split_once("</INSTRUCTIONS>").filter(|_| begins);
    behind.map_or(text, |(_, behind)| behind)
}

/// The text after the sections that an editor or desktop app puts before the user's words: open files and tabs, a
/// browser, attached files (Codex).
fn without_editor(text: &str) -> &str {
    let begins = text.trim_start();
    let is_editor = begins.starts_with("# Context from my IDE setup");
    let heading = if is_editor { "\n## My request for " } else { "\n## My request for Codex:" };
    let behind = text.split_once(heading).filter(|_| begins.starts_with("# "));
    behind.and_then(|(_, behind)| behind.split_once('\n')).map_or(text, |(_, words)| words)
}

/// A tag with its closing tag.
struct Tag<'t> {
    name: &'t str,
    /// Byte range with both marks.
    all: Range<usize>,
    /// Byte range of its content.
    inside: Range<usize>,
}

/// The next closed tag that has a name of several words or one used around the user's words.
fn next_tag(text: &str) -> Option<Tag<'_>> {
    let named = text.match_indices('<').filter_map(|(at, _)| Some((at, tag_name(&text[at + 1..])?)));
    named.take(MOST_TAGS).find_map(|(at, name)| {
        let end = at + end_of(&text[at..], name)?;
        let start = at + text[at..end].find('>')? + 1;
        let close = end - name.len() - "</>".len();
        (start <= close).then_some(Tag { name, all: at..end, inside: start..close })
    })
}

/// The trimmed text between the first `open` and the next `close`.
pub(in crate::summary::extractive) fn inside<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    text.split_once(open)?.1.split_once(close).map(|(inside, _)| inside.trim())
}

/// The end of the tag at the start of a text: its own closing tag if it is nested, else the first closing tag.
fn end_of(text: &str, name: &str) -> Option<usize> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let ends = || text.match_indices(&close).map(|(at, _)| at + close.len());
    let own = ends().zip(1..).take(MOST_TAGS).find(|(end, closed)| text[..*end].matches(&open).count() == *closed);
    own.map(|(end, _)| end).or_else(|| ends().next())
}

/// The name of a tag of several words or of a frame, also with attributes: `system-reminder`, `permissions
/// instructions`.
fn tag_name(text: &str) -> Option<&str> {
    let length = |text: &str, also: &str| text.find(|char: char| !(char.is_ascii_alphabetic() || also.contains(char)));
    let (name, rest) = text.split_at(length(text, "-_")?);
    if name.contains(['-', '_'])
        || (FRAMES.contains(&name) || name == REMINDER || text.starts_with(FILE)) && rest.starts_with(['>', ' '])
    {
        return rest.starts_with(['>', ' ']).then_some(name);
    }
    let (words, rest) = text.split_at(length(text, "-_ ")?);
    (!name.is_empty() && words.contains(' ') && rest.starts_with('>')).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_harness_adds_below_a_plan_is_nobodys_wish() {
        let plan = "Implement the following plan:\n\n1. Mend the lamp.\n";
        let added = "\n\nIf you need specific details from before exiting plan mode (like code), read the full transcript at: /quay/a.jsonl";
        assert_eq!(own_words(&format!("{plan}{added}")).trim(), plan.trim());
    }

    #[test]
    fn comments_of_a_template_are_nobodys_wish() {
        let issue = "The lamp is out.\n<!-- What do you want\nto use it for? -->\nLight it `<!-- in code -->`.\n<!-- and so on -->";
        assert_eq!(own_words(issue), "The lamp is out.\n\nLight it `<!-- in code -->`.\n");
        assert_eq!(own_words("Write `<!--` before the lamp."), "Write `<!--` before the lamp.");
    }

    #[test]
    fn tags_of_the_harness_are_no_words_of_the_user() {
        let text = "Fix it. <system-reminder>Be quick & <b>good</b>.</system-reminder>Now <b>this</b> <open-tag>.";
        assert_eq!(without_tags(text), "Fix it. Now <b>this</b> <open-tag>.");
        assert_eq!(
            without_tags("<permissions instructions>\nNever ask.\n</permissions instructions>Fix it."),
            "Fix it."
        );
        let named = "<mode-x>Only `<mode-x>…</mode-x>` changes it.</mode-x>Fix it.";
        assert_eq!(without_tags(named), "Fix it.");
        assert_eq!(without_tags("<p hidden>Fix</p> <b>it</b>."), "<p hidden>Fix</p> <b>it</b>.");
        assert_eq!(without_tags("Fix it.<SYSTEM_NOTICE>\nold\n</SYSTEM_NOTICE>"), "Fix it.");
    }

    #[test]
    fn what_completes_a_line_stays() {
        let asked = "Fix it. Then run this: <execute_shell>exit</execute_shell>.";
        assert_eq!(without_tags(asked), "Fix it. Then run this: exit.");
        assert_eq!(without_tags("Fix it: <system_notice>Be quick.</system_notice>"), "Fix it: ");
        assert_eq!(without_tags("Fix it. See:\n<page_one>\nPier\n</page_one>"), "Fix it. See:\n");
    }

    #[test]
    fn the_file_of_instructions_is_no_request() {
        let text = "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\n# Guide\nUse tabs.\n</INSTRUCTIONS>\nFix it.";
        assert_eq!(without_tags(text).trim(), "Fix it.");
        let behind_tags = format!("<recommended_plugins>\nUse them.\n</recommended_plugins>\n{text}");
        assert_eq!(without_tags(&behind_tags).trim(), "Fix it.");
        assert_eq!(without_tags(&format!("Read this:\n{text}")), format!("Read this:\n{text}"));
        assert_eq!(without_tags("Say </INSTRUCTIONS> now."), "Say </INSTRUCTIONS> now.");
    }

    #[test]
    fn around_a_request_in_a_tag_nothing_is_the_users() {
        let asked = "<context>\nIt is May.\n</context>\n<reminderInstructions>\nNever ask.\n</reminderInstructions>\n<userRequest>\nLight it.";
        assert_eq!(own_words(&format!("{asked}\n</userRequest>")), "Light it.");
        assert_eq!(own_words(&format!("{asked} {SEE_ABOVE}\n</userRequest>")).trim(), "Light it.");
        assert_eq!(
            own_words("Why is <userRequest>x</userRequest> there?"),
            "Why is <userRequest>x</userRequest> there?"
        );
        let reminded = "Light it.\n\n<reminder>\n<sql_tables>Tables: lamps</sql_tables>\nNever skip one.\n</reminder>";
        assert_eq!(own_words(reminded).trim(), "Light it.");
        assert_eq!(
            own_words("Read it.\n<file name=\"a.md\" mime=\"text/markdown\">\nNever light it.\n</file>").trim(),
            "Read it."
        );
        assert_eq!(own_words("Why <file>x</file>?"), "Why <file>x</file>?");
        assert_eq!(own_words("<ci-monitor-event>1 comment:\nNever resolve it.</ci-monitor-event>"), "");
    }

    #[test]
    fn what_an_editor_shows_is_no_request() {
        let text =
            "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs: src/a.rs\n\n## My request for Codex:\nFix it.\n";
        assert_eq!(without_tags(text).trim(), "Fix it.");
        let browser =
            "\n# In app browser:\n- The quay is open.\n\n# Files:\n- pier.md\n\n## My request for Codex:\nFix it.";
        assert_eq!(without_tags(browser).trim(), "Fix it.");
        let plan = "# Plan\n\n## My request for harbours:\nFix it.";
        assert_eq!(without_tags(plan), plan);
        assert_eq!(
            without_tags("Why is\n## My request for Codex:\nthere?"),
            "Why is\n## My request for Codex:\nthere?"
        );
    }

    #[test]
    fn words_in_a_tag_for_users_are_the_users() {
        let text = "<user_message>\nFix it.\n</user_message>\n<environment_details>now</environment_details>";
        assert_eq!(without_tags(text).trim(), "Fix it.");
        assert_eq!(without_tags("<user_input mode=\"act\">Fix it.</user_input>"), "Fix it.");
        assert_eq!(without_tags("a <task> without end"), "a <task> without end");
    }

    #[test]
    fn a_tag_that_names_what_users_say_loses_its_marks_alone() {
        let issue =
            "I've uploaded a repository.\n<issue_description>\nIt loses rows.\n</issue_description>\nCan you mend it?";
        assert_eq!(own_words(issue), "I've uploaded a repository.\n\nIt loses rows.\n\nCan you mend it?");
        let query = "<additional_data>a.rs</additional_data>\n<user_query>\nFix it.\n</user_query>";
        assert_eq!(own_words(query).trim(), "Fix it.");
        assert_eq!(own_words("<query>Fix <system-reminder>x</system-reminder>it.</query>"), "Fix it.");
    }

    #[test]
    fn what_was_typed_behind_a_command_stays_and_the_mark_of_a_simulated_user_goes() {
        let stored = "<command-message>review is running</command-message>\n<command-name>/review</command-name>\n<command-args>the last change</command-args>";
        assert_eq!(own_words(stored), "/review the last change");
        assert_eq!(own_words(&format!("<system-reminder>x</system-reminder>\n{stored}")), "/review the last change");
        let more = format!("{stored}\n\nAlso never rename the harbour column. <ide_opened_file>a.rs</ide_opened_file>");
        assert_eq!(own_words(&more).trim(), "/review the last change\n\nAlso never rename the harbour column.");
        let quoted = "`<command-name>/review</command-name>` with <command-args>x y</command-args> fails for me.";
        assert_eq!(own_words(quoted), "`` with  fails for me.");
        let begins = "<command-name>/review</command-name> fails for me: <command-args>x y</command-args>";
        assert_eq!(own_words(begins).trim(), "fails for me:");
        assert_eq!(own_words("<command-name>/clear</command-name>\n<command-args></command-args>").trim(), "");
        assert_eq!(own_words("Great, thank you!\n\n###STOP###"), "Great, thank you!\n\n");
    }

    #[test]
    fn what_a_tag_holds_is_the_users_where_nothing_else_is_said_or_words_point_at_it() {
        assert_eq!(own_words("<work_order>\nFix it.\n</work_order>").trim(), "Fix it.");
        assert_eq!(
            own_words("Look at the uploaded files.<uploaded_files>/w</uploaded_files>"),
            "Look at the uploaded files./w"
        );
        assert_eq!(
            own_words("Do what is described below. <work_order>Fix it.</work_order>"),
            "Do what is described below. Fix it."
        );
        assert_eq!(own_words("Fix it. <open_tabs>a.rs</open_tabs>"), "Fix it. ");
    }

    #[test]
    fn what_stopped_is_told_by_the_harness() {
        assert_eq!(own_words("Operation stopped by hook: Never merge.\n\nAnother session is active."), "");
        assert_eq!(own_words("[Request interrupted by user for tool use]"), "");
        assert_eq!(
            own_words("[Request interrupted by user]\nNever rename the column.").trim(),
            "Never rename the column."
        );
        assert_eq!(own_words("Why: Operation stopped by hook: x"), "Why: Operation stopped by hook: x");
    }

    #[test]
    fn a_notice_between_tags_is_told_by_the_harness() {
        let notice = "<task>\nFix it.\n</task>\n\n# task_progress RECOMMENDED\n\nKeep a list.\n- [ ] One\n<environment_details>now</environment_details>";
        assert_eq!(own_words(notice).trim(), "Fix it.");
        let list = "\t# TODO LIST UPDATE REQUIRED - now\n1. One\n<feedback>\nNever rename it.\n</feedback>";
        assert_eq!(own_words(list).trim(), "Never rename it.");
        assert_eq!(own_words("Why # TODO LIST?\nFix it."), "Why # TODO LIST?\nFix it.");
    }

    #[test]
    fn of_a_skill_what_was_typed_is_the_users() {
        let skill = "Base directory for this skill: /s/tide\n\n# Tide\n\nNever guess.";
        assert_eq!(own_words(skill), "");
        assert_eq!(own_words(&format!("{skill}\n\nARGUMENTS: mend the gauge")), "mend the gauge");
        let called = "<skill name=\"tide\" location=\"/s/tide\">\nNever guess a </skill>.\n</skill>";
        assert_eq!(own_words(called), "/skill:tide");
        assert_eq!(own_words(&format!("{called}\n\nmend the <b>gauge</b>")), "/skill:tide mend the <b>gauge</b>");
        assert_eq!(own_words("<skill>\n<name>tide</name>\nNever guess.\n</skill>"), "");
        assert_eq!(own_words("<skill> is a tag of ours"), "<skill> is a tag of ours");
        assert_eq!(own_words("See: Base directory for this skill: x"), "See: Base directory for this skill: x");
        assert_eq!(own_words("<agent_skills>Use <available_skills>a</available_skills>.</agent_skills>"), "");
        assert_eq!(own_words("<agent_transcripts>They live in /t.</agent_transcripts>"), "");
    }

    #[test]
    fn a_message_of_the_harness_alone_has_no_words() {
        let names = [
            "system-reminder",
            "environment_context",
            "command-name",
            "local-command-stdout",
            "task-notification",
            "user_instructions",
            "hook_prompt",
            "goal_context",
            "bash-input",
            "permissions instructions",
            "system_notifications",
            "user_info",
            "agent_skills",
            "agent_transcripts",
        ];
        for name in names {
            assert_eq!(own_words(&format!("<{name}>Fix it.</{name}>")), "", "{name}");
        }
    }
}
