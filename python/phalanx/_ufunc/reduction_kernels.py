"""The kernels of reductions."""

from __future__ import annotations

from typing import Any

from .._core.kernel_names import KERNEL_NAMES as cuda
from .._kernels.decorators import jit
from .._types.objects import Type

BLOCK = 256
_LOADS = 8  # that do not wait for each other: they hide the memory's latency
TILE = _LOADS * BLOCK  # elements that a block takes at once


def _make_parts(core: Any) -> tuple[Any, Any, Any]:
    """Device functions over `_LOADS` elements a thread, and over a block's shared memory."""

    @jit(device=True)
    def whole_tile(values, i):  # type: ignore[no-untyped-def]
        a = core(values[i], values[i + BLOCK])
        b = core(values[i + 2 * BLOCK], values[i + 3 * BLOCK])
        c = core(values[i + 4 * BLOCK], values[i + 5 * BLOCK])
        d = core(values[i + 6 * BLOCK], values[i + 7 * BLOCK])
        return core(core(a, b), core(c, d))

    @jit(device=True)
    def rest(total, values, base, first, end):  # type: ignore[no-untyped-def]
        for k in range(first, _LOADS):
            i = base + k * BLOCK + cuda.threadIdx.x
            if i < end:
                total = core(total, values[i])
        return total

    @jit(device=True)
    def reduce_shared(shared, width):  # type: ignore[no-untyped-def]
        t = cuda.threadIdx.x
        while width > 1:
            half = (width + 1) // 2
            if t < width - half:
                shared[t] = core(shared[t], shared[t + half])
            cuda.syncthreads()
            width = half

    return whole_tile, rest, reduce_shared


def make_kernel(core: Any, element: Type) -> Any:
    """The kernel that reduces `values` to one element a block.

    Block `b` takes tiles from ``b * spacing`` on: with `step` TILE those up to where the next block
    begins, otherwise one every `step` elements as far as there are any. With `is_last` it is the
    only block, and combines its result with `initial`.
    """
    whole_tile, rest, reduce_shared = _make_parts(core)

    def reduce_kernel(values, spacing, step, out, initial, is_last):  # type: ignore[no-untyped-def]
        shared = cuda.shared.array(BLOCK, element)
        t = cuda.threadIdx.x
        # The same for all threads, so that vectors of them load whole lines on the CPU.
        base = cuda.blockIdx.x * spacing
        end = min(base + spacing, values.size) if step == TILE else values.size
        width = min(BLOCK, end - base)
        if t < width:
            if base + TILE <= end:
                total = whole_tile(values, base + t)
            else:
                total = rest(values[base + t], values, base, 1, end)
            base += step
            while base + TILE <= end:
                total = core(total, whole_tile(values, base + t))
                base += step
            shared[t] = rest(total, values, base, 0, end)
        cuda.syncthreads()
        reduce_shared(shared, width)
        if t == 0:
            if is_last:
                out[0] = core(shared[0], initial)
            else:
                out[cuda.blockIdx.x] = shared[0]

    kernel = jit(reduce_kernel)
    kernel.set_advises(False)  # the last launch of a reduction has one block
    return kernel


def make_axis_kernel(core: Any) -> Any:
    """The kernel that reduces `values` of two dimensions along the second; a thread a row."""

    def reduce_rows(values, out):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < values.shape[0]:
            total = values[i, 0]
            for k in range(1, values.shape[1]):
                total = core(total, values[i, k])
            out[i] = total

    return jit(reduce_rows)
