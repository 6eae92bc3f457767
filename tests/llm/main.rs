//! Models over HTTP against a misbehaving scripted server: the client alone, and whole runs of the program.

#![expect(clippy::unwrap_used, reason = "tests")]

mod client;
mod edges;
mod evaluations;
mod field;
mod interfaces;
#[path = "../support/program.rs"]
mod program;
mod routes;
mod runs;
mod server;
mod told;
