"""What dates need of the module that makes them, which imports them: making.py sets it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, ClassVar


class Above:
    """Functions of making.py."""

    of_input: ClassVar[Callable[..., Any]]
    of_parts: ClassVar[Callable[..., Any]]
    replaced: ClassVar[Callable[..., Any]]


def periods() -> Any:
    """The module of `Period`, which has dates."""
    return importlib.import_module("..periods.period", __package__)


def frequencies() -> Any:
    """The module of frequencies; found by text, as it has offsets, which move scalars."""
    return importlib.import_module("..offsets.frequencies", __package__)
