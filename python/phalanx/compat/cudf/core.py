"""`cudf.core` and `cudf.utils`, of which the dtypes are there."""

from . import dtypes as dtypes
