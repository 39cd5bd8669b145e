"""Custom kernels of CuPy's: what decorates Python.

Those in CUDA C are in `cupy_user_kernels`, `cupy_reduction_kernels` and `cupy_raw_kernels`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from . import cupy_runtime


def fuse(*args: Any, **options: Any) -> Any:
    """Gives the function as it is: expressions of arrays are fused without a decorator."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def fused(*given: Any, **named: Any) -> Any:
            return function(*given, **named)

        fused.clear_cache = lambda: None  # type: ignore[attr-defined]  # there is none
        return fused

    return decorate(args[0]) if len(args) == 1 and callable(args[0]) else decorate


_memos: list[dict[Any, Any]] = []


def memoize(for_each_device: bool = False) -> Callable[..., Any]:
    """A decorator that keeps the results of a function by its arguments, and by the device."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        memo: dict[Any, Any] = {}
        _memos.append(memo)

        @functools.wraps(function)
        def kept(*args: Any, **options: Any) -> Any:
            device = cupy_runtime.getDevice() if for_each_device else -1
            key = (device, args, frozenset(options.items()))
            if key not in memo:
                memo[key] = function(*args, **options)
            return memo[key]

        return kept

    return decorate


def clear_memo() -> None:
    """Forgets what functions decorated by `memoize` have kept."""
    for memo in _memos:
        memo.clear()
