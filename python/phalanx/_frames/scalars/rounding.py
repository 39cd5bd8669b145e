"""Counts rounded to multiples of a span of time."""

from __future__ import annotations

from typing import Any

from .. import above
from .units import NANOSECONDS


def span_of(freq: Any, unit: str) -> int:
    """A frequency's span of time as a count of a unit; 0 where it divides one.

    Raises ValueError for days of the calendar, for a text that is no frequency, and for a span
    that is no count of the unit.
    """
    found = above.frequency_of(freq)
    if found is None or not found.is_span:
        raise ValueError(f"{freq} is a non-fixed frequency: pass a span of time, such as '2h'")
    if NANOSECONDS[unit] % found.nanos == 0:
        return int(NANOSECONDS[unit] == found.nanos)
    if found.nanos % NANOSECONDS[unit]:
        raise ValueError(
            f"freq={freq} is incompatible with unit={unit}. Use a lower freq or a higher unit "
            "instead."
        )
    return int(found.nanos // NANOSECONDS[unit])


def rounded_count(count: int, unit: str, freq: Any, how: str) -> int:
    """A count of a unit as a multiple of a frequency: 'floor', 'ceil' or 'round', half to even."""
    step = span_of(freq, unit)
    if step <= 1:
        return count
    whole, rest = divmod(count, step)
    if how == "ceil":
        whole += rest > 0
    elif how == "round":
        whole += rest * 2 > step or (rest * 2 == step and whole % 2 == 1)
    return whole * step
