//! Numbers as they are typed: of bytes and of tokens, with a unit behind them.

/// Parses a number of bytes: 1000, 500K, 10M, 1.5G (powers of 1024), each also with B or iB behind it.
pub(in crate::cli) fn bytes(text: &str) -> Result<u64, String> {
    let scale = |unit: &str| match unit {
        "" | "b" => Some(1),
        "k" | "kb" | "kib" => Some(1 << 10),
        "m" | "mb" | "mib" => Some(1 << 20),
        "g" | "gb" | "gib" => Some(1 << 30),
        _ => None,
    };
    scaled(text, scale)
        .ok_or_else(|| "not a number of bytes such as 1000, 500K or 10M".to_owned())?
        .ok_or_else(|| "too many bytes".to_owned())
}

/// Parses a number of tokens: 8000, 8k, 1.5k, 1M (powers of 1000, as makers of models state them).
pub(in crate::cli) fn tokens(text: &str) -> Result<u64, String> {
    let scale = |unit: &str| match unit {
        "" => Some(1),
        "k" => Some(1_000),
        "m" => Some(1_000_000),
        _ => None,
    };
    scaled(text, scale)
        .ok_or_else(|| "not a number of tokens such as 8000, 8k, 1.5k or 1M".to_owned())?
        .ok_or_else(|| "too many tokens".to_owned())
}

/// A number times that of the unit behind it; none where it is none or comes out as no whole one, and none within where it
/// is too large.
fn scaled(text: &str, scale: impl Fn(&str) -> Option<u64>) -> Option<Option<u64>> {
    let number = text.trim().trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let scale = scale(&text.trim()[number.len()..].to_ascii_lowercase())?;
    let (whole, part) = number.trim().split_once('.').unwrap_or((number.trim(), "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if !is_number(whole) || !is_number(part) {
        return None;
    }
    let part = part.trim_end_matches('0');
    let ten = 10_u64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let parts = if part.is_empty() { 0 } else { part.parse::<u64>().ok()?.checked_mul(scale)? };
    if parts % ten != 0 {
        return None;
    }
    let whole: Option<u64> = whole.parse().ok();
    Some(whole.and_then(|whole| whole.checked_mul(scale)?.checked_add(parts / ten)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        assert_eq!([bytes("10").unwrap(), bytes("2K").unwrap(), bytes("1MiB").unwrap()], [10, 2048, 1 << 20]);
        assert_eq!(["1000B", " 7 ", "500KB", "3 gib"].map(|text| bytes(text).unwrap()), [1_000, 7, 500 << 10, 3 << 30]);
        assert_eq!(bytes("1.5G"), Ok(3 << 29));
        assert!(["KB", "1T", "1KBB", "1ib", "-1", "0.3K"].iter().all(|text| bytes(text).is_err()));
        assert!(bytes("x").is_err() && bytes("99999999999G") == Err("too many bytes".to_owned()));
    }

    #[test]
    fn tokens_have_units_of_a_thousand() {
        let all = ["8000", "8k", "10K", "1.5k", "1M", " 2 m", "0", "0.25k", "1.50k"].map(|text| tokens(text).unwrap());
        assert_eq!(all, [8_000, 8_000, 10_000, 1_500, 1_000_000, 2_000_000, 0, 250, 1_500]);
        for wrong in ["", "k", "1.k", ".5k", "1.5", "1.2345k", "8kb", "8 000", "-1k", "1e3", "1.5.5k", "1,5k", "8G"] {
            assert!(tokens(wrong).unwrap_err().contains("such as 8000, 8k"), "{wrong}");
        }
        assert_eq!(tokens("99999999999999999999"), Err("too many tokens".to_owned()));
        assert_eq!(tokens("18446744073709551615k"), Err("too many tokens".to_owned()));
    }
}
