"""Ufuncs in compiled code: what a call means, which the engine's front end makes code of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .._frontend.extensions import Overload
from .._types.objects import Array, Scalar, Signature, Type
from . import loops

if TYPE_CHECKING:
    from .gufunc import GUFunc, GULoop
    from .ufunc import Ufunc


class ItemOperand(NamedTuple):
    """What a gufunc's function gets of an operand."""

    core: tuple[int, ...]  # the dimensions of an item, as numbers of the layout's
    is_array: bool  # the function takes an array
    is_written: bool
    element: Type


class ItemCalls(NamedTuple):
    """How a function is called for each item of arrays; a ufunc has no operands here."""

    inputs: int
    operands: tuple[ItemOperand, ...] = ()
    layout: str = ""
    extents: tuple[int, ...] = ()  # of each dimension of the layout; 0: the arrays say it


class ItemCore:
    """A ufunc's function, as compiled code calls it.

    With `item_calls` it is called for each item of the arrays that it is given.
    """

    def __init__(
        self,
        py_func: Callable[..., Any],
        signatures: Sequence[Signature],
        item_calls: ItemCalls | None = None,
    ) -> None:
        self.py_func = py_func
        self.__name__: str = getattr(py_func, "__name__", "ufunc")
        self.declared_signatures = list(signatures)
        self.item_calls = item_calls

    def __call__(self, *args: Any) -> Any:
        return self.py_func(*args)


def overload_of(ufunc: Ufunc[..., Any]) -> Overload:
    """What a call in compiled code means, by the types of its arguments."""

    def make(*types: Any) -> Any:
        if len(types) != ufunc.nin or not all(isinstance(each, (Array, Scalar)) for each in types):
            return None
        if not any(isinstance(each, Array) for each in types):
            return ItemCore(ufunc.py_func, ufunc.declared_signatures)
        if len({each.ndim for each in types if isinstance(each, Array)}) > 1:
            return None
        loop = ufunc._loop(tuple(_argument(each) for each in types))
        return ItemCore(ufunc.py_func, loop.core.declared_signatures, ItemCalls(ufunc.nin))

    return Overload(make)


def _argument(type_: Any) -> loops.Argument:
    is_number = not isinstance(type_, Array)
    dtype = loops.dtype_of(type_ if is_number else type_.dtype)
    return loops.Argument(dtype, is_number, False)


def overload_of_gufunc(gufunc: GUFunc[..., Any]) -> Overload:
    """What a call in compiled code means: the outputs are given, and written to."""

    def make(*types: Any) -> Any:
        if len(types) != gufunc.nargs or not all(isinstance(x, (Array, Scalar)) for x in types):
            return None
        ranks = [
            (each.ndim if isinstance(each, Array) else 0) - len(core)
            for each, core in zip(types, gufunc.layout.cores, strict=True)
        ]
        stack = set(ranks[gufunc.nin :])  # the outputs', which the inputs are broadcast to
        if min(ranks) < 0 or len(stack) != 1 or max(ranks) > min(stack):
            return None
        if not all(isinstance(each, Array) for each in types[gufunc.nin :]):
            return None
        dtypes = tuple(loops.dtype_of(x.dtype if isinstance(x, Array) else x) for x in types)
        loop = _loop_for(gufunc, types, dtypes)
        return None if loop is None else item_core(gufunc, loop)

    return Overload(make)


def item_core(gufunc: GUFunc[..., Any], loop: GULoop) -> ItemCore:
    """The function of a loop, which is called for each item of stacks."""
    names = gufunc.layout.dimensions
    rows = zip(gufunc.layout.cores, loop.is_array, loop.types, strict=True)
    operands = tuple(
        ItemOperand(
            tuple(map(names.index, core)),
            is_array,
            i >= gufunc.nin or i in gufunc.written,
            type_,
        )
        for i, (core, is_array, type_) in enumerate(rows)
    )
    extents = tuple(int(name) if name.isdigit() else 0 for name in names)
    items = ItemCalls(gufunc.nin, operands, gufunc.signature, extents)
    return ItemCore(gufunc.__wrapped__, (), items)


def _loop_for(
    gufunc: GUFunc[..., Any], types: Sequence[Any], dtypes: tuple[Any, ...]
) -> GULoop | None:
    """The loop of just the arrays' dtypes; numbers convert."""
    if not gufunc.declared_signatures:
        return gufunc.loop_of(dtypes)
    for loop in gufunc.loops:
        wanted = zip((*loop.inputs, *loop.outputs), dtypes, types, strict=True)
        if all(own == dtype or not isinstance(each, Array) for own, dtype, each in wanted):
            return loop
    return None
