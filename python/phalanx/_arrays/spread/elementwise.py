"""Functions that work element by element: each device computes those of its part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import coerce, shapes
from . import layout
from .core import Core, is_array, on_each

# Functions of arrays that are no ufuncs, and whose results have the shape of the operands.
_SHAPED = """
    angle around clip fix imag iscomplex isclose isneginf isposinf isreal nan_to_num real
    round sinc where"""
FUNCTIONS = frozenset(_SHAPED.split())


class Plan:
    """How operands of different shapes and layouts are split alike: by NumPy's broadcasting.

    Raises ValueError for shapes that do not fit, and for operands of different groups.
    """

    def __init__(self, operands: Sequence[Any]) -> None:
        spread = [each for each in operands if isinstance(each, Core)]
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
        if isinstance(operand, (list, tuple)):
            with self.group[0]:
                operand = coerce.as_operand(operand)
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
        import numpy as np

        return np.shape(value)
    return tuple(getattr(value, "shape", ()))


def apply(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What the function makes of operands of which one or more are spread.

    Keyword arguments that are arrays (`where`) are split as operands are; with `out` the results
    go to that spread array.
    """
    out = kwargs.pop("out", None)
    out = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    if out is not None and not isinstance(out, Core):
        raise TypeError("out of a function of spread arrays is one spread array")
    arrays = {key: value for key, value in kwargs.items() if shape_of(value)}
    rest = {key: value for key, value in kwargs.items() if key not in arrays}
    operands = [*args, *arrays.values()]
    plan = Plan(operands)
    if out is not None and out.shape != plan.shape:
        raise ValueError(f"out has the shape {out.shape}, and the result {plan.shape}")
    split = [plan.split(each) for each in operands]
    made = []
    for device, row in zip(plan.group, zip(*split, strict=True), strict=True):
        named = dict(zip(arrays, row[len(args) :], strict=True))
        with device:  # where what is no array becomes one
            made.append(function(*row[: len(args)], **named, **rest))
    one = next(each for each in operands if isinstance(each, Core))
    if isinstance(made[0], tuple):
        return tuple(one.like(parts, plan.layout.axis) for parts in zip(*made, strict=True))
    result = one.like(made, plan.layout.axis)
    return result if out is None else assign(out, result)


def assign(target: Core, value: Any) -> Core:
    """Writes a value, broadcast to the target's shape, into the target's parts; gives it."""
    plan = Plan([target, value])
    if plan.shape != target.shape:
        raise ValueError(f"cannot write the shape {shape_of(value)} into {target.shape}")
    plan.layout = target.layout
    for part, own in zip(target.parts, plan.split(value), strict=True):
        part[...] = own
    return target
