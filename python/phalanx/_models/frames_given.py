"""Checks for frames, columns and spread arrays of ours, without an import of what they need.

Nobody has given a frame before its module is imported: that takes half a second of a first fit.
"""

from __future__ import annotations

import sys
from typing import Any

_ROOT = __name__.rpartition("._models")[0]


def _is_of(value: Any, module: str, name: str) -> bool:
    found = sys.modules.get(f"{_ROOT}.{module}")
    kind = getattr(found, name, None)
    return kind is not None and isinstance(value, kind)


def is_frame(value: Any) -> bool:
    """True for a DataFrame of ours."""
    return _is_of(value, "_frames.frame", "DataFrame")


def is_column(value: Any) -> bool:
    """True for a Series of ours."""
    return _is_of(value, "_frames.series", "Series")


def is_spread(value: Any) -> bool:
    """True for an array or a frame that lies on several devices."""
    return _is_of(value, "_arrays.spread.array", "SpreadArray") or _is_of(
        value, "_frames.several.frame", "SpreadFrame"
    )
