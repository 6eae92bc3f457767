"""Inspect AI reads its own logs: the same samples, each with messages that it knows."""

from __future__ import annotations

from pathlib import Path

import inspect_ai
from inspect_ai.log import read_eval_log

from judging import Finding, Reading, Validator


class InspectLog(Validator):
    name, version = "inspect_ai: read_eval_log", inspect_ai.__version__
    formats = frozenset({"inspect"})

    def read(self, path: Path, form: str) -> Reading:
        try:
            log = read_eval_log(str(path), resolve_attachments=True)
        except Exception as error:  # its refusal, of whatever type
            return Reading([Finding(0, type(error).__name__, str(error)[:300])])
        return Reading(shape=[(str(sample.id), sample.epoch) for sample in log.samples or []])
