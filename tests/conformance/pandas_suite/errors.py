"""Served as `pandas.errors`: phalanx's classes, and others that phalanx never raises.

Tests that expect one of the others fail, as they should: they say which errors are not there yet.
"""

from __future__ import annotations

import importlib
from typing import Any

_OURS = {
    "_frames.errors": "DataError IndexingError MergeError OptionError Pandas4Warning"
    " SpecificationError",
    "_frames.indexes.lookups": "InvalidIndexError",
    "_frames.indexes.multi_lookups": "UnsortedIndexError",
    "_frames.functions.expressions": "UndefinedVariableError",
    "_frames.scalars.errors": "OutOfBoundsDatetime OutOfBoundsTimedelta",
}
# What pandas' other classes are derived from; all the rest from Exception.
_BASES: dict[str, type[BaseException]] = {
    **dict.fromkeys(
        (
            "DuplicateLabelError", "EmptyDataError", "IncompatibleFrequency", "IntCastingNaNError",
            "NullFrequencyError", "ParserError", "UnsupportedFunctionCall",
        ),
        ValueError,
    ),
    "AbstractMethodError": NotImplementedError,
    "NumExprClobberingError": NameError,
    "Pandas5Warning": PendingDeprecationWarning,
    "PandasDeprecationWarning": DeprecationWarning,
    "PandasFutureWarning": FutureWarning,
    "PandasPendingDeprecationWarning": PendingDeprecationWarning,
    "CSSWarning": UserWarning,
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    for module, names in _OURS.items():
        if name in names.split():
            found = getattr(importlib.import_module(f"phalanx.{module}"), name)
            break
    else:
        other = Warning if name.endswith("Warning") or name == "ChainedAssignmentError" else None
        found = type(name, (_BASES.get(name, other or Exception),), {})
    globals()[name] = found
    return found
