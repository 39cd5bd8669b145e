"""A pytest plugin: writes each test's outcome as it is known, and ends the run when time is up."""

from __future__ import annotations

import os
import time
from pathlib import Path

_file = Path(os.environ["PACKAGES_OUTCOMES"]).open("a")  # noqa: SIM115  (the process closes it)
_end = time.monotonic() + float(os.environ["PACKAGES_LIMIT"])


def pytest_runtest_logreport(report):
    """One line a test: what counts is its body, and a failure around it."""
    if report.when == "call" or report.outcome != "passed":
        print(report.outcome, report.nodeid, file=_file, flush=True)


def pytest_collectreport(report):
    """A module that cannot be imported."""
    if report.outcome == "failed":
        print("failed", report.nodeid, file=_file, flush=True)


def pytest_runtest_protocol(item, nextitem):
    """Stops before the next test once the time is over."""
    if time.monotonic() > _end:
        item.session.shouldstop = "the time is over"
