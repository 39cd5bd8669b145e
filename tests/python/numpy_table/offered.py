"""The names that the compiler and the library offer, asked of themselves."""

from __future__ import annotations

import re

import numpy as np
from phalanx._library import replacements

from phalanx import _engine, _library

from .cells import written
from .rows import TABLE


def _linear_algebra() -> set[str]:
    """Functions written in Python, by their names below `numpy`."""
    names = set()
    for function in replacements._linear_algebra_table():
        inner = getattr(np.linalg, function.__name__, None) is function
        outer = getattr(np, function.__name__, None) is function
        names.add(function.__name__ if outer or not inner else f"linalg.{function.__name__}")
    return names


def functions() -> set[str]:
    """Functions, by their names below `numpy`: those of this NumPy."""
    names = {name for name, _ in _engine.infer_ufuncs()} | _linear_algebra()
    for name in (*_engine.numpy_names(), *_library._MODULES_OF):
        module, _, rest = name.partition(".")
        if module == "numpy" and not rest.startswith("random"):
            names.add(rest)
    return {name for name in names if name.startswith("linalg.") or hasattr(np, name)}


def members() -> set[str]:
    """Attributes and methods of arrays."""
    of_lists = {name for name, modules in _library._MODULES_OF.items() if modules == ["lists"]}
    names = {*_engine.numpy_names(), *_library._MODULES_OF} - of_lists
    parts = (name.partition(".") for name in names)
    return {rest for kind, _, rest in parts if kind in ("array", "method", "attribute")}


def functions_in_table() -> set[str]:
    """The functions that rows call."""
    calls = {written(row, call) for row in TABLE for call in row.calls}
    return {name for call in calls for name in re.findall(r"np\.((?:linalg\.)?\w+)\(", call)}


def members_in_table() -> set[str]:
    """The attributes and methods that rows ask arrays for."""
    calls = {written(row, call) for row in TABLE for call in row.calls}
    return {name for call in calls for name in re.findall(r"\w\.(\w+)", call)}
