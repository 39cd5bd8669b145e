"""The package `cuml`: `phalanx.ml`'s models with cuML's parameters, and kinds of results."""

from __future__ import annotations

import importlib
from typing import Any

from .._cuml_table import NAMES
from .common import Base, Handle
from .modules import find
from .output import set_global_output_type, using_output_type

__version__ = "26.10.00"  # of cuML, as whose these names behave
__all__ = ("Base", "Handle", "set_global_output_type", "using_output_type")

_MODULES = {each.partition(".")[0] for each in NAMES} | {"common", "internals"}
_FLAT = {name: module for module, names in NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"cuml.{name}")
    if name in _FLAT:
        return find(_FLAT[name], name)
    raise AttributeError(f"module 'cuml', served by phalanx, has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, *_FLAT, "__version__"})
