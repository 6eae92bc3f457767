//! Media: what a block of any known format says about an image, so that it can be written as a block of another.

use super::fields::{Fields, quoted};
use crate::format::json::{Json, Object};
use crate::transcript::Media;
use std::borrow::Cow;

/// One image, document or sound.
#[derive(Debug)]
pub(super) struct Medium<'t> {
    /// What it is.
    pub(super) kind: Media,
    /// Where its content is, where that could be told.
    pub(super) content: Option<Content<'t>>,
}

/// Where the content of a medium is.
#[derive(Debug)]
pub(super) enum Content<'t> {
    /// Here, in base64.
    Inline {
        /// Its media type.
        mime: Cow<'t, str>,
        /// The bytes.
        data: Cow<'t, str>,
    },
    /// At this address.
    Url(Cow<'t, str>),
}

impl<'t> Medium<'t> {
    /// The medium that a block holds.
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

    /// The word that stands for it where it can't be shown.
    pub(super) fn described(&self) -> &'static str {
        match self.kind {
            Media::Image => "[image]",
            Media::Document => "[document]",
            Media::Audio => "[audio]",
            Media::Other => "[media]",
        }
    }

    /// It is an image whose content is here, or, if `urls`, at an address on the web.
    pub(super) fn is_image(&self, urls: bool) -> bool {
        self.kind == Media::Image
            && match &self.content {
                Some(Content::Inline { mime, .. }) => mime.starts_with("image/"),
                Some(Content::Url(url)) => urls && url.starts_with("http"),
                None => false,
            }
    }

    /// Its address: that on the web, or one that holds all of it.
    pub(super) fn url(&self) -> String {
        match &self.content {
            Some(Content::Url(url)) => url.clone().into_owned(),
            Some(Content::Inline { mime, data }) => format!("data:{mime};base64,{data}"),
            None => String::new(),
        }
    }

    /// The block that Anthropic's API takes.
    pub(super) fn anthropic(&self) -> String {
        let source = match &self.content {
            Some(Content::Inline { mime, data }) => {
                Fields::new().text("type", "base64").text("media_type", mime).text("data", data)
            }
            _ => Fields::new().text("type", "url").text("url", &self.url()),
        };
        Fields::new().text("type", "image").raw("source", &source.done()).done()
    }

    /// The block that OpenAI's chat API takes.
    pub(super) fn openai(&self) -> String {
        format!(r#"{{"type":"image_url","image_url":{{"url":{}}}}}"#, quoted(&self.url()))
    }

    /// The block of a pi session.
    pub(super) fn pi(&self) -> String {
        let Some(Content::Inline { mime, data }) = &self.content else { return "{}".to_owned() };
        Fields::new().text("type", "image").text("data", data).text("mimeType", mime).done()
    }
}

/// Columns of media in rows, one entry for each place in the texts: the column, the place, and the word that stands there
/// where the column goes.
pub(super) const COLUMNS: [(&str, &str, &str); 3] =
    [("images", "<image>", "[image]"), ("videos", "<video>", "[media]"), ("audios", "<audio>", "[audio]")];

/// Anthropic's `source`.
fn in_source<'t>(fields: &Object<'t>) -> Option<Content<'t>> {
    let source = fields.object("source")?;
    match source.text("data") {
        Some(data) => Some(Content::Inline { mime: source.text("media_type")?, data }),
        None => source.text("url").map(at),
    }
}

/// Base64 beside its media type: pi, goose, MCP, Gemini's `inlineData`, OpenTelemetry's blobs.
fn in_data<'t>(fields: &Object<'t>) -> Option<Content<'t>> {
    let inner = fields.object("inlineData");
    let fields = inner.as_ref().unwrap_or(fields);
    let data = fields.text("data").or_else(|| fields.text("content"))?;
    let mime = ["mimeType", "mime_type", "media_type"].iter().find_map(|key| fields.text(key))?;
    Some(Content::Inline { mime, data })
}

/// An address: OpenAI's `image_url`, opencode's files, OpenTelemetry's URIs.
fn in_address<'t>(fields: &Object<'t>) -> Option<Content<'t>> {
    let nested = || fields.object("image_url").and_then(|inner| inner.text("url"));
    let plain = || ["image_url", "url", "uri", "image", "value"].iter().find_map(|key| fields.text(key));
    nested().or_else(plain).map(at)
}

/// An address that holds its content is no address.
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
