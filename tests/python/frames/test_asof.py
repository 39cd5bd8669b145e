"""`px.merge_asof` and `px.merge_ordered` beside pandas, by table."""

import datetime

import numpy as np
import pytest

import phalanx as px

from .against_pandas import attempt, same_kind
from .test_merge_index import same

pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.usefixtures("device")

DIRECTIONS = ["backward", "forward", "nearest"]
DRAW = np.random.default_rng(3)


def key_of(kind, numbers):
    numbers = np.sort(np.asarray(numbers))
    if kind == "float":
        return numbers / 2
    if kind == "Int64":
        return pd.array(numbers, dtype="Int64")
    if kind == "zoned":
        return pd.DatetimeIndex(numbers.astype("M8[s]"), tz="UTC")
    if kind in ("M8[s]", "M8[ns]", "m8[us]"):
        return numbers.astype(kind)
    return numbers.astype(kind)


KINDS = [
    "int64",
    "int8",
    "uint16",
    "float",
    "float32",
    "Int64",
    "M8[s]",
    "M8[ns]",
    "m8[us]",
    "zoned",
]


def sides(kind, rows=(12, 9)):
    left = pd.DataFrame(
        {
            "t": key_of(kind, DRAW.integers(0, 30, rows[0])),
            "g": DRAW.choice(list("abc"), rows[0]),
            "v": np.arange(rows[0]),
        }
    )
    right = pd.DataFrame(
        {
            "t": key_of(kind, DRAW.integers(0, 30, rows[1])),
            "g": DRAW.choice(list("abe"), rows[1]),
            "w": np.arange(rows[1]) * 1.5,
            "s": DRAW.choice(list("xy"), rows[1]),
        }
    )
    return left, right


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_those_of_pandas(kind, exact, direction):
    keywords = {"direction": direction, "allow_exact_matches": exact}
    for by in ({}, {"by": "g"}, {"left_by": ["g"], "right_by": ["s"]}):
        same(
            *sides(kind),
            lambda lib, left, right, by=by: lib.merge_asof(left, right, on="t", **by, **keywords),
        )


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("rows", [(0, 4), (4, 0), (0, 0), (1, 1)])
def test_sides_without_rows(rows, direction):
    for by in (None, "g"):
        same(
            *sides("int64", rows),
            lambda lib, left, right, by=by: lib.merge_asof(
                left, right, on="t", by=by, direction=direction
            ),
        )


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(
    ("kind", "tolerance"),
    [
        ("int64", 1),
        ("float", 0.5),
        ("float", 1),
        ("M8[s]", datetime.timedelta(seconds=2)),
        ("M8[ns]", pd.Timedelta(1, "ns")),
        ("m8[us]", pd.Timedelta(1, "us")),
        ("int64", 0),
    ],
)
def test_tolerance(kind, tolerance, direction):
    same(
        *sides(kind),
        lambda lib, left, right: lib.merge_asof(
            left, right, on="t", tolerance=tolerance, direction=direction
        ),
    )


@pytest.mark.parametrize("by", [None, "g", ["g", "h"]])
@pytest.mark.parametrize("where", ["left", "right", "both"])
@pytest.mark.parametrize("named", [False, True])
def test_indexes_are_keys(where, by, named):
    left, right = sides("int64")
    left["h"], right["h"] = left["v"] % 2, np.arange(len(right)) % 2
    keywords = {}
    for side in ("left", "right"):
        if where in (side, "both"):
            frame = (left if side == "left" else right).set_index("t")
            frame.index.name = "when" if named else None
            left, right = (frame, right) if side == "left" else (left, frame)
            keywords[f"{side}_index"] = True
        else:
            keywords[f"{side}_on"] = "t"
    same(left, right, lambda lib, left, right: lib.merge_asof(left, right, by=by, **keywords))


def test_keys_of_other_names_and_suffixes():
    left, right = sides("int64")
    right = right.rename(columns={"t": "u"})
    right["v"] = 3
    for keywords in ({}, {"suffixes": ("_l", None)}, {"suffixes": ("", "_r"), "by": "g"}):
        same(
            left,
            right,
            lambda lib, left, right, keywords=keywords: lib.merge_asof(
                left, right, left_on="t", right_on="u", **keywords
            ),
        )


@pytest.mark.parametrize("dtype", ["category", "float64", "Int64", "M8[s]", "object"])
def test_groups_of_other_dtypes(dtype):
    left, right = sides("int64")
    for frame in (left, right):
        codes = frame["g"].map({"a": 1, "b": 2, "c": 3, "d": 4})
        frame["g"] = (
            pd.Categorical(frame["g"], categories=list("abcd"))
            if dtype == "category"
            else codes.astype(dtype)
        )
    same(left, right, lambda lib, left, right: lib.merge_asof(left, right, on="t", by="g"))


WRONG = {
    "unsorted": ({"on": "v"}, {"v": [3, 1, 2]}),
    "missing": ({"on": "v"}, {"v": [1.0, np.nan, 2]}),
    "text": ({"on": "g"}, {}),
    "two keys": ({"on": ["t", "v"]}, {"v": [1, 2, 3]}),
    "direction": ({"on": "t", "direction": "up"}, {}),
    "exact": ({"on": "t", "allow_exact_matches": "no"}, {}),
    "by twice": ({"on": "t", "by": "g", "left_by": "g"}, {}),
    "by missing": ({"on": "t", "left_by": "g"}, {}),
    "by lengths": ({"on": "t", "left_by": ["g"], "right_by": ["g", "t"]}, {}),
    "tolerance": ({"on": "t", "tolerance": 0.5}, {}),
    "tolerance below 0": ({"on": "t", "tolerance": -1}, {}),
    "tolerance of time": ({"on": "t", "tolerance": datetime.timedelta(1)}, {}),
    "dtypes": ({"on": "v"}, {"v": [1.5, 2, 3]}),
    "dtypes of groups": ({"on": "t", "left_by": "g", "right_by": "t"}, {}),
    "no key": ({}, {}),
    "no such column": ({"on": "nothing"}, {}),
    "index and column": ({"left_index": True, "left_on": "t"}, {}),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told(name):
    keywords, columns = WRONG[name]
    left = pd.DataFrame({"t": [1, 2, 3], "g": list("abc"), "v": [1, 2, 3]})
    right = left.assign(**columns).drop(columns=[] if columns else ["v"])
    if "dtypes" not in name:
        left = left.assign(**columns)
    _, error = attempt(lambda: pd.merge_asof(left, right, **keywords))
    _, own = attempt(lambda: px.merge_asof(px.from_pandas(left), px.from_pandas(right), **keywords))
    assert error is not None
    assert own is not None
    assert same_kind(error, own) or isinstance(own, type(error)), (error, own)


def ordered_sides():
    left = pd.DataFrame({"k": list("aceaceb"), "x": [1, 2, 3, 1, 2, 3, 9], "g": list("pppqqqr")})
    right = pd.DataFrame({"k": list("bcd"), "y": [1.5, 2.5, 3.5]})
    return left, right


@pytest.mark.parametrize("how", ["outer", "left", "right", "inner"])
@pytest.mark.parametrize("fill", [None, "ffill"])
@pytest.mark.parametrize("by", [{}, {"left_by": "g"}, {"left_by": ["g", "x"]}])
def test_ordered(how, fill, by):
    keywords = {"on": "k", "how": how, "fill_method": fill, **by}
    same(*ordered_sides(), lambda lib, left, right: lib.merge_ordered(left, right, **keywords))


def test_ordered_by_the_right_side():
    left, right = ordered_sides()
    same(
        right,
        left,
        lambda lib, left, right: lib.merge_ordered(left, right, on="k", right_by="g"),
    )
    other = pd.DataFrame({"k": list("bcd"), "g": list("pqq"), "y": [1.5, 2.5, 3.5]})
    same(left, other, lambda lib, left, right: lib.merge_ordered(left, right, on="k", left_by="g"))
    same(
        left,
        right.rename(columns={"k": "l"}),
        lambda lib, left, right: lib.merge_ordered(
            left, right, left_on="k", right_on="l", fill_method="ffill"
        ),
    )


@pytest.mark.parametrize(
    "keywords",
    [
        {"on": "k", "fill_method": "bfill"},
        {"on": "k", "left_by": "g", "right_by": "k"},
        {"on": "k", "left_by": "z"},
        {"on": "k", "right_by": ["z"]},
        {"on": "z"},
        {"on": "k", "how": "some"},
    ],
)
def test_wrong_orders(keywords):
    left, right = ordered_sides()
    _, error = attempt(lambda: pd.merge_ordered(left, right, **keywords))
    _, own = attempt(
        lambda: px.merge_ordered(px.from_pandas(left), px.from_pandas(right), **keywords)
    )
    assert error is not None
    assert own is not None
    assert same_kind(error, own)
