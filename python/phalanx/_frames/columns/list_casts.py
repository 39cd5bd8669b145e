"""Lists as other dtypes, and other dtypes as lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrow_dtypes import ListDtype
from ..dtypes import family
from .column import Column
from .lists import ListColumn, with_elements
from .strings import of_texts


def of_lists(column: ListColumn, dtype: Any) -> Column:
    """A column of lists in another dtype: lists of other elements, or texts.

    Raises TypeError for other dtypes, and what the cast of the elements raises.
    """
    if isinstance(dtype, ListDtype):
        made = with_elements(column, column.elements.astype(dtype.element))
        return ListColumn(made.offsets, made.elements, made.valid, dtype)
    if family(dtype) == "text":
        texts = [str(each) for each in column.objects_of()]
        return of_texts(texts, np.asarray(column.isna()), dtype)
    raise TypeError(
        f"Cannot cast a column of dtype {column.dtype} to dtype {dtype}: explode() makes a row of "
        "each element"
    )


def to_lists(column: Column, dtype: Any) -> Column:
    """Raises TypeError: only objects that are lists become lists."""
    raise TypeError(f"Cannot cast a column of dtype {column.dtype} to dtype {dtype}")
