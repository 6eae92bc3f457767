//! The reasons in reports: why a file or transcript stays as it is, is left out, or fails, and what to do about it.

/// Defines the enum of the reasons from their stable names, meanings, and remedies (empty if there is none).
macro_rules! reasons {
    ($($reason:ident = $name:literal: $meaning:literal, $remedy:literal;)+) => {
        /// Why a file or transcript stays as it is, is left out, or fails.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Reason { $(#[doc = $meaning] $reason),+ }

        impl Reason {
            /// All values, by name.
            pub const ALL: &[Self] = &[$(Self::$reason),+];

            /// The stable name used in reports.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$reason => $name),+ }
            }

            /// What it means, as a fragment.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$reason => $meaning),+ }
            }

            /// What to do about it; empty if there is nothing.
            pub const fn remedy(self) -> &'static str {
                match self { $(Self::$reason => $remedy),+ }
            }
        }
    };
}

reasons! {
    AlreadyCompacted = "already_compacted":
        "nothing but an earlier summary stands before the tail",
        "--preset lean drops what is stored before it and no longer loaded; a smaller --tail-tokens makes a head";
    Archive = "archive":
        "an archive of Inspect AI, whose harness could not open it if it were compressed otherwise",
        "leave out --compress, or --exclude it";
    BadAnswer = "bad_answer":
        "a row that says of its answer that it is a bad one; no target could say so",
        "leave such rows out, or keep the format";
    BelowMinTokens = "below_min_tokens":
        "the transcript has fewer tokens than what is judged has at least",
        "--min-tokens N lowers that";
    BelowTrigger = "below_trigger":
        "the transcript does not overflow, and compacting waits for that",
        "--when always; --max-tokens and --trigger-tokens say what an overflow is";
    Canceled = "canceled":
        "the run was stopped before it came to this file",
        "run again: what is done is skipped";
    ChangedWhileReading = "changed_while_reading":
        "something wrote to the file while it was read",
        "run again when nothing does; --in-place leaves files alone that are younger than --min-age";
    ColumnOfMessages = "column_of_messages":
        "a list goes with the messages and can't be cut along: it has as many entries and is no mask or weight, so that what a new message would have in it is not known, or it is a mask of another number of entries, or has positions of messages",
        "leave the column out, or the row stays as it is";
    ConversationTwice = "conversation_twice":
        "another column of the row holds the same conversation once more, so that only one of both would be cut",
        "leave one of the two columns out, or the row stays as it is";
    CopiesDiffer = "copies_differ":
        "a log holds its messages a second time, and not one for one, so that both could not be cut alike",
        "leave the copy out, or the log stays as it is";
    DamagedCompression = "damaged_compression":
        "the compressed data can't be unpacked",
        "look at it with gzip -t, zstd -t or unzip -t";
    DanglingLink = "dangling_link":
        "a symbolic link to nothing",
        "remove it, or --exclude it";
    Empty = "empty":
        "there is nothing in the file",
        "";
    FlatText = "flat_text":
        "a row of plain text has no messages that could be cut",
        "";
    HookFailed = "hook_failed":
        "the program of summary.hook failed, or gave no answer that is one",
        "see its last line of standard error";
    ImpossibleLimits = "impossible_limits":
        "the limits leave no room for a result",
        "raise --max-tokens, or lower --tail-tokens and --summary-tokens";
    InUse = "in_use":
        "with --in-place: another process has it open for writing",
        "end that process, or --min-age 0s";
    InvalidLine = "invalid_line":
        "a line is no JSON, has several records, or calls in the form of another format than its file's",
        "`check --fix` mends torn ones, --lenient reads over them; rows of another format belong in a file of their own";
    LineTooLong = "line_too_long":
        "a line is longer than is held in memory",
        "split it";
    LoneEvent = "lone_event":
        "a file of one event, a piece of a store of many files: there is nothing to cut",
        "";
    MediaBeside = "media_beside":
        "the media that the messages show, or places in them, are in columns that could not be cut along with them: `image`, `objects`, or a list of sizes",
        "write the media to `images`, `videos` or `audios`, and leave the other columns out, or the row stays as it is";
    MediaInResult = "media_in_result":
        "a result that may be cut shows media whose column would not fit any more",
        "";
    MemoryLimit = "memory_limit":
        "the file needs more memory than --memory-limit allows",
        "state what the message names, or split the file";
    NewFault = "new_fault":
        "the result would have broken a rule of its format that the input keeps; it was not written",
        "please report it: it is a bug of ours";
    NoAnswer = "no_answer":
        "nobody answers in it, and the target's rows are for training, which needs an answer; it is left out",
        "";
    NoCompactionRecord = "no_compaction_record":
        "the format has no record of a compaction that --mode append could add",
        "--mode rewrite";
    NoHead = "no_head":
        "nothing is old: all of it, pruned, would fit into the tail; so the pruning is not written either",
        "--summarizer none, or alone = true under [prune], prunes it all the same; a smaller --tail-tokens makes a head";
    NoRecordedCompaction = "no_recorded_compaction":
        "no harness compacted the transcript, so that there is nothing to compare with",
        "leave --recorded out";
    NoSummary = "no_summary":
        "no model gave a summary, and nobody else may (--no-fallback, or no section can be filled offline)",
        "see `llm` of its line in report.jsonl";
    NoTranscripts = "no_transcripts":
        "a file of a known format with nothing in it",
        "";
    NoUndo = "no_undo":
        "the undo store could not be written, so nothing was replaced",
        "check space and permissions there";
    NotATranscript = "not_a_transcript":
        "the file is of no format that is known; it is copied where it was met, and fails where it was named",
        "--from FORMAT, if it is one all the same; --exclude leaves it out";
    NotFound = "not_found":
        "there is no such file",
        "check the name";
    NotWritten = "not_written":
        "the output can't be written",
        "check space and permissions there";
    NothingToConvert = "nothing_to_convert":
        "the transcript has nothing that the target could hold",
        "";
    NothingToPrune = "nothing_to_prune":
        "no result is old and long enough, and nothing else was to be done",
        "";
    OpenCall = "open_call":
        "the last call has no result yet, and no message may stand between the two",
        "";
    OutputUnreadable = "output_unreadable":
        "what would have been written can't be read again; it was not written",
        "please report it: it is a bug of ours";
    OverBudget = "over_budget":
        "what has to stay is above --max-tokens: a row stays in the output as it is (converted ones are left out), a \
         file is not written",
        "raise --max-tokens, or leave such rows out with --drop-failed";
    OwnReport = "own_report":
        "reports of another run, which are never read as input",
        "--exclude the folder, to have it unsaid";
    PairedTurns = "paired_turns":
        "rows of ShareGPT whose turns are pairs have no messages that could be cut",
        "";
    Panicked = "panicked":
        "the work broke off, which is a bug of ours",
        "please report it";
    PolicyBrokeTranscript = "policy_broke_transcript":
        "a preset that does what its original does would have broken a rule of the format",
        "take the preset without -strict";
    ReadsOtherwise = "reads_otherwise":
        "the target's own reader finds other words than were written; the file was not written",
        "please report it: it is a bug of ours";
    SameFormat = "same_format":
        "it is in the target's format already, and is not written",
        "copy it beside the others, or compact it without --to";
    SeveralSessions = "several_sessions":
        "the file holds several sessions, one after the other; compacted together they would get one summary, and a harness loads one of them only",
        "split it; `check` says where another session begins";
    SeveralTranscripts = "several_transcripts":
        "the file holds several transcripts, and each becomes a file",
        "give a folder with -o";
    SmallSummaryBudget = "small_summary_budget":
        "--summary-tokens leaves no room for more than the headings of the sections",
        "state more, or --summarizer drop, which puts nothing in the place of the head";
    SpecialFile = "special_file":
        "a pipe, a socket or a device, which is not read",
        "name it, if it is to be read";
    Stopped = "stopped":
        "an error that holds for all files stopped the run",
        "do what its message says, and run again";
    StoredElsewhere = "stored_elsewhere":
        "a part of the conversation lies on a server (`item_reference`, `previous_response_id`), so that nobody knows what \
         belongs to it",
        "store all items, and send them yourself";
    SymlinkLoop = "symlink_loop":
        "a symbolic link that leads back to a folder above it; it is not followed",
        "--exclude it";
    TargetFaults = "target_faults":
        "the target's rules would be broken; the file was not written",
        "another target may have room for it, or `check` says what is wrong with the input";
    TooFewNeeded = "too_few_needed":
        "after no cut of the transcript enough facts are needed to judge it",
        "judge longer sessions";
    TooLarge = "too_large":
        "a session is longer than is held in memory",
        "split it";
    TooYoung = "too_young":
        "with --in-place: changed so lately that it may be in use",
        "wait, or --min-age 0s";
    UndoStore = "undo_store":
        "an undo store of another run, which is never read as input",
        "--exclude the folder, to have it unsaid";
    UnknownShape = "unknown_shape":
        "a line is not what the format stores",
        "--lenient reads over it";
    UnknownSpeaker = "unknown_speaker":
        "a message of a speaker or in a form that is not known leaves the row or session as it is, and a conversion would lose it",
        "give the message a role that there is, or leave it out";
    Unreadable = "unreadable":
        "the file or folder can't be read",
        "check its permissions";
    UnreadableCalls = "unreadable_calls":
        "`tool_calls` are a text that is no JSON array, `function_call` is one that is no call, or hold a call without a name, which leaves the row as it is",
        "write them as a list of objects, each with a `name`";
    UnsupportedFormat = "unsupported_format":
        "the format is known, and not read",
        "the message says what to do, if anything";
    WouldNotShrink = "would_not_shrink":
        "less than --min-gain would be saved, a summary of half the head has no room for its requests, or a session or a row with pictures would have more bytes than before",
        "a smaller --tail-tokens, or a lower --min-gain as long as there are not more bytes than before";
    WrongFormat = "wrong_format":
        "nothing in the file is of the format that --from states",
        "leave --from out";
}

/// Words in the error of [`Reason::NotATranscript`] for a file with JSON objects of an unknown format. The advice for it
/// goes by these words, as a report that is read back has no more than the error.
pub(crate) const FOUND_OBJECTS: &str = "found objects";
/// Words in the error of [`Reason::OverBudget`] for what has to stay as it is.
pub(crate) const NOTHING_CAN_GO: &str = "nothing can go";
/// Words in such an error that says itself what to do.
pub(crate) const MAKE: &str = "; make ";

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Reason {
    /// The reason of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|reason| reason.name() == name)
    }

    /// The text that explains it, for `epitome check --explain`.
    pub fn explained(self) -> String {
        format!("{self}: {}\n{}", self.meaning(), self.what_to_do())
    }

    /// The line of its explanation that says what to do.
    pub fn what_to_do(self) -> String {
        let remedy = if self.remedy().is_empty() { "nothing is to be done" } else { self.remedy() };
        format!("what to do: {remedy}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_names_no_other_reasons() {
        let readme = include_str!("../README.md");
        let section =
            readme.split("### Reasons").nth(1).and_then(|rest| rest.split("\n### ").next()).unwrap_or_default();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
        let told: Vec<&str> =
            rows.flat_map(|names| names.split("`, `")).map(|name| name.trim_end_matches('`')).collect();
        assert!(told.len() > 10, "the table is found");
        assert!(Reason::ALL.is_sorted_by_key(|reason| reason.name()));
        let strange: Vec<&&str> = told.iter().filter(|name| Reason::by_name(name).is_none()).collect();
        assert!(strange.is_empty(), "{strange:?}");
    }

    #[test]
    fn a_reason_says_what_to_do() {
        let told = Reason::by_name("no_head").map(Reason::explained).unwrap_or_default();
        assert!(told.starts_with("no_head: nothing is old") && told.contains("--summarizer none"), "{told}");
        assert_eq!(Reason::by_name("no_such"), None);
        let of_rows = ["column_of_messages", "flat_text", "media_in_result", "no_answer", "paired_turns"];
        assert!(of_rows.iter().all(|name| Reason::by_name(name).is_some()), "what leaves a row as it is");
    }
}
