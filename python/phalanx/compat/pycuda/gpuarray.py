"""`pycuda.gpuarray`: arrays in a device's memory."""

from __future__ import annotations

from .gpuarray_array import GPUArray, splay
from .gpuarray_functions import (
    all,
    any,
    dot,
    if_positive,
    logical_and,
    logical_not,
    logical_or,
    max,
    maximum,
    min,
    minimum,
    multi_put,
    multi_take,
    multi_take_put,
    subset_dot,
    subset_max,
    subset_min,
    subset_sum,
    sum,
    take,
    where,
)
from .gpuarray_making import (
    arange,
    concatenate,
    empty,
    empty_like,
    ones,
    ones_like,
    reshape,
    stack,
    to_gpu,
    to_gpu_async,
    transpose,
    zeros,
    zeros_like,
)
from .vectors import vec

__all__ = [
    "GPUArray", "all", "any", "arange", "concatenate", "dot", "empty", "empty_like", "if_positive",
    "logical_and", "logical_not", "logical_or", "max", "maximum", "min", "minimum", "multi_put",
    "multi_take", "multi_take_put", "ones", "ones_like", "reshape", "splay", "stack", "subset_dot",
    "subset_max", "subset_min", "subset_sum", "sum", "take", "to_gpu", "to_gpu_async", "transpose",
    "vec", "where", "zeros", "zeros_like",
]  # fmt: skip
