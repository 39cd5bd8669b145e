"""What moves rows gives the same by a GPU's kernels as by the host's operators.

On the CPU device the kernels run there, as if its arrays were in a GPU's memory.
"""

import numpy as np
import pytest
from phalanx._arrays.ndarray import ndarray
from phalanx._frames import engine

import phalanx as px

ROWS = 60


def frame(seed: int) -> px.DataFrame:
    """Columns of each kind that has keys on a GPU, with missing values in them."""
    rng = np.random.default_rng(seed)
    texts = np.array(["b", "a", "longer than eight", "", "ä"], object)
    made = px.DataFrame(
        {
            "i": rng.integers(-3, 3, ROWS),
            "f": np.where(rng.random(ROWS) < 0.2, np.nan, np.round(rng.normal(size=ROWS), 1)),
            "d": np.datetime64("2026-01-01") + rng.integers(0, 4, ROWS).astype("m8[D]"),
            "s": texts[rng.integers(0, 5, ROWS)],
            "v": rng.random(ROWS) * 8 // 1,
        }
    )
    made["n"] = made["i"].where(made["i"] != 0).astype("Int64")
    made["t"] = made["s"].where(made["f"].notna(), None)
    made["c"] = made["s"].astype("category")
    return made


KEYS = [["i"], ["f"], ["d"], ["s"], ["n"], ["t"], ["c"], ["i", "t"], ["f", "d", "n"]]
HOW = ["inner", "left", "right", "outer", "left_anti"]
AGGREGATIONS = [
    "sum", "mean", "min", "max", "var", "median", "first", "last", "count", "nunique", "size",
    "prod", "any", "all", "skew", "idxmin",
]  # fmt: skip
FOR_ROWS = {
    "cumsum": lambda g: g[["v", "f", "n"]].cumsum(),
    "cummax": lambda g: g[["v", "f", "d"]].cummax(),
    "cumcount": lambda g: g.cumcount(ascending=False),
    "shift": lambda g: g.shift(2),
    "fill_value": lambda g: g["v"].shift(-1, fill_value=0),
    "ffill": lambda g: g.ffill(limit=1),
    "rank": lambda g: g[["v", "f", "t"]].rank(method="dense", ascending=False),
    "rank of missing": lambda g: g["f"].rank(na_option="top", pct=True),
    "head": lambda g: g.head(2),
    "tail": lambda g: g.tail(-1),
    "nth": lambda g: g.nth([0, -1]),
    "nlargest": lambda g: g["v"].nlargest(2),
    "transform": lambda g: g[["v", "n"]].transform("mean"),
    "ngroup": lambda g: g.ngroup(),
    "value_counts": lambda g: g["i"].value_counts(),
    "unique": lambda g: g["v"].unique(),
    "corr": lambda g: g[["v", "f"]].corr(),
    "describe": lambda g: g["f"].describe(),
    "user": lambda g: g["v"].agg(lambda values: values.max() - values.min()),
}
OF_FRAMES = {
    "sort": lambda t: t.sort_values(["t", "f", "i"], ascending=[False, True, False]),
    "missing first": lambda t: t.sort_values(["f", "c"], na_position="first", ignore_index=True),
    "sort down": lambda t: t["n"].sort_values(ascending=False),
    "drop_duplicates": lambda t: t.drop_duplicates(["i", "t"], keep="last"),
    "duplicated": lambda t: t.duplicated(["s"], keep=False),
    "value_counts": lambda t: t["t"].value_counts(dropna=False),
    "of frames": lambda t: t[["i", "s"]].value_counts(),
    "unique": lambda t: t["s"].unique(),
    "factorize": lambda t: t["d"].factorize()[0],
    "nunique": lambda t: t.nunique(),
    "rank": lambda t: t[["f", "v"]].rank(),
    "filter": lambda t: t[t["v"] > 3],
    "nlargest": lambda t: t.nlargest(5, ["v", "i"]),
    "pivot": lambda t: t.pivot_table("v", "i", "s", "sum"),
}


@pytest.fixture
def by_kernels(device, monkeypatch):
    """A function that calls another one with the kernels, as if arrays were on a GPU."""

    def call(function):
        with monkeypatch.context() as patch:
            patch.setattr(engine, "is_on_gpu", lambda array: isinstance(array, ndarray))
            return function()

    return call


@pytest.fixture
def on_host():
    """A function that calls another one with the current device being the host."""

    def call(function):
        with px.device("cpu"):
            return function()

    return call


def text_of(value: object) -> str:
    """What there is to compare: labels, dtypes, and values to nine places."""
    if isinstance(value, (px.DataFrame, px.Series)):
        table = value if isinstance(value, px.DataFrame) else value.to_frame("values")
        rounded = table.round(9)
        for label in rounded.select_dtypes("float64"):
            rounded[label] = rounded[label] + 0.0  # sums in another order may be -0
        return f"{rounded.index!r}\n{dict(rounded.dtypes)}\n{rounded.to_csv()}"
    return repr(value)


def check(function, by_kernels, on_host):
    wanted = on_host(lambda: text_of(function(frame(1), frame(2))))
    assert by_kernels(lambda: text_of(function(frame(1), frame(2)))) == wanted


@pytest.mark.parametrize("name", AGGREGATIONS)
def test_aggregations(name, by_kernels, on_host):
    for keys in (["i"], ["t"], ["f", "d", "n"]):
        for sort in (True, False):

            def aggregate(table, _, keys=keys, sort=sort):
                groups = table.groupby(keys, sort=sort, dropna=sort)
                columns = ["v"] if name == "idxmin" else ["v", "f"]
                return groups.size() if name == "size" else getattr(groups[columns], name)()

            check(aggregate, by_kernels, on_host)


@pytest.mark.parametrize("name", FOR_ROWS)
def test_values_for_rows_of_groups(name, by_kernels, on_host):
    for keys in (["i"], ["t"], ["f", "n"]):
        check(lambda t, _, keys=keys: FOR_ROWS[name](t.groupby(keys)), by_kernels, on_host)


@pytest.mark.parametrize("how", HOW)
def test_merges(how, by_kernels, on_host):
    for keys in KEYS:
        check(lambda t, u, keys=keys: t.merge(u, how=how, on=keys), by_kernels, on_host)


@pytest.mark.parametrize("name", OF_FRAMES)
def test_frames(name, by_kernels, on_host):
    check(lambda t, _: OF_FRAMES[name](t), by_kernels, on_host)
