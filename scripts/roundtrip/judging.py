"""What a validator says of one file, and when an output counts as worse than its input."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One reason to refuse: where (the index of the conversation in the file), what sort, and the words."""

    unit: int
    kind: str
    detail: str = ""

    def __str__(self) -> str:
        return f"conversation {self.unit}: {self.kind}" + (f": {self.detail}" if self.detail else "")


@dataclass
class Reading:
    """What one tool made of one file.

    findings: why it refuses the file; empty if it accepts it.
    said:     the texts that the tool would show or send, in order, if it tells; the last is empty if the last message has none.
    shape:    what must be the same before and after, such as columns and types, if there is such a thing.
    """

    findings: list[Finding] = field(default_factory=list)
    said: list[str] | None = None
    shape: Any = None


class Validator(ABC):
    """One independent implementation that reads some formats."""

    name: str
    version: str
    formats: frozenset[str]
    required: bool = False

    def judges(self, form: str, converted: bool) -> bool:
        """Whether it is asked about outputs of this format; `converted` are those that have no input to compare with."""
        return form in self.formats

    @abstractmethod
    def read(self, path: Path, form: str) -> Reading | None:
        """Reads a file of the format `form`; None where the tool does not read this kind of file."""

    def changed(self, before: Any, after: Any) -> str | None:
        """How the shape changed for the worse, or None."""
        return None if before == after else f"{str(before)[:300]} became {str(after)[:300]}"


def new_findings(before: Reading, after: Reading) -> list[Finding]:
    """The findings of the output that the input has not: more of one kind in one conversation."""
    allowed = Counter((found.unit, found.kind) for found in before.findings)
    fresh = []
    for found in after.findings:
        allowed[found.unit, found.kind] -= 1
        if allowed[found.unit, found.kind] < 0:
            fresh.append(found)
    return fresh


def lost_words(before: Reading, after: Reading, summarized: bool) -> list[Finding]:
    """Whether the tool still finds the newest text of the input, and the summary where there is one."""
    if not before.said or after.said is None:
        return []
    lost = []
    if before.said[-1].strip() and before.said[-1] not in after.said:
        lost.append(Finding(0, "the newest text is gone", repr(before.said[-1][:200])))
    if summarized and not any("## Goal" in text for text in after.said):
        lost.append(Finding(0, "the tool finds no summary"))
    return lost


def worse(validator: Validator, before: Reading, after: Reading, summarized: bool) -> list[Finding]:
    """All that makes an output worse than its input for one tool."""
    found = new_findings(before, after) + lost_words(before, after, summarized)
    if before.shape is not None and not before.findings and not after.findings:
        change = validator.changed(before.shape, after.shape)
        found += [Finding(0, "the shape changed", change)] if change else []
    return found
