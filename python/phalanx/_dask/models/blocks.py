"""Samples in Dask's blocks: what a function makes of each, combined in a tree of tasks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import dask
import dask.array as da
import numpy as np
from dask.base import is_dask_collection

import phalanx as px

from ..._models.base import Estimator
from ..._models.features import keep_features
from ..._models.validation import as_array, numbers, samples, samples_or_sparse, weights

_BRANCHES = 8  # results that one task combines


class Block(NamedTuple):
    """Checked samples, arrays of ours or sparse; targets as they are; weights."""

    x: Any
    y: Any
    weight: Any


class Shape(NamedTuple):
    """Of all samples: what is asked of an array that is nowhere as a whole."""

    shape: tuple[int, int]
    dtype: np.dtype


def is_frame(X: Any) -> bool:
    """True for a frame or a series of Dask's."""
    return is_dask_collection(X) and not isinstance(X, da.Array)


def refuse_others(X: Any, name: str, model: Any) -> None:
    """Raise TypeError for what is no array or frame of Dask's."""
    if not (isinstance(X, da.Array) or (is_dask_collection(X) and hasattr(X, "to_delayed"))):
        kind = type(model).__name__
        raise TypeError(
            f"{name} of phalanx.ml.dask's {kind} is an array or a frame of Dask's, not "
            f"{type(X).__name__}; phalanx.ml.{kind} takes that"
        )


def delayed_rows(values: Any) -> list[Any]:
    """The blocks of rows as delayed values; a block has all columns."""
    if not isinstance(values, da.Array):
        return list(values.to_delayed())
    if values.ndim == 2:
        values = values.rechunk({1: -1})
    return list(values.to_delayed().ravel())


def _aligned(X: Any, other: Any, name: str, model: Any) -> list[Any]:
    """Blocks of targets or weights with the rows of X's blocks."""
    if not is_dask_collection(other):
        other = da.from_array(as_array(other, name), chunks=-1)
    refuse_others(other, name, model)
    is_known = isinstance(X, da.Array) and isinstance(other, da.Array)
    if is_known and not np.isnan(sum(X.chunks[0]) + sum(other.chunks[0])):
        if other.shape[0] != X.shape[0]:
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"{[X.shape[0], other.shape[0]]}"
            )
        other = other.rechunk({0: X.chunks[0]})
    made = delayed_rows(other)
    if len(made) != len(delayed_rows(X)):
        raise ValueError(
            f"{name} has {len(made)} blocks, not X's {len(delayed_rows(X))}: give both the same "
            "partitions, or compute_chunk_sizes() of the arrays"
        )
    return made


class _Any(Estimator):
    """A model without a name of its own in messages, to check a block's samples with."""


def _checked(x: Any, y: Any, weight: Any, sparse: bool) -> Block | None:
    if x.shape[0] == 0:
        return None
    made = (samples_or_sparse if sparse else samples)(_Any(), x, fitting=True)
    for name, other in (("y", y), ("sample_weight", weight)):
        if other is not None and len(other) != made.shape[0]:
            raise ValueError(
                f"a block of {name} has {len(other)} rows, and that of X has {made.shape[0]}"
            )
    own = None if weight is None else _weights(as_array(weight, "sample_weight"), made)
    return Block(made, None if y is None else as_array(y, "y"), own)


def _weights(values: Any, like: Any) -> Any:
    """The weights of a block: they may all be 0 there, but not in all blocks."""
    if values.dtype.kind in "biuf" and not np.asarray(values).any():
        return px.zeros(values.shape[0], like.dtype, device=like.device)
    return weights(values, like)


def refuse_no_weight(total: float) -> None:
    """Raise ValueError where the weights of all blocks are 0."""
    if not total:
        raise ValueError("Sample weights must contain at least one non-zero number.")


def _combined(combine: Callable[[Any, Any], Any], parts: list[Any]) -> Any:
    there = [each for each in parts if each is not None]
    if not there:
        return None
    total = there[0]
    for each in there[1:]:
        total = combine(total, each)
    return total


def _of_block(function: Callable[..., Any], block: Block | None, *arguments: Any) -> Any:
    return None if block is None else function(block, *arguments)


class Parts:
    """Blocks as delayed values, None where there is nothing."""

    def __init__(self, parts: list[Any]) -> None:
        filled = dask.delayed(_filled, pure=False)
        self.parts = [filled(each) for each in parts]

    def reduced(
        self, function: Callable[..., Any], combine: Callable[[Any, Any], Any], *arguments: Any
    ) -> Any:
        """What `function(block, *arguments)` makes of each block, combined in their order.

        Raises ValueError where there are no samples.
        """
        shared = [dask.delayed(each, pure=False, traverse=False) for each in arguments]
        apply, merge = dask.delayed(_of_block, pure=False), dask.delayed(_combined, pure=False)
        level = [apply(function, part, *shared) for part in self.parts]
        while len(level) > 1:
            groups = range(0, len(level), _BRANCHES)
            level = [merge(combine, level[first : first + _BRANCHES]) for first in groups]
        (made,) = dask.compute(*level)
        if made is None:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        return made

    def each(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """What the function makes of each block, in their order; None of an empty one."""
        apply = dask.delayed(_of_block, pure=False)
        return list(dask.compute(*[apply(function, part, *arguments) for part in self.parts]))


def _filled(block: Any) -> Any:
    return block if block.shape[0] else None


class Blocks(Parts):
    """The blocks of samples, targets and weights that a model is fitted to.

    With a client of `distributed` checked blocks stay on the workers; without, each pass computes
    them again, so that there may be more than fits in memory.
    """

    def __init__(
        self, model: Any, X: Any, y: Any = None, sample_weight: Any = None, *, sparse: bool = False
    ) -> None:
        refuse_others(X, "X", model)
        if X.ndim != 2:
            raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: X is 2-dimensional")
        rows = delayed_rows(X)
        nothing = [None] * len(rows)
        targets = nothing if y is None else _aligned(X, y, "y", model)
        shares = nothing
        if sample_weight is not None:
            shares = _aligned(X, sample_weight, "sample_weight", model)
        check = dask.delayed(_checked, pure=False)
        self.parts = [check(*each, sparse) for each in zip(rows, targets, shares, strict=True)]
        if client_of() is not None:
            self.parts = list(dask.persist(*self.parts))
        keep_features(model, X._meta, X.shape[1])

    def lengths(self) -> list[int]:
        """The number of samples in each block."""
        return [each or 0 for each in self.each(_length)]

    def filled(self) -> list[Any]:
        """The blocks that have samples. Raises ValueError where none has."""
        there = [part for part, count in zip(self.parts, self.lengths(), strict=True) if count]
        if not there:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        return there


def _length(block: Block) -> int:
    return int(block.x.shape[0])


def client_of() -> Any:
    """The client where tasks go to a cluster, whose workers write to files what does not fit."""
    import sys

    client = sys.modules.get("distributed.client")
    return None if client is None else client._get_global_client()


def shares_of(parts: list[Any], most: int) -> list[list[Any]]:
    """Blocks shared out among the workers of a cluster, in their order; else all in one share.

    Shares are at most `most`, and none is empty. A task over a share goes where most of it lies.
    """
    client = client_of()
    workers = 1 if client is None else len(client.nthreads())
    count = max(1, min(workers, most, len(parts)))
    ends = [len(parts) * number // count for number in range(count + 1)]
    return [parts[first:last] for first, last in pairwise(ends)]


def joined(blocks: list[Block | None]) -> Block | None:
    """Several blocks as one; None where there are no samples."""
    there = [each for each in blocks if each is not None]
    if len(there) < 2:
        return there[0] if there else None
    x, y, weight = zip(*there, strict=True)
    return Block(
        px.concatenate(x),
        None if y[0] is None else np.concatenate([np.asarray(each) for each in y]),
        None if weight[0] is None else px.concatenate(weight),
    )


def added(first: Any, second: Any) -> Any:
    """The sums of tuples of numbers and arrays, element by element."""
    return tuple(one + other for one, other in zip(first, second, strict=True))


def columns_of(block: Block) -> Any:
    """The targets of a block as numbers, samples x targets, in the dtype of the samples."""
    made = numbers(block.y, (block.x.dtype,), "y")
    return made if made.ndim == 2 else made[:, None]
