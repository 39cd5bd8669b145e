"""Text and HTML of series and frames: as pandas writes them, letter by letter."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from phalanx.errors import OptionError

import phalanx as px

from .against_pandas import check, check_all, ours
from .frame_samples import COLUMNS, EMPTY, FRAMES, LEVELS, NUMBERS, SERIES

LONG = pd.DataFrame(
    {"number": np.arange(100), "square": np.arange(100.0) ** 2, "text": ["abc"] * 100}
)
WIDE = pd.DataFrame({f"column {i}": np.arange(3) * i for i in range(30)})
LARGE = pd.DataFrame(np.arange(4000).reshape(100, 40))
FLOATS = {
    "small": [1e-9, 1.0],
    "large": [1e12, 1.5],
    "both": [1e-9, 1e12],
    "whole": [1.0, 2.0],
    "infinite": [np.inf, -np.inf, 1.5],
    "negative": [-1.25, 100.5, np.nan],
    "digits": [1 / 3, 2 / 3, 1e6 / 3],
    "zero": [0.0, -0.0],
    "complex": [1 + 2j, 1.5j, np.nan],
}
TIMES = {
    "dates": pd.to_datetime(["2020-01-01", None]),
    "times": pd.to_datetime(["2020-01-01 10:00", "2020-01-01"], format="ISO8601"),
    "fractions": pd.to_datetime(["2020-01-01 10:00:00.125", "2020-01-01"], format="ISO8601"),
    "days": pd.to_timedelta([1, -2], unit="D"),
    "hours": pd.to_timedelta([1, -2], unit="h"),
    "milliseconds": pd.to_timedelta([1, -2, None], unit="ms"),
}
OBJECTS = {
    "mixed": [1, "a", None, 2.5, np.nan, (1, 2), [1.23456789], {"k": 1}],
    "lines": ["a\nb", "tab\tx"],
    "long": ["x" * 80, "y"],
    "wide letters": ["ä", "漢字"],
}


@pytest.mark.parametrize("kind", [FLOATS, TIMES, OBJECTS], ids=["floats", "times", "objects"])
def test_cells(kind):
    series = {name: pd.Series(values) for name, values in kind.items()}
    check_all(repr, series)
    check_all(lambda s: repr(s.to_frame("a")), series)
    check_all(lambda s: repr(s.set_axis(s.index.astype(str))), series)
    labels = {name: pd.Series(1, index=pd.Index(each)) for name, each in series.items()}
    check_all(repr, labels, but=("mixed",))


def test_series():
    check_all(repr, SERIES)
    check_all(repr, EMPTY)
    check_all(lambda s: s.to_string(), SERIES)


def test_frames():
    # A shape without columns is the same, its text has no labels to show.
    check_all(repr, FRAMES)
    check_all(lambda d: d.to_string(), FRAMES)


def test_html():
    check_all(lambda d: d._repr_html_(), FRAMES)
    check_all(lambda d: d.to_html(), FRAMES)


LAYOUTS = [LONG, WIDE, LARGE, LEVELS, LEVELS.T, LONG.set_index(["text", "number"]), LARGE.T]


@pytest.mark.parametrize("number", range(len(LAYOUTS)))
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("display.max_rows", 20),
        ("display.max_rows", 7, "display.min_rows", None),
        ("display.max_columns", 4),
        ("display.max_columns", 20),
        ("display.width", 40, "display.max_columns", 20),
        ("display.expand_frame_repr", False),
        ("display.show_dimensions", True),
        ("display.precision", 2),
        ("display.max_colwidth", 5),
        ("display.colheader_justify", "left"),
        ("display.multi_sparse", False),
        ("display.chop_threshold", 100),
    ],
)
def test_options(number, options):
    frame = LAYOUTS[number]

    def text(of):
        context = pd.option_context if isinstance(of, pd.DataFrame) else px.option_context
        with context(*options):
            return repr(of), repr(of.iloc[:, 0])

    check(text, frame)


@pytest.mark.parametrize(
    "keywords",
    [
        {"index": False}, {"header": False}, {"na_rep": "-"}, {"float_format": "%.1f"},
        {"float_format": "{:.3f}".format}, {"float_format": "{:,.2f}"}, {"columns": ["b"]},
        {"col_space": 10}, {"col_space": {"a": 8}}, {"justify": "left"}, {"max_rows": 2},
        {"max_cols": 2}, {"show_dimensions": True}, {"decimal": ","}, {"header": ["x", "y", "z"]},
        {"formatters": {"a": "<{}>".format}}, {"formatters": [str, str, str]}, {"line_width": 12},
        {"header": ["x"]}, {"index_names": False}, {"nothing": 1},
    ],
)  # fmt: skip
def test_to_string(keywords):
    check(lambda d: d.to_string(**keywords), NUMBERS)
    check(lambda d: d.rename_axis("k").to_string(**keywords), NUMBERS)


@pytest.mark.parametrize(
    "keywords",
    [
        {"index": False}, {"header": False}, {"classes": "a b"}, {"border": 0}, {"table_id": "t"},
        {"bold_rows": False}, {"max_rows": 2}, {"max_cols": 2}, {"show_dimensions": True},
        {"escape": False}, {"justify": "left"}, {"na_rep": "-"}, {"index_names": False},
    ],
)  # fmt: skip
def test_to_html(keywords):
    check(lambda d: d.to_html(**keywords), NUMBERS.rename(columns={"a": "<a>"}))
    check(lambda d: d.rename_axis("k").rename_axis("c", axis=1).to_html(**keywords), NUMBERS)
    check(lambda d: d.to_html(**keywords), LEVELS)


def printed(of, **keywords):
    buffer = io.StringIO()
    of.info(buf=buffer, **keywords)
    text = buffer.getvalue()
    return text[text.index("\n") :]  # without the class


def test_info():
    check_all(lambda d: printed(d, memory_usage=False), FRAMES)
    check_all(lambda s: printed(s, memory_usage=False), SERIES)
    check(lambda d: printed(d, memory_usage=False, verbose=False), NUMBERS)
    check(lambda d: printed(d, memory_usage=False, show_counts=False), NUMBERS)
    check(lambda d: printed(d, memory_usage=False, max_cols=2), NUMBERS)
    assert "memory usage: " in printed(ours(NUMBERS))


def test_to_a_file(tmp_path):
    frame = ours(NUMBERS)
    frame.to_string(tmp_path / "frame.txt")
    assert (tmp_path / "frame.txt").read_text() == NUMBERS.to_string()


def test_names_of_options():
    with px.option_context("max_rows", 3, "display.precision", 1):
        assert px.get_option("display.max_rows") == 3
        assert px.get_option("precision") == 1
    assert px.get_option("display.max_rows") == 60
    with pytest.raises(KeyError, match="nothing"):
        px.set_option("nothing", 1)
    with pytest.raises(KeyError, match="multiple keys"):
        px.get_option("max_")
    with pytest.raises(ValueError, match="pairs"):
        px.set_option("display.max_rows")
    px.set_option("display.max_rows", 5)
    px.reset_option("display.max_rows")
    assert px.get_option("display.max_rows") == 60


@pytest.mark.parametrize("name", sorted(pd._config.config._registered_options))
def test_options_of_pandas_are_there_with_its_defaults(name):
    """All but those of files and styles, which are not there; what has no effect says so."""
    if name.startswith(("io.", "styler.", "plotting.matplotlib", "future.infer_freq")):
        with pytest.raises(KeyError, match="No such"):
            px.get_option(name)
        return
    px.reset_option(name)
    # Not what is set: importing Dask's frames sets some of them.
    assert px.get_option(name) == pd._config.config._registered_options[name].defval
    if name.startswith("future."):
        with pytest.raises(NotImplementedError, match=name):
            px.set_option(name, not px.get_option(name))
    assert issubclass(OptionError, (KeyError, AttributeError))


def test_kinds_of_columns_are_all_printed():
    assert set(COLUMNS) <= set(ours(FRAMES["range"]).columns)
