"""The same without Spark: batches of rows through `epitome compact - -o -`, for Hugging Face datasets and for Ray Data.

    dataset.map(Compact("text", "target/release/epitome"), batched=True, batch_size=1000)
    dataset.map_batches(Compact("text", "target/release/epitome"), batch_size=1000)

A row is one conversation as one line of JSON in the column. One that can't be compacted stays as it is, and `epitome_error`
says why.
"""

import json
import os
import subprocess
import tempfile


class Compact:
    """A function on batches (columns by name): compacts one column, and adds `epitome_error`."""

    def __init__(self, column, binary, *flags):
        self.column, self.command = column, [os.path.abspath(binary), "--quiet", "compact", "-", "-o", "-", *flags]

    def __call__(self, batch):
        rows = [str(row) for row in batch[self.column]]
        if any("\n" in row or not row.strip() for row in rows):
            raise ValueError(f"{self.column}: a row is empty or has a line break; store conversations as one line of JSON")
        with tempfile.TemporaryDirectory() as folder:
            text = "".join(f"{row}\n" for row in rows).encode()
            run = subprocess.run([*self.command, "--report", folder], input=text, capture_output=True)
            if run.returncode not in (0, 1):
                raise RuntimeError(run.stderr.decode(errors="replace").strip())
            with open(os.path.join(folder, "report.jsonl"), encoding="utf-8") as lines:
                reports = [json.loads(line) for line in lines]
        errors = [report.get("error") or "" for report in reports]
        if any("line" not in report for report in reports):  # None is a conversation: there is one report for all.
            return {**batch, "epitome_error": errors[:1] * len(rows)}
        return {**batch, self.column: run.stdout.decode().split("\n")[:-1], "epitome_error": errors}
