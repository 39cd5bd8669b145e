"""``fastmath=`` as a set of LLVM's flags: each allows what it says, and nothing else."""

import math
import re

import numpy as np
import pytest

from phalanx import _engine, cuda, njit

FLAGS = ("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc")
KEEPS_NAN = {"nsz", "arcp", "contract", "afn", "reassoc"}


def weigh(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] / 3.0 + x[i] * 2.0
    x[0] = total


def total(x):
    result = 0.0
    for each in x:
        result += each
    return result


def flags_of_instructions(text):
    """Which flags the floating-point instructions of LLVM's text carry."""
    found = re.findall(r"= f(?:add|mul|div)((?: [a-z]+)*?) (?:double|<)", text)
    assert found
    words = {frozenset(each.split()) for each in found}
    return {frozenset(FLAGS) if each == {"fast"} else each for each in words}


def test_the_engine_names_the_flags():
    assert tuple(_engine.fast_math_flags()) == FLAGS


@pytest.mark.parametrize("flags", [{"nnan"}, {"ninf", "nsz"}, {"reassoc"}, {"afn"}, {"arcp"},
                                   {"contract"}, KEEPS_NAN, set(FLAGS)], ids=sorted)  # fmt: skip
def test_each_flag_is_set_exactly_where_it_is_asked_for(flags):
    signature = "void(float64[::1], int64)"
    kernel = cuda.jit(signature, fastmath=flags, contract=False, opt=0)(weigh)
    ((_, text),) = kernel.inspect_llvm().items()
    assert flags_of_instructions(text) == {frozenset(flags)}


@pytest.mark.parametrize("flags", [set(), {"reassoc"}, {"reassoc", "nsz"}, set(FLAGS)], ids=sorted)
def test_functions_add_up_in_another_order_where_that_is_allowed(flags):
    ((_, text),) = njit("float64(float64[::1])", fastmath=flags)(total).inspect_llvm().items()
    assert ("x double>" in text) == ("reassoc" in flags)


def test_kernels_and_ptx_take_flags_too():
    def divide(a, b):
        return math.sin(a / b)

    signature = "float32(float32, float32)"
    exact, _ = cuda.compile(divide, signature, fastmath=False)
    fast, _ = cuda.compile(divide, signature, fastmath=True)
    approximate, _ = cuda.compile(divide, signature, fastmath={"afn"})
    assert "div.approx.ftz.f32" in fast and "sin.approx" in fast
    assert "sin.approx" not in exact
    assert "sin.approx" in approximate and "ftz" not in approximate and "div.rn" in approximate


@pytest.mark.parametrize("flags", [KEEPS_NAN, {"contract"}, {"reassoc", "nsz"}, []])
def test_nan_keeps_its_meaning_without_nnan(flags):
    a = np.array([1.0, np.nan, 2.0])

    @njit(fastmath=flags)
    def is_zero(a):
        return a[0] == 0.0

    @njit(fastmath=flags)
    def largest(a):
        return a.max()

    @njit(fastmath=flags)
    def peak_to_peak(a):
        return np.ptp(a)

    assert not is_zero(np.array([np.nan]))
    assert is_zero(np.array([0.0]))
    assert np.isnan(largest(a)) and np.isnan(peak_to_peak(a))


@pytest.mark.parametrize("flags", [KEEPS_NAN, {"contract"}])
def test_nan_and_infinity_in_kernels_without_nnan_and_ninf(flags, device):
    @cuda.jit(fastmath=flags)
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i, 0] = x[i] == x[i]
            out[i, 1] = x[i] - x[i] == 0
            out[i, 2] = math.exp(x[i]) > 1e300

    x = np.array([1.0, np.nan, np.inf, -np.inf])
    out = np.zeros((4, 3), np.int32)
    kernel[1, 32](x, out)
    np.testing.assert_array_equal(out, [[1, 1, 0], [0, 0, 0], [1, 0, 1], [1, 0, 0]])


def test_flags_are_part_of_the_key():
    kernel = cuda.jit("void(float64[::1])", fastmath={"nsz"})
    other = cuda.jit("void(float64[::1])", fastmath={"arcp"})

    def halve(x):
        x[0] = x[0] / 3.0

    texts = {
        next(iter(each(halve).inspect_llvm().values()))
        for each in (kernel, other, cuda.jit("void(float64[::1])"))
    }
    assert len(texts) == 3


@pytest.mark.parametrize("decorate", [njit, cuda.jit])
def test_how_flags_are_written(decorate):
    def f(x):
        x[0] = 1

    assert decorate(fastmath={"fast"})(f).options.fastmath is True
    assert decorate(fastmath=frozenset(FLAGS))(f).options.fastmath is True
    assert decorate(fastmath={"nsz": True, "afn": False})(f).options.fastmath == ("nsz",)
    assert decorate(fastmath=["reassoc", "nsz"])(f).options.fastmath == ("nsz", "reassoc")
    with pytest.raises(ValueError, match="Unrecognized fastmath flags: quick; there are nnan"):
        decorate(fastmath={"quick"})
    with pytest.raises(ValueError, match="takes a bool, or a set of flags"):
        decorate(fastmath="nsz")


LOOSE = {"reassoc", "nsz"}


def there_and_back(jit, inner, outer):
    """A function and the one that it calls, with these flags; None: nothing is said."""

    @jit(**({} if inner is None else {"fastmath": inner}))
    def called(x, y):
        return (x - y) + y

    @jit(**({} if outer is None else {"fastmath": outer}))
    def caller(x, y):
        return called(x, y), (x - y) + y

    return called, caller


@pytest.mark.parametrize("inner", [None, False, LOOSE])
@pytest.mark.parametrize("outer", [None, False, LOOSE])
def test_called_functions_have_their_own_flags_or_their_callers(inner, outer):
    _, caller = there_and_back(njit, inner, outer)
    found = caller(0.0, math.inf)
    effective = outer if inner is None else inner
    expected = (0.0 if effective else math.nan, 0.0 if outer else math.nan)
    np.testing.assert_equal(found, expected)
    numba = pytest.importorskip("numba")
    np.testing.assert_equal(there_and_back(numba.njit, inner, outer)[1](0.0, math.inf), expected)


def test_changed_flags_of_a_called_function_count_when_its_caller_is_compiled_again():
    called, caller = there_and_back(njit, LOOSE, LOOSE)
    assert caller(0.0, math.inf) == (0.0, 0.0)
    called.targetoptions["fastmath"] = {"nsz"}
    called.recompile()
    caller.recompile()
    np.testing.assert_equal(caller(0.0, math.inf), (math.nan, 0.0))


def test_options_are_told_as_they_were_given():
    assert njit(fastmath=LOOSE)(total).targetoptions["fastmath"] == LOOSE
    assert njit(total).targetoptions["fastmath"] is False


def test_nested_and_library_functions_have_the_flags_of_what_they_are_in():
    @njit(fastmath=LOOSE)
    def nested(x, y):
        def inside(a):
            return (a - y) + y

        return inside(x)

    @njit(fastmath=False)
    def caller(x, y):
        return nested(x, y), (x - y) + y

    np.testing.assert_equal(caller(0.0, math.inf), (0.0, math.nan))
