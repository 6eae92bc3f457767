//! Splits the Markdown text of a message into sentences, and classifies each sentence.
//!
//! The input is a text of the user or the agent. The output is its sentences in their own words, without code, tables
//! and logs. Sentences are classified by their words alone, with the lists in `words`.
//!
//! Splitting a text:
//! - `prose`: the sentences of a text; the entry point of this group.
//! - `splitting`, `abbreviated`: the sentences of a line; full stops that end none.
//! - `in_json`: the sentences of an agent that answers with JSON.
//! - `signs`: signs before the words of a line.
//! - `marked`: marks of what became of an item.
//! - `by_numbers`: answers to the points of a list by their numbers.
//! - `links`, `quoted`: replaces links by words; finds quoted text that is not the agent's own statement.
//! - `faults`: lists of what is wrong or was rejected, with their label.
//! - `headed`, `below_colon`, `above`: joins a rule, or a heading that forbids, with the list or the name below it, and
//!   a paragraph with the code above it that it refers to.
//! - `labeled`: an item that says nothing alone, with the label above it.
//! - `repeated`: items whose label several sections have, with the heading of their own.
//! - `flows`: the steps of a flow that is described, with its name.
//! - `compared`: items without a subject, with the compared thing that heads them.
//! - `structure`: lines that are not prose.
//! - `tables`: the rows of a small table as items of a list.
//! - `wording`: tells prose from code and data.
//! - `wrapping`: lines that were wrapped at a width.
//! - `proposals`: what only describes an option.
//! - `risks`: items below a label of risks or of a condition; `aimed`: of what is not done, or not true.
//! - `requested`: labels of what the agent asks for.
//! - `forbidding`: headings and labels that forbid what follows them.
//!
//! Classifying a sentence:
//! - `phrases`, `sieve`: find many phrases in one pass; texts and lines with one of many.
//! - `cues`: the kind of a sentence.
//! - `courteous`: apologies and agreements before what it has to say.
//! - `pointing`: orders that say nothing without the sentence before them.
//! - `planned`: the title, steps and limits of a plan.
//! - `points`: points of a plan, offered choices, and folders that have files.
//! - `next`, `doing`: what the agent does next, or at the moment; `decided`: changes that it announces with a reason.
//! - `denied`: what it says cannot be done, or was not found; `promised`: what it promises, or states behind a courtesy.
//! - `reported`: what only reports, in words of a ban; `musing`: what only supposes or muses; `hoped`: what the speaker
//!   expects or fears.
//! - `checked`: what the speaker wants to make sure of.
//! - `chatted`: what binds nobody in a chat: fragments, the speaker's own deeds, questions about a wording.
//! - `weighed`: headings with the weight of their part.
//! - `farewells`, `greetings`: thanks and goodbyes; greetings, and words that only announce a request.
//! - `bans`, `described`: bans by their form in more languages; what only describes in words of a ban.
//! - `rules`, `orders`, `routines`, `terms`, `personal`, `wanted`, `errands`, `reactions`, `hedged`: how strongly it is an
//!   instruction, and for how long.
//! - `remembered`: what was found out about the last sentences.
//! - `questions`: whether it asks; `drafted`: for a text.
//! - `state`, `unpushed`: the temporary state that it claims; work that is not committed, in more languages.
//! - `by_others`: a sentence in another agent's report.
//! - `green`: whether it says that all tests pass, and what it says besides.
//! - `said`: a sentence of the agent with its kind and the state it claims.
//! - `alone`: whether a plain sentence can stand alone.
//! - `consent`: whether a text asks for consent before it acts, and to which list.
//! - `offered`, `asking`, `proposed`: points and questions at the end of a text of the agent; what these propose.
//! - `announced`: the sentences behind “Found the root cause.”
//!
//! Joining sentences that mislead when they are alone:
//! - `halves`: the state before a change, with the state after it.
//! - `leaning`: a sentence with “this” or “it”, with the sentence that says what is meant.
//! - `siblings`: short sentences below one label.
//! - `setback`: a success, with the failure reported right after it.

mod abbreviated;
mod above;
pub(super) mod aimed;
pub(super) mod alone;
mod announced;
pub(super) mod asking;
mod bans;
mod below_colon;
mod by_numbers;
mod by_others;
pub(super) mod chatted;
mod checked;
mod compared;
pub(super) mod consent;
pub(super) mod courteous;
pub(super) mod cues;
mod decided;
pub(super) mod denied;
mod described;
mod doing;
pub(super) mod drafted;
pub(super) mod errands;
mod farewells;
pub(super) mod faults;
mod flows;
mod forbidding;
pub(super) mod green;
pub(super) mod greetings;
pub(super) mod halves;
pub(super) mod headed;
pub(super) mod hedged;
mod hoped;
pub(super) mod in_json;
pub(super) mod labeled;
pub(super) mod leaning;
pub(super) mod links;
pub(super) mod marked;
mod musing;
mod next;
pub(super) mod offered;
pub(super) mod orders;
mod personal;
pub(super) mod phrases;
pub(super) mod planned;
pub(super) mod pointing;
mod points;
pub(super) mod promised;
mod proposals;
pub(super) mod proposed;
pub(super) mod prose;
pub(super) mod questions;
pub(super) mod quoted;
mod reactions;
mod remembered;
mod repeated;
mod reported;
mod requested;
pub(super) mod risks;
mod routines;
pub(super) mod rules;
pub(super) mod said;
pub(super) mod setback;
mod siblings;
pub(super) mod sieve;
pub(super) mod signs;
pub(super) mod splitting;
pub(super) mod state;
pub(super) mod structure;
pub(super) mod tables;
mod terms;
mod unpushed;
mod wanted;
mod weighed;
mod wording;
mod wrapping;
