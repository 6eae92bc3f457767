//! Recognizes lines that are not prose: headings, tables, code, data, logs and copied screens.

use super::prose::{TERSE, without_marker};
use crate::summary::text::{
    SENTENCE_ENDS, all_digits, behind, behind_number, contains_any, ends_any, has_digit, is_dense, starts_any, words,
};

/// Modifiers before the keyword of a definition.
const MODIFIERS: [&str; 5] = ["pub ", "export ", "default ", "async ", "static "];
/// Keywords of definitions, each with the texts that may follow the defined name.
const DEFINING: [(&str, &[&str]); 8] = [
    ("def", &["("]),
    ("fn", &["(", "<"]),
    ("func", &["("]),
    ("function", &["("]),
    ("class", &["(", ":", " extends ", " implements "]),
    ("const", &[" =", ":"]),
    ("let", &[" = "]),
    ("var", &[" = "]),
];
/// Minimum length of a drawn line, in characters.
const RULER: usize = 8;
/// Maximum number of words before a drawn line.
const TITLED: usize = 4;
/// First words of a title that asks what the text below it answers.
const ASKING: [&str; 7] = ["How ", "What ", "When ", "Where ", "Which ", "Who ", "Why "];
/// Maximum number of words of such a title.
const ASKED: usize = 6;
/// Maximum length of a label in brackets, in bytes.
const LABEL: usize = 20;
/// Lines of code of one word.
const STANDS_ALONE: [&str; 7] = ["begin", "done", "else", "end", "esac", "fi", "repeat"];
/// Maximum number of words before the value of an assignment.
const NAMES: usize = 4;
/// Maximum number of words of a condition without signs, with the words around it: `if not lit then`.
const SHORT: usize = 4;
/// First words of statements that consist of plain words: `return lamp;`, `unsigned int count;`, `DROP TABLE lamps;`.
const STATEMENTS: [&str; 53] = [
    "ALTER",
    "COMMIT",
    "CREATE",
    "DELETE",
    "DROP",
    "GRANT",
    "INSERT",
    "SELECT",
    "UPDATE",
    "WITH",
    "assert",
    "auto",
    "await",
    "bool",
    "break",
    "char",
    "const",
    "continue",
    "do",
    "double",
    "else",
    "enum",
    "export",
    "extern",
    "final",
    "float",
    "from",
    "goto",
    "import",
    "include",
    "int",
    "internal",
    "let",
    "long",
    "namespace",
    "new",
    "override",
    "package",
    "private",
    "protected",
    "public",
    "raise",
    "readonly",
    "return",
    "short",
    "static",
    "string",
    "struct",
    "throw",
    "typedef",
    "unsigned",
    "use",
    "using",
];
/// Minimum number of words of prose that ends in braces.
const SAYING: usize = 5;
/// Parts of words that make a title a statement about a result: “**All Tests Pass**”.
const TELLING: [&str; 8] = ["pass", "fail", "fixed", "works", "done", "complete", "broken", "success"];

/// Whether a line is a heading, a table row, a rule, a tag, or looks like code.
pub(in crate::summary::extractive) fn is_structure(line: &str) -> bool {
    is_markup(line) || is_code(line)
}

/// Whether a line is a heading, a table row, a rule or a tag.
pub(super) fn is_markup(line: &str) -> bool {
    let trimmed = line.trim();
    let first = trimmed.chars().next();
    matches!(first, Some('#' | '|' | '{' | '}' | '│' | '├' | '└' | '┌'))
        || trimmed.starts_with("@@")
        || is_ruler(trimmed)
        || is_tag(trimmed)
}

/// Whether a line is a heading in bold type: “**What This Means for the Pier**”, and not a sentence such as “**The pier
/// is mended**”.
pub(super) fn is_bold_title(line: &str) -> bool {
    let inner = line.trim().strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    let Some(title) = inner.filter(|title| !title.contains("**") && !has_digit(title)) else {
        return false;
    };
    let long = || title.split_whitespace().filter(|word| word.chars().count() > 3);
    let is_capital = |word: &str| !word.starts_with(char::is_lowercase);
    let ended = title.ends_with(SENTENCE_ENDS) || title.ends_with([':', '：']);
    let asks = || starts_any(title, &ASKING) && words(title) <= ASKED && !title.contains('`');
    !ended && long().count() > 1 && (long().all(is_capital) || asks()) && !contains_any(&title.to_lowercase(), &TELLING)
}

/// Whether a line begins a definition: `def name(…`, `class Name:`, `const name = …`.
fn defines(trimmed: &str) -> bool {
    let is_name = |char: char| char.is_alphanumeric() || "_.$".contains(char);
    let begun = |(word, ends): &(&str, &[&str])| {
        let rest = behind(trimmed, word).and_then(|rest| rest.strip_prefix(' '));
        let rest = rest.map(|rest| rest.trim_start_matches(is_name));
        rest.is_some_and(|rest| starts_any(rest, ends))
    };
    let bare = MODIFIERS.iter().find_map(|word| behind(trimmed, word));
    bare.is_some_and(defines) || DEFINING.iter().any(begun)
}

/// Whether a line was copied from the screen of a shell or an agent: a prompt, a call, a frame around text.
pub(in crate::summary::extractive) fn is_console(line: &str) -> bool {
    line.trim_start().starts_with(['❯', '⏺', '⎿', '┃', '╭', '╰'])
}

/// Whether a line is only drawn, also in the color of a terminal: `[31m-----------`.
pub(super) fn is_ruler(trimmed: &str) -> bool {
    let colored = trimmed.trim_start_matches('\u{1b}').strip_prefix('[').and_then(|rest| rest.split_once('m'));
    let is_color = |code: &str| code.bytes().all(|byte| byte.is_ascii_digit() || byte == b';');
    let drawn = colored.filter(|(code, _)| is_color(code)).map_or(trimmed, |(_, drawn)| drawn);
    drawn.chars().count() >= RULER && drawn.chars().all(|char| "-=_─━═".contains(char)) || is_ornament(trimmed)
}

/// Whether a line ends in a drawn one, with a word or two as its title: “`★ Insight ──────────`”.
fn is_ornament(trimmed: &str) -> bool {
    let line = trimmed.trim_matches(['`', '*', ' ']);
    let title = line.trim_end_matches(['─', '━', '═']);
    line[title.len()..].chars().count() >= RULER && words(title) <= TITLED
}

fn is_tag(trimmed: &str) -> bool {
    trimmed.starts_with('<') && trimmed.ends_with('>')
}

/// Whether a character is a letter, or stands above or below one of an Indic script.
pub(super) fn is_letter(char: char) -> bool {
    char.is_alphabetic() || ('\u{900}'..='\u{dff}').contains(&char)
}

/// Whether a line looks like code, a diff, data or a log.
pub(in crate::summary::extractive) fn is_code(line: &str) -> bool {
    let trimmed = line.trim();
    let sign = trimmed.starts_with(['+', '$', '%', ';', '}', ')', ']', '=', '⎿', '→']) && !is_price(trimmed)
        || starts_any(trimmed, &[">>", "//", "/*"]);
    let pair = trimmed.starts_with('"') && trimmed.contains("\":");
    let closed = || trimmed.ends_with('}') && !names_in_braces(trimmed);
    let end = closed() || trimmed.ends_with(['{', '\\', '[', '(']) || ends_any(trimmed, &["=>", "},"]);
    let told = || {
        ends_statement(trimmed)
            || behind_number(trimmed).is_some()
            || is_log(trimmed)
            || defines(trimmed)
            || sets(trimmed)
    };
    sign || pair || end || told() || calls(trimmed) || opens_block(trimmed) || is_block(trimmed)
}

/// Whether a line begins with a sum of money: “$80.”, “$1,260 for both.” A variable of a shell stands beside other
/// signs.
fn is_price(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('$').filter(|rest| rest.starts_with(|char: char| char.is_ascii_digit())) else {
        return false;
    };
    let rest = rest.trim_start_matches(|char: char| char.is_ascii_digit() || ".,".contains(char));
    (rest.is_empty() || rest.starts_with([' ', '!'])) && !line.contains(['=', '{', '}', ';', '|', '<', '>'])
}

/// Whether a line is prose that ends in a form or a formula: “Put your answer within \boxed{}”, “reply with {"lit": 1}”.
fn names_in_braces(line: &str) -> bool {
    let is_word = |word: &&str| {
        let bare = word.trim_matches(['"', '\'', '“', '”', '(', ')', '`', '*', ',', '.', ':', '?', '!']);
        !bare.is_empty() && bare.chars().all(|char| char.is_alphanumeric() || "-’'/,".contains(char))
    };
    let (before, inside) = line.split_once('{').unwrap_or((line, ""));
    // What stands in an object is not said.
    let said = if inside.contains('"') { before } else { line };
    let says = || {
        let (words, all) = (said.split_whitespace().filter(is_word).count(), said.split_whitespace().count());
        let first = said.split_whitespace().find(|word| word.len() > 2);
        first.is_some_and(|first| is_word(&first)) && words >= SAYING && words * 3 >= all * 2
    };
    let says_densely = || said.chars().filter(|char| is_dense(*char)).count() > SAYING;
    let filled = !before.ends_with(char::is_whitespace) || !inside.starts_with('}');
    let opens = line.split('{').skip(1).any(|inside| inside.starts_with(char::is_whitespace));
    without_marker(line).1.starts_with(char::is_alphanumeric)
        && filled
        && !opens
        && !line.contains("};")
        && (says() || says_densely())
}

/// Whether a line is a setting of a file with its comment: `port = 5432  # needs a restart`. One without may be what the
/// user wants.
fn sets(trimmed: &str) -> bool {
    let Some((name, rest)) = trimmed.split_once(" = ") else { return false };
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    let behind = rest.trim_start().split_once(char::is_whitespace).map_or("", |(_, behind)| behind.trim_start());
    !name.is_empty() && is_name(name) && behind.starts_with('#')
}

/// Whether a whole line of the agent is a statement of code, which a person may mean as a setting: `lamp.oil = OIL`,
/// `String pier = "north"`, `print(total(lamps))`; behind code also `oil = 7`.
pub(super) fn is_statement(line: &str, behind_code: bool) -> bool {
    let line = line.trim().trim_end_matches([',', ';']);
    let inner = |char: char| char.is_ascii_alphanumeric() || "_.".contains(char);
    let is_name = |name: &str| {
        name.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_') && name.chars().all(inner)
    };
    let is_closed = |text: &str| text.matches('(').count() == text.matches(')').count();
    let calls = |text: &str| {
        let name = text.split('(').next().filter(|name| name.len() < text.len());
        text.ends_with(')') && is_closed(text) && name.is_some_and(is_name)
    };
    let Some((set, value)) = line.split_once(" = ") else {
        return calls(line) && line.contains(['.', '_', '"', '\'', ',']) || STANDS_ALONE.contains(&line) || opens(line);
    };
    let quoted =
        |text: &str| ['"', '\''].iter().any(|sign| text.len() > 1 && text.starts_with(*sign) && text.ends_with(*sign));
    let made = quoted(value) || value.starts_with("new ");
    let names = set.split(' ').count();
    let one = || names == 1 && (calls(value) || is_name(value) && (set.contains(['.', '_']) || behind_code));
    let number = || names == 1 && behind_code && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    set.split(' ').all(is_name) && names <= NAMES && (made || one() || number()) || opens(line)
}

/// Whether a line opens a block of Lua, Ruby or a shell, or is one: `for oil = 1, 7 do`, `if lit then`, `function light
/// (oil)`, `if lit then return end`.
fn opens(line: &str) -> bool {
    let begins = |start: &str| line.starts_with(start);
    let branches = || begins("if ") || begins("elseif ");
    // A sentence may begin and end so too: “while it rains that is all we can do”.
    let compares = || line.contains(['=', '<', '>', '$', '[', '(', '~']);
    let loops = || {
        begins("for ") && (compares() || line.contains(" in ") && line.contains(';')) || begins("while ") && compares()
    };
    line.ends_with(" do") && loops()
        || line.ends_with(" then") && branches() && (compares() || line.split(' ').count() <= SHORT)
        || line.ends_with(" end") && line.contains(" then ") && branches()
        || begins("function ") && line.ends_with(')')
}

/// Whether a line is only a call, with or without a variable set to its result: `lamp.light(1)`, `lit = light(1)`,
/// `print("lit")`.
fn calls(trimmed: &str) -> bool {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || "_.".contains(char));
    let Some(line) = trimmed.strip_suffix(')') else { return false };
    let (set, call) = line.split_once(" = ").unwrap_or(("", line));
    let quotes = |given: &str| {
        let quoted = given.strip_prefix(['f', 'b', 'r']).unwrap_or(given);
        ['"', '\''].iter().any(|sign| quoted.len() > 1 && quoted.starts_with(*sign) && quoted.ends_with(*sign))
    };
    let called = call
        .split_once('(')
        .is_some_and(|(name, given)| is_name(name) && (name.contains(['.', '_']) || !set.is_empty() || quotes(given)));
    called && (set.is_empty() || is_name(set))
}

/// Whether a line opens a block of Python: `with open(path) as file:`, `if lamp.lit == 1:`.
fn opens_block(trimmed: &str) -> bool {
    const OPENS: [&str; 7] = ["if ", "elif ", "for ", "while ", "with ", "except ", "return "];
    let Some(line) = trimmed.strip_suffix(':') else { return false };
    let glued = |at: usize| line[..at].ends_with(|char: char| char.is_alphanumeric() || char == '_');
    let has_call = line.find('(').is_some_and(glued) && line.contains(')');
    line == "else"
        || line == "try"
        || starts_any(line, &OPENS) && (has_call || line.contains("==") || line.contains("!="))
}

/// Whether a line is a block of Python with its only statement: `with open(path) as file: file.write("lit")`.
fn is_block(trimmed: &str) -> bool {
    let opens = |at: usize| opens_block(&trimmed[..=at]) && calls(trimmed[at + 1..].trim_start());
    trimmed.ends_with(')') && trimmed.find(": ").is_some_and(opens)
}

/// Whether a line ends in the semicolon of a code statement, not of a list item in prose: “- apply patches;”.
fn ends_statement(trimmed: &str) -> bool {
    let Some(line) = trimmed.strip_suffix(';') else { return false };
    let (item, line) = without_marker(line);
    let words = || line.split_whitespace();
    let keyword = !item && words().next().is_some_and(|first| STATEMENTS.contains(&first));
    let mut code = false;
    let is_word = |word: &str| {
        let ticked = code || word.contains('`');
        code ^= word.matches('`').count() % 2 == 1;
        let bare = word.trim_start_matches(['(', '"', '“', '*']);
        ticked || !bare.contains(['=', '(', '{', '<', '>', ';', '$', '[']) && !bare.contains("::")
    };
    keyword || words().count() < if item { TERSE } else { TERSE + 1 } || !words().all(is_word)
}

/// Whether a line begins with a date or log level, or is a stack frame.
fn is_log(trimmed: &str) -> bool {
    let bytes = trimmed.as_bytes();
    let dated = trimmed.trim_end_matches(['.', '!']).len() > 10
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && bytes[..4].iter().all(u8::is_ascii_digit);
    let levels = ["[INFO", "[WARN", "[ERROR", "[DEBUG", "INFO ", "WARN ", "DEBUG ", "TRACE ", "ERROR "];
    dated || starts_any(trimmed, &levels) || is_frame(trimmed)
}

/// Whether a line is a stack frame: `at run (quay.ts:14:9)`, `at Quay.Lamp.Light(String name)`, `File "quay.py", line
/// 7, in light`.
fn is_frame(trimmed: &str) -> bool {
    if let Some(path) = trimmed.strip_prefix("File ") {
        return path.starts_with('"') && path.contains("\", line ")
            || path.starts_with(['/', '~']) && path.contains(", in ") && path.contains(':');
    }
    let Some(place) = trimmed.strip_prefix("at ") else { return false };
    let name = place.split([' ', '(']).next().unwrap_or_default();
    let lined = place.strip_suffix(')').and_then(|inner| inner.rsplit_once(':'));
    name.matches('.').count() > 1 || lined.is_some_and(|(_, line)| all_digits(line))
}

/// The text that replaces something shown after a colon: the title of a shown document, or “…”.
pub(super) fn shown(line: &str, announced: &str) -> String {
    let Some(title) = line.trim().strip_prefix("# ").filter(|title| words(title) >= TERSE) else {
        return " …".into();
    };
    // “Follow this plan: Plan: Mend the pier”
    let lead = announced.trim_end_matches(':').to_lowercase();
    let bare = title.split_once(": ").filter(|(label, _)| lead.ends_with(&label.trim().to_lowercase()));
    format!(" {}.", bare.map_or(title, |(_, title)| title).trim().trim_end_matches('.'))
}

/// Parts of labels of what is not done: “[skipped] Moved it”.
const UNDONE: [&str; 20] = [
    "abandon", "block", "broken", "cancel", "defer", "error", "fail", "half", "later", "not", "open", "partial",
    "pending", "plan", "progress", "running", "skip", "todo", "wait", "wip",
];

/// A line without a short label in brackets before its words: “[Phase 1] Moved it”. One of what is not done stays, as
/// an empty box does.
pub(super) fn without_label(line: &str) -> &str {
    let labeled = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    let says = |label: &str| {
        let lower = label.to_lowercase();
        !label.trim().is_empty() && !label.contains('[') && !contains_any(&lower, &UNDONE)
    };
    labeled.filter(|(label, _)| label.len() <= LABEL && says(label)).map_or(line, |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_money_and_a_date_are_no_code() {
        for told in ["$80.", "$1,260 for both.", "$80", "2026-06-12."] {
            assert!(!is_code(told), "{told}");
        }
        for code in ["$1 == 2 {print}", "$ make", "$lamp", "$1=7", "2026-06-12 10:00 INFO lit", "2026-06-12T10:00:01Z"]
        {
            assert!(is_code(code), "{code}");
        }
    }

    #[test]
    fn a_label_of_what_is_done_is_left_out() {
        assert_eq!(without_label("[Phase 1] Moved the pier."), "Moved the pier.");
        for whole in [
            "[failed] Moved the pier.",
            "[skipped] Moved the pier.",
            "[not done] Moved the pier.",
            "[ ] Moved the pier.",
        ] {
            assert_eq!(without_label(whole), whole);
        }
    }

    #[test]
    fn a_short_question_in_bold_is_a_title() {
        assert!(is_bold_title("**Why the lamp went out**"));
        for told in
            ["**When the oil is cold the lamp of the pier flickers**", "**Why it burns is that `lamp.py` waits**"]
        {
            assert!(!is_bold_title(told), "{told}");
        }
    }

    #[test]
    fn settings_of_a_file_are_code() {
        for line in ["port = 5432\t\t\t# (change requires restart)", "lamp.oil = 'red' # at dusk"] {
            assert!(is_code(line), "{line}");
        }
        for line in ["lit = burning, that is how it works", "retries = 3", "the lamps = the quay # 7", "a lamp"] {
            assert!(!is_code(line), "{line}");
        }
    }

    #[test]
    fn prose_that_ends_in_braces_is_no_code() {
        for prose in [
            "How far apart are the piers? Put your final answer within \\boxed{}",
            "Solve f(x)=x^{2} for x. Put your final answer within \\boxed{}",
            "- Always answer in the form {\"ferry\": 1}",
            "Keep the old route of the board /board/{id}",
            "Can you find out who sent it? Flag: harbourCTF{FirstLast}",
            "请把最后的答案写在 \\boxed{}",
        ] {
            assert!(!is_code(prose), "{prose}");
        }
        for code in [
            "class Lamp extends Light implements Burns {}",
            "public final class Lamp extends Light { }",
            "for each lamp in the pier { burn }",
            "pub fn lamp() -> Result<Lamp> {",
            "import {a} from b; export {c}",
            "lamp{id}",
            "Error: 400 {\"type\":\"error\",\"message\":\"The lamps must never be lit at low tide\"}",
            "'type': 'text', 'text': \"I look at the lamp of the pier and at its oil.\"}",
            "functions.bash:2{\"command\": \"light it\", \"description\": \"Light the lamp of the old pier\"}",
            "const lamp = (oil) => ({oil, pier})}",
        ] {
            assert!(is_code(code), "{code}");
        }
    }

    #[test]
    fn statements_of_an_agent_are_code() {
        for code in [
            "pier = \"north quay\"",
            "lamp.oil = other_oil",
            "client.on_light = light",
            "String pier = \"north\";",
            "print(table.concat(self.lamps[7],\" \"))",
            "for oil = 1, self.most do",
            "if oil % 7 == 0 then return false end",
            "if not lit then",
            "while [ -e lamp ]; do",
            "function light (oil)",
            "end",
        ] {
            assert!(is_statement(code, false), "{code}");
        }
        for prose in [
            "oil = seven",
            "Lamps of the pier = oil of the quay",
            "Gradient = seven codes, which is too much",
            "light(pier)",
            "Burns at dusk (mostly)",
            "for the north pier there is nothing more to do",
            "while it rains that is all we can do",
            "if the lamp burns by day we can look at it then",
            "It is done",
            "The oil = 7",
        ] {
            assert!(!is_statement(prose, false), "{prose}");
        }
        assert!(is_statement("oil = 7", true) && !is_statement("oil = 7", false));
    }

    #[test]
    fn python_is_code() {
        for code in [
            "with open(lamps, \"w\") as file:",
            "lamps.metric(\"Lit\", total(lamps))",
            "lit = light(pier)",
            "if lamp.name == pier:",
            "else:",
            "with open(lamps, \"w\") as file: json.dump(lit, file)",
        ] {
            assert!(is_code(code), "{code}");
        }
        for prose in [
            "Light the lamps (all of them):",
            "If the lamp is out (at night):",
            "for each pier:",
            "Call light(pier)",
            "The height = 3 (at low tide)",
            "with care(fully): light the lamps (all)",
        ] {
            assert!(!is_code(prose), "{prose}");
        }
    }
}
