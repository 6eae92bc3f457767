//! Full stops that end no sentence: those of abbreviations, initials and ordinal numbers.

use crate::summary::text::{all_digits, has_digit};

/// Abbreviations that always go on.
const ALWAYS: [&str; 44] = [
    "approx",
    "apto",
    "avda",
    "bzw",
    "bât",
    "ca",
    "cf",
    "d.h",
    "dipl",
    "dr",
    "dña",
    "dª",
    "e.g",
    "evtl",
    "exma",
    "exmo",
    "fig",
    "figs",
    "ggf",
    "i.e",
    "incl",
    "inkl",
    "mlle",
    "mme",
    "mr",
    "mrs",
    "p.ej",
    "prof",
    "resp",
    "sog",
    "sra",
    "srta",
    "univ",
    "vgl",
    "vs",
    "z.b",
    "zzgl",
    "кв",
    "просп",
    "тел",
    "тыс",
    "ул",
    "أ",
    "د",
];
/// The same before a name; in lower case they are words.
const BEFORE_NAME: [&str; 17] =
    ["Av", "Capt", "Col", "Gen", "Gov", "Lt", "MM", "Ms", "Mt", "Rev", "Sen", "Sig", "Sr", "St", "av", "sig", "v"];
/// Single letters before a name or in an address, and the words before them: “chez M. Môle”, “na R. Farol”.
const TITLES: [&str; 4] = ["D", "M", "R", "г"];
const BEFORE_TITLE: [&str; 27] = [
    "a", "appelez", "avec", "avisar", "chez", "con", "da", "de", "del", "e", "en", "et", "jamais", "na", "ni", "nunca",
    "ou", "par", "para", "pela", "por", "pour", "que", "y", "à", "в", "из",
];
/// Words before the initial of someone: “wrote to R. Pier”.
const BEFORE_INITIAL: [&str; 24] = [
    "and", "ask", "asked", "at", "by", "für", "for", "from", "mit", "of", "or", "per", "tell", "thank", "to", "told",
    "und", "via", "vom", "von", "with", "zu", "için", "от",
];
/// Words behind the name of someone, with which no sentence goes on behind its first word.
const BEHIND_NAME: [&str; 19] = [
    "about", "and", "as", "at", "by", "et", "for", "from", "in", "into", "of", "on", "or", "to", "und", "who", "whose",
    "with", "y",
];
/// Abbreviations before a number or a small letter; before a capital one they end a sentence.
const BEFORE_SMALL: [&str; 24] = [
    "approx", "hrs", "lbs", "max", "min", "oz", "std", "tbsp", "tsp", "ét", "г", "гг", "д", "кг", "км", "коп", "м",
    "млн", "млрд", "мин", "руб", "сек", "ч", "шт",
];
/// Small words that go on behind an abbreviation, though they may also begin a sentence.
const JOINS: [&str; 22] = [
    "after", "and", "as", "at", "but", "for", "from", "if", "in", "is", "on", "only", "or", "so", "that", "to", "when",
    "where", "which", "while", "who", "with",
];
/// Abbreviations before a number.
const BEFORE_NUMBER: [&str; 27] = [
    "abs", "art", "arts", "bd", "ch", "eq", "kap", "mind", "n", "no", "nos", "nr", "núm", "num", "op", "p", "pág",
    "pp", "rs", "sec", "secs", "str", "vol", "ziff", "§", "корп", "стр",
];
/// Months before a number: “Jan. 5”.
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec"];
/// Abbreviations that may also end a sentence.
const EITHER: [&str; 7] = ["al", "bros", "co", "corp", "dept", "inc", "ltd"];
/// The same of the rest of a list; before a small letter the sentence goes on.
const REST: [&str; 3] = ["bspw", "etc", "usw"];
/// German words before an ordinal number.
const BEFORE_ORDINAL: [&str; 17] = [
    "ab", "am", "beim", "bis", "das", "dem", "den", "der", "des", "die", "im", "oder", "seit", "und", "vom", "zum",
    "zur",
];
/// German weekdays, which may stand there, too.
const WEEKDAYS: [&str; 8] =
    ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag"];
/// German months.
const GERMAN: [&str; 12] = [
    "januar",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
];
/// German orders that begin a sentence behind a number: “Behalte die 5. Lösche den Rest.”
const ORDERS: [&str; 16] = [
    "ändere", "behalte", "behebe", "entferne", "fass", "führe", "gib", "lass", "lösch", "lösche", "mach", "nimm",
    "prüfe", "schreib", "starte", "zeig",
];
/// Words of a ban, and the number of first words of a sentence of which one may be so.
const BANS: [&str; 5] = ["always", "must", "never", "nicht", "niemals"];
const SOON: usize = 5;
/// First words of a sentence, in lower case.
const BEGIN: [&str; 111] = [
    "a", "after", "all", "also", "always", "an", "and", "any", "as", "at", "avoid", "because", "before", "both", "but",
    "can", "check", "commit", "create", "delete", "do", "don't", "each", "every", "finally", "first", "fix", "for",
    "from", "give", "he", "hence", "here", "how", "however", "i", "if", "in", "is", "it", "its", "keep", "later",
    "let", "make", "maybe", "my", "never", "next", "no", "not", "now", "on", "once", "only", "or", "our", "please",
    "put", "remove", "run", "she", "should", "since", "so", "some", "still", "stop", "that", "the", "their", "then",
    "there", "these", "they", "this", "those", "though", "thus", "to", "until", "update", "use", "we", "what", "when",
    "where", "which", "while", "who", "why", "with", "without", "write", "yes", "you", "your", "aber", "bitte", "dann",
    "danach", "das", "dein", "die", "dies", "er", "es", "ich", "nicht", "sie", "wir",
];
/// Longer ones.
const LINKS: [&str; 3] = ["meanwhile", "otherwise", "therefore"];

/// Whether the full stop between two texts ends no sentence.
pub(super) fn is_abbreviated(before: &str, after: &str) -> bool {
    let word = before.rsplit([' ', '(', '\'', '’', '“', '"', '/', '\u{a0}']).next().unwrap_or_default();
    let number = !word.is_empty() && before.len() == word.len() && all_digits(word);
    let is_any = |list: &[&str]| list.iter().any(|short| word.eq_ignore_ascii_case(short));
    let next = after.trim_start().split(' ').next().unwrap_or_default();
    // “No. I would keep it.” is one answer.
    number
        || is_initial(before, word, after) && next.starts_with(char::is_uppercase) && !begins(next) && !bans_soon(after)
        || before == "No"
        || is_any(&ALWAYS)
        || BEFORE_NAME.contains(&word) && !begins(next)
        || is_title(before, word) && next.starts_with(char::is_uppercase) && !begins(next) && !bans_soon(after)
        || is_any(&BEFORE_SMALL) && is_small(next)
        || (is_any(&BEFORE_NUMBER) || MONTHS.contains(&word)) && has_digit(next)
        || is_acronym(word) && is_code(word, next)
        || is_ordinal(before, word) && is_counted(next)
        || is_any(&REST) && !(next.starts_with(char::is_uppercase) && (begins(next) || bans_soon(after)))
        || (is_any(&EITHER) || has_stops(word)) && (is_small(next) || !begins(next) && !bans_soon(after))
        || is_letter(word) && is_chain(before, next) && !(begins(next) && next.starts_with(char::is_uppercase))
}

/// Whether a letter stands for the first name of someone, by what is around it: “sent to H. Pier (by mail)”, “Done, A.
/// Quay has it”, and neither “take plan B. Lamps …” nor “move it from A to B. Tests fail”.
fn is_initial(before: &str, word: &str, after: &str) -> bool {
    let lead = before[..before.len() - word.len()].trim_end();
    let last = lead.rsplit([' ', '\u{a0}']).next().unwrap_or_default();
    let opens = lead.is_empty() || lead.ends_with([',', ';', ':', '(']);
    let is_one = |word: &str| word != "I" && is_capital(word.trim_end_matches(','));
    // The first word may be an article.
    let of_several = lead.split(' ').skip(1).any(is_one);
    let (name, rest) = after.trim_start().split_once(' ').unwrap_or((after.trim(), ""));
    let ends = rest.is_empty() || name.ends_with(|end: char| !end.is_alphanumeric());
    let next = rest.split(' ').next().unwrap_or_default();
    let goes_on = ends || next.starts_with(['(', '–', '—']) || BEHIND_NAME.contains(&next);
    is_capital(word) && !of_several && (opens || BEFORE_INITIAL.contains(&last) && goes_on)
}

/// Whether a word is one capital letter.
fn is_capital(word: &str) -> bool {
    is_letter(word) && word.starts_with(char::is_uppercase)
}

/// Whether a letter is a title or of an address, by the word before it: “avec M. Môle”.
fn is_title(before: &str, word: &str) -> bool {
    let lead = before.rsplit([' ', '\u{a0}']).nth(1).map(str::to_lowercase).unwrap_or_default();
    TITLES.contains(&word) && BEFORE_TITLE.contains(&&*lead)
}

/// Whether a word is a number, or a small one that begins no sentence behind an abbreviation.
fn is_small(next: &str) -> bool {
    let bare = next.trim_matches(|char: char| !char.is_alphanumeric());
    let small = next.starts_with(char::is_lowercase) && (JOINS.contains(&bare) || !begins(next));
    small || next.starts_with(|char: char| char.is_ascii_digit())
}

/// Whether a word is of capitals alone: “HTTP”.
fn is_acronym(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Capitals before numbers that count nothing: “ISO 9001”.
const NUMBERED: [&str; 5] = ["DIN", "HTTP", "IEEE", "ISO", "RFC"];

/// Whether a word is a number that is no count of things behind these capitals: “404s”, “9001”.
fn is_code(before: &str, word: &str) -> bool {
    let word = word.trim_end_matches(|char: char| !char.is_alphanumeric());
    let rest = word.trim_start_matches(|char: char| char.is_ascii_digit());
    let digits = word.len() - rest.len();
    digits > 0 && rest == "s" || digits > 2 && rest.is_empty() && NUMBERED.contains(&before)
}

/// Whether a word is a usual first one of a sentence.
fn begins(word: &str) -> bool {
    let bare = word.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase().replace('’', "'");
    bare.is_empty() || BEGIN.contains(&&*bare) || LINKS.contains(&&*bare)
}

/// Whether a text begins with a capital letter and soon has a word of a ban: “Tests must never be skipped.”
fn bans_soon(after: &str) -> bool {
    let mut first = after.split_whitespace().take(SOON);
    let bare = |word: &str| word.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase();
    // “… before 3 p.m. Harbour time, never later”
    let names = after.split_whitespace().take(2).any(|word| word.ends_with(','));
    !names && after.trim_start().starts_with(char::is_uppercase) && first.any(|word| BANS.contains(&&*bare(word)))
}

/// Whether a word may follow an ordinal number: a month, a noun, or a further number.
fn is_counted(next: &str) -> bool {
    let bare = next.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase();
    let is_noun = next.starts_with(char::is_uppercase) && !begins(next) && !ORDERS.contains(&&*bare);
    // “Am 18. einen Termin”, “vor dem 18. an”
    let small = (is_small(next) || bare == "an") && !ORDERS.contains(&&*bare);
    is_noun || GERMAN.contains(&&*bare) || small
}

/// Whether a word is letters with full stops between them: “p.m”, “U.S”.
fn has_stops(word: &str) -> bool {
    word.contains('.') && word.split('.').all(is_letter)
}

fn is_letter(word: &str) -> bool {
    let mut all = word.chars();
    all.next().is_some_and(char::is_alphabetic) && all.next().is_none()
}

/// Whether the letter at the end of a text is one of several: “z. B.”, “J. R. Quay”.
fn is_chain(before: &str, next: &str) -> bool {
    let goes_on = next.strip_suffix(['.', ',']).is_some_and(|next| is_letter(next.trim_end_matches('.')));
    let above = before.rsplit(' ').nth(1).and_then(|above| above.strip_suffix('.'));
    goes_on || above.is_some_and(|above| is_letter(above.trim_start_matches('(')))
}

/// Whether a text ends with a number of a day or storey: “am 5. Juni”, “Freitag, 5. Juni”, “der 12. Kai”.
fn is_ordinal(before: &str, word: &str) -> bool {
    let lead = before.rsplit(' ').nth(1).map(str::to_lowercase).unwrap_or_default();
    (1..=2).contains(&word.len())
        && all_digits(word)
        && (BEFORE_ORDINAL.contains(&lead.trim_start_matches('(')) || WEEKDAYS.contains(&lead.trim_end_matches(',')))
}

#[cfg(test)]
mod tests {
    use super::super::prose::{sentences, typed};

    #[test]
    fn abbreviations_and_ordinals_end_no_sentence() {
        for whole in [
            "In Harbour v. Quay it was held that no lamp is needed.",
            "Die Frist der Fähre endet am 12. Juni um 18 Uhr.",
            "Es gilt bis zum 30. September im 3. Stock des Hafens.",
            "Der Termin ist am 12. und 13. Juli am Kai.",
            "Das steht in Abs. 2, gilt aber z. B. nicht für Nr. 7.",
            "Man nimmt z. B. Lampen aus Messing.",
            "See Fig. 3 and Sec. 4 of the report by J. Quay et al. (2019) for it.",
            "Voir l'art. L121 et p. 12 du contrat.",
            "La Sra. Muelle vive en la Av. Libertad núm. 12.",
            "Il sig. Molo ha pagato per l'art. 5 del contratto.",
            "The ferry leaves at 9 a.m. Eastern time from St. Mary.",
            "Acme Inc. was bought by Quay Ltd. Harbour in Jan. 2024.",
            "The lamp costs Rs. 500 at the quay.",
            "Mr. Pier and Prof. Mole of the Univ. Harbour met.",
            "The lamp burns (it is red. It is old, too) all night.",
            "Many lamps failed with HTTP. 404s came from the quay.",
            "The lamps keep to ISO. 9001 in all of the harbours.",
            "Never ring before 9 a.m. or after 6 p.m. on the pier.",
            "Only light it between 9 a.m. and 3 p.m. Harbour time, never later.",
            "Never load more than max. 2 lamps or fewer than min. 3 ropes.",
            "Always bill it to Quay Inc. and send it to Capt. Mole.",
            "Never burn more than 2 tbsp. of oil or 1 tsp. salt per lamp.",
            "Miete niemals Boote unter mind. 3 Metern oder 2 Std. für alle.",
            "Lösche die Lampe niemals vor dem 18. an der Mole.",
            "Ruf niemals vor dem 18. an und nie nach ca. 14 Uhr.",
            "Die Fähre hat am 18. einen Termin im Hafen.",
            "Die Fähre fährt am 3. oder 4. Oktober.",
            "Der Termin ist eingetragen: Freitag, 21. März, 17:15 Uhr, Kaiserstraße 77.",
            "N'appelez jamais M. Môle avant 9 h ni Mme Quai.",
            "Ne livrez jamais au 12 av. Phare, bât. B, sans appeler.",
            "Nunca llame a Dña. Marea ni a D. Muelle antes de las 9 a. m. por favor.",
            "Nunca ligue para a R. Farol n. 12 sem avisar o Exmo. Sr. Cais.",
            "Sent to H. Pier (thread t-55821): 180 € with the lamp.",
            "The lamp is pending with K. Quay, within 2 working days.",
            "Done, A. Mole gets the lamp on Monday at nine o'clock.",
            "I wrote to R. Pier and to S. Quay about the lamp of 40 €.",
            "Der Brief ging heute zurück, und zwar von M. Mole.",
            "وجدت مصباحين عند الميناء مع د. رنا يوم الأحد.",
            "Никогда не звоните на ул. Причальная, д. 5, тел. 555 до 9 ч. утра.",
            "Всегда пишите сумму в тыс. руб. и дату до 1 июля 2026 г. включительно.",
        ] {
            assert_eq!(sentences(whole), [whole]);
            assert_eq!(typed(whole), [whole]);
        }
    }

    #[test]
    fn what_looks_like_one_may_still_end_a_sentence() {
        for (text, last) in [
            ("The quay has 3. Then we all go.", "Then we all go."),
            ("We take plan B. Then we all go.", "Then we all go."),
            ("We mend the CI. 52 lamps burn now.", "52 lamps burn now."),
            ("It was made by Acme Inc. The lamps are red.", "The lamps are red."),
            ("The ferry comes at 5 p.m. Never paint the quay.", "Never paint the quay."),
            ("It is a work of art. Keep it as it is.", "Keep it as it is."),
            ("Die Lampe brennt seit dem 5. Das ist alles.", "Das ist alles."),
            ("The answer was no. Please light the lamp.", "Please light the lamp."),
            ("Streich die Kais usw. Fass die Lampen niemals an.", "Fass die Lampen niemals an."),
            ("We meet at 5 p.m. Lamps must never be lit.", "Lamps must never be lit."),
            ("Behalte die 5. Lösche niemals die anderen Karten.", "Lösche niemals die anderen Karten."),
            ("Use lamp v. Never touch the pier.", "Never touch the pier."),
            ("Turn it to the max. Then we leave the pier.", "Then we leave the pier."),
            ("wait 5 min. then leave the pier", "then leave the pier"),
            ("never mind. leave the pier", "leave the pier"),
            ("I got plan D. Lamps are red.", "Lamps are red."),
            ("We went from A to B. Then it rained.", "Then it rained."),
            ("Set the mode to X. Nothing else may change.", "Nothing else may change."),
            ("Port the lamp from C to D. Leave the tests alone.", "Leave the tests alone."),
            ("Never mix the steps A and B. Commits in the log stay.", "Commits in the log stay."),
            ("I moved the lamps to B. Tests fail with error 7.", "Tests fail with error 7."),
            ("Sort it by X and Y. Lamps and ropes stay.", "Lamps and ropes stay."),
            ("The row goes on to M. Therefore, it ends at M.", "Therefore, it ends at M."),
            ("It needs vitamin C. Doctors say so at the quay.", "Doctors say so at the quay."),
            ("Паром ушёл в 2026 г. Лампы у причала горят.", "Лампы у причала горят."),
            ("It goes to the U.S. Harbour maps must never be changed.", "Harbour maps must never be changed."),
        ] {
            assert_eq!(typed(text).last().map(String::as_str), Some(last), "{text}");
        }
    }
}
