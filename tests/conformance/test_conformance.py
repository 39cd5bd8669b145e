"""The conformance suites as tests: each ends as its list of known differences says."""

import subprocess
import sys
from pathlib import Path

import pytest
from report import Outcomes, share_beside_cuda

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


def test_the_share_leaves_out_what_is_of_cuda_only():
    outcomes = Outcomes()
    for outcome, tests in {
        "passed": ("a::Cub::one", "a::plain"),
        "failed": ("a::Cub::two", "a::other"),
        "skipped": ("a::Cub::three",),
    }.items():
        for test in tests:
            outcomes.add(test, outcome, "")
    known = {"a::*Cub*": "CUDA only: its library", "a::other": "as in NumPy"}
    share = share_beside_cuda(outcomes, known)
    assert share == "beside 2 of CUDA only: passed 2 of 3 (66.7 %)"
    assert share_beside_cuda(outcomes, {"a::other": "as in NumPy"}) == ""
