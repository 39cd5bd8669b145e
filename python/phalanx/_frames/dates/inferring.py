"""The frequency that dates have."""

from __future__ import annotations

from typing import Any

from ..building.columns import is_series
from ..in_place import in_place
from ..indexes.dates import DatetimeIndex
from ..indexes.making import index_of
from ..indexes.times import Times


@in_place
def infer_freq(index: Any) -> str | None:
    """The text of the frequency that an index or a series of times has, None if it has none.

    Raises TypeError for other labels, ValueError for fewer than three and for texts that are no
    dates.

    >>> px.infer_freq(px.date_range("2026-01-01", periods=3))
    'D'
    """
    found = index_of(index)
    labels = found if isinstance(found, Times) else _read(found, is_series(index))
    if len(labels) < 3:
        raise ValueError("Need at least 3 dates to infer frequency")
    return labels.inferred_freq


def _read(labels: Any, has_labels: bool) -> Any:
    """Texts and Python's dates as an index of dates; a series must have times."""
    numbers = labels.nlevels > 1 or labels.dtype.kind in "iufbc"
    if numbers or (has_labels and labels.dtype != object):
        raise TypeError(f"cannot infer freq from a non-convertible index of dtype {labels.dtype}")
    return DatetimeIndex(labels.astype(object))
