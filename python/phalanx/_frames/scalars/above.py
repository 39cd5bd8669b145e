"""What dates need of the module that makes them, which imports them: making.py sets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar


class Above:
    """Functions of making.py."""

    of_input: ClassVar[Callable[..., Any]]
    of_parts: ClassVar[Callable[..., Any]]
    replaced: ClassVar[Callable[..., Any]]
