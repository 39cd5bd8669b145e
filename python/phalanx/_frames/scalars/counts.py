"""Arrays of dates and durations counted in other units."""

from __future__ import annotations

import numpy as np

from phalanx.errors import OutOfBoundsDatetime, OutOfBoundsTimedelta

from .units import DAY, NANOSECONDS, NAT_VALUE


def in_unit(values: np.ndarray, unit: str) -> np.ndarray:
    """Dates or durations counted in another unit ('D' too), towards the past in a coarser one.

    NumPy's casts do the same, but overflow for the first counts of int64. Raises
    OutOfBoundsDatetime, OutOfBoundsTimedelta where int64 is too small for a finer unit.
    """
    own = np.datetime_data(values.dtype)[0]
    counts = values.view(np.int64)
    missing = counts == NAT_VALUE
    have, step = (DAY if each == "D" else NANOSECONDS[each] for each in (own, unit))
    if step >= have:
        made = np.where(missing, NAT_VALUE, counts // (step // have))
    else:
        factor = have // step
        most = (2**63 - 1) // factor
        if (((counts > most) | (counts < -most)) & ~missing).any():
            kind = OutOfBoundsDatetime if values.dtype.kind == "M" else OutOfBoundsTimedelta
            raise kind(f"Cannot convert {own} to {unit} without overflow: some are out of range")
        made = np.where(missing, NAT_VALUE, counts * factor)
    return made.view(f"{values.dtype.kind}8[{unit}]")
