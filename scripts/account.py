#!/usr/bin/env python3
"""Accounts for every line of a run over Claude Code sessions: kept, relinked, stubbed, dropped or inserted.

    account.py INPUT_DIR OUTPUT_DIR

It shares no code with epitome. Anything it cannot explain is an error, and then the exit status is 1.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

LINKS = ("parentUuid", "logicalParentUuid", "leafUuid")
LINK_VALUE = re.compile(rb'("(?:%s)"\s*:\s*)("[^"\\]*"|null)' % "|".join(LINKS).encode())
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
REMOVABLE = ('"thinking"', '"redacted_thinking"', '"image"', '"document"')
KINDS = ("kept", "relinked", "stubbed", "dropped", "inserted")
NOT_SUMS = ("files", "transcripts", "outcomes", "reasons", "failed")


class Line:
    """One line of a session: its bytes, and the fields that identify it."""

    def __init__(self, number, raw):
        self.number = number
        self.raw = raw
        value = json.loads(raw)
        self.fields = value if isinstance(value, dict) else {}
        self.uuid = self.fields.get("uuid")
        self.parent = self.fields.get("parentUuid")
        self.type = self.fields.get("type")

    def bare(self):
        """The bytes with all links blanked."""
        return LINK_VALUE.sub(rb"\1#", self.raw)

    def is_spoken(self):
        return self.type in ("user", "assistant")

    def is_boundary(self):
        return self.type == "system" and self.fields.get("subtype") == "compact_boundary"

    def is_summary(self):
        return bool(self.fields.get("isCompactSummary"))


def lines_of(path):
    """The non-blank lines of a file. Raises ValueError if one is not JSON."""
    raw = path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return [Line(number, line) for number, line in enumerate(raw, 1) if line.strip()]


def tree(text):
    """A JSON value as nested tuples, with leaves spelled as stored."""
    tokens = TOKEN.findall(text)
    position = 0

    def value():
        nonlocal position
        token = tokens[position]
        position += 1
        if token not in ("{", "["):
            return token
        items = []
        while tokens[position] not in ("}", "]"):
            key = None
            if token == "{":
                key = tokens[position]
                position += 2
            items.append((key, value()))
            position += tokens[position] == ","
        position += 1
        return (token, tuple(items))

    return value()


def get(node, key):
    """A field of an object, or None."""
    fields = node[1] if isinstance(node, tuple) and node[0] == "{" else ()
    return next((value for name, value in fields if name == f'"{key}"'), None)


def without(node, *keys):
    """The fields of an object without some keys, in order."""
    quoted = {f'"{key}"' for key in keys}
    return [(name, value) for name, value in node[1] if name not in quoted]


def is_block_changed_rightly(before, after):
    """Whether a block is unchanged, or a result with other content of the same JSON type."""
    if before == after:
        return True
    if get(before, "type") != '"tool_result"' or get(after, "type") != '"tool_result"':
        return False
    old, new = get(before, "content"), get(after, "content")
    return without(before, "content") == without(after, "content") and isinstance(old, tuple) == isinstance(new, tuple)


def why_not_stubbed(before, after):
    """Says which difference is not allowed; None if only results, UI copies, links and removable blocks differ."""
    before, after = tree(before.raw.decode()), tree(after.raw.decode())
    free = (*LINKS, "message", "toolUseResult")
    if without(before, *free) != without(after, *free):
        return "a field other than links, content and toolUseResult differs"
    order = [name for name, _ in after[1]]
    if order != [name for name, _ in before[1] if name in order]:
        return "fields are new or in another order"
    old, new = get(before, "message"), get(after, "message")
    if old == new:
        return None
    if old is None or new is None or without(old, "content") != without(new, "content"):
        return "the message differs in more than its content"
    old, new = get(old, "content"), get(new, "content")
    if not isinstance(old, tuple) or not isinstance(new, tuple):
        return "a content that is no list of blocks differs"
    return why_not_blocks([block for _, block in old[1]], [block for _, block in new[1]])


def why_not_blocks(old, new):
    """Compares two lists of blocks: each of `old` must be in `new`, or be removable."""
    at = 0
    for block in old:
        if at < len(new) and is_block_changed_rightly(block, new[at]):
            at += 1
        elif get(block, "type") not in REMOVABLE:
            return f"a block of type {get(block, 'type')} is lost or changed"
    return None if at == len(new) else "a block is new"


class Session:
    """One file before and after compaction."""

    def __init__(self, name, before, after):
        self.name = name
        self.before = before
        self.after = after
        self.errors = []
        self.counts = Counter()
        self.inserted = []
        self.source = {}

    def error(self, line, text):
        self.errors.append(f"{self.name}:{line.number if line else '-'}: {text}")

    def account(self):
        """Explains every output line by an input line, in order, or as inserted."""
        index = self.index()
        last = -1
        for line in self.after:
            found = self.find(index, line, last)
            if found is None:
                self.insert(line)
                continue
            last = found
            self.source[line.number] = self.before[found]
            self.counts[self.compare(self.before[found], line)] += 1
        self.counts["dropped"] = len(self.before) - len(self.source)

    def index(self):
        index = defaultdict(list)
        for at, line in enumerate(self.before):
            keys = {("uuid", line.uuid)} if line.uuid else {("raw", line.raw), ("bare", line.bare())}
            for key in keys:
                index[key].append(at)
        return index

    def find(self, index, line, last):
        """The first input line after `last` from which this line can come."""
        keys = [("uuid", line.uuid)] if line.uuid else [("raw", line.raw), ("bare", line.bare())]
        candidates = [at for key in keys for at in index.get(key, ())]
        later = [at for at in candidates if at > last]
        if candidates and not later:
            self.error(line, "stands before a line that it came after, or twice")
        return min(later, key=lambda at: (self.distance(self.before[at], line), at), default=None)

    def distance(self, before, after):
        """How much a line was changed (0: not at all); as ids may repeat, the nearest candidate counts."""
        if before.raw == after.raw:
            return 0
        if before.bare() == after.bare():
            return 1
        return 2 if why_not_stubbed(before, after) is None else 3

    def compare(self, before, after):
        distance = self.distance(before, after)
        if distance == 3:
            self.error(after, f"{why_not_stubbed(before, after)} (line {before.number} of the input)")
        return ("kept", "relinked", "stubbed", "stubbed")[distance]

    def insert(self, line):
        self.counts["inserted"] += 1
        self.inserted.append(line)
        if not (line.is_boundary() or line.is_summary() or line.type == "user"):
            self.error(line, f"a line of type {line.type} that the input does not have")

    def check_links(self):
        """Checks that every parent that existed in the input still exists."""
        had = {line.uuid for line in self.before if line.uuid}
        has = {line.uuid for line in self.after if line.uuid}
        for line in self.after:
            origin = self.source.get(line.number)
            was_missing = origin is not None and origin.parent == line.parent and line.parent not in had
            if line.parent is not None and line.parent not in has and not was_missing:
                self.error(line, f"its parent {line.parent} is nowhere")
            leaf = line.fields.get("leafUuid")
            if leaf is not None and leaf not in has and leaf in had:
                self.error(line, f"its leaf {leaf} is gone")

    def check_chain(self):
        """Checks that the newest message leads over the new summary to the new boundary, which has no parent."""
        summaries = [line for line in self.inserted if line.is_summary()]
        boundaries = [line for line in self.inserted if line.is_boundary()]
        if not summaries and not boundaries:
            return
        if len(summaries) != 1 or len(boundaries) != 1:
            self.error(None, f"{len(boundaries)} boundaries and {len(summaries)} summaries are new")
            return
        spoken = [line for line in self.after if line.is_spoken() and line.uuid]
        main = [line for line in spoken if not line.fields.get("isSidechain")] or spoken
        path = self.path(main[-1])
        if summaries[0].uuid not in path:
            self.error(main[-1], "the newest message does not lead to the summary")
        elif path[path.index(summaries[0].uuid) + 1 :] != [boundaries[0].uuid] or boundaries[0].parent is not None:
            self.error(summaries[0], "the summary does not lead to the boundary as the root")
        olds = [line for line in self.after if line.is_boundary() and line not in boundaries]
        for line in olds:
            self.error(line, "an earlier boundary is left")

    def path(self, leaf):
        """The ids from a record up to the root."""
        records = {line.uuid: line for line in self.after if line.uuid}
        path, at = [], leaf.uuid
        while at in records and at not in path:
            path.append(at)
            at = records[at].parent
        return path


def check_session(name, before, after, report):
    """Accounts for one file; returns its session."""
    session = Session(name, lines_of(before), lines_of(after))
    session.account()
    session.check_links()
    session.check_chain()
    if report["outcome"] != "compacted" and before.read_bytes() != after.read_bytes():
        session.error(None, f"is {report['outcome']}, but not the same bytes")
    if before.read_bytes().endswith(b"\n") != after.read_bytes().endswith(b"\n"):
        session.error(None, "the last newline came or went")
    told = {kind: report["edits"][kind] for kind in KINDS}
    counted = {kind: session.counts[kind] for kind in KINDS}
    if told != counted:
        session.error(None, f"the report says {told}, found {counted}")
    return session


def add(total, part):
    """Adds the numbers of a nested dictionary to another."""
    for key, value in part.items():
        if isinstance(value, dict):
            add(total.setdefault(key, {}), value)
        elif isinstance(value, int):
            total[key] = total.get(key, 0) + value


def numbers(value):
    """A sum or flag of a report as a nested dictionary of numbers."""
    return value if isinstance(value, dict) else {"": int(value or 0)}


def check_totals(totals, reports):
    """Checks that every sum in report.json equals the sum over the lines; its keys say which fields are summed."""
    errors = []
    for key in totals.keys() - set(NOT_SUMS):
        sums = {}
        for report in reports:
            add(sums, numbers(report.get(key)))
        told = {}
        add(told, numbers(totals[key]))
        if {k: v for k, v in sums.items() if v} != {k: v for k, v in told.items() if v and k in sums or v}:
            errors.append(f"report.json: {key} is {told}, the lines sum up to {sums}")
    outcomes = Counter(report["outcome"] for report in reports)
    if {key: value for key, value in totals["outcomes"].items() if value} != outcomes:
        errors.append(f"report.json: outcomes are {totals['outcomes']}, the lines have {dict(outcomes)}")
    return errors


def check_files(inputs, output, reports):
    """Checks that every input has a report line, and an output unless it failed."""
    errors = [f"{name}: no line in the report" for name in inputs.keys() - reports.keys()]
    for name, report in reports.items():
        if (output / name).exists() == (report["outcome"] == "failed"):
            errors.append(f"{name}: {report['outcome']}, but its output is {'there' if (output / name).exists() else 'missing'}")
    return errors


def print_table(sessions):
    """Prints one row per file, and the sum."""
    print(f"{'before':>7} {'after':>7} " + " ".join(f"{kind:>8}" for kind in KINDS) + "  file")
    total = Counter()
    for session in sessions:
        row = Counter(session.counts, before=len(session.before), after=len(session.after))
        total += row
        print(f"{row['before']:7} {row['after']:7} " + " ".join(f"{row[kind]:8}" for kind in KINDS) + f"  {session.name}")
    print(f"{total['before']:7} {total['after']:7} " + " ".join(f"{total[kind]:8}" for kind in KINDS) + "  all")


def main(input_dir, output_dir):
    source, output = Path(input_dir), Path(output_dir)
    own = output / ".epitome"
    reports = [json.loads(line) for line in (own / "report.jsonl").read_text("utf-8").splitlines()]
    by_name = {report["path"]: report for report in reports}
    inputs = {path.relative_to(source).as_posix(): path for path in sorted(source.rglob("*")) if path.is_file()}
    errors = check_files(inputs, output, by_name)
    errors += check_totals(json.loads((own / "report.json").read_text("utf-8"))["totals"], reports)
    sessions = []
    for name, path in inputs.items():
        report = by_name.get(name)
        if report is None or report.get("format") != "claude-code" or not (output / name).exists():
            continue
        try:
            sessions.append(check_session(name, path, output / name, report))
        except ValueError as error:
            errors.append(f"{name}: not JSON: {error}")
    print_table(sessions)
    errors += [error for session in sessions for error in session.errors]
    print(*(f"error: {error}" for error in errors), sep="\n", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
