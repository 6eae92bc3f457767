//! The format `windsurf`: transcripts of Windsurf's Cascade, one step a line, which holds its data under the name of its
//! `type`.
//!
//! A step of a tool has no call of its own: what it was asked and what it gave stand side by side.

use super::log::{Log, Step, object_of, spelled};
use super::output::{self, Outcome};
use super::{Dialect, Sample};
use crate::format::json::{Json, Object, quoted};
use crate::format::slot::{self, part};
use crate::format::synthetic::user_author;
use crate::transcript::{Author, Class, Part, PartKind};
use std::borrow::Cow;

/// Steps in which somebody speaks.
const SPOKEN: [&str; 2] = ["user_input", "planner_response"];
/// The step of a tool of an MCP server, which names it.
const MCP: &str = "mcp_tool";

/// A transcript of Windsurf's.
pub(in crate::format) struct Windsurf;

impl Dialect for Windsurf {
    const NAME: &'static str = "windsurf";
    const WHY: &'static str = "steps that hold a key of their `type`";

    fn is(sample: &Sample<'_>) -> bool {
        sample.most_rows(|record| {
            let kind = record.text("type").unwrap_or_default();
            record.has(&kind) && (record.has("status") || SPOKEN.contains(&&*kind))
        })
    }

    fn record<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, _: Json<'a>) -> Class<'a> {
        let kind = fields.text("type").unwrap_or_default();
        let Some((value, inner)) = fields.get(&kind).and_then(|value| Some((value, value.object()?))) else {
            return if fields.has("status") { Class::Place } else { Class::Opaque };
        };
        match &*kind {
            "user_input" => {
                let parts: Vec<_> = words(log, &inner, &["user_response", "text"]).into_iter().collect();
                log.said(fields, user_author(&parts), parts)
            }
            "planner_response" => {
                let thought = ["thinking", "thought"].iter().find_map(|key| inner.get(key).filter(|it| it.is_string()));
                let thought = thought.map(|text| {
                    part(PartKind::Reasoning { signed: false }, spelled(text), slot::fixed(log.source(), text))
                });
                let said = words(log, &inner, &["response", "text"]);
                log.said(fields, Author::Model, thought.into_iter().chain(said).collect())
            }
            kind => {
                let step = acted(log, (kind, value), (fields, &inner));
                log.step(fields, step)
            }
        }
    }

    fn inner<'a>(fields: &Object<'a>) -> Option<Json<'a>> {
        fields.get(&fields.text("type")?)
    }

    fn new_record(_: &Object<'_>, text: &str) -> String {
        format!(r#"{{"status":"done","type":"user_input","user_input":{{"user_response":{}}}}}"#, quoted(text))
    }
}

fn words<'a>(log: &Log<'_, 'a>, inner: &Object<'a>, keys: &[&str]) -> Option<Part<'a>> {
    let text = keys.iter().find_map(|key| inner.get(key).filter(|text| text.is_string() && text.raw() != r#""""#))?;
    Some(part(PartKind::Text, spelled(text), slot::string(log.source(), text)))
}

/// What a tool was asked, and what it gave.
fn acted<'a>(
    log: &Log<'_, 'a>,
    (kind, value): (&str, Json<'a>),
    (fields, inner): (&Object<'a>, &Object<'a>),
) -> Step<'a> {
    let output = output::field(inner);
    let key = output.map(|(key, _)| key);
    let said = output.map_or_else(|| Outcome::nothing(log.whole().part), |(_, value)| Outcome::of(log.source(), value));
    let failed = fields.text("status").is_some_and(|status| ["error", "failed", "canceled"].contains(&&*status));
    let error = failed || inner.is_true("user_rejected");
    let result = Some(Outcome { error, status: output::exit(inner), ..said });
    if kind == MCP {
        let name = inner.text("tool_name").or_else(|| inner.text("name")).unwrap_or(Cow::Borrowed(MCP));
        let given = inner.get("arguments").or_else(|| inner.get("args"));
        let slot = slot::arguments(log.source(), value, given);
        return Step { name, arguments: given.map(spelled).unwrap_or_default(), slot, result };
    }
    let asked = inner.fields().iter().filter(|(name, _)| Some(&**name) != key);
    let (arguments, slot) = match key {
        None => (Cow::Borrowed(value.raw()), slot::arguments(log.source(), value, Some(value))),
        Some(_) => {
            let text = object_of(asked.map(|(key, value)| (&**key, value.raw())));
            (Cow::Owned(text), slot::fixed(log.source(), value))
        }
    };
    Step { name: Cow::Owned(kind.to_owned()), arguments, slot, result }
}
