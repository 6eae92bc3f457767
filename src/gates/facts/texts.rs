//! What findings about claims say. Baselines compare these words.

use crate::measure::status::Claim;

pub(super) const CHANGED: &str = "a file is said to be changed, and no call changed it";
pub(super) const WORKED: &str = "a command is said to have worked, and its last run failed";
pub(super) const TESTS_PASS: &str = "tests are said to pass, and their last run failed";

/// What is said of a refuted claim.
pub(super) fn of(claim: Claim) -> &'static str {
    match claim {
        Claim::Changed => CHANGED,
        Claim::Created => "a file is said to be created, and it was there before",
        Claim::Edited => "a file is said to be edited, and calls only created it",
        Claim::Worked => WORKED,
        Claim::Failed => "a command is said to have failed, and its last run worked",
        Claim::TestsPass => TESTS_PASS,
        Claim::Builds => "something is said to build, and its last build failed",
        Claim::NeverRan => "a command is said to have run, and no call ran it",
        Claim::NeverDone => "something is said to be done that nothing in the original is about",
        Claim::TestsNeverRan => "tests are said to pass, and nothing ran that could be one",
        Claim::TestsPassUntested => "tests are said to pass, and files were changed after their last run",
    }
}
