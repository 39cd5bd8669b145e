"""Descents of a loss over samples whose features are of any size: each in a unit of its own."""

from __future__ import annotations

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..sparse_samples import SparseSamples
from .centers import SparseCentered
from .class_shifts import Shift
from .lbfgs import Ending, Function, Minimum, Point, minimum
from .owlqn import sparse_minimum

_SMALLEST = 1e-150  # of which the square is not 0


def rounding_of(x: ndarray | SparseSamples) -> float:
    """The relative rounding of losses that are computed in the dtype of the samples."""
    return 64 * float(np.finfo(x.dtype).eps)


def mean_sizes(x: ndarray | SparseSamples, weight: ndarray | None) -> np.ndarray:
    """The weighted means of features' absolute values, which do not overflow as squares do."""
    if isinstance(x, SparseCentered):
        return x.mean_sizes()
    if isinstance(x, SparseSamples):
        host = np.ones(x.shape[0]) if weight is None else np.asarray(weight, np.float64)
        sizes = np.abs(x.values).astype(np.float64) * (host / host.sum())[x.rows]
        return np.bincount(x.columns, sizes, minlength=x.shape[1])
    sizes = px.abs(x).astype(np.float64)
    if weight is None:
        return np.asarray(px.mean(sizes, axis=0))
    share = weight.astype(np.float64)
    total = float(px.sum(share))
    return np.asarray(px.sum(sizes * (share / total)[:, None], axis=0))


def least(
    function: Function,
    sizes: np.ndarray,
    units: np.ndarray,
    start: np.ndarray,
    ending: Ending,
    shift: Shift | None = None,
) -> Minimum:
    """The least value of a function and of absolute values times `sizes`, from `start`.

    `units` are the roots of the second derivatives, about: places times these have slopes of one
    size, so that neither the steps nor what a line search tries depend on the units of features.
    `ending.tol` is that of slopes by the places themselves, and `shift` is of these.
    """
    units = np.where(units > 0, np.maximum(units, _SMALLEST), 1.0)

    def in_units(place: np.ndarray) -> tuple[float, np.ndarray]:
        value, slopes = function(place / units)
        return value, slopes / units

    ending = ending._replace(tol=ending.tol / units)
    if sizes.any():
        own = None if shift is None else _in_units(shift, units)
        found = sparse_minimum(in_units, sizes / units, start * units, ending, own)
    else:
        found = minimum(in_units, start * units, ending)
    return found._replace(place=found.place / units)


def _in_units(shift: Shift, units: np.ndarray) -> Shift:
    def shifted(point: Point) -> Point:
        made = shift(Point(point.place / units, point.value, point.slope * units))
        return Point(made.place * units, made.value, made.slope / units)

    return shifted
