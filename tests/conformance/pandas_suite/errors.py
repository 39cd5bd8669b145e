"""Served as `pandas.errors`: phalanx's classes, and others that phalanx never raises.

Tests that expect one of the others fail, as they should: they say which errors are not there yet.
"""

from __future__ import annotations

from typing import Any

import phalanx.errors

# What pandas' other classes are derived from; all the rest from Exception.
_BASES: dict[str, type[BaseException]] = {
    **dict.fromkeys(
        ("DuplicateLabelError", "NullFrequencyError", "UnsupportedFunctionCall"), ValueError
    ),
    "AbstractMethodError": NotImplementedError,
    "NumExprClobberingError": NameError,
    "Pandas5Warning": PendingDeprecationWarning,
    "PandasDeprecationWarning": DeprecationWarning,
    "PandasFutureWarning": FutureWarning,
    "PandasPendingDeprecationWarning": PendingDeprecationWarning,
    "CSSWarning": UserWarning,
}


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    found = getattr(phalanx.errors, name, None)
    if found is None:
        other = Warning if name.endswith("Warning") or name == "ChainedAssignmentError" else None
        found = type(name, (_BASES.get(name, other or Exception),), {})
    globals()[name] = found
    return found
