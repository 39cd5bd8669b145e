"""Plots of groups beside pandas': which axes there are, and what is on them."""

import numpy as np
import pandas as pd
import pytest

import phalanx as px

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def frame(m):
    draw = np.random.default_rng(1)
    return m.DataFrame(
        {
            "a": draw.normal(size=12),
            "b": [*draw.uniform(size=11), None],
            "g": list("xyz") * 4,
            "h": [1, 2] * 6,
        }
    )


def told(drawn):
    """What axes have on them, in the order in which they are given back."""
    if isinstance(drawn, (px.Series, pd.Series)):
        return {str(key): told(value) for key, value in zip(drawn.index, drawn, strict=True)}
    if isinstance(drawn, np.ndarray):
        return [list(drawn.shape), [told(each) for each in drawn.ravel()]]
    if not drawn.get_visible():
        return None
    legend = drawn.get_legend()
    lines = [np.round(np.asarray(each.get_ydata(), float), 9).tolist() for each in drawn.lines]
    heights = [round(getattr(each, "get_height", float)(), 9) for each in drawn.patches]
    return {
        "lines": [str(each) for each in lines],  # NaN is no equal of itself
        "names": [str(each.get_label()) for each in drawn.lines],
        "heights": heights,
        "points": len(drawn.collections),
        "texts": (drawn.get_title(), drawn.get_xlabel(), drawn.get_ylabel()),
        "ticks": [each.get_text() for each in drawn.get_xticklabels()],
        "legend": legend and [each.get_text() for each in legend.get_texts()],
    }


PLOTS = {
    "plot": lambda f: f.groupby("g").plot(),
    "kind": lambda f: f.groupby("g")[["a", "b"]].plot(kind="bar"),
    "method": lambda f: f.groupby("g").plot.scatter(x="a", y="b"),
    "series": lambda f: f.groupby("g").a.plot(legend=True),
    "series, histograms": lambda f: f.groupby("g").a.plot.hist(),
    "two keys": lambda f: f.groupby(["g", "h"]).a.plot(),
    "hist": lambda f: f.groupby("g").hist(),
    "hist of a series": lambda f: f.groupby("g").b.hist(bins=3),
    "boxplot": lambda f: f.groupby("g").boxplot(),
    "boxplot of a column": lambda f: f.groupby("g").boxplot(column="a", rot=45),
    "boxplots in one": lambda f: f.groupby("g").boxplot(subplots=False, column=["a", "b"]),
    "boxplot by": lambda f: f.boxplot(by="g"),
    "boxplot of columns by": lambda f: f.boxplot(column=["a", "b"], by="g"),
    "boxplot of a column by": lambda f: f.boxplot(column="b", by="g", grid=False),
    "boxplot in a row": lambda f: f.boxplot(by="g", layout=(1, 3)),
    "hist by": lambda f: f.hist(column="a", by="g", bins=4),
    "hist of a series by": lambda f: f.a.hist(by=f.g),
    "boxes again": lambda f: [f[["a", "b"]].boxplot(), f[["a", "b"]].boxplot()][1],
}


@pytest.mark.parametrize("name", PLOTS)
def test_as_pandas(name):
    wanted = told(PLOTS[name](frame(pd)))
    plt.close("all")
    assert told(PLOTS[name](frame(px))) == wanted


def test_names_are_there():
    groups = frame(px).groupby("g")
    assert {"bar", "scatter", "hist"} <= set(dir(groups.plot))
    with pytest.raises(AttributeError, match="no plot 'nothing'"):
        groups.plot.nothing()
    with pytest.raises(KeyError, match="nothing"):
        frame(px).boxplot(by="nothing")
