"""Arrays of datetime64 and timedelta64, with NumPy as the oracle."""

from __future__ import annotations

import datetime
import operator
import pickle

import numpy as np
import pytest

import phalanx as px
from arrays.oracle import check_call, check_error, check_same, layouts, ours, outcome
from phalanx import _engine

UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]
TIMES = [f"{kind}8[{unit}]" for kind in "Mm" for unit in (*UNITS, "25s", "3M", "7D")]
# Each of them with each other: calendar units, multiples, and units too far apart.
PAIRS = ["M8[Y]", "M8[3M]", "M8[D]", "M8[25s]", "M8[ns]", "m8[Y]", "m8[M]", "m8[W]", "m8[7D]",
         "m8[s]", "m8[ms]", "m8[as]", "m8"]  # fmt: skip
NUMBERS = ["bool", "int8", "int64", "uint32", "uint64", "float16", "float32", "float64",
           "complex128"]  # fmt: skip
UNARY = ["positive", "negative", "absolute", "sign", "isnan", "isnat", "isfinite", "isinf",
         "logical_not", "invert", "sqrt", "square", "conjugate", "rint"]  # fmt: skip
BINARY = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "divmod", "fmod",
          "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "maximum",
          "minimum", "fmax", "fmin", "logical_and", "logical_or", "logical_xor", "power",
          "bitwise_and", "copysign"]  # fmt: skip
OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "eq", "ne", "lt", "le", "gt", "ge"]
# From 2.5 on it raises where a count does not fit, and `sign` gives numbers: kernels do not stop.
WRAPS = np.lib.NumpyVersion(np.__version__) < "2.5.0"
pytestmark = [
    pytest.mark.usefixtures("device"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]


def values(dtype, shape=(12,), shift=0):
    """Of a time, with NaT among them; or of numbers, with zeros."""
    dtype = np.dtype(dtype)
    count = np.roll(np.arange(int(np.prod(shape))) * 7 - 30, shift)
    if dtype.kind not in "mM":
        return (count % 5 if dtype.kind in "bu" else count // 4).astype(dtype).reshape(shape)
    if dtype == np.dtype("M8"):
        return np.full(shape, "NaT", dtype)
    made = count.astype(np.int64).view(dtype if dtype != np.dtype("m8") else "m8")
    made[1::5] = "NaT"
    made[3] = 0
    return made.reshape(shape)


def same(call, other):
    """Both calls give the same, or fail with an error of one class."""
    expected, problem = outcome(call)
    actual, error = outcome(other)
    check_error(error, problem)
    if problem is None:
        check_times(actual, expected)


def check_times(actual, expected):
    if isinstance(expected, tuple):
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            check_times(one, other)
    elif getattr(expected, "dtype", np.dtype(bool)).kind in "mM":
        assert isinstance(actual, px.ndarray), type(actual)
        assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
        assert np.array_equal(np.asarray(actual).view("i8"), np.asarray(expected).view("i8"))
    else:
        check_same(actual, expected)


def check(name, *args, **kwargs):
    given = [ours(each) for each in args]
    same(
        lambda: getattr(np, name)(*args, **kwargs),
        lambda: getattr(px, name)(*given, **{key: ours(each) for key, each in kwargs.items()}),
    )


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_time(device, name):
    if name == "sign" and not WRAPS:
        pytest.skip("NumPy 2.5 gives numbers")
    for dtype in (*TIMES, "m8", "M8"):
        check(name, values(dtype))


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_times(device, name):
    for first in PAIRS:
        for second in PAIRS:
            check(name, values(first), values(second, shift=1))


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_times_and_numbers(device, name):
    for time in ("M8[D]", "m8[s]", "m8[M]", "m8"):
        for number in NUMBERS:
            check(name, values(time), values(number, shift=2))
            check(name, values(number, shift=2), values(time))
        for number in (0, 3, -2, 2.5, float("nan"), True, 2j, 2**63, np.timedelta64(5, "m"),
                       np.int16(3), np.float32(0.5)):  # fmt: skip
            if name == "divmod" and type(number) is int and number == 2**63:
                continue  # an OverflowError, which NumPy's TypeError comes before
            check(name, values(time), number)
            check(name, number, values(time))


def test_products_that_no_time_holds(device):
    span = np.array([2**62, -(2**62), 5, "NaT", -(2**63) + 1], "m8[s]")
    for number in (4, 1e30, -1e30, float("inf"), 0.5, 1e-300, 0, -1):
        if WRAPS:
            check("multiply", span, number)
        check("true_divide", span, number)
        check("floor_divide", span, number)
    for other in (-1, 0, 2**62, -3):
        check("floor_divide", span, np.array(other, "m8[s]"))
        check("remainder", span, np.array(other, "m8[s]"))


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(device, name):
    function = getattr(operator, name)
    for first in ("M8[D]", "m8[ms]", "m8[Y]"):
        x = values(first)
        for second in ("M8[h]", "m8[D]", "int64", "float64", "uint64", "complex64"):
            y = values(second, shift=1)
            same(lambda x=x, y=y: function(x, y), lambda x=x, y=y: function(ours(x), ours(y)))
            same(lambda x=x, y=y: function(y, x), lambda x=x, y=y: function(ours(y), ours(x)))
            same(lambda x=x, y=y: function(x, y), lambda x=x, y=y: function(ours(x), y))
        for number in (3, 0.5, np.timedelta64(3, "D"), np.datetime64("2020-01-01")):
            same(lambda x=x, n=number: function(x, n), lambda x=x, n=number: function(ours(x), n))
            if name not in ("eq", "ne"):  # in which NumPy's number makes False of our error
                same(
                    lambda x=x, n=number: function(n, x),
                    lambda x=x, n=number: function(n, ours(x)),
                )


@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod"])
def test_operators_in_place(device, name):
    function = getattr(operator, name)
    for first in ("M8[s]", "m8[D]", "int64", "float64"):
        for second in ("M8[s]", "m8[s]", "int64", "float64"):
            x, y = values(first), values(second, shift=1)
            same(
                lambda x=x, y=y: function(x.copy(), y), lambda x=x, y=y: function(ours(x), ours(y))
            )
    x = px.asarray(np.arange(3).astype("m8[D]"))
    view, kept = x[1:], x * 2
    x += np.timedelta64(30, "h")
    assert view.tolist() == [datetime.timedelta(2), datetime.timedelta(3)]
    assert kept.dtype == x.dtype == np.dtype("m8[D]")


def test_dates_of_the_standard_library(device):
    days = px.asarray(np.array(["2020-02-28", "NaT"], "M8[D]"))
    check_times(days + datetime.timedelta(days=2), np.array(["2020-03-01", "NaT"], "M8[us]"))
    assert (days == datetime.date(2020, 2, 28)).tolist() == [True, False]
    assert (days < datetime.datetime(2020, 2, 29)).tolist() == [True, False]


@pytest.mark.parametrize("dtype", [*TIMES, "m8", "M8"])
def test_casts_between_all_units(device, dtype):
    for shift in (0, 3):
        x = values(dtype, shift=shift)
        for other in (*TIMES, "m8", "M8"):
            for casting in ("unsafe", "same_kind", "safe"):
                if (dtype, other) == ("m8[3M]", "m8[ns]"):
                    continue  # a factor that NumPy computes wrongly, as it wraps around
                same(
                    lambda x=x, to=other, c=casting: x.astype(to, casting=c),
                    lambda x=x, to=other, c=casting: ours(x).astype(to, casting=c),
                )


def test_casts_by_the_calendar(device):
    days = np.concatenate([np.arange(-1500, 1500), np.arange(-800_000, 800_000, 997)])
    days = np.append(days.astype("M8[D]"), np.datetime64("NaT"))
    for unit in ("M", "Y", "3M", "2Y", "W", "h", "25s", "us"):
        check_times(ours(days).astype(f"M8[{unit}]"), days.astype(f"M8[{unit}]"))
        coarse = days.astype(f"M8[{unit}]")
        check_times(ours(coarse).astype("M8[D]"), coarse.astype("M8[D]"))
        check_times(ours(coarse).astype("M8[s]"), coarse.astype("M8[s]"))
    large = np.array([2**62, -(2**62), 2**40, -(2**40)], "M8[s]")
    for unit in ("ns", "ms", "D") if WRAPS else ("D",):
        check_times(ours(large).astype(f"M8[{unit}]"), large.astype(f"M8[{unit}]"))


def test_casts_to_and_from_numbers(device):
    for time in ("M8[D]", "m8[25s]", "m8"):
        for number in (*NUMBERS, "int16", "uint8", "complex64"):
            x, y = values(time), values(number)
            if np.dtype(number).itemsize > 4 or number == "bool":  # of NaT less is by chance
                with np.errstate(all="ignore"):
                    check_times(ours(x).astype(number), x.astype(number))
            check_times(ours(y).astype(time), y.astype(time))
    floats = np.array([5.9, -5.9, np.nan, np.inf, 1e30, -1e30])
    check_times(ours(floats).astype("m8[s]"), floats.astype("m8[s]"))


def test_layouts_and_shapes(device):
    for dtype in ("M8[D]", "m8[ms]"):
        x = values(dtype, (4, 6))
        for _, one in layouts(x):
            check("subtract", one, x[::-1])
            check("maximum", one, x[0])
            check("less", one, x[:, :1])
        check("negative", values("m8[s]")[3])
        check("add", np.zeros((0, 3), "m8[s]"), np.zeros(3, "m8[D]"))
        check("isnat", np.zeros((0, 3), dtype))


def test_expressions_are_one_kernel(device):
    start = px.asarray(np.arange(100_000).astype("M8[D]"))
    span = px.asarray(np.arange(100_000).astype("m8[h]"))
    before = _engine.array_statistics()["kernels"]
    late = px.where(start + 2 * span > np.datetime64("2100-01-01"), start, start - span)
    late._evaluate()
    assert _engine.array_statistics()["kernels"] == before + 1
    host, spans = np.asarray(start), np.asarray(span)
    wanted = np.where(host + 2 * spans > np.datetime64("2100-01-01"), host, host - spans)
    check_times(late, wanted)


@pytest.mark.parametrize(
    "name",
    ["sum", "prod", "mean", "var", "std", "min", "max", "argmin", "argmax", "any", "all", "ptp",
     "median", "nansum", "nanmin", "nanmax", "nanmean", "cumsum", "count_nonzero", "sort",
     "unique", "nonzero", "diff", "ravel", "round", "real", "imag", "nan_to_num",
     "trim_zeros", "flatnonzero", "isposinf", "nanargmin"],
)  # fmt: skip
def test_functions_of_one_array(device, name):
    for dtype in ("M8[D]", "m8[ms]", "m8[Y]"):
        for x in (values(dtype, (40,)), values(dtype, (40,))[2:5], values(dtype, (40,))[1:2]):
            check(name, x)
            check("argsort", x, stable=True)


@pytest.mark.parametrize("name", ["sum", "min", "max", "argmin", "argmax", "mean", "any", "sort"])
def test_reductions_along_axes(device, name):
    for dtype in ("M8[D]", "m8[ms]"):
        x = values(dtype, (6, 7, 8))
        for axis in (0, 1, -1):
            check(name, x, axis=axis)
            check(name, x[:, 2:3, 3:4], axis=axis)
        if name not in ("argmin", "argmax", "sort"):
            check(name, x, axis=(0, 2))
            check(name, x, keepdims=True)
            more = {"initial": x[0, 0, 0]} if name in ("min", "max") else {}
            check(name, x, where=~np.isnat(x), **more)
    large = np.arange(300_000).astype("m8[s]")
    check(name, large)
    large[123_456] = "NaT"
    check(name, large)
    check(name, np.zeros(0, "m8[s]"))


def test_options_of_reductions(device):
    x = values("m8[D]", (4, 5))
    start = np.timedelta64(1, "D")
    for name in ("add", "maximum", "fmax", "minimum", "multiply"):
        for options in ({}, {"axis": 1}, {"initial": start}, {"dtype": "m8[s]"}):
            same(
                lambda n=name, o=options: getattr(np, n).reduce(x, **o),
                lambda n=name, o=options: getattr(px, n).reduce(ours(x), **o),
            )
        same(
            lambda n=name: getattr(np, n).accumulate(x, 1),
            lambda n=name: getattr(px, n).accumulate(ours(x), 1),
        )
        same(
            lambda n=name: getattr(np, n).outer(x, x[0]),
            lambda n=name: getattr(px, n).outer(ours(x), ours(x[0])),
        )


def test_out_where_and_dtype(device):
    x, y = values("M8[D]"), values("m8[s]", shift=1)
    mask = values("bool")
    for out_dtype in ("M8[D]", "M8[ms]", "m8[s]", "int64", "float64"):
        expected, actual = np.zeros(12, out_dtype), px.zeros(12, out_dtype)
        for where in (True, mask):
            same(
                lambda e=expected, w=where: np.add(x, y, out=e, where=w),
                lambda a=actual, w=where: px.add(ours(x), ours(y), out=a, where=ours(w)),
            )
    for dtype in ("M8[ns]", "M8", np.datetime64, "m8"):
        check("add", x, y, dtype=dtype)
        check("add", y, y, dtype=dtype)


def test_functions_of_two_arrays(device):
    x, y = values("M8[D]"), values("M8[h]", shift=3)
    m, n = values("m8[D]"), values("m8[s]", shift=3)
    mask = values("bool")
    for first, second in ((x, y), (m, n), (x, m), (m, 3), (m, values("int64")), (x, 3), (m, 0.5)):
        check("where", mask, first, second)
    for parts in ([x, y], [m, n], [x, m], [m, values("int64")], [x, values("int64")]):
        check("concatenate", parts)
        check("stack", parts)
    check("searchsorted", np.sort(x), y)
    check("isin", x, y)
    check("union1d", x, x[:3])
    check("array_equal", x, x)
    check("array_equal", m, m, equal_nan=True)
    check("isclose", m, n)
    check("isclose", m, n, atol=np.timedelta64(3, "h"))
    check("clip", m, np.timedelta64(-40, "h"), np.timedelta64(2, "D"))
    check("clip", x, x[2], x[5])
    check("result_type", np.dtype("M8[D]"), np.dtype("m8[s]"))
    check("promote_types", "m8[D]", "m8[7h]")
    check("can_cast", "m8[s]", "m8[ms]")
    check("busday_count", x[2:3], x[5:6])
    check("is_busday", x)
    check("busday_offset", np.array(["2020-01-04"], "M8[D]"), 2, roll="forward")
    assert px.datetime_as_string(px.asarray(x[2:3]))[0] == np.datetime_as_string(x[2:3])[0]


@pytest.mark.parametrize(
    "args",
    [
        ("2020-01", "2021-01"),
        (np.datetime64("2020-01-01"), np.datetime64("2020-03-01")),
        (np.datetime64("2020-01-01"), np.datetime64("2020-01-05"), np.timedelta64(12, "h")),
        (np.timedelta64(5, "s"),),
        (3, np.timedelta64(9, "s")),
        (10,),
    ],
)
def test_ranges(device, args):
    for dtype in (None, "M8[M]", "m8[s]"):
        check("arange", *args, dtype=dtype)


def test_creation(device):
    for given, dtype in (
        (["2020-01-01", "NaT"], "M8[D]"),
        (["2020-01-01", "2020-01-01T05"], "M8"),
        ([np.datetime64("2020"), np.datetime64("2020-05-05")], None),
        ([np.timedelta64(5, "s"), np.timedelta64(2, "h")], None),
        ([1, 2], "m8[25s]"),
        (np.datetime64("NaT"), None),
        ([datetime.date(2020, 1, 1)], "M8[D]"),
        (["x"], "M8[D]"),
        (np.arange(3), "m8[s]"),
        (np.arange(3).astype("M8[s]"), "M8[D]"),
    ):
        same(lambda g=given, d=dtype: np.asarray(g, d), lambda g=given, d=dtype: px.asarray(g, d))
        same(lambda g=given, d=dtype: np.array(g, d), lambda g=given, d=dtype: px.array(g, d))
    assert px.asarray(np.arange(3).astype(">M8[s]")).dtype == np.dtype("M8[s]")
    for fill in (0, 5, "NaT", np.datetime64("2020-01-01"), None, 2.5):
        check("full", (2, 3), fill, "M8[D]")
    for name in ("zeros", "ones", "empty"):
        assert getattr(px, name)(3, "m8[ms]").dtype == np.dtype("m8[ms]")
    check("ones", 3, "M8[D]")
    check("eye", 3, dtype="m8[s]")
    check("full_like", values("m8[D]"), np.timedelta64(2, "D"))
    check("zeros_like", values("M8[D]"))
    check("repeat", values("M8[D]"), 2)
    check("tile", values("M8[D]"), 2)
    check("pad", values("m8[D]"), 2)


def test_indexing_and_assignment(device):
    for key, value in (
        (0, "2020-01-01"), (0, "2020-01-01T05"), (1, 5), (slice(2, 5), np.datetime64("2020-05-05")),
        (slice(None), np.arange(12)), (slice(None), values("M8[s]")), (3, None), (3, "x"), (3, 2.5),
        ([1, 2], np.array(["NaT", "2020"], "M8[Y]")), (slice(0, 2), [1, 2]),
        (np.arange(12) % 2 == 0, np.datetime64("NaT")), (4, np.datetime64("2020-01-01T05")),
        (4, datetime.date(2020, 1, 1)), (slice(0, 2), ["2020", "NaT"]),
    ):  # fmt: skip
        x, y = values("M8[D]"), ours(values("M8[D]"))
        _, problem = outcome(lambda x=x, k=key, v=value: operator.setitem(x, k, v))
        _, error = outcome(lambda y=y, k=key, v=value: operator.setitem(y, k, ours(v)))
        check_error(error, problem)
        check_times(y, x)
    x = values("M8[D]", (4, 3))
    for key in (0, (1, 2), slice(1, 3), [2, 0], (slice(None), 1), x > np.datetime64("1970"), -1):
        same(lambda k=key: x[k], lambda k=key: ours(x)[ours(k)])
    y = ours(x)
    view, before = y[1], y + np.timedelta64(1, "D")
    y[1, 1] = "2020-01-01"
    assert view[1].item() == datetime.date(2020, 1, 1)
    check_times(before, x + np.timedelta64(1, "D"))
    with pytest.raises(IndexError):
        ours(np.arange(12))[ours(values("m8[s]")[2:3])]


def test_masks_and_indices_of_many(device):
    x = values("M8[s]", (90_000,))
    mask, places = np.arange(len(x)) % 3 == 0, np.arange(0, len(x), 7)
    for key in (mask, places):
        check_times(ours(x)[ours(key)], x[key])
    check("nonzero", x)
    made, changed = ours(x), x.copy()
    made[ours(mask)] = changed[mask] = np.datetime64("2020-01-01T05")
    check_times(made, changed)


def test_a_cast_that_changes_the_unit_alone_is_a_copy(device):
    x = px.asarray(np.arange(3).astype("m8"))
    for to in ("m8[s]", "m8", "M8[s]"):
        made = x.astype(to)
        made[0] = 7
        assert x.astype("int64").tolist() == [0, 1, 2]
    x = px.asarray(np.arange(3).astype("m8[s]"))
    made = x.astype("m8")
    assert made.dtype == x.dtype
    made[0] = 7
    assert x.astype("int64").tolist() == [0, 1, 2]


def test_as_python_and_numpy(device):
    for dtype in ("M8[D]", "M8[ns]", "m8[s]", "m8[25s]", "m8"):
        x = values(dtype)
        made = ours(x)
        assert repr(made) == repr(x) and str(made) == str(x)
        assert made.dtype == x.dtype and made.itemsize == 8 and made.nbytes == x.nbytes
        assert made.tolist() == x.tolist() and made[2].item() == x[2].item()
        assert made.tobytes() == x.tobytes()
        host = np.asarray(made)
        assert host.dtype == x.dtype and np.array_equal(host.view("i8"), x.view("i8"))
        check_times(pickle.loads(pickle.dumps(made)), x)
        check_times(made.view("int64"), x.view("int64"))
        check_times(made.view("int64").view(dtype), x)
        assert bool(made[2]) and str(made[1]) == str(x[1])
        with pytest.raises(BufferError):
            made.__dlpack__()
        with pytest.raises(ValueError if device == "cpu" else BufferError):
            memoryview(made)
        check_times(np.add(made, np.timedelta64(1)), x + np.timedelta64(1))


def test_writes_are_seen_by_both(device):
    host = np.arange(4).astype("M8[D]")
    made = px.asarray(host)
    made[1] = "2020-01-01"
    if device == "cpu":
        assert host[1] == np.datetime64("2020-01-01")
        host[2] = "NaT"
        assert px.isnat(made).tolist() == [False, False, True, False]
    made += np.timedelta64(1, "D")
    assert np.asarray(made)[0] == np.datetime64("1970-01-02")


def test_errors_that_stay(device):
    for given in (["a"], [object()], np.array(["a"]), np.zeros(2, "i4,f4")):
        with pytest.raises(TypeError, match="are not supported"):
            px.asarray(given)
    with pytest.raises(TypeError, match="cannot use operands"):
        px.asarray(values("M8[D]")) + px.asarray(values("M8[D]"))


def test_times_of_kernels(device):
    """An array of times is an argument of kernels, and what they write is one of times."""
    x = px.asarray(values("M8[D]"))
    memory = x._evaluate()
    assert memory.typestr == "<M8[D]"
    made = px.asarray(np.arange(5).astype("m8[s]")) * 3
    assert made._evaluate().typestr == "<m8[s]"


def test_names_and_loops(device):
    assert px.datetime64 is np.datetime64 and px.timedelta64 is np.timedelta64
    assert {"Mm->M", "mm->m"} <= set(px.add.types) and "mm->qm" in px.divmod.types
    check_call("isnat", np.arange(3))
