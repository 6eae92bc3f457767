//! Words of a user who tells something in words of a rule.

/// Phrases with a word of a rule that neither forbid nor demand anything.
pub(in crate::summary::extractive) const NO_RULE: &[&str] = &[
    "never mind",
    "no input.",
    "i can't remember",
    "i should consider myself",
    "нельзя было",
    "i do not have",
    "i do not know",
    "i do not remember",
    "i don't have",
    "i don't know",
    "i don't recall",
    "i don't remember",
    "always seem",
    "i'm always ",
    "i am always ",
    "i've always ",
    "i must have been",
    "it must have been",
    "there must have been",
    "i have to make sure",
    "i need to make sure i ",
    "you prefer",
    "you would prefer",
    "you'd prefer",
    "i need to make sure that i ",
    "i need to make sure i'm ",
    "i just want to make sure i ",
    "i want to make sure i ",
    "i just want to make sure i'm ",
    "i want to make sure i'm ",
    "i'll make sure",
    "i will make sure",
    "we'll make sure",
    "i have to ask ",
    "i must ask my ",
    "ich muss erst ",
    "ich muss noch ",
    "ich muss leider ",
    "ich muss mal ",
    "ich muss zuerst ",
    "wir müssen erst ",
    "je dois d'abord ",
    "primero tengo que ",
    "primero debo ",
    "primeiro devo ",
    "prima devo ",
    "eerst moet ik ",
    "я должен сначала",
    "я должна сначала",
    "мне сначала надо",
    "мне сначала нужно",
    "ждать нельзя",
    "чекати не можна",
    "muszę najpierw",
    "我必须先",
    "我得先",
    "i believe i should",
    "i feel i should",
    "i think i should",
    "i'd like to mention",
    "i want to mention",
    "there was only",
    "there were only",
    "no quiero molestar",
    "non voglio disturbare",
    "não quero incomodar",
    "nie chcę przeszkadzać",
    "ich will nicht stören",
    "ich möchte nicht stören",
    "je ne veux pas déranger",
    "sempre lì",
    "solo che",
    "只是",
];

/// Beginnings of such a user with an adverb in them.
pub(in crate::summary::extractive) const I_REALLY_DONT: &[&str] = &[
    "i actually don't",
    "i also don't",
    "i currently don't",
    "i honestly don't",
    "i just don't",
    "i really don't",
    "i sadly don't",
    "i still don't",
    "i unfortunately don't",
];
/// The same without the adverb.
pub(in crate::summary::extractive) const I_DONT: &str = "i don't";

/// Beginnings of a sentence about what the speaker lacks, without its subject.
pub(in crate::summary::extractive) const DONT_KNOW: &[&str] = &[
    "don't know",
    "dont know",
    "don't remember",
    "dont remember",
    "don't recall",
    "do not know",
    "do not remember",
    "can't remember",
    "cant remember",
];
/// The same of a thing, and words for such things and where they are not.
pub(in crate::summary::extractive) const DONT_HAVE: &[&str] = &["don't have", "dont have", "do not have"];
pub(in crate::summary::extractive) const AT_HAND: &[&str] = &["handy", "with me", "on me", "at hand", "right now"];

/// Words for “never”, and verbs beside it that tell what was: German, French, Spanish and Portuguese.
pub(in crate::summary::extractive) const NEVER: &[&str] =
    &["nie", "niemals", "jamais", "nunca", "jamás", "nigdy", "никогда", "ніколи", "asla", "nooit", "aldrig", "aldri"];
pub(in crate::summary::extractive) const CAME: &[&str] = &[
    "kam",
    "kamen",
    "kriegte",
    "war",
    "waren",
    "wurde",
    "wurden",
    "ging",
    "gingen",
    "gab",
    "bekam",
    "bekamen",
    "hatte",
    "hatten",
    "wusste",
    "sah",
    "stand",
    "klappte",
    "funktionierte",
];
/// The same in Dutch, Swedish, Danish and Norwegian.
pub(in crate::summary::extractive) const KWAM: &[&str] = &[
    "kwam", "kwamen", "kreeg", "kregen", "werd", "heb", "heeft", "hebben", "had", "kom", "fick", "hade", "har", "såg",
    "fik", "havde", "fikk", "hadde", "ble", "blev",
];
pub(in crate::summary::extractive) const A_ETE: &[&str] = &[
    "a", "ai", "as", "ont", "avons", "avez", "avait", "est", "était", "n'a", "n'ai", "n'as", "n'ont", "n'avons",
    "n'avez", "n'est", "n'était", "n'avait", "l'ai", "l'a", "m'a", "m'ont", "t'ai",
];
pub(in crate::summary::extractive) const FUE: &[&str] = &[
    "fue", "fueron", "ha", "han", "he", "hemos", "había", "tuve", "tuvo", "vino", "hizo", "pude", "pudo", "foi",
    "foram", "veio", "teve", "tive", "fez", "recebi", "vi", "consegui",
];
/// Endings of such verbs behind “never” in Spanish, Portuguese, Polish, Russian, Ukrainian and Turkish.
pub(in crate::summary::extractive) const PAST: &[&str] = &[
    "ó", "aron", "ieron", "í", "ou", "eu", "iu", "aram", "eram", "iram", "ła", "ło", "ły", "ął", "ał", "ił", "ył",
    "ał", "ал", "ял", "ил", "ел", "ёл", "ала", "яла", "ила", "ела", "шла", "ало", "ило", "ело", "шло", "али", "или",
    "ели", "шли", "ав", "ив", "ів", "medi", "madı", "łem", "łam", "mediler", "madılar",
];
/// Auxiliary verbs of a German past, and participles behind “never” that forbid.
pub(in crate::summary::extractive) const HAS_BEEN: &[&str] =
    &["habe", "hab", "hast", "hat", "haben", "bin", "ist", "sind"];
pub(in crate::summary::extractive) const FORBIDDEN: &[&str] =
    &["gestattet", "gewünscht", "gewollt", "gefragt", "gebraucht", "gut", "erwünscht", "erlaubt"];

/// Participles behind “must have” that guess what was, whatever the subject.
pub(in crate::summary::extractive) const HAVE_BEEN: &[&str] = &[
    "gone",
    "left",
    "lost",
    "got",
    "gotten",
    "forgotten",
    "sent",
    "seen",
    "taken",
    "become",
    "misread",
    "misunderstood",
    "fallen",
    "happened",
    "slipped",
    "made",
    "come",
];
/// Subjects of such a guess with any participle.
pub(in crate::summary::extractive) const GUESSED: &[&str] = &["i", "he", "she", "someone", "somebody", "something"];
/// Words behind “that should be” that only judge.
pub(in crate::summary::extractive) const ENOUGH: &[&str] =
    &["enough", "fine", "ok", "okay", "it", "all", "everything", "plenty", "sufficient", "good", "easy", "alright"];
/// Words behind “it must be the” that demand something.
pub(in crate::summary::extractive) const EXACTLY: &[&str] =
    &["same", "first", "last", "exact", "default", "only", "latest", "full", "whole", "right", "one"];

/// Words of a limit at the end of a line whose list is missing: “show only:”.
pub(in crate::summary::extractive) const ONLY: &[&str] =
    &["only", "apenas", "nur", "seulement", "solamente", "solo", "soltanto", "somente", "sólo", "uniquement", "только"];

/// Verbs behind “no” and the like with which a speaker tells of themselves: “no tengo …”.
pub(in crate::summary::extractive) const OF_SPEAKER: &[&str] = &[
    "acho",
    "conozco",
    "consigo",
    "conseguimos",
    "creo",
    "encuentro",
    "entiendo",
    "lembro",
    "logro",
    "posso",
    "puedo",
    "recebi",
    "recibí",
    "recuerdo",
    "sei",
    "tengo",
    "tenho",
    "vejo",
    "veo",
];

/// Beginnings of thanks, and of clauses behind them that ask for nothing.
pub(in crate::summary::extractive) const THANKS: &[&str] = &[
    "thanks",
    "thank you",
    "many thanks",
    "danke für",
    "vielen dank für",
    "gracias por",
    "muchas gracias por",
    "grazie per",
    "obrigado por",
    "obrigada por",
];
pub(in crate::summary::extractive) const SPEAKS: &[&str] =
    &["i", "i'd", "i'll", "i'm", "i've", "it", "it's", "that", "that's", "you've", "you're"];

/// Words for what always happens, and verbs beside them with which they only tell that.
pub(in crate::summary::extractive) const ALWAYS: &[&str] = &["sempre", "siempre", "toujours", "immer"];
pub(in crate::summary::extractive) const HAPPENS: &[&str] = &[
    "appare",
    "compare",
    "dice",
    "dà",
    "esce",
    "fallisce",
    "ottengo",
    "resta",
    "restituisce",
    "ricevo",
    "rimane",
    "succede",
    "sussiste",
    "vedo",
    "aparece",
    "falla",
    "ocurre",
    "recibo",
    "sale",
    "sigue",
    "veo",
    "diz",
    "dá",
    "falha",
    "fica",
    "recebo",
    "vejo",
    "affiche",
    "dit",
    "donne",
    "échoue",
    "obtiens",
    "plante",
    "reçois",
    "reste",
    "bekomme",
    "bleibt",
    "erhalte",
    "kommt",
    "passiert",
    "sagt",
    "stürzt",
    "zeigt",
];
/// Those of them that order something at the beginning of a sentence.
pub(in crate::summary::extractive) const IMPERATIVES: &[&str] =
    &["affiche", "compare", "donne", "falla", "fica", "plante", "resta", "reste", "sigue"];
/// Words behind “you should have asked”.
pub(in crate::summary::extractive) const BLAMED_FOR: &[&str] =
    &["for", "her", "him", "it", "me", "on", "that", "the", "them", "this", "us"];
/// Words with which such a sentence demands something all the same.
pub(in crate::summary::extractive) const DEMANDS: &[&str] = &[
    "deve",
    "devi",
    "devono",
    "dovrebbe",
    "dev'essere",
    "voglio",
    "vorrei",
    "debe",
    "debes",
    "deben",
    "quiero",
    "devem",
    "quero",
    "doit",
    "dois",
    "doivent",
    "faut",
    "veux",
    "bitte",
    "muss",
    "musst",
    "müssen",
    "soll",
    "sollen",
    "sollte",
    "willst",
    "will",
];

/// The same in Chinese: what always happens, who it happens to, words behind it that only tell, and those that demand.
pub(in crate::summary::extractive) const ALWAYS_DENSE: &[&str] = &["总是", "始终", "总会", "永远"];
pub(in crate::summary::extractive) const WHO_DENSE: &[char] = &['我', '他', '她', '它', '们'];
pub(in crate::summary::extractive) const TELLS_DENSE: &[&str] =
    &["会", "觉得", "感到", "感觉", "怕", "控制", "报错", "出错", "失败"];
pub(in crate::summary::extractive) const DEMANDS_DENSE: &[&str] =
    &["请", "必须", "务必", "应该", "应当", "需要", "不要", "别", "不能", "不得", "希望", "你要", "要求"];
/// Beginnings and ends of a promise of the speaker.
pub(in crate::summary::extractive) const PROMISES_DENSE: &[&str] = &["我会", "我将", "我们会", "我一定"];
pub(in crate::summary::extractive) const PROMISED: &[&str] = &["게요", "을게", "할게"];

/// Words for an error, before the colon behind which it is quoted, and words before them that announce it.
pub(in crate::summary::extractive) const ERRORS: &[&str] = &[
    "error",
    "errors",
    "exception",
    "message",
    "warning",
    "errore",
    "errori",
    "messaggio",
    "fehler",
    "fehlermeldung",
    "meldung",
    "erreur",
    "erreurs",
    "mensaje",
    "erro",
    "erros",
    "mensagem",
    "ошибку",
    "ошибка",
    "błąd",
    "lỗi",
];
pub(in crate::summary::extractive) const ANNOUNCING: &[&str] = &[
    "an",
    "following",
    "the",
    "this",
    "with",
    "un",
    "questo",
    "questi",
    "seguente",
    "seguenti",
    "con",
    "diese",
    "diesen",
    "die",
    "den",
    "einen",
    "folgende",
    "folgenden",
    "cette",
    "une",
    "suivante",
    "este",
    "siguiente",
    "esse",
    "seguinte",
    "такую",
    "следующую",
    "taki",
    "następujący",
    "này",
];

/// Words before “important” if it belongs to a thing, and such things that are a rule.
pub(in crate::summary::extractive) const ATTRIBUTES: &[&str] = &[
    "a very",
    "an",
    "an extremely",
    "a really",
    "some",
    "have",
    "having",
    "expecting",
    "missing",
    "during",
    "several",
];
pub(in crate::summary::extractive) const RULES: &[&str] =
    &["constraint", "detail", "limit", "note", "point", "requirement", "rule", "thing"];
