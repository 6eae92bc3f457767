//! The table of policy flags, which arguments, environment variables and errors are read by.

use super::args::tokens;
use super::policy::PolicyArgs;
use std::borrow::Cow;
use toml::Value;

/// A policy flag whose setting has one value.
pub(super) struct Flag {
    /// Its name, without dashes.
    pub(super) name: &'static str,
    /// Its setting.
    pub(super) key: &'static str,
    /// How a text becomes a value.
    pub(super) kind: Kind,
    /// What was typed.
    pub(super) typed: fn(&PolicyArgs) -> Typed<'_>,
}

/// How the text of an environment variable becomes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// As it is: a number in it is no number.
    Text,
    /// A count of tokens, which may have a unit.
    Tokens,
    /// A number, if it is one; else a word.
    Plain,
    /// On or off.
    Switch,
}

/// What was typed for a flag.
pub(super) enum Typed<'a> {
    Count(Option<u64>),
    Share(Option<f64>),
    Text(Option<Cow<'a, str>>),
    Switch(bool),
}

impl Kind {
    /// The value of a text; one that can't be read stays a text, for the error about the setting.
    pub(super) fn value(self, text: String) -> Value {
        let counted = match self {
            Self::Text => return text.into(),
            Self::Switch => return truth(&text).map_or(text.into(), Value::from),
            Self::Tokens => tokens(&text).ok().and_then(|count| i64::try_from(count).ok()),
            Self::Plain => None,
        };
        match (counted.or_else(|| text.parse().ok()), text.parse::<f64>()) {
            (Some(whole), _) => whole.into(),
            (None, Ok(number)) => number.into(),
            (None, Err(_)) => text.into(),
        }
    }
}

/// Whether a text switches something on.
pub(super) fn truth(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

const fn text(name: &'static str, key: &'static str, typed: fn(&PolicyArgs) -> Typed<'_>) -> Flag {
    Flag { name, key, kind: Kind::Text, typed }
}

const fn counted(name: &'static str, key: &'static str, typed: fn(&PolicyArgs) -> Typed<'_>) -> Flag {
    Flag { name, key, kind: Kind::Tokens, typed }
}

const fn plain(name: &'static str, key: &'static str, typed: fn(&PolicyArgs) -> Typed<'_>) -> Flag {
    Flag { name, key, kind: Kind::Plain, typed }
}

const fn switch(name: &'static str, key: &'static str, typed: fn(&PolicyArgs) -> Typed<'_>) -> Flag {
    Flag { name, key, kind: Kind::Switch, typed }
}

fn word(typed: &Option<String>) -> Typed<'_> {
    Typed::Text(typed.as_deref().map(Cow::Borrowed))
}

/// All flags with one value.
pub(super) const FLAGS: &[Flag] = &[
    text("tokenizer", "tokenizer", |args| word(&args.tokenizer)),
    text("model", "limits.model", |args| word(&args.model)),
    counted("context-window", "limits.context-window", |args| Typed::Count(args.context_window)),
    counted("output-limit", "limits.output-limit", |args| Typed::Count(args.output_limit)),
    counted("input-limit", "limits.input-limit", |args| Typed::Count(args.input_limit)),
    counted("reserve", "limits.reserve", |args| Typed::Count(args.reserve)),
    counted("usable", "limits.usable", |args| Typed::Count(args.usable)),
    counted("max-tokens", "limits.max-tokens", |args| Typed::Count(args.max_tokens)),
    plain("when", "overflow.when", |args| word(&args.when)),
    plain("trigger", "overflow.trigger", |args| Typed::Share(args.trigger)),
    counted("trigger-tokens", "overflow.trigger-tokens", |args| Typed::Count(args.trigger_tokens)),
    plain("trigger-messages", "overflow.trigger-messages", |args| Typed::Count(args.trigger_messages)),
    plain("protect-turns", "prune.protect-turns", |args| Typed::Count(args.protect_turns)),
    counted("protect-tokens", "prune.protect-tokens", |args| Typed::Count(args.protect_tokens)),
    text("stub", "prune.stub", |args| word(&args.stub)),
    counted("tail-tokens", "split.tail-tokens", |args| Typed::Count(args.tail_tokens)),
    plain("min-tail", "split.min-tail", |args| Typed::Count(args.min_tail)),
    plain("tail-oversize", "split.oversize", |args| word(&args.tail_oversize)),
    plain("summarizer", "summary.by", |args| word(&args.summarizer)),
    counted("summary-tokens", "summary.tokens", |args| Typed::Count(args.summary_tokens)),
    plain("summary-role", "summary.role", |args| word(&args.summary_role)),
    text("template", "summary.template", |args| {
        Typed::Text(args.template.as_ref().map(|path| path.display().to_string().into()))
    }),
    plain("continuation", "continuation.place", |args| word(&args.continuation)),
    plain("media", "continuation.media", |args| word(&args.media)),
    plain("mode", "output.mode", |args| word(&args.mode)),
    plain("min-gain", "output.min-gain", |args| Typed::Share(args.min_gain)),
    plain("thinking", "output.thinking", |args| word(&args.thinking)),
    plain("ui-copies", "output.ui-copies", |args| word(&args.ui_copies)),
    switch("prune-errors", "prune.errors", |args| Typed::Switch(args.prune_errors)),
    switch("free-form", "summary.free-form", |args| Typed::Switch(args.free_form)),
    switch("provenance", "summary.provenance", |args| Typed::Switch(args.provenance)),
    switch("continue-idle", "continuation.idle", |args| Typed::Switch(args.continue_idle)),
    // Commands that do not compact have this flag, too, and read it themselves.
    switch(REDACT, "output.redact", |_| Typed::Switch(false)),
];

/// The flag that masks credentials.
pub(super) const REDACT: &str = "redact";

/// Flags that can be repeated: their variables hold several values, parted by commas.
pub(super) const LISTS: [&str; 2] = ["protect-tool", "section"];

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};
    use std::collections::BTreeSet;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        policy: PolicyArgs,
    }

    #[test]
    fn every_policy_flag_stands_in_the_table_once() {
        let listed: Vec<&str> = FLAGS.iter().map(|flag| flag.name).chain(LISTS).collect();
        let known: BTreeSet<&str> = listed.iter().copied().chain(["preset", "config"]).collect();
        assert_eq!(known.len(), listed.len() + 2);
        let command = Only::command();
        let flags: BTreeSet<&str> = command.get_arguments().filter_map(clap::Arg::get_long).chain([REDACT]).collect();
        assert_eq!(known, flags);
    }

    #[test]
    fn what_is_typed_is_the_setting_of_its_row_and_no_other() {
        for Flag { name, key, kind, .. } in FLAGS.iter().filter(|flag| flag.name != REDACT) {
            let typed = if *kind == Kind::Switch { format!("--{name}") } else { format!("--{name}=1") };
            let layer = Only::parse_from(["epitome".to_owned(), typed]).policy.flags(Vec::new()).unwrap();
            let (section, setting) = key.split_once('.').unwrap_or(("", key));
            let table = layer.table.get(section).and_then(Value::as_table).unwrap_or(&layer.table);
            assert!(table.contains_key(setting) && table.len() == 1 && layer.table.len() == 1, "{name}: {table:?}");
        }
    }

    #[test]
    fn a_text_becomes_what_its_flag_takes() {
        let of = |kind: Kind, text: &str| kind.value(text.to_owned()).to_string();
        assert_eq!((of(Kind::Tokens, "8k"), of(Kind::Tokens, "many")), ("8000".into(), "\"many\"".into()));
        assert_eq!((of(Kind::Plain, "8k"), of(Kind::Plain, "0.5")), ("\"8k\"".into(), "0.5".into()));
        assert_eq!((of(Kind::Text, "7"), of(Kind::Switch, "1")), ("\"7\"".into(), "true".into()));
        assert_eq!(of(Kind::Switch, "perhaps"), "\"perhaps\"");
    }
}
