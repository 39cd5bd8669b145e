"""Functions that give complex numbers where real ones have no result.

Each takes what NumPy's of the name takes; they run on the host.
"""

from __future__ import annotations

from typing import Any

from . import hosted

_DOCS = {
    "arccos": "The angle with that cosine.",
    "arcsin": "The angle with that sine.",
    "arctanh": "The number with that hyperbolic tangent.",
    "log": "The natural logarithm.",
    "log10": "The logarithm to base 10.",
    "log2": "The logarithm to base 2.",
    "logn": "The logarithm of the second argument to the base of the first.",
    "power": "The first argument to the power of the second.",
    "sqrt": "The square root.",
}

_MADE = {name: hosted.HostFunction(name, doc, __name__, "emath") for name, doc in _DOCS.items()}


def __getattr__(name: str) -> Any:
    try:
        return _MADE[name]
    except KeyError:
        raise AttributeError(f"phalanx.emath has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted(_MADE)
