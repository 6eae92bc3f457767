//! Word lists: cues of instructions, findings, finished steps, announcements and more.
//!
//! All entries are in lower case. Phrases match whole words; in scripts without spaces they match anywhere.

mod agent;
mod aimed;
mod amending;
mod apologies;
mod bans;
mod choices;
mod courtesies;
mod described;
mod drafts;
mod excluded;
mod faults;
mod greetings;
mod hoping;
mod lasting;
mod latin;
mod learned;
mod limits;
mod nods;
mod openings;
mod ordering;
mod partings;
mod passing;
mod personal;
mod plans;
mod remembering;
mod replacing;
mod revoking;
mod risks;
mod routine;
mod scripts;
mod softening;
mod standing;
mod styles;
mod talk;
mod telling;
mod tools;
mod user;
mod wanted;

pub(super) use agent::{DONE, DONE_STATES, DONE_VERBS, FINDING_LEAST, OF_THINGS, TICKS};
pub(super) use aimed::{AIM_ALONE, AIM_LAST, AIMS, REACHED};
pub(super) use amending::{
    AMENDS, CHANGES_THINGS, EARLY, EXCHANGED, EXCUSES, FORGETS, LATE, MEANT, NONSTOP, ONE_MORE, ONE_STOP, PREFERS,
    SECOND_THOUGHTS, STOPS_ON_WAY, TOLD_NOT_ORDERED, TRAVELS,
};
pub(super) use apologies::{ADMITS, AGREES, APOLOGIES, ASKS_FOR, CONCEDES, NOTES};
pub(super) use bans::{BAN_STARTS, ONLY_IN, ORDERS_ONLY, SUBJUNCTIVES, TELLING};
pub(super) use choices::{
    AGREE, ASKS_BRIEFLY, ASKS_MORE, DECLINES, GENERAL, GOES_ON_WITH, JOINING, LEADING, NAMING, OFFERS_MORE, ORDINALS,
    PICKED, TRAILING,
};
pub(super) use courtesies::{ANNOUNCED, FILLERS, OFFERED};
pub(super) use described::{DENSE_FAILS, DENSE_LASTS, DENSE_ORDERS, DENSE_STRESS, DWELLINGS, LIVES, WITHOUT};
pub(super) use drafts::{MAILS, REPLIES, REVISES, REWRITES, REWRITES_DENSE, TEXTS, TEXTS_DENSE, WRITES, WRITES_DENSE};
pub(super) use excluded::{LOOKS_FOR, NOT_BEYOND, NOT_DO, NOTHING_CAME, TURNS_TO_BAN};
pub(super) use faults::{FAULTS, OF_NO_USE, TRIED, UNTRUE, WRONG_NOW};
pub(super) use greetings::GREETINGS;
pub(super) use hoping::{
    ASKS_OF_AGENT, BEFALLS, BINDING, CLAUSE_ENDS, CLAUSE_LEADS, DENIED, EXPECTS, FARES, FEARS, HAD, HOPES, ILLS,
    IN_ORDER, KEPT_SO, ORDERED_BEHIND, OWED, SLIGHT, URGENT, WISHES_TO,
};
pub(super) use lasting::{
    ASKS_FIRST, COUNTED, CURRENCIES, FROM_NOW, LASTS_ON, LATER_ON, LIMITS_TO, OF_FROM_NOW, UNITS, WITHIN,
};
pub(super) use learned::{CAUSES, LEARNED};
pub(super) use limits::{
    BEFORE_BIE, BEHIND_BIE, MEASURED, MOSTS, ONLY_AT, ONLY_DO, REPORTING, SINCE, TURKISH_OBJECTS, TURKISH_TELLS,
};
pub(super) use nods::NODS;
pub(super) use openings::{AROUND_HELP, HELP_WANTED};
pub(super) use ordering::ORDERING;
pub(super) use partings::{COURTESIES, ENDINGS, FAREWELLS, THANKS_LAST, WANTS};
pub(super) use passing::{
    DANGLING, DONE_ALONE, INTENDS, LEADS_UP, LEANING, NARRATES, NEEDS, OBJECTS, OF_NOUNS, OTHERWISE, PROPOSES,
    PROPOSES_WITH_OBJECT, RESTS, STANDS_FOR_NOTHING, SUBJECTLESS, TELLS_OF_IT, TROUBLE,
};
pub(super) use personal::{ONLY_OF, ONLY_WITH, ONLY_WITHIN, WISHED};
pub(super) use plans::{ADDRESSES, AS_SAID, AS_WISHED, BUDGETS, CANNOT_DENSE, DAYS, DUE, NO_NAMES, OWN_DUTY, STYLES};
pub(super) use remembering::{AROUND_MEMORY, FOR_LATER, REMEMBERS, REMEMBERS_DENSE, TELLS_OF_MEMORY, WRITES_DOWN};
pub(super) use replacing::{
    AFTER_ALL, AFTER_HOUR, ANSWERING, AROUND_LIMITS, BEFORE_HOUR, BY_HOUR, FINE, FROM_HOUR, GIVES_WAY, HOURS, LIMITED,
    MORE, NAMED, REPLACES,
};
pub(super) use revoking::{ALLOWS, ANYTHING, DENSE_FORBIDS, EDITS, FORBIDS, NOT, NOW};
pub(super) use risks::{IF, RISKS};
pub(super) use routine::{EACH_TIME, RECORDING, RECORDS, ROUTINES, WHENEVER};
pub(super) use scripts::{ASKS, RULES_ANYWAY};
pub(super) use softening::{SOFTENED, SYMPATHIZES, WILL_DO};
pub(super) use standing::{
    AT_PRESENT, CLOSED, CONDITIONS, DOUBTS, FAILS, FOLDERS, GUESSES, HESITATES, JOB_STATES, LASTS, LASTS_SO_FAR,
    MAY_STAND, NEGATIONS, OF_BRANCHES, PARTLY, PASSED, PASSES, POSSIBLY, PRESENT_FORMS, RUNS, TESTS, TICKETS, TROUBLES,
    UNTOUCHED,
};
pub(super) use styles::{BRIEFLY, CANNOT_EAT, CITES, COURTEOUSLY, NO_FOOD, REPLIES_OF_STYLE, STYLED, UNABLE, UNFIT};
pub(super) use talk::{
    ACCOUNTS, ANSWERS, CONCLUDES, CONTRASTS, FOR_A_REASON, GOES_ON, IN_GENERAL, LISTS, MID_THOUGHT, OPENERS, ROLES,
    TAKES_BACK, TALKS_TO_ITSELF, THE_CAUSE, WOULD,
};
pub(super) use telling::{
    A_ETE, ALWAYS, ALWAYS_DENSE, ANNOUNCING, AT_HAND, ATTRIBUTES, BLAMED_FOR, CAME, DEMANDS, DEMANDS_DENSE, DONT_HAVE,
    DONT_KNOW, ENOUGH, ERRORS, EXACTLY, FORBIDDEN, FUE, GUESSED, HAPPENS, HAS_BEEN, HAVE_BEEN, I_DONT, I_REALLY_DONT,
    IMPERATIVES, KWAM, NEVER, NO_RULE, OF_SPEAKER, ONLY, PAST, PROMISED, PROMISES_DENSE, RULES, SPEAKS, TELLS_DENSE,
    THANKS, WHO_DENSE,
};
pub(super) use tools::{
    COMPLAINS, HARNESS_ERRORS, INTERPRETERS, LOOKING, NESTED, NOUNS, QUIET_GIT, QUIET_NAMES, QUIET_PROGRAMS,
    QUIET_TOOLS, RUNNERS, TOOL_SLIPS,
};
pub(super) use user::{
    BANS, DIRECT, INSTRUCTION_LEAST, JOINTS, MOMENTARY, NARROW, NO_BANS, NOT_TOLD, PLEAS, QUESTION_ENDS, QUESTION_LAST,
    QUESTIONS, SPEAKERS, STATES, SUBJECTS, VERBS,
};
pub(super) use wanted::{
    AT_MOST, CALLS, CALLS_DENSE, CALLS_ONLY, CALLS_WHOM, CHINESE_DIGITS, CIRCUMSTANCES, MOVES, NUMBERS, OF_OTHERS,
    OF_REPLY, QUALITIES, SAID_BY_OTHERS, SLEEPS, STATED,
};

/// Phrases and their strength. Languages: English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian,
/// Ukrainian, Turkish, Arabic, Hindi, Vietnamese, Chinese, Japanese, Korean.
pub(super) type Cues = (i64, &'static [&'static str]);

/// Cues of a user's lasting instruction, in all scripts.
pub(super) fn instruction() -> impl Iterator<Item = &'static Cues> {
    let lists =
        [latin::INSTRUCTION, scripts::INSTRUCTION, lasting::INSTRUCTION, personal::INSTRUCTION, bans::INSTRUCTION];
    lists.into_iter().flatten()
}

/// Cues of a finding, cause or decision, in all scripts.
pub(super) fn finding() -> impl Iterator<Item = &'static Cues> {
    latin::FINDING.iter().chain(scripts::FINDING).chain(learned::RESULTS)
}
