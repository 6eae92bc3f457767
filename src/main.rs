//! The program `epitome`: parses its arguments, runs, and turns the result into an exit status.

use std::process::ExitCode;

/// Work on texts takes and gives back memory all the time; this allocator is faster at it than that of the system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    epitome::cli::main().into()
}
