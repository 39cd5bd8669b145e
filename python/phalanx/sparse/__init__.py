"""Sparse matrices with SciPy's names, on any device.

    from phalanx import sparse

    a = sparse.csr_matrix((data, indices, indptr), shape=(m, n))
    y = a @ x                      # on the device that the arrays are on
    b = a.get()                    # SciPy's

Of each format there is a matrix, as `cupyx.scipy.sparse` has it (`*` is the product of matrices),
and an array (`*` is elementwise, as for NumPy's arrays).
"""

from __future__ import annotations

import importlib
from typing import Any

from ._base import (
    Sparse,
    issparse,
    isspmatrix,
    sparray,
    spmatrix,
)
from ._compressed import (
    csc_array,
    csc_matrix,
    csr_array,
    csr_matrix,
    isspmatrix_csc,
    isspmatrix_csr,
)
from ._construct import (
    block_array,
    block_diag,
    bmat,
    find,
    hstack,
    kron,
    kronsum,
    matrix_transpose,
    permute_dims,
    swapaxes,
    tril,
    triu,
    vstack,
)
from ._coo import coo_array, coo_matrix, isspmatrix_coo
from ._creation import (
    diags,
    diags_array,
    eye,
    eye_array,
    identity,
    rand,
    random,
    random_array,
    spdiags,
)
from ._dia import dia_array, dia_matrix, isspmatrix_dia
from ._formats import SparseEfficiencyWarning, SparseWarning
from ._index_dtypes import get_index_dtype, safely_cast_index_arrays

_spbase = Sparse  # the name that SciPy and CuPy give it

__all__ = [
    "Sparse",
    "SparseEfficiencyWarning",
    "SparseWarning",
    "block_array",
    "block_diag",
    "bmat",
    "coo_array",
    "coo_matrix",
    "csc_array",
    "csc_matrix",
    "csr_array",
    "csr_matrix",
    "dia_array",
    "dia_matrix",
    "diags",
    "diags_array",
    "eye",
    "eye_array",
    "find",
    "get_index_dtype",
    "hstack",
    "identity",
    "issparse",
    "isspmatrix",
    "isspmatrix_coo",
    "isspmatrix_csc",
    "isspmatrix_csr",
    "isspmatrix_dia",
    "kron",
    "kronsum",
    "linalg",
    "matrix_transpose",
    "permute_dims",
    "rand",
    "random",
    "random_array",
    "safely_cast_index_arrays",
    "sparray",
    "spdiags",
    "spmatrix",
    "swapaxes",
    "tril",
    "triu",
    "vstack",
]


def __getattr__(name: str) -> Any:
    if name == "linalg":
        return importlib.import_module(".linalg", __name__)
    raise AttributeError(
        f"module {__name__!r} has no attribute {name!r}; "
        f"SciPy's own takes matrix.get(): scipy.sparse.{name}"
    )
