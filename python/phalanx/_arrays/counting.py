"""Counts of numbers."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .. import _engine
from . import coerce, dtypes, host, scattering, sorting
from .gathering import Places

if TYPE_CHECKING:
    from .ndarray import ndarray


def bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> ndarray:
    """How often each number from 0 is there, or the sum of its weights.

    The result has at least `minlength` elements. Raises `ValueError` for negative numbers, more
    than one dimension and weights of another length, `TypeError` for numbers that are no integers.

    >>> px.bincount(px.asarray([0, 1, 1, 3]))
    array([1, 2, 0, 1])
    """
    place = coerce.place_of(x, weights)
    array = coerce.beside(x, place)
    weight = None if weights is None else coerce.beside(weights, place)
    if not _counts_by_kernels(array, weight) or not isinstance(minlength, int) or minlength < 0:
        import numpy as np

        return host.run(np.bincount, x, weights, minlength)
    # Negative numbers are the greatest ones without a sign: one pass finds both.
    greatest = int(_engine.array_cast(_engine.array_cast(array, "int64"), "uint64").max())
    if greatest >= 2**63:
        raise ValueError("'list' argument must have no negative elements")
    size = max(greatest + 1, minlength)
    kernels = sorting.by_kernels(array) if weight is None else None
    if kernels is not None:
        few = importlib.import_module("phalanx._sorting.counting")
        if size <= few.MOST_PLACES:
            return few.bincount(coerce.in_order(array, "C"), size)
    dtype = "int64" if weight is None else "float64"
    counts = _engine.array_copy(_engine.array_number(0, dtype), (size,), array._place)
    value = _engine.array_number(1, dtype) if weight is None else _engine.array_cast(weight, dtype)
    places = Places(array.shape, [(-1, 0, 0)], [(0, array, True)])
    _engine.array_update_at(counts, places, "add", value)
    return counts


def _counts_by_kernels(array: _engine.Array, weight: _engine.Array | None) -> bool:
    """Returns whether NumPy takes such numbers and weights, and kernels count them."""
    is_counted = array.ndim == 1 and array.size and "int" in array._dtype
    if not is_counted or array._dtype == "uint64" or not scattering.pays(array):
        return False
    if weight is None:
        return True
    kind = weight._dtype
    is_real = dtypes.is_floating(kind) or kind == "bool" or kind.lstrip("u").startswith("int")
    return bool(is_real and weight.shape == array.shape)
