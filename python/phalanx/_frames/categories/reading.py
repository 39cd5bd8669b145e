"""The dtype that the arguments of `Categorical` name."""

from __future__ import annotations

from typing import Any

from ..building.columns import ours
from ..dtypes import CategoricalDtype, pandas_dtype


def dtype_wanted(dtype: Any, categories: Any, ordered: bool | None) -> CategoricalDtype:
    """A dtype of categories, whose list is None if nothing is said of it.

    Raises ValueError for a dtype beside categories or an order, and for one of another kind.
    """
    if dtype is None:
        return CategoricalDtype(ours(categories), ordered)
    wanted = pandas_dtype(dtype)
    if not isinstance(wanted, CategoricalDtype):
        raise ValueError(f"Unknown dtype {dtype!r}")
    if isinstance(dtype, str):
        return CategoricalDtype(ours(categories), ordered)
    if categories is not None or ordered is not None:
        raise ValueError("Cannot specify `categories` or `ordered` together with `dtype`.")
    return wanted
