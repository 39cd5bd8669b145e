"""`groupby` beside pandas: aggregations x dtypes x keys."""

import numpy as np
import pytest

import phalanx as px

pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.usefixtures("device")


def table(count=60):
    draw = np.random.default_rng(5)
    numbers = draw.integers(0, 7, count)
    return pd.DataFrame(
        {
            "text": pd.array([f"k{i}" if i != 4 else None for i in numbers], dtype="str"),
            "whole": draw.integers(-3, 3, count),
            "real": np.where(draw.random(count) < 0.2, np.nan, draw.integers(0, 3, count) / 2),
            "date": np.datetime64("2024-01-01", "us") + draw.integers(0, 5, count).astype("m8[D]"),
            "category": pd.Categorical([f"c{i}" for i in 6 - numbers]),
            "mixed": np.array([i if i % 2 else f"o{i}" for i in numbers], object),
            "i8": draw.integers(-100, 100, count).astype("i1"),
            "i64": draw.integers(-1000, 1000, count),
            "f32": draw.integers(-50, 50, count).astype("f4") / 4,
            "f64": np.where(draw.random(count) < 0.3, np.nan, draw.integers(-99, 99, count) / 8),
            "bool": draw.random(count) < 0.7,
            "Int64": pd.array(
                [int(i) if i % 4 else None for i in draw.integers(0, 99, count)], dtype="Int64"
            ),
        }
    )


KEYS = ["text", "whole", "real", "date", "category", ["whole", "text"], ["category", "real"]]
NUMBERS = ["i8", "i64", "f32", "f64", "bool", "Int64"]
NAMES = ["sum", "prod", "mean", "median", "var", "std", "min", "max", "first", "last", "count",
         "nunique", "any", "all", "size"]  # fmt: skip


def same(found, wanted):
    check = pd.testing.assert_series_equal if wanted.ndim == 1 else pd.testing.assert_frame_equal
    check(found.to_pandas(), wanted, rtol=1e-6)


@pytest.mark.parametrize("by", KEYS, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_groups(name, by):
    frame = table()
    columns = [each for each in NUMBERS if name not in ("prod",) or each not in ("i64", "Int64")]
    wanted = getattr(frame.groupby(by)[columns], name)()
    same(getattr(px.from_pandas(frame).groupby(by)[columns], name)(), wanted)


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("dropna", [True, False])
@pytest.mark.parametrize("by", KEYS, ids=str)
def test_orders_and_missing_keys(by, sort, dropna):
    frame = table()
    for columns in ("i64", ["i64", "f64"]):
        wanted = frame.groupby(by, sort=sort, dropna=dropna)[columns].sum()
        same(px.from_pandas(frame).groupby(by, sort=sort, dropna=dropna)[columns].sum(), wanted)


@pytest.mark.parametrize("name", ["first", "last", "count", "nunique"])
@pytest.mark.parametrize("column", ["text", "date", "category", "mixed"])
def test_columns_that_are_no_numbers(name, column):
    frame = table()
    same(
        getattr(px.from_pandas(frame).groupby("whole")[column], name)(),
        getattr(frame.groupby("whole")[column], name)(),
    )


@pytest.mark.parametrize("name", ["min", "max"])
def test_dates_have_an_order(name):
    frame = table()
    same(
        getattr(px.from_pandas(frame).groupby("text")["date"], name)(),
        getattr(frame.groupby("text")["date"], name)(),
    )


def test_keys_as_columns_and_several_aggregations():
    frame = table()
    ours = px.from_pandas(frame)
    same(ours.groupby("text", as_index=False)["f64"].mean(),
         frame.groupby("text", as_index=False)["f64"].mean())  # fmt: skip
    same(ours.groupby("text", as_index=False).size(), frame.groupby("text", as_index=False).size())
    keywords = {"low": ("i8", "min"), "spread": ("f64", "std"), "rows": ("whole", "count")}
    same(ours.groupby("text").agg(**keywords), frame.groupby("text").agg(**keywords))
    chosen = {"i8": "max", "f32": "mean"}
    same(ours.groupby("text").agg(chosen), frame.groupby("text").agg(chosen))
    same(ours.groupby("text")["f32"].agg(["sum", "count"]),
         frame.groupby("text")["f32"].agg(["sum", "count"]))  # fmt: skip


@pytest.mark.parametrize("name", ["sum", "mean", "count", "max"])
def test_what_a_group_has_for_each_row(name):
    frame = table()
    same(
        px.from_pandas(frame).groupby("whole")["i64"].transform(name),
        frame.groupby("whole")["i64"].transform(name),
    )


def test_groups_are_walked_in_order():
    frame = table()
    ours = list(px.from_pandas(frame).groupby("text"))
    for (label, rows), (wanted, theirs) in zip(ours, frame.groupby("text"), strict=True):
        assert label == wanted
        pd.testing.assert_frame_equal(rows.to_pandas(), theirs)


def test_keys_that_are_no_columns():
    frame = table()
    key = frame["whole"] % 2
    same(
        px.from_pandas(frame).groupby(px.from_pandas(key))["i64"].sum(),
        frame.groupby(key)["i64"].sum(),
    )
    same(px.from_pandas(frame).groupby(np.array(key))["i64"].sum(),
         frame.groupby(np.array(key))["i64"].sum())  # fmt: skip


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda f: f.groupby("none"), KeyError),
        (lambda f: f.groupby([]), ValueError),
        (lambda f: f.groupby(), TypeError),
        (lambda f: f.groupby(np.arange(3)), ValueError),
        (lambda f: f.groupby("whole")["none"], KeyError),
        (lambda f: f.groupby("whole").mean(), TypeError),
        (lambda f: f.groupby("whole").agg({"none": "sum"}), KeyError),
    ],
)
def test_what_is_wrong_is_told(call, error):
    frame = table()
    with pytest.raises(error):
        call(frame)
    with pytest.raises(error):
        call(px.from_pandas(frame))


def test_what_is_not_there_says_so():
    groups = px.from_pandas(table()).groupby("whole")
    with pytest.raises(NotImplementedError, match="'engine' of pandas"):
        groups.sum(engine="numba")
    with pytest.raises(NotImplementedError, match="take"):
        groups.take([0])
