"""Frames under narwhals' names, by which scikit-learn and plotly find columns and dtypes."""

import pandas as pd
import pytest

import phalanx as px

nw = pytest.importorskip("narwhals.stable.v2")


def frame(m):
    category = m.Series(["u", "v", "u"], dtype="category")
    days = m.date_range("2024-02-28", periods=3)
    return m.DataFrame({"x": [1, 2, 3], "y": [2.0, None, 8.0], "t": ["a", "b", "a"]}).assign(
        c=category, d=days
    )


def rows(made):
    """Rows as text: what is missing is no equal of itself."""
    return [[str(each) for each in row] for row in made.rows()]


PROGRAMS = {
    "schema": lambda f: str(f.schema),
    "shape and names": lambda f: (f.shape, f.columns),
    "column": lambda f: f["x"].to_numpy().tolist(),
    "rows by number": lambda f: rows(f[[2, 0], ["x", "t"]]),
    "slice": lambda f: rows(f[1:]),
    "filter": lambda f: rows(f.filter(nw.col("x") > 1)),
    "mask": lambda f: rows(f.filter([True, False, True])),
    "new columns": lambda f: rows(f.with_columns(z=nw.col("x") * 2, w=nw.col("y").cum_sum())),
    "when": lambda f: rows(f.select(nw.when(nw.col("x") > 1).then(1).otherwise(0).alias("q"))),
    "texts and dates": lambda f: rows(
        f.select(nw.col("t").str.to_uppercase(), nw.col("d").dt.year())
    ),
    "groups": lambda f: rows(f.group_by("t").agg(nw.col("x").sum()).sort("t")),
    "join": lambda f: rows(f.join(f, on="x")),
    "concat": lambda f: rows(nw.concat([f, f])),
    "sort": lambda f: rows(f.sort("y", descending=True)),
    "unpivot": lambda f: rows(f.unpivot(["y"], index="x")),
    "unique": lambda f: f.drop_nulls().unique("t").shape,
    "indices": lambda f: (f["x"] > 1).arg_true().to_list(),
    "lazy": lambda f: f.lazy().collect().shape,
    "mean of a series": lambda f: f["x"].mean(),
    "dict": lambda f: f.select("x", "t").to_dict(as_series=False),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_pandas_frames(name):
    program = PROGRAMS[name]
    assert program(nw.from_native(frame(px))) == program(nw.from_native(frame(pd)))


def test_what_comes_back_is_ours():
    given = nw.from_native(frame(px))
    assert type(given.filter(nw.col("x") > 1).to_native()) is px.DataFrame
    assert type(nw.from_native(frame(px)["x"], series_only=True).to_native()) is px.Series
    assert type(given.to_pandas()) is pd.DataFrame
    assert given.__native_namespace__() is px
    assert not given.implementation.is_pandas()


def test_narwhals_makes_ours():
    pytest.importorskip("narwhals", minversion="2.28")  # which takes other modules as `backend`
    assert type(nw.new_series("a", [1, 2], backend=px).to_native()) is px.Series
    assert type(nw.from_dict({"a": [1]}, backend=px).to_native()) is px.DataFrame


def test_labels_that_are_there_twice():
    with pytest.raises(nw.exceptions.DuplicateError):
        nw.from_native(px.DataFrame([[1, 2]], columns=["a", "a"]))


def test_column_transformer():
    compose = pytest.importorskip("sklearn.compose")
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    made = []
    for m in (px, pd):
        given = frame(m)
        steps = [
            ("number", preprocessing.StandardScaler(), ["x"]),
            ("text", preprocessing.OneHotEncoder(), compose.make_column_selector("t|c")),
        ]
        fitted = compose.ColumnTransformer(steps).fit(given)
        names = fitted.get_feature_names_out().tolist()
        made.append((names, fitted.transform(given.iloc[::-1]).tolist()))
    assert made[0] == made[1]
