"""The package `cudf`: the names of `phalanx`'s data frames, and what cuDF alone has."""

from __future__ import annotations

import importlib
from typing import Any

from ..._frames import toplevel
from ..._frames.options import set_option as _set_option
from ..._frames.signatures import MissingNameError
from .._cudf_table import TABLE
from .names import MISSING, OWN

__version__ = "26.10.00"  # of cuDF, as whose these names behave

# In programs of cuDF's `values` is an array on the device; uninstalling sets it back.
_set_option("compute.values", "array")

_MODULES = tuple(each.partition(".")[2] for each in TABLE if each.count(".") == 1)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"cudf.{name}")
    if name in OWN:
        found = getattr(importlib.import_module(f".{OWN[name]}", __package__), name)
    elif name in MISSING or (toplevel.is_known(name) and name not in toplevel.NAMES):
        remedy = MISSING.get(name, "docs/guide/coming-from-cudf.md says what there is")
        raise MissingNameError(f"cudf.{name} is not served by phalanx; {remedy}")
    elif name in toplevel.NAMES:
        found = toplevel.find(name)
    else:
        raise AttributeError(f"module 'cudf', served by phalanx, has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*toplevel.NAMES, *OWN, *_MODULES, "__version__"})
