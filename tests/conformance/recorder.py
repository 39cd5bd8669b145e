"""Tells the runner, as it happens, which test starts and how it ends."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, TextIO

import pytest

RESULTS_VARIABLE = "PHALANX_CONFORMANCE_RESULTS"
DONE_VARIABLE = "PHALANX_CONFORMANCE_DONE"  # a file of tests that are over already


WORKS = ("Unexpected success", "[XPASS(strict)]")
MOST = 300  # characters of a reason: its beginning and its end


class Recorder:
    """Writes one JSON line an event, at once: the process may die in the next test."""

    def __init__(self, stream: TextIO, done: set[str]) -> None:
        self._stream = stream
        self._done = done
        self._worst: dict[str, tuple[str, str]] = {}

    def _write(self, **event: str) -> None:
        self._stream.write(json.dumps(event) + "\n")
        self._stream.flush()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if test_name(item.nodeid) not in self._done]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            module = test_name(report.nodeid).removesuffix("::")
            self._write(event="broken", module=module, why=last_line(str(report.longrepr)))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._worst[nodeid] = ("passed", "")
        self._write(event="start", test=test_name(nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        rank = ["passed", "skipped", "failed"]
        outcome: str = report.outcome
        if hasattr(report, "wasxfail") and outcome == "skipped":
            outcome = "passed"  # failed as its own authors expect
        if outcome == "failed" and str(report.longrepr).startswith(WORKS):
            outcome = "passed"  # what its own authors expect to fail works here
        if rank.index(outcome) > rank.index(self._worst[report.nodeid][0]):
            self._worst[report.nodeid] = (outcome, reason_of(report))

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        outcome, why = self._worst.pop(nodeid)
        self._write(event="end", test=test_name(nodeid), outcome=outcome, why=why)


def test_name(nodeid: str) -> str:
    """``cudapy/test_ssa::TestSSA::test_sum_loop``, without spaces."""
    path, _, rest = nodeid.replace(" ", "").partition("::")
    return f"{path.removesuffix('.py')}::{rest}"


def last_line(text: str) -> str:
    lines = [line.removeprefix("E").strip() for line in text.splitlines() if line.startswith("E ")]
    lines = lines or text.strip().splitlines() or [""]
    return lines[-1][:300]


def reason_of(report: pytest.TestReport) -> str:
    if report.skipped and isinstance(report.longrepr, tuple):
        return str(report.longrepr[2])
    crash: Any = getattr(report.longrepr, "reprcrash", None)
    if not crash:
        return last_line(str(report.longrepr))
    text = " ".join(str(crash.message).split())
    return text if len(text) <= MOST else f"{text[: MOST // 2]} ... {text[-MOST // 2 :]}"


def start_recording(config: pytest.Config) -> None:
    """Registers the recorder, to be called by the plugin's `pytest_configure`."""
    done_file = os.environ.get(DONE_VARIABLE)
    done = set(Path(done_file).read_text().split("\n")) if done_file else set()
    stream = Path(os.environ[RESULTS_VARIABLE]).open("a")  # noqa: SIM115  (open to the end)
    config.pluginmanager.register(Recorder(stream, done), "conformance-recorder")
