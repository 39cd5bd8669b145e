"""numba.config: the settings that the engine follows."""

import pytest

ASK = """
from phalanx import _engine
told = []

_engine.set_advice = lambda **given: told.append(given)
from phalanx.compat import numba
numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 1
numba.config.CUDA_WARN_ON_IMPLICIT_COPY = 0
print(told)
"""


def test_settings_and_environment_reach_the_engine(run_python):
    done = run_python(
        ASK, NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS="0", NUMBA_CUDA_WARN_ON_IMPLICIT_COPY="1"
    )
    assert done.stdout.strip() == str(
        [
            {"low_occupancy": False, "implicit_copies": True},
            {"low_occupancy": True, "implicit_copies": True},
            {"low_occupancy": True, "implicit_copies": False},
        ]
    )


OPTIONS = """
from phalanx.compat import numba
from phalanx import cuda

def kernel(a):
    a[0] = 1

def options():
    return {name: cuda.jit(kernel).targetoptions[name] for name in ("debug", "optimization")}

print(options())
numba.config.OPT = 0
numba.config.CUDA_DEBUGINFO_DEFAULT = 1
print(options(), cuda.jit(debug=False, opt=3)(kernel).targetoptions["optimization"])
"""


def test_settings_are_the_defaults_of_the_decorator(run_python):
    done = run_python(OPTIONS, NUMBA_OPT="2")
    assert done.stdout.splitlines() == [
        "{'debug': False, 'optimization': 2}",
        "{'debug': True, 'optimization': 0} 3",
    ]


DUMPS = """
import numpy as np
from phalanx.compat import numba
from phalanx import cuda

@cuda.jit
def quiet(a):
    a[0] = 1

@cuda.jit
def half(a):
    a[0] = a[0] / 2

quiet[1, 1](np.ones(1))
for name in NAMES:
    setattr(numba.config, name, 1)
half[1, 1](np.ones(1))
half[1, 1](np.ones(1))
"""


@pytest.mark.parametrize(
    "names, found, missing",
    [(["DUMP_IR"], ["-IR DUMP: half-", "kernel @half"], "ASSEMBLY"),
     (["DUMP_LLVM", "DUMP_ASSEMBLY"], ["-LLVM DUMP half-", "define ", "-ASSEMBLY half-"],
      "IR DUMP"),
     ([], [], "half")],
)  # fmt: skip
def test_stages_are_printed_where_numba_would(run_python, names, found, missing):
    printed = run_python(DUMPS.replace("NAMES", repr(names))).stdout
    assert all(printed.count(text) >= 1 for text in found)
    assert missing not in printed
    assert "quiet" not in printed
    assert printed.count("DUMP: half") <= 1


IN_PYTHON = """
from phalanx.compat import numba

@numba.njit
def f(x):
    return [x, "text"]

@numba.jit("int64(int64)", nogil=True)
def g(x):
    return x * 2

print(f(1), g(2), type(f).__name__, numba.config.NUMBA_NUM_THREADS == numba.get_num_threads())
"""


def test_functions_can_be_left_in_python(run_python):
    done = run_python(IN_PYTHON, NUMBA_DISABLE_JIT="1")
    assert done.stdout.strip() == "[1, 'text'] 4 function True"


def test_names_that_numba_does_not_have_either_are_not_there():
    from phalanx.compat import numba

    with pytest.raises(AttributeError, match="nonsense"):
        _ = numba.nonsense
