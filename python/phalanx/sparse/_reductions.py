"""Sums, means, extremes and diagonals."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from . import _formats, _products, _structure


class Reductions(_formats.SparseRoot):
    """What is computed of all elements or along an axis, zeros without an entry among them.

    Along an axis the result is dense: of an array it has one dimension, of a matrix two.
    """

    _own: Any
    _once: Any
    _aligned: Any
    _made: Any
    _adopt: Any
    _with_data: Any
    toarray: Any
    tocoo: Any

    def _shaped(self, values: Any, axis: int) -> Any:
        if self.is_array:
            return values
        return values.reshape(1, -1) if axis == 0 else values.reshape(-1, 1)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """The sum of the elements, or along an axis: (n,) or (m,), of a matrix (1, n) or (m, 1).

        Of bool it is int64. Raises `ValueError` for an axis that is not there.
        """
        axis = _axis(axis)
        data = self.data
        if data.dtype == bool:
            data = self._aligned(False).data.astype("int64")
        if axis is None:
            return _given(data.sum(dtype=dtype), out)
        made = _sums(self, axis)
        made = made if dtype is None else made.astype(dtype)
        return _given(self._shaped(made, axis), out)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """The mean of the elements, or along an axis, as `sum` has them; of bool in float64.

        Raises `ZeroDivisionError` of no elements.
        """
        found = _axis(axis)
        extents = self.shape[0] * self.shape[1], *self.shape
        count = extents[0 if found is None else found + 1]
        factor = 1.0 / count
        computed = np.dtype("float64") if self.data.dtype == bool else self.data.dtype
        made = self.sum(axis).astype(computed) * factor
        return _given(made if dtype is None else made.astype(dtype), out)

    def max(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """The greatest element, or along an axis; NaN where one is NaN.

        With `explicit` of the entries alone. Raises `ValueError` of no elements.
        """
        return self._extremes(axis, out, px.maximum, explicit)

    def min(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """The least element; else as `max`."""
        return self._extremes(axis, out, px.minimum, explicit)

    def _extremes(self, axis: Any, out: Any, function: Any, explicit: bool) -> Any:
        if out is not None:
            raise ValueError("out is not there for sparse matrices: assign the result")
        axis = _axis(axis)
        if axis is None:
            parts = self._aligned(False)
            if not self.shape[0] * self.shape[1] or (explicit and not parts.data.size):
                raise ValueError("zero-size array to reduction operation which has no identity")
            found = _folded(parts.data, function)
            is_full = parts.data.size == self.shape[0] * self.shape[1]
            if is_full or explicit:
                return found
            zero = px.zeros((), self.data.dtype)
            return zero if found is None else function(found, zero)
        made, _ = self._extremes_along(axis, function, explicit)
        made = self._shaped(made, axis)
        return made if self.is_array else _formats.class_of("coo", False)(made)

    def _extremes_along(self, axis: int, function: Any, explicit: bool) -> tuple[Any, Any]:
        """The extremes along an axis, and the parts whose majors they are of."""
        if not self.shape[axis]:
            raise ValueError("zero-size array to reduction operation which has no identity")
        parts = self._aligned(axis == 0)
        majors, lengths = _structure.majors_of(parts), px.diff(parts.indptr)
        made = px.zeros(parts.shape[0], parts.data.dtype, device=parts.data._place)
        filled = px.flatnonzero(lengths)
        if len(filled):
            made[filled] = parts.data[parts.indptr[:-1][filled]]
            function.at(made, majors, parts.data)
        if not explicit:
            zero = px.zeros((), made.dtype)
            made = px.where(lengths == parts.shape[1], made, function(made, zero))
        return made, parts

    def argmax(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """The index of the first greatest element, or NaN, in C order or along an axis.

        With `explicit` of the entries alone. Raises `ValueError` of no elements.
        """
        return self._places(axis, out, px.maximum, explicit)

    def argmin(self, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """The index of the first least element; else as `argmax`."""
        return self._places(axis, out, px.minimum, explicit)

    def _places(self, axis: Any, out: Any, function: Any, explicit: bool) -> Any:
        if out is not None:
            raise ValueError("out is not there for sparse matrices: assign the result")
        axis = _axis(axis)
        if axis is None:
            if not self.shape[0] * self.shape[1]:
                raise ValueError("zero-size array to reduction operation which has no identity")
            values, parts = self._extremes_along(1, function, explicit)
            columns = _first_places(values, parts, explicit)
            filled = (
                px.diff(parts.indptr) > 0
                if explicit
                else px.ones(len(values), bool, device=values._place)
            )
            rows = px.flatnonzero(filled)
            if not len(rows):
                raise ValueError("there is no entry")
            chosen = values[rows]
            row = rows[px.argmax(chosen) if function is px.maximum else px.argmin(chosen)]
            return row.astype("int64") * self.shape[1] + columns[row].astype("int64")
        values, parts = self._extremes_along(axis, function, explicit)
        return self._shaped(_first_places(values, parts, explicit), axis)

    def count_nonzero(self, axis: Any = None) -> Any:
        """The number of elements that are not zero, or along an axis as (n,) or (m,)."""
        axis = _axis(axis)
        coo = self._once().tocoo(copy=False)
        mask = coo.data != 0
        if axis is None:
            return int(mask.sum())
        return px.bincount((coo.col, coo.row)[axis][mask], minlength=self.shape[1 - axis])

    def _getnnz(self, axis: Any = None) -> Any:
        axis = _axis(axis)
        if axis is None:
            return int(self.data.size)
        coo = self.tocoo(copy=False)
        return px.bincount((coo.col, coo.row)[axis], minlength=self.shape[1 - axis])

    def diagonal(self, k: int = 0) -> Any:
        """The k-th diagonal, k > 0 above the main one, as a dense vector."""
        length = _diagonal_length(self.shape, k)
        made = px.zeros(length, self.data.dtype, device=self.data._place)
        coo = self.tocoo(copy=False)
        mask = coo.col.astype("int64") - coo.row.astype("int64") == k
        where = coo.row[mask].astype("int64") + min(k, 0)
        (px.logical_or if made.dtype == bool else px.add).at(made, where, coo.data[mask])
        return made

    def trace(self, offset: int = 0) -> Any:
        """The sum of a diagonal."""
        return self.diagonal(offset).sum()

    def setdiag(self, values: Any, k: int = 0) -> None:
        """Gives the k-th diagonal a number, or the values of a vector as far as they go.

        Raises `ValueError` for a diagonal that is not there or values of more dimensions.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.setdiag(7.0)
        >>> matrix.toarray()
        array([[7., 0.],
               [1., 7.]])
        """
        rows, columns = self.shape
        if not -rows < k < columns:
            raise ValueError("k exceeds matrix dimensions")
        values = px.asarray(values)
        if values.ndim > 1:
            raise ValueError(f"the values are a number or a vector, not of shape {values.shape}")
        length = _diagonal_length(self.shape, k)
        length = min(length, values.size) if values.ndim else length
        values = values.astype(self.data.dtype)
        values = values[:length] if values.ndim else values
        values = px.broadcast_to(values, (length,))
        coo = self.tocoo(copy=False)
        row, column = coo.row.astype("int64"), coo.col.astype("int64")
        stays = (column - row != k) | (row + min(k, 0) >= length)
        number = px.arange(length, device=coo.data._place)
        new_rows, new_columns = number - min(k, 0), number + max(k, 0)
        _, by_columns = self._own()
        places = (
            px.concatenate([row[stays], new_rows]),
            px.concatenate([column[stays], new_columns]),
        )
        data = px.concatenate([coo.data[stays], values])
        if self.format == "coo":  # in any order
            cls = _formats.class_of("coo", self.is_array)
            made = cls._of_places(data, *places, self.shape)
            self.data, self.row, self.col = made.data, made.row, made.col
            return
        majors, minors = places[::-1] if by_columns else places
        shape = self.shape[::-1] if by_columns else self.shape
        found = _structure.compressed(majors, minors, data, shape)
        self._adopt(_structure.sorted_parts(found), by_columns)


def _axis(axis: Any) -> int | None:
    """0, 1 or None. Raises `ValueError` for an axis that is not there."""
    if isinstance(axis, tuple):
        axes = {_axis(operator.index(each)) for each in axis}
        if len(axes) != len(axis) or not axes:
            raise ValueError(f"the axes {axis} name an axis twice, or none")
        return None if len(axes) == 2 else axes.pop()
    if axis is None:
        return None
    try:
        found = operator.index(axis)
    except TypeError:
        raise TypeError(f"an axis is an integer, not {axis!r}") from None
    if not -2 <= found < 2:
        raise ValueError(f"axis {axis} is out of range for 2 dimensions")
    return found % 2


def _given(made: Any, out: Any) -> Any:
    if out is None:
        return made
    if out.shape != made.shape:
        raise ValueError(f"out has the shape {out.shape}, the result {made.shape}")
    out[...] = made
    return out


def _sums(matrix: Any, axis: int) -> Any:
    """The sums along an axis as (n,) or (m,)."""
    if matrix.data.dtype == bool:
        parts = matrix._aligned(axis == 0)
        return px.diff(_structure.without_zeros(parts).indptr).astype("int64")
    parts, by_columns = matrix._own()
    if by_columns != (axis == 0):
        made = px.zeros(parts.shape[1], parts.data.dtype, device=parts.data._place)
        px.add.at(made, parts.indices, parts.data)
        return made
    ones = px.ones(parts.shape[1], parts.data.dtype, device=parts.data._place)
    return _products.times_dense(parts, ones, _products.Plans())


def _folded(data: Any, function: Callable[..., Any]) -> Any:
    if not data.size:
        return None
    return data.max() if function is px.maximum else data.min()


def _first_places(values: Any, parts: _structure.Parts, explicit: bool) -> Any:
    """The first minor of each major at which its extreme is, an absent zero or an entry."""
    majors, lengths = _structure.majors_of(parts), px.diff(parts.indptr)
    extent = parts.shape[1]
    minors = parts.indices.astype("int64")
    hit = (parts.data == values[majors]) | (parts.data != parts.data)
    first = px.full(parts.shape[0], extent, "int64", device=values._place)
    px.minimum.at(first, majors[hit], minors[hit])
    if explicit:
        return first
    number = px.arange(parts.data.size, device=values._place) - parts.indptr[:-1][majors].astype(
        "int64"
    )
    gap = number != minors
    absent = lengths.astype("int64")
    px.minimum.at(absent, majors[gap], number[gap])
    is_zero = (values == 0) & (lengths < extent)
    return px.where(is_zero, px.minimum(first, absent), first)


def _diagonal_length(shape: tuple[int, int], k: int) -> int:
    return max(min(shape[0] + min(k, 0), shape[1] - max(k, 0)), 0)
