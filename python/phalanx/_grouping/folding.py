"""The kernels that fold the rows of each group into a number: sums, extremes, counts, first rows.

Where there are few groups a block folds in shared memory, warps in copies of their own as far as
there is room, and then adds what it has to all others'. Of many groups each row goes to memory at
once. Sums of floats are added up in no fixed order.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import cuda
from .._arrays.launching import launch_alone, read, written
from .kernels import full

_THREADS = 512
_BLOCKS = 528  # four for each multiprocessor of the largest GPUs
_WORDS = 2048  # of 8 bytes in shared memory


class Fold(NamedTuple):
    """How a row is added: by which rule, and what of it."""

    rule: str  # add, min or max
    takes: str  # its value, its row, or one

    def identity(self, dtype: np.dtype) -> Any:
        """What a group without rows has."""
        if self.rule == "add":
            return dtype.type(0)
        if dtype.kind == "f":
            return dtype.type(np.inf if self.rule == "min" else -np.inf)
        limits = np.iinfo(dtype)
        return dtype.type(limits.max if self.rule == "min" else limits.min)


FOLDS = {
    "sum": Fold("add", "value"),
    "count": Fold("add", "one"),
    "min": Fold("min", "value"),
    "max": Fold("max", "value"),
    "first": Fold("min", "row"),
    "last": Fold("max", "row"),
}


@cache
def _rule(rule: str) -> Any:
    @cuda.jit(device=True)
    def add(out: Any, place: Any, value: Any) -> None:
        cuda.atomic.add(out, place, value)

    # Most rows change nothing, which a plain read finds without an atomic operation.
    @cuda.jit(device=True)
    def least(out: Any, place: Any, value: Any) -> None:
        if value < out[place]:
            cuda.atomic.min(out, place, value)

    @cuda.jit(device=True)
    def greatest(out: Any, place: Any, value: Any) -> None:
        if value > out[place]:
            cuda.atomic.max(out, place, value)

    return {"add": add, "min": least, "max": greatest}[rule]


@cache
def _taken(takes: str, wide: Any) -> Any:
    @cuda.jit(device=True)
    def value_of(values: Any, row: Any) -> Any:
        return wide(values[row])

    @cuda.jit(device=True)
    def row_of(values: Any, row: Any) -> Any:
        return wide(row)

    @cuda.jit(device=True)
    def one_of(values: Any, row: Any) -> Any:
        return wide(1)

    return {"value": value_of, "row": row_of, "one": one_of}[takes]


@cache
def _in_memory(fold: Fold, wide: Any, skips_nan: bool) -> Any:
    put, taken = _rule(fold.rule), _taken(fold.takes, wide)

    @cuda.jit
    def fold_groups(codes: Any, values: Any, out: Any) -> None:
        for i in range(cuda.grid(1), codes.size, cuda.gridsize(1)):
            code = codes[i]
            if code >= 0 and (not skips_nan or values[i] == values[i]):
                put(out, code, taken(values, i))

    return fold_groups


@cache
def _in_shared_memory(fold: Fold, wide: Any, skips_nan: bool) -> Any:
    put, taken = _rule(fold.rule), _taken(fold.takes, wide)
    identity = fold.identity(np.dtype(wide))

    @cuda.jit
    def fold_few_groups(codes: Any, values: Any, out: Any, step: Any) -> None:
        own = cuda.shared.array(_WORDS, wide)
        t = cuda.threadIdx.x
        for i in range(t, _WORDS, cuda.blockDim.x):
            own[i] = identity
        cuda.syncthreads()
        first = (t // 32 * step) % _WORDS
        for i in range(cuda.grid(1), codes.size, cuda.gridsize(1)):
            code = codes[i]
            if code >= 0 and (not skips_nan or values[i] == values[i]):
                put(own, first + code, taken(values, i))
        cuda.syncthreads()
        for i in range(t, _WORDS, cuda.blockDim.x):
            if i % step < out.size and own[i] != identity:
                put(out, i % step, own[i])

    return fold_few_groups


def folded(name: str, codes: Any, count: int, values: Any, dtype: Any) -> Any:
    """A number of `dtype` for each group; rows with code -1 and those that are NaN are left out.

    `name` is one of `FOLDS`. A group without rows has the fold's identity.
    """
    fold, wide = FOLDS[name], np.dtype(dtype)
    out = full(count, fold.identity(wide), wide, codes.device)
    if codes.size == 0 or count == 0:
        return out
    skips_nan = values.dtype.kind == "f"
    step = 1 << max(count - 1, 1).bit_length()
    given: Any = (read(codes), read(values), written(out))
    kernel = _in_memory(fold, wide.type, skips_nan)
    if step <= _WORDS:
        kernel, given = _in_shared_memory(fold, wide.type, skips_nan), (*given, step)
    blocks = min(_BLOCKS, -(-codes.size // _THREADS))
    launch_alone(kernel, blocks, _THREADS, codes._device, *given)
    return out
