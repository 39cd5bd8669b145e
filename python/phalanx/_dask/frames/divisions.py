"""Where an index of texts, categories or dates is cut into divisions.

Dask makes the array of divisions of pandas' dtype and asks a column of ours for it, for which it
has no registry: its function is replaced by one that knows ours.
"""

from __future__ import annotations

from typing import Any

from dask.dataframe.dask_expr import _quantiles

import phalanx as px

from . import metas

_theirs = _quantiles.dtype_info


def dtype_info(column: Any) -> Any:
    """The dtype of a column as pandas', and what its categories are."""
    is_ours = isinstance(column, (px.Series, px.Index))
    return _theirs(metas.without_rows(column).to_pandas() if is_ours else column)


def register() -> None:
    """Puts the function in the place of Dask's."""
    _quantiles.dtype_info = dtype_info
