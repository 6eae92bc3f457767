//! The format `langchain`: messages of LangChain and LangGraph as their serializers write them: in the `messages` of a
//! state or row, as a bare array, or one per line.
//!
//! A message is an object with a `type` (`model_dump`), the same in a `data` with the type beside it
//! (`message_to_dict`, the stores of chat histories), or the `kwargs` of a constructor (`dumpd`); see
//! langchain-ai/langchain, `langchain_core/messages` and `load/serializable.py`. Calls are in `tool_calls`, with
//! arguments as an object; providers repeat them in the content and in `additional_kwargs`, which LangChain sends only
//! where `tool_calls` lacks them. Models of any provider may read the messages, and some take no system message among
//! the others, so a summary is a human's message, like the one that LangChain's own middleware writes.

mod frame;
mod read;
mod render;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;

use super::detect::Evidence;
use super::openai;
use super::shared::held::{Holder, array_at};
use super::shared::json::{Json, Object};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Traits, Transcript};
use frame::{Framed, is_message};

/// The `langchain` format.
pub(super) struct LangChain;

/// Paths of the fields that hold the messages: of a state or row, and of a state as LangGraph's server returns it.
const KEYS: [&str; 2] = ["messages", "values.messages"];

/// How its messages are stored.
const MESSAGES: Holder = Holder { keys: &KEYS, system: |_| None, is_message, is_request, columns: true };

impl Format for LangChain {
    fn name(&self) -> &'static str {
        "langchain"
    }

    fn layout(&self) -> Layout {
        Layout::PerLine
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        MESSAGES.layout(sample)
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let (rows, _) = sample.rows();
        let tells = |message: &Object<'_>| Framed::new(message).is_some_and(|framed| framed.tells());
        let own = rows.iter().any(|row| {
            let held = held(row);
            tells(row) || held.iter().any(tells) && !held.iter().any(is_of_another)
        });
        let messages = MESSAGES.are_messages(sample) && !(sample.elements.is_none() && may_be_log(rows));
        let found = own && (messages || sample.most_rows(is_request));
        let why = "messages of LangChain: a `type` of `human` or `ai`, or constructors of messages";
        found.then(|| Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits { user_summary: true, ..Traits::default() };
        let mut reader = read::Reader::new(source);
        let mut transcript = MESSAGES.read(source, (options, traits), &mut |_, value| reader.message(value))?;
        MESSAGES.complete_typed(&mut transcript);
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script, &MESSAGES.places(transcript))
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        openai::faults_of_typed(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        openai::mend(transcript, faults, script);
        Vec::new()
    }
}

/// The elements of a row's array of messages.
fn held<'a>(row: &Object<'a>) -> Vec<Object<'a>> {
    KEYS.iter().find_map(|key| array_at(row, key)).unwrap_or_default().into_iter().filter_map(Json::object).collect()
}

/// Whether a message has a class that LangChain does not know, such as AutoGen's `UserMessage`.
fn is_of_another(message: &Object<'_>) -> bool {
    !is_message(message) && message.has("content") && message.text("type").is_some_and(|kind| kind.ends_with("Message"))
}

/// Fields that logs have and messages have not.
const OF_LOGS: [&str; 6] = ["timestamp", "time", "ts", "level", "logger", "severity"];

/// Whether records may be of a log that calls its speakers like LangChain does: nothing in them is LangChain's alone,
/// and some are no messages, or have fields of logs.
fn may_be_log(rows: &[Object<'_>]) -> bool {
    let sure = |row: &Object<'_>| Framed::new(row).is_some_and(|framed| framed.is_langchains());
    let odd = |row: &Object<'_>| !(is_message(row) || is_request(row)) || OF_LOGS.iter().any(|key| row.has(key));
    !rows.iter().any(sure) && rows.iter().any(odd)
}

/// Whether an object is a state or row with messages of LangChain's.
fn is_request(row: &Object<'_>) -> bool {
    let messages = held(row);
    !messages.is_empty() && 2 * messages.iter().filter(|message| is_message(message)).count() >= messages.len()
}
