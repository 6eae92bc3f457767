//! Words of a user that make what follows last, or limit it, in more languages.

use super::Cues;

/// Cues of a lasting instruction, in all scripts.
pub(in crate::summary::extractive) const INSTRUCTION: &[Cues] = &[
    (
        4,
        &[
            "from here on",
            "from this point on",
            "henceforth",
            "ab sofort",
            "von jetzt an",
            "von nun an",
            "a partir de ahora",
            "de ahora en adelante",
            "désormais",
            "dorénavant",
            "à partir de maintenant",
            "d'ora in poi",
            "da ora in poi",
            "da adesso in poi",
            "a partir de agora",
            "de agora em diante",
            "daqui em diante",
            "od teraz",
            "od tej pory",
            "vanaf nu",
            "voortaan",
            "bundan sonra",
            "bundan böyle",
            "từ bây giờ",
            "từ giờ",
            "отныне",
            "с этого момента",
            "відтепер",
            "надалі",
            "이제부터",
            "从现在起",
            "从现在开始",
            "من الآن فصاعدا",
            "अब से",
        ],
    ),
    (
        3,
        &[
            "allergic to",
            "allergisch gegen",
            "allergique à",
            "alérgico a",
            "alérgica a",
            "allergico a",
            "allergica a",
            "going forward, please",
            "no quiero",
            "non voglio",
            "não quero",
            "nie chcę",
            "ich will kein",
            "ich will keine",
            "ich will keinen",
            "ich will nicht",
            "ich möchte kein",
            "ich möchte keine",
            "ich möchte keinen",
            "ik wil geen",
            "원하지 않",
            "لا تتصل",
            "لا تحذف",
            "لا تستخدم",
            "لا ترسل",
            "لا تلمس",
            "لا تغير",
        ],
    ),
];

/// Beginnings of an order that lasts.
pub(in crate::summary::extractive) const LASTS_ON: &[&str] =
    &["以后", "今后", "从现在", "今後", "これからは", "앞으로", "من الآن", "bitte nur "];
/// Such beginnings of what does not.
pub(in crate::summary::extractive) const LATER_ON: &[&str] =
    &["以后再", "以后的", "今后再", "今后的", "今後の", "bitte nur noch eine"];

/// Phrases that have the user asked first.
pub(in crate::summary::extractive) const ASKS_FIRST: &[&str] = &[
    "先问我",
    "先跟我确认",
    "先和我确认",
    "先征求我",
    "前に必ず確認",
    "前に確認して",
    "먼저 물어",
    "먼저 확인해",
    "pytaj mnie przed",
    "zapytaj mnie przed",
    "zapytaj mnie, zanim",
    "vraag het me voordat",
    "vraag het mij voordat",
    "vraag me voordat",
    "vraag het me eerst",
    "спрашивай меня перед",
    "спрашивай перед",
    "спроси меня перед",
    "сначала спроси",
    "önce bana sor",
    "demandez-moi avant",
    "pregúnteme antes",
    "pergunte-me antes",
    "me pergunte antes",
    "mi chieda prima",
    "hỏi tôi trước",
    "اسألني قبل",
    "मुझसे पूछ",
];

/// Beginnings of a limit, and phrases of one.
pub(in crate::summary::extractive) const LIMITS_TO: &[&str] = &[
    "höchstens",
    "maximal",
    "maximum",
    "max",
    "au maximum",
    "como máximo",
    "máximo",
    "no máximo",
    "al massimo",
    "massimo",
    "hoogstens",
    "maksymalnie",
    "najwyżej",
    "en fazla",
    "tối đa",
    "максимум",
    "不超过",
    "最多",
];
pub(in crate::summary::extractive) const WITHIN: &[&str] =
    &["не больше", "не более", "no más de", "pas plus de", "nicht mehr als", "不超过", "不得超过", "以内で", "이하로"];
