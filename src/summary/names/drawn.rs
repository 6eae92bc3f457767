//! Names that are pieces of a drawing or of a style, and that nobody looks for.

/// Whether a name is a piece of a drawing or of a style: `1.032.892` of a path, `_20px_50px_rgba` of a shadow.
pub(super) fn is_drawn(value: &str) -> bool {
    if value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-') {
        let behind = || value.split(['.', '-']).skip(1);
        let long = behind().filter(|piece| piece.len() == 3).count();
        let is_padded = behind().any(|piece| piece.len() == 3 && piece.starts_with('0'));
        let dotted = value.bytes().filter(|byte| *byte == b'.').count() > 1;
        return dotted && behind().all(|piece| piece.len() < 4) && (long > 1 || is_padded || value.contains('-'));
    }
    let is_size = |piece: &str| piece.strip_suffix("px").is_some_and(|size| size.parse::<u32>().is_ok());
    value.contains('_') && value.split('_').any(|piece| is_size(piece) || piece == "rgba")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_drawings_and_styles_name_nothing() {
        for drawn in ["1.032.892", "2.504.337", "1.003.07-1", "2.91.832.092", "_20px_50px_rgba", "00_rgba", "solid_1px"]
        {
            assert!(is_drawn(drawn), "{drawn}");
        }
    }

    #[test]
    fn versions_addresses_dates_and_sizes_do() {
        for name in [
            "1.2.3",
            "20.04.1",
            "5.15.146",
            "10.0.0.1",
            "192.168.1.20",
            "2026-06-07",
            "3.14",
            "max_px_size",
            "px_per_em",
        ] {
            assert!(!is_drawn(name), "{name}");
        }
    }
}
