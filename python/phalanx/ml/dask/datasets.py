"""Data sets in Dask's blocks."""

from __future__ import annotations

from typing import Any

from . import MODULES, find


def __getattr__(name: str) -> Any:
    return find("datasets", name)


def __dir__() -> list[str]:
    return sorted(MODULES["datasets"])


__all__ = __dir__()
