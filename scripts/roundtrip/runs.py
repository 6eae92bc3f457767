"""Runs epitome with several settings over folders, and pairs each output with its input."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

SETTINGS = {
    "default": [],
    "small": ["--usable", "2000", "--tail-tokens", "400"],
    "tiny": ["--usable", "600", "--tail-tokens", "100", "--min-tail", "1", "--min-gain", "0"],
    "lean": ["--preset", "lean"],
    "for trainers": ["--usable", "2000", "--tail-tokens", "400", "--summary-role", "user"],
}
TARGETS = ("openai-messages", "openai-chat", "anthropic-messages", "sharegpt", "hf-sts", "atif", "otel-genai")


@dataclass(frozen=True)
class Pair:
    """An input, what epitome made of it, and how."""

    setting: str
    form: str
    before: Path
    after: Path
    summarized: bool


def settings(epitome: Path) -> dict[str, list[str]]:
    """The settings to prove; those of newer versions where this one has them."""
    append = {"append": [*SETTINGS["small"], "--mode", "append"]} if "--mode" in told(epitome, "compact", "--help") else {}
    return SETTINGS | append


def told(epitome: Path, *words: str) -> str:
    """What a command of epitome prints."""
    return subprocess.run([epitome, *words], capture_output=True, text=True).stdout


def compact(epitome: Path, setting: str, arguments: list[str], source: Path, target: Path) -> list[Pair]:
    """Compacts one folder; gives a pair for every transcript file. Raises RuntimeError where the run could not start."""
    command = [epitome, "compact", source, "-o", target, "--force", "--no-progress", "-q", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 2:
        raise RuntimeError(done.stderr.strip())
    return pairs(setting, source, target)


def pairs(setting: str, source: Path, target: Path) -> list[Pair]:
    """The files of a run's report that are transcripts and have an output."""
    by_path: dict[str, list[dict]] = {}
    for line in (target / ".epitome" / "report.jsonl").read_text().splitlines():
        entry = json.loads(line)
        by_path.setdefault(entry["path"], []).append(entry)
    found = []
    for path, entries in sorted(by_path.items()):
        outcomes = {entry["outcome"] for entry in entries}
        if outcomes & {"compacted", "unchanged"} and (target / path).is_file():
            summarized = any(summary(entry) for entry in entries)
            found.append(Pair(setting, entries[0]["format"], source / path, target / path, summarized))
    return found


def summary(entry: dict) -> bool:
    """Whether the report says that a summary was written."""
    return entry["outcome"] == "compacted" and bool((entry.get("summary") or {}).get("sections"))


def convert(epitome: Path, form: str, source: Path, target: Path) -> list[Pair]:
    """Converts one folder to another format; nothing where this version cannot."""
    if "convert" not in told(epitome, "--help"):
        return []
    target.mkdir(parents=True, exist_ok=True)
    command = [epitome, "convert", source, "--to", form, "-o", target, "--force", "--no-progress", "-q"]
    if subprocess.run(command, capture_output=True, text=True).returncode == 2:
        return []
    files = [path for path in sorted(target.rglob("*")) if path.is_file() and ".epitome" not in path.parts]
    return [Pair(f"convert to {form}", form, path, path, False) for path in files]
