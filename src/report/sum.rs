//! The sum of several `report.json`.

use super::{Failures, SCHEMA_VERSION, Totals};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// What is read of a `report.json`.
#[derive(Debug, Deserialize)]
pub struct Stored {
    schema_version: u32,
    #[serde(default)]
    stopped: bool,
    totals: Totals,
    #[serde(flatten)]
    failures: Failures,
}

impl Stored {
    /// Whether its run was stopped before all was done.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The report, if it is of this version.
    ///
    /// # Errors
    /// It is of another one.
    pub fn known(self) -> Result<Self, String> {
        match self.schema_version {
            SCHEMA_VERSION => Ok(self),
            other => Err(format!("its schema_version is {other}, not {SCHEMA_VERSION}")),
        }
    }
}

/// The sum of the reports of several runs.
#[derive(Debug, Default, Serialize)]
pub struct Sum {
    /// How many there are.
    pub reports: u64,
    /// Shares of the same work that have none yet.
    pub missing: Vec<String>,
    /// Reports of runs that were stopped before all was done.
    pub stopped: Vec<String>,
    /// The sums of their totals.
    pub totals: Totals,
    /// What failed, in the order of the reports.
    #[serde(flatten)]
    pub failures: Failures,
}

#[derive(Serialize)]
struct Versioned<'a> {
    schema_version: u32,
    #[serde(flatten)]
    sum: &'a Sum,
}

impl AddAssign<&Stored> for Sum {
    fn add_assign(&mut self, report: &Stored) {
        self.reports += 1;
        self.totals += &report.totals;
        self.failures.append(report.failures.clone());
    }
}

impl Sum {
    /// As JSON, on several lines.
    ///
    /// # Errors
    /// None that can be named: all keys are text.
    pub fn json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(&Versioned { schema_version: SCHEMA_VERSION, sum: self })? + "\n")
    }
}
