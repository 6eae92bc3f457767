//! What is written: where each output goes, and how it gets there without ever being half there.

pub(super) mod folder;
pub(super) mod in_place;
pub(super) mod naming;
pub(super) mod pending;
pub(super) mod placement;
pub(super) mod rewrite;
pub(super) mod settling;
pub(super) mod write;
