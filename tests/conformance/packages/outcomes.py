"""A pytest plugin: spreads the tests, writes each one's outcome as it is known, ends in time."""

from __future__ import annotations

import collections
import os
import time
from pathlib import Path

import pytest

_IN_A_ROW = 4  # tests of one file in turn: fixtures of modules are made anew at each turn
_path = Path(os.environ["PACKAGES_OUTCOMES"])
_lines = _path.read_text().splitlines() if _path.exists() else []
_done = {line.split(" ", 2)[2] for line in _lines if not line.startswith("began")}
_file = _path.open("a")
_wanted = os.environ.get("PACKAGES_WANTED")  # a file with the tests to run; all where there is none
_part = os.environ.get("PACKAGES_PART", "1/1")  # which part of how many
_limit = float(os.environ["PACKAGES_LIMIT"])  # processor time: other programs do not shorten it


def _write(outcome, test, seconds=0.0):
    print(outcome, f"{seconds:.2f}", test, file=_file, flush=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """The part's wanted tests that have no outcome yet, files and functions in turns."""
    _write("collected", len(items))
    _spread(items)
    number, parts = map(int, _part.split("/"))
    items[:] = items[number - 1 :: parts]
    wanted = set(Path(_wanted).read_text().splitlines()) if _wanted else None
    items[:] = [
        each
        for each in items
        if each.nodeid not in _done and (wanted is None or each.nodeid in wanted)
    ]


def _spread(items):
    """What a limited time reaches is some of each file, and of each function in it."""
    cases, files = collections.Counter(), collections.Counter()
    case_of, turn_of = {}, {}
    for item in items:
        function = item.nodeid.partition("[")[0]
        case_of[item] = cases[function]
        cases[function] += 1
    items.sort(key=case_of.__getitem__)
    for item in items:
        file = item.nodeid.partition("::")[0]
        turn_of[item] = files[file] // _IN_A_ROW, file
        files[file] += 1
    items.sort(key=turn_of.__getitem__)


def pytest_runtest_logstart(nodeid, location):
    """The last test that began and has no outcome is the one in which a process died."""
    _write("began", nodeid)


def pytest_runtest_logreport(report):
    """One line a test: what counts is its body, and a failure around it."""
    if report.when == "call" or report.outcome != "passed":
        _write(report.outcome, report.nodeid, report.duration)
    if report.failed:
        _tell(report)


def _tell(report):
    """Keeps why it failed: what pytest prints at its end is lost where the process is killed."""
    with _path.with_suffix(".errors").open("a") as file:
        print(f"==== {report.nodeid}\n{report.longreprtext}\n", file=file)


def pytest_collectreport(report):
    """A module that cannot be imported."""
    if report.outcome != "passed":
        _write("missing", report.nodeid)
        _tell(report)


def pytest_runtest_protocol(item, nextitem):
    """Stops before the next test once the time is over."""
    if time.process_time() > _limit:
        item.session.shouldstop = "the time is over"
