"""Columns against pandas' Series: made, cut, gathered, joined, cast and handed on."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from phalanx._frames.columns import column_of
from phalanx._frames.columns.arrow import to_arrow
from phalanx._frames.columns.making import constant, empty, missing_column
from phalanx._frames.dtypes import CategoricalDtype, pandas_dtype
from phalanx._frames.missing import NA, is_missing

import phalanx as px

from .column_samples import SAMPLES, assert_outcome, assert_same, outcome

samples = pytest.mark.parametrize("name", SAMPLES)


@samples
def test_a_series_comes_and_goes(device, name):
    column = column_of(SAMPLES[name])
    assert_same(column, SAMPLES[name])
    assert len(column) == 4


@samples
@pytest.mark.parametrize("rows", [[2, 0, 0], [], [3]])
def test_rows_are_taken(device, name, rows):
    taken = column_of(SAMPLES[name]).take(px.asarray(np.array(rows, np.int64)))
    assert_same(taken, SAMPLES[name].iloc[rows])


@samples
def test_missing_rows_are_taken(device, name):
    series = SAMPLES[name]
    taken = column_of(series).take(px.asarray(np.array([1, -1, 3])), has_missing=True)
    assert_same(taken, series.reindex([1, 99, 3]))
    nothing = column_of(series).filter(px.zeros(4, bool))
    rows = px.asarray(np.array([-1, -1]))
    assert_same(nothing.take(rows, has_missing=True), series.iloc[:0].reindex([98, 99]))


@samples
def test_rows_are_filtered_and_cut(device, name):
    series = SAMPLES[name]
    column = column_of(series)
    mask = np.array([True, False, True, True])
    assert_same(column.filter(px.asarray(mask)), series[mask])
    assert_same(column.filter(mask), series[mask])
    for part in (slice(1, 3), slice(None, None, -1), slice(0, 0), slice(5, 9), slice(-2, None)):
        assert_same(column.slice(part), series.iloc[part])
    assert_same(column.slice(slice(1, 4)).slice(slice(1, 2)), series.iloc[2:3])


@samples
def test_columns_are_joined(device, name):
    series = SAMPLES[name]
    column = column_of(series)
    cut = column.slice(slice(1, 3))
    joined = cut.joined([column, cut])
    expected = pd.concat([series.iloc[1:3], series, series.iloc[1:3]])
    assert_same(joined, expected)


@samples
def test_rows_of_two_columns(device, name):
    series = SAMPLES[name]
    other = series[::-1].reset_index(drop=True)
    mask = np.array([True, False, False, True])
    chosen = column_of(series).where(px.asarray(mask), column_of(other))
    assert_same(chosen, series.where(mask, other).astype(series.dtype))


@samples
def test_missing_values_are_known(device, name):
    series, column = SAMPLES[name], column_of(SAMPLES[name])
    assert column.isna().tolist() == series.isna().tolist()
    assert column.has_missing() == series.isna().any()
    assert all(column.missing(2).isna().tolist())
    assert_same(column.missing(2), series.reindex([98, 99]))


@samples
def test_elements(device, name):
    series, column = SAMPLES[name], column_of(SAMPLES[name])
    for row in range(4):
        element = column.element(row)
        assert is_missing(element) == is_missing(series.iloc[row])
        if not is_missing(element):
            assert element == series.iloc[row]
            # pandas has classes of its own for times.
            assert column.dtype.kind in "mM" or type(element) is type(series.iloc[row])
    assert len(column.tolist()) == len(list(column)) == 4
    assert column.nbytes > 0


@samples
def test_numpy_arrays(device, name):
    series = SAMPLES[name]
    expected = series.to_numpy()
    actual = column_of(series).to_numpy()
    assert actual.dtype == expected.dtype
    if expected.dtype != object:
        np.testing.assert_array_equal(actual, expected)
        return
    for mine, other in zip(actual, expected, strict=True):
        assert (is_missing(mine) and is_missing(other)) or mine == other


TARGETS = [
    "bool", "int8", "int64", "uint8", "uint64", "float32", "float64", "complex128", "object", "str",
    "string", "Int64", "Int8", "UInt8", "Float64", "Float32", "boolean", "category",
    "datetime64[ns]", "datetime64[s]", "timedelta64[ns]", "timedelta64[s]", "datetime64[ns, UTC]",
]  # fmt: skip

# Where a result is another one for a reason.
CASTS_APART = {
    # NumPy leaves open what integers floats become that do not fit, or whose sign they have not.
    ("float32", "uint8"): "negative",
    ("float32", "uint64"): "negative",
    ("float64", "uint8"): "negative",
    ("float64", "uint64"): "negative",
    **{("complex", each): "any integers" for each in ("int8", "int64", "uint8", "uint64")},
    # pandas gives objects for bools with missing categories, and text by way of floats.
    ("category NaN", "bool"): "objects",
    ("category ordered", "bool"): "objects",
    # pandas reads missing texts as NaN but for this dtype.
    ("string NA", "bool"): "NA",
}


CASTS = [
    (name, target) for name in SAMPLES for target in TARGETS if (name, target) not in CASTS_APART
]


@pytest.mark.parametrize(("name", "target"), CASTS)
def test_casts(device, name, target):
    series = SAMPLES[name]
    column = column_of(series)
    expected = outcome(series.astype, target)
    assert_outcome(outcome(column.astype, pandas_dtype(target)), expected)
    assert_same(column, series)


MOMENT = datetime.datetime(2020, 1, 1)
LISTS = [
    [None, np.nan], [None], [1, None], [True, None], [True, 1], ["a", None], ["a", 1], [1, pd.NA],
    [pd.NA], [1.5, pd.NA], ["a", pd.NA], [MOMENT, None], [MOMENT, pd.NaT], [pd.NaT], [pd.NaT, None],
    [pd.NaT, np.nan], [datetime.date(2020, 1, 1)], [datetime.timedelta(1)],
    [np.datetime64("2020-01-01")], [np.datetime64("2020-01-01", "ns")], [np.timedelta64(1, "D")],
    [pd.Timestamp("2020-01-01")], [pd.Timestamp("2020-01-01", tz="UTC")],
    [MOMENT.replace(tzinfo=datetime.UTC)], [2**63], [2**64], [-1, 2**63], [1, 1.5], [1, 2j],
    [True, 1.5], [], [np.int8(1)], [np.float32(1)], [np.nan, "a"], [b"a"], [(1, 2)], [1, MOMENT],
    [pd.Timestamp("2020"), datetime.timedelta(1)], [MOMENT, np.datetime64("2020-01-01", "ns")],
    [pd.Timedelta(1)], [np.bool_(True)], [np.timedelta64("NaT")], [True, False], ["naïve", "你"],
    [pd.Timestamp("2020-01-01", tz="UTC"), None], [{}, [1]], [float("inf"), 1], [1, np.int8(2)],
    [pd.Timestamp("2020-01-01", tz="UTC"), pd.Timestamp("2020-01-01")], ["\ud800"],
]  # fmt: skip


@pytest.mark.parametrize("values", LISTS, ids=repr)
def test_lists_are_inferred_as_pandas_does(device, values):
    if values and isinstance(values[0], str) and values[0] > "\ud7ff":
        assert column_of(values).tolist() == values  # pyarrow refuses halves of surrogate pairs
        return
    assert_same(column_of(values), pd.Series(values))


@pytest.mark.parametrize("values", [[1, 2], [1, None], [1.5, 2], ["1", "2"], [True, False], []])
@pytest.mark.parametrize(
    "dtype", ["int64", "float32", "str", "object", "Int64", "boolean", "category", "M8[ns]", "bool"]
)
def test_lists_with_a_dtype(device, values, dtype):
    expected = outcome(lambda: pd.Series(values, dtype=dtype))
    assert_outcome(outcome(lambda: column_of(values, dtype)), expected)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(3), np.arange(3.0, dtype="f4"), np.array(["a", "b"]), np.array([b"a"], object),
        np.array(["2020-01-01", "NaT"], "M8[D]"), np.array([1, 2], "m8[ms]"),
        np.arange(3, dtype=">i4"),
        np.array([1, 2], object), np.array(["a", None], object), np.arange(10)[::3], np.zeros(0),
        np.array([True]),
    ],
    ids=repr,
)  # fmt: skip
def test_numpy_arrays_become_columns(device, array):
    expected = pd.Series(array)
    if array.dtype.kind in "iu":
        expected = expected.astype(array.dtype.newbyteorder("="))
    assert_same(column_of(array), expected)


def test_arrays_are_copied_unless_they_are_given_away(device):
    values = np.arange(3)
    kept, shared = column_of(values), column_of(values, copy=False)
    values[0] = 7
    assert kept.tolist() == [0, 1, 2]
    assert shared.tolist()[0] == (7 if device == "cpu" else 0)
    ours = px.arange(3)
    column = column_of(ours)
    ours[0] = 7
    assert column.tolist() == [0, 1, 2]


def test_what_is_no_column_is_refused(device):
    for data in (np.zeros((2, 2)), px.zeros((2, 2))):
        with pytest.raises(ValueError, match="1-dimensional"):
            column_of(data)
    for data in (5, "text", b"bytes"):
        with pytest.raises(TypeError, match="list or an array"):
            column_of(data)
    with pytest.raises(TypeError, match="not understood"):
        column_of([1], "no such dtype")
    assert column_of(range(2, 9, 3)).tolist() == [2, 5, 8]
    assert column_of(each for each in "ab").tolist() == ["a", "b"]


ARROWS = [
    pa.array([1, 2, 3], pa.int16()), pa.array([1, None]), pa.array([1.5, None], pa.float32()),
    pa.array([True, False]), pa.array([True, None]), pa.array(["a", None, "bcd"]),
    pa.array(["a", "b"], pa.large_string()), pa.array(["a", "b", None]).dictionary_encode(),
    pa.array([1, None], pa.timestamp("ms")), pa.array([1], pa.timestamp("us", "Europe/Berlin")),
    pa.array([1, None], pa.duration("s")), pa.array([None, None]), pa.array([], pa.string()),
    pa.chunked_array([["a"], [], ["b", "c"]]), pa.array(["a", "b", "c"]).slice(1),
    pa.array([1, 2, None, 4]).slice(1, 2), pa.chunked_array([], pa.int64()),
]  # fmt: skip


@pytest.mark.parametrize("array", ARROWS, ids=lambda each: f"{each.type} {len(each)}")
def test_arrow_arrays_become_columns(device, array):
    expected = array.to_pandas()
    column = column_of(array)
    assert_same(column, pd.Series(expected))
    assert column.tolist() == column_of(column_of(array)).tolist() or column.has_missing()


# Arrow has no complex numbers and no mixed types.
@pytest.mark.parametrize(
    "name", [each for each in SAMPLES if each not in ("complex", "object mixed")]
)
def test_columns_become_arrow_arrays(device, name):
    series = SAMPLES[name]
    array = to_arrow(column_of(series).slice(slice(1, 4)))
    assert array.is_null().to_pylist() == series.isna().tolist()[1:]
    expected = pa.array(series.iloc[1:], from_pandas=True)
    assert array.to_pylist() == expected.to_pylist()


def test_constants(device):
    for value in (1, 1.5, True, "text", None, MOMENT, np.nan):
        assert_same(constant(value, 3), pd.Series([value] * 3))
    assert_same(constant(1, 2, "Int64"), pd.Series([1, 1], dtype="Int64"))
    assert_same(missing_column(2), pd.Series([None, None]))
    for dtype in ("int64", "str", "Int64", "M8[ns]", "object", "datetime64[ns, UTC]"):
        assert_same(empty(dtype), pd.Series([], dtype=dtype))
        assert all(missing_column(2, dtype).isna().tolist())


def test_categories_are_checked(device):
    with pytest.raises(ValueError, match="unique"):
        CategoricalDtype(["a", "a"])
    with pytest.raises(ValueError, match="null"):
        CategoricalDtype(["a", None])
    assert CategoricalDtype(["a", "b"]) == CategoricalDtype(["b", "a"])
    assert CategoricalDtype(["a", "b"], True) != CategoricalDtype(["b", "a"], True)
    assert CategoricalDtype(["a"]) == "category"


def test_categories_in_another_order_are_recoded(device):
    first = column_of(["a", "b", None], CategoricalDtype(["a", "b"]))
    second = column_of(["a", "b", None], CategoricalDtype(["b", "a"]))
    assert first.joined([second]).codes.tolist() == [0, 1, -1, 0, 1, -1]
    assert second.astype(CategoricalDtype(["b"])).codes.tolist() == [-1, 0, -1]
    many = column_of(list(range(200)), "category")
    assert many.codes.dtype == np.int16


def test_keys(device):
    kind, values, mask = column_of([3, None], "Int64").key()
    assert (kind, values.dtype, mask.tolist()) == ("values", np.int64, [True, False])
    kind, offsets, text, mask = column_of(["ab", None, "c"]).key()
    assert kind == "string"
    assert offsets[0] == 0
    assert bytes(text[offsets[2] : offsets[3]]) == b"c"
    assert mask.tolist() == [True, False, True]
    kind, codes, mask = column_of([{1}.__len__, "a", "a", None]).key()
    assert (kind, codes.tolist(), mask) == ("codes", [0, 1, 1, -1], None)


def test_na_is_not_nan(device):
    assert column_of([1, None], "Int64").element(1) is NA
    assert np.isnan(column_of(["a", None]).element(1))
    assert column_of(["a", None], "string").element(1) is NA


def test_pandas_is_not_imported(run_python):
    done = run_python(
        "import sys, numpy as np\n"
        "from phalanx._frames.columns import column_of\n"
        "from phalanx._frames.operations.binary import arithmetic, compare\n"
        "from phalanx._frames.reductions import reduce\n"
        "column = column_of([1, None, 3])\n"
        "print(reduce(arithmetic('add', column, 1), 'sum'))\n"
        "print(compare('eq', column_of(['a', None]), 'a').tolist())\n"
        "print([each for each in ('pandas', 'pyarrow') if each in sys.modules])\n"
    )
    assert done.stdout.split("\n")[:3] == ["6.0", "[True, False]", "[]"]


class Measured(list):
    """A sequence that knows its array."""

    def __array__(self, dtype=None, copy=None):
        return np.array([1.5, 2.5], "float32")


def test_what_has_an_array_is_asked_for_it():
    assert px.Series(Measured([1, 2])).dtype == np.float32
