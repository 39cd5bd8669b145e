"""What pandas' and Dask's own tests found, beside pandas: texts of frequencies, names, errors."""

import warnings

import numpy as np
import pandas as pd
import pytest

import phalanx as px

TEXTS = [
    "5Min", "Min", "MIN", "mIn", "15MIN", "nS", "US", "Us", "2 min", "5 h", "5 Min 3 s", "1D 2h",
    "d", "b", "w", "W-mon", "w-MON", "2D", "+2h", "-2h", "2.5D", "me", "QE-dec", "5S", "BMe", "2y",
    "5Ms", "2h-3s", "5D-MON", "W-XXX",
]  # fmt: skip


def frequency(module, text):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            found = module.date_range("2026", periods=2, freq=text).freq.freqstr
        except ValueError as error:
            found = str(error)[: len(f"Invalid frequency: {text}.")]
    return found, {str(each.message) for each in told}


@pytest.mark.parametrize("text", TEXTS)
def test_texts_of_frequencies(text):
    assert frequency(px, text) == frequency(pd, text)


@pytest.mark.parametrize("how", ["left", "right", "inner", "outer"])
@pytest.mark.parametrize("names", [("a", None), (None, "b"), ("a", "b"), ("a", "a")])
def test_names_of_joined_indexes(how, names):
    found = []
    for m in (px, pd):
        left = m.DataFrame({"x": [1, 2, 3]}, index=m.Index(list("abc"), name=names[0]))
        right = m.DataFrame({"y": [1, 2, 3]}, index=m.Index(list("abe"), name=names[1]))
        merged = left.merge(right, left_index=True, right_index=True, how=how)
        found.append((left.join(right, how=how).index.name, merged.index.name))
    assert found[0] == found[1]


def nothing_and_more(m):
    named = m.DataFrame({"a": [1]}, index=m.Index([5], name="y"))
    empty = m.DataFrame()
    some = [[empty, named], [named, empty], [empty, empty, named], [empty, empty]]
    some += [[m.DataFrame({"a": [1]}), named], [named.iloc[:0].rename_axis("z"), named]]
    return [(m.concat(each).index.name, m.concat(each).index.tolist()) for each in some]


def periods_moved(m):
    made = m.Series([1, 2], index=m.period_range("2026", periods=2, freq="h"))
    return [str(each) for each in made.shift(2, freq="h").index]


def periods_moved_by_others(m):
    return m.Series([1], index=m.period_range("2026", periods=1, freq="h")).shift(2, freq="2h")


def no_durations(m):
    units = (None, "s", "D", "ns")
    kinds = ("int64", "float32")
    return [
        str(m.to_timedelta(m.Series([], dtype=kind), unit=unit).dtype)
        for kind in kinds
        for unit in units
    ]


def clipped(m):
    made = np.clip(m.DataFrame({"a": [1, 25]}), 10, 20)
    return type(made).__name__, made["a"].tolist()


def levels_by_views(m):
    index = m.MultiIndex.from_arrays([[1, 2], [3, 4]])
    levels = {0: [5, 6], 1: [7, 8]}
    return index.set_levels(levels.values(), level=levels.keys()).tolist()


def unknown_column(m):
    return m.DataFrame({"a": [1], "bcd": [2]}).groupby("a")["zzz"]


@pytest.mark.parametrize(
    "case",
    [nothing_and_more, periods_moved, periods_moved_by_others, no_durations, clipped,
     levels_by_views, unknown_column],
    ids=lambda case: case.__name__,
)  # fmt: skip
def test_case(case):
    assert attempt_of(case, px) == attempt_of(case, pd)


def attempt_of(case, module):
    try:
        return case(module)
    except (ValueError, KeyError) as error:
        return str(error)


def test_a_function_of_groups_may_make_series_of_pandas():
    frame = {"g": [1, 1, 2], "v": [1, 2, 3]}
    made = px.DataFrame(frame).groupby("g").apply(lambda each: pd.Series({"s": each["v"].sum()}))
    expected = (
        pd.DataFrame(frame).groupby("g").apply(lambda each: pd.Series({"s": each["v"].sum()}))
    )
    pd.testing.assert_frame_equal(made.to_pandas(), expected)


def test_pandas_leaves_operations_to_ours():
    made = pd.Series({"a": 2}) + px.DataFrame({"a": [1, 2]})
    assert isinstance(made, px.DataFrame) and made["a"].tolist() == [3, 4]


def test_errors_of_frames_have_pandas_place():
    for name in ("DataError", "MergeError", "IndexingError", "OutOfBoundsDatetime", "OptionError"):
        assert issubclass(getattr(px.errors, name), Exception)
    with pytest.raises(px.errors.DataError, match="non-numeric"):
        px.DataFrame({"g": [1], "t": ["a"]}).groupby("g").rolling(1).sum()
    with pytest.raises(AttributeError, match="NoError"):
        px.errors.NoError  # noqa: B018
