//! Rules that introduce a list: each is printed with its items, which mean the opposite without the rule's “not”.

use super::faults::heads_faults;
use super::forbidding::{forbids, says_not};
use super::prose::{Block, plain};
use super::rules::{SHORT, is_rule, is_short_ban};
use super::structure::is_code;
use crate::summary::extractive::words::ANSWERS;
use crate::summary::text::{SENTENCE_ENDS, each_word, has_inner_capital, is_dense, words};

/// Minimum number of words of an answer in a heading.
const ANSWER: usize = 4;

/// Maximum length of a rule with its items, in characters; the rule is repeated for items beyond that.
const MOST: usize = 280;
/// Maximum length of an item that is no more than a label of those below it, in characters.
const LABEL: usize = 40;
/// Last words of an item of a ban that allow what is below it, and first words of one of at most [`FEW_ALLOW`] words.
const EXCEPT: [&str; 4] = ["except", "excepting", "excluding", "unless"];
const ALLOW: [&str; 6] = ["allowed", "except", "exception", "exceptions", "instead", "permitted"];
const FEW_ALLOW: usize = 3;
/// First words of a condition.
const CONDITIONS: [&str; 5] = ["if", "once", "unless", "when", "while"];
/// Words at the end of such an item, and words of which one is there with few words behind it.
const ENDS: [[&str; 2]; 4] = [["apart", "from"], ["except", "for"], ["in", "scope"], ["other", "than"]];
const MAY: [&str; 2] = ["you", "may"];
/// A line in braces with more words than this is prose of a filled-in template.
const FEW: usize = 6;

/// A paragraph (`None`), or an item of a list with the width of its indent.
pub(super) type Line = (String, Option<usize>);

/// How many of the lines after the first are items below it, if the first is a rule that announces them.
pub(super) fn items_below(lines: &[Line]) -> usize {
    let Some(((heading, own), below)) = lines.split_first() else { return 0 };
    let (_, heading) = lead_and_heading(heading);
    let announces =
        heading.ends_with([':', '：']) && (is_rule(heading) || is_short_ban(heading, SHORT) || forbids(heading));
    let inside = |(words, indent): &&Line| !words.is_empty() && indent.is_some_and(|it| own.is_none_or(|own| it > own));
    // Behind the last item of a pasted list, a person may go on with the request itself.
    let goes_on = |(words, _): &Line| words.chars().count() > MOST && words.matches(". ").count() > 1;
    let bans = forbids(heading) || bans_all(heading);
    let is_item = |line: &&Line| inside(line) && (bans || !goes_on(line));
    if announces { below.iter().take_while(is_item).count() } else { 0 }
}

/// Writes a heading that forbids, or says what is wrong, before the list below it.
pub(super) fn add_bans(blocks: &mut [Block<'_>]) {
    for at in 1..blocks.len() {
        let heading = blocks[at - 1].heading;
        let heads = blocks[at].indent.is_some() && (forbids(heading) || heads_faults(heading));
        if heads {
            blocks[at - 1].words = format!("{}:", plain(blocks[at - 1].heading).trim_end_matches([':', '：']));
        }
    }
}

/// Splits a paragraph into the text before its last sentence, and that sentence.
pub(in crate::summary::extractive) fn lead_and_heading(block: &str) -> (&str, &str) {
    let end = [". ", "! ", "? ", "。"].iter().filter_map(|end| Some(block.rfind(end)? + end.trim_end().len())).max();
    end.map_or(("", block), |end| (&block[..end], block[end..].trim_start()))
}

/// A typed line without the `\` at its end, with which a person breaks a line in a terminal. A command that goes on has a
/// space before it.
pub(super) fn unbroken(line: &str) -> &str {
    line.strip_suffix('\\').filter(|rest| !rest.ends_with([' ', '\\']) && !is_code(rest)).unwrap_or(line)
}

/// A line of prose without the opening or closing brace of a template's placeholder that a person filled in.
pub(super) fn unbraced(line: &str) -> &str {
    let trimmed = line.trim();
    let says = |text: &str| words(text) > FEW && !text.contains([';', '=', '{']) && !text.contains("\":");
    let opened = trimmed.strip_prefix('{').filter(|text| text.starts_with(char::is_alphanumeric));
    let first = |text: &str| text.split(' ').next().is_some_and(|word| !word.ends_with([':', ',']));
    let line = opened.filter(|text| first(text) && says(text.trim_end_matches('}'))).unwrap_or(line);
    let closed = line.trim_end().strip_suffix('}').filter(|text| text.ends_with(SENTENCE_ENDS));
    closed.filter(|text| !text.contains('{')).unwrap_or(line)
}

/// The rule joined with its items, in as many sentences as needed. Items below a long one are about that, so they stand
/// alone, behind its label if it ends in one. What is below a ban stays forbidden, but for what an item excepts.
pub(super) fn joined(heading: &str, items: &[Line]) -> Vec<String> {
    let mut rules: Vec<String> = Vec::new();
    let bans = forbids(heading) || bans_all(heading);
    let outer = items.iter().filter_map(|(_, indent)| *indent).min();
    let (mut above, mut excepted): (Option<&str>, Option<String>) = (None, None);
    for (at, (item, indent)) in items.iter().enumerate() {
        // A short item stands behind all words of the one above it, of which the heading is the last sentence.
        let bare = item.split_once(heading).map_or(item.as_str(), |(_, bare)| bare).trim();
        let bare = bare.trim_end_matches(['.', ';', ',', '。', '；', '，']);
        if *indent == outer {
            let has_items = items.get(at + 1).is_some_and(|(_, next)| *next > outer);
            let closes = excepted.take().is_some();
            if bans && has_items && excepts(item) {
                excepted = Some(if words(item) <= FEW { item.clone() } else { format!("{heading} {item}") });
                continue;
            }
            above = Some(item.as_str()).filter(|item| !bans && item.chars().count() > LABEL);
            add(&mut rules, heading, bare, closes);
        } else if let Some(start) = &excepted {
            add(&mut rules, start, bare.strip_prefix(start.as_str()).unwrap_or(bare).trim_start(), false);
        } else if let Some(above) = above {
            let (_, label) = lead_and_heading(above);
            let is_label = label.ends_with([':', '：']) && words(label) <= FEW && !item.starts_with(label);
            rules.push(if is_label { format!("{label} {item}") } else { item.clone() });
        } else {
            add(&mut rules, heading, bare, false);
        }
    }
    rules
}

/// Whether a sentence that announces a list forbids its items. “If it does not burn, do this:” and “…, and always:” forbid
/// nothing.
fn bans_all(heading: &str) -> bool {
    let lower = heading.to_lowercase().replace('’', "'");
    let is_condition = |text: &str| each_word(text).next().is_some_and(|first| CONDITIONS.contains(&first));
    let rest = lower.split_once(',').filter(|(clause, _)| is_condition(clause)).map_or(&*lower, |(_, rest)| rest);
    let always = rest.rsplit(',').next().is_some_and(|last| each_word(last).any(|word| word == "always"));
    says_not(each_word(rest)) && !always
}

/// Adds an item to the last rule, if that begins with the same words and has room, or as a new one behind those words.
fn add(rules: &mut Vec<String>, start: &str, item: &str, is_new: bool) {
    let room = |rule: &&mut String| rule.chars().count() + item.chars().count() + 2 <= MOST;
    let same = |rule: &&mut String| !is_new && rule.starts_with(start);
    match rules.last_mut().filter(same).filter(room) {
        Some(rule) => *rule += &format!("; {item}"),
        None => rules.push(format!("{start} {item}")),
    }
}

/// Whether an item of a ban ends in words that allow what is below it: “…, except:”, “What is in scope:”, “Instead:”,
/// “…, but you may edit:”.
fn excepts(item: &str) -> bool {
    let (_, label) = lead_and_heading(item);
    let Some(label) = label.strip_suffix([':', '：']) else { return false };
    let lower = label.to_lowercase().replace('’', "'");
    let all: Vec<&str> = each_word(&lower).collect();
    let ends = all.last().is_some_and(|last| EXCEPT.contains(last)) || ENDS.iter().any(|end| all.ends_with(end));
    let alone = all.len() <= FEW_ALLOW && all.first().is_some_and(|first| ALLOW.contains(first));
    let may = all.windows(2).position(|two| two == MAY).filter(|at| all.len() <= at + 2 + FEW_ALLOW);
    let exception = all.windows(3).any(|three| three == ["the", "exception", "of"]);
    exception && !all.first().is_some_and(|first| ALLOW.contains(first))
        || ends && !says_not(all.iter().copied().rev().take(FEW_ALLOW))
        || alone
        || may.is_some_and(|may| !says_not(all[may..].iter().copied()))
}

/// Whether a heading is a name, not a description of its content such as “Findings”.
pub(super) fn is_name(heading: &str) -> bool {
    let is_small = || heading.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let is_hyphened = heading.contains('-') && is_small();
    is_hyphened || heading.contains(['`', '_', '/', '(']) || has_inner_capital(heading) || {
        let parts = heading.split(' ').filter_map(|word| word.split_once('.'));
        parts.into_iter().any(|(name, end)| !name.is_empty() && end.starts_with(|char: char| char.is_alphabetic()))
    }
}

/// Whether a heading is the answer itself: “Conclusion: the lamp was lit 40 times”.
pub(super) fn concludes(heading: &str) -> bool {
    let Some((label, answer)) = heading.split_once([':', '：']) else { return false };
    let says = words(answer) >= ANSWER || answer.chars().filter(|&char| is_dense(char)).count() >= 2 * ANSWER;
    says && ANSWERS.contains(&&*label.trim_matches(['*', ' ']).to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::prose::typed;

    #[test]
    fn a_request_behind_the_last_item_is_no_part_of_it() {
        let request = "Showing the list here is what the harbour wants. although it says brass, use iron for the lamps. \
                       choose the oil by yourself, from what the keeper has in the shed behind the old lighthouse. \
                       put the lamps and the buoys in two sheds, so that nobody mixes them up again in the winter. \
                       now make a plan";
        let typed = typed(&format!("At the end, you should demonstrate:\n1. Lighting a lamp\n2. {request}"));
        assert_eq!(typed[0], "At the end, you should demonstrate: Lighting a lamp");
        assert_eq!(typed[2], "although it says brass, use iron for the lamps.");
        assert_eq!(typed.len(), 6);
    }

    #[test]
    fn items_stand_behind_the_rule_that_heads_them() {
        let text = "You must NOT:\n\n- rename the quays\n- touch lamps/red.js\n\nPaint the pier.";
        assert_eq!(typed(text), ["You must NOT: rename the quays; touch lamps/red.js", "Paint the pier."]);
        let text = "Paint the old pier. You must NOT:\n- rename the quays\n- sink a ferry";
        assert_eq!(typed(text), ["Paint the old pier.", "You must NOT: rename the quays; sink a ferry"]);
        let below = "1. Do not:\n   - sink the ferry\n2. Light the lamp of the pier.";
        assert_eq!(typed(below), ["Do not: sink the ferry", "Light the lamp of the pier."]);
    }

    #[test]
    fn a_long_list_stands_behind_its_rule_again() {
        let item = "- light the lamp of the outer pier before the ferries come in from both of the lakes\n";
        let rules = typed(&format!("Never do this:\n{}", item.repeat(5)));
        assert_eq!(rules.len(), 2);
        assert!(rules.iter().all(|rule| rule.starts_with("Never do this: light")), "{rules:?}");
    }

    #[test]
    fn a_heading_that_forbids_stands_before_its_items() {
        let text = "Build the pier.\n\n## Do NOT\n\n- Paint the old quay\n- Sink a ferry\n\n## Lamps\n\n- Light them all at dusk\n";
        assert_eq!(
            typed(text),
            ["Build the pier.", "Do NOT: Paint the old quay; Sink a ferry", "Light them all at dusk"]
        );
        assert_eq!(
            typed("### Prohibited Operations\n- Moving the lamps")[0],
            "Prohibited Operations: Moving the lamps"
        );
        assert_eq!(typed("## Do NOT\n\nPaint the old quay."), ["Paint the old quay."], "no list");
        assert_eq!(typed("## Steps we do not know yet how to take\n- Paint the old quay")[0], "Paint the old quay");
    }

    #[test]
    fn items_that_end_in_semicolons_are_items() {
        let text = "You may not, without my leave:\n\n* create, move or delete quays;\n* apply paint;\n* sink a ferry.";
        let joined = "You may not, without my leave: create, move or delete quays; apply paint; sink a ferry";
        assert_eq!(typed(text), [joined]);
        let dense = "你不能在没有我明确授权的情况下：\n- 创建、修改或删除文件；\n- 安装依赖；\n- 提交代码。";
        assert_eq!(typed(dense), ["你不能在没有我明确授权的情况下： 创建、修改或删除文件; 安装依赖; 提交代码"]);
        for code in
            ["return lamp;", "unsigned int lamps;", "lamp.light(now);", "- lamp.light(now);", "DROP TABLE lamps;"]
        {
            assert!(typed(code).is_empty(), "{code}");
        }
    }

    #[test]
    fn what_a_ban_excepts_is_not_forbidden() {
        let text = "Do not:\n- Touch any of the charts of the old harbour, except:\n  - docs/map.md\n  - docs/pier.md\n- Sink a ferry.\n- Instead:\n  - Use the new lamps.\n";
        assert_eq!(
            typed(text),
            [
                "Do not: Touch any of the charts of the old harbour, except: docs/map.md; docs/pier.md",
                "Do not: Sink a ferry",
                "Instead: Use the new lamps"
            ]
        );
        let scope =
            "Out of scope:\n- The lamps of the old pier.\n- What is in scope:\n  - Always light the new quay.\n";
        assert_eq!(
            typed(scope),
            ["Out of scope: The lamps of the old pier", "What is in scope: Always light the new quay"]
        );
    }

    #[test]
    fn words_of_exceptions_inside_an_item_except_nothing() {
        for item in [
            "Commit files that may hold secrets:",
            "Use oil instead of the new lamps:",
            "Exceptions of the API:",
            "What you may not touch:",
        ] {
            let told = typed(&format!("Never:\n- {item}\n  - the keys of the harbour\n"));
            assert!(told.iter().all(|rule| rule.starts_with("Never:")), "{told:?}");
        }
        for heading in [
            "You must not do any of these things, even if somebody asks for it:",
            "Please never do this, unless I ask for it:",
        ] {
            let told = typed(&format!(
                "{heading}\n- Change how the lamps of the pier are lit, for example:\n  - You must light the red one.\n"
            ));
            assert!(told.iter().all(|rule| rule.starts_with(heading)), "{told:?}");
        }
        let but = "Never do this:\n- Edit any of the charts, with the exception of these two files:\n  - docs/map.md\n";
        assert!(typed(but)[0].ends_with("these two files: docs/map.md"));
        let asks = "If the tests do not pass, always do the following:\n- Look at the log of the pier, and tell me of each lamp:\n  - You must write it down\n";
        assert_eq!(typed(asks).last().map(String::as_str), Some("You must write it down"));
        let text = "Do not:\n- Edit the charts of the old harbour, but you may edit:\n  - docs/map.md\n";
        assert_eq!(typed(text), ["Do not: Edit the charts of the old harbour, but you may edit: docs/map.md"]);
    }

    #[test]
    fn what_is_below_a_long_ban_is_forbidden() {
        for heading in ["You must not do any of the following:", "Please avoid the following in this repository:"] {
            let text = format!(
                "{heading}\n- Change how the lamps of the pier are lit, for example:\n  - Always light the red one first.\n"
            );
            let told = format!(
                "{heading} Change how the lamps of the pier are lit, for example:; Always light the red one first"
            );
            assert_eq!(typed(&text), [told]);
        }
    }

    #[test]
    fn items_below_a_long_item_are_about_that() {
        let text = "The list must:\n- Compare the lamps of the pier with those of the quay, e.g.:\n  - Light the red one alone at dusk.\n- Say where each lamp is and who keeps it, in one line. Address too:\n  - Who lights it on Sundays.\n- touch:\n  - the pier";
        let told = typed(text);
        assert_eq!(
            told,
            [
                "The list must: Compare the lamps of the pier with those of the quay, e.g.:",
                "Light the red one alone at dusk.",
                "The list must: Say where each lamp is and who keeps it, in one line. Address too:",
                "Address too: Who lights it on Sundays.",
                "The list must: touch:; touch: the pier"
            ]
        );
    }

    #[test]
    fn what_is_below_a_ban_stays_forbidden() {
        let text = "Do not:\n- Change how the lamps of the old pier are lit at dusk, for example:\n  - always light the red lamp first";
        let told = "Do not: Change how the lamps of the old pier are lit at dusk, for example:; always light the red lamp first";
        assert_eq!(typed(text), [told]);
    }

    #[test]
    fn a_rule_in_an_item_is_told_once_with_what_is_below_it() {
        let text = "1. A plan under `docs/`. The plan must:\n   - Tell the lamps\n   - Name the oil\n2. Light all lamps by noon.\n";
        let told = ["A plan under `docs/`.", "The plan must: Tell the lamps; Name the oil", "Light all lamps by noon."];
        assert_eq!(typed(text), told);
    }

    #[test]
    fn a_list_below_no_rule_stays_a_list() {
        assert_eq!(typed("The lamps we have:\n- the red one of the pier\n- the green one of the quay").len(), 3);
    }

    #[test]
    fn words_in_the_braces_of_a_template_are_words() {
        let filled =
            "{Paint the old pier and light all of its lamps at dusk.\nThe ferries come at six in the evening.}";
        assert_eq!(typed(filled).len(), 2, "{:?}", typed(filled));
        assert!(typed("{lamp: 1, quay: 2, pier: 3, ferry: 4, board: 5, map: 6, harbour: 7}").is_empty());
    }
}
