"""How a reduction is done: which dimensions are reduced, in how many parts and launches."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from .. import _engine
from .._core import threads
from . import cupy_kernel_operands as operands_of
from . import cupy_reduction_text as reduction_text
from .cupy_kernel_launching import CHUNKS, Function
from .cupy_kernel_operands import Layout, Operand, Shape
from .cupy_reduction_text import Form

FunctionFor: TypeAlias = Callable[[Form, tuple[Layout, ...]], Function]

_PART_ON_HOST = 4096  # elements that are worth a part of their own
_PART_ON_GPU = 16
_THREADS_ON_GPU = 1 << 17  # that fill it
_JOINED = 64  # partial results that one thread reduces
_WARP = 32
_NARROW = 1 << 31


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


class Planning:
    """Makes the plan of a reduction of operands."""

    def __init__(
        self, operands: list[Operand], nin: int, reduce_dims: bool, is_number: bool
    ) -> None:
        self._operands = operands
        self._ins = [each for each in operands[:nin] if each.is_looped]
        self._outs = [each for each in operands[nin:] if each.is_looped]
        self._reduce_dims = reduce_dims
        self._is_number = is_number

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
        form = Form(
            reduced=len(reduced),
            kept=len(kept),
            outs=len(out_shape),
            is_host=is_host,
            is_inner=self._is_inner(len(reduced), outs),
            is_number=self._is_number,
            is_narrow=max(size, 1) * outs < _NARROW,
        )
        layouts = tuple(each.layout() for each in self._operands)
        passed = tuple(
            each.numbers(layout) for each, layout in zip(self._operands, layouts, strict=True)
        )
        return Plan(
            function_for(form, layouts), form, size, outs, (*reduced, *kept, *out_shape), passed
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

    def _is_inner(self, reduced: int, outs: int) -> bool:
        """Returns whether most operands have smaller steps along what is reduced."""
        if outs == 1:
            return True
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
    tiles = -(-plan.outs // plan.form.tile)
    before, joined = _bytes(0, device), 0
    for parts in _levels(plan.form, plan.size, tiles):
        count = 0 if parts == 1 else plan.outs * parts * reduction_text.PARTIAL
        after = _bytes(count, device)
        sizes = [joined, parts, plan.outs, plan.size]
        plan.function.launch(device, tiles * parts, [before, after, *pointers], sizes + numbers)
        before, joined = after, parts


def _bytes(count: int, device: Any) -> Any:
    return _engine.DeviceArray((count,), _engine.Type.scalar("uint8"), device=device)


def _levels(form: Form, size: int, tiles: int) -> list[int]:
    """How many parts each launch makes of an output's elements; the last makes one."""
    if form.is_host:
        wanted = -(-CHUNKS * threads.get_num_threads() // tiles)
        parts = max(1, min(wanted, size * form.tile // _PART_ON_HOST))
        return [parts, 1] if parts > 1 else [1]
    wanted = -(-_THREADS_ON_GPU // tiles)
    if form.is_inner:  # a warp reads neighbours
        wanted = max(wanted, _WARP)
    levels = [max(1, min(wanted, size // _PART_ON_GPU))]
    while levels[-1] > 1:
        levels.append(1 if levels[-1] <= _JOINED else -(-levels[-1] // _JOINED))
    return levels
