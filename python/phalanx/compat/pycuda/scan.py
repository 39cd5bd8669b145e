"""`pycuda.scan`: prefix sums of any associative operation that an expression in CUDA C says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .compiler import SourceModule
from .context import Stream
from .kernel_text import HEADERS, blocks_that_fill, passed_for_argument, user_text
from .memory import mem_alloc
from .tools import VectorArg, dtype_to_ctype

__all__ = ["ExclusiveScanKernel", "InclusiveScanKernel"]

_BLOCK = 128
_MOST_PER_THREAD = 8
_TILE_BYTES = 24 << 10  # of shared memory, beside those of the threads' totals

# A block goes over an interval of the elements, tile by tile. Each thread scans neighbours in
# shared memory, then the block scans the threads' totals, and each thread puts what comes before
# its elements on their left: the order of operands is kept, as the operation need not commute.
_KERNEL = """{headers}{preamble}
typedef {type} scan_type;
__device__ inline scan_type _phx_joined(const scan_type& a, const scan_type& b) {{
  return ({scan});
}}
extern "C" __global__ void {name}(
    const scan_type* _phx_in, size_t _phx_size, size_t _phx_interval,
    const scan_type* _phx_carries, scan_type* _phx_totals, scan_type* _phx_out) {{
  __shared__ __align__(16) unsigned char _phx_tile[{tile} * sizeof(scan_type)];
  __shared__ __align__(16) unsigned char _phx_sum_memory[{block} * sizeof(scan_type)];
  __shared__ __align__(16) unsigned char _phx_carry_memory[sizeof(scan_type)];
  scan_type* const _phx_items = (scan_type*)_phx_tile;
  scan_type* const _phx_sums = (scan_type*)_phx_sum_memory;
  scan_type* const _phx_carry = (scan_type*)_phx_carry_memory;
  const unsigned _phx_thread = threadIdx.x;
  const size_t _phx_first = _phx_interval * blockIdx.x;
  const size_t _phx_left = _phx_size - _phx_first;
  const size_t _phx_last = _phx_first + (_phx_left < _phx_interval ? _phx_left : _phx_interval);
  bool _phx_has_carry = _phx_carries != nullptr && blockIdx.x > 0;
  if (_phx_has_carry && _phx_thread == 0) _phx_carry[0] = _phx_carries[blockIdx.x - 1];
  for (size_t _phx_base = _phx_first; _phx_base < _phx_last; _phx_base += {tile}) {{
    const unsigned _phx_count =
        _phx_last - _phx_base < {tile} ? (unsigned)(_phx_last - _phx_base) : {tile}u;
    for (unsigned _k = _phx_thread; _k < _phx_count; _k += {block})
      _phx_items[_k] = _phx_in[_phx_base + _k];
    __syncthreads();

    const unsigned _phx_begin = _phx_thread * {items};
    const unsigned _phx_end =
        _phx_begin + {items} < _phx_count ? _phx_begin + {items} : _phx_count;
    const unsigned _phx_busy = (_phx_count + {items} - 1) / {items};
    if (_phx_thread < _phx_busy) {{
      for (unsigned _k = _phx_begin + 1; _k < _phx_end; ++_k)
        _phx_items[_k] = _phx_joined(_phx_items[_k - 1], _phx_items[_k]);
      _phx_sums[_phx_thread] = _phx_items[_phx_end - 1];
    }}
    __syncthreads();
    for (unsigned _step = 1; _step < _phx_busy; _step *= 2) {{
      const bool _has = _phx_thread >= _step && _phx_thread < _phx_busy;
      const scan_type _sum =
          _has ? _phx_joined(_phx_sums[_phx_thread - _step], _phx_sums[_phx_thread])
               : _phx_sums[_phx_thread];
      __syncthreads();
      if (_has) _phx_sums[_phx_thread] = _sum;
      __syncthreads();
    }}

    if (_phx_out != nullptr && _phx_thread < _phx_busy && (_phx_thread > 0 || _phx_has_carry)) {{
      const scan_type _before =
          _phx_thread == 0 ? _phx_carry[0]
          : _phx_has_carry ? _phx_joined(_phx_carry[0], _phx_sums[_phx_thread - 1])
                           : _phx_sums[_phx_thread - 1];
      for (unsigned _k = _phx_begin; _k < _phx_end; ++_k)
        _phx_items[_k] = _phx_joined(_before, _phx_items[_k]);
    }}
    __syncthreads();
    if (_phx_out != nullptr)
      for (unsigned _k = _phx_thread; _k < _phx_count; _k += {block}) {{
        {store}
      }}
    __syncthreads();
    if (_phx_thread == 0) {{
      const scan_type _sum = _phx_sums[_phx_busy - 1];
      if (_phx_has_carry) _phx_carry[0] = _phx_joined(_phx_carry[0], _sum);
      else _phx_carry[0] = _sum;
    }}
    _phx_has_carry = true;
    __syncthreads();
  }}
  if (_phx_totals != nullptr && _phx_thread == 0) _phx_totals[blockIdx.x] = _phx_carry[0];
}}
"""
_INCLUSIVE = "_phx_out[_phx_base + _k] = _phx_items[_k];"
_EXCLUSIVE = """if (_k > 0) _phx_out[_phx_base + _k] = _phx_items[_k - 1];
        else if (_phx_has_carry) _phx_out[_phx_base] = _phx_carry[0];
        else _phx_out[_phx_base] = {neutral};"""


class _ScanKernel:
    """What both kinds have in common."""

    _is_exclusive = False

    def __init__(
        self,
        dtype: Any,
        scan_expr: str,
        neutral: Any = None,
        name_prefix: str = "scan",
        options: Sequence[str] | None = None,
        preamble: str = "",
        devices: Any = None,
    ) -> None:
        if self._is_exclusive and neutral is None:
            raise ValueError("neutral element is required for exclusive scan")
        self.dtype, self.neutral = np.dtype(dtype), neutral
        self.name = name_prefix
        own = user_text(neutral, f"{name_prefix}, neutral")
        items = max(1, min(_MOST_PER_THREAD, _TILE_BYTES // (_BLOCK * self.dtype.itemsize)))
        self._tile = _BLOCK * items

        def source(name: str, store: str) -> str:
            return _KERNEL.format(
                headers=HEADERS,
                preamble=user_text(preamble, f"{name_prefix}, preamble"),
                type=dtype_to_ctype(self.dtype),
                scan=user_text(scan_expr, f"{name_prefix}, scan_expr"),
                name=name,
                store=store,
                block=_BLOCK,
                items=items,
                tile=self._tile,
            )

        def kernel(name: str, store: str) -> Any:
            made = SourceModule(source(name, store), options=options, no_extern_c=True)
            return made.get_function(name)

        self._totals = kernel(f"{name_prefix}_scan_intervals", _INCLUSIVE)
        if self._is_exclusive:
            self._final = kernel(f"{name_prefix}_final_update", _EXCLUSIVE.format(neutral=own))
        else:
            self._final = self._totals

    def __call__(
        self,
        input_ary: Any,
        output_ary: Any = None,
        allocator: Any = None,
        stream: Stream | None = None,
        queue: Stream | None = None,
    ) -> Any:
        """Scans a one-dimensional array; gives the output.

        That is `output_ary`, or the input itself, which is the default, or with ``"new"`` an array
        that is made. `allocator` makes memory, by default that of the input. With a stream, called
        `queue` too, the work is queued there.

        Raises `TypeError` for arrays of another dtype, `ValueError` for other shapes, and
        `RuntimeError` for arrays with gaps.
        """
        allocate = allocator or getattr(input_ary, "allocator", None) or mem_alloc
        output = self._output(input_ary, output_ary, allocate)
        source = passed_for_argument(input_ary, VectorArg(self.dtype, "input_ary"), self.name)
        target = passed_for_argument(output, VectorArg(self.dtype, "output_ary"), self.name)
        size = int(input_ary.size)
        if not size:
            return output
        queued = queue if stream is None else stream
        tiles = -(-size // self._tile)
        interval = -(-tiles // blocks_that_fill()) * self._tile
        blocks = -(-size // interval)
        totals = None
        if blocks > 1:
            totals = allocate(blocks * self.dtype.itemsize)
            self._launch(self._totals, blocks, queued, (source, size, interval, None, totals, None))
            whole = (totals, blocks, blocks, None, None, totals)
            self._launch(self._totals, 1, queued, whole)
        self._launch(self._final, blocks, queued, (source, size, interval, totals, None, target))
        return output

    def _output(self, given: Any, output: Any, allocate: Any) -> Any:
        if output is None:
            output = given
        elif isinstance(output, str) and output == "new":
            from .gpuarray import GPUArray

            output = GPUArray(given.shape, given.dtype, allocator=allocate)
        if given.shape != output.shape:
            raise ValueError("input and output must have the same shape")
        if len(given.shape) != 1:
            raise ValueError(f"{self.name} takes arrays of one dimension, not {len(given.shape)}")
        return output

    def _launch(self, kernel: Any, blocks: int, stream: Stream | None, passed: Any) -> None:
        kernel.prepared_async_call((blocks, 1), (_BLOCK, 1, 1), stream, *passed)


class InclusiveScanKernel(_ScanKernel):
    """A kernel of prefix sums: each element with all those before it.

    `scan_expr` makes one value of two, ``a`` and ``b``, whose order is kept; it has to be
    associative. `dtype` is that of the arrays, `name_prefix` begins the kernels' names, and
    `preamble` is text before them; `options` are those of `SourceModule`; `devices` makes no
    difference. Raises `CompileError`.
    """


class ExclusiveScanKernel(_ScanKernel):
    """A kernel of prefix sums: all elements before each; the first is `neutral`, a value in C.

    The others are as for `InclusiveScanKernel`. Raises `ValueError` without `neutral`, and
    `CompileError`.
    """

    _is_exclusive = True
