//! States and actions, on sketches.

use super::*;
use crate::transcript::sketch::sketch;

fn judged(drawing: &str) -> &'static str {
    state(&sketch(drawing)).name()
}

fn acted(drawing: &'static str, settings: &ContinuationSettings, user_is_kept: bool) -> Action {
    let transcript = sketch(drawing);
    action(&transcript, state(&transcript), settings, user_is_kept)
}

#[test]
fn the_state_is_how_the_transcript_ends() {
    assert_eq!(judged("s u a u"), "unanswered");
    assert_eq!(judged("s u a m"), "media");
    assert_eq!(judged("u t"), "open_call");
    assert_eq!(judged("u p r"), "open_call");
    assert_eq!(judged("u t a"), "open_call", "what the model said beside the call is no result");
    assert_eq!(judged("u t r"), "mid_task");
    assert_eq!(judged("u p r r"), "mid_task");
    assert_eq!(judged("u m a"), "idle", "a picture that was answered is no new work");
    assert_eq!(judged("u a"), "idle");
    assert_eq!(judged("s"), "idle");
    let mut stopped = sketch("u t");
    stopped.messages[1].aborted = true;
    assert_eq!(state(&stopped).name(), "unanswered", "nobody answers the calls of a turn that was stopped");
}

#[test]
fn who_was_stopped_by_the_person_waits() {
    let ends = |drawing: &'static str, text: &'static str| {
        let mut transcript = sketch(drawing);
        if let Some(message) = transcript.messages.last_mut() {
            if message.role == Role::User {
                message.author = Author::Harness;
            }
            message.parts.iter_mut().for_each(|part| part.text = text.into());
        }
        state(&transcript).name()
    };
    for stop in ["[Request interrupted by user for tool use]", "<turn_aborted>\nby the user\n</turn_aborted>\n"] {
        assert_eq!(ends("u t r u", stop), "idle", "{stop}");
    }
    assert_eq!(ends("u t r u", "The [Request interrupted by user] was logged."), "mid_task");
    let refused = "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you.";
    assert_eq!(ends("u t r", refused), "idle");
    assert_eq!(ends("u t r", "a.jsonl: STOP what you are doing and wait for the user"), "mid_task");
    assert_eq!(ends("u t r", "All stopped."), "mid_task");
}

#[test]
fn nothing_sets_a_log_going_that_is_never_resumed() {
    let mut transcript = sketch("u t r");
    let settings = |rule| ContinuationSettings { rule, ..ContinuationSettings::default() };
    for rule in [ContinuationRule::State, ContinuationRule::Always, ContinuationRule::Seed] {
        transcript.traits.never_resumed = false;
        assert_ne!(action(&transcript, State::MidTask, &settings(rule), true), Action::None);
        transcript.traits.never_resumed = true;
        assert_eq!(action(&transcript, State::MidTask, &settings(rule), true), Action::None);
    }
}

#[test]
fn who_ended_the_run_had_finished() {
    let ended = |tool: &'static str, arguments: &'static str, refused| {
        let mut transcript = sketch("u t r t r");
        for part in transcript.messages.iter_mut().skip(3).flat_map(|message| &mut message.parts) {
            match &mut part.kind {
                PartKind::Call { name, .. } => (*name, part.text) = (tool.into(), arguments.into()),
                PartKind::Result { error, .. } => *error = refused,
                _ => {}
            }
        }
        state(&transcript).name()
    };
    assert_eq!(ended("finish", r#"{"message":"done"}"#, false), "idle");
    assert_eq!(ended("finish", "{}", true), "mid_task", "it was refused");
    assert_eq!((ended("submit", "{}", false), ended("submit", r#"{"form":1}"#, false)), ("idle", "mid_task"));
    assert_eq!(ended("bash", "{}", false), "mid_task");
}

#[test]
fn a_synthetic_message_is_no_users() {
    assert_eq!(judged("u t r c"), "mid_task");
}

#[test]
fn only_work_in_the_middle_is_told_to_go_on() {
    let settings = ContinuationSettings::default();
    let act = |drawing, kept| acted(drawing, &settings, kept);
    assert_eq!(act("u t r", true), Action::Continue("continue".into()));
    assert_eq!(act("u a", true), Action::None);
    assert_eq!(act("u t", true), Action::None);
    assert_eq!(act("u a u", true), Action::Kept);
    assert!(matches!(act("u a u", false), Action::Replay(_)));
    assert!(matches!(act("u a m", false), Action::Describe(..)));
    let idle = ContinuationSettings { idle: true, ..settings };
    assert_eq!(acted("u a", &idle, true), Action::Continue("continue".into()));
}

#[test]
fn media_are_described_when_asked() {
    let describe = ContinuationSettings { media: MediaInTail::Describe, ..ContinuationSettings::default() };
    let Action::Describe(text, message) = acted("u a m1", &describe, true) else { unreachable!("media are described") };
    assert_eq!((text.as_str(), message), ("[Continuing from compaction] xxxx", 2));
}

#[test]
fn the_seeds_branches_put_media_first_and_always_go_on() {
    let seed = ContinuationSettings { rule: ContinuationRule::Seed, ..ContinuationSettings::default() };
    assert!(matches!(acted("m a", &seed, true), Action::Describe(..)));
    assert!(matches!(acted("u a u", &seed, true), Action::Replay(_)));
    assert_eq!(acted("u a", &seed, true), Action::Continue("continue".into()));
}
