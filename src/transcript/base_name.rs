//! The last component of a path, whatever system wrote it.

/// Returns what stands behind the last `/` or `\` of a path; a path that ends with one gives an empty name.
pub fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_component_of_either_kind_of_path() {
        for (path, name) in [
            ("/w/pier/lamp.rs", "lamp.rs"),
            (r"C:\w\lamp.rs", "lamp.rs"),
            ("lamp.rs", "lamp.rs"),
            ("pier/", ""),
            ("", ""),
        ] {
            assert_eq!(base_name(path), name, "{path}");
        }
    }
}
