"""What is computed with two frames, or columns, of different devices is refused: nothing moves."""

import numpy as np
import pytest
from device_group import NAMES

import phalanx as px

HOME, ELSEWHERE = NAMES[:2]
CALLS = {
    "merge": lambda f, g: f.merge(g, on="a"),
    "px.merge": lambda f, g: px.merge(f, g, on="a"),
    "merge_asof": lambda f, g: px.merge_asof(f, g, on="a"),
    "join": lambda f, g: f.join(g, rsuffix="_other"),
    "concat": lambda f, g: px.concat([f, g]),
    "concat of columns": lambda f, g: px.concat([f, g], axis=1),
    "assign": lambda f, g: f.assign(z=g["a"]),
    "set a column": lambda f, g: f.__setitem__("z", g["a"]),
    "set by loc": lambda f, g: f.loc.__setitem__((slice(None), "a"), g["a"]),
    "a dict of columns": lambda f, g: px.DataFrame({"a": f["a"], "b": g["a"]}),
    "a list of columns": lambda f, g: px.concat([f["a"], g["b"]]),
    "fillna": lambda f, g: f.fillna(g),
    "isin": lambda f, g: f["a"].isin(g["a"]),
    "map": lambda f, g: f["a"].map(g["b"]),
    "groupby": lambda f, g: f.groupby(g["k"]).sum(numeric_only=True),
    "a mask": lambda f, g: f[g["a"] > 1],
    "a mask by loc": lambda f, g: f.loc[g["a"] > 1],
    "where": lambda f, g: f["a"].where(f["a"] > 1, g["a"]),
    "align": lambda f, g: f.align(g),
    "add columns": lambda f, g: f["a"] + g["a"],
    "add frames": lambda f, g: f[["a"]] + g[["a"]],
    "compare": lambda f, g: f["a"] == g["a"],
    "str.cat": lambda f, g: f["k"].str.cat(g["k"]),
    "set_index": lambda f, g: f.set_index(g["a"]),
    "update": lambda f, g: f.update(g),
    "combine_first": lambda f, g: f.combine_first(g),
    "corrwith": lambda f, g: f[["a"]].corrwith(g[["a"]]),
    "equals": lambda f, g: f.equals(g),
    "an array": lambda f, g: f["a"] + px.asarray([1, 2, 3], device=ELSEWHERE),
}


def frame(device):
    with px.device(device):
        return px.DataFrame({"a": [1, 2, 3], "b": [1.0, np.nan, 3.0], "k": ["x", "y", "x"]})


@pytest.mark.parametrize("name", CALLS)
def test_frames_of_two_devices_are_refused(name):
    CALLS[name](frame(HOME), frame(HOME)) if name != "an array" else None
    given = frame(HOME)
    with pytest.raises(ValueError, match=f"different devices, {HOME} and {ELSEWHERE}: bring"):
        CALLS[name](given, frame(ELSEWHERE))
    px.testing.assert_frame_equal(given, frame(HOME))


def test_the_way_that_the_error_names():
    with px.device(HOME):
        brought = px.from_pandas(frame(ELSEWHERE).to_pandas())
    assert (frame(HOME)["a"] + brought["a"]).tolist() == [2, 4, 6]
