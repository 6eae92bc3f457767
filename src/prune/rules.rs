//! The pruning rules that apply to each tool.

use super::texts::Shown;
use crate::preset::{Arguments, ProtectedTools, PruneSettings, ToolAction, ToolRule};

/// Protected tools, the only prunable tools if stated, and the rules of single tools.
pub(super) struct PruneRules<'s> {
    settings: &'s PruneSettings,
    protected: ProtectedTools,
    only: ProtectedTools,
    own: Vec<(ProtectedTools, &'s ToolRule)>,
}

impl<'s> PruneRules<'s> {
    pub(super) fn new(settings: &'s PruneSettings) -> Self {
        let own = settings.rules.iter().map(|rule| (ProtectedTools::new(&rule.tools), rule));
        Self {
            settings,
            protected: ProtectedTools::new(&settings.protect_tools),
            only: ProtectedTools::new(&settings.only_tools),
            own: own.collect(),
        }
    }

    fn rule(&self, tool: &str) -> Option<&'s ToolRule> {
        self.own.iter().find(|(tools, _)| tools.matches(tool)).map(|(_, rule)| *rule)
    }

    /// Whether results of a tool may be pruned.
    pub(super) fn may_go(&self, tool: &str) -> bool {
        let kept = self.rule(tool).is_some_and(|rule| rule.action == ToolAction::Keep);
        !kept && !self.protected.matches(tool) && (self.settings.only_tools.is_empty() || self.only.matches(tool))
    }

    /// The stub pattern for a tool's results.
    pub(super) fn stub(&self, tool: &str) -> &'s str {
        self.rule(tool).and_then(|rule| rule.stub.as_deref()).unwrap_or(&self.settings.stub)
    }

    /// How much of a tool's result its stub shows.
    pub(super) fn shown(&self, tool: &str) -> Shown {
        let settings = self.settings;
        let rule = self.rule(tool);
        let own = |of_rule: fn(&ToolRule) -> Option<usize>, of_all| rule.and_then(of_rule).unwrap_or(of_all);
        Shown {
            chars: (own(|rule| rule.head_chars, settings.head_chars), own(|rule| rule.tail_chars, settings.tail_chars)),
            lines: (own(|rule| rule.head_lines, settings.head_lines), own(|rule| rule.tail_lines, settings.tail_lines)),
        }
    }

    /// Whether the arguments of a tool's calls are cleared with their results.
    pub(super) fn clears(&self, tool: &str) -> bool {
        let own = self.rule(tool).and_then(|rule| rule.arguments);
        own.unwrap_or(self.settings.arguments) == Arguments::Clear
    }
}
