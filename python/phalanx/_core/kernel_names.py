"""The names of kernel code, one row each: dotted name below ``cuda`` and its doc line."""

from __future__ import annotations

from typing import Any

from .. import _engine
from .intrinsic import Namespace, build
from .warp_examples import documented

_XYZ = {
    "threadIdx": "Index of the thread in its block",
    "blockIdx": "Index of the block in the grid",
    "blockDim": "Threads in a block",
    "gridDim": "Blocks in the grid",
}

# Functions of float16, by their operands.
_HALF = {
    "a, b": {
        "hadd": "a + b", "hsub": "a - b", "hmul": "a * b", "hdiv": "a / b",
        "hmin": "the lesser value", "hmax": "the greater value", "heq": "a == b", "hne": "a != b",
        "hlt": "a < b", "hle": "a <= b", "hgt": "a > b", "hge": "a >= b",
    },
    "a, b, c": {"hfma": "a * b + c"},
    "a": {
        "hneg": "-a", "habs": "|a|", "hsin": "sine", "hcos": "cosine",
        "htanh": "hyperbolic tangent", "hexp": "e**a", "hexp2": "2**a", "hexp10": "10**a",
        "hlog": "natural logarithm", "hlog2": "logarithm to base 2",
        "hlog10": "logarithm to base 10", "hsqrt": "square root",
        "hrsqrt": "reciprocal of the square root", "hrcp": "1 / a",
        "hfloor": "greatest whole number", "hceil": "least whole number",
        "hrint": "nearest whole number", "htrunc": "without fraction",
    },
}  # fmt: skip


_OPERANDS = ("", "a", "a, b", "a, b, c")


def _operations() -> dict[str, str]:
    """Functions below ``cuda`` that rows of ops.def make, with their doc lines."""
    return {
        row["name"]: f"``{row['name']}({_OPERANDS[row['arity']]})``: {row['doc']}"
        for row in _engine.op_table()
        if f"cuda.{row['name']}" in row["functions"]
    }


_TABLE = {
    "grid": "``grid(n)``: absolute position of the thread in a grid of n dimensions (int64).",
    "gridsize": "``gridsize(n)``: threads of the whole grid in n dimensions (int64).",
    **{
        row: doc
        for name, text in _XYZ.items()
        for row, doc in (
            (name, f"{text}; int32 in .x, .y and .z."),
            *((f"{name}.{axis}", f"{text}, along {axis} (int32).") for axis in "xyz"),
        )
    },
    "laneid": "Index of the thread in its warp, 0 to 31 (int32).",
    "warpsize": "Threads in a warp: 32.",
    "shared": "Memory shared by a block's threads.",
    "shared.array": "``shared.array(shape, dtype, alignment=None)``: a block's array; shape 0 "
    "takes the launch's dynamic shared memory.",
    "local": "Memory of one thread.",
    "local.array": "``local.array(shape, dtype, alignment=None)``: an array of each thread's own.",
    "const": "Read-only memory.",
    "const.array_like": "``const.array_like(array)``: a host array, fixed at compile time.",
    "syncthreads": "``syncthreads()``: all threads of the block wait here, and see each "
    "other's writes.",
    "syncthreads_count": "``syncthreads_count(predicate)``: a barrier; of how many of the block's "
    "threads the predicate is true (int32).",
    "syncthreads_and": "``syncthreads_and(predicate)``: a barrier; 1 if it is true for all "
    "threads, else 0 (int32).",
    "syncthreads_or": "``syncthreads_or(predicate)``: a barrier; 1 if it is true for any thread, "
    "else 0 (int32).",
    "cg": "Cooperative groups.",
    "cg.this_grid": "``cg.this_grid()``: the group of all threads of the grid; its ``sync()`` "
    "waits for all of them. The launch is cooperative: all blocks run at once.",
    "syncwarp": "``syncwarp(mask)``: the warp's threads of the mask wait here.",
    "all_sync": "``all_sync(mask, predicate)``: whether it is true for all threads of the mask.",
    "any_sync": "``any_sync(mask, predicate)``: whether it is true for any thread of the mask.",
    "eq_sync": "``eq_sync(mask, predicate)``: whether it is the same for all of the mask.",
    "ballot_sync": "``ballot_sync(mask, predicate)``: bits of those where it is true (int32).",
    "shfl_sync": "``shfl_sync(mask, value, src_lane)``: the value that lane src_lane gives.",
    "shfl_up_sync": "``shfl_up_sync(mask, value, delta)``: the value of the lane delta below.",
    "shfl_down_sync": "``shfl_down_sync(mask, value, delta)``: the value of the lane delta above.",
    "shfl_xor_sync": "``shfl_xor_sync(mask, value, lane_mask)``: of the lane laneid ^ lane_mask.",
    "match_any_sync": "``match_any_sync(mask, value)``: bits of the threads with the same value.",
    "match_all_sync": "``match_all_sync(mask, value)``: (mask, True) if all have the same value, "
    "else (0, False).",
    "activemask": "``activemask()``: bits of the warp's threads that run here together (uint32).",
    **{
        f"lanemask_{suffix}": f"``lanemask_{suffix}()``: bits of the lanes {relation} it (uint32)."
        for suffix, relation in (
            ("lt", "below"),
            ("le", "up to"),
            ("eq", "equal to"),
            ("ge", "from"),
            ("gt", "above"),
        )
    },
    "nanosleep": "``nanosleep(ns)``: the thread may rest for about so long.",
    **{
        f"ld{hint}": f"``ld{hint}(array, i)``: array[i], {doc}."
        for hint, doc in (
            ("ca", "cached at all levels"),
            ("cg", "cached in L2 only"),
            ("cs", "likely once"),
            ("lu", "for the last time"),
            ("cv", "read anew each time"),
        )
    },
    **{
        f"st{hint}": f"``st{hint}(array, i, value)``: array[i] = value, {doc}."
        for hint, doc in (
            ("cg", "cached in L2 only"),
            ("cs", "likely once"),
            ("wb", "written back late"),
            ("wt", "written through to memory"),
        )
    },
    "threadfence": "``threadfence()``: orders this thread's writes for the device.",
    "threadfence_block": "``threadfence_block()``: orders this thread's writes for its block.",
    "threadfence_system": "``threadfence_system()``: orders this thread's writes for the device "
    "and the host.",
    "atomic": "Read-modify-write in one step; each returns the old value.",
    "atomic.add": "``atomic.add(array, index, value)``: array[index] += value.",
    "atomic.sub": "``atomic.sub(array, index, value)``: array[index] -= value.",
    "atomic.and_": "``atomic.and_(array, index, value)``: array[index] &= value.",
    "atomic.or_": "``atomic.or_(array, index, value)``: array[index] |= value.",
    "atomic.xor": "``atomic.xor(array, index, value)``: array[index] ^= value.",
    "atomic.inc": "``atomic.inc(array, index, value)``: +1, back to 0 beyond value.",
    "atomic.dec": "``atomic.dec(array, index, value)``: -1, back to value from 0.",
    "atomic.exch": "``atomic.exch(array, index, value)``: array[index] = value.",
    "atomic.max": "``atomic.max(array, index, value)``: maximum; NaN is kept.",
    "atomic.min": "``atomic.min(array, index, value)``: minimum; NaN is kept.",
    "atomic.nanmax": "``atomic.nanmax(array, index, value)``: maximum, NaN gives way.",
    "atomic.nanmin": "``atomic.nanmin(array, index, value)``: minimum, NaN gives way.",
    "atomic.compare_and_swap": "``compare_and_swap(array, old, value)`` on array[0].",
    "atomic.cas": "``atomic.cas(array, index, old, value)``: value where array[index] is old.",
    "popc": "``popc(x)``: number of set bits.",
    "brev": "``brev(x)``: bits in reverse order.",
    "clz": "``clz(x)``: zero bits above the highest set bit.",
    "ffs": "``ffs(x)``: position of the lowest set bit counted from 1; 0 if there is none.",
    "selp": "``selp(condition, a, b)``: a where the condition is true, else b.",
    **_operations(),
    "fp16": "Functions of float16.",
    **{
        f"fp16.{name}": f"``fp16.{name}({operands})``: in float16, {doc}."
        for operands, functions in _HALF.items()
        for name, doc in functions.items()
    },
}

NAMES = build("cuda", {name: documented(name, doc) for name, doc in _TABLE.items()})

# The same as what source that is compiled calls ``cuda``.
KERNEL_NAMES: Any = Namespace("cuda", "The names of kernel code.", NAMES)
