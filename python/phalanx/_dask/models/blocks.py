"""Samples in Dask's blocks: what a function makes of each, combined in a tree of tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.base import is_dask_collection

import phalanx as px

from ..._models.blocks.source import (
    Block,
    Source,
    checked,
    combined,
    of_block,
    refuse_dimensions,
    refuse_lengths,
    result_of,
)
from ..._models.features import keep_features
from ..._models.validation import as_array

_BRANCHES = 8  # results that one task combines


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
        refuse_lengths(X.shape[0], other.shape[0])
        other = other.rechunk({0: X.chunks[0]})
    made = delayed_rows(other)
    if len(made) != len(delayed_rows(X)):
        raise ValueError(
            f"{name} has {len(made)} blocks, not X's {len(delayed_rows(X))}: give both the same "
            "partitions, or compute_chunk_sizes() of the arrays"
        )
    return made


class Parts(Source):
    """Blocks as delayed values, None where there is nothing."""

    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts

    @classmethod
    def of(cls, parts: list[Any]) -> Parts:
        """Delayed values as they are, of which empty ones count as nothing."""
        filled = dask.delayed(_filled, pure=False)
        return Parts([filled(each) for each in parts])

    def _applied(
        self, function: Callable[..., Any], arguments: Any, of_blocks: Sequence[Any] | None = None
    ) -> list[Any]:
        shared = [dask.delayed(each, pure=False, traverse=False) for each in arguments]
        own = [()] * len(self.parts) if of_blocks is None else [(each,) for each in of_blocks]
        apply = dask.delayed(of_block, pure=False)
        pairs = zip(self.parts, own, strict=True)
        return [apply(function, part, *shared, *more) for part, more in pairs]

    def reduced(
        self,
        function: Callable[..., Any],
        combine: Callable[[Any, Any], Any],
        *arguments: Any,
        of_blocks: Sequence[Any] | None = None,
    ) -> Any:
        """What the function makes of each block, combined in their order by a tree of tasks."""
        merge = dask.delayed(combined, pure=False)
        level = self._applied(function, arguments, of_blocks)
        while len(level) > 1:
            groups = range(0, len(level), _BRANCHES)
            level = [merge(combine, level[first : first + _BRANCHES]) for first in groups]
        (made,) = dask.compute(*level)
        return result_of(made)

    def each(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        of_blocks: Sequence[Any] | None = None,
    ) -> list[Any]:
        """What the function makes of each block, in their order; None of an empty one."""
        return list(dask.compute(*self._applied(function, arguments, of_blocks)))

    def prepared(self, function: Callable[..., Any], *arguments: Any) -> Parts:
        """What the function makes of each block: kept by workers, else made again by each pass."""
        return Parts(_kept(self._applied(function, arguments)))


def _kept(parts: list[Any]) -> list[Any]:
    return parts if client_of() is None else list(dask.persist(*parts))


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
        refuse_dimensions(X)
        rows = delayed_rows(X)
        nothing = [None] * len(rows)
        targets = nothing if y is None else _aligned(X, y, "y", model)
        shares = nothing
        if sample_weight is not None:
            shares = _aligned(X, sample_weight, "sample_weight", model)
        check = dask.delayed(checked, pure=False)
        name = type(model).__name__
        made = [check(*each, name, sparse) for each in zip(rows, targets, shares, strict=True)]
        super().__init__(_kept(made))
        keep_features(model, X._meta, X.shape[1])

    def filled(self) -> list[Any]:
        """The blocks that have samples. Raises ValueError where none has."""
        there = [part for part, count in zip(self.parts, self.lengths(), strict=True) if count]
        if not there:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        return there


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
    x, y, weight, name = zip(*there, strict=True)
    return Block(
        px.concatenate(x),
        None if y[0] is None else np.concatenate([np.asarray(each) for each in y]),
        None if weight[0] is None else px.concatenate(weight),
        name[0],
    )
