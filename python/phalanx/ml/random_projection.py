"""Random projections, under scikit-learn's names."""

from __future__ import annotations

from typing import Any

from .._models.names import MODULES, find


def __getattr__(name: str) -> Any:
    return find("random_projection", name)


def __dir__() -> list[str]:
    return sorted(MODULES["random_projection"])
