"""What other packages take of ``cupy._core``: reductions by expressions, and copies by elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phalanx import ndarray

from . import cupy_kernel_calls as calls
from .cupy_kernel_params import operand
from .cupy_reduction_kernels import ReductionKernel
from .cupy_user_kernels import ElementwiseKernel

__all__ = [
    "ElementwiseKernel", "ReductionKernel", "create_reduction_func", "elementwise_copy", "ndarray",
]  # fmt: skip

# Expressions: what an element becomes, how two are joined, what is stored, the type in between.
Routine = tuple[str | None, str | None, str | None, str | None]


class SimpleReduction(calls.CachedCodes):
    """A reduction whose dtypes are those of a table: `create_reduction_func` makes it."""

    def __init__(
        self, name: str, ops: Sequence[Any], routine: Routine, identity: Any, preamble: str
    ) -> None:
        self.name = self.__name__ = name
        self.identity = identity
        self._cached_codes = {}
        self._kernels: dict[tuple[np.dtype[Any], np.dtype[Any]], ReductionKernel] = {}
        for op in ops:
            types, own = (op, ()) if isinstance(op, str) else op
            texts = [*own, *routine[len(own) :]]
            chosen = [given or usual for given, usual in zip(texts, routine, strict=True)]
            before, after = (np.dtype(each) for each in types.split("->"))
            kernel = ReductionKernel(
                f"{before.name} in0", f"{after.name} out0", chosen[0] or "in0", chosen[1] or "",
                chosen[2] or "out0 = a", identity, name, chosen[3], preamble=preamble,
            )  # fmt: skip
            kernel._cached_codes = self._cached_codes
            self._kernels[before, after] = kernel

    def __call__(
        self, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        """Reduces `a` along `axis`, an int, a tuple or all.

        The first row of the table is taken to whose dtype the elements can be cast safely, or
        whose result has `dtype`. Raises `TypeError` for what is no array of the device and where
        no row fits, and the errors of `ReductionKernel`.
        """
        array = operand(a) if _is_of_device(a) else None
        if not isinstance(array, ndarray):
            raise TypeError(
                f"Argument 'a' has incorrect type (expected cupy.ndarray, got {type(a).__name__})"
            )
        for (before, after), kernel in self._kernels.items():
            fits = np.can_cast(array.dtype, before) if dtype is None else after == np.dtype(dtype)
            if fits:
                given = array.astype(before, copy=False)
                return kernel(given, axis=axis, out=out, keepdims=keepdims)
        raise TypeError(f"{self.name} has no row for {array.dtype if dtype is None else dtype}")


def _is_of_device(a: Any) -> bool:
    names = ("__cupy_get_ndarray__", "__cuda_array_interface__")
    return isinstance(a, ndarray) or any(hasattr(a, name) for name in names)


def create_reduction_func(
    name: str,
    ops: Sequence[Any],
    routine: Routine = (None, None, None, None),
    identity: Any = None,
    preamble: str = "",
    sort_reduce_axis: bool = True,
) -> SimpleReduction:
    """A reduction by expressions in CUDA C for the dtypes of `ops`.

    `ops` are rows such as ``"b->b"``, or pairs of one and its own expressions; `routine` are the
    expressions of the others: of an element ``in0``, of two values ``a`` and ``b``, of the result
    ``out0`` by ``a``, and the type of values in between, by default that of the result. Axes are
    reduced in any order, whatever `sort_reduce_axis` is.
    """
    return SimpleReduction(name, ops, routine, identity, preamble)


def elementwise_copy(src: Any, dst: Any) -> Any:
    """Copies the elements of an array into another, whose dtype they are converted to.

    Raises `ValueError` where the shapes do not broadcast, and for arrays on two devices, whose
    memory one kernel does not reach (`cupy.copyto` takes those); gives `dst`.
    """
    dst[...] = src
    return dst
