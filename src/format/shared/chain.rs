//! Messages in a list of which each names the one that it follows: new ones among them, and the links of those around
//! what goes and what comes.

use super::document::{Document, set_field, uuid};
use super::json::{Json, quoted};
use super::links::by_id;
use super::synthetic::turns;
use crate::transcript::{Class, EditScript, Patch, PatchKind, Role, Transcript};
use std::borrow::Cow;
use std::collections::HashMap;

/// What a format calls the fields of its chain.
pub(in crate::format) struct Names {
    /// The format, for the ids of new messages.
    pub(in crate::format) format: &'static str,
    /// The field with the id of the message that a message follows.
    pub(in crate::format) parent: &'static str,
    /// The field of the document with the id of the last message of what is shown, if there is one.
    pub(in crate::format) leaf: Option<&'static str>,
    /// What the first message follows, which is no message.
    pub(in crate::format) root: &'static str,
}

/// A new message.
pub(in crate::format) struct Fresh<'s> {
    /// Its id.
    pub(in crate::format) id: String,
    /// Who says it.
    pub(in crate::format) role: Role,
    /// What it says.
    pub(in crate::format) text: &'s str,
    /// The record before which it is placed.
    pub(in crate::format) before: usize,
    /// How many new messages stand from this one to that record.
    pub(in crate::format) left: usize,
    /// The message that it follows, if messages name that one.
    pub(in crate::format) parent: Option<String>,
}

/// The new messages of a script among `records`, in the order of their places; `id` returns the id of a record.
pub(in crate::format) fn fresh<'s, 'i>(
    format: &str,
    (records, id): (usize, &dyn Fn(usize) -> Option<&'i str>),
    script: &'s EditScript,
) -> Vec<Fresh<'s>> {
    let mut all = Vec::new();
    for insert in &script.inserts {
        let before = insert.before.min(records);
        let beside = id(before).unwrap_or_default();
        let said = turns(&insert.kind).into_iter();
        let count = said.len();
        for (number, (role, text)) in said.enumerate() {
            let id = uuid(&[format, beside, &all.len().to_string(), text]);
            all.push(Fresh { id, role, text, before, left: count - number, parent: None });
        }
    }
    all.sort_by_key(|fresh| fresh.before);
    all
}

/// The links between messages after an edit.
pub(in crate::format) struct ParentList<'r, 'a> {
    names: &'static Names,
    document: &'r Document<'a>,
    /// The messages in the order in which they were said.
    pub(in crate::format) said: &'r [Json<'a>],
    transcript: &'r Transcript<'a>,
    /// Records by their ids.
    index: HashMap<Cow<'a, str>, usize>,
    script: &'r EditScript,
    /// The new messages.
    pub(in crate::format) fresh: Vec<Fresh<'r>>,
    /// The last message so far of what is shown.
    end: Option<String>,
}

impl<'r, 'a> ParentList<'r, 'a> {
    /// Places what a script adds among the messages of a document, `said` in their order.
    pub(in crate::format) fn new(
        names: &'static Names,
        (document, said): (&'r Document<'a>, &'r [Json<'a>]),
        (transcript, script): (&'r Transcript<'a>, &'r EditScript),
    ) -> Self {
        let id = |record: usize| transcript.records.get(record)?.id.as_deref();
        let (index, fresh) = (by_id(transcript), fresh(names.format, (transcript.records.len(), &id), script));
        Self { names, document, said, transcript, index, script, fresh, end: None }
    }

    /// Links the messages of the path, and the new ones among them; returns the patches for the others.
    pub(in crate::format) fn follow(&mut self) -> Vec<Patch> {
        let root = self.root();
        let (mut patches, mut next, mut moved) = (Vec::new(), 0, false);
        for at in 0..=self.transcript.records.len() {
            while let Some(fresh) = self.fresh.get_mut(next).filter(|fresh| fresh.before <= at) {
                fresh.parent = Some(self.end.replace(fresh.id.clone()).unwrap_or_else(|| root.clone()));
                (next, moved) = (next + 1, true);
            }
            let Some(record) = self.transcript.records.get(at) else { break };
            let Some(id) = &record.id else { continue };
            let (kept, left) = (self.script.keeps(at), record.class == Class::Abandoned);
            if !kept {
                moved |= !left;
            } else if left {
                patches.extend(self.above(at).map(|above| self.link(at, &above.unwrap_or_else(|| root.clone()))));
            } else {
                let before = self.end.replace(id.clone().into_owned());
                let link = moved.then(|| self.link(at, &before.unwrap_or_else(|| root.clone())));
                patches.extend(link);
                moved = false;
            }
        }
        let mut patches: Vec<_> = patches.into_iter().flatten().collect();
        let whole = self.document.whole;
        let fields = whole.object().unwrap_or_default();
        let leaf = self.names.leaf.filter(|leaf| moved && fields.text(leaf).is_some());
        if let (Some(end), Some(leaf)) = (&self.end, leaf) {
            patches.extend(set_field(self.transcript.source, whole, leaf, &quoted(end), PatchKind::Relink));
        }
        patches
    }

    /// What the first message follows.
    fn root(&self) -> String {
        let first = self.transcript.records.first().and_then(|record| record.parent.as_deref());
        first.filter(|first| !self.index.contains_key(*first)).unwrap_or(self.names.root).to_owned()
    }

    /// For a message that was left and whose parent goes: its nearest ancestor that stays, if there is one.
    fn above(&self, at: usize) -> Option<Option<String>> {
        let records = &self.transcript.records;
        let place = |id: &str| self.index.get(id).copied();
        let mut above = place(records[at].parent.as_deref()?).filter(|parent| !self.script.keeps(*parent))?;
        for _ in 0..records.len() {
            let Some(parent) = records[above].parent.as_deref().and_then(place) else { return Some(None) };
            if self.script.keeps(parent) {
                return Some(records[parent].id.as_deref().map(str::to_owned));
            }
            above = parent;
        }
        Some(None)
    }

    fn link(&self, at: usize, parent: &str) -> Vec<Patch> {
        let message = self.said[at];
        let key = self.names.parent;
        let names = message.object().is_some_and(|message| message.has(key));
        let set = || set_field(self.transcript.source, message, key, &quoted(parent), PatchKind::Relink);
        if names { set() } else { Vec::new() }
    }
}
