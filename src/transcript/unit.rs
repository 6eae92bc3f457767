//! Units: the smallest parts of a transcript that may be cut apart.

use super::{Message, PartKind, Tokens, Transcript};
use foldhash::HashMap;

/// One message, or an assistant message with all results of its calls.
///
/// A unit is a set, not a range: if parallel calls and their results are interleaved with other messages (as in Claude
/// Code), they still belong together. The position of a unit is that of its first message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Indices of its messages, ascending.
    pub messages: Vec<usize>,
}

impl Unit {
    /// Index of its first message.
    pub fn first(&self) -> usize {
        self.messages[0]
    }

    /// Whether there is such a message, and it is in this unit.
    pub fn holds(&self, message: Option<usize>) -> bool {
        message.is_some_and(|message| self.messages.contains(&message))
    }

    /// Tokens of its messages.
    pub fn tokens(&self, transcript: &Transcript<'_>) -> Tokens {
        self.messages.iter().map(|&index| transcript.messages[index].tokens()).sum()
    }
}

/// Groups the messages that `belongs` accepts into units, ordered by their first messages.
///
/// A unit joins records of one API message, a call with its results, and a call with the text that it brought in.
pub fn units(transcript: &Transcript<'_>, belongs: impl Fn(usize, &Message<'_>) -> bool) -> Vec<Unit> {
    let mut owners: HashMap<Key<'_>, usize> = HashMap::default();
    owners.reserve(transcript.messages.len());
    let mut sets = Sets::default();
    for (index, message) in transcript.messages.iter().enumerate() {
        if !belongs(index, message) {
            continue;
        }
        let set = sets.add(index);
        for link in links(message) {
            let owner = match &link {
                Link::To(key) => owners.get(key).copied(),
                Link::Makes(id) => owners.remove(&Key::Early(id)),
            };
            owner.into_iter().for_each(|owner| sets.join(owner, set));
            match (link, owner) {
                (Link::To(Key::Call(id)), None) => drop(owners.entry(Key::Early(id)).or_insert(set)),
                (Link::Makes(id), _) => drop(owners.insert(Key::Call(id), set)),
                (Link::To(_), _) => {}
            }
        }
        owners.extend(message.group.as_deref().map(|group| (Key::Group(group), set)));
    }
    sets.units()
}

/// Disjoint sets of messages (union-find).
#[derive(Default)]
struct Sets {
    messages: Vec<usize>,
    parent: Vec<usize>,
}

impl Sets {
    fn add(&mut self, message: usize) -> usize {
        self.messages.push(message);
        self.parent.push(self.parent.len());
        self.parent.len() - 1
    }

    /// The representative of a set: its first member.
    fn find(&mut self, mut set: usize) -> usize {
        while self.parent[set] != set {
            self.parent[set] = self.parent[self.parent[set]];
            set = self.parent[set];
        }
        set
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }

    /// The sets as units, ordered by their first messages.
    fn units(mut self) -> Vec<Unit> {
        let mut units: Vec<Unit> = Vec::new();
        let mut unit_of = vec![0; self.messages.len()];
        for set in 0..self.messages.len() {
            let first = self.find(set);
            // The first member comes before all others.
            if first == set {
                unit_of[set] = units.len();
                units.push(Unit { messages: Vec::new() });
            }
            units[unit_of[first]].messages.push(self.messages[set]);
        }
        units
    }
}

#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Group(&'a str),
    Call(&'a str),
    /// A result whose call comes later.
    Early(&'a str),
}

/// What a message says about the messages that it belongs with.
enum Link<'a> {
    /// It belongs with the one that this key names.
    To(Key<'a>),
    /// It makes a call. A result behind it in the same message answers this one, whatever other message used the id.
    Makes(&'a str),
}

/// The links of a message, in the order of its parts.
fn links<'m>(message: &'m Message<'_>) -> impl Iterator<Item = Link<'m>> {
    let group = message.group.as_deref().map(Key::Group);
    let owner = message.belongs_to.as_deref().map(Key::Call);
    let parts = message.parts.iter().filter_map(|part| match &part.kind {
        PartKind::Call { id, .. } => Some(Link::Makes(id)),
        PartKind::Result { id, .. } => Some(Link::To(Key::Call(id))),
        _ => None,
    });
    group.into_iter().chain(owner).map(Link::To).chain(parts)
}

#[cfg(test)]
mod tests {
    use super::super::sketch::sketch;
    use super::*;

    #[test]
    fn a_result_behind_its_call_in_one_message_belongs_to_no_other() {
        let mut transcript = sketch("t r a t r");
        let result = transcript.messages.pop().map(|message| message.parts).unwrap_or_default();
        transcript.messages[3].parts.extend(result);
        for part in &mut transcript.messages[3].parts {
            if let PartKind::Call { id, .. } | PartKind::Result { id, .. } = &mut part.kind {
                *id = "call_1".into();
            }
        }
        let found = |transcript: &Transcript<'_>| -> Vec<Vec<usize>> {
            units(transcript, |_, _| true).into_iter().map(|unit| unit.messages).collect()
        };
        assert_eq!(found(&transcript), [vec![0, 1], vec![2], vec![3]]);
        transcript.messages[3].parts.reverse();
        assert_eq!(found(&transcript), [vec![0, 1, 3], vec![2]], "before it, it answers the earlier call");
    }
}
