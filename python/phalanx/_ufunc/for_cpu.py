"""``phalanx.vectorize`` and ``phalanx.guvectorize``."""

from __future__ import annotations

from typing import Any


def vectorize(ftylist_or_function: Any = (), target: str = "cpu", **options: Any) -> Any:
    """`phalanx.cuda.vectorize`, for the cores of the CPU where nothing else is said."""
    from .decorators import vectorize as make

    return make(ftylist_or_function, target, **options)


def guvectorize(*args: Any, target: str = "cpu", **options: Any) -> Any:
    """`phalanx.cuda.guvectorize`, for the cores of the CPU where nothing else is said."""
    from .decorators import guvectorize as make

    return make(*args, target=target, **options)
