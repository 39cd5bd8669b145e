"""Mappings and texts as features, under scikit-learn's names."""

from __future__ import annotations

import importlib
from typing import Any

from ..._models.names import public

_find, __dir__, _own = public("feature_extraction")
__all__ = [*_own, "text"]


def __getattr__(name: str) -> Any:
    return importlib.import_module(".text", __name__) if name == "text" else _find(name)
