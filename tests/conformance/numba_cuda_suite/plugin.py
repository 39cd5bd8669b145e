"""The pytest plugin: tells the runner, as it happens, which test starts and how it ends."""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path
from typing import Any, TextIO

import pytest

from .names import TESTS, fill_in

RESULTS_VARIABLE = "PHALANX_CONFORMANCE_RESULTS"
DONE_VARIABLE = "PHALANX_CONFORMANCE_DONE"  # a file of tests that are over already


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
            self._write(event="broken", why=last_line(str(report.longrepr)))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._worst[nodeid] = ("passed", "")
        self._write(event="start", test=test_name(nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        rank = ["passed", "skipped", "failed"]
        outcome: str = report.outcome
        if hasattr(report, "wasxfail") and outcome == "skipped":
            outcome = "passed"  # failed as its own authors expect
        if outcome == "failed" and str(report.longrepr) == "Unexpected success":
            outcome = "passed"  # what it asks for works here, unlike in numba-cuda
        if rank.index(outcome) > rank.index(self._worst[report.nodeid][0]):
            self._worst[report.nodeid] = (outcome, reason_of(report))

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        outcome, why = self._worst.pop(nodeid)
        self._write(event="end", test=test_name(nodeid), outcome=outcome, why=why)


class SuiteModule(pytest.Module):
    """A test module under the name that it has in its own project."""

    def _getobj(self) -> Any:
        return importlib.import_module(f"{TESTS}.{self.path.parent.name}.{self.path.stem}")


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> SuiteModule:
    return SuiteModule.from_parent(parent, path=module_path)


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Dir:
    """A plain folder, for its __init__ loads the whole suite."""
    return pytest.Dir.from_parent(parent, path=path)


def test_name(nodeid: str) -> str:
    """``cudapy/test_ssa::TestSSA::test_sum_loop``."""
    path, _, rest = nodeid.partition("::")
    place = Path(path)
    return f"{place.parent.name}/{place.stem}::{rest}"


def last_line(text: str) -> str:
    lines = [line.removeprefix("E").strip() for line in text.splitlines() if line.startswith("E ")]
    lines = lines or text.strip().splitlines() or [""]
    return lines[-1][:300]


def reason_of(report: pytest.TestReport) -> str:
    if report.skipped and isinstance(report.longrepr, tuple):
        return str(report.longrepr[2])
    crash: Any = getattr(report.longrepr, "reprcrash", None)
    return " ".join(str(crash.message).split())[:300] if crash else last_line(str(report.longrepr))


@pytest.fixture(scope="class")
def initialize_from_pytest_config(request: pytest.FixtureRequest) -> None:
    """The suite's test cases ask for it."""


def pytest_configure(config: pytest.Config) -> None:
    fill_in()
    done_file = os.environ.get(DONE_VARIABLE)
    done = set(Path(done_file).read_text().split("\n")) if done_file else set()
    stream = Path(os.environ[RESULTS_VARIABLE]).open("a")  # noqa: SIM115  (open to the end)
    config.pluginmanager.register(Recorder(stream, done), "conformance-recorder")
