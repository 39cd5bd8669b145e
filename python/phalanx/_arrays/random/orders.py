"""Random orders and samples of what there is."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import _engine
from .. import coerce, host, scans, selecting, sorting
from ..one_device import refuse_spread
from . import integers
from .counters import Philox4x32, extents
from .sampling import Sampling


def permuted_indices(source: Philox4x32, count: int) -> Any:
    """0 to `count` - 1 in random order, in int64: by the order of random words."""
    return sorting.argsort(source.array("words", (count,), ()), stable=True)


def permutation(source: Philox4x32, x: Any, axis: int) -> Any:
    """A copy with the parts along the axis in random order; of an int, of its range."""
    if isinstance(x, (int, np.integer)):
        return permuted_indices(source, *extents(operator.index(x)))
    array = _population(x)
    if array.ndim == 0:
        raise np.exceptions.AxisError(axis, 0)
    along = _axis(axis, array.ndim)
    return _taken(array, permuted_indices(source, array.shape[along]), along)


def _population(a: Any) -> Any:
    """An array of ours, or one of NumPy's where we have no such elements: text, objects."""
    try:
        return coerce.as_operand(a)
    except TypeError:
        return np.asarray(a)


def _taken(array: Any, indices: Any, axis: int) -> Any:
    if isinstance(array, np.ndarray):
        return array.take(np.asarray(indices), axis)
    return selecting.take(array, indices, axis)


def shuffle(source: Philox4x32, x: Any, axis: int) -> None:
    """Brings an array's parts along the axis, or a list's items, into random order, in place."""
    if isinstance(x, (_engine.Array, np.ndarray)):
        if x.ndim == 0:
            raise TypeError("an array without dimensions has no order")
        if not x.flags.writeable:
            raise ValueError("array is read-only")
        x[...] = permutation(source, x, axis)
        return
    refuse_spread(x)
    if axis != 0:
        raise NotImplementedError("Axis argument is only supported on ndarray objects")
    order = np.asarray(permuted_indices(source, len(x))).tolist()
    x[:] = [x[i] for i in order]


def permuted(source: Philox4x32, x: Any, axis: int | None) -> Any:
    """A copy in which each row along the axis is in a random order of its own; None: all of it."""
    array = coerce.as_operand(x)
    if axis is None:
        order = permuted_indices(source, array.size)
        return selecting.take(array._reshape((-1,)), order, 0)._reshape(array.shape)
    along = _axis(axis, array.ndim)
    order = sorting.argsort(source.array("words", array.shape, ()), along, stable=True)
    return selecting.take_along_axis(array, order, along)


@dataclass(frozen=True)
class Sample:
    """How `choice` chooses: if more than once, with which chances, and if the order is random."""

    replace: bool
    p: Any
    shuffles: bool


def choice(source: Philox4x32, a: Any, size: Any, axis: int, sample: Sample) -> Any:
    """A sample of the parts of an array along the axis, or of the numbers below an int.

    Raises `ValueError` for an empty population, a sample without replacement larger than it, and
    probabilities that are negative, not as many, or do not add to 1.
    """
    population: Any = None
    if isinstance(a, (int, np.integer)):
        count = operator.index(a)
        if count < 0 or (count == 0 and _size(size) != 0):
            raise ValueError("a must be a positive integer unless no samples are taken")
    else:
        population = _population(a)
        if population.ndim == 0 and population.dtype.kind in "iu":
            return choice(source, int(population), size, axis, sample)
        if population.ndim == 0:
            raise ValueError("a must be a sequence or an integer, not " + type(a).__name__)
        count = population.shape[_axis(axis, population.ndim)]
        if count == 0 and _size(size) != 0:
            raise ValueError("a cannot be empty unless no samples are taken")
    indices = _chosen(source, count, size, sample)
    if population is None:
        return indices
    if size is None:
        return population[(slice(None),) * _axis(axis, population.ndim) + (int(indices),)]
    return _taken(population, indices, axis)


def _chosen(source: Philox4x32, count: int, size: Any, sample: Sample) -> Any:
    replace, p = sample.replace, _chances(sample.p, count)
    if replace and p is None:
        if _size(size) == 0:
            return _engine.array_cast(source.array("words", extents(size), ()), "int64")
        return integers.draw(source, 0, count, size, "int64", False)
    if replace:
        totals = scans.cumsum(p)
        drawn = Sampling(source, None if size is None else extents(size)).random()
        made = sorting.searchsorted(totals / totals[-1], drawn, "right")
        return made if size is not None else coerce.as_operand(made)._as_number()
    wanted = _size(size)
    if wanted > count:
        raise ValueError("Cannot take a larger sample than population when replace is False")
    if p is None and wanted * 50 >= count and size is not None:
        return permuted_indices(source, count)[:wanted]._reshape(extents(size))

    def draw(generator: np.random.Generator) -> Any:
        return host.run(generator.choice, count, size, replace, p=p, shuffle=sample.shuffles)

    return source.by_numpy(wanted, draw)


def _chances(p: Any, count: int) -> Any:
    if p is None:
        return None
    chances = np.asarray(host.as_host(p), dtype=np.float64)
    if chances.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if len(chances) != count:
        raise ValueError("a and p must have same size")
    if np.isnan(chances).any():
        raise ValueError("Probabilities contain NaN")
    if (chances < 0).any():
        raise ValueError("Probabilities are not non-negative")
    if abs(chances.sum() - 1) > max(np.sqrt(np.finfo(np.float64).eps), 1e-8):
        raise ValueError("Probabilities do not sum to 1. See Notes section of docstring.")
    return coerce.as_operand(chances)


def _size(size: Any) -> int:
    return 1 if size is None else int(np.prod(extents(size), dtype=np.int64))


def _axis(axis: int, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis % ndim
