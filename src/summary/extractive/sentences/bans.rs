//! Bans and limits by their form, in more languages: “no more hints unless I ask”, “Testlere dokunma.”, “Non usate
//! creme.”, “Fass die Tests nicht an.”

use super::cues::begins_any;
use super::wanted::ends_in_ban;
use crate::summary::extractive::words::{
    BAN_STARTS, BEFORE_BIE, BEHIND_BIE, MEASURED, MOSTS, NOT_BEYOND, ONLY_AT, ONLY_DO, ONLY_IN, ORDERS_ONLY, REPORTING,
    SINCE, SUBJUNCTIVES, TELLING, TURKISH_OBJECTS, TURKISH_TELLS,
};
use crate::summary::text::{
    contains_any, each_word, ends_any, has_any, has_dense, has_digit, has_words, is_dense, starts_any, words,
};

/// Maximum number of words of a ban known by its form, of one known by its first word, and of a limit to a place.
const FEW: usize = 10;
const SHORT: usize = 8;
const BRIEF: usize = 5;
/// The same of a limit by number.
const LIMIT: usize = 4;
/// Maximum number of signs of such a ban in a script without spaces, and of one known by its first word.
const FEW_DENSE: usize = 24;
const SHORT_DENSE: usize = 10;
/// Words before a ban that belong to none.
const JOINTS: [&str; 27] = [
    "ok ",
    "ok, ",
    "okay, ",
    "and ",
    "but ",
    "pls ",
    "please ",
    "und ",
    "aber ",
    "bitte ",
    "y ",
    "pero ",
    "por favor, ",
    "e ",
    "ma ",
    "mas ",
    "et ",
    "mais ",
    "i ",
    "a ",
    "ale ",
    "и ",
    "но ",
    "а ",
    "та ",
    "але ",
    "en ",
];

/// Whether a lower-case sentence forbids or limits something by its form.
pub(super) fn forbids(lower: &str) -> bool {
    if lower.contains(['?', '？', '؟', '…']) || lower.ends_with([':', '：']) {
        return false;
    }
    if ends_in_ban(lower) {
        return true;
    }
    let text = JOINTS.iter().fold(lower, |text, joint| text.strip_prefix(joint).unwrap_or(text));
    let end = text.trim_end_matches(|char: char| !char.is_alphanumeric());
    let dense = text.chars().filter(|&char| is_dense(char)).count();
    if dense > 0 {
        return dense <= FEW_DENSE && (forbids_in_chinese(text) || begins_ban(text, dense) || is_limited(text, end));
    }
    if words(text) > FEW {
        return false;
    }
    let all: Vec<&str> = each_word(end).collect();
    in_english(text, &all)
        || in_german(end, &all)
        || in_italian(text, &all)
        || in_turkish(end, &all)
        || in_arabic(&all)
        || in_hindi(&all, end)
        || begins_ban(text, 0)
        || is_limited(text, end)
        || is_only(text, &all)
}

fn reports(all: &[&str]) -> bool {
    all.iter().any(|word| REPORTING.contains(word))
}

/// “Niente pubblicità.”, “Жодних знижок.”, but not “Niente da fare.”
fn begins_ban(text: &str, dense: usize) -> bool {
    let short = if dense > 0 { dense <= SHORT_DENSE } else { words(text) <= SHORT };
    let rest = BAN_STARTS.iter().find_map(|start| text.strip_prefix(start));
    let tells = |rest: &str| starts_any(rest, TELLING);
    let done = || {
        let found = each_word(text).any(|word| FOUND.contains(&word));
        let negates = contains_any(text, &[" не ", " nie "]) && !text.starts_with("тільки");
        let end = text.trim_end_matches(['。', '！']);
        found || negates || has_any(text, SINCE) || dense > 0 && end.ends_with('了')
    };
    let wishes = || {
        let verb = ["que no ", "que não ", "che non "].iter().find_map(|start| text.strip_prefix(start));
        verb.and_then(|rest| each_word(rest).next()).is_some_and(|verb| SUBJUNCTIVES.contains(&verb))
    };
    let starts = rest.is_some_and(|rest| rest.chars().any(char::is_alphanumeric) && !tells(rest));
    short && (starts && !done() || wishes())
}

/// Participles of a report.
const FOUND: [&str; 8] = ["gevonden", "hittades", "fundet", "funnet", "encontrado", "trovato", "trovata", "nalezeno"];

/// Words of a sentence with “is not to” that tells about a plan.
const PLANS: [&str; 15] = [
    "aim",
    "best",
    "goal",
    "idea",
    "intention",
    "it",
    "key",
    "plan",
    "point",
    "purpose",
    "reason",
    "that",
    "this",
    "trick",
    "way",
];
/// Verbs behind “is not to” that only tell.
const TELLS_OF: [&str; 5] = ["be", "blame", "mention", "say", "scale"];
/// Words behind “not the” that tell: “not the point”.
const NO_THINGS: [&str; 17] = [
    "best", "case", "cause", "end", "fault", "first", "issue", "kind", "one", "only", "point", "problem", "reason",
    "right", "same", "thing", "worst",
];
/// What is pointed at on a screen, rather than ruled out: “not the new button”.
const ON_SCREEN: [&str; 12] =
    ["button", "column", "error", "file", "icon", "line", "link", "menu", "page", "screen", "section", "tab"];
/// Words with which an exception of a ban begins.
const UNLESS: [&str; 14] = [
    " unless i ask",
    " unless i say",
    " unless i tell",
    " unless i want",
    " unless i request",
    " unless you ask",
    " unless asked",
    " unless told",
    " unless needed",
    " unless necessary",
    " unless absolutely",
    " until i say",
    " until i tell",
    " without asking",
];
/// Words of a report that begins like a ban.
const TOLD: [&str; 16] = [
    "are",
    "errors",
    "found",
    "idea",
    "is",
    "issue",
    "issues",
    "luck",
    "need",
    "news",
    "one",
    "problem",
    "problems",
    "questions",
    "was",
    "were",
];

/// First words of an order that may say behind it what is not meant, and words with which its object, its place and
/// what is not meant begin.
const CONTRASTED: [&str; 24] = [
    "base", "book", "build", "change", "charge", "commit", "deliver", "edit", "fix", "log", "mend", "merge", "push",
    "put", "run", "save", "send", "ship", "start", "store", "test", "text", "work", "write",
];
const DETERMINES: [&str; 18] = [
    "a", "an", "at", "by", "for", "from", "in", "into", "it", "my", "on", "our", "that", "the", "this", "through",
    "to", "with",
];

/// “Fix the code, not the test.”, “Text to my mobile please, not the landline”
fn contrasts(text: &str, all: &[&str]) -> bool {
    let [verb, object, ..] = all else { return false };
    let names = |rest: &str| {
        let first = each_word(rest).next().unwrap_or_default();
        first != "it" && DETERMINES.contains(&first) && (2..=BRIEF).contains(&words(rest))
    };
    let orders = CONTRASTED.contains(verb) && DETERMINES.contains(object) && !reports(all);
    orders && text.split_once(", not ").is_some_and(|(_, rest)| names(rest))
}

/// “He is not to take aspirin.”, “Not before 10, please.”, “nothing over 350”, “no more hints unless I ask”
fn in_english(text: &str, all: &[&str]) -> bool {
    let forbidden = all.windows(3).enumerate().any(|(at, three)| {
        let is = ["is", "are"].contains(&three[0]) && three[1..] == ["not", "to"];
        is && at > 0
            && !all[..at].iter().any(|word| PLANS.contains(word))
            && all.get(at + 3).is_some_and(|verb| !TELLS_OF.contains(verb))
    });
    let has_number = || has_digit(text) || all.contains(&"noon");
    let behind = |start: &str| text.strip_prefix(start);
    let when = || ["not before ", "not after "].iter().any(|start| behind(start).is_some()) && has_number();
    let thing = || {
        let named = behind("not the ").and_then(|rest| each_word(rest).next());
        words(text) <= BRIEF
            && named.is_some_and(|word| !NO_THINGS.contains(&word))
            && !reports(all)
            && !all.iter().any(|word| ON_SCREEN.contains(word))
    };
    let beyond = || {
        let rest = behind("nothing ");
        rest.is_some_and(|rest| begins_any(rest, NOT_BEYOND)) && has_number() && !reports(all)
    };
    let except = || {
        let rest = behind("no ").and_then(|rest| UNLESS.iter().find_map(|word| Some(rest.split_once(word)?.0)));
        rest.is_some_and(|named| !each_word(named).any(|word| TOLD.contains(&word)))
    };
    forbidden || when() || thing() || beyond() || except() || contrasts(text, all)
}

/// First words of a German statement, particles of its verbs, objects of an order, and verbs that need none.
const SUBJECTS: [&str; 18] = [
    "das", "dass", "dem", "den", "der", "die", "dies", "ein", "eine", "er", "es", "ich", "ihr", "man", "sie", "warum",
    "wenn", "wir",
];
const PARTICLES: [&str; 9] = ["ab", "an", "auf", "aus", "ein", "mit", "um", "weg", "vor"];
const OBJECTS: [&str; 16] = [
    "alles", "das", "dem", "den", "der", "die", "diese", "dieses", "ihn", "ihnen", "mein", "meine", "meinen", "mich",
    "sie", "unsere",
];
const HAPPENS: [&str; 8] = ["fängt", "geht", "gehen", "hört", "kommt", "kommen", "läuft", "springt"];
const UNWANTED: [&str; 6] = [
    " will ich nicht",
    " wollen wir nicht",
    " möchte ich nicht",
    " möchten wir nicht",
    " brauche ich nicht",
    " brauchen wir nicht",
];

/// “Fass die Tests nicht an.”, “Rosa will ich nicht.”
fn in_german(end: &str, all: &[&str]) -> bool {
    let unwanted = || {
        let wanted = UNWANTED.iter().find_map(|words| end.strip_suffix(words));
        wanted.is_some_and(|wanted| !["das", "es", "so"].contains(&wanted))
    };
    let parted = || {
        let [first, object, .., not, particle] = all else { return false };
        let orders = !SUBJECTS.contains(first) && !HAPPENS.contains(first) && OBJECTS.contains(object);
        orders && *not == "nicht" && PARTICLES.contains(particle) && !end.contains(',')
    };
    unwanted() || parted()
}

/// “Non usate creme.”, “Non pagare tu.”
fn in_italian(text: &str, all: &[&str]) -> bool {
    let [not, verb, ..] = all else { return false };
    let infinitive = ["are", "ere", "ire", "arlo", "arla", "arli", "arle", "armi", "erlo", "irlo"];
    let orders = ["ate", "ete", "ite", "atemi", "atelo", "ateli"];
    text.starts_with("non ")
        && *not == "non"
        && verb.chars().count() > 4
        && (ends_any(verb, &infinitive) || ends_any(verb, &orders))
        && *verb != "potete"
}

/// “Testlere dokunma.”, “Eski faturayı iptal etmeyin.”, “Kurye sabah gelmesin.”, “Sadece src klasörünü değiştir.”
fn in_turkish(end: &str, all: &[&str]) -> bool {
    let clauses = end.split([',', ';', '.', '!']).map(str::trim);
    let forbids = |clause: &str| {
        let mut words = each_word(clause).rev();
        let (last, before) = (words.next().unwrap_or_default(), words.next());
        let long = last.chars().count() > 4;
        let plural = ends_any(last, &["mayın", "meyin", "mayınız", "meyiniz"]);
        let third = ends_any(last, &["masın", "mesin", "masınlar", "mesinler"]);
        let is_turkish = end.contains(['ı', 'ş', 'ğ']);
        let object = before.is_some_and(|before| {
            ends_any(before, &["lere", "lara"]) || is_turkish && ends_any(before, TURKISH_OBJECTS)
        });
        let asks = ["yapma", "etme"].contains(&last) && before.is_some();
        long && (plural || third || ends_any(last, &["ma", "me"]) && (object || asks))
    };
    let only = || {
        let tells = all.last().is_none_or(|last| ends_any(last, TURKISH_TELLS));
        ["sadece", "yalnızca"].contains(&all[0]) && all.len() > 2 && !tells
    };
    clauses.filter(|clause| !clause.is_empty()).any(forbids) || !all.is_empty() && only()
}

/// Verbs of what something does not do: Arabic has the same form for them.
const ARABIC_TELLS: [&str; 17] = [
    "تقلق",
    "تعمل",
    "تظهر",
    "تفتح",
    "توجد",
    "تصل",
    "تستجيب",
    "تتوفر",
    "تكفي",
    "تزال",
    "تعرف",
    "تحتوي",
    "تتصل",
    "تتحرك",
    "تدعم",
    "تتم",
    "تنجح",
];

/// “لا تعملوا صورة”, “لا تغيّر الاختبارات”
fn in_arabic(all: &[&str]) -> bool {
    let [not, verb, ..] = all else { return false };
    *not == "لا" && verb.starts_with('ت') && (verb.ends_with("وا") || !ARABIC_TELLS.contains(verb))
}

/// “9 बजे से पहले फ़ोन न करें”, “प्याज़ के बिना”
fn in_hindi(all: &[&str], end: &str) -> bool {
    let at = all.len().checked_sub(2);
    let not = at.is_some_and(|at| all[at] == "न" && ends_any(all[at + 1], &["ें", "एँ", "एं", "ो", "ए", "ना"]));
    not || end.ends_with(" के बिना") && words(end) <= BRIEF
}

/// “九点以前别打电话”, “赤飯はいりません”
fn forbids_in_chinese(text: &str) -> bool {
    let bans = |(at, word): (usize, &str)| {
        let behind = text[at + word.len()..].chars().next();
        let before = text[..at].chars().next_back();
        let joins = before.is_some_and(|char| BEFORE_BIE.contains(&char));
        behind.is_some_and(|char| is_dense(char) && !BEHIND_BIE.contains(&char)) && !joins
    };
    let unneeded = || text.split_once("はいりません").is_some_and(|(thing, _)| !thing.contains('に'));
    text.match_indices('别').any(bans) || unneeded()
}

/// “最多90块”, “Tối đa 90 nghìn.”, “max 350 for the photographer”
fn is_limited(text: &str, end: &str) -> bool {
    let has = |phrase: &&&str| if has_dense(phrase) { text.contains(**phrase) } else { has_words(text, phrase) };
    let tells = || {
        let mut all = each_word(end);
        all.clone().next().is_some_and(|first| MEASURED.contains(&first)) || all.any(|word| REPORTING.contains(&word))
    };
    let by_number = |phrase: &&str| {
        let (before, behind) = text.split_once(*phrase).unwrap_or((text, ""));
        let near = behind.trim_start_matches([' ', '.', '$', '€', '£', '₹', '¥']);
        let starts = near.starts_with(|char: char| char.is_ascii_digit());
        starts && words(before) <= 1 || phrase.ends_with(" न")
    };
    let few = words(text) <= LIMIT || text.starts_with("max ") || text.contains(" न ");
    let short = few && words(text) <= SHORT && has_digit(text);
    short && MOSTS.iter().any(|phrase| has(&phrase) && by_number(phrase)) && !tells() && !text.contains(['，', ','])
}

/// “Nur auf Deutsch.”, “Pisz tylko po polsku.”, “استخدم العربية فقط”
fn is_only(text: &str, all: &[&str]) -> bool {
    let [first, second, ..] = all else { return false };
    let other = ["bare", "jen", "vain"].contains(first);
    let place = || !other && ONLY_IN.contains(first) && ONLY_AT.contains(second) && all.len() <= BRIEF && all.len() > 2;
    let orders = || ORDERS_ONLY.contains(first) && all[1..].iter().any(|word| ONLY_IN.contains(word));
    let does = || text.strip_prefix("chỉ ").is_some_and(|rest| begins_any(rest, ONLY_DO));
    !reports(all) && (place() || all.len() <= SHORT && (orders() || does()))
}

/// “Не трогай тесты.”, “Не чіпай тести.”
pub(super) fn forbids_in_slavic(lower: &str) -> bool {
    // The Ukrainian infinitive ends in “-тися”.
    let is_third = |verb: &str| verb.ends_with("ться") && lower.contains(['і', 'ї', 'є']);
    let verbs = each_word(lower).zip(each_word(lower).skip(1)).filter(|(not, _)| ["не", "ні"].contains(not));
    verbs.map(|(_, verb)| verb).any(|verb| is_slavic_order(verb) && !is_third(verb))
}

/// Whether a Russian or Ukrainian verb after “not” is a prohibition: an imperative or infinitive.
fn is_slavic_order(verb: &str) -> bool {
    let imperative =
        ends_any(verb, &["ай", "яй", "уй", "юй", "айте", "яйте", "уйте", "юйте", "ите", "ьте", "ушь", "ти"]);
    imperative || ends_any(verb, &["ать", "ять", "ить", "еть", "уть", "йся", "ться"])
}

#[cfg(test)]
mod tests {
    use super::super::rules::is_firm;

    #[test]
    fn bans_are_known_by_their_form_in_many_languages() {
        for ban in [
            "no more hints unless I ask",
            "He is not to take aspirin, the keeper said so.",
            "Not before 10 in the morning please.",
            "not the joint account",
            "nothing over 350 for the lamp",
            "max 350 for the lamp",
            "Testlere dokunma.",
            "Lambayı değiştirme.",
            "Lütfen push yapma.",
            "Eski faturayı iptal etmeyin.",
            "Kurye sabah gelmesin.",
            "Beyaz istemiyorum.",
            "Sadece src klasörünü değiştir.",
            "등대는 지우면 안 돼요.",
            "등대를 건드리면 안 됩니다.",
            "لا تعملوا صورة بدون إذني.",
            "لا تنسَ المصباح.",
            "استخدم العربية فقط.",
            "Non usate lampade senza chiedermi.",
            "Non pagare tu.",
            "Non chiamate il guardiano.",
            "Niente pubblicità, per favore.",
            "Mai di lunedì.",
            "Vietato chiamare.",
            "Solo in italiano.",
            "Non di mattina.",
            "Ni se te ocurra hacer push.",
            "Jamás uses la lámpara.",
            "Solo en español.",
            "Que no venga por la mañana.",
            "É proibido ligar.",
            "Só em português.",
            "Nem pense em dar push.",
            "Nur auf Deutsch.",
            "Finger weg von der Lampe.",
            "Redis will ich nicht.",
            "Die alten Lampen sollen nicht neu gebaut werden.",
            "Fass die Lampen nicht an.",
            "Anrufen verboten.",
            "Тільки не вранці.",
            "Жодних знижок.",
            "Не більше 90 гривень.",
            "Пиши лише українською.",
            "Никаких скидок.",
            "Пиши только по-русски.",
            "Żadnych zniżek.",
            "Pisz tylko po polsku.",
            "9 बजे से पहले फ़ोन न करें।",
            "कुल खर्च 2500 से ज़्यादा न हो।",
            "Tối đa 90 nghìn.",
            "Chỉ viết tiếng Việt.",
            "階段はだめです。",
            "赤飯はいりません。",
            "最多90块。",
            "九点以前别打电话。",
            "不用送货。",
            "Nooit op maandag bellen.",
            "Dat mag niet in de haven.",
            "Ring aldrig före nio.",
            "Du må ikke røre lampen.",
            "Älä koske lamppuun.",
            "To nesmíš měnit.",
            "Tilos a lámpához nyúlni.",
            "Este interzis să suni.",
            "Μην αγγίζεις τη λάμπα.",
            "אסור לגעת במנורה.",
            "نباید به چراغ دست بزنی.",
            "ห้ามแตะโคมไฟ",
        ] {
            assert!(is_firm(ban), "{ban}");
        }
    }

    #[test]
    fn what_only_tells_is_no_ban() {
        for told in [
            "The plan is not to sail today.",
            "not the point",
            "Not the same lamp.",
            "not the new session button.",
            "The build is not to blame for this crash.",
            "The harbour takes max 100 boats.",
            "I tried to set max 5 but it failed.",
            "Wir haben maximal 20 Gäste.",
            "Никаких писем не пришло.",
            "Жодного листа не прийшло.",
            "箱に全部はいりません。",
            "Niente mail da ieri.",
            "Pas d'internet depuis hier.",
            "Het pakket is nooit aangekomen.",
            "Paketet kom aldrig.",
            "Nothing over here.",
            "No problem unless it rains.",
            "Tarihe göre sıralama",
            "Kod inceleme",
            "Lamba yanmıyor.",
            "Sadece bir soru",
            "Sadece lamba bozuldu.",
            "لا تعمل المنارة.",
            "Non vedo la lampada.",
            "Niente da fare.",
            "Mai visto.",
            "Nessun problema.",
            "Que no funciona la lámpara.",
            "Solo en la prueba falla.",
            "Das Licht geht nicht an.",
            "Das will ich nicht.",
            "Nur auf dem Kai ist es hell.",
            "Никаких проблем.",
            "Жодних питань.",
            "Żadnych błędów.",
            "Geen probleem.",
            "箱にはいりません。",
            "这特别好。",
            "还有别的吗",
            "不用谢",
            "不用了",
            "Es dauert maximal 5 Minuten.",
            "Chỉ có một đèn.",
        ] {
            assert!(!is_firm(told), "{told}");
        }
    }
}
