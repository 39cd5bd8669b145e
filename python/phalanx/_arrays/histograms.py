"""Histograms: by kernels on the device where these sort arrays, else by NumPy."""

from __future__ import annotations

import importlib
from typing import Any

from .. import _engine
from . import coerce, hosted, selecting, shapes, sorting, ufuncs
from .counting import bincount

_WEIGHTS = (*(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)), "float16")
_WEIGHTS += ("float32", "float64")
_REAL = (*_WEIGHTS, "bool")

_by_numpy = hosted.HostFunction("histogram", "")
_digitized = hosted.HostFunction("digitize", "")


def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> Any:
    """How many elements are in each of the bins, and the bins' edges.

    `bins` is a number of bins of one width, or the edges; the last bin has its right edge, too.
    With `weights` their sums are given, with `density` the densities. Raises `ValueError` for
    edges that do not ascend, and for ranges that are not finite.

    >>> counts, edges = px.histogram([1, 2, 1], bins=[0, 1, 2, 3])
    >>> counts
    array([0, 2, 1])
    """
    import numpy as np

    place = coerce.place_of(a, weights, bins)
    array = coerce.asarray_beside(a, place)
    weight = None if weights is None else coerce.asarray_beside(weights, place)
    if not _is_for_device(array, bins, weight):
        return _by_numpy(array, bins, range, density, weight)
    flat = shapes.ravel(array)
    edges, width = _edges(flat, bins, range)
    kind = np.result_type(edges.dtype, flat._dtype)
    kind = edges.dtype if width is not None else kind
    values = coerce.in_order(_cast(flat, kind.name), "C")
    ours = coerce.asarray(edges.astype(kind), device=array._device)
    if weight is None and len(edges) - 1 <= _counting().MOST_PLACES:
        made = _counting().histogram(values, ours, width)
    else:
        made = _summed(values, ours, weight)
    if density:
        made = (
            made / coerce.asarray(np.diff(edges).astype(float), device=array._device) / made.sum()
        )
    return made, coerce.asarray(edges, device=array._device)


def _counting() -> Any:
    return importlib.import_module("phalanx._sorting.counting")


def _is_for_device(array: Any, bins: Any, weight: Any) -> bool:
    if sorting.by_kernels(array) is None or array._dtype not in _REAL or isinstance(bins, str):
        return False
    is_counted = weight is None or (weight._dtype in _WEIGHTS and weight.shape == array.shape)
    return is_counted and _ndim(bins) < 2 and not _is_odd(bins)


def _is_odd(bins: Any) -> bool:
    """Returns whether edges are too few for a bin, or some are no numbers: NumPy knows the rest."""
    if _ndim(bins) == 0:
        return False
    import numpy as np

    edges = np.asarray(coerce.to_numpy(bins) if isinstance(bins, _engine.Array) else bins)
    return edges.size < 2 or edges.dtype.kind not in "biuf" or bool(np.isnan(edges).any())


def _ndim(bins: Any) -> int:
    import numpy as np

    return bins.ndim if isinstance(bins, _engine.Array) else np.ndim(bins)


def _edges(flat: Any, bins: Any, extent: Any) -> tuple[Any, float | None]:
    """NumPy's edges, and the bins' width if they have one."""
    import numpy as np

    kind = np.dtype(flat._dtype)
    edges = np.asarray(coerce.to_numpy(bins) if isinstance(bins, _engine.Array) else bins)
    if edges.ndim == 1:
        return np.histogram_bin_edges(np.zeros(0, kind), edges, extent), None
    if extent is None:
        extent = [np.asarray(each)[()] for each in (flat.min(), flat.max())]
        if kind.kind == "b":
            extent = [int(each) for each in extent]
    made = np.histogram_bin_edges(np.zeros(0, kind), bins, tuple(extent))
    return made, float(made[-1] - made[0]) / (len(made) - 1)


def _cast(array: Any, dtype: str) -> Any:
    return array if array._dtype == dtype else _engine.array_cast(array, dtype)


def _summed(values: Any, edges: Any, weight: Any) -> Any:
    """The sums of weights, or counts of many bins; what is beyond the edges has its own bin."""
    count = edges.size - 1
    places = sorting.searchsorted(edges, values, side="right") - 1
    is_last = values == edges[-1]
    is_inside = (values >= edges[0]) & (values <= edges[-1])
    places = selecting.where(is_inside, selecting.where(is_last, count - 1, places), count)
    flat = None if weight is None else shapes.ravel(weight)
    made = bincount(places, flat, minlength=count + 1)[:count]
    return made if weight is None else _cast(made, weight._dtype)


def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """The number of the bin of each element, with edges that ascend or descend.

    >>> px.digitize([0.5, 2.5], [0, 1, 2, 3])
    array([1, 3])
    """
    array, edges = coerce.arrays(x, bins)
    if edges.ndim != 1 or sorting.by_kernels(array) is None or sorting.by_kernels(edges) is None:
        return _digitized(array, edges, right)
    if "float" in edges._dtype and bool(ufuncs.table()["isnan"](edges).any()):
        return _digitized(array, edges, right)
    steps = edges[1:] >= edges[:-1]
    side = "left" if right else "right"
    if bool(steps.all()):
        return sorting.searchsorted(edges, array, side=side)
    if not bool((edges[1:] <= edges[:-1]).all()):
        raise ValueError("bins must be monotonically increasing or decreasing")
    return edges.size - sorting.searchsorted(shapes.flip(edges), array, side=side)
