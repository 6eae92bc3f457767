//! The items of Instructions: lasting orders and bans of the user, word for word, newest first.

use super::repeated::{drop_earlier_forms, raise_repeated};
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::sentences::chatted::{asks_about_wording, wants_unnamed};
use crate::summary::extractive::sentences::cues::lower;
use crate::summary::extractive::sentences::hedged::trails_off;
use crate::summary::extractive::sentences::pointing::lacks_antecedent;
use crate::summary::extractive::sentences::rules::{
    SHORT, heads_nothing, instruction_strength, is_firm, is_mid_thought, is_need, is_of_the_moment, is_rule,
    is_short_ban, only_tells, strength_now, weight,
};
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::user::all_work::{forbids_all_work, orders_work};
use crate::summary::extractive::user::amended;
use crate::summary::extractive::user::asked::Asked;
use crate::summary::extractive::user::outlived::{Later, is_outlived, is_wish};
use crate::summary::extractive::user::withdrawn;
use crate::summary::extractive::words::INSTRUCTION_LEAST;
use crate::summary::items::Item;
use crate::summary::text::{contains_any, cut, cut_clause, each_word, has_any, words};
use foldhash::HashMap;
use std::borrow::Cow;

const LONGEST: usize = 300;
/// Maximum length of a rule, in characters; longer than other lines, since a rule may change its meaning without its
/// end.
const WHOLE: usize = 360;
/// Maximum length of a sentence in which a rule is sought behind what a line holds, in bytes.
const READ: usize = 4_000;
/// Signs and words before a clause that may state a rule.
const LEADS_TO_RULE: &[&str] = &[
    ", ",
    "; ",
    ": ",
    " - ",
    " – ",
    " — ",
    "，",
    "；",
    "：",
    "、",
    "،",
    " so ",
    " and ",
    " but ",
    " also ",
    " please ",
    " because ",
    " und ",
    " aber ",
    " bitte ",
    " deshalb ",
    " et ",
    " mais ",
    " donc ",
    " merci de ",
    " y ",
    " pero ",
    " así que ",
    " por favor ",
    " e ",
    " ma ",
    " quindi ",
    " mas ",
    " então ",
    " i ",
    " ale ",
    " więc ",
    " proszę ",
    " и ",
    " но ",
    " поэтому ",
    " а ",
    " та ",
    " але ",
    " тому ",
    " ve ",
    " ama ",
    " lütfen ",
    " và ",
    " nhưng ",
    " nên ",
    " और ",
    " लेकिन ",
    " en ",
    " maar ",
    " dus ",
    " och ",
    " og ",
    " men ",
    " ja ",
    " mutta ",
];
/// Characters of a request that are quoted among the steps in any case.
const BRIEF: usize = 80;
/// Maximum number of words of an answer that is printed with its question.
const FEW: usize = 8;
/// Folders of notes and experiments, which are not the work itself.
const ASIDE: [&str; 5] = ["/.claude/", "/.codex/", "/tmp/", "scratchpad", "/memory/"];
/// Number of requests back that weigh as much as a point of strength.
const AGE: i64 = 8;
/// Maximum number of sentences of a message that is not taken as pasted, and the rank that a pasted one's sentences
/// lose.
pub(super) const MOST_SENTENCES: usize = 25;
const PASTED: i64 = 25;
/// The same maximum for the first request.
const MOST_OF_BRIEF: usize = 150;
/// Rank that a sentence about one function loses: what holds for all of the work stands before it.
const DETAIL: i64 = 40;
/// First words of a sentence that orders or forbids, wherever it stands.
const ORDERS: [&str; 9] = ["always", "avoid", "do", "don't", "ensure", "keep", "make", "never", "use"];
/// Weight of standing in a section headed as rules.
const RULED: i64 = 3;
/// Words of bans without exceptions, and the rank that they add: such a rule costs most if it is lost.
const ABSOLUTE: [&str; 9] = [
    "never",
    "must not",
    "under no circumstances",
    "niemals",
    "auf keinen fall",
    "jamais",
    "nunca",
    "никогда",
    "nigdy",
];
const FIRST: i64 = 20;

/// Number of newest requests whose rules are told; each is compared with all later ones. Of older ones, only the first
/// request is read, which may hold the brief.
const REQUESTS: usize = 2_000;

/// What stands between a rule and the later words that ended it.
pub(in crate::summary) const LATER: &str = " (later: “";

/// The instructions; weak ones are left out if the goal or the brief of their request has them.
pub(in crate::summary::extractive) fn items(turns: &[Turn<'_>], goal: &[Item]) -> Vec<Item> {
    let all: Vec<&Asked> = turns.iter().filter_map(|turn| turn.asked.as_ref()).collect();
    let mut items: Vec<Item> = turns.iter().rev().enumerate().flat_map(|(age, turn)| answered(turn, age)).collect();
    items.extend(turns.iter().rev().enumerate().flat_map(|(age, turn)| ordered(turn, age)));
    let allowed = withdrawn::allowed(all.iter().map(|asked| asked.said()));
    let amendments = amended::amendments(all.iter().map(|asked| asked.said()));
    let put_right = |rule: &str, request: usize| {
        withdrawn::later(rule, request, &allowed).or_else(|| amended::later(rule, request, &amendments))
    };
    let later: Vec<Later> = all.iter().map(|asked| Later::of(asked)).collect();
    // The first later request that orders work and led to changed files.
    let work = |age: usize| {
        let later = turns.iter().filter(|turn| turn.asked.is_some()).skip(all.len() - age);
        let worked = later.filter(|turn| turn.acts.iter().any(changes_work));
        worked.filter_map(|turn| turn.asked.as_ref()).map(|asked| asked.start.as_str()).find(|start| orders_work(start))
    };
    let counts = |(age, asked): &(usize, &&Asked)| asked.message.is_some() && (*age < REQUESTS || age + 1 == all.len());
    for (age, asked) in all.iter().rev().enumerate().filter(counts) {
        let next = age.checked_sub(1).and_then(|next| all.iter().rev().nth(next));
        // Retracted, as by “Sorry, wrong chat.”
        if next.is_some_and(|next| next.takes_back()) {
            continue;
        }
        let undone = next.and_then(|next| next.undoes());
        // The first request may be a long brief.
        let most = if age + 1 < all.len() { MOST_SENTENCES } else { MOST_OF_BRIEF };
        let pasted = if asked.sentences.len() > most { PASTED } else { 0 };
        // A request is a step or the goal; politeness alone makes it no rule.
        let brief = asked.brief(BRIEF);
        let is_told = |text: &str| is_quoted(text.strip_suffix(&*asked.meant).unwrap_or(text), &brief, goal);
        let is_telling = |text: &str| !is_told(text) && !only_tells(text) && !is_need(text);
        let lasts = |text: &str| is_telling(text) && (age == 0 || !is_of_the_moment(text));
        let says = |told: &RuleSentence| told.strength > INSTRUCTION_LEAST || lasts(&told.text);
        let holds = |told: &RuleSentence| !is_outlived(&told.text, &later[all.len() - age..]);
        let told = rule_sentences(asked, age == 0).into_iter().filter(says).filter(holds);
        items.extend(told.map(|told| {
            let most = if told.strength > INSTRUCTION_LEAST { WHOLE } else { LONGEST };
            let text = cut_to_rule(&told.text, most).into_owned();
            let later = put_right(&text, all.len() - 1 - age);
            let lasts = has_any(&text.to_lowercase(), &["never", "always"]);
            let ended =
                later.or(undone.filter(|_| !lasts)).or_else(|| if forbids_all_work(&text) { work(age) } else { None });
            let text = match ended {
                Some(later) => format!("{text}{LATER}{}”)", cut(later, BRIEF * 2)),
                None => text,
            };
            let absolute = if has_any(&text.to_lowercase(), &ABSOLUTE) { FIRST } else { 0 };
            asked.item(text, told.rank() + newness(age) * 10 - pasted + absolute)
        }));
    }
    drop_quoted(&mut items);
    drop_earlier_forms(&mut items);
    raise_repeated(&mut items);
    items
}

/// Cuts a sentence to at most `most` characters, but keeps the last clause with a ban or duty.
fn cut_to_rule(sentence: &str, most: usize) -> Cow<'_, str> {
    let short = cut_clause(sentence, most);
    let binds = |text: &str| is_short_ban(text, usize::MAX);
    if matches!(short, Cow::Borrowed(_)) || sentence.len() > READ || !binds(sentence) {
        return short;
    }
    let begun = short.trim_end_matches(['…', ' ']);
    let end = if sentence.starts_with(begun) { begun.len() } else { 0 };
    let starts = LEADS_TO_RULE.iter().flat_map(|joint| {
        let sign = joint.chars().next().map_or(0, char::len_utf8);
        sentence.match_indices(joint).map(move |(at, _)| at + sign)
    });
    // The last clause before which nothing else binds that is left out.
    let clause = starts.filter(|at| *at > end && binds(&sentence[*at..]) && !binds(&sentence[end..*at])).max();
    let Some(tail) = clause.map(|at| cut_clause(sentence[at..].trim_start(), most)) else { return short };
    let left = most.saturating_sub(tail.chars().count() + 3);
    if binds(&short) && left * 2 > most {
        let head = cut_clause(sentence, left);
        return format!("{} … {tail}", head.trim_end_matches(['…', ' '])).into();
    }
    if binds(&short) { short } else { format!("… {tail}").into() }
}

/// Whether the brief of its request or the goal has a sentence.
fn is_quoted(text: &str, brief: &str, goal: &[Item]) -> bool {
    brief.contains(text) || goal.iter().any(|item| item.text.contains(text))
}

/// Removes permissions that are quoted behind the rules that they end.
fn drop_quoted(items: &mut Vec<Item>) {
    let quoted = |item: &Item| Some(item.text.rsplit_once(LATER)?.1.trim_end_matches("”)").to_owned());
    let quotes: Vec<String> = items.iter().filter_map(quoted).filter(|later| withdrawn::only_allows(later)).collect();
    items.retain(|item| !quotes.contains(&item.text));
}

/// Whether a call changed a file of the work, not the agent's own notes.
fn changes_work(act: &Act<'_>) -> bool {
    let own = |path: &str| contains_any(path, &ASIDE);
    act.outcome.worked() && act.files().iter().any(|(op, path)| op.changes() && !own(path))
}

fn newness(age: usize) -> i64 {
    -(i64::try_from(age).unwrap_or(i64::MAX) / AGE)
}

/// Rules of later system messages.
fn ordered(turn: &Turn<'_>, age: usize) -> impl Iterator<Item = Item> {
    let rank = move |rule: &str| weight(rule) * 10 + newness(age) * 10;
    turn.ordered
        .iter()
        .map(move |(message, rule)| Item::new(cut_to_rule(rule, WHOLE).into_owned(), *message, rank(rule)))
}

/// Rules among the user's answers to questions.
fn answered(turn: &Turn<'_>, age: usize) -> impl Iterator<Item = Item> {
    let rules = turn.replies.iter().filter(|reply| is_rule(&reply.answer) || is_short_ban(&reply.answer, SHORT));
    rules.map(move |reply| {
        // “Keep them” says nothing without its question.
        let question = reply.question.as_deref().filter(|_| words(&reply.answer) <= FEW);
        let asked = question.map(|question| format!(" (to “{}”)", cut(question, BRIEF))).unwrap_or_default();
        let text = format!("{}{asked}", cut_to_rule(&reply.answer, WHOLE));
        Item::new(text, reply.message, weight(&reply.answer) * 10 + newness(age) * 10)
    })
}

/// Words of an order whose colon shows a text that is to go or become another: its first word, behind a few polite ones,
/// what points at the text, the text, and words with which another order follows.
const GOES: [&str; 7] = ["delete", "drop", "remove", "replace", "rephrase", "reword", "rewrite"];
const POLITE: [&str; 7] = ["also", "and", "can", "could", "now", "please", "you"];
const POINTS: [&str; 4] = ["following", "the", "these", "this"];
const TEXTS: [&str; 8] = ["line", "lines", "note", "paragraph", "passage", "section", "sentence", "text"];
const LEADS: [&str; 5] = ["and", "follows", "rule", "rules", "then"];
/// Number of words behind the verb in which the text is named.
const NEAR: usize = 3;

/// Whether a sentence announces a text that is to go: “Remove this section from the form: …”
fn shows_what_goes(sentence: &str) -> bool {
    if !sentence.ends_with(':') || is_firm(sentence) {
        return false;
    }
    let lower = sentence.to_lowercase();
    let mut all = each_word(&lower).skip_while(|word| POLITE.contains(word));
    let goes = all.next().is_some_and(|verb| GOES.contains(&verb));
    let rest: Vec<&str> = all.collect();
    let points = rest.first().is_some_and(|word| POINTS.contains(word));
    let names = rest.iter().take(NEAR).any(|word| TEXTS.contains(word));
    goes && points && names && !rest.iter().any(|word| LEADS.contains(word))
}

/// A rule of the user, with its strength and weight.
struct RuleSentence {
    text: String,
    strength: i64,
    weight: i64,
    /// It states what holds for one function.
    of_function: bool,
}

impl RuleSentence {
    fn rank(&self) -> i64 {
        self.weight * 10 - if self.of_function { DETAIL } else { 0 }
    }

    /// Adds what else holds for the same function; whether there is room.
    fn takes(&mut self, name: &str, detail: &Self) -> bool {
        let joins = self.of_function && detail.of_function && self.text.starts_with(&format!("{name}: "));
        let fits = joins && self.text.chars().count() + detail.text.chars().count() + 2 <= LONGEST;
        if fits {
            self.text = format!("{}; {}", self.text.trim_end_matches(['.', ';']), detail.text);
            (self.strength, self.weight) = (self.strength.max(detail.strength), self.weight.max(detail.weight));
        }
        fits
    }
}

/// Adds a rule; one about a function behind its name, with the others about that.
fn add(told: &mut Vec<RuleSentence>, mut rule: RuleSentence, function: Option<&str>) {
    let Some(name) = function else { return told.push(rule) };
    let lower = rule.text.to_lowercase();
    rule.of_function = !each_word(&lower).next().is_some_and(|first| ORDERS.contains(&first));
    if !told.last_mut().is_some_and(|last| last.takes(name, &rule)) {
        rule.text = format!("{name}: {}", rule.text);
        told.push(rule);
    }
}

/// Whether a sentence begins with the letter of a choice: “B) yes, let's go for it.”
fn has_letter(sentence: &str) -> bool {
    let mark = sentence.split_once(") ").map_or("", |(mark, _)| mark);
    mark.len() == 1 && mark.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether an order says nothing without the sentence before it, and that stood right before it and is neither a
/// question nor a wish, which may end before the order does.
fn points_at(asked: &Asked, before: &str, sentence: &str) -> bool {
    let is_own = asked.own().len() == asked.sentences.len();
    let leads = !before.ends_with([':', '：', '?', '？']) && !is_wish(&lower(before));
    is_own && leads && lacks_antecedent(sentence)
}

/// The rules in a request; a rule that says little alone is joined to the sentence before it.
fn rule_sentences(asked: &Asked, current: bool) -> Vec<RuleSentence> {
    let strength = |sentence: &str| if current { strength_now(sentence) } else { instruction_strength(sentence) };
    let (mut told, mut times): (Vec<RuleSentence>, HashMap<&str, usize>) = Default::default();
    let mut before: Option<&String> = None;
    // Several sentences with letters are a list, not a choice.
    let is_choice = asked.own().iter().filter(|sentence| has_letter(sentence)).count() == 1;
    let chooses = |sentence: &str| is_choice && has_letter(sentence);
    for (at, sentence) in asked.own().iter().enumerate() {
        let last = before.replace(sentence);
        let nth = times.entry(sentence).or_default();
        let function = asked.function_of(sentence, *nth);
        *nth += 1;
        let shown = last.is_some_and(|last| shows_what_goes(last) || last.ends_with(':') && asks_about_wording(last));
        if shown || asked.own().get(at + 1).is_some_and(|next| asks_about_wording(next)) {
            continue;
        }
        let lead = last.filter(|last| is_mid_thought(sentence) || points_at(asked, last, sentence));
        let is_ruled = asked.is_ruled(sentence);
        let strength = strength(sentence).max(is_ruled.then_some(INSTRUCTION_LEAST + 1));
        let instructs =
            asked.instructs(sentence, current) && !heads_nothing(sentence) && (is_ruled || !trails_off(sentence));
        // A choice says nothing without what was offered, and “I don't want those” without what was said.
        let is_told = !chooses(sentence) || !asked.meant.is_empty() || is_firm(sentence);
        let is_told = is_told && (lead.is_some() || !wants_unnamed(sentence));
        let Some(strength) = strength.filter(|_| instructs && is_told) else { continue };
        let weight = weight(sentence) + if is_ruled { RULED } else { 0 };
        let text = if chooses(sentence) { format!("{sentence}{}", asked.meant) } else { sentence.clone() };
        let own = RuleSentence { text, strength, weight, of_function: false };
        // The sentence before may be part of a rule already.
        let told_lead = lead.and_then(|lead| told.pop_if(|last| last.text.ends_with(lead)));
        let text = told_lead.as_ref().map(|told| &told.text).or(lead).map(|lead| format!("{lead} {sentence}"));
        match text.filter(|text| text.chars().count() <= LONGEST) {
            Some(text) => {
                let (strong, heavy) = told_lead.map_or((0, 0), |lead| (lead.strength, lead.weight));
                let (strength, weight) = (own.strength.max(strong), own.weight.max(heavy));
                told.push(RuleSentence { text, strength, weight, ..own });
            }
            None => {
                told.extend(told_lead);
                add(&mut told, own, function);
            }
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::super::{accomplished, goal};
    use super::*;
    use crate::summary::builders::{act, agent, message, part, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::{Author, Message, PartKind};

    #[test]
    fn a_long_sentence_is_cut_to_its_rule() {
        let story =
            "so my harbour has lamps and ferries and quays and each day some keepers come who like the tide ".repeat(5);
        let long = format!("{story}which is too long so please never light the lamps of others");
        assert_eq!(cut_to_rule(&long, WHOLE), "… please never light the lamps of others");
        let german = format!("{story}was zu lang ist also bitte niemals Lampen zusagen");
        assert_eq!(cut_to_rule(&german, WHOLE), "… bitte niemals Lampen zusagen");
        let both = format!("you must know that we do not dim them, {story}and never paint the quay");
        let told = cut_to_rule(&both, WHOLE);
        assert!(told.starts_with("you must know") && told.ends_with(" … and never paint the quay"), "{told}");
        assert!(told.chars().count() <= WHOLE);
        let first = format!("never light the lamps, {story}");
        assert!(cut_to_rule(&first, WHOLE).starts_with("never light the lamps, so my harbour"));
    }

    #[test]
    fn a_wish_without_its_object_and_a_text_that_is_asked_about_are_no_rules() {
        let told = |text: &str| {
            let messages =
                [user("Draw the map of the pier."), agent("It is drawn."), user(text), user("Now the quay.")];
            let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
            items(&turns, &[]).into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        for text in [
            "i dont want those..what else can you draw for the level",
            "Avoid the gulls and keep to the lamps. is the right wording",
            "Is this the right wording: Always avoid the gulls of the pier",
        ] {
            assert!(told(text).is_empty(), "{text}: {:?}", told(text));
        }
        let before = "The lamps are red at dusk. I don't want that.";
        assert_eq!(told(before), [before]);
        let kept = "Never paint the gulls. Is the wording of the README right?";
        assert_eq!(told(kept), ["Never paint the gulls."]);
    }

    #[test]
    fn of_earlier_requests_only_rules_are_instructions() {
        let asked = [
            "Mend the quay. Never dredge at night. Should we use oil for it?",
            "# Paint the pier\n\n## Context\nThe keeper must not be asked.\n\n## Rules\n- Use red paint.",
            "Please change the sign and make sure that it is dry.",
            "Now sort the ropes, we should keep the long ones.",
        ];
        let messages: Vec<_> = asked.iter().map(|text| user(text)).collect();
        let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
        let told: Vec<_> = items(&turns, &[]).into_iter().map(|item| item.text).collect();
        assert_eq!(told, [asked[3], "Use red paint.", "Never dredge at night."]);
        let steps = accomplished::steps_alone(&turns);
        for kept in ["Should we use oil for it?", "The keeper must not be asked.", "make sure that it is dry."] {
            assert!(steps.iter().any(|step| step.text.contains(kept)), "{kept}: {steps:?}");
        }
    }

    #[test]
    fn a_choice_is_told_with_what_was_offered_and_what_trails_off_is_no_rule() {
        let offer = "How do we light it?\n\nA) with oil\nB) with gas at night\n\nWhich one?";
        let told = |offer: &str, answer: &str| {
            let messages = [user("Light the pier."), agent(offer), user(answer)];
            let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
            items(&turns, &[]).into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        let choice = "B) always use that one.";
        assert_eq!(told(offer, choice), [format!("{choice} (B = “with gas at night”)")]);
        assert!(told("The pier is dark.", "B) yeah let's go for it.").is_empty());
        assert_eq!(told("The pier is dark.", "B) never use oil."), ["B) never use oil."]);
        for loose in ["buuuuut let's do what we can...", "Ao concluir a leitura, apresente somente:"] {
            assert!(told("The pier is dark.", loose).is_empty(), "{loose}");
        }
        assert_eq!(told("The pier is dark.", "Never light the pier by day..."), ["Never light the pier by day..."]);
    }

    #[test]
    fn an_order_that_points_back_is_told_with_a_statement_right_before_it() {
        let told = |first: &str, behind: &str| {
            let messages = [user(first), agent("Ok."), user(behind), agent("Ok."), user("Draw the map.")];
            let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
            items(&turns, &[]).into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        let order = "Never answer like that.";
        let joined = "The lamp of the pier is red and long. Never answer like that.";
        assert_eq!(told(joined, "Light it."), [joined]);
        for before in [
            "Here is the log:\n\nerror: lamp not found at line 14 in quay.rs when it starts\n\n",
            "Do you know what is wrong with the lamp? ",
        ] {
            assert_eq!(told(&format!("{before}{order}"), "Light it."), [order], "{before}");
        }
        let over = told(
            "I'd prefer a window seat. Never book a late ferry for that.",
            "Actually, forget that, I changed my mind about the window seat.",
        );
        assert_eq!(over, ["Never book a late ferry for that."]);
    }

    #[test]
    fn a_later_system_message_may_have_rules() {
        let system = |text: &str| message(Author::System, vec![part(PartKind::Text, text)]);
        let own = "From now on, always write in French. The quay is long.";
        let all = [system("Never touch the quay."), user("Mend the map."), system(own), system(&own.repeat(20))];
        let head: Vec<&Message<'_>> = all.iter().collect();
        let told: Vec<_> = items(&turns(&head, &[]), &[]).into_iter().map(|item| item.text).collect();
        assert_eq!(told, ["From now on, always write in French."]);
    }

    #[test]
    fn a_rule_that_is_said_again_ranks_above_newer_ones() {
        let said = [
            "Never paint the red lamp. Mend the map.",
            "Never paint the red lamp. Mend the quay.",
            "Never move a buoy. Mend the pier.",
        ];
        let messages = said.map(user);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let items = items(&turns(&head, &[]), &[]);
        let rank = |text: &str| items.iter().filter(|item| item.text.contains(text)).map(|item| item.rank).max();
        assert!(rank("red lamp") > rank("buoy"), "{:?} {:?}", rank("red lamp"), rank("buoy"));
    }

    #[test]
    fn a_decision_of_the_user_lasts() {
        let asked =
            ["Plan the board. I choose oil lamps.", "Which way is the tide? Let's stick with the old map.", "Mend it."];
        assert_eq!(shown(&asked), ["Let's stick with the old map.", "I choose oil lamps."]);
    }

    #[test]
    fn a_ban_without_exceptions_ranks_above_newer_wishes() {
        let said = [
            "One keeper must never read the log of another. Mend the map.",
            "Please use small lamps, and keep them dry.",
        ];
        let messages = said.map(user);
        let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
        let mut items = items(&turns, &[]);
        items.sort_by_key(|item| std::cmp::Reverse(item.rank));
        assert!(items[0].text.starts_with("One keeper must never"), "{items:?}");
    }

    #[test]
    fn what_holds_for_one_function_stands_together_behind_the_rules() {
        let spec = "Build the gate.\n\nopen_gate(id)\nThe lamp must be lit.\nstatus must be CLOSED\nid must be known\n\nclose_gate(id)\nid must be known\nstatus must be OPEN\nNever close it at night.\n\ncount(id)\nCounts them.\n\n## How we work\nKeep the old lamps.\n";
        let messages = [user(spec), user("Now paint the pier.")];
        let mut items = items(&turns(&messages.iter().collect::<Vec<_>>(), &[]), &[]);
        items.sort_by_key(|item| std::cmp::Reverse(item.rank));
        let told: Vec<_> = items.into_iter().map(|item| item.text).collect();
        assert_eq!(
            told,
            [
                "close_gate: Never close it at night.",
                "Keep the old lamps.",
                "open_gate: The lamp must be lit; status must be CLOSED; id must be known",
                "close_gate: id must be known; status must be OPEN",
            ]
        );
    }

    #[test]
    fn a_text_that_is_to_go_has_no_rules() {
        let remove = "Please remove this section from the form:\n\nThe lamp must always be lit by the keeper.\n\nNever paint the mole.";
        assert_eq!(shown(&[remove, "Mend the map."]), ["Never paint the mole."]);
        for kept in [
            "Never remove any of these lines:",
            "Replace the old lamp, with these rules:",
            "Rewrite this text as follows:",
            "How to remove users:",
            "Before you remove this section of the code, please check each of these:",
            "Delete the text of this section, and then write one with these in mind:",
        ] {
            let asked = format!("{kept}\n\nThe lamp must always be lit by the keeper.");
            assert!(shown(&[&asked, "Mend the map."]).concat().contains("always be lit"), "{kept}");
        }
    }

    #[test]
    fn what_is_taken_back_is_no_rule() {
        let wrong =
            ["Never rename the branch of the board.", "sorry wrong chat. ignore last message.", "Mend the map."];
        assert!(shown(&wrong).is_empty());
        assert_eq!(shown(&wrong[..1]), [wrong[0]]);
        assert_eq!(shown(&[wrong[0], "The wrong window opens, mend that."]), [wrong[0]]);
        assert_eq!(shown(&[wrong[0], "The dialog still opens in the wrong window, please mend that."]), [wrong[0]]);
    }

    #[test]
    fn a_permission_that_is_quoted_is_no_line_of_its_own() {
        let (rule, allows) = ("Never commit yourself.", "You may commit from now on.");
        assert_eq!(shown(&[rule, allows, "Mend the map."]), [format!("{rule} (later: “{allows}”)")]);
    }

    #[test]
    fn what_is_put_right_is_told_with_the_words_that_did() {
        for (rule, amendment) in [
            ("Always use my Visa card.", "Actually, use the Amex from now on."),
            ("Keep it under $300.", "Make that $450."),
            ("I'm vegetarian.", "Sorry, I meant vegan."),
        ] {
            let told = shown(&[rule, amendment, "Mend the map."]);
            assert!(told.contains(&format!("{rule} (later: “{amendment}”)")), "{told:?}");
            assert!(shown(&[rule, "Mend the quay.", "Mend the map."]).contains(&rule.to_owned()), "{rule}");
        }
    }

    #[test]
    fn what_is_undone_is_told_with_its_undoing() {
        let rule = "The lamps must be lit at the next tick, or else the quay flickers.";
        let undone = "yeah you can undo that, it was the fog";
        assert_eq!(shown(&[rule, undone, "Mend the map."]), [format!("{rule} (later: “{undone}”)")]);
        assert_eq!(shown(&[rule, "Add an undo item to the menu.", "Mend the map."]), [rule]);
        assert_eq!(
            shown(&[rule, "You didn't undo it, please go on with the map.", "Mend the map."])
                .last()
                .map(String::as_str),
            Some(rule)
        );
        assert_eq!(shown(&[rule, "Never undo that.", "Mend the map."])[1..], [rule]);
        assert_eq!(shown(&[rule, "Don't undo that, please.", "Mend the map."])[1..], [rule]);
    }

    fn shown(asked: &[&str]) -> Vec<String> {
        let messages: Vec<Message<'_>> = asked.iter().map(|text| user(text)).collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        items(&turns, &goal::items(&turns, &[])).into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn a_ban_on_all_work_is_told_with_the_request_on_which_work_was_done() {
        let texts = ["Look at the board. Don't edit anything.", "And the map?", "OK, mend both now."];
        let mut messages: Vec<Message<'_>> = texts.iter().map(|text| user(text)).collect();
        let told = |messages: &[Message<'_>]| {
            let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
            items(&turns, &[]).pop().map(|item| item.text)
        };
        assert_eq!(told(&messages).as_deref(), Some("Don't edit anything."));
        let edit = r#"{"file_path":"map.rs","old_string":"a","new_string":"b"}"#;
        messages.extend(act("Edit", edit, "The file map.rs has been updated.", false));
        assert_eq!(told(&messages).as_deref(), Some("Don't edit anything. (later: “OK, mend both now.”)"));
    }

    #[test]
    fn what_binds_little_is_told_once_where_it_stands_in_the_goal() {
        let asked = "Draw a map of the harbour that the ferries of both lakes can read at night, too. \
                     The question is whether it should have a legend at all. Never draw the wrecks.";
        assert_eq!(shown(&[asked]), ["Never draw the wrecks."]);
    }

    #[test]
    fn a_rule_is_told_whole() {
        let rule =
            format!("Never light a lamp of the pier {}before the ferry is in.", "or of any other quay ".repeat(13));
        assert_eq!(shown(&[&format!("Draw a map. {rule}"), "Now build it."]), [rule]);
    }

    #[test]
    fn a_heading_without_what_it_heads_is_no_rule() {
        let text = "Look at the tides of both lakes. Charts I'd like:\n\n- Tides by hour.\n- Quays by depth of water.\n\nNever draw wrecks.";
        assert_eq!(shown(&[text, "Now draw it."]), ["Never draw wrecks."]);
        let code = "Look at the lamp of the pier first. Never light the lamp with this:\n```\noil(1)\n```\n";
        assert_eq!(shown(&[code, "Now draw it."]), ["Never light the lamp with this: …"]);
        let labels =
            "Draw the map of the pier as it was before.\n\n**No lamp there:**\n```\noil(1)\n```\n\nNever draw wrecks.";
        assert_eq!(shown(&[labels, "Now draw it."]), ["Never draw wrecks."]);
    }

    #[test]
    fn limits_of_a_step_end_with_it() {
        let asked =
            ["Draw a map of the harbour first. Do not build the pier yet. Never sink a ferry.", "Now build it."];
        assert_eq!(shown(&asked[..1]), ["Do not build the pier yet.", "Never sink a ferry."]);
        assert_eq!(shown(&asked), ["Never sink a ferry."]);
    }

    #[test]
    fn pleas_and_doubts_of_earlier_requests_are_over() {
        let asked = [
            "Look at the map of the quay. I need to leave because the ferry is late.",
            "Look at the lamp of the pier. And please confirm that it still burns.",
            "Maybe we want a new lamp there. Look at the red one, and at all of the others.",
            "Now draw it.",
        ];
        assert!(shown(&asked).is_empty(), "{:?}", shown(&asked));
    }

    #[test]
    fn short_bans_are_instructions() {
        let asked = ["Delete the old file, then commit. Don't push.", "Look at the board."];
        assert_eq!(shown(&asked), ["Don't push."]);
    }

    #[test]
    fn what_is_said_in_mid_thought_stands_behind_the_sentence_before() {
        let asked = ["Look for a cache of the board in the folder of the tests first of all. If not, never make one."];
        assert_eq!(shown(&asked), asked);
        let chain = [
            "Read the parser. Never change it. And please use the cache of it in all of the other folders, too. This must not be slow.",
        ];
        assert_eq!(shown(&chain).len(), 1, "{:?}", shown(&chain));
    }

    #[test]
    fn what_a_pasted_page_leaves_to_its_reader_is_no_rule() {
        let page = "Why is it on the left?\n\nStep 1.\nSelect the lamp you’d prefer for your pier.\n\nStep 2.";
        assert!(shown(&[page, "Mend the map."]).is_empty());
        assert_eq!(shown(&["I'd prefer red lamps on the quay.", "Mend the map."]).len(), 1);
    }
}
