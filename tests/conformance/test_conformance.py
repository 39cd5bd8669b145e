"""The conformance suites as tests: each ends as its list of known differences says."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SKIPPED = 77


@pytest.mark.parametrize(
    "script", [("run.py", "numba-cuda"), ("array_api.py",), ("dask_array.py",)]
)
def test_suite_ends_as_listed(script):
    command = [sys.executable, str(HERE / script[0]), *script[1:], "--device", "cpu"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == SKIPPED:
        pytest.skip(result.stdout.strip())
    print(result.stdout.splitlines()[-1])
    assert result.returncode == 0, result.stdout + result.stderr
