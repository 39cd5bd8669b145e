"""What programs choose about errors: CuPy's settings beside NumPy's."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

LINALG = ("ignore", "raise")


class _Chosen(threading.local):
    linalg = "ignore"  # CuPy's default: nobody waits for the device to tell of an error


_chosen = _Chosen()


def raises_linalg() -> bool:
    """Returns whether errors of linear algebra raise in this thread."""
    return _chosen.linalg == "raise"


def geterr() -> dict[str, Any]:
    """NumPy's settings of floating-point errors, and ``linalg``."""
    return {**np.geterr(), "linalg": _chosen.linalg}


def seterr(*, linalg: str | None = None, **options: Any) -> dict[str, Any]:
    """Changes settings; gives those before. Raises `ValueError` for others than NumPy's words."""
    before = geterr()
    if linalg not in (None, *LINALG):
        raise ValueError(f"linalg is 'ignore' or 'raise', not {linalg!r}")
    np.seterr(**options)
    _chosen.linalg = linalg or _chosen.linalg
    return before


class errstate:
    """NumPy's settings inside, and ``linalg``: "raise", or "ignore" for NaN in the results."""

    def __init__(self, *, linalg: str | None = None, **options: Any) -> None:
        self._options = {"linalg": linalg, **options}
        self._before: dict[str, Any] = {}

    def __enter__(self) -> None:
        self._before = seterr(**self._options)

    def __exit__(self, *details: object) -> None:
        seterr(**self._before)
