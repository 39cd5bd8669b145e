"""What CPU functions return, compared with Python and with what Numba documents."""

from __future__ import annotations

import math

import numpy as np
import pytest
from phalanx.errors import CompileError

import phalanx
from phalanx import njit

A = np.random.default_rng(3).random(12)
M = A.reshape(3, 4)
CUBE = np.arange(24.0).reshape(2, 3, 4)


@njit
def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


@njit
def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@njit
def first(n, x):
    if n <= 0:
        return x
    return second(n - 1, x * 2)


@njit
def second(n, x):
    if n <= 0:
        return x + 0.5
    return third(n - 2, x) + first(n - 1, x)


@njit
def third(n, x):
    if n < 1:
        return 3
    return second(n - 1, x) + third(n - 1, x)


@njit
def calls_both():
    return is_even(10), is_odd(7), is_even(3), third(6, 2)


def in_python(function, *arguments):
    """What Python computes, with the undecorated functions."""
    plain = {
        each.py_func.__name__: each.py_func for each in (is_even, is_odd, first, second, third)
    }
    saved = {name: globals()[name] for name in plain}
    globals().update(plain)
    try:
        return function.py_func(*arguments)
    finally:
        globals().update(saved)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (is_even, (9,)),
        (is_odd, (9,)),
        (first, (6, 1)),
        (second, (6, 1.5)),
        (third, (6, 2)),
        (calls_both, ()),
    ],
)
def test_functions_that_call_each_other(function, arguments):
    assert function(*arguments) == in_python(function, *arguments)


@njit
def endless_a(n):
    return endless_b(n)


@njit
def endless_b(n):
    return endless_a(n)


def test_functions_that_only_call_each_other_have_no_type():
    with pytest.raises(CompileError, match="runaway recursion"):
        endless_a(3)


@njit  # noqa: RET503
def found_behind(a, limit):
    for i in range(len(a)):
        if a[i] > limit:
            return a[i:]


@njit  # noqa: RET503
def pair_or_none(n):
    if n == 1:
        return 1, 2.5
    if n == 2:
        return None
    if n == 3:
        pass


@njit
def takes_a_pair(n):
    return pair_or_none(n)[1]


def test_none_comes_back_beside_values():
    assert found_behind(A, 5.0) is None
    assert np.array_equal(found_behind(A, 0.5), A[np.argmax(A > 0.5) :])
    assert [pair_or_none(n) for n in (1, 2, 3)] == [(1, 2.5), None, None]


def test_none_inside_of_compiled_code_raises():
    assert takes_a_pair(1) == 2.5
    with pytest.raises(TypeError, match="returns None here"):
        takes_a_pair(2)


def test_rounding_functions_give_integers():
    rounded = njit(lambda x: (math.floor(x), math.ceil(x), math.trunc(x)))
    for value in (3.7, -3.7, np.float32(2.5), 3, np.uint64(2**63)):
        found = rounded(value)
        plain = value.item() if isinstance(value, np.generic) else value
        assert found == (math.floor(plain), math.ceil(plain), math.trunc(plain))
        assert all(type(each) is int for each in found)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_unsigned_numbers_wrap_around_before_they_widen(dtype):
    a = np.array([200], dtype)
    negative = njit(lambda a: (-a[0], ~a[0]))
    assert negative(a) == (int((-a)[0]), int((~a)[0]))


def test_reciprocals_of_integers():
    a = np.array([100, -128, -2, -1, 1], np.int8)
    assert np.array_equal(njit(lambda a: np.reciprocal(a))(a), np.reciprocal(a))


ROWS = [
    (lambda a: np.clip(a, 0, 100), np.array([-5, 7, 120], np.int8)),
    (lambda a: np.clip(a, 3, 100), np.array([0, 7, 2**64 - 1], np.uint64)),
    (lambda a: (a + 1, np.sin(a), a > 3, -a), np.array(3.5)),
    (lambda a: a * np.ones(3), np.array(3.5)),
    (lambda a: (0.5 in a, a[2] in a, 0.5 not in a), A),
    (lambda a: (a[1, 2] in a, a.real), M),
    (lambda: (ord("a"), ord(" "))),
    (lambda a: np.array(2.5) + a, A),
    (lambda a: np.asarray(3), A),
    # dimensions
    (lambda a: (a.transpose(1, 0), np.transpose(a, (0, 1)), np.transpose(a)), M),
    (lambda a: (a.transpose(2, 0, 1), a.transpose((2, 1, 0)), a.transpose(0, -1, 1)), CUBE),
    (lambda a: a.transpose(2, 0, 1).sum(axis=0), CUBE),
    (lambda a: (np.swapaxes(a, 0, 2), a.swapaxes(-1, 1), np.moveaxis(a, 0, -1)), CUBE),
    (lambda a: (np.asfortranarray(a), np.ravel(a), np.atleast_3d(a), np.dstack((a, a))), M),
    (lambda a: np.broadcast_to(a, (3, 12)), A),
    (lambda a: np.column_stack((np.ones(3), a, a[:, 0], a[::1])), M),
    (lambda a: np.diagflat(a), A),
    (lambda: (np.indices((2, 3)), np.indices((4,)), np.indices((2, 1, 2)))),
    # sums along an axis
    (lambda a: (np.cumsum(a, axis=0), np.cumsum(a, axis=1), a.cumprod(-1), np.cumsum(a)), M),
    (lambda a: (np.nancumsum(a), np.nancumprod(a)), np.array([1.0, np.nan, 3.0])),
    (lambda a: (np.nanargmax(a), np.nanargmin(a)), np.array([1.0, np.nan, 3.0])),
    (lambda a: (np.nanargmax(a), np.nanargmin(a)), np.array([2**53, 2**53 + 1, 2**53 - 1])),
    (lambda a: (np.isreal(a[0]), np.iscomplex(a[0])), np.array([np.nan])),
    (lambda a: np.clip(a, np.array([200, 0, 0]), 300), np.array([-5, 7, 120], np.int8)),
    (lambda a: a.argsort(), M),
    (lambda a: (np.percentile(a, [10, 50]), np.quantile(a, (0.1, 0.9))), A),
    (lambda a: np.searchsorted(a, [0.1, 0.5]), np.sort(A)),
    # chosen and joined
    (lambda a: np.select([a > 0.5, a > 0.3], [a, -a], 0.5), A),
    (lambda a: np.select((a > 0.5, a > 0.3), (a, -a)), M),
    (lambda a, b: (np.union1d(a, b), np.intersect1d(a, b)), A[:8], A[4:]),
    (lambda a, b: (np.setdiff1d(a, b), np.setxor1d(a, b)), A[:8], A[4:]),
    (lambda a: (np.insert(a, 2, 5.0), np.insert(a, -1, 5.0)), A),
    (lambda a: np.trim_zeros(a), np.array([0, 0, 1, 0, 2, 0])),
    # kinds
    (lambda a: (np.iscomplexobj(a), np.isrealobj(a), np.isreal(a), np.isscalar(a)), A),
    (lambda a: (np.isreal(a), np.iscomplex(a)), A + 1j * (A > 0.5)),
    (lambda a: (np.isneginf(a), np.isposinf(a)), np.array([-np.inf, np.nan, np.inf, 1])),
    (lambda a: np.divmod(a, 0.3), A),
    # windows
    (lambda n: (np.hanning(n), np.hamming(n), np.blackman(n), np.bartlett(n)), 7),
    (lambda n: (np.hanning(n), np.hamming(n), np.blackman(n), np.bartlett(n)), 1),
    (lambda n: (np.kaiser(n, 2.5), np.kaiser(n, 14)), 9),
    (lambda a: (np.sinc(a - a[3]), np.sinc(0.0), np.unwrap(a * 30)), A),
]


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("row", ROWS)
def test_functions_match_numpy(row, parallel):
    function, *arguments = row if isinstance(row, tuple) else (row,)
    found = njit(parallel=parallel)(function)(*arguments)
    expected = function(*arguments)
    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert np.shape(one) == np.shape(other)
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_sums_in_another_type():
    total = njit(lambda a: (a.sum(dtype=np.float32), np.sum(a, dtype=np.int64)))
    assert total(A * 10) == (pytest.approx(A.sum() * 10, rel=1e-6), int(np.sum(np.trunc(A * 10))))


@njit
def unpacks(a):
    x, y, z = a[:3]
    first_row, last_row = a.reshape(2, 6)
    return x + y * z, first_row[0] - last_row[5]


@njit
def sets_rows(rows, a):
    rows[0] = a[0], a[1]
    rows[1, :] = (1, 2)
    rows[2:] = ((a[2], 3), (4, 5))
    rows[0] = rows[0, 1], rows[0, 0]
    return rows


@njit
def sets_too_many(rows, a):
    rows[0] = a[0], a[1], a[2]


def test_arrays_and_tuples_take_each_other():
    assert unpacks(A) == (A[0] + A[1] * A[2], A[0] - A[11])
    expected = sets_rows.py_func(np.zeros((4, 2)), A)
    assert np.array_equal(sets_rows(np.zeros((4, 2)), A), expected)
    with pytest.raises(ValueError, match="names"):
        njit(lambda a: unpacks(a))(A[:2])
    with pytest.raises(ValueError, match="number"):
        sets_too_many(np.zeros((4, 2)), A)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda a: a.transpose(0, 0), "each dimension"),
        (lambda a: np.left_shift(a, 1), "numpy.left_shift cannot be called"),
        (lambda a: ord("ab"), "one ASCII character"),
        (lambda a: np.emath.sqrt(a), "scimath.*cannot be called"),
        (lambda a: np.fft.fft(a), r"fft\.fft cannot be called.*\nWrite it as a loop"),
        (lambda a: sorted(a), "Sort an array"),
        (lambda a: np.random.gamma(2.0), r"cannot use numpy\.random\.gamma"),  # noqa: NPY002
        (lambda a: a[slice(0, 2)], "a.begin:end"),
        (lambda a: a >> 2, "astype"),
    ],
)
def test_what_cannot_be_is_refused_with_the_line(function, text):
    with pytest.raises(CompileError, match=text) as caught:
        njit(function)(M)
    assert "test_functions_as_numba.py:" in str(caught.value)
    assert "^^^" in str(caught.value)


def test_masked_arrays_are_refused():
    with pytest.raises(TypeError, match="masked array"):
        njit(lambda a: a.sum())(np.ma.array([1, 2], mask=[True, False]))
    assert njit(lambda a: a.sum())(np.array([1, 2]).view(np.recarray)) == 3


def first_is_declared(x):
    total = 0.0
    for each in x:
        total += each
    return total


def later_is_wider(x, n):
    total = 0.0
    if n > 0:
        total = x[0] * 2.0
    return total


def counted(n):
    count = 0
    count += n
    return count


def of_an_argument(n):
    m = n
    n = m + 0.7
    return n, m


def of_a_flag(x):
    flag = x > 0
    both = flag
    return both, flag


SINGLES = np.array([0.1, 0.2], np.float32)
DECLARED = [
    (first_is_declared, {"total": "float32"}, (SINGLES,)),
    (first_is_declared, {"total": "float32"}, (SINGLES.astype(np.float64),)),
    (later_is_wider, {"total": "float32"}, (SINGLES, 1)),
    (later_is_wider, {"total": "complex128"}, (SINGLES, 0)),
    (counted, {"count": "int16"}, (70000,)),
    (counted, {"count": "uint8"}, (np.uint8(200),)),
    (of_an_argument, {"m": "float32"}, (3,)),
    (of_a_flag, {"flag": "boolean", "both": "int8"}, (3.0,)),
]


def of_a_pair(n):
    y = (n, n / 2)
    return y  # noqa: RET504


def of_one_value(n):
    y = n
    return y  # noqa: RET504


@pytest.mark.parametrize(("function", "types", "arguments"), DECLARED)
def test_locals_have_declared_types(function, types, arguments):
    numba = pytest.importorskip("numba")
    ours = {name: getattr(phalanx.types, type_) for name, type_ in types.items()}
    theirs = {name: getattr(numba, type_) for name, type_ in types.items()}
    compiled, expected = njit(locals=ours)(function), numba.njit(locals=theirs)(function)
    np.testing.assert_equal(compiled(*arguments), expected(*arguments))
    found = str(compiled.nopython_signatures[0].return_type).replace("bool", "boolean")
    assert found == str(expected.nopython_signatures[0].return_type).replace("bool", "boolean")

    # The same where another function calls it.
    def outer(*given):
        return compiled(*given)

    np.testing.assert_equal(njit(outer)(*arguments), expected(*arguments))


def test_locals_have_declared_types_other_than_numbers():
    types = phalanx.types
    pair = njit(locals={"y": types.UniTuple(types.float32, 2)})(of_a_pair)
    assert str(pair(3)) == "(3.0, 1.5)"
    assert str(pair.nopython_signatures[0].return_type) == "UniTuple(float32 x 2)"
    view = njit(locals={"y": types.float64[:]})(of_one_value)
    assert view(np.arange(6.0)[::2]).tolist() == [0.0, 2.0, 4.0]
    for declared, given in (
        (types.float64, np.arange(3)),
        (types.float64, None),
        (types.float64, "text"),
        (types.float64[:], np.arange(3)),
        (types.float64[:], 3),
        (types.UniTuple(types.float32, 2), 3),
    ):
        function = njit(locals={"y": declared})(of_one_value)
        with pytest.raises(phalanx.errors.TypingError, match=r"value of y is .* does not convert"):
            function(given)


def test_wrong_locals_are_refused():
    with pytest.raises(TypeError, match="locals= takes types: total is 'thing'"):
        njit(locals={"total": "thing"})(first_is_declared)
    for given in ({1: phalanx.types.int32}, {"a": phalanx.types.int32, 1: phalanx.types.int32}):
        with pytest.raises(TypeError, match="locals= takes names with their types"):
            njit(locals=given)(first_is_declared)
    with pytest.raises(TypeError, match="locals= takes a dictionary of names with their types"):
        njit(locals=5)(first_is_declared)
