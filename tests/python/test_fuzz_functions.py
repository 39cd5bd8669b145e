"""A few random functions against Numba; tests/fuzz/functions.py runs as many as one likes."""

import importlib.util
import pathlib

import pytest

pytest.importorskip("numba")
_PATH = pathlib.Path(__file__).parents[1] / "fuzz" / "functions.py"
_SPEC = importlib.util.spec_from_file_location("fuzz_functions", _PATH)
fuzz = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(fuzz)


@pytest.mark.parametrize("number", range(12))
def test_a_random_function_gives_what_numba_gives(number):
    assert list(fuzz.differences(number)) == []
