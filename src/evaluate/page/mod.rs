//! The board as one HTML page that stands for itself: figures, tables, methods, and how to make it again. It loads
//! nothing, and the same run gives the same bytes.

mod figures;
mod methods;
mod scatter;
mod tables;

use super::board::{Board, Group};
use crate::report::grouped;
use std::fmt::Write;

/// What a page says besides the board: how it came about.
#[derive(Debug, Clone, Default)]
pub struct Setting {
    /// The command that made it, without paths that begin at the root.
    pub command: String,
    /// The version of epitome.
    pub version: String,
    /// What tokens are counted in.
    pub tokenizer: String,
    /// Cut where harnesses compacted, instead of at shares of the tokens.
    pub recorded: bool,
    /// Shorter transcripts were left out, in tokens.
    pub least_tokens: u64,
    /// Tokens of the summaries of baselines.
    pub summary_tokens: u64,
    /// That number counted for presets, too.
    pub same_budget: bool,
    /// Prices of a million tokens that a model reads and writes.
    pub price: Option<(f64, f64)>,
    /// Transcripts that could not be read.
    pub unread: u64,
    /// The presets among the policies.
    pub presets: Vec<Described>,
    /// Programs of others or models are among the policies.
    pub asks_others: bool,
    /// What programs of others failed at, where only the tail is left.
    pub failed: Vec<String>,
}

/// A preset as the page tells of it.
#[derive(Debug, Clone, Default)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// How true it is to the system that it is named after.
    pub fidelity: String,
    /// One line.
    pub description: String,
    /// Where its rules come from.
    pub source: String,
    /// The system that it is named after has a model write the summary.
    pub asks_model: bool,
}

impl Setting {
    fn preset(&self, name: &str) -> Option<&Described> {
        self.presets.iter().find(|preset| preset.name == name)
    }
}

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:118em;padding:0 1.5em;color:#1c1c1c}\
h1{font-size:1.7em;margin-bottom:.2em}h2{margin-top:2em;font-size:1.25em}p,li,dd{max-width:52em}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}\
caption{text-align:left;padding:.4em 0}th,td{padding:.22em .6em;text-align:right;white-space:nowrap}\
th{border-bottom:2px solid #777;vertical-align:bottom;font-weight:600}td{border-bottom:1px solid #e4e4e4}\
td.name,th.name{text-align:left;position:sticky;left:0;background:#fff}td.text,th.text{text-align:left}\
td.long{white-space:normal;min-width:24em}tr.own td{background:#eef5fb}tr.baseline td{color:#555}\
pre{background:#f5f5f5;padding:.8em;overflow-x:auto}.note{color:#555}dt{font-weight:600;margin-top:.4em}\
figure{margin:1em 0}figcaption{max-width:60em;font-size:14px}svg{max-width:100%;height:auto}\
@media print{body{margin:0}.wide{overflow:visible}}";

impl Board {
    /// The page.
    pub fn page(&self, setting: &Setting) -> String {
        let Some(all) = self.groups.first() else { return String::new() };
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>Compaction policies compared: {} policies, {} sessions</title>\n<style>{STYLE}</style>\n",
            all.rows.len(),
            all.sessions
        );
        out += &methods::head(self, all, setting);
        out += "<h2>Recall against tokens kept</h2>\n";
        out += &scatter::figure(all, setting);
        let _ = writeln!(out, "<h2>All cuts</h2>\n{}", tables::full(all, setting));
        let models = self.models();
        if !models.is_empty() {
            let _ = writeln!(out, "<p>What the models of this run did and cost:</p>\n<pre>{}</pre>", escaped(&models));
        }
        if !self.curves.is_empty() {
            out += "<h2>Recall at a given budget</h2>\n";
            out += &figures::curves(&self.curves);
            out += &tables::curves(&self.curves);
        }
        let strata: String = self.groups.iter().skip(1).map(|group| tables::short(group, setting)).collect();
        if !strata.is_empty() {
            let _ = writeln!(out, "<h2>By size and by format</h2>\n{strata}");
        }
        out + &methods::methods(self, setting)
            + &methods::presets(setting)
            + &methods::again(self, setting)
            + "</html>\n"
    }
}

/// Text as it may stand in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// How many cuts and sessions, in words.
fn size(group: &Group) -> String {
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    format!("{} of {}", plural(group.cuts, "cut"), plural(group.sessions, "session"))
}

/// A number that is not negative, without its fraction, with its thousands parted.
fn thousands(number: f64) -> String {
    grouped(number.round_ties_even() as u64)
}

#[cfg(test)]
mod tests;
