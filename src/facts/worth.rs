//! How likely a fact is to be needed later, told from who named it, how often and when. The weights were fitted to what
//! agents needed behind some 500 cuts of real sessions of four harnesses: of one half of the sessions, checked on the
//! other, then rounded.

use crate::transcript::Author;

/// Who wrote a message, as far as the worth of its facts goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// The model.
    Agent,
    /// A person.
    User,
    /// A tool, or the harness.
    Tool,
}

/// Facts of a message that halve the square of what one mention among them is worth.
const CROWD: f64 = 5.0;

impl Voice {
    /// Whose words a message is.
    pub fn of(author: Author) -> Self {
        match author {
            Author::Model => Self::Agent,
            Author::Person => Self::User,
            _ => Self::Tool,
        }
    }
}

#[derive(Default)]
struct Mentions {
    calls: f64,
    prose: f64,
    user: f64,
    tool: f64,
    last: usize,
}

/// The worth of so many facts by number, after a story: its messages in order, each with whose it is and its facts, each
/// once (of which `true` are in calls). One that no message has is worth nothing.
pub fn worth<F: ExactSizeIterator<Item = (u32, bool)>>(
    story: impl Iterator<Item = (Voice, F)>,
    facts: usize,
) -> Vec<f64> {
    let mut all: Vec<Option<Mentions>> = std::iter::repeat_with(|| None).take(facts).collect();
    let mut told = 0;
    for (place, (voice, facts)) in story.enumerate() {
        told = place + 1;
        // One of many facts at once says less: pasted logs, dumps of files.
        let weight = 1.0 / (1.0 + facts.len() as f64 / CROWD).sqrt();
        for (fact, call) in facts {
            let own = all[fact as usize].get_or_insert_default();
            match voice {
                Voice::Agent if call => own.calls += weight,
                Voice::Agent => own.prose += weight,
                Voice::User => own.user += weight,
                Voice::Tool => own.tool += weight,
            }
            own.last = place;
        }
    }
    let end = told.max(1) as f64;
    let newness = |place: usize| (place + 1) as f64 / end;
    let worth = |own: &Mentions| {
        2.2 * own.calls.ln_1p()
            + 1.1 * own.prose.ln_1p()
            + 0.9 * own.user.ln_1p()
            + 0.4 * own.tool.ln_1p()
            + 0.14 * newness(own.last)
    };
    all.iter().map(|own| own.as_ref().map_or(0.0, worth)).collect()
}
