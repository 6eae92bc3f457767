"""Runs the originals of presets and the presets on the same transcripts, and compares what each keeps, message by message.

    python3 scripts/originals [--epitome BINARY] [--only WORD] [FOLDER...]

Without folders: `samples/`, and `../shared/corpus` where there is one. Needs cargo (or `--epitome`) and Python 3.10 or later;
what the originals need is installed under `target/originals`. Nothing is sent to any model: where an original asks one, a
script answers. cozempic, which no preset is meant to equal, has a table of its own, for information (`--only cozempic`: that
alone). Exit status 1 if a difference has no name in `known.py`, or if an original could not run at all.
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
    epitome = (options.epitome or environment.epitome()).resolve()
    chosen = [case for case in cases.CASES if options.only in case.original or options.only in case.preset]
    prepared = transcripts.prepare(folders, epitome, environment.TOOLS)
    counted = {form: theirs.counted(prepared[form]) for form in sorted({case.form for case in chosen})}
    rows = [comparing.compare(case, counted[case.form], epitome) for case in chosen]
    table.show(rows)
    records.show(folders, epitome, options.only)
    return int(any(row.unknown or row.failure for row in rows))


if __name__ == "__main__":
    sys.exit(main())
