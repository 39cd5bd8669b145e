"""Matrices by rows or columns: `csr_matrix`, `csr_array`, `csc_matrix` and `csc_array`."""

from __future__ import annotations

from typing import Any

import phalanx as px

from .._arrays import coerce
from . import _base, _checks, _formats, _indexing, _structure
from ._structure import Parts


class Compressed(_indexing.Indexing, _base.Sparse):
    """Entries by rows (csr) or columns (csc): `data`, `indices`, and `indptr` between which
    elements of it each row's or column's entries are.

    Made of a dense array, another sparse matrix (SciPy's too), a shape, (data, (row, col)) or
    (data, indices, indptr). Raises `ValueError` for indices out of range, an indptr that does not
    fit, or a dtype that data cannot have, `TypeError` for what is no array.
    """

    by_columns = False

    def __init__(
        self, arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False, **options: Any
    ) -> None:
        self.maxprint = options.pop("maxprint", _base.Sparse.maxprint)
        if options:
            raise TypeError(f"unexpected arguments: {', '.join(options)}")
        is_scipys = hasattr(arg1, "indptr") and not _formats.is_sparse(arg1)
        if is_scipys and getattr(arg1, "format", "") == self.format and len(arg1.shape) == 2:
            self._take(
                (arg1.data.copy(), arg1.indices.copy(), arg1.indptr.copy()),
                arg1.shape,
                dtype,
                False,
            )
        elif isinstance(arg1, tuple) and len(arg1) == 3:
            self._take(arg1, shape, dtype, copy)
        elif _checks.is_shape(arg1):
            extents = _checks.shape_of(arg1)
            data = px.zeros(0, _checks.data_dtype("float64" if dtype is None else dtype))
            index = px.zeros(0, "int32")
            majors = extents[1 if self.by_columns else 0]
            self._set(Parts(data, index, px.zeros(majors + 1, "int32"), self._swapped(extents)))
        else:
            self._convert(arg1, shape, dtype, copy)
        if shape is not None and _checks.shape_of(shape) != self._shape:
            raise ValueError(f"the shape {shape} is not that of the matrix, {self._shape}")

    def _convert(self, given: Any, shape: Any, dtype: Any, copy: bool) -> None:
        is_places = isinstance(given, tuple)
        if not _formats.is_sparse(given):
            coo = _formats.class_of("coo", self.is_array)
            given = coo(given, shape=shape if is_places else None, dtype=dtype)
        made = given.asformat(self.format, copy)
        parts = made._own()[0]
        if dtype is not None:
            parts = parts._replace(data=parts.data.astype(_checks.data_dtype(dtype), copy=False))
        self._set(parts)

    @classmethod
    def _swapped(cls, shape: tuple[int, int]) -> tuple[int, int]:
        return shape[::-1] if cls.by_columns else shape

    def _take(self, given: Any, shape: Any, dtype: Any, copy: bool) -> None:
        data = _checks.entries(given[0], dtype, copy)
        indices = _checks.indices(given[1], "indices")
        indptr = _checks.indices(given[2], "indptr")
        if len(data) != len(indices):
            raise ValueError(
                f"data has {len(data)} elements and indices has {len(indices)}: each index is of "
                "one entry"
            )
        if not len(indptr):
            raise ValueError("indptr is empty: it has one element more than rows (or columns)")
        if shape is None:
            minors = int(indices.max()) + 1 if len(indices) else 0
            found = (len(indptr) - 1, minors)
        else:
            found = self._swapped(_checks.shape_of(shape))
        _checks.check_pointers(indptr, found[0], len(data))
        nnz = int(indptr[-1])
        data, indices = data[:nnz] if nnz < len(data) else data, indices[:nnz]
        _checks.check_range(indices, found[1], "row" if self.by_columns else "column")
        wanted = _checks.index_dtype(*found, nnz)
        indices, indptr = (each.astype(wanted, copy=copy) for each in (indices, indptr))
        self._set(Parts(data, indices, indptr, found))

    def _set(self, parts: Parts) -> None:
        _base.Sparse.__init__(self, self._swapped(parts.shape))
        self.data, self.indices, self.indptr, _ = parts
        self._is_sorted: bool | None = None
        self._is_canonical: bool | None = None
        self._rows_cache: Any = None

    @classmethod
    def _of_parts(cls, parts: Parts) -> Any:
        made = cls.__new__(cls)
        made._set(parts)
        return made

    def _own(self) -> tuple[Parts, bool]:
        parts = Parts(self.data, self.indices, self.indptr, self._swapped(self._shape))
        return parts, self.by_columns

    def _adopt(self, parts: Parts, by_columns: bool) -> None:
        if by_columns != self.by_columns:
            parts = _structure.transposed(parts)
        self.data, self.indices, self.indptr, _ = parts
        self._is_sorted = self._is_canonical = None

    def _with_data(self, data: Any) -> Any:
        own, _ = self._own()
        parts = Parts(data, own.indices.copy(), own.indptr.copy(), own.shape)
        made = type(self)._of_parts(parts)
        made._is_sorted, made._is_canonical = self._is_sorted, self._is_canonical
        return made

    def _transposed(self, copy: bool) -> Any:
        parts, by_columns = self._own()
        if copy:
            data, indices, indptr = (each.copy() for each in parts[:3])
            parts = Parts(data, indices, indptr, parts.shape)
        return self._made(parts, not by_columns)

    def _without_zeros(self) -> Any:
        self.eliminate_zeros()
        return self

    def _to_scipy(self, cls: Any) -> Any:
        arrays = (coerce.to_numpy(x).copy() for x in (self.data, self.indices, self.indptr))
        return cls(tuple(arrays), shape=self._shape)

    def _rows_for_products(self) -> Any:
        """The entries by rows; those of a csc in an order that is kept for the next product."""
        parts, by_columns = self._own()
        if not by_columns:
            return parts
        cache = self._rows_cache
        if cache is None or cache[0] is not self.indices or cache[1] is not self.indptr:
            numbers = px.arange(self.nnz, dtype="int64", device=self.data._place)
            by_rows = _structure.transposed(parts._replace(data=numbers))
            self._rows_cache = cache = (self.indices, self.indptr, by_rows)
        return cache[2]._replace(data=self.data[cache[2].data])

    # The order of the entries

    @property
    def has_sorted_indices(self) -> bool:
        """True if the indices of each row or column rise; looked at once, and may be set."""
        if self._is_sorted is None:
            parts, _ = self._own()
            keys = _structure.keys_of(_structure.majors_of(parts), parts.indices, parts.shape)
            self._is_sorted = _structure.is_rising(keys)
        return self._is_sorted

    @has_sorted_indices.setter
    def has_sorted_indices(self, value: bool) -> None:
        self._is_sorted = bool(value)

    @property
    def has_canonical_format(self) -> bool:
        """True if they are sorted and without duplicates; looked at once, and may be set."""
        if self._is_canonical is None:
            parts, _ = self._own()
            keys = _structure.keys_of(_structure.majors_of(parts), parts.indices, parts.shape)
            self._is_canonical = _structure.is_rising(keys, is_strict=True)
        return self._is_canonical

    @has_canonical_format.setter
    def has_canonical_format(self, value: bool) -> None:
        self._is_canonical = bool(value)
        if value:
            self._is_sorted = True

    def sort_indices(self) -> None:
        """Sorts the entries of each row or column by their index; duplicates stay in order.

        >>> matrix = px.sparse.csc_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.sort_indices()
        >>> matrix.indices
        array([0, 1, 1], dtype=int32)
        """
        if not self.has_sorted_indices:
            self._adopt(_structure.sorted_parts(self._own()[0]), self.by_columns)
            self._is_sorted = True

    def sorted_indices(self) -> Any:
        """A copy with sorted indices.

        >>> matrix = px.sparse.csc_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.sorted_indices().indices
        array([0, 1, 1], dtype=int32)
        """
        made = self.copy()
        made.sort_indices()
        return made

    def sum_duplicates(self) -> None:
        """Sorts the indices and adds up the entries of one place.

        >>> matrix = px.sparse.csc_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2))
        >>> matrix.sum_duplicates()
        >>> matrix.data
        array([3.])
        """
        if not self.has_canonical_format:
            self._adopt(_structure.summed(self._own()[0]), self.by_columns)
            self._is_sorted = self._is_canonical = True

    def eliminate_zeros(self) -> None:
        """Takes out the entries that are zero.

        >>> matrix = px.sparse.csc_array(([0.0, 2.0], ([0, 1], [0, 1])), shape=(2, 2))
        >>> matrix.eliminate_zeros()
        >>> matrix.nnz
        1
        """
        parts, _ = self._own()
        found = _structure.without_zeros(parts)
        if found is not parts:
            flags = self._is_sorted, self._is_canonical
            self._adopt(found, self.by_columns)
            self._is_sorted, self._is_canonical = (flag or None for flag in flags)

    def prune(self) -> None:
        """Leaves off what data and indices have after the last entry.

        >>> matrix = px.sparse.csc_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.prune()
        >>> matrix.data
        array([4., 1., 3.])
        """
        nnz = int(self.indptr[-1])
        self.data, self.indices = self.data[:nnz], self.indices[:nnz]

    def tocsr(self, copy: bool = False) -> Any:
        """The matrix by rows; itself if it is and no copy is asked for.

        >>> matrix = px.sparse.csc_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.tocsr().indices
        array([0, 0, 1], dtype=int32)
        """
        if self.format == "csr":
            return self.copy() if copy else self
        made = super().tocsr()
        return made.copy() if copy else made

    def tocsc(self, copy: bool = False) -> Any:
        """The matrix by columns; itself if it is and no copy is asked for.

        >>> matrix = px.sparse.csc_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.tocsc().format
        'csc'
        """
        if self.format == "csc":
            return self.copy() if copy else self
        made = super().tocsc()
        return made.copy() if copy else made


@_formats.register
class csr_matrix(_base.spmatrix, Compressed):
    """A sparse matrix by rows.

    >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> matrix.shape, matrix.nnz
    ((2, 2), 3)
    >>> matrix @ px.asarray([1.0, 2.0])
    array([4., 7.])
    """

    __doc__ = Compressed.__doc__
    format = "csr"


@_formats.register
class csr_array(_base.sparray, Compressed):
    """A sparse array by rows.

    >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
    >>> matrix.shape, matrix.nnz
    ((2, 2), 3)
    >>> matrix @ px.asarray([1.0, 2.0])
    array([4., 7.])
    """

    __doc__ = Compressed.__doc__
    format = "csr"


@_formats.register
class csc_matrix(_base.spmatrix, Compressed):
    """A sparse matrix by columns.

    >>> matrix = px.sparse.csc_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> matrix.shape, matrix.nnz
    ((2, 2), 3)
    >>> matrix @ px.asarray([1.0, 2.0])
    array([4., 7.])
    """

    __doc__ = Compressed.__doc__
    format = "csc"
    by_columns = True


@_formats.register
class csc_array(_base.sparray, Compressed):
    """A sparse array by columns.

    >>> matrix = px.sparse.csc_array([[4.0, 0.0], [1.0, 3.0]])
    >>> matrix.shape, matrix.nnz
    ((2, 2), 3)
    >>> matrix @ px.asarray([1.0, 2.0])
    array([4., 7.])
    """

    __doc__ = Compressed.__doc__
    format = "csc"
    by_columns = True


def isspmatrix_csr(x: Any) -> bool:
    """True if `x` is a `csr_matrix`.

    >>> px.sparse.isspmatrix_csr(px.sparse.csr_matrix((2, 2)))
    True
    """
    return isinstance(x, csr_matrix)


def isspmatrix_csc(x: Any) -> bool:
    """True if `x` is a `csc_matrix`.

    >>> px.sparse.isspmatrix_csc(px.sparse.csc_matrix((2, 2)))
    True
    """
    return isinstance(x, csc_matrix)
