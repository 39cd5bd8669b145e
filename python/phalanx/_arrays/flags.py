"""How an array lies in memory."""

from __future__ import annotations

from typing import Any

from .. import _engine

_SHORT = {"C": "C_CONTIGUOUS", "F": "F_CONTIGUOUS", "W": "WRITEABLE", "A": "ALIGNED"}


class Flags:
    """NumPy's flags of an array, by attribute or by key; only WRITEABLE can be set."""

    __slots__ = ("_array",)

    def __init__(self, array: _engine.Array) -> None:
        self._array = array

    @property
    def c_contiguous(self) -> bool:
        """Returns whether the last index is the fastest, without gaps."""
        return bool(self._array._evaluate().is_c_contiguous)

    @property
    def f_contiguous(self) -> bool:
        """Returns whether the first index is the fastest, without gaps."""
        return bool(self._array._evaluate().is_f_contiguous)

    @property
    def contiguous(self) -> bool:
        """As `c_contiguous`."""
        return self.c_contiguous

    @property
    def forc(self) -> bool:
        """Returns whether the elements lie together in either order."""
        return self.c_contiguous or self.f_contiguous

    @property
    def fnc(self) -> bool:
        """Returns whether the elements lie together in Fortran's order only."""
        return self.f_contiguous and not self.c_contiguous

    @property
    def writeable(self) -> bool:
        """Returns whether the elements can be assigned to."""
        return not self._array._is_read_only

    @writeable.setter
    def writeable(self, value: bool) -> None:
        if value and self._array._is_read_only:
            raise ValueError("cannot set WRITEABLE flag to True of this array")
        if not value:
            self._array._set_read_only(True)

    @property
    def aligned(self) -> bool:
        """Always true: what is not aligned is copied."""
        return True

    def __getitem__(self, key: str) -> bool:
        name = _SHORT.get(key, key).lower()
        if name not in ("c_contiguous", "f_contiguous", "contiguous", "writeable", "aligned"):
            raise KeyError("Unknown flag")
        return bool(getattr(self, name))

    def __setitem__(self, key: str, value: Any) -> None:
        if _SHORT.get(key, key) != "WRITEABLE":
            raise KeyError("Unknown flag")
        self.writeable = bool(value)

    def __repr__(self) -> str:
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "WRITEABLE", "ALIGNED")
        return "\n".join(f"  {name} : {self[name]}" for name in names)
