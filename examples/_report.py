"""What the examples share: timing, checking, and one line of results."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np


def best_time(function: Callable[[], Any], repeats: int = 5) -> float:
    """Seconds of the fastest of `repeats` calls, after one call to warm up."""
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of one call, and what it returned."""
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def check(actual: Any, expected: Any, rtol: float = 0.0, atol: float = 0.0) -> None:
    """Raises `AssertionError` with the first differing elements unless the arrays agree."""
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol)


def report(name: str, kernel: float, numpy: float, python: float, python_note: str = "") -> None:
    """Prints the times of one example and how many times faster the kernel is."""
    print(
        f"{name:<28} kernel {text_of(kernel):>9}   "
        f"NumPy {text_of(numpy):>9} ({numpy / kernel:8.1f}x)   "
        f"Python {text_of(python):>9} ({python / kernel:10.0f}x){python_note}"
    )


def text_of(seconds: float) -> str:
    """A time with the unit that fits it."""
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1.0:
            return f"{seconds * scale:.2f} {unit}"
    return f"{seconds * 1e9:.0f} ns"
