//! The table of all gates, used for judging, `--explain` and reports. Ids are stable.

use super::Level::{Error, Off, Warn};
use super::gate::Judge::{Alone, Originals, Paired, Runs};
use super::gate::{Gate, new};
use super::keeping::requests;
use super::{budgets, facts, keeping, secrets, sections, structure};

/// The gates that judge a curve over budgets.
pub fn over_budgets() -> impl Iterator<Item = &'static Gate> {
    GATES.iter().filter(|gate| gate.needs_curve)
}

/// The gate with this id.
pub fn gate(id: &str) -> Option<&'static Gate> {
    GATES.iter().find(|gate| gate.id == id)
}

/// All gates, in the order of reports.
pub const GATES: &[Gate] = &[
    new("S01", "sections", Error, Alone(sections::sections), (
        "a summary has the sections of the template, each once, in order, and no others",
        "compact again, or state what was used with --preset, or with --template and --section",
    )).including(&["the summary is there if the folder's report tells of one"])
        .passing(&["a summary of another tool that has at most half of the headings, which is not judged"])
        .warning(&["another order", "a section that the template does not have"])
        .about_summary().metric().telling_missing(),
    new("S02", "section_content", Error, Alone(sections::empty_sections), (
        "every section says something",
        "fill the section, or write `(none)` where there is nothing to say",
    )).passing(&["`(none)`, but where a request of the user is gone neither under Goal nor in all sections"])
        .warning(&["an empty section other than Goal", "`(none)` in all sections, where no request is gone",
            "a last line that ends inside a name"]).about_summary().metric(),
    new("S03", "continuation", Error, Paired(sections::continuation), (
        "an agent that was at work is told to go on",
        "compact with --continuation end, or set S03 = \"off\" where the harness goes on by itself",
    )).warning(&["its absence behind the summary of another tool"]).about_summary(),
    new("B01", "budget", Error, Alone(budgets::within), (
        "summary and transcript stay within their budgets",
        "lower --summary-tokens, --tail-tokens or --max-tokens, or raise the threshold",
    )).with(&[("max-summary", "summary.tokens that the folder's report states, for summaries of epitome"), ("max", "limits.max-tokens, if set")]),
    new("B02", "saving", Error, Paired(budgets::smaller), (
        "there are fewer tokens than before",
        "leave such transcripts as they are (--min-gain)",
    )).warning(&["a ratio outside min and max"])
        .with(&[("min", "none: the least share of tokens that is left"), ("max", "none: the greatest")]),
    new("T01", "pairs", Error, Alone(structure::pairs), (
        "every call has its result, and every result its call",
        "cut between units, never between a call and its results; `epitome check --fix` drops orphans",
    )).including(&["a call at the end keeps the result that the original has"])
        .passing(&["a call or result whose partner the original lacks, too"]),
    new("T02", "order", Error, Alone(structure::order), (
        "the rules of the format that the original obeys hold, and kept messages stand in their order",
        "see `epitome check` for the rule and its line, or keep messages in the order of the original",
    )).including(&[
        "rules about roles, the first message, empty messages and links",
        "a column of a row that had one entry for each message still has",
        "lists that go with the messages in another way are not as they were beside fewer messages",
        "a summary of ours stands before the messages that came after what it is about",
        "a summary of ours in a row has no weight, and is an answer only behind the question for it",
    ]),
    new("T03", "verbatim", Error, Paired(structure::verbatim), (
        "kept messages say what they said, and nothing is added to them",
        "copy kept messages byte for byte",
    )).including(&[
        "leading instructions",
        "no message is there twice",
        "a result answers the call that it answered, and is a success or a failure as it was",
        "nothing stands around a summary of ours, or behind the message that sets the agent going again",
        "answers, tools, labels and weights beside the messages of a row",
        "unsigned reasoning of kept messages, where a report says what was kept",
        "beside a summary of ours, the texts of records that are no messages, such as a session's instructions",
    ]).passing(&["a result that is marked as pruned", "a result or a long user message that is marked as shortened", "a short answer behind the summary that only takes note of it"])
        .warning(&[
            "words of another tool beside its summary, behind the leading instructions or behind “continue”",
            "other columns of a row",
            "reasoning that is missing in a row, where no report tells of it",
        ]).metric(),
    new("T04", "last_user", Error, Paired(structure::last_user), (
        "the last message of the user is there word for word, and so is the tail that the folder's report says was kept",
        "keep the last user message, and raise --tail-tokens or --min-tail",
    )).including(&[
        "the answer on which a training row ended, unless min is 0",
        "a transcript that the folder's report says was left unchanged is so, byte for byte",
    ]).passing(&[
        "the last message of the user in a user message with another tool's summary, on lines of its own or as a quoted item of a list",
        "no tail where a harness put its own summary in place of all messages",
    ]).warning(&["a tail shorter than min messages", "messages that are missing between kept ones, where no report tells of them"])
        .with(&[("min", "1 message; none where the folder's settings ask for no tail")]).counted(),
    new("T05", "readable", Error, Alone(structure::readable), (
        "what was written can be read again, and compacting it again leaves its structure",
        "look at the line: it is torn, not UTF-8, or not of the format; what is not stable under its own settings is a bug, please report it",
    )).including(&["pairs, sections, one summary, every message"]).with(&[(
        "fixed-point",
        "where the folder's .epitome/report.json states the settings; true: else those of epitome.toml; false: never",
    )]),
    new("F01", "support", Error, Paired(facts::supported), (
        "every path, identifier, address, error and number in the summary stands in the original",
        "take the line out of the summary; --summarizer extractive states nothing that is not there",
    )).including(&[
        "a number in words of the original is the one that they give there",
        "two names in a line do not have each other's numbers",
    ])
        .passing(&[
            "thousands, amounts (`1.234,56 €`, `12'500 CHF`, `₹1,20,000`), shares, dates and times in another spelling",
            "an abbreviated digest of git",
            "a path of Windows with slashes",
            "a name that is the end of a longer one",
            "ordinals of a numbered list, a share of two numbers of its own line, and an address to be filled in (`lamps/[name].md`)",
            "a share of the tests by the counts of a run (“92 % of the tests pass”), the number of all beside a part of them (“11 of 12 passed”), and a duration as code writes it (`30 * time.Minute`)",
            "“about 30,000 rows” for 30240 rows",
        ])
        .warning(&[
            "a path without an extension",
            "a name that differs in case, hyphens and underscores only, and a path that differs in case",
            "a rounded share or amount, a rounded size of what has so many bytes, and a number with a comma that may be two of the original",
            "a type in its plural (“LampCards” for `LampCard`)",
            "a count of tests without an outcome, and a number that the original joins to the same word (`ID 23`) elsewhere",
            "a number of times with “about” or before a name (“~20x”)",
            "a count of two digits (`37 callers`) that the original gives otherwise",
            "a branch, a line of a file (`a.rs:41`), an e-mail address, a host, or a number below 100 with a unit or as a value, of which the original has nothing",
            "a number below 100 with another unit of time, and a short name with another number (`p99` for `p95`)",
            "a time of day that may be of another zone",
        ]).about_summary().reading_summary().metric(),
    new("F02", "status", Error, Paired(facts::status), (
        "nothing is said to be changed, deleted, only read, to have run, to work or to have failed that the calls refute",
        "say what the last run said",
    )).passing(&[
        "a change that no call made, where something ran that could have made it unseen",
        "what is told in other words than those below, or in another language than English",
        "a part of the tests (“92 % of the tests pass”; “most of the tests” by the counts of the run), and words of the user in quotes that are told as such",
        "tests that passed before a change, in a line or section that tells of the change behind them",
        "a cell or a name in bold with what the file is for (“updated on every build”)",
    ]).warning(&[
        "tests said to pass before later edits",
        "tests said to pass after runs of some, while nobody knows which failed",
        "a test said to fail, without “still” or “now”, that passed in its last run",
        "deeds that nothing in the original is about",
        "deeds for which no command ran, or no command since the commit that was made",
        "some tests said to fail, without “still” or “now”, though all passed in the end",
        "commands said to work that never ran, though others of their program did",
        "deeds in an environment, where each of their commands names another one",
        "deeds for which each call of the tool that is named for them failed, or those about the same ids and amounts, or for which its calls name others",
        "a ticked box for a step that the newest plan has open",
    ]).reading(
        "“Edited `x`”, “x has been changed”, “x: deleted”, “Ran `x`: ok”, “`x` still fails”, “Also ran, ok: `x`”, “3 of 4 tests pass”, “Everything passes”, “No tests fail”, “`test_login` passes”, “`test_login` still fails”, “All tests in src/net pass”, “All e2e tests pass”, “Modified: x”, “x (modified)”, “| x | changed the order |”, “**x**: changed the order”, “Last test run: 1 failed, 2 passed”, “`x` works”, “Ran `x` successfully”, “2 of 43 tests fail”, “Pushed the branch”, “The branch was merged”, “Nothing has been committed yet”, “Deployed to production”, “The order was cancelled”, “Cancelled order 77” (of a tool `cancel_order`), “Called `x`: returned state open” (in our own summaries), “[x] a step”",
    ).about_summary().reading_summary(),
    new("F03", "stale_step", Warn, Paired(facts::stale), (
        "no step is said to be open that the newest plan has done",
        "take open steps from the newest plan",
    )).about_summary().reading_summary(),
    new("F04", "negation", Error, Paired(facts::negations), (
        "no line has the words of the original with a negation more or less",
        "say it as the original says it; --summarizer extractive quotes",
    )).including(&["negations lost between words of the original, in any language, in quotations and in our own summaries"])
        .passing(&["a line that marks what it tells as rejected (“move the lamp (rejected)”)"])
        .warning(&["a line that turns round what is no order of the user", "a negation lost in a quotation of another tool"]).about_summary().reading_summary(),
    new("F05", "origin", Warn, Paired(facts::unrelated_statements), (
        "every statement has enough of its words in one place of the original, compared with the other statements",
        "take the line out of the summary; --summarizer extractive states nothing that is not there",
    )).passing(&["a summary in another language or mostly in other words, and one of fewer than four statements of which not \
                  two quote, which are not judged"]).about_summary().reading_summary(),
    new("F06", "quotations", Error, Paired(facts::quotations), (
        "what stands in “quotes” stands in the original",
        "quote what was said, or tell it without quotes; take out what nobody asked for",
    )).including(&[
        "goal, current request and instructions are quotations where the other lines of a summary are",
        "what a command is said to have printed stands in a result, colors aside",
    ])
        .passing(&[
            "words that are left out between runs of the original's words",
            "one word that is often spelled wrong, spelled right (“should” for “sould”)",
        ])
        .warning(&["words of the original that are not in runs", "all of it, in what another tool wrote, whose goal passes unless most of its words are nowhere"])
        .about_summary().reading_summary(),
    new("K01", "constraints", Error, Paired(keeping::constraints), (
        "every sentence in which the user says how to work is kept, and none is turned round",
        "raise --summary-tokens, or carry the lost sentences under Instructions",
    )).including(&[
        "rules by their form: “Ask me before …”, “Leave x alone”, “No new x”, “x is off limits”",
        "each ban of a sentence with several",
        "rules in a plan to be carried out: those by their words or their heading, and what stands behind the plan",
    ]).passing(&[
        "60 % of its words on one line, with its numbers, unless the line states another rule of the user that differs in a word",
        "each rule of a sentence with several on a line of its own",
        "the sentence without its reason",
        "another plain ban of the same in English, or one until the same is done",
        "a ban behind a request in the same sentence, told apart from the request",
    ]).warning(&[
        "an exception that the user did not make",
        "a lost rule where enough others are kept",
        "a lost wish or remark where too few are kept",
        "a lost rule of an earlier summary that nothing says any more",
        "a lost rule that only its form tells, without a word such as “never”",
        "a lost ban or clause of a sentence with several",
        "a line with the words of a ban, in which another clause forbids something else",
        "lost prose and steps of a plan that a message has carried out",
        "a lost sentence that only supposes something (“Maybe we should …”)",
        "a sentence without a word such as “never” that sets a limit or an order in time, turned round",
    ]).with(&[("min", "0.9 of them; a lost rule fails below, and warns above")]).reading_summary().metric(),
    new("K02", "requests", Error, Paired(requests::represented), (
        "the first and the latest request are kept or said, and none is said to be the current one that was asked before another",
        "name the first request under Goal",
    )).warning(&[
        "a request that one line tells in fewer of its words, or in other forms of them",
        "a request of which a summary by another tool has some words",
        "a short request that another one resembles, where nothing says in what it differs from that",
        "a heading “Current work” over what an older request asked for",
    ]).reading_summary().metric(),
    new("K03", "modified_files", Error, Paired(keeping::modified_files), (
        "every file that calls changed is named",
        "raise --summary-tokens: changed files come first",
    )).passing(&[
        "each file of a list in braces (`src/{quay,lamp}.ts`)",
        "files of one name told together, by their number or as all of them, right before the name (“four `__init__.py` files”, “all `mod.rs`”)",
        "files left out that the session created and that are gone in the end, temporary ones, and plans of the harness (`.claude/plans/x.md`)",
    ]).with(&[("min", "1.0 of them")]).reading_summary().metric(),
    new("K04", "unfinished", Warn, Paired(requests::unfinished), (
        "the last failure and the open steps of the plan are there",
        "name them under Accomplished",
    )).including(&["no step is ticked off that no call did"])
        .passing(&["a failure told by the name of its test with a word for a failure, or by how many tests failed"]).reading_summary().metric(),
    new("K05", "expected", Error, Alone(keeping::expected), (
        "the facts that expect.toml names for the transcript are there",
        "raise --summary-tokens, or correct expect.toml",
    )).reading_summary().metric(),
    new("K06", "forbidden", Error, Alone(keeping::forbidden), (
        "what expect.toml says must not be there is not",
        "redact it before compaction",
    )).reading_summary(),
    new("X01", "secrets", Error, Alone(secrets::no_secrets), (
        "no key or password is in the summary",
        "redact the original, revoke the key",
    )).warning(&["one that was in a message and is kept with it"]),
    new("X02", "private_data", Off, Alone(secrets::no_private_data), (
        "no home folder, e-mail or IP address is in the summary",
        "redact the original",
    )).warning(&["one in a kept message"]),
    recall("H01", "recall", "of the facts that the agent needed later, enough are left").metric(),
    recall("H02", "deep_recall", "of the needed facts that are not in the tail, enough are left").metric(),
    recall("H03", "bound_recall", "enough needed facts are left with some of their wording").metric(),
    recall("H04", "open_recall", "of the rare words that the agent needed later, enough are left"),
    recall("H05", "recall_area", "the area below the curve of recall over budgets of 1 000 to 16 000 tokens is large enough").over_budgets(),
    new("R01", "regression", Error, Runs, (
        "no metric fell by more than the tolerance below the baseline, and what it is compared with is the same",
        "find out what changed; --update-baseline accepts the new values",
    )).with(&[("tolerance", "0.01")]),
    new("R02", "determinism", Off, Originals, (
        "the original compacted twice, by other numbers of threads and in another order, gives the same bytes",
        "this is a bug of the compactor, please report it",
    )).on_demand(Error),
    new("R03", "chain_decay", Off, Originals, (
        "the original compacted three times in a row, each time with at most half the tail, keeps as many constraints and changed files as after the first time",
        "raise --summary-tokens",
    )).with(&[("min", "0.9 of what the first one keeps")]).on_demand(Warn).counted(),
    new("R04", "resources", Off, Originals, (
        "compacting all originals takes no more time and memory than is allowed",
        "give it more, or compact fewer files in a run",
    )).warning(&["all of it, unless its level is strict"])
        .with(&[("max-seconds", "none: of the clock, by --threads"), ("max-bytes", "none: of memory, at the peak")])
        .by(&["max-seconds", "max-bytes"]).on_demand(Warn),
];

/// A gate of hindsight recall (QUALITY §2) over all originals, each cut at 40, 60 and 80 % of its tokens.
const fn recall(id: &'static str, name: &'static str, meaning: &'static str) -> Gate {
    new(
        id,
        name,
        Off,
        Originals,
        (meaning, "raise --summary-tokens; `epitome evaluate --explain` says why a fact was lost"),
    )
    .with(&[("min", "none: the mean over sessions, from 0 to 1"), ("min-n", "10 sessions; fewer inform only")])
    .by(&["min"])
    .on_demand(Error)
}
