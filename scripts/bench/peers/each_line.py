"""Runs a peer over a file of conversation lines, and says how long that took."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path


def run(compact: Callable[[list[dict]], list[dict]]) -> None:
    """Reads, compacts and writes each line of the file that the command line names; prints bytes and the processor's seconds.

    The first line is done once before, so that nothing is loaded while the clock runs.
    """
    path = Path(sys.argv[1])
    with path.open("rb") as first:
        compact(json.loads(first.readline())["messages"])
    start = time.process_time()
    with path.open("rb") as lines, tempfile.TemporaryFile() as out:
        for line in lines:
            row = json.loads(line)
            row["messages"] = compact(row["messages"])
            out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        out.flush()
        done(start, path.stat().st_size, out.tell())


def done(start: float, size: int, after: int) -> None:
    """Prints what a program of this folder has to print."""
    print(json.dumps({"seconds": time.process_time() - start, "bytes": size, "after": after}))
