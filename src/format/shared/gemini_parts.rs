//! Parts of messages in Gemini's API (thoughts, content, tool calls with results), as stored by Gemini CLI, Qwen Code
//! and callers of the API.

use super::json::{Json, Object, quoted};
use super::part_edits::object;
use super::synthetic;
use crate::format::shared::slot;
use crate::transcript::{Change, Media, Part, PartKind, Patch, PatchKind, Shape};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Reads the parts of records; calls without an id get one made of name and number, as Gemini's own chat loader does.
pub(in crate::format) struct Reader<'a> {
    source: &'a [u8],
    names: HashMap<Cow<'a, str>, Cow<'a, str>>,
    calls: HashMap<Cow<'a, str>, usize>,
    results: HashMap<Cow<'a, str>, usize>,
}

impl<'a> Reader<'a> {
    /// Makes a reader for records within `source`.
    pub(in crate::format) fn new(source: &'a [u8]) -> Self {
        Self { source, names: HashMap::new(), calls: HashMap::new(), results: HashMap::new() }
    }

    /// Reads all parts of a Gemini CLI record. Calls and thoughts in its content are what is sent; copies of them
    /// beside it are not read twice.
    pub(in crate::format) fn read(&mut self, record: &Object<'a>) -> Vec<Part<'a>> {
        let content = record.get("content").map(|content| self.content(content)).unwrap_or_default();
        let called: HashSet<_> = content.iter().filter_map(call_id).map(ToOwned::to_owned).collect();
        let thinks = content.iter().any(|part| part.is_reasoning());
        let mut parts = Vec::new();
        for thought in record.array("thoughts").unwrap_or_default() {
            parts.push(if thinks { self.opaque(thought) } else { self.thought(thought) });
        }
        parts.extend(content);
        for call in record.array("toolCalls").unwrap_or_default() {
            self.tool_call(call, &called, &mut parts);
        }
        parts
    }

    /// Reads a content: a string, or an array of parts.
    pub(in crate::format) fn content(&mut self, content: Json<'a>) -> Vec<Part<'a>> {
        if let Some(text) = content.text() {
            let part = |text| self.part(PartKind::Text, text, content, Some((content, Shape::Text)));
            return if text.is_empty() { Vec::new() } else { vec![part(text)] };
        }
        content.array().unwrap_or_default().into_iter().map(|value| self.block(value)).collect()
    }

    fn block(&mut self, value: Json<'a>) -> Part<'a> {
        if let Some(text) = value.text() {
            return self.part(PartKind::Text, text, value, Some((value, Shape::Text)));
        }
        let fields = value.object().unwrap_or_default();
        if let Some(text) = fields.get("text").filter(|text| text.is_string()) {
            let words = text.text().unwrap_or_default();
            return match fields.is_true("thought") {
                true => {
                    let signature = either(&fields, ["thoughtSignature", "thought_signature"]).and_then(Json::text);
                    let signed = signature.is_some_and(|signature| !signature.is_empty());
                    self.part(PartKind::Reasoning { signed }, words, value, None)
                }
                false => self.part(PartKind::Text, words, value, Some((text, Shape::Text))),
            };
        }
        if let Some(call) = either(&fields, ["functionCall", "function_call"]).and_then(Json::object) {
            return self.call(&call, value);
        }
        if let Some(response) = either(&fields, ["functionResponse", "function_response"]).and_then(Json::object) {
            return self.response(None, &response, value);
        }
        match media(&fields) {
            Some(media) => self.part(PartKind::Media(media), Cow::Borrowed(""), value, None),
            None => self.opaque(value),
        }
    }

    fn thought(&self, value: Json<'a>) -> Part<'a> {
        let fields = value.object().unwrap_or_default();
        let texts: Vec<_> = ["subject", "description"].iter().filter_map(|key| fields.text(key)).collect();
        self.part(PartKind::Reasoning { signed: false }, Cow::Owned(texts.join("\n")), value, None)
    }

    fn call(&mut self, call: &Object<'a>, value: Json<'a>) -> Part<'a> {
        let name = call.text("name").unwrap_or_default();
        let id = call.text("id").unwrap_or_else(|| numbered(&mut self.calls, &name));
        self.names.insert(id.clone(), name.clone());
        let arguments = call.get("args");
        let text = Cow::Borrowed(arguments.map(Json::raw).unwrap_or_default());
        slot::part(PartKind::Call { id, name }, text, slot::arguments(self.source, value, arguments))
    }

    /// Reads an element of `toolCalls`: the call, unless the content already has it, and its result.
    fn tool_call(&mut self, value: Json<'a>, called: &HashSet<String>, parts: &mut Vec<Part<'a>>) {
        let fields = value.object().unwrap_or_default();
        let known = fields.text("id").is_some_and(|id| called.contains(&*id));
        if !known {
            parts.push(self.call(&fields, value));
        }
        let id = parts.last().filter(|_| !known).and_then(call_id).map(|id| Cow::Owned(id.to_owned()));
        let id = id.or_else(|| fields.text("id"));
        let Some(result) = fields.get("result") else { return };
        if result.is_string() {
            let text = result.text().unwrap_or_default();
            let kind = self.result(id.unwrap_or_default(), false, &text, Vec::new());
            parts.push(self.part(kind, text, value, Some((result, Shape::Text))));
            return;
        }
        let blocks: Vec<_> = result.array().unwrap_or_default().into_iter().filter_map(Json::object).collect();
        let Some(response) = blocks.iter().find_map(|block| block.object("functionResponse")) else { return };
        let mut part = self.response(id, &response, value);
        if let PartKind::Result { media: all, error, .. } = &mut part.kind {
            all.extend(blocks.iter().filter_map(media));
            *error |= fields.is("status", "error");
        }
        parts.push(part);
    }

    /// Reads a function response. The model reads its `output` or `error`, or else the whole object.
    fn response(&mut self, id: Option<Cow<'a, str>>, response: &Object<'a>, value: Json<'a>) -> Part<'a> {
        let name = response.text("name").unwrap_or_default();
        let id = id.or_else(|| response.text("id")).unwrap_or_else(|| numbered(&mut self.results, &name));
        let body = response.get("response");
        let fields = body.and_then(Json::object).unwrap_or_default();
        let string = |key: &str| fields.get(key).filter(|value| value.is_string());
        let error = !fields.has("output") && fields.has("error");
        let content = string("output").or_else(|| string("error"));
        let text = content.and_then(Json::text).or_else(|| body.map(|body| Cow::Borrowed(body.raw())));
        let text = text.unwrap_or_default();
        let nested = response.array("parts").unwrap_or_default().into_iter().filter_map(Json::object);
        let media = nested.filter_map(|part| media(&part)).collect();
        let kind = self.result(id, error, &text, media);
        let slot = content.map(|content| (content, Shape::Text)).or_else(|| body.map(|body| (body, Shape::Fixed)));
        self.part(kind, text, value, slot)
    }

    fn result(&self, id: Cow<'a, str>, error: bool, text: &str, media: Vec<Media>) -> PartKind<'a> {
        let tool = self.names.get(&id).cloned();
        PartKind::Result { id, tool, error, pruned: synthetic::is_stub(text), media }
    }

    fn opaque(&self, value: Json<'a>) -> Part<'a> {
        self.part(PartKind::Opaque, Cow::Borrowed(""), value, None)
    }

    fn part(
        &self,
        kind: PartKind<'a>,
        text: Cow<'a, str>,
        whole: Json<'a>,
        content: Option<(Json<'a>, Shape)>,
    ) -> Part<'a> {
        slot::part(kind, text, slot::within(self.source, whole, content))
    }
}

/// Markers around the contents of files named with `@`, which the CLI appends to the prompt.
const FILES: (&str, &str) = ("--- Content from referenced files ---", "--- End of content ---");

/// Makes the contents of referenced files opaque, so that only the text around them counts as the person's.
pub(in crate::format) fn set_files_aside(parts: &mut Vec<Part<'_>>) {
    let mut inside = false;
    for mut part in std::mem::take(parts) {
        if part.kind != PartKind::Text || !(inside || part.text.contains(FILES.0)) {
            parts.push(part);
            continue;
        }
        let pieces = pieces(&part.text, &mut inside);
        if pieces.iter().all(|(is_file, _)| *is_file) {
            part.kind = PartKind::Opaque;
            parts.push(part);
            continue;
        }
        let place = slot::fixed_at(part.slot.part.clone());
        parts.extend(pieces.into_iter().map(|(is_file, piece)| {
            let (kind, text) =
                if is_file { (PartKind::Opaque, piece) } else { (PartKind::Text, piece.trim().to_owned()) };
            slot::part(kind, Cow::Owned(text), place.clone())
        }));
    }
}

/// The non-blank pieces of a text, each with a flag whether it is file content.
fn pieces(text: &str, inside: &mut bool) -> Vec<(bool, String)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let found = rest.find(if *inside { FILES.1 } else { FILES.0 });
        let end = found.map_or(rest.len(), |at| if *inside { at + FILES.1.len() } else { at });
        let (piece, behind) = rest.split_at(end);
        if !piece.trim().is_empty() {
            pieces.push((*inside, piece.to_owned()));
        }
        *inside ^= found.is_some();
        rest = behind;
    }
    pieces
}

fn call_id<'p>(part: &'p Part<'_>) -> Option<&'p str> {
    match &part.kind {
        PartKind::Call { id, .. } => Some(id),
        _ => None,
    }
}

/// The synthesized id of the next call or response of a tool.
fn numbered<'a>(counts: &mut HashMap<Cow<'a, str>, usize>, name: &Cow<'a, str>) -> Cow<'a, str> {
    let count = counts.entry(name.clone()).or_default();
    *count += 1;
    Cow::Owned(format!("#{name} {count}"))
}

/// A field in the API's spelling, or in that of its Python library.
fn either<'a>(fields: &Object<'a>, spellings: [&str; 2]) -> Option<Json<'a>> {
    spellings.into_iter().find_map(|key| fields.get(key))
}

fn media(fields: &Object<'_>) -> Option<Media> {
    let data = || either(fields, ["inlineData", "inline_data"]).and_then(Json::object);
    let data = data().or_else(|| either(fields, ["fileData", "file_data"])?.object())?;
    let mime = either(&data, ["mimeType", "mime_type"]).and_then(Json::text).unwrap_or_default();
    Some(match mime.split('/').next() {
        Some("image") => Media::Image,
        Some("audio") => Media::Audio,
        _ if mime == "application/pdf" => Media::Document,
        _ => Media::Other,
    })
}

/// The patch that replaces a part's content by a stub or an excerpt; a response stays an object.
pub(in crate::format) fn replacement(part: &Part<'_>, change: &Change) -> Option<Patch> {
    let text = change.text()?;
    let (span, with) = match (&part.kind, part.slot.shape) {
        (PartKind::Media(_), _) => (&part.slot.part, format!(r#"{{"text":{}}}"#, quoted(text))),
        (_, Shape::Text) => (&part.slot.content, quoted(text)),
        (PartKind::Call { .. }, Shape::Json) => (&part.slot.content, object(text).to_owned()),
        (PartKind::Result { .. }, _) if !part.slot.content.is_empty() => {
            (&part.slot.content, format!(r#"{{"output":{}}}"#, quoted(text)))
        }
        _ => return None,
    };
    Some(Patch { span: span.clone(), with: with.into_bytes(), kind: PatchKind::Stub })
}
