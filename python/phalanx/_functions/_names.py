"""Names that mean something special inside CPU functions."""

from __future__ import annotations

from typing import Any

from .._intrinsic import Intrinsic


class ParallelRange(Intrinsic):
    """``prange(stop)``, ``prange(start, stop)``, ``prange(start, stop, step)``.

    With ``parallel=True`` the iterations of a loop over it run on all cores, in any order;
    elsewhere, in Python code too, it is `range`.
    """

    def __init__(self) -> None:
        super().__init__("numba.prange", self.__doc__ or "")

    def __call__(self, *args: Any) -> Any:
        return range(*args)

    def __reduce__(self) -> str:  # type: ignore[override]
        return "prange"


prange = ParallelRange()
