"""What a run found against what is known, and the line that says it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

CUDA_ONLY = "CUDA only: "  # how the reason of a test begins that no program without CUDA can pass


@dataclass
class Outcomes:
    """How each test ended, with the reason of what did not pass."""

    passed: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    weights: dict[str, int] = field(
        default_factory=dict
    )  # of modules that count as all their tests

    def add(self, test: str, outcome: str, why: str) -> None:
        """Records one test."""
        getattr(self, outcome)[test] = why

    def count(self, tests: dict[str, str]) -> int:
        """How many tests these are."""
        return sum(self.weights.get(test, 1) for test in tests)

    def __len__(self) -> int:
        return len(self.passed) + len(self.failed) + len(self.skipped)


def read_known(path: Path, device: str, modules: list[str]) -> dict[str, str]:
    """Tests known to fail, with reasons: ``TEST[@DEVICE]  REASON`` a line, # for comments.

    A ``*`` in a test's name is any text (`expanded`).
    """
    known: dict[str, str] = {}
    for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, reason = line.partition(" ")
        test, _, only_on = name.partition("@")
        if not reason.strip():
            raise SystemExit(f"{path}:{number}: a known difference needs its reason")
        module = test.partition("::")[0]
        if only_on not in ("", device) or ("*" not in module and module not in modules):
            continue
        if test in known:
            raise SystemExit(f"{path}:{number}: {test} is listed twice")
        known[test] = reason.strip()
    return known


def renew_known(path: Path, device: str, outcomes: Outcomes) -> None:
    """Writes the list anew: rows of what failed, was not run or is of another device stay.

    What failed and is not listed gets the text of its failure as the reason.
    """
    rows, unlisted = [], dict(outcomes.failed)
    seen = outcomes.passed | outcomes.failed | outcomes.skipped
    for line in path.read_text().splitlines():
        name, _, only_on = line.partition(" ")[0].partition("@")
        if not name or name == "#" or only_on not in ("", device):
            rows.append(line)
            continue
        fits = re.compile(_expression(name), re.DOTALL).fullmatch
        if any(map(fits, outcomes.failed)) or not any(map(fits, seen)):
            rows.append(line)
        unlisted = {test: why for test, why in unlisted.items() if not fits(test)}
    rows += [f"{test}  {why}" for test, why in sorted(unlisted.items())]
    path.write_text("\n".join(rows) + "\n")


def _expression(pattern: str) -> str:
    return ".*".join(map(re.escape, pattern.split("*")))


def expanded(known: dict[str, str], outcomes: Outcomes, whole: bool) -> dict[str, str]:
    """`known` with each pattern replaced by the failed tests that it fits.

    Cases of a test that pass are no surprise then; a pattern that no failed test of a `whole` run
    fits stays, and is one.
    """
    made = {name: reason for name, reason in known.items() if "*" not in name}
    for pattern, reason in known.items():
        if "*" not in pattern:
            continue
        fits = re.compile(_expression(pattern), re.DOTALL).fullmatch
        found = [test for test in outcomes.failed if fits(test)]
        for test in found:
            made.setdefault(test, reason)
        if whole and not found:
            made[pattern] = reason
    return made


def read_public(path: Path) -> dict[str, int]:
    """How many tests of each module are about behaviour that users meet: ``MODULE COUNT``."""
    rows = (line.split() for line in path.read_text().splitlines() if not line.startswith("#"))
    return {row[0]: int(row[1]) for row in rows if row}


def public_summary(outcomes: Outcomes, public: dict[str, int]) -> str:
    """At most how many of the public tests passed: the suite counts them by module only."""
    passed = Counter(test.partition("::")[0] for test in outcomes.passed)
    most = sum(min(count, passed[module]) for module, count in public.items())
    return f"public: at most {most} of {sum(public.values())}"


def count_tests(source: Path) -> int:
    """Tests of a module that cannot be imported, counted in its text."""
    tree = ast.parse(source.read_text())
    holders = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    functions = [
        each for node in holders for each in node.body if isinstance(each, ast.FunctionDef)
    ]
    return sum(function.name.startswith("test") for function in functions)


@dataclass
class Verdict:
    """The outcomes sorted by what was expected."""

    failed: dict[str, str]  # unexpectedly
    known: dict[str, str]  # failed, and listed
    surprises: list[str]  # listed, and passed or gone

    @property
    def is_good(self) -> bool:
        """Returns whether everything went as listed."""
        return not self.failed and not self.surprises


def judge(outcomes: Outcomes, known: dict[str, str], whole: bool) -> Verdict:
    """Compares; a listed test that does not exist is a surprise if the `whole` suite was run."""
    surprises = [
        f"{test}: listed as known to fail, but passes"
        for test in outcomes.passed.keys() & known.keys()
    ]
    if whole:
        seen = outcomes.passed | outcomes.failed | outcomes.skipped
        surprises += [
            f"{test}: listed as known to fail, but not in the suite"
            for test in known.keys() - seen.keys()
        ]
    return Verdict(
        failed={test: why for test, why in outcomes.failed.items() if test not in known},
        known={test: why for test, why in outcomes.failed.items() if test in known},
        surprises=sorted(surprises),
    )


def summary(name: str, outcomes: Outcomes, verdict: Verdict) -> str:
    """``SUITE passed N failed N xfailed N of N``; skipped tests are in the total only."""
    counts = {
        "passed": outcomes.count(outcomes.passed),
        "failed": outcomes.count(verdict.failed),
        "xfailed": outcomes.count(verdict.known),
    }
    total = counts["passed"] + outcomes.count(outcomes.failed) + outcomes.count(outcomes.skipped)
    return " ".join([name, *(f"{word} {count}" for word, count in counts.items()), f"of {total}"])


def share_beside_cuda(outcomes: Outcomes, known: dict[str, str]) -> str:
    """The share that passed of the tests without those of CUDA only, which fail or are skipped.

    Those are what a name or pattern of `known` fits whose reason begins with `CUDA_ONLY`; the text
    is empty where there are none.
    """
    names = [test for test, why in known.items() if why.startswith(CUDA_ONLY)]
    if not names:
        return ""
    fits = re.compile("|".join(map(_expression, names)), re.DOTALL).fullmatch
    apart = {test: "" for test in outcomes.failed | outcomes.skipped if fits(test)}
    left_out = outcomes.count(apart)
    passed = outcomes.count(outcomes.passed)
    total = passed + outcomes.count(outcomes.failed) + outcomes.count(outcomes.skipped) - left_out
    return (
        f"beside {left_out} of CUDA only: passed {passed} of {total}"
        f" ({100 * passed / max(total, 1):.1f} %)"
    )


def folder_lines(outcomes: Outcomes, verdict: Verdict) -> list[str]:
    """A line for each folder of tests: what passed, failed, is known to fail, and the total."""
    counts: dict[str, Counter[str]] = {}
    for word, tests in {
        "passed": outcomes.passed, "failed": verdict.failed, "xfailed": verdict.known,
        "skipped": outcomes.skipped,
    }.items():  # fmt: skip
        for test in tests:
            folder = test.partition("::")[0].partition("/")
            name = folder[0] if folder[1] else "."
            counts.setdefault(name, Counter())[word] += outcomes.weights.get(test, 1)
    words = ("passed", "failed", "xfailed")
    return [
        " ".join([f"{name}:", *(f"{word} {each[word]}" for word in words), f"of {each.total()}"])
        for name, each in sorted(counts.items())
    ]
