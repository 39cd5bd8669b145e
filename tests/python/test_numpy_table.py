"""Every NumPy name of functions, over dtypes, dimensions, layouts and values, against NumPy.

The table is in `numpy_table`; this runs the sample of it that `sampled_cells` chooses, and
`make numpy-table` all of it.
"""

import re

import numpy as np
import pytest
from from_text import function_with
from numpy_table.cells import TABLE, sampled_cells
from numpy_table.check import kernel_problems, problems
from numpy_table.compare import difference
from numpy_table.differences import LISTED
from numpy_table.offered import functions, functions_in_table, members, members_in_table
from numpy_table.rows import REDUCTIONS

import phalanx
from phalanx import cuda, njit


def test_every_offered_function_is_in_the_table():
    assert functions() - functions_in_table() == set()


def test_every_offered_member_of_arrays_is_in_the_table():
    assert members() - members_in_table() == set()


def test_each_listed_difference_is_of_a_name_in_the_table():
    names = {row.name for row in TABLE}
    for each in LISTED:
        assert each.reason and any(re.fullmatch(each.names, name) for name in names), each


@pytest.mark.parametrize("name", sorted({row.name for row in TABLE}))
def test_as_numpy(name):
    found = [
        str(problem)
        for row in TABLE
        if row.name == name
        for cell in sampled_cells(row)
        for problem in problems(cell)
    ]
    assert not found, "\n".join(found[:10])


@pytest.mark.parametrize("name", sorted({row.name for row in REDUCTIONS}))
def test_reductions_in_kernels(name):
    rows = [row for row in REDUCTIONS if row.name == name]
    cells = [cell for row in rows for cell in sampled_cells(row)[:8]]
    found = [str(problem) for cell in cells for problem in kernel_problems(cell)]
    assert not found, "\n".join(found[:10])


CUBE = np.arange(24.0).reshape(2, 3, 4)
WITH_NAN = np.array([[1.0, np.nan], [2.0, 3.0]])

# What was wrong once, whatever the sample has.
CALLS = [
    ("np.expand_dims(a, 1), np.expand_dims(a, -2)", np.zeros((5, 6))),
    ("np.flip(a), np.diff(a), np.tril(a), np.triu(a)", CUBE**2),
    ("np.nonzero(a), np.where(a > 1), np.argwhere(a)", CUBE % 3),
    ("np.cov(a), np.corrcoef(a)", np.array([[1 + 2j, 3 - 1j, 0.5j], [1j, 2 - 2j, 3]])),
    ("np.unique(a), np.union1d(a, a)", np.array([1.0, np.nan, 3.0, np.nan, 3.0])),
    ("np.vander(a, 3)", np.array([100, -43], np.int8)),
    ("np.unwrap(a)", np.array([1.0, 9.0, np.nan, 2.0, 30.0])),
    ("np.unwrap(a, 1.0), np.unwrap(a, 8.0), np.unwrap(a, period=4)", np.array([3.0, 12, 6, 9])),
    ("np.mean(a), a.mean()", np.full(3, 60000, np.float16)),
    ("np.linalg.norm(a, 1), np.linalg.norm(a, np.inf), np.linalg.norm(a[0], np.inf)", WITH_NAN),
    ("np.linalg.norm(a, 2), np.linalg.norm(a, 'fro')", CUBE[0]),
    ("np.linalg.norm(a), np.linalg.norm(a.reshape(2, 2))", np.array([2**63 - 1, 0, -(2**63), 1])),
    ("np.linalg.norm(a), np.linalg.norm(a, 2)", np.array([1 + 2j, 3 - 1j, 0.5j])),
    ("np.linalg.cond(a)", np.zeros((2, 2))),
    ("np.nanmean(a), np.nanvar(a)", np.zeros(0)),
    ("np.select([a > 2], [a], 0)", np.arange(4, dtype=np.float32)),
    ("np.reciprocal(a)", np.array([0, 1, 2])),
    ("np.dot(a, a), np.vdot(a, a)", np.array([200, 3], np.uint8)),
    ("np.clip(a, 0, 3), np.clip(a, None, 3.0)", np.array([-0.0, 0.0, -1.0, 5.0, np.nan])),
    ("np.clip(a, a[1], a[::-1])", np.array([2 - 1j, complex(1, np.nan), 0j, 1j])),
    ("np.trace(a)", np.full((3, 3), 100, np.int8)),
    ("np.isclose(a, a[::-1], 0.0, 3.0)", np.array([1, 3, 250], np.uint8)),
    ("np.linalg.inv(a)", np.eye(2, dtype=np.int8) * 3),
    ("np.cov(a), np.cov(a, a[::-1])", np.array([0.1, 0.2, 7.3], np.float32)),
    ("np.vdot(a, a), np.vdot(a, ~a)", np.array([True, False, True])),
    (
        "np.power(a, a[::-1]), np.power(a * 0, a), np.float_power(a * 0, a), (a * 0) ** a",
        np.array([0j, 1j, 2 - 1j, -1, 2, -2 + 1j]),
    ),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("call", "a"), CALLS)
def test_calls_that_were_wrong(call, a):
    function = function_with(f"return {call}", "a", np=np)
    assert difference(njit(function)(a.copy()), function(a.copy())) == ""


@pytest.mark.parametrize("dtype", ["int32", "float64", "complex64"])
def test_no_bounds_at_all_raise(dtype):
    with pytest.raises(ValueError, match="max or min"):
        njit(function_with("return np.clip(a, None, None)", "a", np=np))(np.zeros(3, dtype))


@pytest.mark.parametrize("name", ["nanmin", "nanmax", "min", "max"])
def test_the_least_of_nothing_raises(name):
    with pytest.raises(ValueError, match="zero-size array"):
        njit(function_with(f"return np.{name}(a)", "a", np=np))(np.zeros(0))


RANGES = [
    ("np.histogram(a, 3)", [1.0, np.nan]),
    ("np.histogram(a, 3)", [np.nan, 1.0]),
    ("np.histogram(a)", [-np.inf, 2.0]),
    ("np.histogram(a, 3, (0.0, np.inf))", [1.0, 2.0]),
    ("np.histogram(a, 3, (2.0, 1.0))", [1.0, 2.0]),
    ("np.histogram(a, 0)", [1.0, 2.0]),
    ("np.histogram(a, 3)", [1e300, 1e300]),
    ("np.histogram(a.astype(np.int64), 3)", [2.0**62, 2.0**62]),
    ("np.histogram(a, np.array([0.0, 2.0, 1.0]))", [1.0, 2.0]),
]


@pytest.mark.parametrize(("call", "values"), RANGES)
def test_bins_that_have_no_range_raise(call, values):
    function = function_with(f"return {call}", "a", np=np)
    for each in (function, njit(function)):
        with pytest.raises(ValueError, match=r"range|bins?\b"):
            each(np.array(values))


def test_a_corner_is_set_in_every_dimension():
    fill = function_with("np.fill_diagonal(a, 1.0)\nreturn a", "a", np=np)
    for shape in ((3, 3, 3), (2, 2, 2, 2), (4, 3)):
        np.testing.assert_array_equal(njit(fill)(np.zeros(shape)), fill(np.zeros(shape)))


REFUSED = [
    ("np.nan_to_num(a, copy=False)", np.zeros(3)),
    ("np.diagonal(a)", CUBE),
    ("np.dot(a, a)", CUBE),
    ("np.convolve(a, a)", CUBE),
    ("np.gcd(a[0, 0, 0], 2.0)", CUBE),
    ("np.divide(a, 2, a.astype(np.int64))", CUBE),
    ("np.flip(a, 3)", CUBE),
    ("np.sort(a, axis=0)", CUBE),
]


@pytest.mark.parametrize(("call", "a"), REFUSED)
def test_what_is_not_offered_is_a_compile_error(call, a):
    with pytest.raises(phalanx.CompileError) as caught:
        njit(function_with(f"return {call}", "a", np=np))(a)
    assert "Register one with overload" not in str(caught.value)


def test_an_axis_in_a_kernel_is_refused_by_its_name():
    @cuda.jit
    def kernel(a):
        a[0] = a.sum(axis=0)

    with pytest.raises(phalanx.CompileError, match="axis"):
        kernel[1, 1](np.zeros(3))


def test_memory_that_there_is_not_is_told():
    with pytest.raises(MemoryError, match="unable to allocate"):
        njit(function_with("return np.zeros(n)", "n", np=np))(10**15)
