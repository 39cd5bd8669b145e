"""Plots beside pandas': the data that is drawn, the labels, and what is refused."""

import numpy as np
import pytest

import phalanx as px

pd = pytest.importorskip("pandas")
matplotlib = pytest.importorskip("matplotlib")

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]

matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

DRAW = np.random.default_rng(4)
FRAME = pd.DataFrame(
    {"a": [3, 1, 4, 1, 5], "b": [2.5, np.nan, 1, 0.5, 3], "c": [1.0, 2, 3, 4, 5]},
    index=pd.Index([10, 20, 30, 45, 50], name="when"),
)
FRAMES = {
    "numbers": FRAME,
    "texts": FRAME.set_axis(list("vwxyz")),
    "with text": FRAME.assign(t=list("pqrst"), f=[True, False, True, True, False]),
    "levels": FRAME.set_axis(pd.MultiIndex.from_product([["u"], range(5)], names=["k", "l"])),
    "named": FRAME.rename_axis("kind", axis=1),
    "nullable": FRAME.astype({"a": "Int64", "b": "Float64"}),
    "one row": FRAME.iloc[:1],
}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def texts(labels):
    return [each.get_text() for each in labels]


def lines_of(axes):
    return [np.ma.filled(np.ma.asarray(each.get_xydata(), float), np.nan) for each in axes.lines]


def patches_of(axes):
    made = []
    for each in axes.patches:
        if hasattr(each, "get_height"):
            made.append([each.get_x(), each.get_y(), each.get_width(), each.get_height()])
        elif hasattr(each, "get_xy"):
            made.append(np.asarray(each.get_xy()))
        else:
            made.append([each.r, each.theta1, each.theta2, 0])
    return made


def legend_of(axes):
    legend = axes.get_legend()
    return None if legend is None else (texts(legend.get_texts()), legend.get_title().get_text())


def colors_of(axes):
    things = [*axes.lines, *(each for each in axes.patches)]
    found = [
        each.get_color() if hasattr(each, "get_color") else each.get_facecolor() for each in things
    ]
    return [matplotlib.colors.to_hex(each) for each in found]


def described(axes):
    """What can be seen of one plot."""
    axes.figure.canvas.draw()
    return {
        "lines": lines_of(axes),
        "patches": patches_of(axes),
        "points": [np.asarray(each.get_offsets()) for each in axes.collections],
        "areas": [each.get_paths()[0].vertices for each in axes.collections if each.get_paths()],
        "colors": colors_of(axes),
        "legend": legend_of(axes),
        "labels": (axes.get_xlabel(), axes.get_ylabel(), axes.get_title()),
        "scales": (axes.get_xscale(), axes.get_yscale()),
        "limits": (axes.get_xlim(), axes.get_ylim()),
        "ticks": (texts(axes.get_xticklabels()), texts(axes.get_yticklabels())),
        "rotation": {each.get_rotation() for each in axes.get_xticklabels()},
        "size": axes.figure.get_size_inches().tolist(),
    }


def equal(found, wanted):
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        for name in wanted:
            try:
                equal(found[name], wanted[name])
            except AssertionError as error:
                raise AssertionError(f"{name}: {found[name]} instead of {wanted[name]}") from error
    elif isinstance(wanted, (list, tuple)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            equal(one, other)
    elif isinstance(wanted, (np.ndarray, float)):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
    else:
        assert found == wanted


def same_plot(thing, draw, but=()):
    wanted = draw(thing)
    of_pandas = [described(each) for each in np.ravel(wanted)]
    plt.close("all")
    found = draw(px.from_pandas(thing))
    assert np.shape(found) == np.shape(wanted)
    for one, other in zip(np.ravel(found), of_pandas, strict=True):
        mine = described(one)
        for name in but:
            mine.pop(name), other.pop(name)
        equal(mine, other)
    plt.close("all")


KINDS = ["line", "bar", "barh", "hist", "box", "area"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FRAMES)
def test_kinds(name, kind):
    same_plot(FRAMES[name], lambda frame: frame.plot(kind=kind))
    same_plot(FRAMES[name]["a"], lambda series: series.plot(kind=kind))
    same_plot(FRAMES[name]["b"].rename(None), lambda series: getattr(series.plot, kind)())


KEYWORDS = {
    "columns": {"x": "c", "y": "a"},
    "several": {"y": ["a", "c"]},
    "places": {"x": 2, "y": 0},
    "label": {"y": "a", "label": "other"},
    "title": {"title": "Title", "xlabel": "x axis", "ylabel": "y axis"},
    "size": {"figsize": (3, 2), "grid": True, "rot": 45, "fontsize": 7},
    "no legend": {"legend": False},
    "reversed": {"legend": "reverse"},
    "colors": {"color": ["r", "g", "b"]},
    "one color": {"color": "k"},
    "colors by name": {"color": {"a": "red", "b": "blue", "c": "green"}},
    "map": {"colormap": "viridis"},
    "limits": {"xlim": (0, 3), "ylim": (0, 9)},
    "without index": {"use_index": False},
    "stacked": {"y": ["a", "c"], "stacked": True},
    "beside": {"y": ["a", "c"], "stacked": False},
    "alpha": {"alpha": 0.3},
    "ticks": {"yticks": [0, 2, 4]},
}


@pytest.mark.parametrize("kind", ["line", "bar", "barh", "area", "hist"])
@pytest.mark.parametrize("name", KEYWORDS)
def test_keywords(name, kind):
    keywords = dict(KEYWORDS[name])
    if kind == "hist":
        keywords.pop("x", None)
    same_plot(FRAME, lambda frame: frame.plot(kind=kind, **keywords))


def test_scales():
    for keywords in ({"logy": True}, {"logx": True}, {"loglog": True}, {"logy": "sym"}):
        same_plot(FRAME, lambda frame, keywords=keywords: frame.plot(**keywords))
        same_plot(FRAME, lambda frame, keywords=keywords: frame.plot.bar(**keywords))


def test_styles():
    for style in ("--", ["r-", "g:", "b."], {"a": "k--"}, "o"):
        same_plot(FRAME, lambda frame, style=style: frame.plot(style=style))
    same_plot(FRAME, lambda frame: frame.plot(marker="o", linewidth=3))


@pytest.mark.parametrize("kind", ["line", "bar", "area", "hist", "box"])
@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"layout": (2, 2)},
        {"layout": (-1, 2), "legend": False},
        {"title": ["p", "q", "r"]},
        {"sharex": False},
    ],
)
def test_subplots(kind, keywords):
    def described_few(frame):
        found = frame.plot(kind=kind, subplots=True, **keywords)
        return np.shape(found), [
            (lines_of(each), patches_of(each), each.get_title(), legend_of(each))
            for each in np.ravel(found)
            if each.get_visible()
        ]

    wanted = described_few(FRAME)
    plt.close("all")
    equal(described_few(px.from_pandas(FRAME)), wanted)


def test_given_axes():
    for thing in (FRAME, FRAME["a"]):
        figure, axes = plt.subplots()
        assert px.from_pandas(thing).plot(ax=axes) is axes
        assert len(axes.lines) == (3 if thing is FRAME else 1)
        assert figure.axes == [axes]
    plt.close("all")
    mine = px.from_pandas(FRAME)
    first = mine["a"].plot()
    assert mine["c"].plot(legend=True) is first
    assert len(first.lines) == 2
    figure, axes = plt.subplots(3)
    assert mine.plot(subplots=True, ax=axes).tolist() == axes.tolist()


@pytest.mark.parametrize("kind", ["bar", "barh"])
@pytest.mark.parametrize(
    "keywords",
    [
        {"width": 0.9},
        {"align": "edge"},
        {"position": 0},
        {"position": 1, "stacked": True},
        {"align": "edge", "stacked": True},
        {"log": True},
        {"edgecolor": "k"},
    ],
)
def test_bars(kind, keywords):
    same_plot(FRAME, lambda frame: frame.plot(kind=kind, **keywords))
    same_plot(FRAME - 2, lambda frame: frame.plot(kind=kind, stacked=True))
    same_plot(FRAME["a"], lambda series: series.plot(kind=kind, color=list("rgbck"), **keywords))


@pytest.mark.parametrize(
    "keywords",
    [
        {"bins": 4},
        {"bins": [0, 2, 6]},
        {"range": (0, 4)},
        {"stacked": True},
        {"density": True},
        {"orientation": "horizontal"},
        {"cumulative": True},
        {"weights": np.arange(1, 6)},
        {"histtype": "step"},
    ],
)
def test_histograms(keywords):
    same_plot(FRAME, lambda frame: frame.plot.hist(**keywords))
    if "weights" not in keywords and "stacked" not in keywords:
        same_plot(FRAME["b"], lambda series: series.hist(**keywords))
        same_plot(FRAME, lambda frame: frame.hist(**keywords))


def test_tables_of_histograms():
    wider = pd.DataFrame({f"c{i}": DRAW.normal(size=20) for i in range(6)}).assign(t="x")
    for keywords in (
        {},
        {"layout": (2, 3)},
        {"column": "c1"},
        {"column": ["c1", "c2"]},
        {"legend": True, "bins": 5},
        {"grid": False, "figsize": (8, 8)},
    ):
        same_plot(wider, lambda frame, keywords=keywords: frame.hist(**keywords))
    with pytest.raises(ValueError, match="numerical"):
        px.DataFrame({"t": ["x"]}).hist()


def test_boxes():
    for keywords in ({}, {"color": "r"}, {"vert": False}, {"showfliers": False}):
        same_plot(FRAME, lambda frame, keywords=keywords: frame.plot.box(**keywords))
    for keywords in ({}, {"column": ["a", "b"]}, {"rot": 30, "grid": False}, {"fontsize": 5}):
        # pandas 3.1 makes grays of matplotlib's colors there.
        same_plot(FRAME, lambda frame, keywords=keywords: frame.boxplot(**keywords), but=["colors"])
    assert set(px.from_pandas(FRAME).boxplot(return_type="dict")) >= {"boxes", "medians"}


def test_pies():
    same_plot(FRAME["a"], lambda series: series.plot.pie())
    same_plot(FRAME["a"].rename(None), lambda series: series.plot.pie(autopct="%.1f", legend=True))
    same_plot(FRAME, lambda frame: frame.plot.pie(y="b"))
    same_plot(FRAME, lambda frame: frame.plot.pie(subplots=True, labels=list("vwxyz")))
    with pytest.raises(ValueError, match="y column"):
        px.from_pandas(FRAME).plot.pie()
    with pytest.raises(ValueError, match="negative"):
        px.Series([1, -1]).plot.pie()


def test_points():
    for keywords in (
        {},
        {"s": 5},
        {"s": "c"},
        {"c": "red"},
        {"c": "c"},
        {"c": "a"},
        {"color": "g"},
        {"c": "c", "colormap": "viridis"},
        {"c": "c", "colorbar": False},
        {"marker": "x"},
        {"c": ["r", "g", "b", "k", "y"]},
        {"label": "points"},
    ):

        def draw(frame, keywords=keywords):
            return frame.plot.scatter(x="a", y="b", **keywords)

        wanted = draw(FRAME)
        points = wanted.collections[0]
        seen = (
            points.get_offsets().data,
            points.get_sizes(),
            points.get_array(),
            points.get_facecolor(),
            len(wanted.figure.axes),
            wanted.get_xlabel(),
            legend_of(wanted),
        )
        plt.close("all")
        found = draw(px.from_pandas(FRAME))
        points = found.collections[0]
        mine = (
            points.get_offsets().data,
            points.get_sizes(),
            points.get_array(),
            points.get_facecolor(),
            len(found.figure.axes),
            found.get_xlabel(),
            legend_of(found),
        )
        equal(mine, seen)
        plt.close("all")
    with pytest.raises(ValueError, match="x and y"):
        px.from_pandas(FRAME).plot(kind="scatter", x="a")
    with pytest.raises(TypeError, match="exactly one"):
        px.from_pandas(FRAME).plot.scatter("a", "b", c="r", color="r")


def test_hexagons():
    many = pd.DataFrame({"x": DRAW.normal(size=200), "y": DRAW.normal(size=200), "z": 1.5})
    for keywords in ({}, {"gridsize": 5}, {"C": "z", "reduce_C_function": np.sum}):
        wanted = many.plot.hexbin("x", "y", **keywords).collections[0]
        found = px.from_pandas(many).plot.hexbin("x", "y", **keywords).collections[0]
        equal(found.get_array().data, wanted.get_array().data)
        equal(found.get_offsets().data, wanted.get_offsets().data)


def test_densities():
    pytest.importorskip("scipy")
    for keywords in ({}, {"bw_method": 0.3}, {"ind": 50}, {"ind": [0.0, 1, 2]}):
        same_plot(FRAME, lambda frame, keywords=keywords: frame.plot.kde(**keywords))
    same_plot(FRAME["a"], lambda series: series.plot.density())


def test_dates():
    days = pd.DatetimeIndex(["2020-01-01", "2020-01-03", "2020-01-10", "2020-02-01", "2020-03-01"])
    axes = px.from_pandas(FRAME.set_axis(days)).plot()
    assert axes.lines[0].get_xdata().tolist() == days.to_numpy().tolist()
    assert axes.lines[0].get_ydata().tolist() == FRAME["a"].tolist()
    wanted = FRAME.set_axis(days).plot().lines[0]
    equal(axes.lines[0].get_xydata(), wanted.get_xydata())


def test_what_is_wrong_is_told():
    frame = px.from_pandas(FRAME)
    for error, match, call in (
        (ValueError, "plot kind", lambda: frame.plot(kind="other")),
        (KeyError, "nothing", lambda: frame.plot(y="nothing")),
        (TypeError, "no numeric data", lambda: px.DataFrame({"t": ["x"]}).plot()),
        (TypeError, "no numeric data", lambda: px.Series(["x"]).plot()),
        (TypeError, "positional", lambda: frame["a"].plot("bar")),
        (ValueError, "data frames", lambda: frame["a"].plot(kind="scatter")),
        (ValueError, "title", lambda: frame.plot(title=["a"])),
        (ValueError, "title", lambda: frame.plot(title=["a"], subplots=True)),
        (ValueError, "Layout", lambda: frame.plot(subplots=True, layout=(1, 1))),
        (ValueError, "logy", lambda: frame.plot(logy="other")),
        (ValueError, "both positive", lambda: (frame - 2).plot.area()),
        (ValueError, "label", lambda: frame.plot(y=["a", "b"], label="x")),
    ):
        with pytest.raises(error, match=match):
            call()
    for keywords in ({"secondary_y": True}, {"yerr": "c"}, {"table": True}, {"backend": "plotly"}):
        with pytest.raises(NotImplementedError, match=next(iter(keywords))):
            frame.plot(**keywords)
