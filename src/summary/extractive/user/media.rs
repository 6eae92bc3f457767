//! The media of a request, which go with it: a summary only says how many there were. Lines that only name attached
//! files before the request.

use crate::summary::text::starts_any;
use crate::transcript::{Media, Message, PartKind};

/// The kinds of media, with what one and several are called.
const KINDS: [(Media, &str, &str); 4] = [
    (Media::Image, "image", "images"),
    (Media::Document, "document", "documents"),
    (Media::Audio, "recording", "recordings"),
    (Media::Other, "medium", "media"),
];

/// The media of a message in brackets, to be told behind its words: ` [2 images]`; empty if there are none.
pub(in crate::summary::extractive) fn shown(message: &Message<'_>) -> String {
    let count = |kind: Media| message.parts.iter().filter(|part| part.kind == PartKind::Media(kind)).count();
    let told = KINDS.iter().filter_map(|(kind, one, more)| match count(*kind) {
        0 => None,
        1 => Some(format!("1 {one}")),
        many => Some(format!("{many} {more}")),
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { String::new() } else { format!(" [{}]", told.join(", ")) }
}

/// Beginnings of a line in brackets that only names an attached file, in lower case.
const ATTACHED: [&str; 6] = ["[attached ", "[attachment", "[document: ", "[file: ", "[image: ", "[uploaded "];

/// The text behind its first lines that only name attached files: “[attached document: tides.pdf]”; all of a text that
/// has nothing else.
pub(super) fn behind_attachments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some((line, behind)) = rest.split_once('\n') {
        let lower = line.trim_end().to_lowercase();
        if !lower.ends_with(']') || !starts_any(&lower, &ATTACHED) {
            break;
        }
        rest = behind.trim_start();
    }
    if rest.is_empty() || rest.len() == text.trim_start().len() { text } else { rest }
}

#[cfg(test)]
mod tests {
    use super::behind_attachments;
    use crate::summary::builders::{part, user};
    use crate::summary::extractive::sections::goal::items;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::{Media, PartKind};

    #[test]
    fn files_named_before_a_request_are_not_what_it_asks_for() {
        let named = "[attached document: tides.pdf]\n[Attached image: quay.png]\n";
        assert_eq!(
            behind_attachments(&format!("{named}Mend the lamp.\n[file: a.txt]")),
            "Mend the lamp.\n[file: a.txt]"
        );
        for all in [named, "[tides]\nMend the lamp.", "[attached document: tides.pdf] Read it."] {
            assert_eq!(behind_attachments(all), all);
        }
    }

    #[test]
    fn a_request_is_told_with_the_number_of_its_media() {
        let mut asked = user("Compare the two piers, and say which one is longer.");
        asked.parts.extend([Media::Image, Media::Audio, Media::Image].map(|kind| part(PartKind::Media(kind), "")));
        let told = items(&turns(&[&asked], &[]), &[]).remove(0).text;
        assert_eq!(told, "Compare the two piers, and say which one is longer. [2 images, 1 recording]");
    }
}
