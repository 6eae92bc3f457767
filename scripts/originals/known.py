"""The differences that are meant, each as what it does to the outcome of the original. A difference has a name only if these
changes, put upon what the original did, give exactly what epitome did.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cases import Case
from ours import Made
from outcome import ADDED, Item, Outcome, Transcript

PRIOR = "<prior-conversation-summary>"
Change = Callable[[Case, Transcript, Outcome, Made], Outcome]


@dataclass(frozen=True)
class Known:
    """A difference with its cause.

    cause: one line for the reader of the table.
    apply: what it makes of the original's outcome.
    """

    cause: str
    apply: Change


def whole(transcript: Transcript) -> Outcome:
    """A transcript that stays as it is."""
    return tuple(Item(index, None) for index in range(len(transcript.messages)))


def with_message(outcome: Outcome, index: int) -> Outcome:
    """The same with a message in its place, behind what was added."""
    if any(item.index == index for item in outcome):
        return outcome
    at = next((at for at, item in enumerate(outcome) if item.index > index), len(outcome))
    return (*outcome[:at], Item(index, None), *outcome[at:])


def pin(_: Case, transcript: Transcript, outcome: Outcome, __: Made) -> Outcome:
    last = transcript.last_user()
    return outcome if last is None else with_message(outcome, last)


def keeps_turn(_: Case, transcript: Transcript, outcome: Outcome, __: Made) -> Outcome:
    last = transcript.last_user()
    if last is None or any(transcript.role(item.index) != "system" for item in outcome):
        return outcome
    return (*outcome, *whole(transcript)[last:])


def shrinks(_: Case, transcript: Transcript, outcome: Outcome, our: Made) -> Outcome:
    return whole(transcript) if our.reason == "would_not_shrink" else outcome


def merges(_: Case, transcript: Transcript, outcome: Outcome, our: Made) -> Outcome:
    prior = {at for at, message in enumerate(transcript.messages) if PRIOR in message["content"]}
    if prior and our.reason == "already_compacted":
        return whole(transcript)
    return tuple(item for item in outcome if item.index not in prior)


KNOWN = {
    "newest turn": Known("where nothing from a user message on fits, the newest turn stays here; there nothing does", keeps_turn),
    "would not shrink": Known("no summary is written here that is longer than what it stands for", shrinks),
    "earlier summary": Known("an earlier summary is merged into the new one here; there it is a message like others", merges),
    "pin": Known("the last words of the user stay here, though they stand in what goes", pin),
}
