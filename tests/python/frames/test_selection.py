"""Reading by labels, positions, masks and slices, against pandas."""

from __future__ import annotations

import numpy as np
import pytest

from .against_pandas import check, check_all, check_program
from .frame_samples import FRAMES, LEVELS, NUMBERS, SERIES

OF_SERIES = {
    "iloc": lambda s: (s.iloc[1], s.iloc[-1]),
    "iloc slice": lambda s: (s.iloc[1:3], s.iloc[::-1], s.iloc[::2]),
    "iloc list": lambda s: s.iloc[[2, 0, -1]],
    "iloc mask": lambda s: s.iloc[[True, False, True, False]],
    "iloc outside": lambda s: s.iloc[9],
    "iloc list outside": lambda s: s.iloc[[9]],
    "iloc label": lambda s: s.iloc["a"],
    "loc": lambda s: s.loc[s.index[1]],
    "loc list": lambda s: s.loc[[s.index[2], s.index[0]]],
    "loc slice": lambda s: s.loc[s.index[1] : s.index[2]],
    "loc mask": lambda s: s.loc[s.isna().to_numpy()],
    "loc series": lambda s: s.loc[s.notna()],
    "loc missing label": lambda s: s.loc["nothing"],
    "loc missing labels": lambda s: s.loc[["nothing"]],
    "loc function": lambda s: s.loc[lambda x: x.notna()],
    "label": lambda s: s[s.index[1]],
    "labels": lambda s: s[[s.index[3]]],
    "slice": lambda s: s[1:3],
    "mask": lambda s: s[[True, False, True, False]],
    "short mask": lambda s: s[[True, False]],
    "missing label": lambda s: s["nothing"],
    "no labels": lambda s: s[[]],
    "in": lambda s: (s.index[0] in s, "nothing" in s),
    "at": lambda s: s.at[s.index[3]],
    "iat": lambda s: (s.iat[3], s.iloc[0]),
    "too many": lambda s: s.loc[1, 2, 3],
}


@pytest.mark.parametrize("name", OF_SERIES)
def test_series(name):
    # pandas takes the mask of other labels for a list of labels here.
    check_all(OF_SERIES[name], SERIES)


OF_FRAMES = {
    "column": lambda d: d["int"],
    "columns": lambda d: d[["str", "int"]],
    "missing column": lambda d: d["nothing"],
    "missing columns": lambda d: d[["int", "nothing"]],
    "rows": lambda d: d[1:3],
    "mask": lambda d: d[d["bool"]],
    "loc row": lambda d: d.loc[d.index[3]],
    "iloc row": lambda d: d.iloc[1],
    "loc both": lambda d: d.loc[d.index[1:3], ["int", "category"]],
    "loc columns": lambda d: (d.loc[:, "int":"str"], d.loc[:, "int"], d.loc[:, ["str"]]),
    "loc element": lambda d: d.loc[d.index[3], "int"],
    "loc mask": lambda d: d.loc[d["bool"], "int"],
    "iloc both": lambda d: (d.iloc[1:3, [0, 2]], d.iloc[[0], 1], d.iloc[:, -1]),
    "iloc element": lambda d: d.iloc[0, 0],
    "at": lambda d: (d.at[d.index[3], "str"], d.iat[3, 2]),
    "get": lambda d: (d.get("int"), d.get("nothing", 3)),
    "in": lambda d: ("int" in d, "nothing" in d, list(d)),
    "attribute": lambda d: (d.int, d.bool),
    "missing attribute": lambda d: d.nothing,
    "head": lambda d: (d.head(1), d.tail(1)),
    "take": lambda d: (d.take([2, 0]), d.take([1, 0], axis=1)),
    "filter": lambda d: (d.filter(like="o"), d.filter(regex="^b"), d.filter(["int", "no"])),
    "select_dtypes": lambda d: (
        d.select_dtypes("number"),
        d.select_dtypes(["object", "bool"]),
        d.select_dtypes(exclude="number"),
    ),
    "frame of bools": lambda d: d[["int", "float"]][d[["int", "float"]] > 1],
}


@pytest.mark.parametrize("name", OF_FRAMES)
def test_frames(name):
    check_all(OF_FRAMES[name], FRAMES, but=("repeated columns", "no columns"))


@pytest.mark.parametrize(
    "read",
    [
        lambda d: d["a"],
        lambda d: d.loc["x", "a"],
        lambda d: d.loc[:, "a"],
        lambda d: d[["a"]],
        lambda d: d.iloc[:, 1],
        lambda d: d.a,
        lambda d: d.clip(0, 1),
        lambda d: d.where(d > 0, d * 10),
        lambda d: d.mask(d > 0),
        lambda d: d.fillna(d * 0 + 1),
        lambda d: d.combine_first(d + 1),
        lambda d: d.explode("a"),
        lambda d: (d.sum(), d.isna(), d + d, d == d, d.describe(), d.T, d.count(axis=1)),
        lambda d: d.to_numpy(),
    ],
)
def test_repeated_columns(read):
    check(read, FRAMES["repeated columns"])


OF_LEVELS = [
    lambda d: d.loc["a"],
    lambda d: d.loc[("a", 2)],
    lambda d: d.loc[("a", 2), "v"],
    lambda d: d.loc["a", "v"],
    lambda d: d.loc[["a"]],
    lambda d: d.loc[[("a", 1), ("b", 2)]],
    lambda d: d.loc[(slice(None), 1), :],
    lambda d: d.loc["a":"b"],
    lambda d: d.loc["nothing"],
    lambda d: d.xs(1, level="y"),
    lambda d: d.xs("a"),
    lambda d: d["v"].loc["b"],
    lambda d: d["v"]["a", 1],
    lambda d: d["v"]["b"],
    lambda d: d.T["a"],
    lambda d: d.T["a", 1],
    lambda d: d.iloc[1],
    lambda d: d.reset_index(),
    lambda d: d.reset_index("y"),
    lambda d: d.reset_index(level=0, drop=True),
    lambda d: d.droplevel("x"),
    lambda d: d.swaplevel(),
    lambda d: d.reorder_levels(["y", "x"]),
    lambda d: d.sort_index(level="y"),
    lambda d: d.sort_index(ascending=False),
    lambda d: d.sort_values(["y", "v"]),
    lambda d: d.drop("a"),
    lambda d: d.drop(1, level="y"),
    lambda d: d.drop(("a", 1)),
    lambda d: d.rename({"a": "A"}, level="x"),
    lambda d: d.query("y == 1"),
    lambda d: d + d.iloc[::-1],
    lambda d: d["v"].reindex([("a", 1), ("z", 1)]),
    lambda d: d.T,
    lambda d: d.to_dict(),
]


@pytest.mark.parametrize("number", range(len(OF_LEVELS)))
def test_levels(number):
    check(OF_LEVELS[number], LEVELS)


RELABELLED = {
    "set_index": lambda d: d.set_index("a"),
    "set_index kept": lambda d: d.set_index("a", drop=False),
    "set_index appended": lambda d: d.set_index(["a", "b"], append=True),
    "set_index array": lambda d: d.set_index([[7, 8, 9, 6], "a"]),
    "set_index missing": lambda d: d.set_index("nothing"),
    "set_index repeated": lambda d: d.set_index("c", verify_integrity=True),
    "reset_index": lambda d: (d.reset_index(), d.rename_axis("k").reset_index(names="n")),
    "rename": lambda d: (
        d.rename(columns={"a": "A"}),
        d.rename(str.upper),
        d.rename(index={"w": 1}),
    ),
    "rename missing": lambda d: d.rename({"no": "P"}, errors="raise"),
    "rename_axis": lambda d: (
        d.rename_axis("k"),
        d.rename_axis(columns="k"),
        d.rename_axis("k", axis=1),
    ),
    "set_axis": lambda d: d.set_axis(["x", "y", "z"], axis=1),
    "set_axis short": lambda d: d.set_axis(["x"], axis=1),
    "add_prefix": lambda d: (d.add_prefix("k_"), d.add_suffix("_k", axis=0)),
    "reindex": lambda d: (
        d.reindex(columns=["a", "q"]),
        d.reindex(["w", "q"]),
        d.reindex(["a"], axis=1),
    ),
    "reindex filled": lambda d: d[["a", "b"]].reindex(["w", "q"], fill_value=0),
    "reindex method": lambda d: d[["a"]].reindex(["w", "xx", "z"], method="ffill"),
    "reindex_like": lambda d: d.reindex_like(d.iloc[1:, :2]),
    "drop": lambda d: (
        d.drop(columns="a"),
        d.drop("w"),
        d.drop(["a"], axis=1),
        d.drop(index=["x", "y"]),
    ),
    "drop missing": lambda d: d.drop(columns="nothing"),
    "drop ignored": lambda d: d.drop(columns=["nothing", "a"], errors="ignore"),
    "droplevel": lambda d: d.droplevel(0),
    "truncate": lambda d: (d.truncate("x", "y"), d.truncate(after="x")),
    "align": lambda d: d.align(d.iloc[1:, :2], join="inner"),
    "align rows": lambda d: d.align(d["a"].iloc[::-1], axis=0),
    "squeeze": lambda d: (d[["a"]].squeeze(), d.iloc[:1].squeeze(), d.iloc[:1, :1].squeeze()),
    "transpose": lambda d: (d[["a", "b"]].T, d[["a"]].T, d.iloc[:0].T),
    "sort_index": lambda d: (
        d.sort_index(axis=1, ascending=False),
        d.sort_index(key=lambda x: x[::-1]),
    ),
    "pipe": lambda d: (d.pipe(len), d.pipe((lambda x, frame: len(frame) + x, "frame"), 2)),
}


@pytest.mark.parametrize("name", RELABELLED)
def test_relabelled(name):
    check(RELABELLED[name], NUMBERS)


def test_mask_of_other_labels():
    def program(lib):
        frame = lib.DataFrame({"a": [1, 2, 3]}, index=["x", "y", "z"])
        return frame[lib.Series([True, False, True], index=["z", "y", "x"])]

    check_program(program)


def test_unalignable_mask():
    def program(lib):
        frame = lib.DataFrame({"a": [1, 2, 3]}, index=["x", "y", "z"])
        return frame[lib.Series([True, False], index=["z", "y"])]

    check_program(program)


def test_sample_of_a_seed_is_that_of_pandas():
    check(lambda d: d.sample(3, random_state=1), NUMBERS)
    check(lambda d: d.sample(frac=0.5, random_state=np.random.default_rng(3)), NUMBERS)
    check(lambda d: d.sample(9, replace=True, random_state=1, weights="a"), NUMBERS)


SHAPES = {
    "no rows": FRAMES["no rows"][["int", "float", "str"]],
    "no columns": FRAMES["no columns"],
    "one row": FRAMES["str"].iloc[:1][["int", "float", "bool", "str"]],
}
OF_SHAPES = {
    "sum": lambda d: d.sum(),
    "sum of rows": lambda d: d.sum(axis=1, numeric_only=True),
    "count": lambda d: (d.count(), d.count(axis=1)),
    "any": lambda d: (d.any(), d.all(axis=1)),
    "min": lambda d: d.min(numeric_only=True),
    "isna": lambda d: (d.isna(), d.dropna(), d.dropna(axis=1)),
    "reset_index": lambda d: d.reset_index(),
    "transpose": lambda d: d.T,
    "duplicated": lambda d: (d.duplicated(), d.drop_duplicates()),
    "operators": lambda d: (d == d, d + d),
    "corr": lambda d: (d.corr(numeric_only=True), d.cov(numeric_only=True)),
    "values": lambda d: d.values,
    "dicts": lambda d: (d.to_dict("list"), d.to_dict("records")),
    "tuples": lambda d: [tuple(each) for each in d.itertuples()],
    "astype": lambda d: (d.astype(object), d.dtypes.astype(str)),
    "apply": lambda d: (d.apply(lambda s: s.count()), d.agg("count")),
    "quantile": lambda d: d.quantile(numeric_only=True),
    "masked": lambda d: d[d.notna()],
    "assign": lambda d: d.assign(z=1),
    "empty": lambda d: (d.empty, d.shape, d.size),
    "filter": lambda d: (d.filter(like="a"), d.select_dtypes("number")),
    "replace": lambda d: (d.replace(1, 2), d.isin([1])),
    "describe": lambda d: d.describe(),
    "align": lambda d: d.align(d.iloc[:0])[0],
    "sort": lambda d: d.sort_values(list(d.columns[:1])),
    "sample": lambda d: d.sample(frac=1, random_state=1),
}


@pytest.mark.parametrize("name", OF_SHAPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape, name):
    check(OF_SHAPES[name], SHAPES[shape])
