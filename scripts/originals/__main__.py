"""Runs originals (those of `cases.py`) and their presets on the same transcripts, and compares what each keeps, message by message.

    python3 scripts/originals [--epitome BINARY] [--only WORD] [FOLDER...]

Without folders: `samples/`, and `../shared/corpus` where there is one. Needs cargo (or `--epitome`) and Python 3.10 or later;
what the originals need is installed under `target/originals`. Nothing is sent to any model: where an original asks one, a
script answers. cozempic, which no preset is meant to equal, has a table of its own, for information (`--only cozempic`: that
alone). Exit status 1 if a difference has no name in `known.py`, or an original could not run at all; 2 if there is nothing to
compare, or epitome itself did not run to its end.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cases
import comparing
import environment
import records
import table
import theirs
import transcripts


def main() -> int:
    """Sets up, runs both sides of every case, and prints one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epitome", type=Path, help="a built program, instead of building it")
    parser.add_argument("--only", default="", help="only cases whose original or preset holds this word")
    parser.add_argument("folders", type=Path, nargs="*")
    options = parser.parse_args()
    corpus = environment.ROOT.parent / "shared" / "corpus"
    folders = options.folders or [environment.ROOT / "samples"] + ([corpus] if corpus.is_dir() else [])
    try:
        return compared(folders, (options.epitome or environment.epitome()).resolve(), options.only)
    except RuntimeError as reason:
        print(f"nothing was compared, or not all: {reason}", file=sys.stderr)
        return 2


def compared(folders: list[Path], epitome: Path, only: str) -> int:
    """The exit status of a comparison. Raises RuntimeError where there is nothing to compare, or epitome did not run to its end."""
    chosen = [case for case in cases.CASES if only in case.original or only in case.preset]
    aside = only in records.NAMES
    sessions = records.sessions_of(folders) if aside else []
    if not chosen and not sessions:
        short = "no session of Claude Code is short enough"
        raise RuntimeError(short if aside else f"no original and no preset has {only!r} in its name")
    prepared = transcripts.prepare(folders, epitome, environment.TOOLS)
    forms = sorted({case.form for case in chosen})
    if not all(prepared[form] for form in forms):
        raise RuntimeError("no transcript is long enough, and all text")
    counted = {form: theirs.counted(prepared[form]) for form in forms}
    rows = [comparing.compare(case, counted[case.form], epitome) for case in chosen]
    failed = any(row.unknown or row.failure for row in rows)
    if rows:
        table.show(rows)
    try:
        if sessions:
            records.show(sessions, epitome)
    except theirs.Unavailable as reason:
        print(f"cozempic: {reason}")
        failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
