//! Bytes as hexadecimal text, for hashes in ids and names, and ids of such text in the form of a UUID.

/// Two lower-case hexadecimal digits per byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

/// The first 32 digits of a text in groups, in the form of a UUID.
pub fn dashed(digits: &str) -> String {
    [0..8, 8..12, 12..16, 16..20, 20..32].map(|group| digits.get(group).unwrap_or_default()).join("-")
}

/// A UUID of version 8, that of own schemes, with the first digits of a hash: the same hash gives the same id.
pub fn uuid(hash: &str) -> String {
    let digits = |group: std::ops::Range<usize>| hash.get(group).unwrap_or_default();
    dashed(&format!("{}8{}8{}", digits(0..12), digits(13..16), digits(17..32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_has_its_version_and_variant_in_place_of_two_digits() {
        let hash = "00112233445566778899aabbccddeeff0123";
        assert_eq!(dashed(hash), "00112233-4455-6677-8899-aabbccddeeff");
        assert_eq!(uuid(hash), "00112233-4455-8677-8899-aabbccddeeff");
        assert_eq!(uuid(&"f".repeat(64)), "ffffffff-ffff-8fff-8fff-ffffffffffff");
    }

    #[test]
    fn each_byte_has_two_digits() {
        assert_eq!(hex(&[0, 9, 0xa0, 0xff]), "0009a0ff");
        assert_eq!(hex(&[]), "");
    }
}
