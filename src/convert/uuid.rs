//! Ids in the form of a UUID, derived from content: the same input gives the same ids.

use crate::transcript;
use sha2::{Digest, Sha256};

/// The UUID (version 8) derived from a text and a number.
pub(super) fn uuid(seed: &str, number: usize) -> String {
    transcript::uuid(&hex(seed, number))
}

/// The SHA-256 of a text and a number, in hexadecimal.
pub(super) fn hex(seed: &str, number: usize) -> String {
    transcript::hex(&Sha256::new().chain_update(seed).chain_update((number as u64).to_le_bytes()).finalize())
}
