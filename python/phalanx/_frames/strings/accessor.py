"""`Series.str` and `Index.str`."""

from __future__ import annotations

from typing import Any, NoReturn

from .cases import Cases
from .concatenating import Concatenating
from .extracting import Extracting
from .parts import Parts
from .searching import Searching
from .splitting import Splitting


class StringMethods(Cases, Parts, Searching, Splitting, Extracting, Concatenating):
    """pandas' methods of texts, for columns of `str`, `string`, categories and objects.

    Missing texts stay missing. What is not a text in a column of objects is missing too.
    """

    __module__ = "phalanx"


class TextAccess:
    """What has `str`: series and indexes."""

    @property
    def str(self) -> StringMethods:
        """The methods of texts. Raises AttributeError where the values are no texts."""
        return StringMethods(self)


def refuse(of: Any) -> NoReturn:
    """Raise the AttributeError for an object that has no texts, out of its ``__getattr__``."""
    StringMethods(of)
    raise AttributeError(f"'{type(of).__name__}' object has no attribute 'str'")
