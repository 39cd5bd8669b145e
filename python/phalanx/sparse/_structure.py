"""What becomes of the entries of a matrix: sorting, summing, merging, on their device.

`Parts` are a compressed matrix without a class: entries by rows, or by columns of one that is
stored by columns; "major" is the index that is compressed, "minor" the other one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .._arrays import placement
from . import _checks

_KEYS = 2**63 - 1


class Parts(NamedTuple):
    """Data, minor indices, where each major index begins, and (majors, minors)."""

    data: Any
    indices: Any
    indptr: Any
    shape: tuple[int, int]


def beside(array: Any) -> Any:
    """A context in which new arrays are on the device that the array is tied to."""
    place = array._place
    return contextlib.nullcontext() if place is None else px.device(placement.name_of(place))


def pointers(majors: Any, count: int, dtype: Any) -> Any:
    """Where each major index begins among entries that are sorted by it: (count + 1,)."""
    found = px.zeros(count + 1, dtype, device=majors._place)
    if count and majors.size:
        found[1:] = px.cumsum(px.bincount(majors, minlength=count)).astype(dtype)
    return found


def majors_of(parts: Parts) -> Any:
    """The major index of each entry."""
    count = px.arange(parts.shape[0], dtype=parts.indices.dtype, device=parts.indices._place)
    return px.repeat(count, px.diff(parts.indptr))


def keys_of(majors: Any, minors: Any, shape: tuple[int, int]) -> Any:
    """A number for each place, in the order of the majors. Raises `ValueError` beyond int64."""
    if shape[0] * shape[1] > _KEYS:
        raise ValueError(f"the shape {shape} has more places than int64 counts")
    wide = _checks.index_dtype(shape[0] * shape[1], shape[1])
    return majors.astype(wide) * max(shape[1], 1) + minors.astype(wide)


def is_rising(keys: Any, is_strict: bool = False) -> bool:
    """True if no key is less than the one before, or than or equal to it."""
    if keys.size < 2:
        return True
    before, after = keys[:-1], keys[1:]
    return bool((before < after if is_strict else before <= after).all())


def compressed(majors: Any, minors: Any, data: Any, shape: tuple[int, int]) -> Parts:
    """Entries in any order by their majors; those of one major stay in order."""
    dtype = _checks.index_dtype(*shape, data.size)
    if not is_rising(majors):
        order = px.argsort(majors, stable=True)
        majors, minors, data = majors[order], minors[order], data[order]
    return Parts(data, minors.astype(dtype), pointers(majors, shape[0], dtype), shape)


def sorted_parts(parts: Parts) -> Parts:
    """The entries of each major by their minors; equal ones stay in order."""
    keys = keys_of(majors_of(parts), parts.indices, parts.shape)
    if is_rising(keys):
        return parts
    order = px.argsort(keys, stable=True)
    return parts._replace(data=parts.data[order], indices=parts.indices[order])


def summed(parts: Parts) -> Parts:
    """Sorted entries, those of one place added up."""
    keys = keys_of(majors_of(parts), parts.indices, parts.shape)
    return of_keys(*summed_keys(keys, parts.data), parts.shape)


def summed_keys(keys: Any, data: Any) -> tuple[Any, Any]:
    """The distinct keys, rising, and the sum of each one's data."""
    if is_rising(keys, is_strict=True):
        return keys, data
    order = px.argsort(keys, stable=True)
    keys, data = keys[order], data[order]
    begins = _begins(keys)
    groups = px.cumsum(begins) - 1
    kept = px.flatnonzero(begins)
    if len(kept) == len(keys):
        return keys, data
    sums = px.zeros(len(kept), data.dtype, device=data._place)
    (px.logical_or if data.dtype == bool else px.add).at(sums, groups, data)
    return keys[kept], sums


def _begins(keys: Any) -> Any:
    """Where a sorted key differs from the one before."""
    begins = px.ones(len(keys), bool, device=keys._place)
    begins[1:] = keys[1:] != keys[:-1]
    return begins


def of_keys(keys: Any, data: Any, shape: tuple[int, int]) -> Parts:
    """The parts of rising keys."""
    dtype = _checks.index_dtype(*shape, data.size)
    minor = max(shape[1], 1)  # Python's, which is on no device
    return Parts(
        data, (keys % minor).astype(dtype), pointers(keys // minor, shape[0], dtype), shape
    )


def kept(parts: Parts, mask: Any) -> Parts:
    """The entries where the mask is true."""
    majors = majors_of(parts)[mask]
    found = pointers(majors, parts.shape[0], parts.indptr.dtype)
    return Parts(parts.data[mask], parts.indices[mask], found, parts.shape)


def transposed(parts: Parts) -> Parts:
    """The same matrix compressed along the other index."""
    majors = majors_of(parts)
    return compressed(parts.indices, majors, parts.data, parts.shape[::-1])


def merged(a: Parts, b: Parts, function: Callable[[Any, Any], Any]) -> Parts:
    """An elementwise function of two matrices where either has an entry; zeros are left out.

    Both have no duplicates. The function of two zeros has to be zero.
    """
    keys_a = keys_of(majors_of(a), a.indices, a.shape)
    keys_b = keys_of(majors_of(b), b.indices, b.shape)
    if keys_a.size == keys_b.size and bool((keys_a == keys_b).all()):
        return without_zeros(a._replace(data=function(a.data, b.data)))
    keys = px.concatenate([keys_a, keys_b])
    order = px.argsort(keys, stable=True)
    keys = keys[order]
    begins = _begins(keys)
    place = px.empty(len(keys), "int64", device=keys._place)
    place[order] = px.cumsum(begins) - 1
    keys = keys[px.flatnonzero(begins)]
    values = [px.zeros(len(keys), each.data.dtype, device=keys._place) for each in (a, b)]
    values[0][place[: keys_a.size]] = a.data
    values[1][place[keys_a.size :]] = b.data
    return without_zeros(of_keys(keys, function(*values), a.shape))


def without_zeros(parts: Parts) -> Parts:
    """The entries that are not zero."""
    mask = parts.data != 0
    return parts if bool(mask.all()) else kept(parts, mask)


def rows_at(parts: Parts, chosen: Any) -> Parts:
    """The majors at an array of indices, which may repeat, in its order."""
    begins = parts.indptr[:-1][chosen]
    lengths = px.diff(parts.indptr)[chosen]
    found = px.zeros(len(chosen) + 1, "int64", device=begins._place)
    found[1:] = px.cumsum(lengths.astype("int64"))
    total = int(found[-1])
    # There may be more than the matrix has, as majors repeat.
    dtype = np.promote_types(parts.indptr.dtype, _checks.index_dtype(total))
    offsets = px.repeat(begins.astype("int64") - found[:-1], lengths)
    offsets = offsets + px.arange(total, device=begins._place)
    shape = (len(chosen), parts.shape[1])
    indices = parts.indices[offsets].astype(dtype, copy=False)
    return Parts(parts.data[offsets], indices, found.astype(dtype), shape)


def expanded(a: Parts, b: Parts) -> Parts:
    """The product of two matrices, by all its products of entries, which are then added up."""
    rows = rows_at(b, a.indices)
    lengths = px.diff(rows.indptr)
    majors = px.repeat(majors_of(a), lengths)
    dtype = _checks.promoted(a.data.dtype, b.data.dtype)
    data = px.repeat(a.data.astype(dtype), lengths) * rows.data.astype(dtype)
    shape = (a.shape[0], b.shape[1])
    keys = keys_of(majors, rows.indices, shape)
    return of_keys(*summed_keys(keys, data), shape)
