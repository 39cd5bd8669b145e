"""The root of all sparse classes, and where a module finds the class of another format.

Formats convert to each other; they ask here, so that no two modules import each other.
"""

from __future__ import annotations

from typing import Any, ClassVar

FORMATS = ("coo", "csr", "csc", "dia")
_NAMES = {
    "coo": "COOrdinate",
    "csr": "Compressed Sparse Row",
    "csc": "Compressed Sparse Column",
    "dia": "DIAgonal",
}
_classes: dict[tuple[str, bool], Any] = {}


class SparseWarning(Warning):
    """The root of the warnings about sparse matrices."""


class SparseEfficiencyWarning(SparseWarning):
    """What works and takes long: writing to single elements, for example."""


class SparseRoot:
    """What every sparse matrix and sparse array is an instance of."""

    format: ClassVar[str] = ""
    is_array: ClassVar[bool] = False
    shape: Any
    data: Any


def register(cls: Any) -> Any:
    """A decorator: makes the class the one of its format and kind."""
    _classes[cls.format, cls.is_array] = cls
    return cls


def class_of(format: str, is_array: bool) -> Any:
    """The class. Raises `ValueError` for a format that is not there."""
    try:
        return _classes[format, is_array]
    except KeyError:
        raise ValueError(
            f"there is no format {format!r}: take one of {', '.join(FORMATS)}"
        ) from None


def title(format: str) -> str:
    """The format's name in words."""
    return _NAMES[format]


def is_sparse(x: Any) -> bool:
    """True if `x` is a sparse matrix or array of this package."""
    return isinstance(x, SparseRoot)
