"""How a reduction is done: which dimensions are reduced, in how many parts and launches."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from .. import _engine
from .._core import threads
from . import cupy_kernel_operands as operands_of
from .cupy_kernel_launching import Function
from .cupy_kernel_operands import Layout, Operand, Shape
from .cupy_reduction_text import Form

FunctionFor: TypeAlias = Callable[[Form, tuple[Layout, ...]], Function]

CHUNKS = 4  # for each thread of the CPU device, so that slow chunks do not hold up the others
_PART_ON_HOST = 4096  # elements that are worth a part of their own
_PART_ON_GPU = 16  # and of a thread
_BLOCKS_ON_GPU = 1 << 10  # that fill it
_MOST_BLOCKS = 1 << 22
_MOST_PARTS = 1 << 15  # a dimension of the grid
_JOINED = 64  # partial results that one thread reduces
_BLOCK_ON_HOST = 32, 128  # the threads of a part's block, of a block of outputs
_BLOCK_ON_GPU = 256, 128
_FEW = 16  # outputs that leave most lanes of a vector idle
_SHORT = 64  # and elements that leave most threads of a block idle
_ROWS_ON_HOST = 128  # of a part, which neighbouring vectors find in the cache
_MOST_PARTIAL = 1 << 26  # bytes of partial results on the CPU device
_NARROW = 1 << 30  # elements whose indices, and those of a last step beyond them, are ints


class Axes(NamedTuple):
    """The dimensions of the operands' broadcast: those that are reduced come first in `order`."""

    order: Shape
    reduced: int
    shape: Shape  # before they are put into order


class Plan(NamedTuple):
    """How arguments of one layout are passed to which function."""

    function: Function
    form: Form
    size: int  # elements of an output
    outs: int
    shapes: Shape  # of the operands and of the outputs, one after the other
    passed: tuple[Shape | None, ...]  # of each argument, beside pointers
    item: int  # bytes of a partial result


class Planning:
    """Makes the plan of a reduction of operands."""

    def __init__(self, operands: list[Operand], nin: int, reduce_dims: bool, item: int) -> None:
        self._operands = operands
        self._ins = [each for each in operands[:nin] if each.is_looped]
        self._outs = [each for each in operands[nin:] if each.is_looped]
        self._reduce_dims = reduce_dims
        self._item = item

    def plan(self, axes: Axes, is_host: bool, function_for: FunctionFor) -> Plan:
        """The plan for one kind of device; `function_for` gives the function of a form."""
        for each in self._ins:
            each.broadcast(axes.shape)
            each.permute(axes.order)
        shape = tuple(axes.shape[k] for k in axes.order)
        reduced, kept = shape[: axes.reduced], shape[axes.reduced :]
        out_shape = self._outs[0].shape if self._outs else kept
        if self._reduce_dims:
            reduced, kept = self._merged(reduced, kept)
            out_shape = operands_of.merged(self._outs, out_shape)
        size, outs = math.prod(reduced), math.prod(kept)
        is_inner = self._is_inner(len(reduced), size, outs)
        form = Form(
            reduced=len(reduced),
            kept=len(kept),
            outs=len(out_shape),
            is_inner=is_inner,
            is_single=outs == 1,
            is_narrow=max(size, 1) * outs < _NARROW,
            block=(_BLOCK_ON_HOST if is_host else _BLOCK_ON_GPU)[0 if is_inner else 1],
        )
        layouts = tuple(each.layout() for each in self._operands)
        passed = tuple(
            each.numbers(layout) for each, layout in zip(self._operands, layouts, strict=True)
        )
        return Plan(
            function_for(form, layouts),
            form,
            size,
            outs,
            (*reduced, *kept, *out_shape),
            passed,
            self._item,
        )

    def _merged(self, reduced: Shape, kept: Shape) -> tuple[Shape, Shape]:
        """The dimensions with neighbours made one, reduced and kept ones for themselves."""
        made, strides = [], []
        for first, shape in ((0, reduced), (len(reduced), kept)):
            parts = [_Part(each, first, len(shape)) for each in self._ins]
            made.append(operands_of.merged(parts, shape) if shape else ())
            strides.append([each.strides for each in parts])
        for each, *both in zip(self._ins, *strides, strict=True):
            each.shape, each.strides = (*made[0], *made[1]), (*both[0], *both[1])
        return made[0], made[1]

    def _is_inner(self, reduced: int, size: int, outs: int) -> bool:
        """Returns whether most operands have smaller steps along what is reduced."""
        if outs < _FEW:
            return True
        if size < _SHORT:
            return False
        votes = 0
        for each in self._ins:
            inner = min((abs(s) for s in each.strides[:reduced] if s), default=0)
            outer = min((abs(s) for s in each.strides[reduced:] if s), default=0)
            votes += (inner < outer) - (outer < inner)
        return votes > 0


class _Part:
    """Some of the dimensions of an operand."""

    def __init__(self, operand: Operand, first: int, count: int) -> None:
        self.dtype = operand.dtype
        self.shape = operand.shape[first : first + count]
        self.strides = operand.strides[first : first + count]


def run(plan: Plan, device: Any, pointers: list[Any], numbers: list[Any]) -> None:
    """Launches as many times as there are levels of partial results."""
    before, joined = _bytes(0, device), 0
    for parts in _levels(plan, device.is_host):
        count = 0 if parts == 1 else plan.outs * parts * plan.item
        after = _bytes(count, device)
        sizes = [joined, parts, plan.outs, plan.size]
        blocks = _blocks(plan, parts)
        given = [before, after, *pointers]
        plan.function.launch(device, blocks, plan.form.block, given, sizes + numbers)
        before, joined = after, parts


def _bytes(count: int, device: Any) -> Any:
    return _engine.DeviceArray((count,), _engine.Type.scalar("uint8"), device=device)


def _blocks(plan: Plan, parts: int) -> Any:
    if plan.form.is_inner:
        return min(plan.outs * parts, _MOST_BLOCKS)
    return -(-plan.outs // plan.form.block), parts


def _levels(plan: Plan, is_host: bool) -> list[int]:
    """How many parts each launch makes of an output's elements; the last makes one."""
    parts = _parts_on_host(plan) if is_host else _parts_on_gpu(plan)
    levels = [max(1, min(parts, _MOST_PARTS))]
    while levels[-1] > 1:
        is_few = is_host or plan.form.is_inner or levels[-1] <= _JOINED
        levels.append(1 if is_few else -(-levels[-1] // _JOINED))
    return levels


def _parts_on_host(plan: Plan) -> int:
    form, size, outs = plan.form, plan.size, plan.outs
    most = CHUNKS * threads.get_num_threads()
    if form.is_inner:
        return min(-(-most // outs), size // _PART_ON_HOST)
    wanted = min(-(-most // -(-outs // form.block)), size * min(outs, form.block) // _PART_ON_HOST)
    in_cache = size // _ROWS_ON_HOST
    return max(wanted, min(in_cache, _MOST_PARTIAL // (outs * plan.item)))


def _parts_on_gpu(plan: Plan) -> int:
    form, size, outs = plan.form, plan.size, plan.outs
    if form.is_inner:
        return min(-(-_BLOCKS_ON_GPU // outs), size // (_PART_ON_GPU * form.block))
    return min(-(-_BLOCKS_ON_GPU // -(-outs // form.block)), size // _PART_ON_GPU)
