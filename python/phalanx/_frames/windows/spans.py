"""Windows of time: how long they are, and which rows each of them has."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from .. import engine
from ..indexes.durations import duration_of
from ..indexes.times import Times
from ..offsets.frequencies import NANOSECONDS, frequency_of


def span_of(window: Any, on: Any) -> int:
    """The length of a window in the unit of an index of times.

    Raises ValueError for what is no span of time.
    """
    unit = on.unit if isinstance(on, Times) else "ns"
    return _nanoseconds(window) // NANOSECONDS[unit]


def _nanoseconds(window: Any) -> int:
    if isinstance(window, (datetime.timedelta, np.timedelta64)):
        return int(duration_of(window).astype("m8[ns]").astype(np.int64))
    try:
        found = frequency_of(window)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"passed window {window} is not compatible with a datetimelike index"
        ) from error
    assert found is not None
    if not found.is_span:
        raise ValueError(f"{window} is a non-fixed frequency")
    return found.nanos


def checked_times(on: Any, label: Any) -> None:
    """Raises ValueError for times that are missing or in no order."""
    if not isinstance(on, Times):
        return
    name = "index" if label is None else label
    if on.hasnans:
        raise ValueError(f"{name} values must not have NaT")
    if not (on.is_monotonic_increasing or on.is_monotonic_decreasing):
        raise ValueError(f"{name} values must be monotonic")


def span_edges(
    times: engine.Array, bounds: engine.Array, span: int, closed: str | None, *, center: bool
) -> tuple[engine.Array, engine.Array]:
    """Where each row's window begins and ends, of times that are sorted between `bounds`.

    Without ``center`` a window ends with its row, whether rows of the same time follow or not.
    """
    closed = "right" if closed is None else closed
    keywords = {
        "closed_left": closed in ("left", "both"),
        "closed_right": closed in ("right", "both"),
        "center": center,
    }
    return engine.span_edges(times, bounds, span, keywords)
