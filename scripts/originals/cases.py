"""What is compared: which original with which preset, and the settings of both."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """An original and a preset.

    original, preset: their names.
    home, worker, what: the environment, the program in `workers/`, and which of its answers.
    theirs, ours: settings of the original, and over those of the preset (by table of its TOML).
    differences: names of `known.py` that may explain a difference.
    """

    original: str
    preset: str
    home: str
    worker: str
    what: str
    theirs: dict[str, Any]
    ours: dict[str, dict[str, Any]] = field(default_factory=dict)
    differences: tuple[str, ...] = ()

    def told(self) -> str:
        """The settings of the original, for the table."""
        return ", ".join(f"{key} {value}" for key, value in self.theirs.items())


def trimming(tokens: int) -> Case:
    ours = {} if tokens == 8000 else {"split": {"total": tokens}}
    return Case("trim_messages", "trim-last", "langchain", "langchain_worker", "trim", {"max_tokens": tokens}, ours, ("pin", "newest turn", "earlier summary"))


def summarizing(keep: tuple[str, int]) -> Case:
    theirs = {"trigger": ("messages", 1), "keep": keep}
    ours = {} if keep == ("messages", 20) else {"split": {"tail-messages": keep[1]}}
    return Case("SummarizationMiddleware", "langchain-summ", "langchain", "langchain_worker", "summarize", theirs, ours, ("pin", "would not shrink", "earlier summary"))


def clearing(**settings: int) -> Case:
    names = {"trigger": ("overflow", "trigger-tokens"), "keep": ("prune", "keep-results"), "clear_at_least": ("prune", "minimum-tokens")}
    ours: dict[str, dict[str, Any]] = {}
    for key, value in settings.items():
        table, name = names[key]
        ours.setdefault(table, {})[name] = value
    return Case("ClearToolUsesEdit", "langchain-clear", "langchain", "langchain_worker", "clear", dict(settings), ours)


CASES = [
    trimming(8000),
    trimming(3000),
    summarizing(("messages", 20)),
    summarizing(("messages", 6)),
    clearing(),
    clearing(trigger=2000),
    clearing(trigger=2000, clear_at_least=1000),
]
