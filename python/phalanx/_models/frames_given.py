"""Checks for frames and columns of ours, without an import of all that frames need.

Nobody has given a frame before its module is imported: that takes half a second of a first fit.
"""

from __future__ import annotations

import sys
from typing import Any

_FRAMES = f"{__name__.rpartition('._models')[0]}._frames"


def _is_of(value: Any, module: str, name: str) -> bool:
    found = sys.modules.get(f"{_FRAMES}.{module}")
    kind = getattr(found, name, None)
    return kind is not None and isinstance(value, kind)


def is_frame(value: Any) -> bool:
    """True for a DataFrame of ours."""
    return _is_of(value, "frame", "DataFrame")


def is_column(value: Any) -> bool:
    """True for a Series of ours."""
    return _is_of(value, "series", "Series")
