"""Forests over Dask's collections."""

from __future__ import annotations

from typing import Any

from . import MODULES, find


def __getattr__(name: str) -> Any:
    return find("ensemble", name)


def __dir__() -> list[str]:
    return sorted(MODULES["ensemble"])


__all__ = __dir__()
