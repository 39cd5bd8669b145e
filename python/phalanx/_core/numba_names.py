"""Names of Numba's that mean something only inside compiled code."""

from __future__ import annotations

from typing import SupportsIndex

from .intrinsic import Intrinsic


class ParallelRange(Intrinsic):
    """``prange(stop)``, ``prange(start, stop)``, ``prange(start, stop, step)``.

    With ``parallel=True`` the iterations of a loop over it run on all cores, in any order;
    elsewhere, in Python code too, it is `range`.

    >>> list(px.prange(1, 6, 2))
    [1, 3, 5]
    """

    def __init__(self) -> None:
        super().__init__("numba.prange", self.__doc__ or "", __name__)

    def __call__(self, *args: SupportsIndex) -> range:  # type: ignore[override]
        return range(*args)


def _intrinsic(name: str, doc: str) -> Intrinsic:
    return Intrinsic(f"numba.{name}", doc, __name__)


prange = ParallelRange()
literal_unroll = _intrinsic("literal_unroll", "Goes over a tuple of values of any types.")
literally = _intrinsic("literally", "The value, which is known when the code is compiled.")
carray = _intrinsic("carray", "``carray(pointer, shape, dtype)``: a C-ordered array there.")
farray = _intrinsic("farray", "``farray(pointer, shape, dtype)``: an F-ordered array there.")
