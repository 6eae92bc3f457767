//! Clauses in which a speaker expects, fears or wants what the agent has no choice in: “2 GB should be plenty”, “I
//! don't want to be late”, “I want to make sure everything works”. They have words of a rule, and bind nobody.

use super::checked::{WHEN, checks, names_means};
use super::rules::is_firm;
use super::sieve::AnyOf;
use crate::summary::extractive::words::{
    ASKS_OF_AGENT, BEFALLS, BINDING, CLAUSE_ENDS, CLAUSE_LEADS, DAYS, EXPECTS, FARES, FEARS, HAD, HOPES, ILLS, NO_RULE,
    ORDERED_BEHIND, SLIGHT, WISHES_TO,
};
use crate::summary::text::{NUMBER_WORDS, contains_any, each_word, has_any, has_digit, has_words, starts_any};
use std::borrow::Cow;

/// Phrases that have words of a rule and are none, and those that only tell how the speaker fares.
static NO_RULES: AnyOf = AnyOf::new(NO_RULE);
static FARING: AnyOf = AnyOf::new(FARES);
/// Words of which each such clause has one.
static HOPING: AnyOf = AnyOf::new(HOPES);

/// Maximum length of a sentence that is read, in bytes.
const READ: usize = 1_000;
/// What is counted in an amount, and places where an agent has data.
const AMOUNTS: [&str; 14] = [
    "bags", "days", "dollars", "euro", "euros", "gb", "hours", "months", "nights", "people", "pounds", "seats", "tb",
    "weeks",
];
const ON_FILE: [&str; 4] = ["your system", "your records", "your files", "on file"];
/// Words that stand for an amount or a thing named before.
const THAT: [&str; 6] = ["it", "that", "this", "those", "these", "which"];
/// What the agent makes, of which some may be enough.
const MADE: [&str; 16] = [
    "example",
    "examples",
    "image",
    "images",
    "line",
    "lines",
    "page",
    "pages",
    "paragraph",
    "paragraphs",
    "sentence",
    "sentences",
    "slides",
    "test",
    "tests",
    "words",
];
/// Beginnings of an estimate.
const ESTIMATES: [&str; 7] = ["i think", "i guess", "i believe", "i thought", "i assume", "i figure", "i suppose"];
/// What an estimate finds.
const JUDGED: [&str; 5] = ["enough", "plenty", "sufficient", "fine", "alright"];
/// Verbs of an estimate about how far something goes for the speaker.
const GOES_FAR: [&str; 9] =
    ["last me", "last us", "get me", "get us", "tide me", "tide us", "cover me", "carry me", "see me"];
const GIVES: [&str; 2] = ["give me", "give us"];
const PLENTY: [&str; 4] = ["plenty", "enough", "more than", "some room"];
/// Verbs of what comes.
const COMES: [&str; 3] = ["arrive ", "be here ", "get here "];
/// First words of the name of one thing.
const ONE: [&str; 8] = ["the", "my", "our", "it", "that", "this", "he", "she"];
/// What the speaker will manage, and does at the time.
const MANAGES: [&str; 8] = ["afford", "attend", "bring", "join", "make", "manage", "pay", "settle"];
const OWN_ACTS: [&str; 10] = ["ask", "call", "check", "consider", "contact", "look", "pay", "talk", "think", "try"];
const WAVERS: [&str; 4] = ["maybe ", "perhaps ", "i guess ", "i suppose "];
/// Words that may follow a participle.
const BEHIND_DONE: [&str; 10] = ["already", "by", "it", "me", "my", "that", "the", "this", "us", "your"];
/// What a speaker may run out of.
const LACKED: [&str; 11] =
    ["battery", "credit", "gas", "light", "medication", "minutes", "oil", "power", "stock", "time", "water"];
const DONT_WANT: [&str; 3] = ["don't want ", "do not want ", "dont want "];
/// Beginnings of what the speaker saw, and verbs of what was to be seen.
const SEES: [&str; 3] = ["i can see ", "i noticed ", "i see "];
const SHOWS: [&str; 7] = ["is", "says", "show", "showed", "shows", "was", "were"];
/// Verbs of what a speaker keeps doing in vain, or bears.
const BEARS: [&str; 17] = [
    "asking",
    "being",
    "calling",
    "finding",
    "getting",
    "having",
    "hearing",
    "losing",
    "missing",
    "paying",
    "receiving",
    "running",
    "saying",
    "seeing",
    "telling",
    "trying",
    "waiting",
];
/// Words of a clause that addresses the agent, or limits something.
const BINDS: [&str; 12] =
    ["you", "your", "never", "always", "must", "please", "unless", "whenever", "every", "each", "only", "until"];
/// What “be charged” may have behind it in a mere fear.
const CHARGED_FOR: [&str; 12] = [
    "again",
    "extra",
    "for something",
    "for that",
    "for this",
    "for what",
    "if i",
    "late",
    "overage",
    "this",
    "twice",
    "when i",
];

/// A lower-case sentence without the clauses that only expect, fear or want what the agent has no choice in, and
/// without phrases that have words of a rule and are none.
pub(super) fn without_hopes(lower: &str) -> Cow<'_, str> {
    let told = if has_hope(lower) {
        clauses(lower).filter(|(clause, rest)| !only_hopes(clause, rest)).map(|(clause, _)| clause).collect()
    } else {
        Cow::Borrowed(lower)
    };
    // “Write the log so that I can always see it.” tells what for.
    let serves = contains_any(&told, &["so that i can always ", "so i can always ", "that lets me always "]);
    NO_RULES.left_out(if serves { told } else { FARING.left_out(told) })
}

/// Whether a lower-case sentence has such a clause and no rule beside it.
pub(super) fn hopes(lower: &str) -> bool {
    has_hope(lower) && !is_firm(lower)
}

fn has_hope(lower: &str) -> bool {
    lower.len() <= READ && HOPING.is_in(lower) && clauses(lower).any(|(clause, rest)| only_hopes(clause, rest))
}

/// The clauses of a text, each with what stands behind it.
fn clauses(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let ends = CLAUSE_ENDS.iter().filter_map(|sign| rest.find(sign).map(|at| at + sign.len()));
        let (clause, behind) = rest.split_at(ends.min().unwrap_or(rest.len()));
        rest = behind;
        (!clause.is_empty()).then_some((clause, behind))
    })
}

/// Whether a clause with this text behind it only expects, fears or wants what the agent has no choice in.
fn only_hopes(clause: &str, behind: &str) -> bool {
    let joined = CLAUSE_ENDS.iter().find_map(|sign| clause.strip_suffix(sign)).unwrap_or(clause);
    let text = joined.trim().trim_end_matches(|char: char| !char.is_alphanumeric());
    let text = CLAUSE_LEADS.iter().fold(text, |text, lead| text.strip_prefix(lead).unwrap_or(text));
    let words: Vec<&str> = each_word(text).filter(|word| !SLIGHT.contains(word)).collect();
    let bare = words.join(" ");
    let binds = || words.iter().any(|word| BINDS.contains(word)) || limits(text);
    let hopes = expects(&bare, &words)
        || expects_abroad(&words)
        || plans_itself(&bare)
        || asks_how_to_avoid(&bare)
        || (fears(&bare) || avoids(&bare) || checks(&bare)) && !binds()
        || suffers(&bare, &words);
    // “I keep telling you: tabs.”
    let joint = &clause[joined.len()..];
    let tells = joint == ": " && words.iter().any(|word| ASKS_OF_AGENT.contains(word));
    hopes && !tells && !orders_behind(joint, behind)
}

/// Whether a clause says how much, or without what: “more than $20”, “without a signature”.
fn limits(text: &str) -> bool {
    // “One” is a pronoun, too.
    let number = |word: &str| has_digit(word) || NUMBER_WORDS[1..].contains(&word);
    // “without data” is what befalls the speaker.
    let lacks = |rest: &str| {
        let mut all = each_word(rest).skip_while(|word| ["a", "any", "my", "our"].contains(word));
        all.next().is_some_and(|thing| HAD.contains(&thing))
    };
    each_word(text).any(number) || text.split_once("without ").is_some_and(|(_, rest)| !lacks(rest))
}

/// Whether a text behind a clause orders what follows from it: “…, so cap it.”, “…: only run the unit tests.”
fn orders_behind(joint: &str, behind: &str) -> bool {
    if ![", ", "; ", ": ", " so ", " - ", " – ", " — ", "—"].contains(&joint) {
        return false;
    }
    let leads = ["so ", "then ", "please ", "just ", "therefore "];
    let text = leads.iter().fold(behind, |text, lead| text.strip_prefix(lead).unwrap_or(text));
    let mut all = each_word(text);
    all.next().is_some_and(|verb| ORDERED_BEHIND.contains(&verb)) && all.next().is_some()
}

/// “25 GB should be plenty”, “the tent should arrive on Friday”, “my bank should have handled that”
fn expects(text: &str, words: &[&str]) -> bool {
    let Some((before, behind)) = text.split_once(" should ") else { return false };
    let own: Vec<&str> = each_word(before).collect();
    let number = |word: &str| has_digit(word) || NUMBER_WORDS.contains(&word);
    // “25gb” has its unit.
    let glued = |word: &str| has_digit(word) && word.ends_with(char::is_alphabetic);
    let counted = || own.windows(2).any(|two| number(two[0]) && AMOUNTS.contains(&two[1]));
    let named = || own.iter().any(|word| glued(word) || DAYS.contains(word)) || counted();
    let that = || matches!(own[..], [only] if THAT.contains(&only));
    // “It should be enough to mail me once a week.”
    let does = || {
        let end = behind.strip_prefix("be ").and_then(|rest| Some(rest.split_once(" to ")?.1));
        that() && end.is_some_and(|act| !starts_any(act, &GOES_FAR))
    };
    // “I think two examples should be enough.” is about what the agent makes.
    let is_made = own.iter().any(|word| MADE.contains(word));
    let is_amount = || !is_made && (named() || that() || starts_any(before, &ESTIMATES)) && !does();
    let judged = || behind.strip_prefix("be ").filter(|rest| !rest.starts_with("fine tuned"));
    let judged = || judged().and_then(|rest| each_word(rest).next());
    let fits = || judged().is_some_and(|word| JUDGED.contains(&word)) && !has_any(behind, &["too", "that"]);
    let enough = || fits() || behind == "do" || behind == "suffice";
    let far = || starts_any(behind, &GOES_FAR) || starts_any(behind, &GIVES) && has_any(behind, &PLENTY);
    let when = || {
        let mut all = each_word(behind);
        all.any(|word| has_digit(word) || DAYS.contains(&word) || WHEN.contains(&word))
    };
    let bound = || has_any(behind, &["after", "at the latest", "before", "each", "every", "than"]);
    let one = || own.first().is_some_and(|first| ONE.contains(first)) && !bound();
    let comes = || starts_any(behind, &COMES) && when() && one() && !names_means(behind);
    let manages = || {
        let verb = behind.strip_prefix("be able to ").and_then(|rest| each_word(rest).next());
        let managed = verb.is_some_and(|verb| MANAGES.contains(&verb)) && !behind.contains(" from ");
        ["i", "we"].contains(&words[0]) && managed && !names_means(behind)
    };
    let done = || {
        let mut all = behind.strip_prefix("have ").map(each_word).into_iter().flatten();
        let did = all.next().is_some_and(|verb| verb.ends_with("ed"));
        did && all.next().is_none_or(|next| BEHIND_DONE.contains(&next)) && !["you", "i", "agent"].contains(&words[0])
    };
    let on_file = || behind.starts_with("already ") && has_any(behind, &ON_FILE);
    is_amount() && (enough() || far()) || comes() || manages() || done() || on_file()
}

/// “Das sollte reichen”, “eso debería bastar”
fn expects_abroad(words: &[&str]) -> bool {
    EXPECTS.iter().any(|(modals, verbs)| {
        let at = words.iter().position(|word| modals.contains(word));
        at.is_some_and(|at| verbs.iter().any(|verb| has_words(&words[at + 1..].join(" "), verb)))
    })
}

/// “maybe I should look at the bigger plan”, “I should check the bill first”
fn plans_itself(text: &str) -> bool {
    let wavers = WAVERS.iter().find_map(|start| text.strip_prefix(start));
    let own = wavers.unwrap_or(text).strip_prefix("i should ");
    let rule = has_any(text, &["always", "before", "each", "every"]);
    let acts = |rest: &str| each_word(rest).next().is_some_and(|verb| OWN_ACTS.contains(&verb));
    own.is_some_and(|rest| wavers.is_some() || acts(rest) && !rule)
}

/// “I don't want my service disconnected”, “I don't want to run out of data”
fn fears(text: &str) -> bool {
    let Some(feared) = DONT_WANT.iter().find_map(|words| Some(text.split_once(words)?.1)) else { return false };
    let happens = || has_words(feared, "to happen") && !contains_any(feared, &[" on ", " in "]);
    let ill = || names_ill(feared) && !feared.starts_with("to ");
    let does = || {
        let act = feared.strip_prefix("to ")?;
        let fear = FEARS.iter().find(|fear| act.starts_with(**fear))?;
        let rest = act[fear.len()..].trim_start();
        let charged = || rest.is_empty() || names_ill(act) || starts_any(rest, &CHARGED_FOR);
        let had = || !starts_any(rest, &["with ", "in ", "on "]) || names_ill(act);
        // “to run out of disk space”
        let of_own = || rest.is_empty() || each_word(rest).any(|word| HAD.contains(&word) || LACKED.contains(&word));
        Some(match *fear {
            "end up" => had(),
            "run out" | "be left" => of_own(),
            fear if fear.ends_with("charged") => charged(),
            _ => true,
        })
    };
    happens() && starts_any(feared, &["this ", "that ", "it ", "anything like "])
        || befalls(feared)
        || ill()
        || does().unwrap_or_default()
}

/// Whether a text names what the speaker has and what may become of it: “my phone service cut off”, not “my keys
/// interrupted or logged”, “my data interrupted by ads”.
fn befalls(text: &str) -> bool {
    if !starts_any(text, &["my ", "our "]) {
        return false;
    }
    let first = BEFALLS.iter().filter_map(|ill| Some((text.find(ill)?, ill.len()))).min();
    let Some((thing, rest)) = first.map(|(at, length)| (&text[..at], &text[at + length..])) else { return false };
    let last = each_word(thing).rfind(|word| !["to", "be", "being", "get", "getting", "gets"].contains(word));
    let other = rest.trim_start().strip_prefix("or ").map(|other| other.trim_start_matches("even "));
    let rest = rest.trim_start();
    last.is_some_and(|last| HAD.contains(&last))
        && !starts_any(rest, &["by ", "at ", "via ", "during ", "while "])
        && other.is_none_or(|other| starts_any(other, BEFALLS))
}

/// Whether what a speaker does not want ends in the name of an ill outcome, or says when that would be.
fn names_ill(text: &str) -> bool {
    let named = ILLS.iter().filter_map(|ill| Some(text.split_once(ill)?.1));
    let times = [" in the future", " next", " on my", " at the end", " this", " while", " when", " before", " over"];
    named.into_iter().any(|rest| rest.is_empty() || starts_any(rest, &times))
}

/// “Can you help me understand how to avoid this?”
fn asks_how_to_avoid(text: &str) -> bool {
    contains_any(
        text,
        &["how to avoid ", "how i can avoid ", "how can i avoid ", "how do i avoid ", "how we can avoid "],
    )
}

/// “I want to avoid overage charges in the future”
fn avoids(text: &str) -> bool {
    let Some((before, avoided)) = text.split_once("avoid ") else { return false };
    let wants = || WISHES_TO.iter().any(|want| before.trim_end() == *want);
    let suffers =
        starts_any(avoided, &["being ", "getting "]) && has_any(avoided, &["charged", "suspended", "cut off"]);
    wants() && (suffers || names_ill(avoided))
}

/// “I keep getting errors”, “it must not have gone through”, “never had anything like it”, “this is important to me”
fn suffers(text: &str, words: &[&str]) -> bool {
    let keeps = || {
        let [who, keep, verb, ..] = words else { return false };
        // “I keep telling you not to push.”
        let asks = || words.iter().any(|word| ASKS_OF_AGENT.contains(word)) && has_any(text, BINDING);
        let bears = BEARS.contains(verb) && !words.contains(&"use");
        ["i", "we", "they"].contains(who) && *keep == "keep" && bears && !asks()
    };
    let failed = || {
        let gone = text.split_once("must not have ").map(|(before, rest)| (before, each_word(rest).next()));
        gone.is_some_and(|(before, verb)| {
            let of_it = each_word(before).count() <= 2;
            of_it && verb.is_some_and(|verb| ["gone", "been", "worked", "received", "made", "got"].contains(&verb))
        })
    };
    let matters = || {
        let said =
            ["important to me", "important for me", "important to us"].iter().find_map(|end| text.split_once(end));
        said.is_some_and(|(before, behind)| {
            let rest = behind.trim_start();
            starts_any(before, &["this is", "that is", "it is", "it's", "that's"]) && !starts_any(rest, &["that", "to"])
        })
    };
    // “I noticed the bill was $52 instead of my usual $45.”
    let deviates = || {
        let shown = text.split_once(" instead of ").map(|(shown, _)| shown);
        let sees = |shown: &str| starts_any(shown, &SEES) || text.contains(" instead of my ");
        let seen = |shown: &str| sees(shown) && has_any(shown, &SHOWS) && !has_any(shown, &["you", "your"]);
        shown.is_some_and(seen) && !words.contains(&"should")
    };
    keeps() || failed() || deviates() || starts_any(text, &["never had ", "never been "]) || matters()
}

#[cfg(test)]
mod tests {
    use super::super::rules::{binds_nobody, instruction_strength, is_firm};

    #[test]
    fn what_a_speaker_expects_fears_or_wants_of_the_world_is_no_rule() {
        for told in [
            "25GB should be more than enough, and the price is reasonable.",
            "I think 2 lamps should be plenty for the pier.",
            "Saturday should be fine.",
            "That should last me until the ferry comes.",
            "The lamp should arrive on Friday.",
            "My bank should have handled that bill.",
            "I should definitely be able to pay it by Friday.",
            "I clearly used a lot of oil, so maybe I should look at the bigger lamp.",
            "Das sollte reichen.",
            "Das sollte für zwei Personen reichen.",
            "Eso debería bastar.",
            "Это должно хватить на двоих.",
            "I really don't want my service disconnected.",
            "I don't want to be stuck on the quay at night.",
            "I don't want this to happen again next month.",
            "I'm gone for a month and don't want to keep paying for oil.",
            "I definitely want to avoid late fees.",
            "Can you help me understand how to avoid this in the future?",
            "I want to make sure everything works before I row out.",
            "I need to make sure my phone will work there.",
            "But I want to make sure I don't run aground.",
            "I keep getting messages that the lamp is out.",
            "I must say the quay was lovely.",
            "I make sure to fill the lamp every day.",
            "I have important letters to write.",
            "This is important to me because of my mother.",
            "I thought I had paid but it must not have gone through.",
            "应该够了。",
            "We have sat here for two days without light.",
            "I noticed the toll was $52 instead of my usual $45.",
            "I'll add a lamp, and I can always be careful with the oil.",
            "I don't want to be without internet for a week.",
            "I don't want to be charged for something I didn't light.",
            "I don't want to end up with extra fees.",
            "I don't want my phone line cut off or suspended.",
            "I need to make sure my phone works there, please check it.",
            "I want to make sure I get to the quay by Friday.",
            "My refund should arrive by Friday.",
            "I should be able to pay by the end of the week.",
            "It should be enough to last me the month.",
            "I keep telling you the lamp is out.",
            "I need to be certain everything works.",
            "I keep getting told that the lamp is out.",
        ] {
            assert!(!is_firm(told), "{told}: {:?}", instruction_strength(told));
        }
        assert!(binds_nobody("I don't want my service disconnected, my mother is ill."));
        assert!(!binds_nobody("25GB should be enough, but never charge my card."));
    }

    #[test]
    fn what_binds_the_agent_is_a_rule_beside_a_hope() {
        for rule in [
            "25GB should be enough, but never charge my card.",
            "The list should be sorted by name.",
            "The 2 lamps should be fine-tuned.",
            "The summary should be enough to build it again, keep it short.",
            "The events should arrive in order.",
            "5 tries should be enough.",
            "The lamp should already be lit when your keeper comes.",
            "I don't want to worry about the oil.",
            "The lamps should arrive before noon.",
            "I don't want to miss my ferry.",
            "The board should show up to 20 lamps.",
            "The page should give me a list of lamps.",
            "Users should be able to delete a lamp.",
            "I don't want to pay more than 5 euros.",
            "I don't want any padding.",
            "I don't want my mail shared with others.",
            "I don't want you to keep adding notes.",
            "I want to avoid highways.",
            "I want to make sure you never touch the quay.",
            "Make sure everything works before you push.",
            "Keep using the old map.",
            "It is important to me that you keep the old map.",
            "My doctor told me to avoid salt.",
            "I keep telling you not to push to the quay.",
            "I keep asking you to never draw ships.",
            "We keep saying that the lamps must not be touched.",
            "I keep having to remind you to use the old map.",
            "I don't want to be charged more than $20.",
            "I don't want to get charged before the lamp is lit.",
            "I don't want to end up with a nonrefundable ticket.",
            "I don't want to be left without a window seat.",
            "I don't want to run out of oil credits, so cap it.",
            "I don't want my data interrupted by ads.",
            "I don't want my service keys interrupted.",
            "I don't want my service interrupted or logged.",
            "I need to make sure my data stays in Germany.",
            "I want to make sure my order gets shipped without a signature.",
            "I need to make sure my bill gets paid by card.",
            "I need to make sure I keep the old lamp lit.",
            "It should be enough to mail me once a week.",
            "This should suffice: only light the two lamps.",
            "We should be able to pay by invoice.",
            "The refund should arrive on my Visa card this week.",
            "Write the log so that I can always see what you did.",
            "I need to make sure my ticket is refundable.",
            "I need to make sure everything works offline.",
            "I don't want to run out of disk space on the quay.",
            "I don't want our service interrupted during the tide.",
            "I don't want it to happen on main.",
            "I don't want to keep paying for oil, delete nothing though.",
            "We keep using tabs.",
            "I keep telling you: tabs.",
            "They keep getting the wrong lamp, so pin it.",
            "I see you were using oil instead of gas.",
            "I should check every change before it is merged.",
            "We should be able to manage lamps from the quay.",
            "I think two examples should be enough.",
            "Der Text sollte in eine Zeile passen.",
            "Plan three days without museums.",
        ] {
            assert!(is_firm(rule), "{rule}");
        }
    }
}
