"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.sparse."""

from . import linalg as linalg
from ._base import Sparse as Sparse
from ._base import issparse as issparse
from ._base import isspmatrix as isspmatrix
from ._base import sparray as sparray
from ._base import spmatrix as spmatrix
from ._compressed import csc_array as csc_array
from ._compressed import csc_matrix as csc_matrix
from ._compressed import csr_array as csr_array
from ._compressed import csr_matrix as csr_matrix
from ._compressed import isspmatrix_csc as isspmatrix_csc
from ._compressed import isspmatrix_csr as isspmatrix_csr
from ._construct import block_array as block_array
from ._construct import block_diag as block_diag
from ._construct import bmat as bmat
from ._construct import find as find
from ._construct import hstack as hstack
from ._construct import kron as kron
from ._construct import kronsum as kronsum
from ._construct import matrix_transpose as matrix_transpose
from ._construct import permute_dims as permute_dims
from ._construct import swapaxes as swapaxes
from ._construct import tril as tril
from ._construct import triu as triu
from ._construct import vstack as vstack
from ._coo import coo_array as coo_array
from ._coo import coo_matrix as coo_matrix
from ._coo import isspmatrix_coo as isspmatrix_coo
from ._creation import diags as diags
from ._creation import diags_array as diags_array
from ._creation import eye as eye
from ._creation import eye_array as eye_array
from ._creation import identity as identity
from ._creation import rand as rand
from ._creation import random as random
from ._creation import random_array as random_array
from ._creation import spdiags as spdiags
from ._dia import dia_array as dia_array
from ._dia import dia_matrix as dia_matrix
from ._dia import isspmatrix_dia as isspmatrix_dia
from ._formats import SparseEfficiencyWarning as SparseEfficiencyWarning
from ._formats import SparseWarning as SparseWarning
from ._index_dtypes import get_index_dtype as get_index_dtype
from ._index_dtypes import safely_cast_index_arrays as safely_cast_index_arrays

__all__: list[str]
