"""The package `cupy`: the names of `phalanx`'s arrays, and what CuPy alone has."""

from __future__ import annotations

import importlib
from typing import Any

import phalanx as _px

from ._cupy_names import CONSTANTS, MODULES, OWN, RENAMED

__version__ = "14.2.0"  # of CuPy, as whose these names behave


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"cupy.{name}")
    if name in OWN:
        found = getattr(importlib.import_module(f".{OWN[name]}", __package__), name)
    elif name in CONSTANTS:
        found = CONSTANTS[name]
    elif name in _NOT_OURS or name.startswith("_"):
        raise AttributeError(f"module 'cupy', served by phalanx, has no attribute {name!r}")
    else:
        found = _array_name(RENAMED.get(name, name))
    globals()[name] = found
    return found


def _array_name(name: str) -> Any:
    try:
        return getattr(_px, name)
    except AttributeError as error:
        text = str(error).replace("module 'phalanx'", "module 'cupy', served by phalanx,")
        raise AttributeError(text) from None


# Names of `phalanx` that are no names of CuPy's: its own functions and classes of errors.
_NOT_OURS = frozenset(_px.__all__) - {"vectorize"}


def __dir__() -> list[str]:
    names = {*dir(_px)} - _NOT_OURS
    return sorted({*names, *MODULES, *OWN, *RENAMED, *CONSTANTS, "__version__"})
