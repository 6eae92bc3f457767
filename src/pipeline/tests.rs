//! Presets on the test cases of the systems they imitate, rewritten as sketches: what is kept, removed and stubbed, and
//! where the summary is placed. HARNESSES section (e) names the sources.
//!
//! An outcome is drawn with the letters of the sketch: `[…]` is removed, `S` is the summary, `X` a stubbed result, `T`
//! a call without its arguments, `U` a user message without its middle, `C` a continuation.

use super::*;
use crate::preset::{Settings, SummarizerKind, presets};
use crate::transcript::sketch::{count, sketch};
use crate::transcript::{Change, InsertKind, PartKind};

/// Factor by which messages are larger than drawn, so that a summary is shorter than its head.
const SCALE: usize = 100;

/// Compacts a drawing with a preset with changed settings, whether or not it overflows.
fn drawn_with(preset: &str, drawing: &str, change: impl Fn(&mut Settings)) -> (String, Option<Compaction>) {
    let mut settings = Settings::of_preset(preset).unwrap();
    settings.overflow.when = When::Always;
    change(&mut settings);
    let mut transcript = sketch(drawing);
    for part in transcript.messages.iter_mut().flat_map(|message| &mut message.parts) {
        part.tokens = Tokens(part.tokens.0 * SCALE as u64);
        part.text = part.text.repeat(SCALE).into();
    }
    let summary = &settings.summary;
    let text = summary.template_text.as_deref().unwrap_or(crate::summary::DEFAULT_TEMPLATE);
    let template = Template::parse(text, &summary.sections, summary.free_form).unwrap();
    let done = compact(
        &transcript,
        &settings,
        Tools { count: &count, spread: &crate::transcript::InTurn, template: &template, summarizer: None },
    )
    .unwrap();
    let letters: Vec<char> = drawing.chars().filter(|letter| letter.is_alphabetic()).collect();
    (draw(&letters, &done, &transcript), Some(done))
}

fn drawn(preset: &str, drawing: &str) -> String {
    drawn_with(preset, drawing, |_| {}).0
}

fn draw(letters: &[char], done: &Compaction, transcript: &Transcript<'_>) -> String {
    let Some(script) = &done.script else { return letters.iter().collect() };
    let (mut drawn, mut open) = (String::new(), false);
    for at in 0..=letters.len() {
        let keeps = script.keeps(at);
        if open && keeps {
            drawn.push(']');
        }
        for insert in script.inserts.iter().filter(|insert| insert.before == at) {
            drawn.push(if matches!(insert.kind, InsertKind::Summary { .. }) { 'S' } else { 'C' });
        }
        if !open && !keeps {
            drawn.push('[');
        }
        open = !keeps;
        let Some(letter) = letters.get(at) else { break };
        let edit = script.changes_of(at).first();
        drawn.push(match edit.map(|edit| (&edit.change, &transcript.messages[at].parts[edit.part].kind)) {
            Some((Change::Excerpt(_), PartKind::Text)) => 'U',
            Some((_, PartKind::Call { .. })) => 'T',
            Some(_) => 'X',
            None => *letter,
        });
    }
    drawn
}

/// A piece repeated.
fn many(piece: &str, times: usize) -> String {
    piece.repeat(times)
}

/// The texts of the stubs.
fn stubs(preset: &str, drawing: &str) -> Vec<String> {
    let (_, done) = drawn_with(preset, drawing, |_| {});
    done.unwrap().stubs.into_iter().map(|stub| stub.text).collect()
}

/// forge_domain compact/strategy.rs: `seq("suaaaauaa", 3)` is `su[aaaa]uaa`, and calls stay with their results.
#[test]
fn forge_keeps_the_opening_and_the_newest_messages() {
    let retain = |drawing: &str, messages: usize| {
        drawn_with("forge-strict", drawing, |settings| {
            settings.split.tail_messages = messages;
            settings.split.tail_share = 0.0;
        })
        .0
    };
    assert_eq!(retain("suaaaauaa", 3), "su[aaaa]Suaa");
    assert_eq!(retain("sutrtrau", 2), "su[trtr]Sau");
    assert_eq!(retain("sutrtrau", 3), "su[tr]Strau");
    assert_eq!(retain("suprrau", 3), "suprrau", "a cut inside a batch moves back to its call, and nothing is left");
    assert_eq!(retain("suaau", 9), "suaau");
}

/// forge's code takes the index of the message at which a fifth of the tokens is reached as the number of messages to
/// keep.
#[test]
fn forge_takes_an_index_for_a_count_and_the_smaller_of_two_limits() {
    let equal = format!("u{}", many("a", 99));
    assert_eq!(drawn("forge-strict", &equal), format!("u[{}]S{}", many("a", 93), many("a", 6)));
    let long = format!("u400{}", many("a", 20));
    assert_eq!(drawn("forge-strict", &long), format!("u[{}]Sa", many("a", 19)));
    // As documented, a fifth is removed, and at least six messages stay.
    let large = |settings: &mut Settings| settings.overflow.trigger_tokens = Some(1_000_000);
    assert_eq!(drawn_with("forge", &equal, large).0, format!("u[{}]S{}", many("a", 19), many("a", 80)));
    assert_eq!(drawn_with("forge", &format!("u{}", many("tr", 10)), large).0, format!("u[trtr]S{}", many("tr", 8)));
}

/// langchain_v1 middleware tests: all but the newest three tool results are cleared, the calls stay.
#[test]
fn langchain_and_anthropic_clear_all_results_but_three() {
    for preset in ["langchain-clear", "anthropic-clear"] {
        assert_eq!(drawn(preset, "utrtrtrtrtra"), "utXtXtrtrtra", "{preset}");
        assert_eq!(drawn(preset, "utrtrtra"), "utrtrtra", "{preset}");
        assert_eq!(drawn(preset, "uprrprra"), "upXrprra", "{preset}");
    }
    assert_eq!(stubs("langchain-clear", "utrtrtrtra"), ["[cleared]"]);
    let short = |settings: &mut Settings| settings.prune.stub = "[cleared]".repeat(200);
    assert_eq!(drawn_with("langchain-clear", "utrtrtrtra", short).0, "utXtrtrtra", "though the stub is longer");
    let inputs = |settings: &mut Settings| settings.prune.arguments = crate::preset::Arguments::Clear;
    assert_eq!(drawn_with("langchain-clear", "utrtrtrtra", inputs).0, "uTXtrtrtra");
}

/// LangChain measures what clearing saves with stubs included: `clear_at_least`, compared with the library itself.
#[test]
fn langchain_stops_at_what_is_really_saved() {
    let stub = count("[cleared]").0;
    let least = |tokens: u64| move |settings: &mut Settings| settings.prune.minimum_tokens = tokens;
    let one = 10 * SCALE as u64 - stub;
    assert_eq!(drawn_with("langchain-clear", "utrtrtrtrtra", least(one)).0, "utXtrtrtrtra");
    assert_eq!(drawn_with("langchain-clear", "utrtrtrtrtra", least(one + 1)).0, "utXtXtrtrtra");
}

/// LangChain protects no tool: results of `skill` are removed with the rest.
#[test]
fn langchain_carries_no_tool_results() {
    assert_eq!(drawn("langchain-summ", &format!("ukr{}u", many("a", 20))), format!("[ukra]S{}u", many("a", 19)));
    assert_eq!(drawn("trim-last", "ukra50u50a20"), "[ukra]ua");
}

/// Seed T9 carries results of `skill`, and Claude Code attaches skills again; no other system does.
#[test]
fn skills_are_carried_where_the_source_says_so() {
    let carries = |name: &&str| {
        let settings = Settings::of_preset(name).unwrap();
        settings.summary.by != SummarizerKind::None
            && settings.split.pin_last_user
            && settings.prune.protect_tools.iter().any(|tool| tool == "skill")
    };
    let names: Vec<&str> = presets().map(|preset| preset.name).filter(carries).collect();
    let own = ["epitome-balanced", "epitome-faithful", "epitome-small", "opencode"];
    assert_eq!(names, [["claude-code", "claude-code-memory"].as_slice(), &own].concat());
}

/// The newest five clearable results stay; tools that are not listed are not touched.
#[test]
fn claude_code_micro_counts_only_its_eight_tools() {
    assert_eq!(drawn("claude-code-micro", "utrkrtrtrtrtrtra"), "utXkrtrtrtrtrtra");
    assert_eq!(stubs("claude-code-micro", "utrtrtrtrtrtra"), ["[Old tool result content cleared]"]);
}

/// SWE-agent history-processor tests: all but the newest n observations are elided; the strict preset also keeps the
/// first.
#[test]
fn swe_agent_elides_all_but_the_newest_observations() {
    assert_eq!(drawn("swe-agent", "utrtrtrtrtrtrtr"), "utXtXtrtrtrtrtr");
    assert_eq!(drawn("swe-agent-strict", "utrtrtrtrtrtrtr"), "utrtXtrtrtrtrtr");
    assert_eq!(stubs("swe-agent", "utrtrtrtrtrtr"), ["Old environment output: (1 lines omitted)"]);
    assert_eq!(drawn("mask-10", &format!("u{}", many("tr", 12))), format!("utXtX{}", many("tr", 10)));
}

/// A view of a file is replaced when the file is viewed again.
#[test]
fn swe_agent_closes_windows_on_what_is_seen_again() {
    let mut transcript = sketch("utr90tr90tr90a");
    for (call, path) in [(1, "/w/a"), (3, "/w/b"), (5, "/w/a")] {
        transcript.messages[call].parts[0].text = format!(r#"{{"path":"{path}"}}"#).into();
    }
    let settings = Settings::of_preset("swe-agent-window").unwrap();
    let stubs = crate::prune::prune(&transcript, &settings.prune, &count);
    let told: Vec<_> = stubs.iter().map(|stub| (stub.message, stub.text.as_str(), stub.copy)).collect();
    assert_eq!(told, [(2, "Outdated window with 1 lines omitted...", Some((6, 0)))]);
}

/// toolOutputMaskingService: 50 000 tokens are protected, 30 000 must be saved, ten lines or 250 characters of each end
/// are shown.
#[test]
fn gemini_masks_what_is_beyond_the_newest_outputs() {
    // The newest two have 50 000 tokens.
    assert_eq!(drawn("gemini-mask", "utr300tr300tr300tr200a"), "utXtXtrtra");
    assert_eq!(drawn("gemini-mask", "utr400tr300tr200a"), "utXtrtra");
    assert_eq!(drawn("gemini-mask", "utr300tr300tr200a"), "utrtrtra", "30 000 are not more than that");
    let text = &stubs("gemini-mask", "utr400tr300tr200a")[0];
    let ends = "x".repeat(250);
    assert_eq!(
        *text,
        format!("<tool_output_masked>\n{ends}\n... [40000 tokens in all] ...\n{ends}\n</tool_output_masked>")
    );
}

/// chatCompressionService.test.ts: the first plain user message at or past 70 % of the characters starts the tail.
#[test]
fn gemini_splits_at_the_first_user_message_past_seventy_percent() {
    assert_eq!(drawn("gemini-cli", "uauauauaua"), "[uauauaua]Sua");
    let finished = drawn("gemini-cli", "uaaauaaauaaaaaa");
    assert_eq!(finished, "[uaaauaaa]Su[aaaaaa]", "with none, all goes but the last words of the user");
    assert_eq!(drawn("gemini-cli", "uauauatrtrtrtr"), "[uaua]Suatrtrtrtr", "at work, the last user message starts it");
}

/// OpenHands: the condenser tests of keep_first and max_size, and of batches that are kept or removed as a whole.
#[test]
fn openhands_keeps_the_first_and_half() {
    let long = format!("ua{}", many("ua", 45));
    let gone = 92 - 4 - 35;
    let letters: Vec<char> = long.chars().collect();
    let text = |range: std::ops::Range<usize>| letters[range].iter().collect::<String>();
    assert_eq!(drawn("openhands", &long), format!("{}[{}]S{}", text(0..4), text(4..4 + gone), text(57..92)));
    // A batch of two calls at the cut is removed as a whole, and one at the beginning kept as a whole.
    let keep = |settings: &mut Settings| {
        settings.split.tail_messages = 3;
        settings.split.keep_first = 2;
    };
    assert_eq!(drawn_with("openhands", "uprraaprrua", keep).0, "uprr[aaprr]Sua");
    // Less than a tenth is no progress.
    let most = |settings: &mut Settings| settings.split.tail_messages = 18;
    assert_eq!(drawn_with("openhands", "uauauauauauauauauauaua", most).0, "uauauauauauauauauauaua");
}

/// Tests of the older condensers: masking outside a window, keeping the first and newest, dropping half, a window.
#[test]
fn openhands_maskers_and_forgetters() {
    let window = |preset: &str, drawing: &str, messages: usize| {
        drawn_with(preset, drawing, |settings| {
            settings.prune.keep_messages = messages;
            settings.split.tail_messages = messages;
        })
        .0
    };
    assert_eq!(window("openhands-mask", "utrtrtra", 3), "utXtXtra");
    assert_eq!(stubs("openhands-mask", &format!("utr{}", many("a", 100))), ["<MASKED>"]);
    assert_eq!(window("openhands-recent", "uaaaaua", 3), "u[aaa]aua");
    assert_eq!(window("openhands-amortized", "uaauatrtrua", 4), "u[aauatr]trua");
    assert_eq!(window("openhands-recent", "suaaaaua", 3), "s[uaaa]aua", "the system prompt is the first event");
    assert_eq!(window("openhands-mask", "utr1tr1a", 1), "utXtXa", "however short");
    assert_eq!(drawn("openhands-recent", &many("ua", 50)), many("ua", 50), "a hundred stay");
    let half = format!("u[{}]a{}", many("au", 26), many("ua", 24));
    assert_eq!(drawn("openhands-amortized", &many("ua", 51)), half);
}

/// ConversationWindowCondenser: the system prompt and the first user message stay; of all others the newer half, at
/// least one. Compared with the class itself.
#[test]
fn openhands_window_keeps_the_first_words_of_the_user_and_the_newer_half() {
    // The original leaves no note for removed messages.
    let drop = |settings: &mut Settings| settings.summary.by = SummarizerKind::Drop;
    let window = |drawing: &str| drawn_with("openhands-window", drawing, drop).0;
    assert_eq!(window("uaaaaauaa"), "u[aaaa]auaa");
    assert_eq!(window("uaaaauaa"), "u[aaaa]uaa", "of seven three stay");
    assert_eq!(window("aaauaaaa"), "[aaa]u[a]aaa", "what stands before the first words goes");
    assert_eq!(window("aaaaauaa"), "[aaaaa]uaa", "in the newer half they are one of its three");
    assert_eq!(window("saauaatra"), "s[aa]u[aa]tra");
    assert_eq!(window("ua"), "ua", "one stays, half of one or not");
    assert_eq!(window("uaa"), "u[a]a");
    assert_eq!(window("aaaaaa"), "aaaaaa", "without a message of the user nothing goes");
    assert_eq!(window("utr"), "utr", "the newest call stays with its result; there only the first words would");
}

/// Roo's sliding window: removes half of the messages after the first, rounded to an even number.
#[test]
fn roo_hides_an_even_half() {
    assert_eq!(drawn("roo-slide", "uauauauaua"), "u[auau]Sauaua", "half of nine is four");
    assert_eq!(drawn("roo-slide", "uauauauauaua"), "u[auau]Sauauaua", "half of eleven is five, which is odd");
    let (_, done) = drawn_with("roo-slide", "uauauauaua", |_| {});
    let summary = done.unwrap().summary.unwrap();
    assert_eq!(summary.text, "[Sliding window truncation: 4 messages hidden to reduce context]");
}

/// Agent Framework and Semantic Kernel: groups are never separated, system messages stay.
#[test]
fn agent_framework_drops_the_oldest_groups() {
    let long = format!("su{}", many("tr", 24));
    let expected = format!("su[{}]{}", many("tr", 14), many("tr", 10));
    assert_eq!(drawn("maf-truncate", &long), expected);
    assert_eq!(
        drawn("maf-window", &format!("su{}", many("tr", 24))),
        format!("su[{}]{}", many("tr", 4), many("tr", 20))
    );
    assert_eq!(drawn("maf-toolcollapse", "utr90tr90a"), "utXtra");
    let context = |most: u64| {
        move |settings: &mut Settings| {
            settings.limits.usable = Some(most);
            settings.overflow.when = When::Overflow;
        }
    };
    let calls = format!("u{}a", many("tr", 6));
    assert_eq!(drawn_with("maf-context", &calls, context(1_000_000)).0, calls, "below half nothing happens");
    let (drawn_context, _) = drawn_with("maf-context", &calls, context(16_000));
    assert_eq!(drawn_context, format!("utXtX{}a", many("tr", 4)), "beyond half old results go");
}

/// trim_messages: keeps the system prompt and the newest messages that fit, from a user message on; nothing replaces
/// the rest.
#[test]
fn trim_last_starts_at_a_user_message() {
    assert_eq!(drawn("trim-last", "u20a20u20a20u20a20"), "[ua]uaua");
    assert_eq!(drawn("trim-last", "su20a20u20a20u20a20"), "s[uaua]ua", "the system prompt counts");
    assert_eq!(drawn("trim-last", "su20tr20u10a20tr20a"), "s[utr]uatra");
    assert_eq!(drawn("trim-last", "su10a10"), "sua");
}

/// compact.rs of Codex: user messages within 16 tokens stay, the one that exceeds them loses its middle; the summary
/// comes last.
#[test]
fn codex_keeps_user_messages_within_a_budget_and_the_summary_last() {
    let budget = |tokens: u64| move |settings: &mut Settings| settings.split.user_tokens = tokens;
    assert_eq!(drawn_with("codex", "suau90atru5a", budget(1_600)).0, "s[ua]U[atr]u[a]S");
    assert_eq!(drawn_with("codex", "suauatru5a", budget(99_999)).0, "su[a]u[atr]u[a]S");
    assert_eq!(drawn_with("codex", "suau90atru5a", budget(500)).0, "s[uauatr]u[a]S", "nothing is left for the older");
}

/// compaction.test.ts of pi: newest first until the budget is reached, never at a result.
#[test]
fn pi_cuts_at_the_message_that_reaches_the_budget_or_behind_it() {
    let keep = |tokens: u64| {
        move |settings: &mut Settings| {
            (settings.split.tail_floor, settings.split.tail_cap) = (tokens, tokens);
        }
    };
    assert_eq!(drawn_with("pi", "uauauaua", keep(2_500)).0, "[uauau]Saua");
    assert_eq!(drawn_with("pi", "uauatrua", keep(2_500)).0, "[uauatr]Sua", "a result is no place to cut");
    assert_eq!(drawn_with("pi", "uaua", keep(99_000)).0, "uaua");
}

/// compaction.test.ts of Cline: at least the newest 20 000 tokens, back to a message that may start a tail.
#[test]
fn cline_keeps_at_least_its_tail() {
    assert_eq!(
        drawn("cline-agentic", "u50a50u50tr100u10a90"),
        "[uau]Strua",
        "the result reaches it, the call comes along"
    );
    assert_eq!(drawn("cline-agentic", "u50a50u50a50u50tr190u10"), "[uauau]Stru");
}

/// Tails of the others: turns, shares and counts.
#[test]
fn other_tails() {
    assert_eq!(drawn("claude-code", "suauatra"), "s[ua]Su[atra]", "only the last words of the user are carried");
    assert_eq!(drawn("goose", "suauatra"), "s[ua]Su[atra]");
    assert_eq!(drawn("claude-code-memory", "u50a50u50a50tr50u5a5u5a40"), "[uau]Satruaua");
    assert_eq!(drawn("letta", "uauauauaua"), "[uau]Sauauaua", "thirty per cent, on to an answer");
    assert_eq!(drawn("aider", "u20a20u20a5u5a5"), "[ua]Suaua");
    assert_eq!(drawn("sk-summary", &many("ua", 8)), format!("[{}]S{}", many("ua", 3), many("ua", 5)));
    let batch = format!("[u]Suprr{}", many("a", 19));
    assert_eq!(drawn("langchain-summ", &format!("uuprr{}", many("a", 19))), batch, "a cut in a batch moves back");
    assert_eq!(drawn("hermes-trajectory", &format!("suaa{}", many("a", 20))), {
        // 15 250 tokens, less the first four messages after the system prompt, the system prompt and the summary: 9
        // 500.
        format!("suaaa[{}]S{}", many("a", 10), many("a", 9))
    });
}

/// test/session/compaction.test.ts of opencode, numbered as in OPENCODE section 3.4, and the defect B6.
#[test]
fn opencode_1_18_keeps_turns_that_fit_and_parts_of_the_next() {
    let keep = |tokens: u64| {
        move |settings: &mut Settings| {
            settings.split.tail_tokens = Some(tokens);
            settings.continuation.place = crate::preset::Place::None;
        }
    };
    // Case 21: only the last of three turns is small enough. Case 24: the end of an answer, in a turn that does not
    // fit.
    assert_eq!(drawn_with("opencode-1.18", "u5u500u5", keep(1_000)).0, "[uu]Su");
    assert_eq!(drawn_with("opencode-1.18", "u5u5a500a5", keep(1_000)).0, "[u]Su[a]a");
    assert_eq!(drawn_with("opencode-1.18", "u5a5u5a5", keep(99_000)).0, "uaua");
    assert_eq!(drawn_with("opencode-1.18-strict", "u5a5u5a5", keep(99_000)).0, "S[uaua]");
}

/// V2: back to a user message; if everything fits, only the latest exchange stays.
#[test]
fn opencode_v2_starts_its_tail_at_a_user_message() {
    assert_eq!(drawn("opencode-v2", "u50a50u50a50tr60a50u5a5"), "[ua]Suatraua", "the walk back has no bound");
    assert_eq!(drawn("opencode-v2", "u5a5u5a5"), "[ua]Sua");
    assert_eq!(drawn("opencode-v2", "u5a5"), "ua", "one exchange is all there is");
}

/// If everything fits in the tail after pruning, SPEC leaves the transcript as it is, unless `prune.alone` is set.
#[test]
fn what_is_pruned_is_written_without_a_head_where_pruning_may_stand_alone() {
    let drawing = format!("u1{}u1a1u1a1u1a1", many("t1r3000", 4));
    assert_eq!(drawn("opencode", &drawing), format!("u{}uauaua", many("tr", 4)), "no head");
    let (alone, done) = drawn_with("opencode", &drawing, |settings| settings.prune.alone = true);
    assert_eq!(alone, format!("u{}uauaua", many("tX", 4)));
    assert_eq!(done.unwrap().reason, None);
    let (nothing, done) = drawn_with("opencode", "uauaua", |settings| settings.prune.alone = true);
    assert_eq!((nothing.as_str(), done.unwrap().reason), ("uauaua", Some(Reason::NoHead)));
}
