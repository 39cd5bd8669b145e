"""Which rows, or columns, a key of labels names: ``loc``, ``[]``, `drop`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phalanx.errors import InvalidIndexError

from ..building.kinds import is_hashable, is_list_like
from ..indexes.making import index_of
from .selectors import Selector, is_mask, labels_taken, mask_of, rows_of_mask

if TYPE_CHECKING:
    from ..indexes.index import Index


class Found(NamedTuple):
    """The rows of a key, and their labels where these are not just those of the rows."""

    selector: Selector
    labels: Index | None = None


def of_label(index: Index, key: Any, axis_name: str = "index") -> Found:
    """The rows of a key of ``loc``. Raises KeyError for labels that are not there."""
    if isinstance(key, (bool, np.bool_)) and index.nlevels == 1 and not _are_bools(index):
        raise KeyError(f"{key}: boolean label can not be used without a boolean index")
    if isinstance(key, slice):
        if isinstance(key.start, bool) or isinstance(key.stop, bool):
            raise TypeError(f"{key}: boolean values can not be used in a slice")
        return Found(index.slice_indexer(key.start, key.stop, key.step))
    if isinstance(key, tuple) and index.nlevels > 1:
        return _of_tuple(index, key)
    if is_mask(key):
        return Found(rows_of_mask(mask_of(key, index)))
    if is_list_like(key) and not isinstance(key, tuple):
        return of_labels(index, key, axis_name)
    if not is_hashable(key):
        raise InvalidIndexError(f"{key!r} cannot be a label")
    return of_one(index, key)


def _are_bools(index: Index) -> bool:
    return index.dtype.kind == "b" and index.dtype != "category"


def of_series_label(index: Index, key: Any) -> Found:
    """`of_label` for a series, where ``[:, label]`` leaves out the levels that have a label."""
    if isinstance(key, tuple) and index.nlevels > 1 and _is_whole_but_labels(key):
        return of_one(index, key)
    return of_label(index, key)


def _is_whole_but_labels(key: tuple[Any, ...]) -> bool:
    slices = [each for each in key if isinstance(each, slice)]
    labels = [each for each in key if not isinstance(each, slice)]
    is_whole = all(each == slice(None) for each in slices)
    return bool(slices and labels and is_whole and not any(map(is_list_like, labels)))


def of_one(index: Index, key: Any) -> Found:
    """The rows of one label; of an index of several levels, without the levels that it names."""
    if index.nlevels > 1:
        where, rest = index.get_loc_level(key)  # type: ignore[attr-defined]
        return Found(_plain(where), rest)
    return Found(_plain(index.get_loc(key)))


def _plain(where: Any) -> Selector:
    if isinstance(where, np.ndarray) and where.dtype == bool:
        return np.flatnonzero(where)
    return int(where) if isinstance(where, np.integer) else where


def _of_tuple(index: Any, key: tuple[Any, ...]) -> Found:
    if any(isinstance(each, slice) or is_list_like(each) for each in key):
        rows = np.asarray(index.get_locs(list(key)))
        return Found(rows, _without_named(index, key, rows))
    return of_one(index, key)


def _without_named(index: Any, key: tuple[Any, ...], rows: np.ndarray) -> Any:
    """The labels of rows without the levels that a key has one label of; None for all levels.

    pandas keeps all of them where the key has slices or masks.
    """
    if any(isinstance(each, slice) or is_mask(each) for each in key):
        return None
    named = [level for level, each in enumerate(key) if not is_list_like(each)]
    if not named or len(named) == index.nlevels:
        return None
    return labels_taken(index, rows).droplevel(named)


def of_labels(index: Index, key: Any, axis_name: str = "index") -> Found:
    """The rows of several labels, all of each. Raises KeyError with those that are not there."""
    wanted = index_of(key if hasattr(key, "__len__") else list(key))
    if not len(wanted):
        return Found(np.zeros(0, np.int64), labels_taken(index, slice(0, 0)))
    if index.nlevels > 1 and wanted.nlevels == 1:
        return Found(np.asarray(index.get_locs([list(wanted)])))  # type: ignore[attr-defined]
    rows = np.asarray(index.get_indexer_for(wanted))
    gone = rows < 0
    if gone.any():
        raise KeyError(_missing_text(wanted, rows, index, axis_name))
    return Found(rows)


def _missing_text(wanted: Index, rows: np.ndarray, index: Index, axis_name: str) -> str:
    if (rows < 0).all():
        return f"None of [{wanted!r}] are in the [{axis_name}]"
    found = set(index)
    gone = [each for each in wanted if each not in found]
    return f"{gone} not in index"


def label_or_positions(index: Index, key: slice) -> slice:
    """The rows of a slice in ``[]``: positions if its ends are ints, and else labels."""
    ends = (key.start, key.stop, key.step)
    whole = all(each is None or isinstance(each, (int, np.integer)) for each in ends)
    if whole:
        return key
    found: slice = index.slice_indexer(*ends)
    return found
