"""NumPy's functions called with our arrays, dtypes, and what the Array API asks of a module."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.lib.recfunctions import unstructured_to_structured

import phalanx as px
from arrays.math_table import DTYPES, agree, ours, sample

pytestmark = pytest.mark.usefixtures("device")


def test_numpys_ufuncs_come_to_ours(device):
    x = sample("float32", (3, 4), is_special=False)
    for call in (
        lambda a: np.sin(a),
        lambda a: np.add(a, 1),
        lambda a: np.add(x, a),
        lambda a: np.add.reduce(a, axis=1),
        lambda a: np.bitwise_or.reduce(a > 0, axis=None),
        lambda a: np.add.accumulate(a),
        lambda a: np.add.reduceat(a, [0, 2]),
        lambda a: np.multiply.outer(a, a[0]),
        lambda a: np.divmod(a, 2),
        lambda a: np.add(a, 1, dtype="float64"),
        lambda a: np.add(a, 1, where=a > 0, out=a * 0),
        lambda a: np.add.reduce(a, axis=0, out=a[0] * 0),
        lambda a: np.matmul(a, x.T),
        lambda a: np.float64(2) * a,
        lambda a: x - a,
        lambda a: x < a,
    ):
        agree(call(ours(x)), call(x))


def test_out_of_numpys_ufuncs(device):
    x = px.asarray(np.ones(3))
    out = px.asarray(np.zeros(3))
    assert np.add(x, 1, out=out) is out
    agree(out, np.full(3, 2.0))
    theirs = np.zeros(3)
    assert np.add(x, 1, out=theirs) is theirs
    theirs += x
    assert theirs.tolist() == [3, 3, 3]
    np.add.at(out, [0, 0], 1)
    agree(out, np.array([4.0, 2, 2]))


def test_numpys_functions_come_to_ours(device):
    x = sample("float32", (3, 4), is_special=False)
    for call in (
        lambda a: np.sum(a, axis=0),
        lambda a: np.mean(a, axis=1, keepdims=True),
        lambda a: np.clip(a, 0, 1),
        lambda a: np.where(a > 0, a, 0),
        lambda a: np.sort(a),
        lambda a: np.std(a, ddof=1),
        lambda a: np.quantile(a, 0.3),
        lambda a: np.tensordot(a, x.T, 1),
        lambda a: np.cumsum(a),
    ):
        made = call(ours(x))
        agree(made if isinstance(made, px.ndarray) else px.asarray(made), call(x))


def test_what_has_no_counterpart_is_named():
    with pytest.raises(TypeError, match=r"unstructured_to_structured has no counterpart"):
        unstructured_to_structured(px.asarray(np.ones(2)))


def test_others_decide_with_their_own_ufuncs():
    class Theirs:
        def __array_ufunc__(self, *args, **kwargs):
            return "theirs"

        def __array_function__(self, *args, **kwargs):
            return "theirs"

    x = px.asarray(np.ones(2))
    assert np.add(x, Theirs()) == "theirs"
    assert np.hypot(Theirs(), x) == "theirs"
    assert x + Theirs() == Theirs() * x == (x < Theirs()) == "theirs"

    class Reflected(Theirs):
        def __radd__(self, other):
            return "reflected"

    assert x + Reflected() == "reflected"
    assert Reflected() + x == x - Reflected() == "theirs"
    with pytest.raises(TypeError, match="unsupported operand"):
        x + object()


def test_the_namespace(device):
    x = px.asarray(np.ones(2))
    assert x.__array_namespace__() is px
    assert x.__array_namespace__(api_version="2025.12") is px
    assert px.__array_api_version__ == "2025.12"
    with pytest.raises(ValueError, match="1999"):
        x.__array_namespace__(api_version="1999.12")


def test_namespace_info(device):
    info = px.__array_namespace_info__()
    assert info.capabilities()["boolean indexing"] is True
    assert info.capabilities()["data-dependent shapes"] is True
    assert info.default_device() in info.devices() and device in info.default_device()
    theirs = np.__array_namespace_info__()
    assert info.default_dtypes() == theirs.default_dtypes()
    assert info.dtypes() == theirs.dtypes()
    for kind in ("bool", "integral", "numeric", "real floating", ("bool", "signed integer")):
        assert info.dtypes(kind=kind) == theirs.dtypes(kind=kind)
        assert info.dtypes(kind=kind, device=info.default_device())
    with pytest.raises(ValueError, match="kind"):
        info.dtypes(kind="colours")
    with pytest.raises(ValueError, match="device"):
        info.dtypes(device="tpu")


def test_dtypes_and_constants():
    for name in DTYPES:
        assert px.asarray(np.zeros(1, name)).dtype == getattr(px, name)
        assert getattr(px, name) is getattr(np, name)
    for name in ("pi", "e", "inf", "newaxis", "euler_gamma"):
        assert getattr(px, name) == getattr(np, name)
    assert np.isnan(px.nan) and px.dtype("f4") == px.float32
    with pytest.raises(AttributeError):
        px.float128  # noqa: B018


def test_functions_of_dtypes(device):
    x, y = px.asarray(np.zeros(2, "int8")), px.asarray(np.zeros(2, "float32"))
    for args in ((x, y), (x, 1), (x, 1.5), (y, 1j), ("int8", "uint8"), (x, np.uint8)):
        theirs = [np.asarray(each) if isinstance(each, px.ndarray) else each for each in args]
        assert px.result_type(*args) == np.result_type(*theirs)
    assert px.promote_types("i4", "f4") == np.dtype("f8")
    assert px.can_cast(x, "int16") and not px.can_cast(y, "int16")
    assert px.can_cast(y, "float16", "same_kind")
    assert px.finfo(y).bits == 32 and px.finfo("float64").eps == 2.0**-52
    limits, theirs = px.finfo("float16"), np.finfo("float16")
    for name in ("bits", "eps", "max", "min", "smallest_normal", "tiny", "nmant", "dtype"):
        assert getattr(limits, name) == getattr(theirs, name)
    assert type(limits.eps) is float and repr(limits) == repr(theirs)
    assert px.iinfo(x).max == 127
    assert px.isdtype(y.dtype, "real floating") and not px.isdtype("int8", ("bool", px.float32))
    made = px.astype(y, px.int64)
    assert made.dtype == np.int64
    assert px.astype(y, px.float32, copy=False) is y
    assert px.astype(y, px.float32) is not y
    with pytest.raises(TypeError):
        px.astype([1], px.int8)


def test_importing_loads_no_numpy(run_python):
    done = run_python(
        "import sys, phalanx as px; px.sum, px.add, px.median, px.clip; dir(px);"
        "print('numpy' in sys.modules)"
    )
    assert done.stdout.strip() == "False"


def test_numpys_view_of_an_array_shows_later_assignments():
    """As `np.asarray` of NumPy's own arrays does."""
    x = px.asarray(np.arange(4.0), device="cpu")
    host = np.asarray(x)
    x += 1
    assert host.tolist() == [1, 2, 3, 4]
    x[0] = 9
    assert host.tolist() == [9, 2, 3, 4]
    copied = np.array(x)
    x[1] = 7
    assert copied.tolist() == [9, 2, 3, 4] and host.tolist() == [9, 7, 3, 4]


def test_dlpack_brings_arrays_to_the_host(device):
    x = px.arange(6.0).reshape(2, 3)[:, ::2] + 1
    shared = np.from_dlpack(x) if device == "cpu" else np.from_dlpack(x, device="cpu")
    np.testing.assert_array_equal(shared, [[1, 3], [4, 6]])
    if device == "cuda":
        with pytest.raises(BufferError, match="a copy is needed"):
            x.__dlpack__(dl_device=(1, 0), copy=False)


NUMBERS = [1.26, -2.5, 3.5, 15.0, -0.0, np.nan, np.inf]
ROUNDED = ["float64", "float32", "int64", "int8", "uint8", "bool", "complex128", "M8[s]"]


@pytest.mark.parametrize("dtype", ROUNDED)
@pytest.mark.parametrize("digits", [(), (None,), (0,), (1,), (-1,)])
def test_round_of_numbers(dtype, digits):
    is_real = np.dtype(dtype).kind == "f"
    for number in NUMBERS if is_real else [0, 1, 25]:
        theirs = np.asarray(number).astype(dtype)[()]
        ours_ = px.asarray(np.asarray(theirs))[()]
        check_error_or_same(lambda x: round(x, *digits), ours_, theirs)


def check_error_or_same(call, ours_, theirs):
    try:
        expected = call(theirs)
    except (TypeError, ValueError, OverflowError) as error:
        with pytest.raises(type(error)):
            call(ours_)
        return
    actual = call(ours_)
    assert isinstance(actual, int) == isinstance(expected, int)
    if isinstance(expected, int):
        assert actual == expected
    else:
        agree(actual, expected)


def test_round_of_arrays_names_the_function():
    with pytest.raises(TypeError, match=r"px\.round\(x, decimals\)"):
        round(px.ones(3), 1)
    agree(px.asarray(round(px.arange(3.0).mean() / 3, 1)), np.asarray(0.3))


def test_ufuncs_ask_a_class_that_has_its_own():
    class Theirs:
        def __array_ufunc__(self, function, method, *args, **kwargs):
            return function.__name__, method, kwargs

    x = px.asarray(np.ones(2))
    assert px.add(x, Theirs()) == ("add", "__call__", {})
    assert px.hypot(Theirs(), x, dtype="f4") == ("hypot", "__call__", {"dtype": "f4"})


def test_an_object_that_has_an_array_of_ours_gives_it():
    class Holder:
        def __init__(self, own):
            self.own = own

        def __cupy_get_ndarray__(self):
            return self.own

    x = px.asarray(np.ones(2))
    assert px.asarray(Holder(x)) is x
    assert px.asarray(Holder(x), dtype="f4").dtype == np.float32


def test_ufuncs_of_others_are_not_ours_for_their_name():
    @px.vectorize
    def add(a, b):
        return a * b

    x = px.arange(1, 5.0)
    assert np.asarray(add(x, x)).tolist() == [1, 4, 9, 16]
