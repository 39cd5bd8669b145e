"""Linear models over Dask's collections."""

from __future__ import annotations

from typing import Any

from . import MODULES, find


def __getattr__(name: str) -> Any:
    return find("linear_model", name)


def __dir__() -> list[str]:
    return sorted(MODULES["linear_model"])


__all__ = __dir__()
