//! Removes the material of a request, which is no rule: a mail, a diff, steps to reproduce a bug, a quoted essay,
//! pasted code, a program's message, a text to translate, a section to put into a document, a template, a quiz.

use super::asked_about::leave_message;
use super::code::leave_code;
use super::informed::leave_information;
use super::options::without_quiz;
use super::printed::{is_personal, orders};
use super::reviews::leave_review;
use super::ruled::says_how;
use crate::summary::extractive::sentences::prose::without_marker;
use crate::summary::extractive::sentences::rules::is_short_ban;
use crate::summary::extractive::words::{MAILS, REPLIES};
use crate::summary::text::{QUESTION_MARKS, contains_any, is_dense, starts_any, words};
use std::borrow::Cow;

/// First words of a request whose material follows its colon.
const HANDS_OVER: [&str; 25] = [
    "translate",
    "summarize",
    "summarise",
    "proofread",
    "rephrase",
    "paraphrase",
    "reword",
    "shorten",
    "übersetze",
    "übersetz",
    "fasse",
    "traduis",
    "traduisez",
    "résume",
    "traduce",
    "traduza",
    "traduci",
    "переведи",
    "переклади",
    "przetłumacz",
    "dịch",
    "vertaal",
    "ترجم",
    "لخص",
    "grade",
];
/// Such words that are also said of code, and words for the text that follows, of which one must be there too.
const REWORDS: [&str; 49] = [
    "check",
    "correct",
    "edit",
    "expand",
    "fix",
    "improve",
    "make",
    "polish",
    "put",
    "refine",
    "rewrite",
    "simplify",
    "write",
    "formuliere",
    "formulier",
    "korrigiere",
    "korrigier",
    "verbessere",
    "verbesser",
    "améliore",
    "améliorez",
    "corrige",
    "corrigez",
    "reformule",
    "reformulez",
    "réécris",
    "réécrivez",
    "mejora",
    "mejore",
    "reescribe",
    "reformula",
    "corrija",
    "melhore",
    "reescreva",
    "correggi",
    "migliora",
    "riscrivi",
    "herschrijf",
    "verbeter",
    "popraw",
    "исправь",
    "исправьте",
    "отредактируй",
    "отредактируйте",
    "перефразируй",
    "перепиши",
    "перепишите",
    "улучши",
    "виправ",
];
const TEXTS: [&str; 43] = [
    "text",
    "message",
    "mail",
    "email",
    "paragraph",
    "paragraphs",
    "sentence",
    "sentences",
    "essay",
    "answer",
    "letter",
    "response",
    "draft",
    "satz",
    "absatz",
    "brief",
    "texte",
    "phrase",
    "paragraphe",
    "lettre",
    "texto",
    "párrafo",
    "frase",
    "mensaje",
    "carta",
    "correo",
    "ensayo",
    "parágrafo",
    "mensagem",
    "redação",
    "testo",
    "lettera",
    "tekst",
    "zin",
    "zdanie",
    "текст",
    "абзац",
    "письмо",
    "предложение",
    "речення",
    "лист",
    "сообщение",
    "النص",
];
/// Words that point at the text, and verbs beside those of [`HANDS_OVER`] that then need no word for it.
const POINTS: [&str; 4] = ["this", "these", "following", "diesen"];
/// Maximum number of words of a request to fix the grammar of what follows.
const BARE: usize = 3;
const OF_TEXTS: [&str; 4] = ["rewrite", "edit", "polish", "refine"];
/// How a text is to become where the request says “make this …”; the second ones are said of code too.
const BECOMES: [&str; 9] =
    ["sound", "sounds", "formal", "professional", "polite", "friendlier", "flow", "readable", "concise"];
const IMPROVES: [&str; 6] = ["better", "shorter", "longer", "clearer", "simpler", "nicer"];
/// First words of a request that may stand alone before a colon.
const ALONE: [&str; 6] = ["check", "fix", "make", "put", "write", "expand"];
/// Minimum number of words of a text that stands on the line of its request, and of signs of a dense script.
const LEAST_MATTER: usize = 10;
const LEAST_DENSE: usize = 16;
/// The same in scripts without spaces.
const HANDS_OVER_DENSE: [&str; 12] =
    ["翻译", "把下面", "总结", "润色", "改写", "翻訳", "添削", "書き直", "要約", "번역", "교정", "다듬"];
/// Polite openings before such words.
const POLITE: [&str; 6] = ["please ", "can you ", "could you ", "bitte ", "kannst du ", "请"];
/// Maximum length of such a request, in bytes and words.
const REQUEST: usize = 120;
const FEW: usize = 12;
/// Headers of a mail; two in a row start one.
const HEADERS: [&str; 14] = [
    "From:", "To:", "Cc:", "Subject:", "Date:", "Sent:", "Von:", "An:", "Betreff:", "De:", "À:", "Objet:", "Para:",
    "Asunto:",
];
/// Beginnings of lines of a diff, and of a diff's first line.
const CHANGES: [&str; 11] =
    [" ", "+", "-", "@@", "\\", "diff ", "index ", "new file", "deleted file", "similarity ", "rename "];
const BEGINS: [&str; 2] = ["diff --git ", "@@ -"];
/// Headings of steps to reproduce a bug, and labels of their results.
const STEPS: [&str; 4] = ["steps to reproduce", "to reproduce", "how to reproduce", "repro steps"];
const RESULTS: [&str; 3] = ["expected", "actual", "observed"];
/// Words that show that instructions follow the colon, not material.
const HOW: [&str; 12] =
    ["rule", "like this", "follow", "order", "require", "regel", "règle", "regla", "规则", "要求", "ルール", "규칙"];
/// First words of a request that hands over a section of a document, and words for documents.
const INSERTS: [&str; 6] = ["add", "insert", "put", "append", "paste", "include"];
const PAGES: [&str; 7] = ["readme", "changelog", "docs", "documentation", "wiki", "document", "page"];
/// Beginnings of a last paragraph by which the user goes on.
const GOES_ON: [&str; 7] = ["also ", "and ", "please ", "do not ", "don't ", "then ", "bitte "];
/// Words for a text that is given to the letter.
const LETTERS: [&str; 2] = ["template", "wording"];
/// Ends of a sentence before another one.
const ENDS: [&str; 3] = [". ", "! ", "? "];
/// Pairs of quotation marks around a text.
const QUOTES: [(char, char); 4] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')];

/// The text without its material; `None` if it has none.
pub(super) fn without_material(text: &str) -> Option<String> {
    let handed = handed_over(text).map_or(Cow::Borrowed(text), Cow::Owned);
    let left = without_quiz(&handed).map_or(handed, Cow::Owned);
    let lines: Vec<&str> = left.lines().collect();
    let mut own = vec![true; lines.len()];
    leave_mail(&lines, &mut own);
    leave_change(&lines, &mut own);
    leave_steps(&lines, &mut own);
    leave_quotes(&lines, &mut own);
    leave_section(&lines, &mut own);
    leave_template(&lines, &mut own);
    leave_code(&lines, &mut own);
    leave_message(&lines, &mut own);
    leave_information(&lines, &mut own);
    leave_review(&lines, &mut own);
    if matches!(left, Cow::Borrowed(_)) && !own.contains(&false) {
        return None;
    }
    Some(lines.iter().zip(own).map(|(line, own)| if own { *line } else { "" }).collect::<Vec<_>>().join("\n"))
}

/// The request in a message that hands over a text after a colon: “Translate this to German: …”; with a last paragraph
/// behind the text in which the user goes on.
fn handed_over(text: &str) -> Option<String> {
    let start = text.trim_start();
    let (request, matter) = start.split_once([':', '：'])?;
    let lower = request.to_lowercase();
    let one = !request.contains('\n') && !contains_any(request, &ENDS);
    let brief = one && request.len() <= REQUEST && words(request) <= FEW;
    // Instructions may follow a colon too: on the same line, as a list, or named as such.
    let listed = |line: &str| line.trim_start().starts_with(['-', '*', '•']) || line.trim_start().starts_with("1.");
    let shows = brief && !tells_how(&lower) && !matter.lines().any(listed) && !matter.trim().is_empty();
    if !shows || matter.starts_with("//") || !hands_over(&lower, matter) {
        return None;
    }
    let end = text.len() - matter.len();
    let lines: Vec<&str> = matter.lines().collect();
    let last = if matter.starts_with(['\n', '\r']) { lines.len() } else { end_of_matter(&lines, 0, goes_on) };
    Some(format!("{}\n\n{}", &text[..end], lines[last..].join("\n")))
}

/// Whether a lower-case request hands over the text behind its colon.
fn hands_over(lower: &str, matter: &str) -> bool {
    let bare = without_polite(lower);
    let first = bare_words(bare).next().unwrap_or_default();
    let any = |list: &[&str]| bare_words(bare).any(|word| list.contains(&word));
    let names = any(&TEXTS) || any(&POINTS) && (HANDS_OVER.contains(&first) || OF_TEXTS.contains(&first));
    let names = match first {
        "make" => any(&BECOMES) || any(&IMPROVES) && any(&TEXTS),
        "put" => any(&["paragraphs", "sentences"]) && !any(&PAGES),
        "write" => ["paragraph", "sentence", "text", "essay"].iter().any(|text| bare.contains(&format!("this {text}"))),
        "check" | "fix" => any(&["grammar", "spelling", "wording"]) && (any(&TEXTS) || words(bare) <= BARE),
        _ if REPLIES.contains(&first) => any(MAILS),
        // “Improve the error message: …” tells what it must say.
        _ if any(&["email", "message", "response", "template"]) && !HANDS_OVER.contains(&first) => {
            names && any(&POINTS)
        }
        _ => names,
    };
    let alone =
        words(bare) == 1 && !ALONE.contains(&first) && !["check", "correct", "edit", "fix", "grade"].contains(&first);
    let dense = contains_any(bare, &HANDS_OVER_DENSE);
    if matter.starts_with(['\n', '\r']) {
        let dense = starts_any(bare, &HANDS_OVER_DENSE);
        let answers = REPLIES.contains(&first) && names;
        return HANDS_OVER.contains(&first) || answers || REWORDS.contains(&first) && (names || alone) || dense;
    }
    // On the same line, it must be a text, not an order.
    let long = words(matter) >= LEAST_MATTER || matter.chars().filter(|&char| is_dense(char)).count() >= LEAST_DENSE;
    let answers = REPLIES.contains(&first) && names;
    let rewords = (HANDS_OVER.contains(&first) || REWORDS.contains(&first)) && (names || alone) || answers;
    (rewords || dense) && long && !orders(matter.trim_start()) && !is_short_order(matter)
}

/// Whether a text begins with an order in lower case: “keep it formal, and …”.
fn is_short_order(matter: &str) -> bool {
    let first = matter.trim_start().split('\n').next().unwrap_or_default();
    matter.trim_start().starts_with(char::is_lowercase) && is_short_ban(first, usize::MAX)
}

fn without_polite(lower: &str) -> &str {
    POLITE.iter().fold(lower, |text, word| text.strip_prefix(word).unwrap_or(text))
}

/// The words of a line, in lower case and without signs.
fn bare_words(lower: &str) -> impl Iterator<Item = &str> {
    lower.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Excludes the section that a request puts into a document, from its heading on: “Add to the readme:”, “## Lamps”.
fn leave_section(lines: &[&str], own: &mut [bool]) {
    let Some(at) = lines.iter().position(|line| !line.trim().is_empty()) else { return };
    let lower = lines[at].trim().to_lowercase();
    let inserts = bare_words(without_polite(&lower)).next().is_some_and(|word| INSERTS.contains(&word));
    let is_page = |word: &str| PAGES.contains(&word) || word == "md";
    if lower.len() > REQUEST || !inserts || !bare_words(&lower).any(is_page) {
        return;
    }
    let heads = |line: &&str| line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
    let heading = lines[at + 1..].iter().position(heads).map(|heading| at + 1 + heading);
    // Rules and instructions are the user's own.
    if let Some(start) = heading.filter(|start| !says_how(lines[*start].trim_start_matches('#').trim())) {
        own[start..end_of_matter(lines, start, goes_on)].fill(false);
    }
}

/// Whether the user goes on in a line.
pub(super) fn goes_on(line: &str) -> bool {
    starts_any(&line.to_lowercase(), &GOES_ON)
}

/// Whether a lower-case lead tells how something is to be done.
fn tells_how(lower: &str) -> bool {
    contains_any(lower, &HOW)
}

/// Where the matter from line `at` on ends: before a last paragraph that addresses the agent.
fn end_of_matter(lines: &[&str], at: usize, addresses: impl Fn(&str) -> bool) -> usize {
    let last = lines.iter().rposition(|line| line.trim().is_empty()).map_or(lines.len(), |blank| blank + 1);
    let speaks = lines.get(last).is_some_and(|line| {
        line.starts_with(char::is_lowercase) || line.trim_end().ends_with(QUESTION_MARKS) || addresses(line)
    });
    if speaks && last > at { last } else { lines.len() }
}

/// Excludes the paragraph below a line that hands over a template: “Here is a better template:”
fn leave_template(lines: &[&str], own: &mut [bool]) {
    let hands = |line: &&str| {
        let line = line.trim();
        let lower = line.to_lowercase();
        let is_short = line.len() <= REQUEST && line.ends_with(':');
        is_short && !tells_how(&lower) && bare_words(&lower).any(|word| LETTERS.contains(&word))
    };
    let Some(at) = lines.iter().position(hands) else { return };
    let below = lines[at + 1..].iter().take_while(|line| !line.trim().is_empty()).count();
    own[at + 1..=at + below].fill(false);
}

/// Excludes the lines of a mail: from its headers to the end, except a last paragraph that addresses the agent.
fn leave_mail(lines: &[&str], own: &mut [bool]) {
    let heads = |line: &&str| starts_any(line, &HEADERS);
    let Some(at) = lines.windows(2).position(|two| two.iter().all(heads)) else { return };
    let headers = lines[at..].iter().take_while(|line| heads(line));
    if !headers.clone().any(|line| line.contains('@')) && headers.count() < 3 {
        return;
    }
    let alone = lines[..at].iter().all(|line| line.trim().is_empty());
    own[at..end_of_matter(lines, at, |line| alone && is_personal(line))].fill(false);
}

/// Excludes the lines of a diff: “@@ -1,2 +1,2 @@” and below.
fn leave_change(lines: &[&str], own: &mut [bool]) {
    let mut inside = false;
    for (line, own) in lines.iter().zip(own) {
        inside = starts_any(line, &BEGINS) || inside && starts_any(line, &CHANGES);
        *own &= !inside;
    }
}

/// Excludes the steps of a bug report, and its lines on expected and actual results.
fn leave_steps(lines: &[&str], own: &mut [bool]) {
    let lower = |line: &str| line.trim_start_matches(['#', '*', ' ']).to_lowercase();
    let heads = |line: &&str| line.len() <= REQUEST && starts_any(&lower(line), &STEPS);
    let Some(at) = lines.iter().position(heads) else { return };
    let mut listed = true;
    for (line, own) in lines[at + 1..].iter().zip(&mut own[at + 1..]) {
        let result = || {
            let label = lower(line);
            line.contains(':') && starts_any(&label, &RESULTS)
        };
        listed = listed && (without_marker(line.trim()).0 || line.trim().is_empty());
        *own &= !listed && !result();
    }
}

/// Excludes the lines of a quote (“> …”) and quoted paragraphs of several sentences, if there is other text.
fn leave_quotes(lines: &[&str], own: &mut [bool]) {
    let is_quote = |line: &&str| line.trim_start().starts_with("> ");
    if lines.iter().any(|line| !line.trim().is_empty() && !is_quote(line)) {
        lines.iter().zip(&mut *own).for_each(|(line, own)| *own &= !is_quote(line));
    }
    let mut at = 0;
    for paragraph in lines.split(|line| line.trim().is_empty()) {
        let (start, end) = (at, at + paragraph.len());
        at = end + 1;
        let (Some(first), Some(last)) = (paragraph.first(), paragraph.last()) else { continue };
        let (first, last) = (first.trim(), last.trim());
        let quoted = QUOTES.iter().any(|(open, close)| first.starts_with(*open) && last.ends_with(*close));
        let ends = paragraph.iter().flat_map(|line| ENDS.iter().map(|end| line.matches(*end).count())).sum::<usize>();
        let several = ends + paragraph.len() > 1;
        let beside = || lines[..start].iter().chain(&lines[end..]).any(|line| !line.trim().is_empty());
        if quoted && several && beside() {
            own[start..end].fill(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_material;

    fn own(text: &str) -> Option<Vec<String>> {
        let left = without_material(text)?;
        Some(left.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    #[test]
    fn what_a_user_shows_is_left_out() {
        for (text, left) in [
            (
                "Translate this to German:\n\nNever light the lamp.\nDo not touch the wick.",
                vec!["Translate this to German:"],
            ),
            (
                "From: Ada <ada@quay.example>\nSubject: oil\n\nDo not call before ten. Always knock.\n\nBest, Ada\n\ncan you answer?",
                vec!["can you answer?"],
            ),
            ("Answer this:\n\nFrom: ada@quay.example\nTo: me\n\nNever call me.\n\nAda", vec!["Answer this:"]),
            (
                "diff --git a/q.py b/q.py\n@@ -1,2 +1,2 @@\n def light():\n-    # must never block\n+    # always block\n\nis it right?",
                vec!["is it right?"],
            ),
            (
                "The lamp hangs.\nSteps to reproduce:\n1. Light it\n2. Never fill it\nExpected: it must stop.\nActual: it burns.\nmend it",
                vec!["The lamp hangs.", "Steps to reproduce:", "mend it"],
            ),
            ("\"Good keepers never sleep. They must wait.\"\n\nIs the tone right?", vec!["Is the tone right?"]),
            ("> Never light it by day.\nIs that so?", vec!["Is that so?"]),
            (
                "add to the readme and do not commit yet\n## Lamps\n\nA lamp must never burn by day.\n\nAlso never push it.",
                vec!["add to the readme and do not commit yet", "Also never push it."],
            ),
            (
                "Here is a better template :\nNo rain tomorrow!\nNever: 5 %\n\nDo not shorten it.",
                vec!["Here is a better template :", "Do not shorten it."],
            ),
            (
                "make this sound better: Overall, the harbour taught me that lamps shouldn't burn by day. It must be lit.",
                vec!["make this sound better:"],
            ),
            (
                "Please proofread and improve the email: Hi Ada, keepers must wait up to 20 minutes. We never bill the oil.",
                vec!["Please proofread and improve the email:"],
            ),
            (
                "Please answer this mail of a keeper:\n\nHi, you must send oil by Friday. Never call me again!\n\nAda",
                vec!["Please answer this mail of a keeper:"],
            ),
            (
                "rewrite: Hi Ada, the quay is a place for many boats, but there must be a lamp at its end.",
                vec!["rewrite:"],
            ),
            (
                "Please grade this student answer: Keepers should have tested all the lamps. Boats must never row alone.\n\nplease be strict",
                vec!["Please grade this student answer:", "please be strict"],
            ),
            (
                "Verbessere diesen Text: Der Hafen muss immer hell sein, damit kein Boot an der Mole strandet.",
                vec!["Verbessere diesen Text:"],
            ),
            (
                "Исправь текст: Каждый паром должен всегда гореть огнями, и никогда нельзя гасить лампу у причала.",
                vec!["Исправь текст:"],
            ),
            ("请帮我润色这段话：港口的灯必须一直亮着，任何船只都不得在夜间离开码头。", vec!["请帮我润色这段话："]),
            (
                "Put into 2 paragraphs:\nThe lamp must always burn.\nNobody may leave the quay.",
                vec!["Put into 2 paragraphs:"],
            ),
            (
                "refine this for the board:\n> The old lamp never burns.\nAlways lit at once.",
                vec!["refine this for the board:"],
            ),
        ] {
            assert_eq!(own(text), Some(left.into_iter().map(str::to_owned).collect()), "{text}");
        }
    }

    #[test]
    fn words_of_the_user_stay() {
        for text in [
            "Translate the board. Never touch the map: it is old.",
            "From: is the first column. Never drop it.",
            "Mend the lamp:\n- never light it twice\n- always fill it",
            "Add a lamp to the quay.\n## Rules\nNever light it twice.",
            "Mend the page of the readme.\n## Rules\nNever light it twice.",
            "Fill the template once. Never twice.",
            "Rules for the template:\n- never rename the fields\n- always keep the footer",
            "\"Never light it. Always fill it.\"",
            "> Never light it.\n> Always fill it.",
            "Rewrite src/lamp.rs:\n\nUse one loop. Never light it twice.",
            "Say \"never\" on the board. Always.",
            "Fasten the rope: never let go.",
            "Rewrite the loader: it must never block the harbour, and every lamp has to be lit at night.",
            "Rewrite this text: keep it formal, never use slang, and name all of the lamps of the harbour.",
            "Make this faster: the lamp must never be lit twice, and the ferry should not wait at the quay.",
            "Fix this: the lamp must never be lit twice, and the ferry should not wait for it at the quay.",
            "Write a lamp driver: it must always report its height, and nobody may ever set it by hand.",
            "please summarize the talk: never name the guests.",
            "Translate the readme with these rules:\n- never translate code\n- keep the links",
            "Translate the readme like this:\n\nNever translate code.",
            "Answer in one sentence:\n\nMust a lamp never be lit twice?",
            "From: a.sh\nTo: b.sh\nMove it. Never delete the old one.",
        ] {
            assert_eq!(own(text), None, "{text}");
        }
    }
}
