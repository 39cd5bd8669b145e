"""Expressions whose kernel is compiled in background run by single operations meanwhile."""

import os
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import pytest

import phalanx as px
from phalanx import _engine

COMPILING = "the kernel that has it and what reads it is being compiled"


def each(value):
    """Has every operation computed by itself, so that its kernel is at hand."""
    if isinstance(value, px.ndarray):
        value._evaluate()
    return value


def same(value):
    """Leaves it recorded."""
    return value


def kernels():
    """Launched until now."""
    return _engine.array_statistics()["kernels"]


@pytest.fixture
def in_background():
    before = px.config.background_compile
    px.config.background_compile = True
    yield
    px.config.background_compile = before


# Functions of a library, of what is done with each operation's value, and of three arrays. Each has
# a number of its own, so that no other test has compiled its kernel: tests share a folder of them.


def chain(xp, e, x, y, z):
    """Floats, and a number twice."""
    return e(e(e(e(x * y) + 0.25) / e(z + 0.25)) - x)


def with_casts(xp, e, x, y, z):
    """Other dtypes on the way."""
    whole = e(e(x * 8.125).astype("int32"))
    return e(e(e(whole * 3).astype("float64")) + e(y.astype("float32")))


def of_short_floats(xp, e, x, y, z):
    """float16, which is rounded after each operation."""
    x, y = e(x.astype("float16")), e(y.astype("float16"))
    return e(e(e(x * y) + x) * e(y + np.float16(0.1)))


def with_functions(xp, e, x, y, z):
    """Long ones."""
    return e(e(xp.exp(e(-x))) * e(xp.sin(e(y * 1.5)))) + e(xp.sqrt(z))


def with_a_choice(xp, e, x, y, z):
    """where, comparisons, logic."""
    chosen = e(xp.logical_and(e(x > 0.5), e(y < 0.75)))
    return e(xp.where(chosen, e(x * 2.5), e(z - 2.5)))


def with_positions(xp, e, x, y, z):
    """arange is no array in memory."""
    places = e(e(xp.arange(x.shape[-1])).astype("float64"))
    return e(e(x + e(places * 0.125)) * y)


def of_a_row_and_a_column(xp, e, x, y, z):
    """What is broadcast is computed once."""
    row, column = y[:1], z[:, :1]
    return e(e(e(row * 1.125) + e(column * 2.125)) * x)


def of_transposed(xp, e, x, y, z):
    """In the order of the memory."""
    return e(e(e(x.T * y.T) + 7.5) - z.T)


def of_parts(xp, e, x, y, z):
    """Slices with gaps."""
    return e(e(e(x[::2, 1:] * 3.5) + y[::2, 1:]) * z[::2, 1:])


def summed(xp, e, x, y, z):
    """A reduction of an expression."""
    return e(xp.sum(e(e(x * y) - 0.125), axis=1))


def summed_whole(xp, e, x, y, z):
    """To one number, in two stages."""
    return e(xp.sum(e(e(x * y) - 0.375)))


def greatest_place(xp, e, x, y, z):
    """A reduction of two numbers."""
    return e(xp.argmax(e(e(x * y) - 0.625), axis=0))


def running(xp, e, x, y, z):
    """A scan of an expression."""
    return e(xp.cumsum(e(e(x * y) + 0.625), axis=1))


def softmax(xp, e, x, y, z):
    """Folded row by row."""
    powers = e(xp.exp(e(e(x * 1.75) - e(xp.max(e(x * 1.75), axis=1, keepdims=True)))))
    return e(powers / e(xp.sum(powers, axis=1, keepdims=True)))


def deviation(xp, e, x, y, z):
    """A reduction of what another one is in."""
    centred = e(x - e(xp.max(x, axis=1, keepdims=True)))
    return e(xp.sum(e(e(centred * centred) * centred), axis=1))


def gathered(xp, e, x, y, z):
    """By indices along both dimensions."""
    rows = np.arange(x.shape[0])[::-1]
    columns = np.arange(x.shape[0]) % x.shape[1]
    return e(e(e(x[rows, columns]) * 1.375) + e(y[rows, columns]))


def taken(xp, e, x, y, z):
    """By a mask that is computed."""
    return e(e(x * 2.375)[e(e(x + y) > 1.0)])


def assigned(xp, e, x, y, z):
    """Into memory that is read."""
    made = xp.asarray(x).copy()
    each(made)
    made[1:] = e(e(e(made[1:] * 1.625) + y[1:]) - 0.5)
    return made


def complex_numbers(xp, e, x, y, z):
    """Of two numbers each."""
    x, y = e(x.astype("complex128")), e(y.astype("complex128"))
    return e(e(e(x * 1j) + y) * e(x - 2j))


FUNCTIONS = [
    *(chain, with_casts, of_short_floats, with_functions, with_a_choice, with_positions),
    *(of_a_row_and_a_column, of_transposed, of_parts, summed, summed_whole, greatest_place),
    *(running, softmax, deviation, gathered, taken, assigned, complex_numbers),
]


def await_kernel(function, arguments, used):
    """Looks until it takes fewer kernels than the single operations; how many that are."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        before = kernels()
        result = np.asarray(function(px, same, *arguments))
        if kernels() - before < used:
            return kernels() - before, result
        time.sleep(0.01)
    raise AssertionError(f"{function.__name__} went on by {used} kernels")


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_values_are_the_same_before_and_after(device, in_background, function):
    # Few elements in memory are scanned by NumPy.
    shape = (150, 300) if function is running else (33, 70)
    host = [np.random.default_rng(seed).random(shape) for seed in range(3)]
    arguments = [px.asarray(values) for values in host]
    expected = function(np, same, *host)
    np.asarray(function(px, each, *arguments))  # now all single operations are at hand
    before = kernels()
    first = np.asarray(function(px, same, *arguments))
    used = max(kernels() - before, 2)  # it may have been compiled by then
    if function is gathered and device != "cpu":
        pytest.skip("four of its kernels check indices there, and it waits for the fifth")
    later, last = await_kernel(function, arguments, used)
    assert later < used
    assert first.dtype == last.dtype == expected.dtype
    tolerance = 2e-3 if expected.dtype == np.float16 else 1e-12
    np.testing.assert_allclose(first, expected, rtol=tolerance)
    np.testing.assert_allclose(last, expected, rtol=tolerance)
    if function not in (summed, summed_whole, running, softmax, deviation):  # of floats, by order
        np.testing.assert_array_equal(first, last)


def test_explain_tells_what_ran(device, in_background):
    x, y = px.asarray(np.arange(500.0)), px.asarray(np.arange(500.0) + 1)
    for one in (x * y, x - 3.1875):
        one._evaluate()
    made = x * y - 3.1875
    made._evaluate()
    reasons = [kernel.why for kernel in px.explain(made).kernels]
    assert reasons == [COMPILING, "it was asked for"]
    for _ in range(400):
        again = x * y - 3.1875
        again._evaluate()
        reasons = [kernel.why for kernel in px.explain(again).kernels]
        if len(reasons) == 1:
            break
        time.sleep(0.01)
    assert reasons == ["it was asked for"]


def test_it_can_be_switched_off(device):
    assert px.config.background_compile is False  # by the variable that the tests set
    x = px.asarray(np.arange(300.0))
    for one in (x * x, x + 5.0):
        one._evaluate()
    before = kernels()
    np.asarray(x * x + 5.0)
    assert kernels() - before == 1


def test_where_there_is_no_room_it_waits(device, in_background):
    x = px.asarray(np.arange(100_000.0))
    for one in (x / x, x * 9.1875, x - 9.1875):
        one._evaluate()
    px.set_memory_limit(px.memory_info().used_bytes + 3 * x.nbytes // 2)
    try:
        before = kernels()
        made = x / x * 9.1875 - 9.1875
        made._evaluate()
        assert kernels() - before == 1
    finally:
        px.set_memory_limit(None)
    assert not np.asarray(made)[1:].any()


# Singles in one process, expressions in the next one, which finds them on disk.
SINGLES = """
import numpy as np
import phalanx as px
x = px.asarray(np.arange(1.0, 2001.0))
y = px.asarray(np.arange(2.0, 2002.0))
for one in (px.log(x), x * x, x + 1.5, x / y, px.sqrt(x)):
    one._evaluate()
"""
EXPRESSION = """
import os, sys
import numpy as np
import phalanx as px
from phalanx import _engine
x = px.asarray(np.arange(1.0, 2001.0))
n = np.arange(1.0, 2001.0)
made = px.sqrt(px.log(x) * px.log(x) + 1.5) / (x * x)
"""
LOOK = """
assert np.allclose(np.asarray(made), np.sqrt(np.log(n) * np.log(n) + 1.5) / (n * n), rtol=1e-14)
print(_engine.array_statistics()["kernels"], flush=True)
"""
WAIT = """
import time
for _ in range(1000):
    again = px.sqrt(px.log(x) * px.log(x) + 1.5) / (x * x)
    before = _engine.array_statistics()["kernels"]
    again._evaluate()
    if _engine.array_statistics()["kernels"] - before == 1:
        break
    time.sleep(0.005)
else:
    raise AssertionError
"""
FORK = """
child = os.fork()
if child == 0:
    made = px.sqrt(px.log(x) * px.log(x) + 1.5) / (x * x) + 1.5
    assert np.allclose(
        np.asarray(made), np.sqrt(np.log(n) * np.log(n) + 1.5) / (n * n) + 1.5, rtol=1e-14)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


def run(script, folder, **settings):
    own = {"PHALANX_CACHE_DIR": str(folder), "PHALANX_DEVICE": "cpu"}
    own |= {"PHALANX_BACKGROUND_COMPILE": "1", **settings}
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script],  # of fork with threads
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.fixture
def with_singles(tmp_path):
    run(SINGLES, tmp_path)
    return tmp_path


def test_what_has_no_single_operations_waits(tmp_path):
    script = """
import numpy as np
import phalanx as px
from phalanx import _engine
x = px.asarray(np.arange(300, dtype="uint16"))  # of which the package has none
assert np.asarray((x * 3 + 7) ^ x)[1] == 11
print(_engine.array_statistics()["kernels"])
"""
    assert run(script, tmp_path) == ["1"]


def test_a_new_process_finds_them_on_disk(with_singles):
    assert run(EXPRESSION + LOOK + WAIT, with_singles) == ["6"]
    assert run(EXPRESSION + LOOK, with_singles) == ["1"]  # which the first one has kept


def test_the_environment_switches_it_off(with_singles):
    assert run(EXPRESSION + LOOK, with_singles, PHALANX_BACKGROUND_COMPILE="0") == ["1"]


def test_a_process_may_end_while_it_compiles(with_singles):
    assert run(EXPRESSION + LOOK, with_singles) == ["6"]


def test_a_process_may_fork_while_it_compiles(with_singles):
    assert run(EXPRESSION + LOOK + FORK + WAIT, with_singles) == ["6"]


def test_a_look_at_an_array_gives_the_warnings_of_the_engine(tmp_path):
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o777)
    script = """
import warnings
import numpy as np
import phalanx as px
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for _ in range(3):
        x = px.asarray(np.arange(3, dtype="uint16"))  # of which the package has no kernels
        assert np.asarray(x + 1).tolist() == [1, 2, 3]
print([each.category.__name__ for each in told])
"""
    assert run(script, folder) == ["['CacheWarning']"]


def test_kernels_of_gpus_have_the_same_rules(tmp_path):
    """On the CPU device, with none of the kernels that the tests above have left."""
    path = __file__
    wanted = {"PHALANX_ARRAY_KERNELS": "gpu", "PHALANX_DEVICE": "cpu"}
    wanted |= {"PHALANX_TEST_DEVICES": "cpu", "PHALANX_TESTS_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", path, "-k", "before_and_after and cpu"],
        env={**os.environ, **wanted},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_numbers_of_kernels_only_fall(device, in_background):
    """Once its kernel is there, an expression goes on to take it."""
    x = px.asarray(np.arange(50.0))
    for one in (x * x, x / 17.1875):
        one._evaluate()
    counts = []
    for _ in range(100):
        before = kernels()
        np.asarray(x * x / 17.1875)
        counts.append(kernels() - before)
        time.sleep(0.002)
    assert counts[0] == 2 and counts[-1] == 1
    assert all(later <= earlier for earlier, later in pairwise(counts))
