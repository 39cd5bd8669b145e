"""Functions that work element by element: each device computes those of its part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import dtypes, selecting, shapes
from . import layout
from .core import Core, is_array, on_each, operand_of

# Functions of arrays that are no ufuncs, and whose results have the shape of the operands.
_SHAPED = """
    angle around clip fix imag iscomplex isclose isneginf isposinf isreal nan_to_num real
    round sinc where"""
FUNCTIONS = frozenset(_SHAPED.split())


class Plan:
    """How operands of different shapes and layouts are split alike: by NumPy's broadcasting.

    Raises ValueError for shapes that do not fit, and for operands of different groups; TypeError
    where none is spread.
    """

    def __init__(self, operands: Sequence[Any]) -> None:
        spread = [each for each in operands if isinstance(each, Core)]
        if not spread:
            raise TypeError("out is spread, and no operand: spread one by group.asarray(operand)")
        self.group = spread[0].group
        if any(each.group != self.group for each in spread):
            groups = sorted({repr(each.group) for each in spread})
            raise ValueError(
                f"the arrays are spread over different devices, {' and '.join(groups)}: bring them "
                "together with x.respread(group)"
            )
        self.shape = shapes.broadcast_shapes(*(shape_of(each) for each in operands))
        self._first = next((each for each in spread if self._has_all(each)), None)
        if self._first is None:  # each is one element along its axis
            axis = len(self.shape) - 1
            self.layout = layout.Layout(axis, layout.even(self.shape[axis], len(self.group)))
        else:
            axis = self._axis_of(self._first)
            self.layout = layout.Layout(axis, self._first.layout.sizes)

    def _axis_of(self, spread: Core) -> int:
        return len(self.shape) - spread.ndim + spread.axis

    def _has_all(self, spread: Core) -> bool:
        return spread.shape[spread.axis] == self.shape[self._axis_of(spread)]

    def split(self, operand: Any) -> Sequence[Any]:
        """The operand's part for each device."""
        operand = operand_of(operand, self.group)
        ndim = len(shape_of(operand))
        axis = self.layout.axis - (len(self.shape) - ndim)
        whole = axis >= 0 and shape_of(operand)[axis] == self.shape[self.layout.axis]
        if not whole or not (isinstance(operand, Core) or is_array(operand)):
            return on_each(operand, self.group)
        if isinstance(operand, Core):
            return operand.placed(self.group, layout.Layout(axis, self.layout.sizes)).parts
        return layout.assembled([operand], axis, self.layout.sizes, self.group.devices)


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of an operand: of an array, a list or a number."""
    if isinstance(value, (list, tuple)):
        return np.shape(value)
    return tuple(getattr(value, "shape", ()))


def apply(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What the function makes of operands of which one or more are spread.

    Keyword arguments that are arrays (`where`) are split as operands are; with `out` the results
    go to that spread array, or to those of a tuple.
    """
    options = {key: value for key, value in kwargs.items() if key != "out"}
    made = _computed(function, args, options)
    several = made if isinstance(made, tuple) else (made,)
    out = kwargs.get("out")
    targets = out if isinstance(out, tuple) else (out,) * len(several)
    stored = tuple(
        store(target, each, options.get("casting", "same_kind"), options.get("where", True))
        for target, each in zip(targets, several, strict=True)
    )
    return stored if isinstance(made, tuple) else stored[0]


def _computed(function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]) -> Any:
    arrays = {key: value for key, value in options.items() if shape_of(value)}
    rest = {key: value for key, value in options.items() if key not in arrays}
    operands = [*args, *arrays.values()]
    plan = Plan(operands)
    split = [plan.split(each) for each in operands]
    made = []
    for device, row in zip(plan.group, zip(*split, strict=True), strict=True):
        named = dict(zip(arrays, row[len(args) :], strict=True))
        with device:  # where what is no array becomes one
            made.append(function(*row[: len(args)], **named, **rest))
    one = next(each for each in operands if isinstance(each, Core))
    if isinstance(made[0], tuple):
        return tuple(one.like(parts, plan.layout.axis) for parts in zip(*made, strict=True))
    return one.like(made, plan.layout.axis)


def store(target: Any, made: Any, casting: str = "same_kind", where: Any = True) -> Any:
    """A result in the spread array `target`, where a mask is true; without a target itself.

    Raises TypeError for another target and where the rule of casting forbids the conversion,
    ValueError where its shape is not the result's.
    """
    if target is None:
        return made
    if not isinstance(target, Core):
        raise TypeError("out of a function of spread arrays is a spread array, too")
    if target.shape != made.shape:
        raise ValueError(f"out has the shape {target.shape}, and the result {made.shape}")
    if not dtypes.can_cast(made.dtype, target.dtype, casting):
        raise TypeError(
            f"out is of {target.dtype}, to which the result of {made.dtype} is not cast by the "
            f"rule {casting!r}: write x = x + y for x += y, or convert by astype"
        )
    if where is not True:
        made = apply(selecting.where, [where, made, target], {})
    return assign(target, made)


def assign(target: Core, value: Any) -> Core:
    """Writes a value, broadcast to the target's shape, into the target's parts; gives it."""
    plan = Plan([target, value])
    if plan.shape != target.shape:
        raise ValueError(f"cannot write the shape {shape_of(value)} into {target.shape}")
    plan.layout = target.layout
    for part, own in zip(target.parts, plan.split(value), strict=True):
        part[...] = own
    return target
