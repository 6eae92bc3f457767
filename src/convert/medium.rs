//! Media: reads the image, document or audio block of any known format, and writes it as a block of another.

use super::fields::{Fields, quoted};
use crate::format::json::{Json, Object};
use crate::transcript::Media;
use std::borrow::Cow;

/// One image, document or audio.
#[derive(Debug)]
pub(super) struct Medium<'t> {
    /// The kind of medium.
    pub(super) kind: Media,
    /// The content, if it could be found.
    pub(super) content: Option<Content<'t>>,
}

/// The content of a medium.
#[derive(Debug)]
pub(super) enum Content<'t> {
    /// Inline, in base64.
    Inline {
        /// Its media type.
        mime: Cow<'t, str>,
        /// The base64 data.
        data: Cow<'t, str>,
    },
    /// An address.
    Url(Cow<'t, str>),
}

impl<'t> Medium<'t> {
    /// Reads the medium in a block.
    pub(super) fn read(kind: Media, block: Json<'t>) -> Self {
        let fields = block.object().unwrap_or_default();
        Self { kind, content: in_source(&fields).or_else(|| in_data(&fields)).or_else(|| in_address(&fields)) }
    }

    /// The media in the content of a result, in order.
    pub(super) fn of_result(kinds: &[Media], content: Option<Json<'t>>) -> Vec<Self> {
        let blocks = content.and_then(Json::array).unwrap_or_default().into_iter();
        let is_medium = |block: &Json<'t>| {
            let kind = block.object().and_then(|fields| fields.text("type")).unwrap_or_default();
            ["image", "image_url", "input_image", "document", "audio", "file"].contains(&&*kind)
        };
        let mut blocks = blocks.filter(is_medium);
        let read = |kind: &Media| match blocks.next() {
            Some(block) => Self::read(*kind, block),
            None => Self { kind: *kind, content: None },
        };
        kinds.iter().map(read).collect()
    }

    /// The text that replaces a medium that can't be shown.
    pub(super) fn described(&self) -> &'static str {
        word(self.kind)
    }

    /// Whether it is an image with inline content or, if `urls`, at a web address.
    pub(super) fn is_image(&self, urls: bool) -> bool {
        self.kind == Media::Image
            && match &self.content {
                Some(Content::Inline { mime, .. }) => mime.starts_with("image/"),
                Some(Content::Url(url)) => urls && url.starts_with("http"),
                None => false,
            }
    }

    /// Its web address, or a `data:` URL with its content.
    pub(super) fn url(&self) -> String {
        match &self.content {
            Some(Content::Url(url)) => url.clone().into_owned(),
            Some(Content::Inline { mime, data }) => format!("data:{mime};base64,{data}"),
            None => String::new(),
        }
    }

    /// The block for Anthropic's API.
    pub(super) fn anthropic(&self) -> String {
        let source = match &self.content {
            Some(Content::Inline { mime, data }) => {
                Fields::new().text("type", "base64").text("media_type", mime).text("data", data)
            }
            _ => Fields::new().text("type", "url").text("url", &self.url()),
        };
        Fields::new().text("type", "image").raw("source", &source.done()).done()
    }

    /// The block for OpenAI's chat API.
    pub(super) fn openai(&self) -> String {
        format!(r#"{{"type":"image_url","image_url":{{"url":{}}}}}"#, quoted(&self.url()))
    }

    /// The block for a pi session.
    pub(super) fn pi(&self) -> String {
        let Some(Content::Inline { mime, data }) = &self.content else { return "{}".to_owned() };
        Fields::new().text("type", "image").text("data", data).text("mimeType", mime).done()
    }
}

/// The text that replaces a medium of a kind.
pub(super) fn word(kind: Media) -> &'static str {
    match kind {
        Media::Image => "[image]",
        Media::Document => "[document]",
        Media::Audio => "[audio]",
        Media::Other => "[media]",
    }
}

/// Content in Anthropic's `source`.
fn in_source<'t>(fields: &Object<'t>) -> Option<Content<'t>> {
    let source = fields.object("source")?;
    match source.text("data") {
        Some(data) => Some(Content::Inline { mime: source.text("media_type")?, data }),
        None => source.text("url").map(at),
    }
}

/// Base64 with a media type beside it: pi, goose, MCP, Gemini's `inlineData`, OpenTelemetry's blobs.
fn in_data<'t>(fields: &Object<'t>) -> Option<Content<'t>> {
    let inner = fields.object("inlineData");
    let fields = inner.as_ref().unwrap_or(fields);
    let data = fields.text("data").or_else(|| fields.text("content"))?;
    let mime = ["mimeType", "mime_type", "media_type"].iter().find_map(|key| fields.text(key))?;
    Some(Content::Inline { mime, data })
}

/// Content at an address: OpenAI's `image_url`, opencode's files, OpenTelemetry's URIs.
fn in_address<'t>(fields: &Object<'t>) -> Option<Content<'t>> {
    let nested = || fields.object("image_url").and_then(|inner| inner.text("url"));
    let plain = || ["image_url", "url", "uri", "image", "value"].iter().find_map(|key| fields.text(key));
    nested().or_else(plain).map(at)
}

/// The content of an address; a `data:` URL is inline content.
fn at(url: Cow<'_, str>) -> Content<'_> {
    let inline = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    match inline.map(|(mime, data)| (mime.to_owned(), data.to_owned())) {
        Some((mime, data)) => Content::Inline { mime: mime.into(), data: data.into() },
        None => Content::Url(url),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_known_in_the_words_of_every_format() {
        for block in [
            r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}"#,
            r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}"#,
            r#"{"type":"input_image","image_url":"data:image/png;base64,iVBO"}"#,
            r#"{"type":"image","data":"iVBO","mimeType":"image/png"}"#,
            r#"{"inlineData":{"mimeType":"image/png","data":"iVBO"}}"#,
            r#"{"type":"blob","modality":"image","mime_type":"image/png","content":"iVBO"}"#,
            r#"{"type":"file","mime":"image/png","url":"data:image/png;base64,iVBO"}"#,
        ] {
            let medium = Medium::read(Media::Image, Json::parse(block).unwrap());
            assert_eq!(medium.url(), "data:image/png;base64,iVBO", "{block}");
            assert!(medium.is_image(false));
        }
    }

    #[test]
    fn a_file_of_another_machine_is_no_image() {
        let medium = Medium::read(Media::Image, Json::parse(r#"{"type":"image","image":"a/b.png"}"#).unwrap());
        assert!(!medium.is_image(true));
        assert_eq!(medium.described(), "[image]");
    }
}
