"""The classes of samples in blocks: which there are, and the number of each sample's."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..classes import checked_classes
from ..preprocessing.category_columns import categories_of, codes_of
from .source import Block, Source, checker


class Met(NamedTuple):
    """The sorted classes of all samples, the weight of each, and the dtype of the samples."""

    classes: np.ndarray
    weights: np.ndarray
    dtype: np.dtype


def _found(block: Block) -> tuple[Any, ...]:
    """The weights of a block's classes, the classes' dtype, and the samples'."""
    values = checked_classes(checker(block.name), block.y, block.x.shape[0])
    classes = categories_of(values)
    weight = None if block.weight is None else np.asarray(block.weight, np.float64)
    met = np.bincount(codes_of(values, classes), weight, minlength=len(classes))
    return dict(zip(classes.tolist(), met.tolist(), strict=True)), classes.dtype, block.x.dtype


def _both(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
    sums = dict(first[0])
    for each, weight in second[0].items():
        sums[each] = sums.get(each, 0) + weight
    kinds = [np.promote_types(one, other) for one, other in zip(first[1:], second[1:], strict=True)]
    return sums, *kinds


def classes_met(blocks: Source) -> Met:
    """The classes of all samples. Raises ValueError for numbers that are no classes."""
    met, kind, dtype = blocks.reduced(_found, _both)
    classes = np.array(sorted(met), kind)
    return Met(classes, np.array([met[each] for each in classes.tolist()], np.float64), dtype)


def codes_in(block: Block, classes: np.ndarray) -> np.ndarray:
    """The number of the class of each of a block's samples, int64, on the host."""
    return codes_of(checked_classes(checker(block.name), block.y, block.x.shape[0]), classes)
