"""Under ``phalanx run``: what programs ask of the dispatchers and the version of numba.cuda."""

import pytest

PROGRAM = """
import re

import numba
from numba import cuda, njit
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher

def plain(x):
    return x

function, kernel = njit(plain), cuda.jit(plain)
print(bool(re.fullmatch(r"\\d+\\.\\d+\\.\\d+", cuda.__version__)))
print([isinstance(each, Dispatcher) for each in (function, kernel, plain)])
print([isinstance(each, CPUDispatcher) for each in (function, kernel, plain)])
print(isinstance(function, numba.core.dispatcher.Dispatcher))
"""
WITHOUT_NUMBA = """
from phalanx import compat
from phalanx._types import numba_objects
numba_objects.find_installed = compat.find_installed = lambda: None
"""


@pytest.mark.parametrize("first", [WITHOUT_NUMBA, ""], ids=["alone", "beside numba"])
def test_dispatchers_are_numbas(run_python, first):
    if not first:
        pytest.importorskip("numba")
    code = first + "from phalanx import compat\ncompat.install()\n" + PROGRAM
    printed = run_python(code, PHALANX_DEVICE="cpu").stdout.splitlines()
    assert printed == ["True", "[True, True, False]", "[True, False, False]", "True"]
