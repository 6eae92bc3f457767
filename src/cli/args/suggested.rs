//! Values that completion scripts suggest. Whether a value is one of them is checked where it is used, with an error
//! that says more.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;

/// Parses any text, and suggests these.
#[derive(Clone)]
pub(in crate::cli) struct Suggested(pub(in crate::cli) fn() -> Vec<&'static str>);

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}
