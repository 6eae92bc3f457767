//! The presets whose results are snapshots.

/// Presets with snapshots of shapes; `tests/presets.rs` checks the laws for all others.
pub(crate) const DRAWN: [&str; 4] = ["lean", "opencode", "opencode-2026-01", "opencode-seed"];
