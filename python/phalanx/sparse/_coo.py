"""Matrices as rows, columns and data: `coo_matrix` and `coo_array`."""

from __future__ import annotations

from typing import Any

import phalanx as px

from .._arrays import coerce
from . import _base, _checks, _formats, _structure
from ._structure import Parts


class Coo(_base.Sparse):
    """Entries in any order, several for one place are added.

    Made of a dense array, another sparse matrix (SciPy's too), a shape, or (data, (row, col)).
    Raises `ValueError` for indices out of range, arrays of several lengths or a dtype that data
    cannot have, `TypeError` for what is no array.
    """

    format = "coo"

    def __init__(
        self, arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False, **options: Any
    ) -> None:
        self.maxprint = options.pop("maxprint", _base.Sparse.maxprint)
        if options:
            raise TypeError(f"unexpected arguments: {', '.join(options)}")
        if _formats.is_sparse(arg1):
            self._take(arg1.tocoo(), shape, dtype, copy)
        elif hasattr(arg1, "tocoo") and hasattr(arg1, "format"):
            self._take_scipys(arg1.tocoo(), shape, dtype)
        elif _checks.is_shape(arg1):
            index = px.zeros(0, "int32")
            data = px.zeros(0, _checks.data_dtype("float64" if dtype is None else dtype))
            self._set(data, index, index, _checks.shape_of(arg1))
        elif isinstance(arg1, tuple):
            self._take_places(arg1, shape, dtype, copy)
        else:
            self._take_dense(arg1, shape, dtype)
        if shape is not None and _checks.shape_of(shape) != self._shape:
            raise ValueError(f"the shape {shape} is not that of the matrix, {self._shape}")

    def _set(self, data: Any, row: Any, col: Any, shape: tuple[int, int]) -> None:
        super().__init__(shape)
        self.data, self.row, self.col = data, row, col
        self.has_canonical_format = False
        self._rows_cache: Any = None

    def _take(self, coo: Any, shape: Any, dtype: Any, copy: bool) -> None:
        data = coo.data if dtype is None else coo.data.astype(_checks.data_dtype(dtype))
        arrays = (data, coo.row, coo.col)
        data, row, col = (each.copy() for each in arrays) if copy else arrays
        self._set(data, row, col, coo.shape)
        self.has_canonical_format = coo.has_canonical_format

    def _take_scipys(self, coo: Any, shape: Any, dtype: Any) -> None:
        if len(coo.shape) != 2:
            raise ValueError(f"sparse arrays have two dimensions here, not {len(coo.shape)}")
        self._take_places((coo.data, (coo.row, coo.col)), coo.shape, dtype, True)

    def _take_places(self, given: Any, shape: Any, dtype: Any, copy: bool) -> None:
        try:
            data, (row, col) = given
        except (TypeError, ValueError):
            raise TypeError("coo takes (data, (row, col)), a dense array or a shape") from None
        data = _checks.entries(data, dtype, copy)
        row, col = _checks.indices(row, "row"), _checks.indices(col, "col")
        if not len(data) == len(row) == len(col):
            raise ValueError(
                f"row, col and data have {len(row)}, {len(col)} and {len(data)} elements: they "
                "have to be of one length"
            )
        if shape is None:
            if not len(row):
                raise ValueError("without entries the shape is needed: pass shape=(m, n)")
            shape = (int(row.max()) + 1, int(col.max()) + 1)
        extents = _checks.shape_of(shape)
        _checks.check_range(row, extents[0], "row")
        _checks.check_range(col, extents[1], "column")
        wanted = _checks.index_dtype(*extents)
        row, col = (each.astype(wanted, copy=copy) for each in (row, col))
        self._set(data, row, col, extents)

    def _take_dense(self, given: Any, shape: Any, dtype: Any) -> None:
        try:
            array = _checks.dense(given)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{given!r} is no array: {error}") from error
        if array.ndim > 2:
            raise ValueError(f"sparse matrices have two dimensions, not {array.ndim}")
        if self.is_array and array.ndim < 2:
            raise ValueError(
                "sparse arrays have two dimensions here: reshape the operand, or take a matrix"
            )
        array = px.atleast_2d(array)
        wanted = _checks.data_dtype(array.dtype if dtype is None else dtype)
        row, col = px.nonzero(array)
        index = _checks.index_dtype(*array.shape)
        data = array[row, col].astype(wanted)
        self._set(data, row.astype(index), col.astype(index), array.shape)
        self.has_canonical_format = True

    @classmethod
    def _of_places(cls, data: Any, row: Any, col: Any, shape: tuple[int, int]) -> Any:
        made = cls.__new__(cls)
        index = _checks.index_dtype(*shape)
        row, col = (each.astype(index, copy=False) for each in (row, col))
        made._set(data, row, col, shape)
        return made

    def __getitem__(self, key: Any) -> Any:
        """Always raises `TypeError`: entries in any order have no places to look for."""
        raise TypeError("a coo cannot be indexed: take a.tocsr()[...], or a.tocsc() for columns")

    def __setitem__(self, key: Any, value: Any) -> None:
        """Always raises `TypeError`."""
        raise TypeError("elements of a coo cannot be assigned: take a = a.tocsr() before")

    @property
    def coords(self) -> tuple[Any, Any]:
        """The rows and the columns."""
        return self.row, self.col

    def _own(self) -> tuple[Parts, bool]:
        return _structure.compressed(self.row, self.col, self.data, self._shape), False

    def _rows_for_products(self) -> Any:
        """The entries by rows; which order that is, is kept for the next product."""
        cache = self._rows_cache
        if cache is None or cache[0] is not self.row or cache[1] is not self.col:
            order = px.argsort(self.row, stable=True)
            parts = _structure.compressed(self.row[order], self.col[order], order, self._shape)
            self._rows_cache = cache = (self.row, self.col, parts)
        return cache[2]._replace(data=self.data[cache[2].data])

    def _adopt(self, parts: Parts, by_columns: bool) -> None:
        coo = self._made(parts, by_columns).tocoo()
        self.data, self.row, self.col = coo.data, coo.row, coo.col

    def _with_data(self, data: Any) -> Any:
        made = type(self)._of_places(data, self.row.copy(), self.col.copy(), self._shape)
        made.has_canonical_format = self.has_canonical_format
        return made

    def _transposed(self, copy: bool) -> Any:
        arrays = (self.data, self.col, self.row)
        arrays = tuple(each.copy() for each in arrays) if copy else arrays
        return type(self)._of_places(*arrays, self._shape[::-1])

    def _without_zeros(self) -> Any:
        self.eliminate_zeros()
        return self

    def _to_scipy(self, cls: Any) -> Any:
        data, row, col = (coerce.to_numpy(x).copy() for x in (self.data, self.row, self.col))
        return cls((data, (row, col)), shape=self._shape)

    def tocoo(self, copy: bool = False) -> Any:
        """The matrix itself, or a copy.

        >>> matrix = px.sparse.coo_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.tocoo().row
        array([0, 1, 1], dtype=int32)
        """
        return self.copy() if copy else self

    def tocsr(self, copy: bool = False) -> Any:
        """The matrix by rows, the entries of one place added up.

        >>> matrix = px.sparse.coo_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.tocsr().indices
        array([0, 0, 1], dtype=int32)
        """
        return _copied(self._made(self._aligned(False)), copy)

    def tocsc(self, copy: bool = False) -> Any:
        """The matrix by columns, the entries of one place added up.

        >>> matrix = px.sparse.coo_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.tocsc().format
        'csc'
        """
        return _copied(self._made(self._aligned(True), True), copy)

    def sum_duplicates(self) -> None:
        """Sorts by rows, then columns, and adds up the entries of one place.

        >>> matrix = px.sparse.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2))
        >>> matrix.sum_duplicates()
        >>> matrix.data
        array([3.])
        """
        if self.has_canonical_format:
            return
        keys = _structure.keys_of(self.row, self.col, self._shape)
        keys, self.data = _structure.summed_keys(keys, self.data)
        columns, index = max(self._shape[1], 1), self.row.dtype
        self.row, self.col = (keys // columns).astype(index), (keys % columns).astype(index)
        self.has_canonical_format = True

    def eliminate_zeros(self) -> None:
        """Takes out the entries that are zero.

        >>> matrix = px.sparse.coo_array(([0.0, 2.0], ([0, 1], [0, 1])), shape=(2, 2))
        >>> matrix.eliminate_zeros()
        >>> matrix.nnz
        1
        """
        mask = self.data != 0
        self.data, self.row, self.col = self.data[mask], self.row[mask], self.col[mask]


def _copied(matrix: Any, copy: bool) -> Any:
    return matrix.copy() if copy else matrix


@_formats.register
class coo_matrix(_base.spmatrix, Coo):
    """A sparse matrix as rows, columns and data.

    >>> matrix = px.sparse.coo_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> matrix.shape, matrix.nnz
    ((2, 2), 3)
    >>> matrix @ px.asarray([1.0, 2.0])
    array([4., 7.])
    """

    __doc__ = Coo.__doc__


@_formats.register
class coo_array(_base.sparray, Coo):
    """A sparse array as rows, columns and data.

    >>> matrix = px.sparse.coo_array([[4.0, 0.0], [1.0, 3.0]])
    >>> matrix.shape, matrix.nnz
    ((2, 2), 3)
    >>> matrix @ px.asarray([1.0, 2.0])
    array([4., 7.])
    """

    __doc__ = Coo.__doc__


def isspmatrix_coo(x: Any) -> bool:
    """True if `x` is a `coo_matrix`.

    >>> px.sparse.isspmatrix_coo(px.sparse.coo_matrix((2, 2)))
    True
    """
    return isinstance(x, coo_matrix)
