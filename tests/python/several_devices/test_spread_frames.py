"""Frames over several devices beside pandas."""

import itertools

import numpy as np
import pandas as pd
import pytest
from phalanx._frames.several.groups import PARTIAL

import phalanx as px


def data(rows=60):
    random = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "key": random.integers(0, 7, rows),
            "name": random.choice(["ab", "c", "def"], rows),
            "x": np.where(random.random(rows) < 0.2, np.nan, random.normal(1e6, 1.0, rows)),
            "n": random.integers(-9, 9, rows),
            "small": random.random(rows).astype("float32"),
        }
    )


def same(found, expected):
    kind = pd.testing.assert_frame_equal if found.ndim == 2 else pd.testing.assert_series_equal
    kind(found.to_pandas(), expected, rtol=1e-6)


@pytest.fixture
def spread(group):
    return px.SpreadFrame(px.from_pandas(data()), group)


@pytest.mark.parametrize("name", sorted(PARTIAL))
def test_aggregations(spread, name):
    host = data()
    columns = ["x", "n", "small"]
    for keys, sort, as_index in itertools.product(
        ("key", ["key"], ["name", "key"], "name"), (True, False), (True, False)
    ):
        options = {"sort": sort, "as_index": as_index}
        expected = getattr(host.groupby(keys, **options)[columns], name)()
        same(getattr(spread.groupby(keys, **options)[columns], name)(), expected)
        if name != "size":
            expected = getattr(host.groupby(keys, **options)["x"], name)()
            same(getattr(spread.groupby(keys, **options)["x"], name)(), expected)


@pytest.mark.parametrize("ddof", [0, 1, 2])
def test_variances_of_few_rows(group, ddof):
    host = data(9)
    spread = px.SpreadFrame(px.from_pandas(host), group)
    for name in ("var", "std"):
        expected = getattr(host.groupby("key")[["x", "n"]], name)(ddof=ddof)
        found = getattr(spread.groupby("key")[["x", "n"]], name)(ddof=ddof)
        same(found, expected)


FORMS = [
    "sum",
    ["min", "max"],
    {"x": "mean", "n": "sum"},
    {"x": ["mean", "std"], "small": ["count"]},
]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_forms_of_agg(spread, form):
    host = data().drop(columns="name")
    spread = spread.drop(columns="name")
    same(spread.groupby("key").agg(form), host.groupby("key").agg(form))


def test_named_pairs(spread):
    host = data()
    named = {"total": ("x", "sum"), "most": ("n", "max"), "rows": ("n", "size")}
    same(spread.groupby("name").agg(**named), host.groupby("name").agg(**named))


def test_gaps_in_keys(group):
    host = data()
    host.loc[::5, "key"] = np.nan
    spread = px.SpreadFrame(px.from_pandas(host), group)
    for dropna in (True, False):
        expected = host.groupby("key", dropna=dropna)["n"].sum()
        same(spread.groupby("key", dropna=dropna)["n"].sum(), expected)


def test_rows_stay_where_they_are(spread, group):
    host = data()
    made = spread.assign(y=lambda f: f.n * 2).query("y > 3")
    expected = host.assign(y=lambda f: f.n * 2).query("y > 3")
    same(made.gather(), expected)
    assert [part.device for part in spread["n"].parts] == [each.name for each in group]
    same(made[made["n"] > 4].gather(), expected[expected["n"] > 4])
    spread["z"] = spread["n"] + 1
    assert np.asarray(spread["z"]).tolist() == (host["n"] + 1).tolist()
    same(spread.head(25), host.assign(z=host.n + 1).head(25))
    assert len(spread) == len(host)
    assert list(spread.columns) == [*host.columns, "z"]
    assert "60" in repr(spread)


def test_methods_of_rows_take_spread_arrays(spread):
    host = data()
    made = spread.assign(y=spread["n"] * 2, z=1)
    same(made.gather(), host.assign(y=host.n * 2, z=1))
    same(spread[["n"]].add(1).gather(), host[["n"]].add(1))
    with pytest.raises(ValueError, match="60 rows"):
        spread.assign(y=spread.group.arange(7))


TEXTS = [
    "x > x.mean()",
    "x > x.mean() and n < n.max() - 2",
    "n.abs() * 2 > n.std()",
    "n == n.min() or n == n.max()",
    "n > n.sum() / n.count()",
    "small.var(ddof=0) < small",
    "name == name.min()",
    "name == ['ab', 'c'] and key in [1, 2, 5]",
    "not name.str.startswith('d') and x.notna()",
    "sqrt(small) > small.mean()",
    "index % 7 == 2",
    "n > @least and `key` > 1",
    "n > n.prod() - 1 and n.any()",
    "n.between(-3, small.max() * 4)",
    "x.fillna(x.min()) < x.mean()",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_see_the_rows_of_all_devices(spread, text):
    least = 2
    host = data()
    same(spread.query(text).gather(), host.query(text))
    assert least == 2


def test_values_of_texts(spread):
    host = data()
    factor = 3
    for text in ("x.mean()", "n.sum() + small.max()", "n.var(ddof=2)", "name.max()"):
        found, expected = spread.eval(text), host.eval(text)
        assert found == (expected if isinstance(expected, str) else pytest.approx(expected))
    assert np.asarray(spread.eval("n * @factor")).tolist() == (host.n * factor).tolist()
    same(
        spread.eval("y = x - x.mean()\nz = y / y.std()").gather(),
        host.eval("y = x - x.mean()\nz = y / y.std()"),
    )
    spread.eval("y = n - n.mean()", inplace=True)
    spread.query("y > 0", inplace=True)
    same(spread.gather(), host.assign(y=host.n - host.n.mean()).query("y > 0"))


FUNCTIONS = {
    "mean": lambda f: f.x - f.x.mean(),
    "standard": lambda f: (f["n"] - f["n"].mean()) / f["n"].std(),
    "text": lambda f: f.name.str.upper(),
    "lengths": lambda f: f.name.str.len() + f.n,
    "gaps": lambda f: f.x.fillna(f.x.min()),
    "reflected": lambda f: 2 - f.n / (1 + f.n.abs()),
    "powers": lambda f: 2.0**f.small - (-f.small),
    "comparison": lambda f: (f.n > f.n.mean()) & ~(f.small <= 0.5) | f.x.isna(),
    "NumPy's ufunc": lambda f: np.sqrt(f.small) + np.maximum(f.n, f.key),
    "a choice": lambda f: f.x.where(f.n > 0, f.small.max()),
    "a number": lambda f: f.n.max(),
    "a function of values": lambda f: f.n.map(lambda v: v * v + 1),
    "another dtype": lambda f: f.n.astype("float32") / f.n.count(),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_see_the_rows_of_all_devices(spread, name):
    host = data()
    same(spread.assign(y=FUNCTIONS[name]).gather(), host.assign(y=FUNCTIONS[name]))


def test_functions_of_frames(spread):
    host = data()[["n", "small"]]
    numbers = spread[["n", "small"]]
    for function in (lambda f: f > f.n.mean(), lambda f: f.abs() < 0.5, lambda f: f.n > f.n.mean()):
        if function(host).ndim == 2:
            same(numbers.where(function).gather(), host.where(function))
            same(numbers.mask(function, -1).gather(), host.mask(function, -1))
    made = spread.assign(a=lambda f: f.n + 1, b=lambda f: f.a.sum() - f.a)
    same(made.gather(), data().assign(a=lambda f: f.n + 1, b=lambda f: f.a.sum() - f.a))
    chosen = spread.assign(y=lambda f: np.where(f.n > 0, f.small, np.median(f.small)))
    expected = data().assign(y=lambda f: np.where(f.n > 0, f.small, np.median(f.small)))
    same(chosen.gather(), expected)
    by_arrays = spread.assign(y=lambda f: spread["n"] * f.n + f.small * spread["n"])
    same(by_arrays.gather(), data().assign(y=lambda f: f.n * f.n + f.small * f.n))


def test_columns_of_no_rows(group):
    host = data().iloc[:0]
    spread = px.SpreadFrame(px.from_pandas(host), group)
    assert np.isnan(spread.eval("x.mean()")) and spread.eval("n.sum()") == 0
    assert len(spread.query("x > x.mean()")) == 0


def test_parts_of_other_dtypes_are_one_array(group):
    host = pd.DataFrame({"n": np.arange(9), "m": np.arange(9)})
    spread = px.SpreadFrame(px.from_pandas(host), group)
    found = spread.where(lambda f: f > 1)["n"]  # NaN on the first device alone
    assert {part.dtype for part in found.parts} == {np.dtype("float64")}
    np.testing.assert_array_equal(np.asarray(found), host.where(host > 1)["n"])


REFUSED = {
    "running sums": (lambda f: f.n.cumsum(), "'cumsum'"),
    "a median": (lambda f: f.n - f.n.median(), "'median'"),
    "ranks": (lambda f: f.n.rank(), "'rank'"),
    "earlier rows": (lambda f: f.n.shift(), "'shift'"),
    "gaps kept": (lambda f: f.x - f.x.mean(skipna=False), "mean with skipna"),
    "one text": (lambda f: f.name.str.cat(), "'cat'"),
    "a mean of the frame": (lambda f: f.n - f.mean(), "'mean' of frames"),
    "groups": (lambda f: f.groupby("key")["n"].transform("sum"), "'transform'"),
    "an array of NumPy's": (lambda f: np.asarray(f.n), "array of NumPy"),
    "labels": (lambda f: f.n.loc[3], "'loc'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_functions_of_one_device_are_refused(spread, name):
    function, words = REFUSED[name]
    with pytest.raises(
        NotImplementedError, match=rf"{words}.*frame\.map\(\.\.\.\)|{words}.*gather"
    ):
        spread.assign(y=function)


def test_texts_of_one_device_are_refused(spread):
    for text in ("n > n.median()", "n.cumsum() > 3", "n.rank() < 9", "n.shift() > 1"):
        with pytest.raises(
            NotImplementedError, match=r"'\w+' of a column is not done over devices"
        ):
            spread.query(text)
    with pytest.raises(AttributeError, match="no attribute 'maen'"):
        spread.query("n > n.maen()")
    with pytest.raises(TypeError, match=r"group\.asarray"):
        spread.assign(y=lambda f: f.n + np.arange(60))
    with pytest.raises(NameError, match="'none'"):
        spread.query("none > 3")


def test_frames_of_spread_arrays(group, went_to_host):
    host = {"x": np.arange(20.0), "n": np.arange(20), "k": ["a", "b"] * 10, "one": 1, "t": "text"}
    mixed = {**host, "x": group.arange(20.0), "n": group.arange(20)}
    expected = pd.DataFrame(host)
    for given in (None, group, px.devices(group[-1].name)):
        spread = px.SpreadFrame(mixed, given)
        assert spread.group == (given or group)
        if given is None:  # each where it was
            assert spread._sizes == mixed["x"].layout.sizes
            assert [part["x"]._parts[0].values.device for part in spread.parts] == [
                each.name for each in group
            ]
            assert not went_to_host
        same(spread.gather(), expected)
    buckets = np.sort(group.asarray(np.array([1.0, 1, 1, 1, 1, 1, 2, 3])))
    uneven = px.SpreadFrame({"x": buckets, "n": range(8)})
    same(uneven.gather(), pd.DataFrame({"x": np.asarray(buckets), "n": range(8)}))
    for split in (0, 1):
        two = np.arange(24.0).reshape(6, 4)
        same(px.SpreadFrame(group.asarray(two, axis=split)).gather(), pd.DataFrame(two))
    same(px.SpreadFrame(group.arange(7)).gather(), pd.DataFrame(np.arange(7)))
    for wrong in ({"x": group.arange(7), "y": [1]}, {"x": group.arange(7), "y": group.arange(6)}):
        with pytest.raises(ValueError, match="same length"):
            px.SpreadFrame(wrong)
    with pytest.raises(ValueError, match="1-dimensional"):
        px.SpreadFrame({"x": group.zeros((4, 2))})


ONE_DEVICE = {
    "a series": lambda f, x: px.Series(x),
    "a series of a dtype": lambda f, x: px.Series(x, dtype="float64"),
    "a frame": lambda f, x: px.DataFrame(x),
    "a frame of columns": lambda f, x: px.DataFrame({"a": x, "b": 1}),
    "a frame of a list": lambda f, x: px.DataFrame([x, x]),
    "an index": lambda f, x: px.Index(x),
    "labels": lambda f, x: px.Series(range(6), index=x),
    "a column set": lambda f, x: f.__setitem__("b", x),
    "a column assigned": lambda f, x: f.assign(b=x),
    "a column inserted": lambda f, x: f.insert(0, "b", x),
    "rows set": lambda f, x: f.loc.__setitem__((slice(None), "a"), x),
    "an operator": lambda f, x: f["a"] + x,
    "an operator of the array": lambda f, x: x * f["a"],
    "an operator of frames": lambda f, x: f - x,
    "a mask": lambda f, x: f[x > 2],
    "rows of a mask": lambda f, x: f.loc[x > 2],
    "a condition": lambda f, x: f["a"].where(x > 2),
    "values to look for": lambda f, x: f["a"].isin(x),
    "groups": lambda f, x: f.groupby(x).sum(),
    "a ufunc": lambda f, x: np.maximum(f["a"], x),
    "a concatenation": lambda f, x: px.concat([f["a"], x]),
}


@pytest.mark.parametrize("name", ONE_DEVICE)
def test_frames_of_one_device_take_no_spread_arrays(group, went_to_host, name):
    frame = px.DataFrame({"a": np.arange(6.0)})
    with pytest.raises((NotImplementedError, TypeError)) as error:
        ONE_DEVICE[name](frame, group.arange(6.0))
    assert not went_to_host
    if error.type is NotImplementedError:
        assert "SpreadFrame" in str(error.value) or "gather" in str(error.value)


def test_rows_of_values_that_are_not_spread_are_not_guessed(spread):
    rows = len(spread.parts[0])
    for values in (np.arange(rows), [1] * rows, px.Series(range(rows))):
        with pytest.raises(TypeError, match=r"group\.asarray"):
            spread.assign(y=values)


def test_the_group_is_one(spread):
    with pytest.raises(TypeError, match=r"phalanx\.devices\(\.\.\.\), not str"):
        px.SpreadFrame(spread.gather(), "all")


def test_what_is_not_there_is_refused_by_name(spread):
    with pytest.raises(NotImplementedError, match="'sort_values'"):
        spread.sort_values("x")
    with pytest.raises(NotImplementedError, match="'median'"):
        spread.groupby("key").median()
    with pytest.raises(NotImplementedError, match="'nunique'"):
        spread.groupby("key").agg({"x": "nunique"})
    with pytest.raises(NotImplementedError, match="'name'"):
        spread["name"]
    with pytest.raises(KeyError):
        spread.groupby("none")
    with pytest.raises(TypeError, match="asarray"):
        spread["y"] = [1, 2, 3]
    with pytest.raises(ValueError, match="60 rows"):
        spread["y"] = spread.group.arange(7)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("dropna", {"axis": 1}),
        ("dropna", {"axis": "columns"}),
        ("fillna", {"value": 0, "limit": 2}),
        ("astype", {"dtype": "category"}),
        ("astype", {"dtype": {"key": "category"}}),
        ("astype", {"dtype": px.CategoricalDtype()}),
    ],
    ids=str,
)
def test_arguments_that_look_at_other_rows_are_refused(spread, name, arguments):
    with pytest.raises(NotImplementedError, match=rf"{name}\(.*gather"):
        getattr(spread, name)(**arguments)
    if name != "dropna":
        with pytest.raises(NotImplementedError, match=rf"{name}\(.*of a column"):
            spread.assign(y=lambda f: getattr(f["x"], name)(**arguments))


def test_arguments_that_look_at_each_row_are_not_refused(spread):
    kinds = px.CategoricalDtype(list(range(-100, 100)))
    whole = spread.gather().to_pandas()
    same(spread.dropna(axis=0).gather(), whole.dropna(axis=0))
    same(spread.fillna(0).gather(), whole.fillna(0))
    same(
        spread.astype({"key": kinds}).gather(),
        whole.astype({"key": pd.CategoricalDtype(list(range(-100, 100)))}),
    )


def test_frames_of_parts(group):
    host = data(60)
    cuts = np.array_split(np.arange(60), len(group))
    parts = [px.from_pandas(host.iloc[rows].reset_index(drop=True)) for rows in cuts]
    spread = px.SpreadFrame.of_parts(group, parts)
    same(spread.groupby("key")["n"].sum(), host.groupby("key")["n"].sum())
    assert [part["n"]._parts[0].values.device for part in spread.parts] == [
        each.name for each in group
    ]
    with pytest.raises(ValueError, match="frames for"):
        px.SpreadFrame.of_parts(group, parts[1:])
    with pytest.raises(ValueError, match="other columns"):
        px.SpreadFrame.of_parts(group, [*parts[1:], parts[0][["n"]]])
    with pytest.raises(TypeError, match="not ndarray"):
        px.SpreadFrame.of_parts(group, [*parts[1:], np.ones(3)])
