"""Comparisons of dates and of durations."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any


class Ordered:
    """Operators that `_compared` is asked for."""

    __slots__ = ()

    def _compared(self, other: Any, test: Callable[[Any, Any], Any]) -> Any:
        raise NotImplementedError

    def __eq__(self, other: object) -> Any:
        return self._compared(other, operator.eq)

    def __ne__(self, other: object) -> Any:
        return self._compared(other, operator.ne)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, operator.ge)
