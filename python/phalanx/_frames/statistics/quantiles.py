"""Quantiles of series and frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import above
from ..building.columns import column_from
from ..building.kinds import is_list_like
from ..columns.making import column_of
from ..indexes.making import index_of
from ..indexes.ranges import RangeIndex
from ..operations.joined import joined_columns
from ..reductions.order import quantile


def _checked(q: Any) -> np.ndarray:
    parts = np.asarray(q, np.float64)
    if parts.ndim > 1:
        raise ValueError("q must be a scalar or of one dimension")
    if ((parts < 0) | (parts > 1)).any():
        raise ValueError(f"percentiles should all be in the interval [0, 1]. Try {q} instead.")
    return parts


def series_quantile(series: Any, q: Any, interpolation: str) -> Any:
    """``series.quantile(q)``."""

    parts = _checked(q)
    made = quantile(series._parts[0], np.atleast_1d(parts), interpolation)
    if parts.ndim == 0:
        return made.element(0)
    index = index_of(column_from(q if is_list_like(q) else [q]).astype(np.dtype(np.float64)))
    return above.Series._of(made, index, series.name)


def frame_quantile(frame: Any, q: Any, interpolation: str) -> Any:
    """``frame.quantile(q)``."""

    parts = _checked(q)
    columns = [quantile(each, np.atleast_1d(parts), interpolation) for each in frame._parts]
    if parts.ndim:
        index = index_of(column_from(q).astype(np.dtype(np.float64)))
        return above.DataFrame._of(columns, index, frame.columns)
    values = joined_columns(columns) if columns else column_of([], np.dtype(np.float64))
    return above.Series._of(values, frame.columns, float(parts))


_OF_ROWS = ("nearest", "lower", "higher")


def table_quantile(frame: Any, q: Any, interpolation: Any) -> Any:
    """``frame.quantile(q, method="table")``: rows of the frame in the order of all columns."""
    if interpolation not in _OF_ROWS:
        raise ValueError(
            f"Invalid interpolation: {interpolation}. Interpolation must be in {set(_OF_ROWS)}"
        )
    parts = _checked(q)
    rows = np.quantile(np.arange(len(frame)), np.atleast_1d(parts), method=interpolation)
    numbers = RangeIndex(len(frame._parts))
    ordered = above.DataFrame._of(list(frame._parts), RangeIndex(len(frame)), numbers)
    made = ordered.sort_values(list(numbers)).take(rows)
    index = index_of(column_from(np.atleast_1d(parts)))
    result = above.DataFrame._of(list(made._parts), index, frame.columns)
    return result if parts.ndim else result.T.iloc[:, 0]
