"""Matrices by diagonals: `dia_matrix` and `dia_array`."""

from __future__ import annotations

from typing import Any

import phalanx as px

from .._arrays import coerce
from . import _base, _checks, _formats, _structure
from ._structure import Parts


class Dia(_base.Sparse):
    """Diagonals as the rows of `data`: data[d, j] is the element (j - offsets[d], j).

    Made of a dense array, another sparse matrix (SciPy's too), a shape, or (data, offsets) with
    the shape. Raises `ValueError` for offsets that repeat or do not fit the data.
    """

    format = "dia"

    def __init__(
        self, arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False, **options: Any
    ) -> None:
        self.maxprint = options.pop("maxprint", _base.Sparse.maxprint)
        if options:
            raise TypeError(f"unexpected arguments: {', '.join(options)}")
        if _checks.is_shape(arg1):
            data = px.zeros((0, 0), _checks.data_dtype("float64" if dtype is None else dtype))
            self._set(data, px.zeros(0, "int32"), _checks.shape_of(arg1))
        elif isinstance(arg1, tuple):
            self._take(arg1, shape, dtype, copy)
        elif getattr(arg1, "format", "") == "dia":
            self._take((arg1.data, arg1.offsets), arg1.shape, dtype, True)
        else:
            made = type(self)._of_coo(_formats.class_of("coo", self.is_array)(arg1, dtype=dtype))
            self._set(made.data, made.offsets, made.shape)
        if shape is not None and _checks.shape_of(shape) != self._shape:
            raise ValueError(f"the shape {shape} is not that of the matrix, {self._shape}")

    def _set(self, data: Any, offsets: Any, shape: tuple[int, int]) -> None:
        super().__init__(shape)
        self.data, self.offsets = data, offsets

    def _take(self, given: Any, shape: Any, dtype: Any, copy: bool) -> None:
        if len(given) != 2:
            raise ValueError("dia takes (data, offsets) with a shape, a dense array or a shape")
        if shape is None:
            raise ValueError("(data, offsets) needs the shape: pass shape=(m, n)")
        data = px.atleast_2d(px.asarray(given[0]))
        data = data.astype(_checks.data_dtype(data.dtype if dtype is None else dtype), copy=copy)
        offsets = px.atleast_1d(px.asarray(given[1])).astype("int32", copy=copy)
        if offsets.ndim != 1:
            raise ValueError("the offsets are a number or an array of one dimension")
        if data.ndim != 2 or len(data) != len(offsets):
            raise ValueError(f"{len(offsets)} offsets do not fit the data's shape {data.shape}")
        if px.unique(offsets).size != offsets.size:
            raise ValueError("offset array contains duplicate values")
        self._set(data, offsets, _checks.shape_of(shape))

    @classmethod
    def _of_coo(cls, coo: Any) -> Any:
        coo = coo.tocsr().tocoo()
        offsets, which = px.unique(
            coo.col.astype("int64") - coo.row.astype("int64"), return_inverse=True
        )
        width = int(coo.col.max()) + 1 if coo.nnz else 0
        data = px.zeros((offsets.size, width), coo.dtype)
        if coo.nnz:
            data[which, coo.col] = coo.data
        made = cls.__new__(cls)
        made._set(data, offsets.astype("int32"), coo.shape)
        return made

    def _inside(self) -> tuple[Any, Any, Any]:
        """The row and column of each element of `data`, and whether the matrix has that place."""
        column = px.arange(self.data.shape[1])[None, :]
        row = column - self.offsets.astype("int64")[:, None]
        column = px.broadcast_to(column, row.shape)
        return row, column, (row >= 0) & (row < self._shape[0]) & (column < self._shape[1])

    @property
    def nnz(self) -> int:
        """The number of places on the diagonals that there are in the matrix."""
        return int(self._inside()[2].sum())

    def _getnnz(self, axis: Any = None) -> Any:
        return self.nnz if axis is None else self.tocoo()._getnnz(axis)

    def tocoo(self, copy: bool = False) -> Any:
        """The matrix as rows, columns and data, without zeros.

        >>> matrix = px.sparse.dia_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.tocoo().row
        array([1, 0, 1], dtype=int32)
        """
        row, column, inside = self._inside()
        mask = inside & (self.data != 0)
        cls = _formats.class_of("coo", self.is_array)
        return cls._of_places(self.data[mask], row[mask], column[mask], self._shape)

    def todia(self, copy: bool = False) -> Any:
        """The matrix itself, or a copy.

        >>> matrix = px.sparse.dia_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.todia().offsets
        array([-1,  0], dtype=int32)
        """
        return self.copy() if copy else self

    def tocsr(self, copy: bool = False) -> Any:
        """The matrix by rows.

        >>> matrix = px.sparse.dia_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.tocsr().indices
        array([0, 0, 1], dtype=int32)
        """
        return self.tocoo().tocsr()

    def tocsc(self, copy: bool = False) -> Any:
        """The matrix by columns.

        >>> matrix = px.sparse.dia_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.tocsc().format
        'csc'
        """
        return self.tocoo().tocsc()

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """As `csr_matrix.sum`."""
        return self.tocsr().sum(axis, dtype, out)

    def _own(self) -> tuple[Parts, bool]:
        coo = self.tocoo()
        return _structure.compressed(coo.row, coo.col, coo.data, self._shape), False

    def _adopt(self, parts: Parts, by_columns: bool) -> None:
        made = self._made(parts, by_columns).todia()
        self.data, self.offsets = made.data, made.offsets

    def _with_data(self, data: Any) -> Any:
        made = type(self).__new__(type(self))
        made._set(data, self.offsets.copy(), self._shape)
        return made

    def _without_zeros(self) -> Any:
        return self

    def _transposed(self, copy: bool) -> Any:
        return self.tocoo()._transposed(copy).todia()

    def _to_scipy(self, cls: Any) -> Any:
        data, offsets = (coerce.to_numpy(each).copy() for each in (self.data, self.offsets))
        return cls((data, offsets), shape=self._shape)


@_formats.register
class dia_matrix(_base.spmatrix, Dia):
    """A sparse matrix by diagonals.

    >>> matrix = px.sparse.dia_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> matrix.shape, matrix.nnz
    ((2, 2), 3)
    >>> matrix @ px.asarray([1.0, 2.0])
    array([4., 7.])
    """

    __doc__ = Dia.__doc__


@_formats.register
class dia_array(_base.sparray, Dia):
    """A sparse array by diagonals.

    >>> matrix = px.sparse.dia_array([[4.0, 0.0], [1.0, 3.0]])
    >>> matrix.shape, matrix.nnz
    ((2, 2), 3)
    >>> matrix @ px.asarray([1.0, 2.0])
    array([4., 7.])
    """

    __doc__ = Dia.__doc__


def isspmatrix_dia(x: Any) -> bool:
    """True if `x` is a `dia_matrix`.

    >>> px.sparse.isspmatrix_dia(px.sparse.dia_matrix((2, 2)))
    True
    """
    return isinstance(x, dia_matrix)
