"""Windows and bins of time by a GPU's kernels beside the host's operators.

On the CPU device the kernels run there, as if its arrays were in a GPU's memory.
"""

import itertools

import numpy as np
import pytest
from phalanx._grouping import windows

import phalanx as px

from .test_operators_by_place import by_kernels, on_host  # noqa: F401

ROWS = 331
METHODS = {
    "count": (), "sum": (), "mean": (), "var": (), "std": (0,), "sem": (), "skew": (), "kurt": (),
    "min": (), "max": (), "first": (), "last": (), "median": (), "quantile": (0.3,), "rank": (),
    "nunique": (),
}  # fmt: skip


def frame():
    """Numbers of each kind with missing ones, infinities and values far from zero; times."""
    draw = np.random.default_rng(7)
    holes = np.where(draw.random(ROWS) < 0.2, np.nan, draw.normal(size=ROWS))
    holes[draw.random(ROWS) < 0.02] = np.inf
    made = px.DataFrame(
        {
            "f": holes,
            "far": draw.normal(size=ROWS) + 1e9,
            "n": draw.integers(-9, 9, ROWS),
            "s": draw.normal(size=ROWS).astype(np.float32),
            "b": draw.random(ROWS) < 0.5,
            "none": np.full(ROWS, np.nan),
            "k": draw.integers(0, 4, ROWS),
        }
    )
    made["m"] = made["n"].where(made["n"] != 0).astype("Int64")
    times = np.datetime64("2026-01-01") + np.cumsum(draw.integers(0, 4000, ROWS)).astype("m8[s]")
    made.index = px.DatetimeIndex(times)
    return made


NUMBERS = ["f", "far", "n", "s", "b", "none", "m"]
WINDOWS = {
    **{f"{width}": lambda t, w=width: t.rolling(w, min_periods=min(w, 2)) for width in (1, 7, 60)},
    "none": lambda t: t.rolling(0),
    "all": lambda t: t.rolling(1000, min_periods=0),
    "center": lambda t: t.rolling(10, center=True, min_periods=3),
    "step": lambda t: t.rolling(9, step=4),
    "left": lambda t: t.rolling(4, closed="left"),
    "neither": lambda t: t.rolling(70, closed="neither", min_periods=5),
    "time": lambda t: t.rolling("6h"),
    "time both": lambda t: t.rolling("90min", closed="both", min_periods=2),
    "time center": lambda t: t.rolling("1D", center=True, closed="neither"),
    "expanding": lambda t: t.expanding(3),
}
OF_GROUPS = {
    "rolling": lambda t: t.groupby("k")[["f", "n"]].rolling(9, min_periods=2),
    "time": lambda t: t.groupby("k")[["f", "n"]].rolling("12h"),
    "expanding": lambda t: t.groupby("k")[["f", "n"]].expanding(),
}
BINS = ["sum", "mean", "max", "count", "size", "ohlc", "std", "median", "first", "nunique"]
RULES = ["37min", "1D", "ME", "10000D"]


@pytest.fixture
def check(by_kernels, on_host, monkeypatch):  # noqa: F811
    """Compares what a function gives of a frame by kernels with what the host gives."""
    monkeypatch.setenv("PHALANX_ARRAY_KERNELS", "gpu")

    def compare(function, name=""):
        wanted = on_host(lambda: function(frame()))
        made = by_kernels(lambda: function(frame()))
        one, other = (
            each.to_frame("x") if isinstance(each, px.Series) else each for each in (made, wanted)
        )
        assert one.index.equals(other.index)
        assert dict(one.dtypes) == dict(other.dtypes)
        for label in other.columns:
            np.testing.assert_allclose(
                *(np.asarray(each[label].to_numpy(), float) for each in (one, other)),
                rtol=1e-12, atol=1e-12, err_msg=f"{name} {label}",
            )  # fmt: skip

    return compare


@pytest.mark.parametrize("method", METHODS)
def test_windows(method, check):
    given = METHODS[method]
    for name, window in WINDOWS.items():
        check(lambda t, of=window: getattr(of(t[NUMBERS]), method)(*given), name)


@pytest.mark.parametrize("method", ["cov", "corr"])
def test_pairs(method, check):
    for name in ("7", "60", "time"):
        check(lambda t, of=WINDOWS[name]: getattr(of(t["f"]), method)(t["n"]), name)


def test_windows_of_groups(check):
    for name, method in itertools.product(OF_GROUPS, ("sum", "max", "std", "median")):
        check(lambda t, name=name, method=method: getattr(OF_GROUPS[name](t), method)(), name)


def test_decaying_windows(check):
    for method in ("mean", "std"):
        check(lambda t, method=method: getattr(t[["f", "n"]].ewm(com=3), method)(), method)


@pytest.mark.parametrize("method", BINS)
def test_bins(method, check):
    for rule in RULES:
        check(lambda t, rule=rule: getattr(t[["f", "n", "m"]].resample(rule), method)(), rule)
    check(lambda t: getattr(t[["n"]].iloc[::-1].resample("1h"), method)(), "down")


def test_only_kinds_of_order_go_to_the_host(by_kernels, monkeypatch):  # noqa: F811
    kinds = []

    def slide(rows, bounds, requests):
        kinds.extend(each["kind"] for each in requests)
        return of_kernels(rows, bounds, requests)

    of_kernels = windows.slide
    monkeypatch.setattr(windows, "slide", slide)
    table = frame()
    for method in METHODS:
        by_kernels(lambda method=method: getattr(table["f"].rolling(5), method)(*METHODS[method]))
    assert kinds == ["sum", *[each for each in METHODS if each in windows.KINDS]]


def test_kinds_of_order_are_the_hosts(device):
    with pytest.raises(ValueError, match="median"):
        windows.slide(1, (1, 0, 1, 1), [{"kind": "median", "values": px.zeros(1)}])
