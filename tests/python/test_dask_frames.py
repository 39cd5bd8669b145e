"""Frames as the partitions of Dask's, and the same programs with pandas' partitions."""

from importlib.util import find_spec

import pytest

pytestmark = pytest.mark.skipif(
    find_spec("dask") is None or find_spec("pandas") is None, reason="Dask is not installed"
)
needs_distributed = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)
START = """
import numpy as np
import pandas as pd
import dask
import dask.dataframe as dd
import phalanx as px

dask.config.set({"scheduler": "sync", "dataframe.convert-string": False})
host = pd.DataFrame({
    "key": [3, 1, 2, 1, 3, 2, 1, 3],
    "number": [1.5, np.nan, 2.0, 4.0, -1.0, 8.0, 0.0, 3.0],
    "text": ["a", "b", None, "a", "c", "b", "a", "c"],
    "kind": pd.Categorical(["x", "y", "x", "y", "x", "x", "y", "y"]),
    "day": pd.date_range("2026-01-01", periods=8),
}, index=pd.Index(range(10, 90, 10), name="row"))
theirs = dd.from_pandas(host, npartitions=3)
ours = dd.from_pandas(px.from_pandas(host), npartitions=3)
_KINDS = (px.DataFrame, px.Series, px.Index)

def check(made, expected, ordered=True):
    made = made.compute() if hasattr(made, "compute") else made
    expected = expected.compute() if hasattr(expected, "compute") else expected
    if isinstance(expected, (pd.DataFrame, pd.Series, pd.Index)):
        assert isinstance(made, _KINDS), type(made)
        made = made.to_pandas()
    if isinstance(expected, pd.DataFrame):
        order = [] if ordered else sorted(expected.columns)
        made, expected = (
            (x.sort_values(order).reset_index(drop=True) if order else x) for x in (made, expected)
        )
        pd.testing.assert_frame_equal(made, expected)
    elif isinstance(expected, pd.Series):
        pd.testing.assert_series_equal(made, expected)
    elif isinstance(expected, pd.Index):
        pd.testing.assert_index_equal(made, expected)
    else:
        assert made == expected or np.isclose(made, expected)
"""


def test_what_dask_computes_of_our_frames(run_installed):
    run_installed(
        START
        + """
for call in (
    lambda d: d,
    lambda d: d[["key", "text"]],
    lambda d: d[d.number > 0],
    lambda d: d.assign(twice=d.number * 2, upper=d.text.str.upper()),
    lambda d: d.number.sum(),
    lambda d: d.number.mean(),
    lambda d: d.number.std(),
    lambda d: d.text.count(),
    lambda d: d.key.nunique(),
    lambda d: d.number.fillna(0).cumsum(),
    lambda d: d.groupby("key").number.sum(),
    lambda d: d.groupby("key").agg({"number": ["min", "mean"], "day": "max"}),
    lambda d: d.groupby("kind", observed=True).number.var(),
    lambda d: d.groupby("text", dropna=False).size(),
    lambda d: d.set_index("key").number,
    lambda d: d.sort_values("number"),
    lambda d: d.nlargest(3, "number"),
    lambda d: d.text.value_counts().to_frame().sort_values(["count"]).tail(1),
    lambda d: d.drop_duplicates("key").sort_values("row"),
    lambda d: dd.concat([d, d]),
    lambda d: d.loc[30:60],
    lambda d: d.loc[:, "number":],
    lambda d: d.loc[30:, [True, False, True, False, False]],
    lambda d: d.loc[:, lambda part: part.columns.str.contains("e")],
    lambda d: d[d.columns],
    lambda d: d.dropna(subset="text").set_index("text").number.sum(),
    lambda d: d.dropna().sort_values("text").key.sum(),
    lambda d: d.partitions[1],
    lambda d: d.map_partitions(lambda part: part.head(1)),
    lambda d: d.day.dt.month,
    lambda d: d.text.astype("category").cat.as_known().cat.codes,
    lambda d: d.number.rolling(2).mean(),
    lambda d: d.key.isin([1, 3]),
    lambda d: len(d),
    lambda d: d.columns.tolist(),
    lambda d: d.number.quantile(0.5),
):
    check(call(ours), call(theirs))
# Numbers meet categories of numbers, by hashes of rows.
numbers = pd.DataFrame({"A": pd.Categorical([0, 1, 5, 1]), "B": list("abcd")})
texts = pd.DataFrame({"C": list("wxyz")})
made, expected = (
    dd.merge(dd.from_pandas(as_ours(texts), 2), dd.from_pandas(as_ours(numbers), 2),
             left_index=True, right_on="A").compute()
    for as_ours in (px.from_pandas, lambda frame: frame)
)
assert sorted(made.B.tolist()) == sorted(expected.B.tolist()) == ["a", "b", "d"]
for left in ("inner", "left", "outer"):
    right = px.DataFrame({"key": [1, 2, 5], "other": ["p", "q", "r"]})
    made = ours.merge(dd.from_pandas(right, npartitions=2), on="key", how=left)
    other = dd.from_pandas(right.to_pandas(), npartitions=2)
    check(made, theirs.merge(other, on="key", how=left), ordered=False)
"""
    )


@pytest.mark.parametrize("method", ["tasks", "disk"])
def test_shuffles(run_installed, method):
    run_installed(
        START
        + f"""
made = ours.shuffle("text", shuffle_method={method!r}, npartitions=4)
expected = theirs.shuffle("text", shuffle_method={method!r}, npartitions=4)
for i in range(4):  # the same rows go to the same partition: the hashes are pandas'
    a = made.partitions[i].compute().to_pandas().sort_index()
    b = expected.partitions[i].compute().sort_index()
    pd.testing.assert_frame_equal(a, b)
"""
    )


def test_the_back_end(run_installed, tmp_path):
    run_installed(
        START
        + f"""
folder = {str(tmp_path)!r}
host[:5].to_csv(folder + "/all.0.csv")
host[5:].to_csv(folder + "/all.1.csv")
with dask.config.set({{"dataframe.backend": "phalanx"}}):
    check(dd.from_dict({{"a": [1, 2, 3]}}, npartitions=2), pd.DataFrame({{"a": [1, 2, 3]}}))
    read = dd.read_csv(folder + "/all.*.csv")
    assert isinstance(read._meta, px.DataFrame) and read.npartitions == 2
    check(read.number.sum(), host.number.sum())
    ours.to_parquet(folder + "/set")
    check(dd.read_parquet(folder + "/set"), host)
    some = dd.read_parquet(folder + "/set", columns=["text"], filters=[("key", "==", 1)])
    check(some.sort_values("row"), host.loc[host.key == 1, ["text"]])
check(dd.read_parquet(folder + "/set").to_backend("phalanx"), host)
assert isinstance(ours.to_backend("pandas").compute(), pd.DataFrame)
check(theirs.to_backend("phalanx"), host)
check(theirs.number.to_backend("phalanx"), host.number)
"""
    )


@pytest.mark.parametrize("first", ["frame", "array", "series"])
def test_sizes_of_rows_without_dasks_frames(run_installed, first):
    # As in workers, which count the bytes of what a future holds.
    run_installed(f"""
import sys
import numpy as np
import phalanx as px
from dask.sizeof import sizeof

makes = {{
    "array": lambda: px.zeros(1000),
    "series": lambda: px.Series(np.zeros(1000)),
    "frame": lambda: px.DataFrame({{"x": np.zeros(1000)}}),
    "index": lambda: px.Index(np.arange(1000)),
}}
for name in sorted(makes, key=lambda name: name != {first!r}):
    assert 8000 <= sizeof(makes[name]()) < 8200, name
assert "dask.dataframe" not in sys.modules
""")


def test_what_is_registered(run_installed):
    run_installed(
        START
        + """
import pickle
from dask.base import tokenize
from dask.dataframe.dispatch import concat, make_meta, meta_nonempty, union_categoricals
from dask.sizeof import sizeof
frame = px.from_pandas(host)
for each in (frame, frame.number, frame.index, frame.set_index(["key", "text"]).index):
    empty = make_meta(each)
    assert len(empty) == 0 and type(empty) is type(each)
    assert len(meta_nonempty(empty)) == 2 and type(meta_nonempty(empty)).__name__ != ""
    assert tokenize(each) == tokenize(pickle.loads(pickle.dumps(each, protocol=5)))
    assert sizeof(each) >= 24
assert meta_nonempty(make_meta(frame)).dtypes.astype(str).equals(frame.dtypes.astype(str))
changed = frame.copy()
changed.iloc[0, 0] = 7
renamed = frame.rename(columns={"key": "k"})
assert len({tokenize(each) for each in (frame, changed, renamed, frame[:7], host)}) == 5
described = make_meta({"a": "i8", "b": "str"}, parent_meta=frame)
assert described.dtypes.astype(str).tolist() == ["int64", "str"]
assert make_meta(("a", "f4"), parent_meta=frame).dtype == np.float32
parts = [px.Series(px.Categorical(each)) for each in (["a", "b"], ["c"], [])]
assert list(concat(parts).cat.categories) == ["a", "b", "c"]
assert list(union_categoricals(parts).categories) == ["a", "b", "c"]
"""
    )


def test_tables_give_the_labels_of_the_empty_partition(run_installed):
    """A shuffle puts a column of numbers of partitions beside the others, whatever their labels."""
    run_installed(
        START
        + """
from dask.dataframe.dispatch import from_pyarrow_table_dispatch, to_pyarrow_table_dispatch
frame = px.DataFrame({0: ["a", "b"], 1: [1, 2], "_partitions": [0, 1]})
table = to_pyarrow_table_dispatch(frame)
made = from_pyarrow_table_dispatch(frame.iloc[:0], table)
assert list(made.columns) == [0, 1, "_partitions"]
px.testing.assert_frame_equal(made, frame)
"""
    )


def test_tables_have_categories_that_the_empty_partition_does_not_know(run_installed):
    run_installed(
        START
        + """
from dask.dataframe.dispatch import from_pyarrow_table_dispatch, to_pyarrow_table_dispatch
frame = px.DataFrame({"x": px.Categorical([3, 1, 3])})
unknown = px.DataFrame({"x": px.Categorical([], categories=["__UNKNOWN_CATEGORIES__"])})
made = from_pyarrow_table_dispatch(unknown, to_pyarrow_table_dispatch(frame))
px.testing.assert_frame_equal(made, frame)
"""
    )


def test_partitions_of_delayed_calls(run_installed):
    """Dask compares their dtypes with those that it is told."""
    run_installed(
        START
        + """
parts = [dask.delayed(px.from_pandas)(host[i : i + 4]) for i in (0, 4)]
check(dd.from_delayed(parts, meta=px.from_pandas(host[:2])), host)
texts = [dask.delayed(px.Series)(["a", "b"], name="text")]
told = px.Series(["c"], name="text")
check(dd.from_delayed(texts, meta=told), pd.Series(["a", "b"], name="text"))
for told, words in (
    ({"key": "text"}, "| 'key'  | int64 | str      |"),
    ({"more": 1}, "| 'more' | -     | int64    |"),
):
    meta = px.from_pandas(host[:2]).assign(**told)
    try:
        dd.from_delayed(parts, meta=meta).compute()
    except ValueError as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)
"""
    )


def test_rows_of_a_table_are_not_made_what_dask_was_told(run_installed):
    run_installed(
        START
        + """
from dask.dataframe.dispatch import from_pyarrow_table_dispatch, to_pyarrow_table_dispatch
frame = px.DataFrame({"x": [3, 1], "y": ["one", "two"], "z": [1, 2]})
told = px.DataFrame({"x": ["a"], "y": [1], "z": [0.5]})
made = from_pyarrow_table_dispatch(told.iloc[:0], to_pyarrow_table_dispatch(frame))
assert made.x.tolist() == [3, 1] and made.y.tolist() == ["one", "two"]
assert made.z.dtype == np.float64 and made.z.tolist() == [1, 2]
"""
    )


@needs_distributed
def test_workers(run_installed):
    run_installed(
        START
        + """
if __name__ == "__main__":
    from distributed import Client
    with Client(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None):
        dask.config.set(scheduler=None)
        for method in ("p2p", "tasks"):
            made = ours.shuffle("key", shuffle_method=method).compute(scheduler="distributed")
            assert isinstance(made, px.DataFrame)
            check(made.sort_index(), host)
        number = px.DataFrame({"kind": px.Categorical([3, 1, 3, 2]), "row": [0, 1, 2, 3]})
        unknown = dd.from_pandas(number, npartitions=2)
        unknown["kind"] = unknown.kind.cat.as_unknown()
        made = unknown.shuffle("row", shuffle_method="p2p").compute(scheduler="distributed")
        assert isinstance(made.kind.dtype, px.CategoricalDtype), made.dtypes
        assert made.sort_values("row").kind.tolist() == [3, 1, 3, 2]
"""
    )
