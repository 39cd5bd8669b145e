"""What all formats share: attributes, conversions and how parts become matrices."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

import phalanx as px

from .._arrays import coerce
from . import _checks, _formats, _products, _structure
from ._arithmetic import Arithmetic
from ._comparisons import Comparisons
from ._functions_of_data import FunctionsOfData
from ._reductions import Reductions
from ._structure import Parts


class Sparse(Arithmetic, Comparisons, Reductions, FunctionsOfData, _formats.SparseRoot):
    """A matrix whose entries are in arrays of ours; the classes of the formats derive from it.

    >>> matrix = px.sparse.eye_array(3)
    >>> isinstance(matrix, px.sparse.Sparse), matrix.format
    (True, 'dia')
    """

    __array_priority__ = 1010
    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]
    ndim = 2
    maxprint = 50

    def __init__(self, shape: tuple[int, int]) -> None:
        self._shape = shape
        self._plans = _products.Plans()

    # How the format stores: each class has its own.

    def _own(self) -> tuple[Parts, bool]:
        """The entries, and whether they are compressed by columns: then the shape is swapped."""
        raise NotImplementedError

    def _adopt(self, parts: Parts, by_columns: bool) -> None:
        """Takes these entries in the place of those that the matrix has."""
        raise NotImplementedError

    def _with_data(self, data: Any) -> Any:
        """A matrix of the same indices with other data."""
        raise NotImplementedError

    def _once(self) -> Any:
        """The matrix with one entry for a place: a copy where it has several, which are added."""
        if getattr(self, "has_canonical_format", True):
            return self
        made = self.copy()
        made.sum_duplicates()
        return made

    # Parts, and matrices of them.

    def _by_rows(self) -> Parts:
        parts, by_columns = self._own()
        return _structure.transposed(parts) if by_columns else parts

    def _aligned(self, by_columns: bool) -> Parts:
        """The entries compressed that way, without duplicates."""
        parts, is_so = self._own()
        return _structure.summed(parts if is_so == by_columns else _structure.transposed(parts))

    def _made(self, parts: Parts, by_columns: bool = False, format: str | None = None) -> Any:
        """A matrix of this kind, by rows or columns unless the format is named."""
        cls = _formats.class_of("csc" if by_columns else "csr", self.is_array)
        made = cls._of_parts(parts)
        return made if format in (None, made.format) else made.asformat(format)

    def _of_dense(self, array: Any) -> Any:
        """A matrix of this kind by rows of the elements that are not zero."""
        return _formats.class_of("csr", self.is_array)(array)

    # Attributes

    @property
    def shape(self) -> Any:
        """The extents."""
        return self._shape

    @shape.setter
    def shape(self, shape: Any) -> None:
        other = self.reshape(shape).asformat(self.format)
        self.__dict__.update(other.__dict__)

    @property
    def dtype(self) -> Any:
        """The dtype of the data."""
        return self.data.dtype

    @property
    def device(self) -> Any:
        """The device of the data."""
        return self.data.device

    @property
    def nnz(self) -> int:
        """The number of entries, explicit zeros among them."""
        return int(self.data.size)

    @property
    def size(self) -> int:
        """As `nnz`."""
        return self.nnz

    @property
    def T(self) -> Any:
        """The transposed matrix.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.T.toarray()
        array([[4., 1.],
               [0., 3.]])
        """
        return self.transpose()

    @property
    def mT(self) -> Any:
        """The transposed matrix.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.mT.toarray()
        array([[4., 1.],
               [0., 3.]])
        """
        return self.transpose()

    @property
    def real(self) -> Any:
        """The real parts.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.real.toarray()
        array([[4., 0.],
               [1., 3.]])
        """
        return self._with_data(self.data.real.copy())

    @property
    def imag(self) -> Any:
        """The imaginary parts.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.imag.toarray()
        array([[0., 0.],
               [0., 0.]])
        """
        return self._with_data(px.imag(self.data).astype(self.data.real.dtype))

    # Conversions

    def asformat(self, format: str | None, copy: bool = False) -> Any:
        """The matrix in a format; itself if it has it. Raises `ValueError` for one not there.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.asformat("csc").format
        'csc'
        """
        if format is None or format == self.format:
            return self.copy() if copy else self
        _formats.class_of(format, self.is_array)
        return getattr(self, f"to{format}")(copy=copy)

    def tocsr(self, copy: bool = False) -> Any:
        """The matrix by rows.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.tocsr().format
        'csr'
        """
        return self._made(self._by_rows())

    def tocsc(self, copy: bool = False) -> Any:
        """The matrix by columns.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.tocsc().format
        'csc'
        """
        parts, by_columns = self._own()
        return self._made(parts if by_columns else _structure.transposed(parts), True)

    def tocoo(self, copy: bool = True) -> Any:
        """The matrix as rows, columns and data.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.tocoo().row
        array([0, 1, 1], dtype=int32)
        """
        parts, by_columns = self._own()
        majors = _structure.majors_of(parts)
        places = (parts.indices, majors) if by_columns else (majors, parts.indices)
        data = parts.data.copy() if copy else parts.data
        return _formats.class_of("coo", self.is_array)._of_places(data, *places, self._shape)

    def todia(self, copy: bool = False) -> Any:
        """The matrix by diagonals.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.todia().offsets
        array([-1,  0], dtype=int32)
        """
        return _formats.class_of("dia", self.is_array)._of_coo(self.tocoo(copy=False))

    def tobsr(self, blocksize: Any = None, copy: bool = False) -> Any:
        """Raises `NotImplementedError`: there is no format of blocks."""
        raise NotImplementedError("there is no block format: take tocsr()")

    def toarray(self, order: str | None = None, out: Any = None) -> Any:
        """The dense array, (m, n); entries of one place are added.

        Raises `ValueError` for an unknown order, or an `out` of another shape or dtype.
        """
        if order not in (None, "C", "F"):
            raise ValueError(f"the order is 'C' or 'F', not {order!r}")
        coo = self.tocoo(copy=False)
        made = out
        if out is None:
            made = px.zeros(self._shape, self.dtype, order=order or "C", device=coo.data._place)
        if out is not None:
            if out.shape != self._shape or out.dtype != self.dtype:
                raise ValueError(f"out has to be of {self.dtype} and shape {self._shape}")
            made[...] = 0
        if coo.nnz:
            add = px.logical_or if self.dtype == bool else px.add
            add.at(made, (coo.row, coo.col), coo.data)
        return made

    def todense(self, order: str | None = None, out: Any = None) -> Any:
        """As `toarray`."""
        return self.toarray(order, out)

    def get(self, stream: Any = None) -> Any:
        """The matrix as one of SciPy's, on the host. Raises `ImportError` where SciPy is not.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.get().toarray()
        array([[4., 0.],
               [1., 3.]])
        """
        try:
            scipys = importlib.import_module("scipy.sparse")
        except ImportError as error:
            raise ImportError("get() gives a matrix of SciPy's: install scipy") from error
        kind = "array" if self.is_array else "matrix"
        return self._to_scipy(getattr(scipys, f"{self.format}_{kind}"))

    def _to_scipy(self, cls: Any) -> Any:
        raise NotImplementedError

    def astype(self, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Any:
        """The matrix with data of a dtype. Raises `ValueError` for one that data cannot have.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.astype("float32").dtype
        dtype('float32')
        """
        wanted = _checks.data_dtype(dtype)
        if wanted == self.dtype and not copy:
            return self
        return self._with_data(self.data.astype(wanted, casting=casting))

    def copy(self) -> Any:
        """A matrix with memory of its own.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.copy().toarray()
        array([[4., 0.],
               [1., 3.]])
        """
        return self._with_data(self.data.copy())

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """The transposed matrix. Raises `ValueError` for other axes than None and (1, 0).

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.transpose().toarray()
        array([[4., 1.],
               [0., 3.]])
        """
        is_order = isinstance(axes, (tuple, list)) and tuple(axes) in ((1, 0), (-1, -2))
        if axes is not None and not is_order:
            raise ValueError(f"a sparse matrix is transposed by axes=None or (1, 0), not {axes}")
        return self._transposed(copy)

    def _transposed(self, copy: bool) -> Any:
        raise NotImplementedError

    def conj(self, copy: bool = True) -> Any:
        """The complex conjugate.

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.conj().toarray()
        array([[4., 0.],
               [1., 3.]])
        """
        if self.dtype.kind != "c":
            return self.copy() if copy else self
        return self._with_data(px.conj(self.data))

    conjugate = conj

    def reshape(self, *shape: Any, order: str = "C", copy: bool = False) -> Any:
        """The elements in another shape of as many places, read by rows, or columns with "F".

        >>> matrix = px.sparse.csr_array([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.reshape(1, 4).toarray()
        array([[4., 0., 1., 3.]])
        """
        extents = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        extents = _whole(tuple(map(operator.index, extents)), self._shape)
        extents = _checks.shape_of(extents)
        if order not in ("C", "F"):
            raise ValueError(f"the order is 'C' or 'F', not {order!r}")
        coo = self.tocoo(copy=False)
        rows, columns = (coo.row, coo.col) if order == "C" else (coo.col, coo.row)
        inner = self._shape[1 if order == "C" else 0]
        keys = rows.astype("int64") * inner + columns.astype("int64")
        extent = max(extents[1 if order == "C" else 0], 1)
        places = (keys // extent, keys % extent)
        cls = _formats.class_of("coo", self.is_array)
        return cls._of_places(coo.data, *places[:: 1 if order == "C" else -1], extents).asformat(
            self.format
        )

    def nonzero(self) -> tuple[Any, Any]:
        """The rows and columns of the entries that are not zero."""
        coo = self.asformat("csr" if self.format == "csc" else self.format)._once().tocoo()
        mask = coo.data != 0
        return coo.row[mask], coo.col[mask]

    # What Python asks for

    def __len__(self) -> int:
        raise TypeError("sparse matrix length is ambiguous; use shape[0] or nnz")

    def __bool__(self) -> bool:
        if self._shape == (1, 1):
            return self.nnz != 0 and bool(self.toarray()[0, 0])
        raise ValueError("the truth value of a sparse matrix is ambiguous; use nnz or any of data")

    def __iter__(self) -> Iterator[Any]:
        rows = self.tocsr()
        return (rows[i] for i in range(self._shape[0]))

    def __repr__(self) -> str:
        kind = "array" if self.is_array else "matrix"
        return (
            f"<{_formats.title(self.format)} sparse {kind} of dtype '{self.dtype}'\n"
            f"\twith {self.nnz} stored elements and shape {self._shape}>"
        )

    def __str__(self) -> str:
        coo = self.tocoo(copy=False)
        shown = [coerce.to_numpy(each[: self.maxprint]) for each in (coo.row, coo.col, coo.data)]
        lines = [f"  ({i}, {j})\t{value}" for i, j, value in zip(*shown, strict=True)]
        more = ["  :\t:"] if coo.nnz > self.maxprint else []
        return "\n".join([repr(self), "  Coords\tValues", *lines, *more])

    def __reduce__(self) -> Any:
        state = {name: value for name, value in self.__dict__.items() if name != "_plans"}
        return _restored, (type(self), state)


def _restored(cls: Any, state: dict[str, Any]) -> Any:
    made = cls.__new__(cls)
    made.__dict__.update(state, _plans=_products.Plans())
    return made


def _whole(shape: tuple[int, ...], old: tuple[int, int]) -> tuple[int, ...]:
    """The shape with what -1 comes to. Raises `ValueError` where the places are not as many."""
    count = old[0] * old[1]
    if -1 in shape and len(shape) == 2:
        other = shape[0] * shape[1] * -1
        if shape != (-1, -1) and other and count % other == 0:
            shape = tuple(count // other if each == -1 else each for each in shape)
    if len(shape) != 2 or int(np.prod(shape, dtype=object)) != count or min(shape) < 0:
        raise ValueError(f"cannot reshape a matrix of shape {old} to {shape}")
    return shape


class sparray(_formats.SparseRoot):
    """What sparse arrays are instances of: `*` is elementwise, as of NumPy's arrays.

    >>> isinstance(px.sparse.eye_array(3), px.sparse.sparray)
    True
    """

    is_array = True


class spmatrix(_formats.SparseRoot):
    """What sparse matrices are instances of: `*` is the product of matrices, `**` a power of it.

    >>> isinstance(px.sparse.csr_matrix((2, 2)), px.sparse.spmatrix)
    True
    """

    is_array = False

    def __mul__(self: Any, other: Any) -> Any:
        return self._product(other)

    def __rmul__(self: Any, other: Any) -> Any:
        return self._product_from_left(other)

    def __pow__(self: Any, other: Any) -> Any:
        return self._matrix_power(other)

    @property
    def A(self: Any) -> Any:
        """The dense array.

        >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.A
        array([[4., 0.],
               [1., 3.]])
        """
        return self.toarray()

    @property
    def H(self: Any) -> Any:
        """The transposed conjugate.

        >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.H.toarray()
        array([[4., 1.],
               [0., 3.]])
        """
        return self.getH()

    def getH(self: Any) -> Any:
        """The transposed conjugate.

        >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.getH().toarray()
        array([[4., 1.],
               [0., 3.]])
        """
        return self.transpose().conj()

    def getnnz(self: Any, axis: int | None = None) -> Any:
        """The number of entries, or of those along an axis.

        >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.getnnz()
        3
        """
        return self._getnnz(axis)

    def getformat(self) -> str:
        """The format.

        >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.getformat()
        'csr'
        """
        return self.format

    def getmaxprint(self: Any) -> int:
        """How many entries are printed.

        >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.getmaxprint()
        50
        """
        return int(self.maxprint)

    def get_shape(self: Any) -> Any:
        """The shape.

        >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.get_shape()
        (2, 2)
        """
        return self.shape

    def set_shape(self: Any, shape: Any) -> None:
        """Gives the matrix another shape of as many places.

        >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.set_shape((1, 4))
        >>> matrix.shape
        (1, 4)
        """
        self.shape = shape

    def asfptype(self: Any) -> Any:
        """The matrix with data of a floating type; bool becomes float32.

        >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.asfptype().dtype
        dtype('float64')
        """
        return self.astype("float32") if self.dtype == bool else self

    def getrow(self: Any, i: int) -> Any:
        """The row, as a matrix of (1, n). Raises `IndexError` for one that is not there.

        >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.getrow(1).toarray()
        array([[1., 3.]])
        """
        return self.asformat("csc" if self.format == "csc" else "csr")[operator.index(i), :]

    def getcol(self: Any, j: int) -> Any:
        """The column, as a matrix of (m, 1). Raises `IndexError` for one that is not there.

        >>> matrix = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
        >>> matrix.getcol(0).toarray()
        array([[4.],
               [1.]])
        """
        return self.asformat("csc" if self.format == "csc" else "csr")[:, operator.index(j)]


def issparse(x: Any) -> bool:
    """True if `x` is a sparse matrix or array of this package.

    >>> px.sparse.issparse(px.sparse.csr_matrix((2, 2))), px.sparse.issparse(np.ones((2, 2)))
    (True, False)
    """
    return _formats.is_sparse(x)


def isspmatrix(x: Any) -> bool:
    """True if `x` is a sparse matrix of this package, not an array.

    >>> px.sparse.isspmatrix(px.sparse.csr_matrix((2, 2))), px.sparse.isspmatrix(np.ones((2, 2)))
    (True, False)
    """
    return isinstance(x, spmatrix)
