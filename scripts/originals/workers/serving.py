"""What all workers do: read the tasks from standard input, answer each, and print all answers as the last line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

Task = dict[str, Any]
"""`messages` in the form of OpenAI, and `tokens`, those of each message."""

Answer = list[Any]
"""For each message of the result its index and None, or what stands there now; -1 and a role for one that was added. Of an
original that failed, -2 and its error alone."""


def serve(version: str, answers: dict[str, Callable[[dict[str, Any], Task], Answer]]) -> None:
    """Answers with the function that `what` names. What an original prints itself goes to standard error."""
    out, sys.stdout = sys.stdout, sys.stderr
    os.environ.setdefault("NO_COLOR", "1")
    asked = json.load(sys.stdin)
    answer = answers[asked["what"]]
    said = [attempt(answer, asked["settings"], task) for task in asked["tasks"]]
    print(json.dumps({"version": version, "answers": said}), file=out)


def attempt(answer: Callable[[dict[str, Any], Task], Answer], settings: dict[str, Any], task: Task) -> Answer:
    """The answer, or what was raised; that is told as it is, and never counts as a difference that is meant."""
    try:
        return answer(settings, task)
    except Exception as error:
        return [[-2, f"{type(error).__name__}: {error}"[:200]]]
