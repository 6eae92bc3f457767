//! Names that are pieces of a drawing or a style sheet, which nobody looks up.

/// Whether a name is a piece of a drawing or style: `1.032.892` of an SVG path, `_20px_50px_rgba` of a shadow.
pub(super) fn is_drawn(value: &str) -> bool {
    if value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        let behind: Vec<&str> = value.split('.').skip(1).collect();
        let is_padded = behind.iter().any(|piece| piece.len() == 3 && piece.starts_with('0'));
        return behind.len() > 1 && (is_padded || behind.len() == 2 && behind.iter().all(|piece| piece.len() == 3));
    }
    let is_size = |piece: &str| piece.strip_suffix("px").is_some_and(|size| size.parse::<u32>().is_ok());
    let sizes = value.split('_').filter(|piece| is_size(piece)).count();
    let is_cut = value.starts_with(|char: char| char == '_' || char.is_ascii_digit());
    value.contains('_') && (sizes > 1 || is_cut && (sizes > 0 || value.ends_with("_rgba")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_drawings_and_styles_name_nothing() {
        for drawn in ["1.032.892", "2.504.337", "2.91.832.092", "_20px_50px_rgba", "00_rgba", "shadow_0_20px_50px"] {
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
            "192.168.100.200",
            "10.128.100.7",
            "2.39.2-1",
            "2026-06-07",
            "3.14",
            "max_px_size",
            "hex_to_rgba",
            "ic_home_24px",
            "icon_16px",
            "1043V64",
            "12B34",
            "W12C34",
        ] {
            assert!(!is_drawn(name), "{name}");
        }
    }
}
