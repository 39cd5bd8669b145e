"""`pycuda.reduction`: elements of arrays, mapped and reduced by expressions in CUDA C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .compiler import SourceModule
from .context import Stream
from .kernel_text import (
    HEADERS,
    SureElements,
    blocks_that_fill,
    parsed_arguments,
    passed_for_all,
    user_text,
)
from .tools import context_dependent_memoize, dtype_to_ctype

__all__ = [
    "ReductionKernel", "get_all_kernel", "get_any_kernel", "get_dot_kernel", "get_minmax_kernel",
    "get_minmax_neutral", "get_subset_dot_kernel", "get_subset_minmax_kernel",
    "get_subset_sum_kernel", "get_sum_kernel",
]  # fmt: skip

_BLOCK = 256
_PER_THREAD = 8  # elements at least, before there is a further block
_MOST_BLOCKS = 4096  # whose results one block reduces

_HEADERS = """{headers}{preamble}
typedef {type} out_type;
"""
# Operands are references called `a` and `b` in a scope of their own, as arguments may have these
# names, too, which `map_expr` uses; and `b` has the type of the mapped element until it is reduced.
_KERNEL = """
extern "C" __global__ void {name}(out_type* _phx_out, {parameters}, size_t _phx_n) {{
  __shared__ __align__(16) unsigned char _phx_memory[{block} * sizeof(out_type)];
  out_type* const _phx_values = (out_type*)_phx_memory;
  const unsigned _phx_thread = threadIdx.x;
  out_type _phx_sum = {neutral};
  for (size_t i = (size_t)blockIdx.x * {block} + _phx_thread; i < _phx_n;
       i += (size_t)gridDim.x * {block}) {{
    const auto _phx_mapped = ({map});
    {{
      out_type& a = _phx_sum;
      const auto& b = _phx_mapped;
      _phx_sum = ({reduce});
    }}
  }}
  _phx_values[_phx_thread] = _phx_sum;
  __syncthreads();
  for (unsigned _phx_half = {block} / 2; _phx_half > 0; _phx_half /= 2) {{
    if (_phx_thread < _phx_half) {{
      out_type& a = _phx_values[_phx_thread];
      out_type& b = _phx_values[_phx_thread + _phx_half];
      _phx_values[_phx_thread] = ({reduce});
    }}
    __syncthreads();
  }}
  if (_phx_thread == 0) _phx_out[blockIdx.x] = _phx_values[0];
}}
"""
_PARTIAL = "pycuda_reduction_inp"


class ReductionKernel:
    """A kernel that maps the elements of its arrays, and reduces what comes of them to one value.

    `map_expr` makes a value of the elements at index ``i`` of the `arguments`, a list of parameters
    in C whose pointers are arrays; without it, it is ``in[i]``. `reduce_expr` makes one value of
    two, ``a`` and ``b``; it has to be associative and commutative. `neutral` is the value to begin
    with, in C, and `dtype_out` the type of values and result. `name`, `keep` and `options` are as
    for `SourceModule`; `preamble` is text before the kernel; `allocator` makes memory for results,
    by default that of the first array.

    Raises `ValueError` for arguments that cannot be parsed or have no array, and `CompileError`.
    """

    def __init__(
        self,
        dtype_out: Any,
        neutral: Any,
        reduce_expr: str,
        map_expr: str | None = None,
        arguments: str | Sequence[Any] | None = None,
        name: str = "reduce_kernel",
        keep: bool = False,
        options: Sequence[str] | None = None,
        preamble: str = "",
        allocator: Any = None,
    ) -> None:
        self.dtype_out = np.dtype(dtype_out)
        self.name, self.allocator = name, allocator
        ctype = dtype_to_ctype(self.dtype_out)
        given = f"const {ctype} *in" if arguments is None else arguments
        self._arguments = parsed_arguments(given, name)
        map_expr = "in[i]" if map_expr is None else map_expr
        self._elements = SureElements(self._arguments, map_expr)
        declared = ", ".join(each.declarator() for each in self._arguments)
        declared = given if isinstance(given, str) else declared
        reduce = user_text(reduce_expr, f"{name}, reduce_expr")
        common = {"neutral": user_text(neutral, f"{name}, neutral"), "reduce": reduce}
        source = _HEADERS.format(
            headers=HEADERS, preamble=user_text(preamble, f"{name}, preamble"), type=ctype
        )
        source += _KERNEL.format(
            name=f"{name}_stage1",
            block=_BLOCK,
            parameters=declared,
            map=user_text(map_expr, f"{name}, map_expr"),
            **common,
        )
        # `reduce_expr` may use arguments: the second stage has all of them, too.
        source += _KERNEL.format(
            name=f"{name}_stage2",
            block=_BLOCK,
            parameters=f"const out_type *{_PARTIAL}, {declared}",
            map=f"{_PARTIAL}[i]",
            **common,
        )
        module = SourceModule(source, options=options, keep=keep, no_extern_c=True)
        self._stages = [module.get_function(f"{name}_stage{k}") for k in (1, 2)]

    def __call__(
        self,
        *args: Any,
        stream: Stream | None = None,
        out: Any = None,
        allocator: Any = None,
    ) -> Any:
        """Reduces over all elements of the first array; gives a `GPUArray` of the shape ``()``.

        It is `out` if given, whose first element is set. No elements give `neutral`. With a stream
        the work is queued there.

        Raises `TypeError` for arguments that do not fit and arrays of other dtypes, `RuntimeError`
        for arrays with gaps, and `ValueError` for an array that has fewer elements than `map_expr`
        uses, and an `out` of another dtype or without elements.
        """
        from .gpuarray import empty

        passed, first = passed_for_all(args, self._arguments, self.name)
        size = int(first.size)
        self._elements.check(args, range(size), self.name)
        allocator = allocator or self.allocator or getattr(first, "allocator", None)
        if out is None:
            out = empty((), self.dtype_out, allocator=allocator)
        elif out.dtype != self.dtype_out:
            raise ValueError(f"out must have the dtype {self.dtype_out}, not {out.dtype}")
        elif out.size == 0:
            raise ValueError("out array is empty")
        blocks = _blocks(size)
        result = out if blocks == 1 else empty((blocks,), self.dtype_out, allocator=allocator)
        self._launch(0, blocks, stream, [result.gpudata, *passed, size])
        if blocks > 1:
            self._launch(1, 1, stream, [out.gpudata, result.gpudata, *passed, blocks])
        return out

    def _launch(self, stage: int, blocks: int, stream: Stream | None, passed: list[Any]) -> None:
        self._stages[stage].prepared_async_call((blocks, 1), (_BLOCK, 1, 1), stream, *passed)


def _blocks(size: int) -> int:
    most = min(blocks_that_fill(), _MOST_BLOCKS)
    return max(1, min(-(-size // (_BLOCK * _PER_THREAD)), most))


def _const(dtype: Any, name: str) -> str:
    return f"const {dtype_to_ctype(dtype)} *{name}"


@context_dependent_memoize
def get_sum_kernel(dtype_out: Any, dtype_in: Any) -> ReductionKernel:
    """The sum, by default of the elements' own dtype."""
    return ReductionKernel(
        dtype_in if dtype_out is None else dtype_out, "0", "a+b", arguments=_const(dtype_in, "in")
    )


@context_dependent_memoize
def get_any_kernel(dtype_out: Any, dtype_in: Any) -> ReductionKernel:
    """1 if any element is not 0, else 0."""
    return ReductionKernel(
        dtype_in if dtype_out is None else dtype_out,
        "0",
        "(a != 0) || (b != 0)",
        arguments=_const(dtype_in, "in"),
    )


@context_dependent_memoize
def get_all_kernel(dtype_out: Any, dtype_in: Any) -> ReductionKernel:
    """1 if no element is 0, else 0."""
    return ReductionKernel(
        dtype_in if dtype_out is None else dtype_out,
        "1",
        "(a != 0) && (b != 0)",
        arguments=_const(dtype_in, "in"),
    )


@context_dependent_memoize
def get_subset_sum_kernel(dtype_out: Any, dtype_subset: Any, dtype_in: Any) -> ReductionKernel:
    """The sum of the elements that the first argument has the indices of."""
    return ReductionKernel(
        dtype_in if dtype_out is None else dtype_out,
        "0",
        "a+b",
        map_expr="in[lookup_tbl[i]]",
        arguments=f"{_const(dtype_subset, 'lookup_tbl')}, {_const(dtype_in, 'in')}",
    )


@context_dependent_memoize
def get_dot_kernel(dtype_out: Any, dtype_a: Any = None, dtype_b: Any = None) -> ReductionKernel:
    """The sum of products."""
    dtype_a, dtype_b, dtype_out = _of_dot(dtype_out, dtype_a, dtype_b)
    return ReductionKernel(
        dtype_out,
        neutral="0",
        reduce_expr="a+b",
        map_expr="a[i]*b[i]",
        arguments=f"{_const(dtype_a, 'a')}, {_const(dtype_b, 'b')}",
    )


@context_dependent_memoize
def get_subset_dot_kernel(
    dtype_out: Any, dtype_subset: Any, dtype_a: Any = None, dtype_b: Any = None
) -> ReductionKernel:
    """The sum of products of the elements that the first argument has the indices of."""
    dtype_a, dtype_b, dtype_out = _of_dot(dtype_out, dtype_a, dtype_b)
    arguments = (_const(dtype_subset, "lookup_tbl"), _const(dtype_a, "a"), _const(dtype_b, "b"))
    return ReductionKernel(
        dtype_out,
        neutral="0",
        reduce_expr="a+b",
        map_expr="a[lookup_tbl[i]]*b[lookup_tbl[i]]",
        arguments=", ".join(arguments),
    )


def _of_dot(dtype_out: Any, dtype_a: Any, dtype_b: Any) -> tuple[Any, Any, Any]:
    dtype_a = dtype_out if dtype_a is None else dtype_a
    dtype_b = dtype_a if dtype_b is None else dtype_b
    return dtype_a, dtype_b, dtype_a if dtype_out is None else dtype_out


def get_minmax_neutral(what: str, dtype: Any) -> str:
    """The value in C that the least (``"min"``) or greatest element is compared with first.

    Raises `ValueError` for another word.
    """
    if what not in ("min", "max"):
        raise ValueError("what is not min or max.")
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return "(1.0 / 0.0)" if what == "min" else "(-1.0 / 0.0)"
    limits = np.iinfo(dtype)
    if what == "min":
        return f"{limits.max}{'ull' if dtype.kind == 'u' else 'll'}"
    # The least number of C's widest type cannot be written as one literal.
    return f"({limits.min + 1}ll - 1)" if limits.min else "0"


def _minmax_expression(what: str, dtype: Any) -> str:
    dtype = np.dtype(dtype)
    if dtype in (np.float32, np.float64):
        return f"f{what}(a, b)" if dtype == np.float64 else f"f{what}f(a, b)"
    if dtype.kind in "iu":
        return f"{'a < b' if what == 'min' else 'b < a'} ? a : b"
    raise TypeError(f"there is no {what} of {dtype}")


@context_dependent_memoize
def get_minmax_kernel(what: str, dtype: Any) -> ReductionKernel:
    """The least (``"min"``) or greatest element. Raises `TypeError` for other dtypes."""
    return ReductionKernel(
        dtype,
        get_minmax_neutral(what, dtype) if np.dtype(dtype).kind in "iuf" else "0",
        _minmax_expression(what, dtype),
        arguments=_const(dtype, "in"),
    )


@context_dependent_memoize
def get_subset_minmax_kernel(what: str, dtype: Any, dtype_subset: Any) -> ReductionKernel:
    """The same among the elements that the first argument has the indices of."""
    return ReductionKernel(
        dtype,
        get_minmax_neutral(what, dtype) if np.dtype(dtype).kind in "iuf" else "0",
        _minmax_expression(what, dtype),
        map_expr="in[lookup_tbl[i]]",
        arguments=f"{_const(dtype_subset, 'lookup_tbl')}, {_const(dtype, 'in')}",
    )
