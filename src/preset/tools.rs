//! Which tools are protected: names or globs, in any case.

/// A list of patterns over tool names.
pub struct ProtectedTools(Vec<wildmatch::WildMatch>);

impl ProtectedTools {
    /// Compiles patterns in which `*` and `?` stand for any characters.
    pub fn new(patterns: &[String]) -> Self {
        Self(patterns.iter().map(|pattern| wildmatch::WildMatch::new(&pattern.to_lowercase())).collect())
    }

    /// Whether a tool is protected.
    pub fn matches(&self, tool: &str) -> bool {
        let tool = tool.to_lowercase();
        self.0.iter().any(|pattern| pattern.matches(&tool))
    }
}
