"""The nodes that may be split: a stack, or a heap by what the split gains."""

from __future__ import annotations

from functools import cache
from typing import Any

from ... import njit


@cache
def _push() -> Any:
    @njit
    def push(waiting: Any, count: Any, node: Any, gain: Any, is_heap: Any) -> None:
        i = count
        if is_heap:
            while i > 0 and gain[waiting[(i - 1) >> 1]] < gain[node]:
                waiting[i] = waiting[(i - 1) >> 1]
                i = (i - 1) >> 1
        waiting[i] = node

    return push


@cache
def _take() -> Any:
    @njit
    def take(waiting: Any, count: Any, gain: Any, is_heap: Any) -> Any:
        last = waiting[count - 1]
        if not is_heap:
            return last
        found = waiting[0]
        i = 0
        while 2 * i + 1 < count - 1:
            child = 2 * i + 1
            if child + 1 < count - 1 and gain[waiting[child]] < gain[waiting[child + 1]]:
                child += 1
            if gain[waiting[child]] <= gain[last]:
                break
            waiting[i] = waiting[child]
            i = child
        waiting[i] = last
        return found

    return take


def frontier() -> tuple[Any, Any]:
    """Functions that add a node to those that wait, and that take one.

    It is the last one, or, of a heap, that with the greatest gain. The caller counts.
    """
    return _push(), _take()
