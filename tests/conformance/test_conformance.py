"""The conformance suites as tests: each ends as its list of known differences says."""

import subprocess
import sys
from pathlib import Path

import pytest
from counted import by_module, differences, read_counts, share, write_counts
from reasons import kind_of
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


REASONS = {
    "NotImplementedError: phalanx does not provide pandas.core.internals.Block": "internal",
    "NotImplementedError: phalanx does not provide pandas._libs.lib(...)": "internal",
    "AttributeError: 'DataFrame' object has no attribute '_mgr'": "internal",
    "NotImplementedError: phalanx does not provide pandas.arrays.SparseArray": "missing",
    "NotImplementedError: phalanx does not provide pandas.Period": "missing",
    "phalanx._frames.signatures.MissingNameError: Series.asof of pandas is not there": "missing",
    "NotImplementedError: merge: the keyword 'x' of pandas is not supported": "missing",
    "cannot be imported: NotImplementedError: interval_range of dates": "missing",
    "AttributeError: 'DataFrame' object has no attribute 'sum'": "failed",
    "AssertionError: NotImplementedError": "failed",
    "ValueError: another": "failed",
}


@pytest.mark.parametrize("why", REASONS)
def test_kinds_of_reasons(why):
    assert kind_of(why) == REASONS[why]


def test_counts_are_compared_with_the_list(tmp_path):
    outcomes = Outcomes()
    for number, why in enumerate(REASONS):
        outcomes.add(f"a/m::{number}", "failed", why)
    outcomes.add("a/m::passes", "passed", "")
    counts = by_module(outcomes)
    write_counts(tmp_path / "list", counts)
    listed = read_counts(tmp_path / "list")
    assert listed == {"a/m": {"failed": 3, "missing": 5, "internal": 3}}
    assert share(counts["a/m"]) == "passed 1 of 4 (25.0 %)"
    assert differences(counts, listed, whole=True) == []
    outcomes.add("a/m::further", "failed", "ValueError")
    assert differences(by_module(outcomes), listed, whole=False) == ["a/m: failed 4, listed 3"]
    del outcomes.failed["a/m::further"], outcomes.failed["a/m::3"]
    assert differences(by_module(outcomes), listed, whole=False) == []
    assert differences(by_module(outcomes), listed, whole=True) == ["a/m: missing 4, listed 5"]
