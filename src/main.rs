//! The program `epitome`: parses its arguments, runs, and turns the result into an exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    epitome::cli::main().into()
}
