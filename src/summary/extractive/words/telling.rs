//! Words of a user who tells something in words of a rule.

/// Phrases with a word of a rule that neither forbid nor demand anything.
pub(in crate::summary::extractive) const NO_RULE: &[&str] = &[
    "never mind",
    "i can't remember",
    "i do not have",
    "i do not know",
    "i do not remember",
    "i don't have",
    "i don't know",
    "i don't recall",
    "i don't remember",
    "i must have been",
    "it must have been",
    "there must have been",
    "i have to make sure",
    "i need to make sure i ",
    "i need to make sure that i ",
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

/// Words of a limit at the end of a line whose list is missing: “show only:”.
pub(in crate::summary::extractive) const ONLY: &[&str] =
    &["only", "apenas", "nur", "seulement", "solamente", "solo", "soltanto", "somente", "sólo", "uniquement", "только"];

/// Verbs behind “no” and the like with which a speaker tells of themselves: “no tengo …”.
pub(in crate::summary::extractive) const OF_SPEAKER: &[&str] =
    &["acho", "conozco", "creo", "encuentro", "lembro", "recuerdo", "sei", "tengo", "tenho", "vejo", "veo"];

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
pub(in crate::summary::extractive) const ATTRIBUTES: &[&str] = &["a very", "an", "an extremely", "a really", "some"];
pub(in crate::summary::extractive) const RULES: &[&str] =
    &["constraint", "detail", "limit", "note", "point", "requirement", "rule", "thing"];
