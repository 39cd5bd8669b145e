"""Suites whose known differences are too many to be listed: counts of each module, by kinds.

``known/SUITE.txt`` has a line ``MODULE FAILED MISSING INTERNAL`` for each module where something of
the sample of ``--quick``, which is the same each time, does not pass; `reasons` has the kinds. More
in one of the columns than listed are failures, fewer are an error, too, as it is with lists of
names: the list is to be written anew (``--quick --renew``). Whole runs print what they find.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from reasons import KINDS, counted, kind_of
from report import Outcomes

HEADER = """\
# How many tests of each module do not pass, of those that --quick takes: MODULE FAILED MISSING
# INTERNAL; ../reasons.py says what is what. `run.py SUITE --quick --renew` writes this file,
# `-v` prints the reasons.
"""


def by_module(outcomes: Outcomes) -> dict[str, Counter[str]]:
    """How many tests of each module are of each kind; also passed and skipped ones."""
    counts: dict[str, Counter[str]] = {}
    for word in ("passed", "skipped", "failed"):
        for test, why in getattr(outcomes, word).items():
            kind = kind_of(why) if word == "failed" else word
            module = counts.setdefault(test.partition("::")[0], Counter())
            module[kind] += outcomes.weights.get(test, 1)
    return counts


def read_counts(path: Path) -> dict[str, Counter[str]]:
    """The listed counts."""
    rows = (line.split() for line in path.read_text().splitlines() if not line.startswith("#"))
    return {
        row[0]: Counter(dict(zip(KINDS, map(int, row[1:]), strict=True))) for row in rows if row
    }


def write_counts(path: Path, counts: dict[str, Counter[str]]) -> None:
    """Lists the counts of all modules where something does not pass."""
    lines = [
        " ".join([module, *(str(each[kind]) for kind in KINDS)])
        for module, each in sorted(counts.items())
        if any(each[kind] for kind in KINDS)
    ]
    path.write_text(HEADER + "\n".join(lines) + "\n")


def share(counts: Counter[str]) -> str:
    """What passed of the tests for what is there, that is without those counted apart."""
    there = counts["passed"] + counts["failed"]
    return f"passed {counts['passed']} of {there} ({100 * counts['passed'] / max(there, 1):.1f} %)"


def folder_shares(counts: dict[str, Counter[str]]) -> list[str]:
    """A line for each folder."""
    folders: dict[str, Counter[str]] = {}
    for module, each in counts.items():
        folders.setdefault(module.partition("/")[0], Counter()).update(each)
    return [
        f"{folder}: {share(each)}, missing {each['missing']}, internal {each['internal']},"
        f" skipped {each['skipped']}"
        for folder, each in sorted(folders.items())
    ]


def differences(
    counts: dict[str, Counter[str]], listed: dict[str, Counter[str]], whole: bool
) -> list[str]:
    """Modules with other counts than listed; fewer are told where all of the sample was run."""
    lines = []
    for module, each in sorted(counts.items()):
        known = listed.get(module, Counter())
        lines += [
            f"{module}: {kind} {each[kind]}, listed {known[kind]}"
            for kind in KINDS
            if each[kind] > known[kind] or (whole and each[kind] < known[kind])
        ]
    return lines


def report_counts(
    name: str, outcomes: Outcomes, listed: dict[str, Counter[str]], *, whole: bool, reasons: int
) -> bool:
    """Prints shares, differences and the line; returns whether all went as listed."""
    counts = by_module(outcomes)
    found = differences(counts, listed, whole)
    total: Counter[str] = sum(counts.values(), Counter())
    for kind in KINDS if reasons else ():
        print(f"reasons of {kind}:")
        why = (each for each in outcomes.failed.values() if kind_of(each) == kind)
        print(*(f"{count:6} {text}" for text, count in counted(why)[:reasons]), sep="\n")
    print(*folder_shares(counts), *(f"ERROR {line}" for line in found), sep="\n")
    known = sum(
        min(each[kind], listed.get(module, Counter())[kind])
        for module, each in counts.items()
        for kind in KINDS
    )
    failed = sum(total[kind] for kind in KINDS) - known
    print(
        f"{name} passed {total['passed']} failed {failed} xfailed {known} of {total.total()}, "
        f"beside {total['missing']} missing and {total['internal']} of internals: {share(total)}"
    )
    return not found
