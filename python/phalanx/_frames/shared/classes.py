"""`Series` and `DataFrame` for the modules that they are made of: found by text when asked for."""

from __future__ import annotations

import importlib
from typing import Any

_MODULES = {"Series": "series", "DataFrame": "frame"}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"phalanx._frames.{_MODULES[name]}"), name)
    globals()[name] = found  # the next time nothing is looked up
    return found
