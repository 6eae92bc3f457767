//! The place under which names of a part are listed: the file of a call, its command, or the speaker.

use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::args::{Args, stated};
use crate::summary::extractive::calls::shell::Shell;
use crate::summary::extractive::files::folders::{Folders, of_session};
use crate::summary::extractive::user::by_user;
use crate::summary::extractive::user::tags::own_words;
use crate::summary::text::{cut, fold, starts_any};
use crate::transcript::{Author, Message, PIECE, Part, PartKind, Spread, pieces_of, spread};
use foldhash::HashMap;
use std::ops::Range;

/// Maximum length of a shown command, in characters.
const LONGEST: usize = 40;

/// The place where a name occurred.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::summary) enum Place {
    /// A file, by its path.
    File(String),
    /// The arguments or the result of a command or tool.
    Call(String),
    /// The agent's words.
    Agent,
    /// The user's words.
    User,
}

/// The places of parts, by index of message and part.
pub(in crate::summary) type Places = HashMap<(usize, usize), Place>;

/// What a part says of places.
enum Named<'p> {
    /// Its own place.
    At(Place),
    /// The place of a call, by its id.
    Call(&'p str, Place),
    /// Its call's place, by the id.
    Result(&'p str),
    /// A command that the user ran, if it is shown.
    Ran(Option<Place>),
    /// Output of the user's last command.
    Printed,
}

/// The places of the parts of a head.
pub(in crate::summary) fn places(head: &[&Message<'_>], folders: &Folders, over: &dyn Spread) -> Places {
    let cuts = pieces_of(PIECE, head.iter().map(|message| message.bytes()));
    let read = |piece: Range<usize>| {
        let parts =
            piece.flat_map(|at| head[at].parts.iter().enumerate().map(move |(number, part)| (at, number, part)));
        let named = parts.filter_map(|(at, number, part)| Some(((at, number), named(head[at], part, folders)?)));
        named.collect::<Vec<_>>()
    };
    let mut calls: HashMap<&str, Place> = HashMap::default();
    let mut ran_by_user = None;
    let mut places = HashMap::default();
    for (at, named) in spread(over, &cuts, read).into_iter().flatten() {
        let place = match named {
            Named::At(place) => Some(place),
            Named::Call(id, place) => {
                calls.insert(id, place.clone());
                Some(place)
            }
            Named::Result(id) => calls.get(id).cloned(),
            Named::Ran(place) => {
                ran_by_user = place;
                ran_by_user.clone()
            }
            Named::Printed => ran_by_user.clone(),
        };
        places.extend(place.map(|place| (at, place)));
    }
    places
}

fn named<'p>(message: &Message<'_>, part: &'p Part<'_>, folders: &Folders) -> Option<Named<'p>> {
    match &part.kind {
        PartKind::Call { id, name } => Some(Named::Call(id, of_call(message, name, &part.text, folders))),
        PartKind::Result { id, .. } => Some(Named::Result(id)),
        PartKind::Text if message.author == Author::Model => Some(Named::At(Place::Agent)),
        // Text that a harness inserted, such as the environment, is nobody's words.
        PartKind::Text if message.author == Author::Person && !own_words(&part.text).trim().is_empty() => {
            Some(Named::At(Place::User))
        }
        PartKind::Text => match by_user::command(&part.text) {
            Some((command, _)) => Some(Named::Ran(run(command).map(Place::Call))),
            None => by_user::printed(&part.text).map(|_| Named::Printed),
        },
        _ => None,
    }
}

fn of_call(message: &Message<'_>, tool: &str, arguments: &str, folders: &Folders) -> Place {
    let args = Args::read(arguments);
    let own = stated(&args);
    let start = own.as_deref().or_else(|| of_session(message));
    let file = |path: &str, folder: Option<&str>| Place::File(folders.join(folder, path).into_owned());
    match Action::read(tool, &args) {
        Action::Files(files) if files.len() == 1 => file(&files[0].1, start),
        Action::Run(command) => match Shell::read(&command) {
            shell if shell.files.len() == 1 => file(&shell.files[0].1, start),
            _ => Place::Call(run(command.shown()).unwrap_or_else(|| fold(tool))),
        },
        _ => Place::Call(fold(tool)),
    }
}

/// Shell words before a command.
const SHELL_WORDS: &[&str] =
    &["do", "then", "else", "if", "while", "until", "for", "!", "(", "{", "time", "sudo", "env"];

/// The program of a command in code marks, if it is a plain word; of a loop, that of its body.
fn run(shown: &str) -> Option<String> {
    let program = program(body(shown)?);
    let plain = |char: char| char.is_alphanumeric() || "./:_-@\\ ".contains(char);
    let is_name = program.chars().all(plain) && program.contains(char::is_alphanumeric);
    is_name.then(|| format!("`{program}`"))
}

/// The body of a loop; any other command as it is. `None` if the body was cut off.
fn body(shown: &str) -> Option<&str> {
    let is_loop = starts_any(shown, &["for ", "while ", "until "]);
    if is_loop { shown.split_once("; do ").map(|(_, body)| body) } else { Some(shown) }
}

/// The program of a command, with its first argument if that is a plain word; of a loop, that of its body.
pub(in crate::summary::extractive) fn program(shown: &str) -> String {
    let shown = body(shown).unwrap_or(shown);
    let words = shown.split_whitespace().map(|word| word.split_once("=$(").map_or(word, |(_, inner)| inner));
    let mut quote = None;
    let sets = |word: &&str| match quote {
        Some(sign) => {
            quote = quote.filter(|_| !word.ends_with(sign));
            true
        }
        None => {
            quote = opened(word);
            word.contains('=') || SHELL_WORDS.contains(word) || word.starts_with('-')
        }
    };
    let mut words = words.skip_while(sets).filter(|word| !word.starts_with('-'));
    let program = words.next().unwrap_or(shown).trim_matches(['"', '\'', '(', ')', ';']);
    let plain = |word: &&str| word.chars().all(|char| char.is_alphanumeric() || "./:_-@".contains(char));
    // The argument of `-C`: the folder in which it runs.
    let is_folder = |word: &&str| program == "git" && word.contains(['/', '\\']);
    let both = words.find(|word| !is_folder(word)).filter(plain).map(|word| format!("{program} {word}"));
    let short = both.filter(|both| both.chars().count() <= LONGEST).unwrap_or_else(|| program.to_owned());
    cut(&short, LONGEST).replace('`', "'")
}

/// The quotation mark of the text that a variable is set to, if that text goes on in the next word: `NAME="a`.
fn opened(word: &str) -> Option<char> {
    let (_, text) = word.split_once('=')?;
    let sign = text.chars().next().filter(|sign| "\"'".contains(*sign))?;
    (text.len() == 1 || !text.ends_with(sign)).then_some(sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::InTurn;
    use crate::transcript::sketch::sketch;

    #[test]
    fn what_a_harness_put_into_a_message_is_not_in_words_of_the_user() {
        let mut transcript = sketch("u u");
        let texts =
            ["<environment_context>\n<cwd>/quay</cwd>\n</environment_context>", "Mend the lamp of /quay/lamp.rs"];
        transcript.messages.iter_mut().zip(texts).for_each(|(message, text)| message.parts[0].text = text.into());
        let head: Vec<_> = transcript.messages.iter().collect();
        let found = places(&head, &Folders::default(), &InTurn);
        assert_eq!((found.get(&(0, 0)), found.get(&(1, 0))), (None, Some(&Place::User)));
    }

    #[test]
    fn what_a_command_of_the_user_printed_is_named_with_it() {
        let mut transcript = sketch("u u u");
        let texts = [
            "<bash-input>make quay</bash-input>",
            "<bash-stdout>moored /quay/lamp.rs</bash-stdout>",
            "<note>quay</note>",
        ];
        transcript.messages.iter_mut().zip(texts).for_each(|(message, text)| {
            message.author = Author::Harness;
            message.parts[0].text = text.into();
        });
        let found = places(&transcript.messages.iter().collect::<Vec<_>>(), &Folders::default(), &InTurn);
        let ran = Place::Call("`make quay`".to_owned());
        assert_eq!([0, 1, 2].map(|at| found.get(&(at, 0))), [Some(&ran), Some(&ran), None]);
    }

    #[test]
    fn a_command_is_named_by_its_program_and_a_plain_argument() {
        let cases = [
            ("git log --oneline", "git log"),
            ("git -C /work/quay show x", "git show"),
            ("do prefix=$(git cat-file -p x)", "git cat-file"),
            ("RUST_LOG=x cargo test", "cargo test"),
            ("PIER=\"north quay\" LAMP='a' env -i TIDE=' low -x' make boats", "make boats"),
            ("rg \"a|b\" src", "rg"),
            ("if make all; then", "make"),
            ("for lamp in a b; do if make $lamp; then echo lit; fi; done", "make"),
        ];
        for (command, name) in cases {
            assert_eq!(program(command), name, "{command}");
        }
    }

    #[test]
    fn a_loop_is_named_by_what_it_runs_and_a_piece_of_a_text_by_nothing() {
        let cases = [
            ("for lamp in a b; do gh api $lamp; done", Some("`gh api`")),
            ("for lamp in a b c d e…", None),
            ("'lamps','quays' | % { $_ }", None),
            (". ./lamp.sh", Some("`. ./lamp.sh`")),
            ("cargo test", Some("`cargo test`")),
        ];
        for (command, name) in cases {
            assert_eq!(run(command).as_deref(), name, "{command}");
        }
    }
}
