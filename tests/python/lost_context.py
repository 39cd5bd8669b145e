"""Once a test has lost the GPU's context, the others run in processes of their own (pytest hooks).

So one failure is one failure. conftest.py takes the hooks from here.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

LOST = "context is lost"  # of our DeviceError
_lost = False


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    global _lost
    yield
    if call.excinfo is not None and LOST in str(call.excinfo.value):
        _lost = True


def _report(item, outcome, text):
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords={},
        outcome=outcome,
        longrepr=text if outcome == "failed" else None,
        when="call",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item):
    """Runs a test that would fail for the lost context only, and reports it as if it ran here."""
    if not _lost:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    root = item.config.rootpath
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", root]
    done = subprocess.run([*command, item.nodeid], cwd=root, capture_output=True, text=True)
    outcome = "passed" if done.returncode == 0 else "failed"
    report = _report(item, outcome, done.stdout + done.stderr)
    item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
