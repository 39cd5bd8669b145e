"""What the packages above give the front end: they register it here when they are imported.

The library of functions written in Python is compiled by the front end, and so stands above it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Called with a name such as ``numpy.ptp``: each imports what has overloads of that name.
loaders: list[Callable[[str], None]] = []

# Called with a function of NumPy's or Python's: the Python function that replaces it, or None.
replacements: list[Callable[[Any], Any]] = []

# The meaning of names that no Python code has, by their first character.
special_names: dict[str, Callable[[str], Any]] = {}


def load(name: str) -> None:
    """Imports what implements the name."""
    for each in loaders:
        each(name)


def replacement(function: Any) -> Any:
    """The Python function that is compiled in place of `function`, or None."""
    return next((found for each in replacements if (found := each(function)) is not None), None)
