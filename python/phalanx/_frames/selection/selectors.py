"""Which rows a key names: a position, a slice of positions, or an array of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import phalanx as px
from phalanx.errors import IndexingError

from ..._arrays.ndarray import ndarray
from ..building.kinds import is_list_like
from ..dtypes import NullableDtype
from ..shared.base import Labelled

if TYPE_CHECKING:
    from ..columns import Column
    from ..indexes.index import Index

# A position drops the axis; an array is of int64, of NumPy or of ours.
Selector = int | slice | np.ndarray | ndarray


def taken(column: Column, selector: Selector) -> Column:
    """The rows of a column that a slice or an array of positions names."""
    if isinstance(selector, slice):
        return column.slice(selector)
    return column.take(px.asarray(selector))


def labels_taken(index: Index, selector: Selector) -> Index:
    """The labels that a slice or an array of positions names."""
    return index._slice(selector) if isinstance(selector, slice) else index._take(selector)  # type: ignore[no-any-return]


def positions(selector: Selector, count: int) -> np.ndarray:
    """A selector as an array of positions."""
    if isinstance(selector, slice):
        return np.arange(*selector.indices(count))
    return np.atleast_1d(np.asarray(selector))


def selected_count(selector: Selector, count: int) -> int:
    """How many rows a selector names."""
    if isinstance(selector, slice):
        return len(range(*selector.indices(count)))
    return 1 if isinstance(selector, int) else len(selector)


# Masks.


def is_mask(key: Any) -> bool:
    """True for bools: an array, a series, an index, a list that is not empty."""
    dtype = getattr(key, "dtype", None)
    if dtype is not None and not isinstance(key, np.generic):
        if getattr(key, "ndim", 1) != 1:
            return False
        if getattr(dtype, "char", "") == "O":
            return _all_bools(list(key))
        return getattr(dtype, "kind", "") == "b"
    return isinstance(key, list) and _all_bools(key)


def _all_bools(items: list[Any]) -> bool:
    return bool(items) and all(isinstance(each, (bool, np.bool_)) for each in items)


def mask_of(key: Any, index: Index, *, align: bool = True) -> ndarray:
    """The mask as an array of ours. A series is brought into the order of the index.

    Raises IndexError for another length, and IndexingError for a series without some of the
    labels.
    """
    if isinstance(key, Labelled) and align and key.index is not index:
        key = _aligned_mask(key, index)
    if isinstance(key, Labelled):
        mask = plain_mask(key._parts[0])
    else:
        mask = px.asarray(
            key if getattr(key, "dtype", None) == np.dtype(bool) else np.asarray(key, bool)
        )
    if mask.shape[0] != len(index):
        raise IndexError(f"Boolean index has wrong length: {mask.shape[0]} instead of {len(index)}")
    return mask


def _aligned_mask(key: Any, index: Index) -> Any:
    if key.index.equals(index):
        return key
    rows = np.asarray(key.index.get_indexer_for(index))
    if len(rows) != len(index) or (rows < 0).any():
        raise IndexingError(
            "Unalignable boolean Series provided as indexer (index of the boolean Series and of "
            "the indexed object do not match)."
        )
    return key.iloc[rows]


def plain_mask(column: Column) -> ndarray:
    """The array of a mask; missing ones are False."""
    if column.dtype.kind == "b":
        values, valid = column.values, column.valid  # type: ignore[attr-defined]
        missing = isinstance(column.dtype, NullableDtype) and valid is not None
        return values & valid if missing else values  # type: ignore[no-any-return]
    return px.asarray(np.asarray(column.to_numpy(), bool))


def rows_of_mask(mask: ndarray) -> ndarray:
    """The positions at which a mask is True."""
    return px.flatnonzero(mask)


# Positions: `iloc`.


def of_position(key: Any, count: int, *, is_assigned: bool = False) -> Selector:
    """The selector of a key of ``iloc``. Raises IndexError outside the rows, TypeError else."""
    if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
        if not -count <= key < count:
            raise _outside("single positional indexer is", is_assigned)
        return int(key) % count
    if isinstance(key, slice):
        return _checked_slice(key)
    if isinstance(key, Labelled):
        if is_mask(key):
            raise ValueError(
                "iLocation based boolean indexing cannot use an indexable as a mask; pass "
                "mask.to_numpy()"
            )
        key = key.to_numpy()  # type: ignore[attr-defined]
    if is_mask(key):
        return rows_of_mask(_position_mask(key, count))
    if is_list_like(key):
        return _position_array(key, count, is_assigned)
    raise TypeError(f"Cannot index by location index with a non-integer key: {key!r}")


def _outside(what: str, is_assigned: bool) -> IndexError:
    return IndexError(
        "iloc cannot enlarge its target object" if is_assigned else f"{what} out-of-bounds"
    )


def _checked_slice(key: slice) -> slice:
    for each in (key.start, key.stop, key.step):
        if each is not None and not isinstance(each, (int, np.integer)):
            raise TypeError(
                f"cannot do positional indexing with these indexers [{each}] of type "
                f"{type(each).__name__}"
            )
    return key


def _position_mask(key: Any, count: int) -> ndarray:
    mask = px.asarray(np.asarray(key, bool) if not isinstance(key, ndarray) else key)
    if mask.shape[0] != count:
        raise IndexError(f"Boolean index has wrong length: {mask.shape[0]} instead of {count}")
    return mask


def _position_array(key: Any, count: int, is_assigned: bool) -> np.ndarray:
    rows = np.asarray(key if hasattr(key, "__array__") else list(key))
    if not rows.size:
        return np.zeros(0, np.int64)
    if rows.dtype.kind not in "iu":
        raise IndexError(f".iloc requires numeric indexers, got {list(rows)}")
    if rows.min() < -count or rows.max() >= count:
        raise _outside("positional indexers are", is_assigned)
    rows = rows.astype(np.int64)
    return np.where(rows < 0, rows + count, rows)
