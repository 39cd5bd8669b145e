"""Compiled loops in calls of a fifth of a second: between them Python sees Ctrl-C."""

from __future__ import annotations

import time

_SECONDS = 0.2
_GROWTH = 4  # from one call to the next: the first may have waited for a compiler


class Pace:
    """How many steps a call is to make, by how long the last ones took."""

    def __init__(self, first: int, most: int) -> None:
        self._steps, self._most, self._since = first, most, 0.0

    def begin(self) -> int:
        """The number of steps of a call that begins now."""
        self._since = time.perf_counter()
        return self._steps

    def end(self) -> None:
        """The call has returned."""
        took = max(time.perf_counter() - self._since, 1e-9)
        wanted = int(self._steps * min(_SECONDS / took, _GROWTH))
        self._steps = min(max(wanted, 1), self._most)
