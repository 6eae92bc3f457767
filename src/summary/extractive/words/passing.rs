//! What agents say in passing: plans, and what hangs on the sentence before.

/// What stands before what the agent is doing.
pub(in crate::summary::extractive) const NARRATES: &[&str] =
    &["i'm ", "i am ", "next i'm ", "next, i'm ", "we're ", "we are ", "now i'm "];

/// Verbs that a proposal begins with, and that begin nothing else.
pub(in crate::summary::extractive) const PROPOSES: &[&str] = &[
    "add",
    "allow",
    "avoid",
    "consider",
    "convert",
    "create",
    "delete",
    "detach",
    "disable",
    "enable",
    "ensure",
    "extract",
    "implement",
    "introduce",
    "keep",
    "make",
    "migrate",
    "prefer",
    "refactor",
    "remove",
    "rename",
    "replace",
    "rewrite",
    "wrap",
];

/// Verbs that are nouns as well, and what stands behind the verb alone.
pub(in crate::summary::extractive) const PROPOSES_WITH_OBJECT: &[&str] = &[
    "change", "check", "document", "drop", "fix", "merge", "move", "run", "set", "ship", "split", "store", "switch",
    "test", "update", "use", "verify",
];
pub(in crate::summary::extractive) const OBJECTS: &[&str] =
    &["a", "all", "an", "any", "each", "every", "it", "only", "that", "the", "these", "this", "those"];

/// What stands behind “still” where something is to be done.
pub(in crate::summary::extractive) const NEEDS: &[&str] = &["need", "needs", "wants", "have", "has"];

/// What a sentence begins with that goes on with another one.
pub(in crate::summary::extractive) const RESTS: &[&str] = &[
    "and", "as", "because", "but", "by", "for", "from", "in", "of", "or", "that", "to", "when", "where", "which",
    "while", "with",
];

/// First-person plans, wherever they stand; those that end in a blank are followed by a verb.
pub(in crate::summary::extractive) const INTENDS: &[&str] = &[
    "i'll",
    "i will",
    "i'm going to",
    "i am going to",
    "i'm about to",
    "we'll",
    "we will",
    "we're going to",
    "let me",
    "let's",
    "now add",
    "now fix",
    "now update",
    "now write",
    "now run",
    "now create",
    "now check",
    "next, add",
    "ich werde",
    "lass mich",
    "je vais",
    "nous allons",
    "voy a",
    "vamos a",
    "eu vou",
    "vou",
    "я буду",
    "собираюсь",
    "сейчас я",
    "я зараз",
    "zamierzam",
    "tôi sẽ",
    "mình sẽ",
    "让我",
    "我将",
    "我来",
    "我会",
    "我先",
    "我把",
    "接下来",
    "次に",
    "これから",
    "겠습니다",
    "할게요",
];

/// What a sentence begins with that says little without the one before it.
pub(in crate::summary::extractive) const DANGLING: &[&str] = &[
    "this",
    "it",
    "that",
    "these",
    "those",
    "they",
    "but",
    "so",
    "however",
    "dies",
    "das ist",
    "das war",
    "es ist",
    "aber",
    "cela",
    "ça",
    "c'est",
    "mais",
    "donc",
    "esto",
    "eso",
    "pero",
    "isto",
    "isso",
    "mas",
    "это",
    "но",
    "поэтому",
    "це",
    "але",
    "nhưng",
    "vậy",
    "这",
    "那",
    "但",
    "所以",
    "これ",
    "それ",
    "しかし",
    "でも",
    "이것",
    "그것",
    "하지만",
    "그래서",
];
