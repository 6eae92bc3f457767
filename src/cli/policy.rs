//! Flags that set the policy, and the settings that come of preset, configuration, environment and flags.

use super::args::{Suggested, tokens};
use super::config::{configs, own};
use super::environment;
use super::flags::{FLAGS, Typed};
use super::templates;
use crate::batch::Override as FileOverride;
use crate::preset::{Layer, Merged, Mode, Origin, Override, SummarizerKind, When, layers_of, merge};
use crate::split::{ModelLimits, model_limits, tail_budget, usable};
use crate::summary::{DEFAULT_TEMPLATE, Template};
use anyhow::Context;
use clap::Args;
use std::path::PathBuf;

/// Flags of all commands that compact.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Policy")]
pub(super) struct PolicyArgs {
    /// The named policy (see `epitome presets`) [default: opencode]
    #[arg(long, value_name = "NAME", env = "EPITOME_PRESET")]
    pub(super) preset: Option<String>,
    /// A TOML file with settings, which override your own [default: epitome.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// The encoding to count tokens in, or an OpenAI model's name [default: o200k_base]
    #[arg(long, value_name = "NAME")]
    pub(super) tokenizer: Option<String>,
    /// Take the three limits below from this model
    #[arg(long, value_name = "NAME")]
    pub(super) model: Option<String>,
    /// The model's context window, such as 200000, 200k or 1M (all TOKENS can be written so); 0 is unlimited
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    pub(super) context_window: Option<u64>,
    /// The model's output limit
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    pub(super) output_limit: Option<u64>,
    /// The model's input limit
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    pub(super) input_limit: Option<u64>,
    /// Tokens of the context window to hold in reserve
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    pub(super) reserve: Option<u64>,
    /// Set the usable tokens directly, instead of computing them from the limits
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    pub(super) usable: Option<u64>,
    /// Upper bound for the tokens of a compacted transcript (such as 8k)
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    pub(super) max_tokens: Option<u64>,
    /// When to compact: `always`, or only on `overflow`
    #[arg(long, value_name = "WHEN")]
    #[arg(value_parser = Suggested(|| vec!["always", "overflow"]), hide_possible_values = true)]
    pub(super) when: Option<String>,
    /// Overflow is reached at this share of the usable tokens (0 to 1)
    #[arg(long, value_name = "SHARE")]
    pub(super) trigger: Option<f64>,
    /// Overflow is reached at this many tokens
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    pub(super) trigger_tokens: Option<u64>,
    /// Overflow is reached at this many messages
    #[arg(long, value_name = "N")]
    pub(super) trigger_messages: Option<u64>,
    /// Never prune tool outputs of the last N user turns
    #[arg(long, value_name = "N")]
    pub(super) protect_turns: Option<u64>,
    /// Never prune outputs of tools that match this glob (with `*` and `?`), besides those of the preset; can be
    /// repeated, or several with commas
    #[arg(long, value_name = "NAME")]
    protect_tool: Vec<String>,
    /// Carry at most this many tokens of protected tool outputs and of the newest command's prompt, verbatim, behind the
    /// summary
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    pub(super) protect_tokens: Option<u64>,
    /// Also prune outputs of failed calls
    #[arg(long)]
    pub(super) prune_errors: bool,
    /// Text that replaces a pruned output, with {tool} {id} {tokens} {lines} {chars} {path} {sha256} {head} {tail}
    /// {newer}
    #[arg(long, value_name = "TEXT")]
    pub(super) stub: Option<String>,
    /// Token budget of the tail
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    pub(super) tail_tokens: Option<u64>,
    /// Keep at least this many units in the tail
    #[arg(long, value_name = "N")]
    pub(super) min_tail: Option<u64>,
    /// What to do with one tool output that exceeds the tail's budget: `excerpt` or `keep`
    #[arg(long, value_name = "HOW")]
    pub(super) tail_oversize: Option<String>,
    /// How to summarize the head: `extractive` (offline), `llm` or `hybrid` (see Models), `frame` (one line per call),
    /// `note` (a fixed text), `drop` (remove the head without a summary), `none` (prune only)
    #[arg(long, value_name = "NAME")]
    pub(super) summarizer: Option<String>,
    /// Token budget of the summary; at most half of what it replaces
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    pub(super) summary_tokens: Option<u64>,
    /// Role of the summary's message: `auto`, `system`, `user` or `assistant`
    #[arg(long, value_name = "ROLE")]
    pub(super) summary_role: Option<String>,
    /// A Markdown file that replaces the summary's template
    #[arg(long, value_name = "FILE")]
    pub(super) template: Option<PathBuf>,
    /// Append a section to the template; can be repeated
    #[arg(long, value_name = "NAME")]
    section: Vec<String>,
    /// Allow a template without sections
    #[arg(long)]
    pub(super) free_form: bool,
    /// Append to each line of the summary the input line it comes from
    #[arg(long)]
    pub(super) provenance: bool,
    /// Where to put the continuation message: `auto`, `end`, `boundary`, `none`
    #[arg(long, value_name = "PLACE")]
    pub(super) continuation: Option<String>,
    /// Also add a continuation message where the agent had finished
    #[arg(long)]
    pub(super) continue_idle: bool,
    /// What to do with media of an unanswered message: `keep` or `describe`
    #[arg(long, value_name = "HOW")]
    pub(super) media: Option<String>,
    /// `rewrite` the file without its head, or `append` the format's own compaction record
    #[arg(long, value_name = "MODE")]
    pub(super) mode: Option<String>,
    /// Leave a transcript unchanged unless this share of its tokens is saved (0 to 1)
    #[arg(long, value_name = "SHARE")]
    pub(super) min_gain: Option<f64>,
    /// What to do with signed reasoning after the first edit: `auto`, `keep` or `strip`
    #[arg(long, value_name = "HOW")]
    pub(super) thinking: Option<String>,
    /// What to do with copies that only a user interface reads: `keep`, `stub` or `drop`
    #[arg(long, value_name = "HOW")]
    pub(super) ui_copies: Option<String>,
}

impl PolicyArgs {
    /// Nothing but a configuration file, or none.
    pub(super) fn of_config(config: Option<PathBuf>) -> Self {
        Self { config, ..Self::default() }
    }

    /// The name of the preset in force and all settings.
    pub(super) fn resolve(&self) -> anyhow::Result<(String, Merged)> {
        self.resolve_with(None)
    }

    /// The same, with a layer of flags that only some commands have.
    pub(super) fn resolve_with(&self, more: Option<Layer>) -> anyhow::Result<(String, Merged)> {
        self.resolve_all(more).map(|Resolved { preset, merged, .. }| (preset, merged))
    }

    /// The same, with the settings of files for which they differ.
    pub(super) fn resolve_all(&self, more: Option<Layer>) -> anyhow::Result<Resolved> {
        let configs = configs(self.config.as_deref())?;
        let base = configs.iter().rev().find(|config| config.base.is_some()).filter(|_| self.preset.is_none());
        let named = self.preset.clone().or_else(|| base?.base.clone());
        let preset = named.unwrap_or_else(|| "opencode".to_owned());
        let below = layers_of(&preset, &own(&configs));
        let below = match base {
            Some(config) => below.with_context(|| format!("{}: extends = \"{preset}\"", config.layer.origin))?,
            None => below?,
        };
        let mut above = if preset == "opencode-2026-01" { opencode_environment() } else { Vec::new() };
        above.extend(environment::layers());
        let stack = |above: &[Layer], own: Option<(usize, &Layer)>| {
            let mut layers = below.clone();
            for (at, config) in configs.iter().enumerate() {
                layers.push(config.layer.clone());
                layers.extend(own.filter(|own| own.0 == at).map(|(_, layer)| layer.clone()));
            }
            layers.extend_from_slice(above);
            layers
        };
        let protected = |above: &[Layer]| {
            let all = merge(&stack(above, None)).map_err(environment::typed);
            all.map(|all| all.settings.prune.protect_tools)
        };
        above.extend(environment::protecting(&protected(&above)?));
        let protected = protected(&above)?;
        above.push(self.flags(protected)?);
        above.extend(more);
        let merged = settle(&stack(&above, None))?;
        // What lies nearer to the data comes first, and the first that matches counts.
        let places = configs.iter().enumerate().rev();
        let differing = places.flat_map(|(at, config)| config.overrides.iter().map(move |one| (at, one)));
        let one = |(at, one): (usize, &Override)| {
            let is_glob = FileOverride::new(&one.pattern, ()).map(drop);
            is_glob.with_context(|| format!("{}: [[override]] match", one.layer.origin))?;
            Ok((one.pattern.clone(), settle(&stack(&above, Some((at, &one.layer))))?))
        };
        let overrides = differing.map(one).collect::<anyhow::Result<_>>()?;
        Ok(Resolved { preset, merged, overrides })
    }

    /// What was typed, as a layer; tools are protected beside these.
    pub(super) fn flags(&self, mut protected: Vec<String>) -> anyhow::Result<Layer> {
        let mut layer = Layer::new(Origin::Flag);
        for flag in FLAGS {
            let key = flag.key;
            match (flag.typed)(self) {
                Typed::Count(Some(count)) => {
                    layer.set(key, i64::try_from(count).with_context(|| format!("{key} = {count} is too large"))?);
                }
                Typed::Share(Some(share)) => layer.set(key, share),
                Typed::Text(Some(text)) => layer.set(key, text.into_owned()),
                Typed::Switch(true) => layer.set(key, true),
                Typed::Count(None) | Typed::Share(None) | Typed::Text(None) | Typed::Switch(false) => {}
            }
        }
        if !self.protect_tool.is_empty() {
            let names = self.protect_tool.iter().flat_map(|all| all.split(',').map(str::trim));
            protected.extend(names.filter(|name| !name.is_empty()).map(str::to_owned));
            layer.set("prune.protect-tools", protected);
        }
        if !self.section.is_empty() {
            layer.set("summary.sections", self.section.clone());
        }
        Ok(layer)
    }
}

/// All settings of a run.
pub(super) struct Resolved {
    /// The name of the preset.
    pub(super) preset: String,
    /// The settings.
    pub(super) merged: Merged,
    /// The settings of files that match a glob; the first that matches counts.
    pub(super) overrides: Vec<(String, Merged)>,
}

/// Layers as settings, with the limits of the model that they name.
pub(super) fn settle(layers: &[Layer]) -> anyhow::Result<Merged> {
    let mut merged = merge(layers).map_err(environment::typed)?;
    take_limits(&mut merged)?;
    check_limits(&merged)?;
    check_triggers(&merged)?;
    Ok(merged)
}

/// Whether a setting is not just that of the preset.
fn is_stated(merged: &Merged, key: &str) -> bool {
    merged.origins.get(key).is_some_and(|(_, origin)| !matches!(origin, Origin::Preset(_)))
}

/// Takes the limits of the model that is named, where nobody states others. Its input limit is one of its own windows
/// only.
fn take_limits(merged: &mut Merged) -> anyhow::Result<()> {
    let Some(name) = merged.settings.limits.model.clone() else { return Ok(()) };
    let keys = ["limits.context-window", "limits.output-limit", "limits.input-limit"];
    let [window, answer, own] = keys.map(|key| is_stated(merged, key));
    // A model that is not in the table needs none of its limits if they are stated.
    if window && answer {
        return Ok(());
    }
    let found = model_limits(&name).with_context(|| model_origin(merged, &name));
    let ModelLimits { context, output, input } = found?;
    let reached = merged.settings.limits.context_window;
    let input = input.filter(|input| !own && (!window || reached > *input));
    let taken =
        [(keys[0], Some(context).filter(|_| !window)), (keys[1], Some(output).filter(|_| !answer)), (keys[2], input)];
    let limits = &mut merged.settings.limits;
    for (key, value) in taken.into_iter().filter_map(|(key, value)| Some((key, value?))) {
        match key {
            "limits.context-window" => limits.context_window = value,
            "limits.output-limit" => limits.output_limit = value,
            _ => limits.input_limit = Some(value),
        }
        merged.origins.insert(key.to_owned(), (value.to_string(), Origin::Model(name.clone())));
    }
    Ok(())
}

/// Where the name of the model comes from, as an error begins.
fn model_origin(merged: &Merged, name: &str) -> String {
    match merged.origins.get("limits.model") {
        Some((_, Origin::Flag)) | None => format!("--model {name}"),
        Some((_, origin)) => format!("{origin}: limits.model = \"{name}\""),
    }
}

/// A trigger that somebody states counts: it is an error if every transcript is compacted anyway, unless that is
/// stated, too.
fn check_triggers(merged: &Merged) -> anyhow::Result<()> {
    const TRIGGERS: [&str; 3] = ["overflow.trigger", "overflow.trigger-tokens", "overflow.trigger-messages"];
    let idle = merged.settings.overflow.when == When::Always && !is_stated(merged, "overflow.when");
    if let Some(trigger) = TRIGGERS.iter().find(|key| idle && is_stated(merged, key)) {
        let trigger = trigger.trim_start_matches("overflow.");
        anyhow::bail!("{trigger} says when a transcript overflows, but all are compacted: add --when overflow");
    }
    Ok(())
}

/// Limits that leave no room are found before any file is read.
fn check_limits(merged: &Merged) -> anyhow::Result<()> {
    let limits = &merged.settings.limits;
    tail_budget(&usable(limits)?, &merged.settings.split, limits.max_tokens)?;
    let appends = merged.settings.output.mode == Mode::Append;
    anyhow::ensure!(
        !appends || !matches!(merged.settings.summary.by, SummarizerKind::None | SummarizerKind::Drop),
        "--mode append records a summary: it can't go with --summarizer none or drop"
    );
    Ok(())
}

/// The switches of opencode, in both spellings (OPENCODE section 1.9, seed `003…`). Only `true` and `1` count.
fn opencode_environment() -> Vec<Layer> {
    const SWITCHES: [(&str, &str); 4] = [
        ("OPENCODE_COMPACTION_DISABLED", "summary"),
        ("OPENCODE_DISABLE_AUTOCOMPACT", "summary"),
        ("OPENCODE_COMPACTION_PRUNE_DISABLED", "prune"),
        ("OPENCODE_DISABLE_PRUNE", "prune"),
    ];
    let on = |name: &&(&str, &str)| std::env::var(name.0).is_ok_and(|value| value == "true" || value == "1");
    let layers = SWITCHES.iter().filter(on).map(|(name, what)| {
        let mut layer = Layer::new(Origin::Environment((*name).to_owned()));
        match *what {
            "summary" => layer.set("overflow.auto", false),
            _ => layer.set("prune.policy", "off"),
        }
        layer
    });
    layers.collect()
}

/// The template in force.
pub(super) fn template(merged: &Merged) -> anyhow::Result<Template> {
    let summary = &merged.settings.summary;
    match (&summary.template, &summary.template_text) {
        (Some(path), _) => templates::read(path, &summary.sections, summary.free_form),
        (None, Some(text)) => Ok(Template::parse(text, &summary.sections, summary.free_form)?),
        (None, None) => Ok(Template::parse(DEFAULT_TEMPLATE, &summary.sections, false)?),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_model_is_told_with_its_origin_and_a_remedy() {
        let told = |origin: Origin| {
            let mut layer = Layer::new(origin);
            layer.set("limits.model", "lamp-9");
            let mut layers = layers_of("opencode", &[]).unwrap();
            layers.push(layer);
            format!("{:#}", settle(&layers).map(drop).unwrap_err())
        };
        let by_variable = told(Origin::Environment("EPITOME_MODEL".to_owned()));
        assert!(by_variable.starts_with("environment EPITOME_MODEL: limits.model = \"lamp-9\": "), "{by_variable}");
        let by_flag = told(Origin::Flag);
        assert!(by_flag.starts_with("--model lamp-9: unknown model `lamp-9`: state --context-window and"), "{by_flag}");
        assert!(by_flag.contains("or name one of claude, "), "{by_flag}");
    }
}
