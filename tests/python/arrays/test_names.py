"""The functions of NumPy's that ask about arrays or make them by an index, and names not there."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import phalanx as px
from arrays.math_table import DTYPES, agree, layouts, ours, outcome, same_error, sample

pytestmark = pytest.mark.usefixtures("device")


def same(call, *arrays):
    """The call of both libraries does the same, with arrays of each."""
    expected, problem = outcome(lambda: call(np, *arrays))
    for library, given in ((px, map(ours, arrays)), (np, map(ours, arrays))):
        actual, error = outcome(lambda m=library, g=given: call(m, *g))
        same_error(error, problem, (library, arrays))
        if problem is None:
            agree(actual, expected)


CALLS = {
    "shape": lambda m, x: m.shape(x),
    "ndim": lambda m, x: m.ndim(x),
    "size": lambda m, x: m.size(x),
    "size along": lambda m, x: m.size(x, 1),
    "size along the last": lambda m, x: m.size(x, -1),
    "iterable": lambda m, x: m.iterable(x),
    "packbits": lambda m, x: m.packbits(x > 1),
    "packbits of it": lambda m, x: m.packbits(x, axis=-1, bitorder="little"),
    "unpackbits": lambda m, x: m.unpackbits(m.packbits(x > 1, axis=0), axis=0, count=2),
    "apply_along_axis": lambda m, x: m.apply_along_axis(lambda row: row[:1] * 1, -1, x),
    "apply_over_axes": lambda m, x: m.apply_over_axes(m.max, x, [0, -1]),
    "apply_over_axes of one": lambda m, x: m.apply_over_axes(m.any, x, 0),
    "piecewise": lambda m, x: m.piecewise(x, [x < 1, x > 2], [3, lambda v: v * v, 4]),
}
SHAPES = [(3, 4), (2, 3, 4), (5,), (1, 1), (0, 3), ()]


@pytest.mark.parametrize("name", CALLS)
def test_every_dtype(name):
    for dtype in DTYPES:
        same(CALLS[name], sample(dtype, (3, 4), is_special=False))


@pytest.mark.parametrize("name", CALLS)
def test_every_shape_and_layout(name):
    for shape in SHAPES:
        same(CALLS[name], sample("int32", shape))
    for host in layouts(sample("float32", (3, 4))).values():
        same(CALLS[name], host)


def test_isfortran(device):
    with px.device("cpu"):  # which shares the layout
        for host in layouts(sample("float32", (3, 4))).values():
            x = px.asarray(host)
            assert px.isfortran(x) == np.isfortran(x) == np.isfortran(host)
    assert px.isfortran((px.ones((2, 3)) + 1).T)


def test_questions_about_what_is_no_array():
    for what in (3, "text", [1, 2], [[1], [2]], (), None, 1.5, {1: 2}, range(3)):
        for name in ("shape", "ndim", "size", "iterable"):
            assert getattr(px, name)(what) == getattr(np, name)(what), what
    x = px.ones((2, 3))
    assert px.shape([x, x]) == (2, 2, 3)
    assert px.size(x, (0, 1)) == 6


def grids(m):
    yield m.mgrid[0:4]
    yield m.mgrid[0:2, 1:9:3]
    yield m.mgrid[0:1:5j, -1:1]
    yield m.ogrid[0:2, 0:1:3j]
    yield m.ogrid[2:5]
    yield m.r_[1, 2.5, 3:6]
    yield m.r_["0,2", [1, 2], [3, 4]]
    yield m.c_[[1, 2], [3, 4]]
    yield m.r_[0:0]
    yield m.s_[1:2, ..., None]
    yield m.index_exp[3]


def test_grids():
    for actual, expected in zip(grids(px), grids(np), strict=True):
        agree(actual, expected)
    assert repr(px.mgrid) == "<phalanx.mgrid>"


JOINED = {
    "rows": lambda m, x: m.r_[x, 2 * x],
    "a row": lambda m, x: m.r_[x[0], 7, 1:3],
    "columns": lambda m, x: m.c_[x[0], x[1], x[0]],
    "one": lambda m, x: m.c_[x],
    "up to an element": lambda m, x: m.r_[0 : x[1, 1], x[0, 1]],
    "of different shapes": lambda m, x: m.r_[x, x[0]],
}


@pytest.mark.parametrize("name", JOINED)
@pytest.mark.parametrize("dtype", ["int64", "float32"])
def test_arrays_in_index_objects(name, dtype):
    x = np.arange(6).astype(dtype).reshape(2, 3)
    expected, problem = outcome(lambda: JOINED[name](np, x))
    actual, error = outcome(lambda: JOINED[name](px, ours(x)))
    same_error(error, problem, name)
    if problem is None:
        agree(actual, expected)


def pairs(x, y):
    """Arrays with memory in common, or not."""
    return {
        "itself": (x, x),
        "another": (x, y),
        "a part": (x, x[1:2]),
        "parts": (x[:, 0], x[:, 1]),
        "alternating": (x[:, ::2], x[:, 1::2]),
        "turned": (x.T, x[1:]),
        "reversed": (x[::-1], x[:1]),
        "empty": (x, x[:0]),
        "a result": (x, x + 0),
        "a copy": (x, x.copy()),
        "columns": (x[:, 1], x.reshape(-1)[1:2]),
    }


@pytest.mark.parametrize("origin", ["in memory", "recorded", "written"])
@pytest.mark.parametrize("name", ["shares_memory", "may_share_memory"])
def test_shared_memory(name, origin):
    host = np.arange(12.0).reshape(3, 4)
    x, y = px.array(host), px.array(host)
    if origin == "recorded":
        x, y = x + 1, y + 1
    elif origin == "written":
        x[1:][0] = 3
    for ours_, theirs in zip(pairs(x, y).items(), pairs(host, host.copy()).values(), strict=True):
        for m in (px, np):
            assert getattr(m, name)(*ours_[1]) == getattr(np, name)(*theirs), ours_[0]


def test_memory_shared_with_numpys():
    host = np.zeros(4)
    with px.device("cpu"):
        x = px.asarray(host)
    assert px.shares_memory(x[1:], host[1:2])
    assert not px.shares_memory(x[1:], host[:1])
    with pytest.raises(np.exceptions.TooHardError):
        px.shares_memory(x[::3], host[::2], max_work=0) or px.shares_memory(x, 3, max_work=0)


REQUIREMENTS = [None, [], "C", ["F"], ["C", "W"], ["F", "O"], ["A", "E"], "FORTRAN", ["C", "F"]]


@pytest.mark.parametrize("required", [*REQUIREMENTS, ["X"], ["WRITEABLE", "ALIGNED"]])
def test_require(required):
    for name, host in layouts(sample("int32", (3, 4))).items():
        for dtype in (None, "float64"):
            expected, problem = outcome(lambda h=host, t=dtype: np.require(h, t, required))
            actual, error = outcome(lambda h=host, t=dtype: px.require(px.asarray(h), t, required))
            assert type(error) is type(problem), name
            if problem is None:
                agree(actual, expected)
                for each in "CF" if set(required or ()) & {"C", "F"} else ():
                    assert actual.flags[each] == expected.flags[each], name


def test_require_makes_arrays_writable():
    host = np.zeros(3)
    host.flags.writeable = False
    x = px.asarray(host)
    x._set_read_only(True)
    made = px.require(x, requirements="W")
    made[:] = 1
    assert made.tolist() == [1, 1, 1]
    assert px.require(x) is x
    own = px.zeros(3)
    assert px.require(own, requirements="W") is own
    assert not px.shares_memory(px.require(own, requirements="O"), own)


def test_arrays_of_files(tmp_path):
    host = np.arange(10, dtype="int16")
    host.tofile(tmp_path / "x")
    (tmp_path / "text").write_text("1, 2.5, 3")
    for options in ({}, {"count": 3}, {"offset": 4}, {"count": 2, "offset": 2}):
        expected = np.fromfile(tmp_path / "x", "int16", **options)
        agree(px.fromfile(tmp_path / "x", "int16", **options), expected)
    agree(px.fromfile(tmp_path / "text", sep=","), np.array([1, 2.5, 3]))
    with pytest.raises(FileNotFoundError):
        px.fromfile(tmp_path / "gone")


def test_printoptions_are_numpys():
    x = px.asarray([1 / 3])
    with px.printoptions(precision=2):
        assert str(x) == "[0.33]"
        assert px.get_printoptions()["precision"] == 2
    before = px.get_printoptions()["precision"]
    px.set_printoptions(precision=3)
    try:
        assert repr(x) == "array([0.333])"
    finally:
        px.set_printoptions(precision=before)


def test_views_of_windows_by_numpys_name():
    x = np.arange(12.0).reshape(3, 4)
    windows = np.lib.stride_tricks.sliding_window_view
    actual = windows(ours(x), 2, axis=1)
    assert isinstance(actual, px.ndarray)
    agree(actual, windows(x, 2, axis=1))


@pytest.mark.parametrize("name", ["matrix", "frompyfunc", "recarray", "char"])
def test_names_that_only_numpy_has(name):
    assert not hasattr(px, name)
    with pytest.raises(AttributeError, match=rf"takes np\.asarray\(x\): numpy\.{name}$"):
        getattr(px, name)


def test_names_that_nobody_has():
    with pytest.raises(AttributeError, match=r"attribute 'lib'; .* px\.sliding_window_view and"):
        px.lib.stride_tricks  # noqa: B018
    with pytest.raises(AttributeError, match=r"^module 'phalanx' has no attribute 'sinus'$"):
        px.sinus  # noqa: B018
    with pytest.raises(AttributeError, match=r"random' has no attribute 'uniformly'$"):
        px.random.uniformly  # noqa: B018


@pytest.mark.parametrize("name", ["emath", "fft", "linalg", "random", "special"])
def test_namespaces_are_imported_as_modules(name):
    module = importlib.import_module(f"phalanx.{name}")
    assert module is getattr(px, name)
    assert importlib.import_module(f"phalanx.{name}") is module
    assert module.__name__ == f"phalanx._arrays.{name}"


def test_running_sums_of_numbers_have_one_axis():
    assert px.nancumsum(5.0).tolist() == [5.0] and px.nancumprod(np.nan, axis=0).tolist() == [1.0]
    for name in ("nancumsum", "nancumprod", "cumsum"):
        with pytest.raises(ValueError, match="axis 1 is out of bounds"):
            getattr(px, name)(5.0, axis=1)


RANGES = (
    (254, 260, 4, "u1"), (-5, 5, 2, "u1"), (250, 260, 5, "u1"), (0, 300, 100, "u1"), (5, 5),
    (0, 10**30), (1e10, 1e20), (0, 1e-5, 1e-30), (0.5, 3, 1, "i4"), (3, 0, -1, "i2"), (7, -4, -3),
)  # fmt: skip


@pytest.mark.parametrize("given", RANGES, ids=str)
def test_ranges_that_a_type_does_not_hold(given):
    try:
        expected = np.arange(*given)
    except (OverflowError, ValueError) as problem:
        with pytest.raises(type(problem), match=str(problem)):
            px.arange(*given)
        return
    agree(px.arange(*given), expected)
