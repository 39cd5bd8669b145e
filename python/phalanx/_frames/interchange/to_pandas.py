"""Our objects as pandas'."""

from __future__ import annotations

from typing import Any

from ..columns import Column
from ..columns import of_pandas as columns_of_pandas
from ..columns.unread import read_together


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("to_pandas needs pandas: pip install pandas") from None
    return pandas


def pandas_index(index: Any) -> Any:
    """An index of pandas with the same labels and names."""
    pandas = _pandas()
    if type(index).__name__ == "RangeIndex":
        return pandas.RangeIndex(index.start, index.stop, index.step, name=index.name)
    if index.nlevels > 1 or type(index).__name__ == "MultiIndex":
        levels = [pandas_index(index.get_level_values(i)) for i in range(index.nlevels)]
        return pandas.MultiIndex.from_arrays(levels, names=list(index.names))
    return pandas.Index(pandas_column(index._values_column()), name=index.name)


def pandas_column(column: Column) -> Any:
    """A series of pandas with the values of a column."""
    _pandas()
    return columns_of_pandas.to_pandas(column)


def pandas_series(series: Any) -> Any:
    """A series of pandas."""
    made = pandas_column(series._parts[0])
    made.index = pandas_index(series.index)
    made.name = series.name
    made.attrs = dict(series.attrs)
    return made


def pandas_frame(frame: Any) -> Any:
    """A frame of pandas."""
    pandas = _pandas()
    index = pandas_index(frame.index)
    read_together(frame._parts)
    columns = {i: pandas_column(each).set_axis(index) for i, each in enumerate(frame._parts)}
    made = pandas.DataFrame(columns) if columns else pandas.DataFrame(index=index)
    made.columns = pandas_index(frame.columns)
    made.attrs = dict(frame.attrs)
    return made
