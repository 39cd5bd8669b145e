"""What frames and series have of bins of time, and `Grouper`."""

from __future__ import annotations

from typing import Any

from ..signatures import leaves_out
from .bins import rule_of
from .downsampling import Downsampling
from .upsampling import Upsampling


class Resampler(Downsampling, Upsampling):
    """Rows in bins of time: what `resample` gives."""


class Resampling:
    """`resample`."""

    @leaves_out("convention")
    def resample(
        self,
        rule: Any,
        closed: str | None = None,
        label: str | None = None,
        on: Any = None,
        level: Any = None,
        origin: Any = "start_day",
        offset: Any = None,
        group_keys: bool = False,
    ) -> Resampler:
        """Its rows in bins of time, as long as a ``rule`` such as ``"15min"``, ``"W"`` or ``"ME"``.

        The times are the index, or a level of it, or a column ``on``. ``closed`` says which edge
        belongs to a bin, ``label`` which one it is called by, ``origin`` and ``offset`` where bins
        of even length begin. Raises TypeError for an index without times, ValueError for a rule
        that is none, KeyError for a column that there is not.
        """
        found = rule_of(rule, closed, label, origin, offset)
        return Resampler(self, {"rule": found, "on": on, "level": level})
