"""Matrix products: rows or columns of the result on each device, or sums of partial products."""

from __future__ import annotations

from typing import Any

from .. import ufuncs
from . import layout
from .core import Core, is_array, on_each
from .elementwise import Plan
from .nccl import total


def matmul(a: Any, b: Any) -> Any:
    """`a @ b`, of which one or both are spread.

    Split along the rows of `a` or the columns of `b`, the result is split so, and the other operand
    is copied to each device. Split along the axis that is summed over, each device has a partial
    product, and their sum is on the group's first device. Raises ValueError as `phalanx.matmul`.
    """
    multiply = ufuncs.table()["matmul"]
    _check(a, b)
    group = (a if isinstance(a, Core) else b).group
    inner_a, inner_b = len(a.shape) - 1, max(len(b.shape) - 2, 0)
    if _is_split(a, inner_a) or _is_split(b, inner_b):
        spread = a if _is_split(a, inner_a) else b
        sizes = spread.layout.sizes
        left, right = _placed(a, inner_a, sizes, group), _placed(b, inner_b, sizes, group)
        return total([multiply(x, y) for x, y in zip(left, right, strict=True)], group)
    if isinstance(a, Core) and a.axis == len(a.shape) - 2:
        parts = [multiply(x, y) for x, y in zip(a.parts, on_each(b, group), strict=True)]
        ndim = max(len(a.shape), len(b.shape)) - (len(b.shape) == 1)
        return a.like(parts, ndim - (1 if len(b.shape) == 1 else 2))
    if isinstance(b, Core) and b.axis == len(b.shape) - 1:
        parts = [multiply(x, y) for x, y in zip(on_each(a, group), b.parts, strict=True)]
        return b.like(parts, parts[0].ndim - 1)
    return _of_stacks(a, b, multiply)


def dot(a: Any, b: Any) -> Any:
    """`matmul` of arrays of at most two dimensions, and products with numbers.

    Raises NotImplementedError for more dimensions.
    """
    if not (isinstance(a, Core) or is_array(a)) or not (isinstance(b, Core) or is_array(b)):
        return a * b
    if max(len(a.shape), len(b.shape)) > 2:
        raise NotImplementedError(
            "dot of spread arrays takes at most two dimensions: use a @ b, or x.gather()"
        )
    return matmul(a, b)


def _check(a: Any, b: Any) -> None:
    for name, each in (("first", a), ("second", b)):
        if not (isinstance(each, Core) or is_array(each)):
            raise ValueError(f"matmul: the {name} operand has no axes, or is no array")
    if isinstance(a, Core) and isinstance(b, Core) and a.group != b.group:
        Plan([a, b])  # which says so
    inner = b.shape[max(len(b.shape) - 2, 0)]
    if a.shape[-1] != inner:
        raise ValueError(
            f"matmul: the last axis of the first operand has {a.shape[-1]} elements, and what it "
            f"is multiplied with {inner}: {tuple(a.shape)} @ {tuple(b.shape)}"
        )


def _is_split(operand: Any, axis: int) -> bool:
    return isinstance(operand, Core) and operand.axis == axis


def _placed(operand: Any, axis: int, sizes: tuple[int, ...], group: Any) -> Any:
    if isinstance(operand, Core):
        return operand.placed(group, layout.Layout(axis, sizes)).parts
    return layout.assembled([operand], axis, sizes, group.devices)


def _of_stacks(a: Any, b: Any, multiply: Any) -> Any:
    """Products of stacks of matrices that are split along an axis of the stack."""
    one = a if isinstance(a, Core) else b
    axis = one.axis - one.ndim  # from the end
    sizes, group = one.layout.sizes, one.group
    extent = max(_extent(each, axis) for each in (a, b))
    if one.shape[one.axis] != extent:  # which is one element for each of the other's
        sizes = layout.even(extent, len(group))

    def split(operand: Any) -> Any:
        if _extent(operand, axis) != extent:
            return on_each(operand, group)
        return _placed(operand, len(operand.shape) + axis, sizes, group)

    parts = [multiply(x, y) for x, y in zip(split(a), split(b), strict=True)]
    lost = min(len(a.shape), len(b.shape)) == 1  # the axis that a vector does not have
    return one.like(parts, parts[0].ndim + axis + lost)


def _extent(operand: Any, axis: int) -> int:
    """The extent of a stack along an axis that is counted from the end; 0 where there is none."""
    own = len(operand.shape) + axis
    return int(operand.shape[own]) if own >= 0 and len(operand.shape) > 2 else 0
