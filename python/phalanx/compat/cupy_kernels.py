"""Custom kernels of CuPy's: what decorates Python, and what compiles CUDA C, which is not here."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn

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


class _CudaC:
    """A kernel in CUDA C, which phalanx has no compiler for: its use is an error, as in CuPy.

    Programs make their kernels when they are imported, and may not use them.
    """

    _instead = ""

    def __init__(self, *args: Any, **options: Any) -> None:
        texts = [each for each in (*args, options.get("name")) if isinstance(each, str)]
        self._title = next((each for each in texts[::-1] if each.isidentifier()), "")

    def __call__(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse()

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise NotImplementedError(
            f"phalanx does not compile the CUDA C of cupy.{type(self).__name__} {self._title!r}: "
            f"{self._instead}"
        )


_ONE_KERNEL = (
    "write the expression with arrays, which is one kernel here, or the loop in Python with "
    "@phalanx.cuda.jit or @phalanx.vectorize"
)


class ElementwiseKernel(_CudaC):
    """Its call raises `NotImplementedError`, which names the way out."""

    _instead = _ONE_KERNEL


class ReductionKernel(_CudaC):
    """Its call raises `NotImplementedError`, which names the way out."""

    _instead = _ONE_KERNEL + "; @phalanx.cuda.reduce reduces by a function of two numbers"


class RawKernel(_CudaC):
    """Its launch raises `NotImplementedError`, which names the way out."""

    _instead = (
        "write the kernel in Python with @phalanx.cuda.jit, or link it to one with "
        "phalanx.cuda.CUSource (docs/guide/linking.md)"
    )


class RawModule(RawKernel):
    """Its functions raise `NotImplementedError`, which names the way out."""
