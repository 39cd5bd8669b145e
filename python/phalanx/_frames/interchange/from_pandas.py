"""Objects of pandas as ours. Only who hands one over has imported pandas."""

from __future__ import annotations

from typing import Any

from .. import above
from ..columns.making import column_of
from ..indexes.making import index_of


def from_pandas(data: Any) -> Any:
    """A frame, a series or an index of pandas' one, with its labels, dtypes and attributes.

    Raises TypeError for anything else.

    >>> import pandas
    >>> px.from_pandas(pandas.DataFrame({"a": [1, 2]}))
       a
    0  1
    1  2
    """
    kind = type(data).__mro__
    names = {each.__name__ for each in kind if each.__module__.startswith("pandas")}
    if "DataFrame" in names:
        return _frame(data)
    if "Series" in names:
        return _series(data)
    if "Index" in names:
        return index_of(data)
    raise TypeError(f"a DataFrame, Series or Index of pandas is needed, not {type(data).__name__}")


def _frame(data: Any) -> Any:

    parts = [column_of(data.iloc[:, i]) for i in range(data.shape[1])]
    made = above.DataFrame._of(parts, index_of(data.index), index_of(data.columns))
    made.attrs = dict(data.attrs)
    return made


def _series(data: Any) -> Any:

    made = above.Series._of(column_of(data), index_of(data.index), data.name)
    made.attrs = dict(data.attrs)
    return made
