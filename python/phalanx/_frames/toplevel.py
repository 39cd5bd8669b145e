"""What `phalanx` has of data frames: classes, functions and values, each by its module.

`phalanx` finds these names by text when they are first asked for, so that its import stays light.
"""

from __future__ import annotations

import importlib
from typing import Any

from .missing_names import MODULE
from .signatures import MissingNameError

_MODULES = {
    "frame": "DataFrame",
    "series": "Series",
    "indexes.index": "Index",
    "indexes.ranges": "RangeIndex",
    "indexes.multi": "MultiIndex",
    "indexes.dates": "DatetimeIndex",
    "indexes.deltas": "TimedeltaIndex",
    "indexes.categories": "CategoricalIndex",
    "missing": "NA",
    "dtypes": "CategoricalDtype DatetimeTZDtype StringDtype",
    "functions.module": "isna isnull notna notnull concat eval factorize",
    "interchange.from_pandas": "from_pandas",
    "options": "get_option set_option reset_option option_context",
    "reading": "read_csv",
    "combining.merge": "merge",
    "resampling.grouper": "Grouper",
}
NAMES = {name: module for module, names in _MODULES.items() for name in names.split()}


def find(name: str) -> Any:
    """What has a name. Raises MissingNameError for one that pandas has and we have not."""
    if name in NAMES:
        return getattr(importlib.import_module(f".{NAMES[name]}", __package__), name)
    raise MissingNameError(f"{name} of pandas is not supported in phalanx")


def is_known(name: str) -> bool:
    """True for names of data frames, also those that are not supported."""
    return name in NAMES or name in MODULE
