"""Reading and writing at indices, of matrices by rows or columns."""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np

import phalanx as px

from . import _checks, _formats, _structure
from ._structure import Parts


class Indexing(_formats.SparseRoot):
    """`a[i, j]`, `a[i]`, slices, arrays of indices and masks, as SciPy's matrices take them."""

    by_columns = False
    _own: Any
    _made: Any
    _adopt: Any
    _aligned: Any

    def __getitem__(self, key: Any) -> Any:
        with _structure.beside(self.data):
            return self._selected(key)

    def _selected(self, key: Any) -> Any:
        row, column = _selectors(key, self.shape)
        if isinstance(row, int) and isinstance(column, int):
            return self._element(row, column)
        if not isinstance(row, (int, slice)) and not isinstance(column, (int, slice)):
            return self._elements(row, column)
        if self.is_array and (isinstance(row, int) or isinstance(column, int)):
            raise NotImplementedError(
                "sparse arrays have two dimensions here: take a[i : i + 1] for a row"
            )
        parts, by_columns = self._own()
        majors, minors = (column, row) if by_columns else (row, column)
        chosen = _chosen_minors(_chosen_majors(parts, majors), minors)
        # Slices would share memory with this matrix.
        data, indices, indptr = (each.copy() for each in chosen[:3])
        return self._made(Parts(data, indices, indptr, chosen.shape), by_columns)

    def _element(self, row: int, column: int) -> Any:
        parts, by_columns = self._own()
        major, minor = (column, row) if by_columns else (row, column)
        begin, end = int(parts.indptr[major]), int(parts.indptr[major + 1])
        found = parts.data[begin:end][parts.indices[begin:end] == minor]
        return found.any() if found.dtype == bool else found.sum(dtype=found.dtype)

    def _elements(self, row: Any, column: Any) -> Any:
        """The elements at pairs of indices: dense, but sparse for two dimensions of a matrix."""
        row, column = px.broadcast_arrays(row, column)
        parts = self._aligned(False)
        keys = _structure.keys_of(_structure.majors_of(parts), parts.indices, parts.shape)
        wanted = _structure.keys_of(row.reshape(-1), column.reshape(-1), parts.shape)
        made = px.zeros(wanted.size, parts.data.dtype)
        if keys.size and wanted.size:
            place = px.minimum(px.searchsorted(keys, wanted), keys.size - 1)
            zero = parts.data.dtype.type(0)
            made = px.where(keys[place] == wanted, parts.data[place], zero)
        if row.ndim > 2:
            raise IndexError(f"indices have at most two dimensions, not {row.ndim}")
        if self.is_array:
            return made.reshape(row.shape)
        if row.ndim < 2:
            return made.reshape(1, -1)
        return _formats.class_of(self.format, False)(made.reshape(row.shape))

    def __setitem__(self, key: Any, value: Any) -> None:
        with _structure.beside(self.data):
            self._assign(key, value)

    def _assign(self, key: Any, value: Any) -> None:
        row, column = _selectors(key, self.shape)
        is_outer = isinstance(row, (int, slice)) or isinstance(column, (int, slice))
        rows, columns = _indices(row, self.shape[0]), _indices(column, self.shape[1])
        if is_outer:
            rows, columns = rows.reshape(-1, 1), columns.reshape(1, -1)
        rows, columns = px.broadcast_arrays(rows, columns)
        is_sparse = _formats.is_sparse(value)
        if is_sparse:
            value = value.toarray()
        value = px.asarray(value).astype(self.data.dtype)
        try:
            value = px.broadcast_to(value, rows.shape)
        except ValueError:
            value = _column_of(value, rows.shape)
        places = [each.reshape(-1) for each in (rows, columns)]
        self._write(places, value.reshape(-1), is_sparse)

    def _write(self, places: list[Any], values: Any, is_sparse: bool) -> None:
        parts, by_columns = self._own()
        own = _structure.keys_of(_structure.majors_of(parts), parts.indices, parts.shape)
        majors, minors = places[::-1] if by_columns else places
        new = _structure.keys_of(majors, minors, parts.shape)
        if is_sparse:  # what a sparse value does not have becomes no new entry
            mask = (values != 0) | px.isin(new, own)
            new, values = new[mask], values[mask]
        # A stable order has the last of equal keys at the end: the newest value.
        keys = px.concatenate([own, new])
        order = px.argsort(keys, stable=True)
        keys = keys[order]
        is_last = px.ones(len(keys), bool)
        is_last[:-1] = keys[1:] != keys[:-1]
        is_written = px.isin(own, new)
        stays = px.concatenate([~is_written, px.zeros(new.size, bool)])[order]
        is_new = (order >= own.size) & is_last
        chosen = px.flatnonzero(stays | is_new)
        data = px.concatenate([parts.data, values])[order][chosen]
        if int(is_new.sum()) > int(px.unique(own[is_written]).size):
            warnings.warn(
                "Changing the sparsity structure takes long: collect entries in a coo_matrix",
                _formats.SparseEfficiencyWarning,
                stacklevel=3,
            )
        self._adopt(_structure.of_keys(keys[chosen], data, parts.shape), by_columns)


def _column_of(value: Any, shape: tuple[int, ...]) -> Any:
    if value.size == int(np.prod(shape)):
        return value.reshape(shape)
    raise ValueError(f"the shape {value.shape} does not fit the chosen elements, {shape}")


def _selectors(key: Any, shape: tuple[int, int]) -> tuple[Any, Any]:
    """Row and column as ints from 0 on, slices or arrays of such ints. Raises `IndexError`."""
    if _formats.is_sparse(key):
        key = key.toarray()
    if not isinstance(key, tuple):
        is_mask = getattr(key, "ndim", 0) == 2 and getattr(key, "dtype", None) == np.bool_
        if is_mask:
            if key.shape != shape:
                raise IndexError(f"the mask has the shape {key.shape}, the matrix {shape}")
            key = px.nonzero(px.asarray(key))
        else:
            key = (key,)
    if any(each is Ellipsis for each in key):
        if sum(each is Ellipsis for each in key) > 1 or len(key) > 3:
            raise IndexError("an index has one ellipsis and at most two other parts")
        where = next(i for i, each in enumerate(key) if each is Ellipsis)
        fill = (slice(None),) * (3 - len(key))
        key = (*key[:where], *fill, *key[where + 1 :])
    key = (*key, *(slice(None),) * (2 - len(key)))
    if len(key) != 2:
        raise IndexError(f"an index of a sparse matrix has at most two parts, not {len(key)}")
    return _selector(key[0], shape[0], "row"), _selector(key[1], shape[1], "column")


def _selector(key: Any, extent: int, what: str) -> Any:
    if isinstance(key, slice):
        return key
    if key is None:
        raise IndexError("None in an index would add a dimension, which sparse matrices have not")
    if _checks.is_scalar(key) and not isinstance(key, bool):
        return _number(key, extent, what)
    return _array(key, extent, what)


def _number(key: Any, extent: int, what: str) -> int:
    try:
        index = operator.index(key.item() if hasattr(key, "item") else key)
    except TypeError:
        raise IndexError(f"a {what} index is an integer, not {key!r}") from None
    if not -extent <= index < extent:
        raise IndexError(f"{what} index {index} is out of range for {extent} of them")
    return index % extent


def _array(key: Any, extent: int, what: str) -> Any:
    try:
        array = px.asarray(key)
    except (TypeError, ValueError):
        raise IndexError(f"a {what} index is an integer, slice or array, not {key!r}") from None
    if not array.size:
        return px.zeros(array.shape, "int64")
    if array.dtype == bool:
        if array.shape != (extent,):
            raise IndexError(f"the mask has the shape {array.shape}, the {what}s are {extent}")
        return px.flatnonzero(array)
    if array.dtype.kind not in "iu":
        raise IndexError(f"{what} indices are integers, not {array.dtype}")
    least, greatest = int(array.min()), int(array.max())
    if least < -extent or greatest >= extent:
        wrong = least if least < -extent else greatest
        raise IndexError(f"{what} index {wrong} is out of range for {extent} of them")
    array = array.astype("int64")
    return px.where(array < 0, array + extent, array) if least < 0 else array


def _indices(selector: Any, extent: int) -> Any:
    if isinstance(selector, slice):
        return px.arange(*selector.indices(extent))
    return px.asarray([selector]) if isinstance(selector, int) else selector


def _chosen_majors(parts: Parts, selector: Any) -> Parts:
    if isinstance(selector, slice):
        start, stop, step = selector.indices(parts.shape[0])
        if step == 1:
            stop = max(start, stop)
            if (start, stop) == (0, parts.shape[0]):
                return parts
            begin, end = int(parts.indptr[start]), int(parts.indptr[stop])
            indptr = parts.indptr[start : stop + 1] - begin
            shape = (stop - start, parts.shape[1])
            return Parts(parts.data[begin:end], parts.indices[begin:end], indptr, shape)
    return _structure.rows_at(parts, _flat(_indices(selector, parts.shape[0])))


def _chosen_minors(parts: Parts, selector: Any) -> Parts:
    start, stop = 0, parts.shape[1]
    if isinstance(selector, slice):
        start, stop, step = selector.indices(parts.shape[1])
        if step != 1:
            selector = _indices(selector, parts.shape[1])
    elif isinstance(selector, int):
        start, stop, selector = selector, selector + 1, slice(None)
    if not isinstance(selector, slice):
        turned = _structure.rows_at(_structure.transposed(parts), _flat(selector))
        return _structure.transposed(turned)
    stop = max(start, stop)
    if (start, stop) == (0, parts.shape[1]):
        return parts
    found = _structure.kept(parts, (parts.indices >= start) & (parts.indices < stop))
    return found._replace(indices=found.indices - start, shape=(parts.shape[0], stop - start))


def _flat(indices: Any) -> Any:
    if indices.ndim != 1 and not (indices.ndim == 2 and 1 in indices.shape):
        raise IndexError(f"indices beside a slice have one dimension, not {indices.shape}")
    return indices.reshape(-1)
