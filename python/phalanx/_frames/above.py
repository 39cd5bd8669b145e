"""What modules need of those that import them, found by text when it is first asked for.

``above.index_of(labels)`` calls the function of that name of `indexes.making`. Everything else is
imported at the head of a module, from below (LAYERS).
"""

from __future__ import annotations

import importlib
from typing import Any

_MODULES = {
    "scalars": "NaT",
    "scalars.making": "of_input of_parts replaced",
    "dtypes": "pandas_dtype element_dtype",
    "offsets.texts": "frequency_of",
    "offsets.frequencies": "frequency_of_span",
    "columns.making": "column_of",
    "columns.casting": "cast",
    "periods.frequency": "period_frequency",
    "periods.period": "Period period_of",
    "indexes.making": "index_of class_of",
    "combining.concat": "concat",
    "groups.groupby": "SeriesGroupBy DataFrameGroupBy",
    "strings.accessor": "StringMethods",
    "reshaping.cutting": "binned_counts",
    "interchange.from_pandas": "from_pandas",
    "interchange.to_pandas": "pandas_index",
    "interchange.arrow": "frame_of_arrow frame_of_interchange",
    "series": "Series",
    "frame": "DataFrame",
}
_NAMES = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f".{_NAMES[name]}", __package__), name)
    globals()[name] = found  # the next time nothing is looked up
    return found
