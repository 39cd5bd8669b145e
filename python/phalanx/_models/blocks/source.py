"""Samples in blocks: what is asked of a source of them, and what a block is."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base import Estimator
from ..validation import as_array, numbers, refuse_gaps, samples, samples_or_sparse, weights


class Block(NamedTuple):
    """Checked samples, arrays of ours or sparse; targets as they are; weights; the model's name."""

    x: Any
    y: Any
    weight: Any
    name: str


class Shape(NamedTuple):
    """Of all samples: what is asked of an array that is nowhere as a whole."""

    shape: tuple[int, int]
    dtype: np.dtype


class Queued(NamedTuple):
    """What a function has queued on its block's device: an array, and what makes a result of it."""

    array: Any
    finish: Callable[[np.ndarray], Any]

    def result(self) -> Any:
        """The result, once the device is done."""
        return self.finish(np.asarray(self.array))


def queues_where(is_so: Callable[..., bool]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Marks a function of a block that gives `Queued` where that is so for the same arguments.

    Such a function waits for nothing, so that devices need no threads to work at once.
    """

    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        vars(function)[_MARK] = is_so
        return function

    return mark


_MARK = "_queues_where"


def only_queues(function: Callable[..., Any], blocks: Sequence[Any], *arguments: Any) -> bool:
    """True if the function only queues work for every block, of which None have no samples."""
    is_so = getattr(function, _MARK, None)
    return is_so is not None and all(
        is_so(block, *arguments) for block in blocks if block is not None
    )


class Source(abc.ABC):
    """Blocks, each of which is somewhere; functions of them run there, and results are combined.

    A block is a `Block`, or what a function that `prepared` was given has made of one. Functions
    give NumPy's arrays and numbers, which may travel; blocks do not.
    """

    @abc.abstractmethod
    def each(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        of_blocks: Sequence[Any] | None = None,
    ) -> list[Any]:
        """What ``function(block, *arguments)`` makes of each, in their order; None of empty ones.

        Arguments go to all blocks; each of `of_blocks` to one block, as its last argument.
        """

    @abc.abstractmethod
    def prepared(self, function: Callable[..., Any], *arguments: Any) -> Source:
        """A source of what the function makes of each block, which stays where the block is."""

    def reduced(
        self,
        function: Callable[..., Any],
        combine: Callable[[Any, Any], Any],
        *arguments: Any,
        of_blocks: Sequence[Any] | None = None,
    ) -> Any:
        """What the function makes of each block, combined in their order.

        Raises ValueError where there are no samples.
        """
        return result_of(combined(combine, self.each(function, *arguments, of_blocks=of_blocks)))

    def rows(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function makes of each block, an element a sample, spread as the samples are.

        None of a source whose samples nobody has at once.
        """
        return None

    def here(self) -> Sequence[Any]:
        """The blocks with samples, where all are on devices of this process; else none."""
        return ()

    def together(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What ``function(blocks, reduction, *arguments)`` gives the first of several processes.

        Each of them calls it at the same time, with blocks of its own, of which empty ones are
        None, and a `Reduction` over all. None where there are no such processes.
        """
        return None

    def lengths(self) -> list[int]:
        """The number of samples in each block; before they are `prepared`."""
        return [each or 0 for each in self.each(_length)]


def _length(block: Block) -> int:
    return int(block.x.shape[0])


class Prepared:
    """What a block was made into, and what a first step makes of that for later ones.

    The latter stays in the process: pickles are without it.
    """

    def __init__(self, *data: Any) -> None:
        self.data = data
        self._kept: Any = None

    def kept(self, make: Callable[..., Any]) -> Any:
        """What ``make(*data)`` gave at the first call."""
        if self._kept is None:
            self._kept = make(*self.data)
        return self._kept

    def __reduce__(self) -> tuple[Any, ...]:
        return Prepared, self.data


class Unnamed(Estimator):
    """A model to check a block's samples with, where messages name none."""


def checker(name: str) -> Estimator:
    """A model to check a block's samples with, of the name that messages give: a class's."""
    made: Estimator = type(name, (Unnamed,), {})()
    return made


def checked(
    x: Any, y: Any, weight: Any, name: str, sparse: bool = False, allow_nan: bool = False
) -> Block | None:
    """A block of what is given for its rows; None where there are none.

    `name` is that of the model's class, for messages; `sparse` samples and missing numbers are
    taken on request. Raises as `samples` and `weights` do; the weights of one block may all be 0.
    """
    if x.shape[0] == 0:
        return None
    take = samples_or_sparse if sparse else samples
    made = take(checker(name), x, fitting=True, allow_nan=allow_nan)
    for what, other in (("y", y), ("sample_weight", weight)):
        if other is not None and len(other) != made.shape[0]:
            raise ValueError(
                f"a block of {what} has {len(other)} rows, and that of X has {made.shape[0]}"
            )
    own = weights(weight, made, may_be_0=True)
    return Block(made, None if y is None else as_array(y, "y"), own, name)


def refuse_no_weight(total: float) -> None:
    """Raise ValueError where the weights of all blocks are 0."""
    if not total:
        raise ValueError("Sample weights must contain at least one non-zero number.")


def refuse_lengths(first: int, second: int) -> None:
    """Raise ValueError where samples are not as many as their targets or weights."""
    if first != second:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {[first, second]}"
        )


def refuse_dimensions(X: Any) -> None:
    """Raise ValueError for what is not samples x features."""
    if len(X.shape) != 2:
        raise ValueError(
            f"Expected 2D array, got {len(X.shape)}D array instead: X is 2-dimensional, of one "
            "feature X.reshape(-1, 1)"
        )


def combined(combine: Callable[[Any, Any], Any], parts: Sequence[Any]) -> Any:
    """The results of blocks as one; None where no block has samples."""
    there = [each for each in parts if each is not None]
    if not there:
        return None
    total = there[0]
    for each in there[1:]:
        total = combine(total, each)
    return total


def result_of(made: Any) -> Any:
    """The combined result. Raises ValueError where there is none."""
    if made is None:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    return made


def of_block(function: Callable[..., Any], block: Any, *arguments: Any) -> Any:
    """What a function makes of a block; None of an empty one."""
    made = None if block is None else function(block, *arguments)
    return made.result() if isinstance(made, Queued) else made


def added(first: Any, second: Any) -> Any:
    """The sums of tuples of numbers and arrays, element by element."""
    return tuple(one + other for one, other in zip(first, second, strict=True))


def columns_of(block: Block) -> Any:
    """The targets of a block as numbers, samples x targets, in the dtype of the samples.

    Raises ValueError for those that are missing or infinite.
    """
    made = numbers(block.y, (block.x.dtype,), "y")
    refuse_gaps(made, "y", block.name)
    return made if made.ndim == 2 else made[:, None]
