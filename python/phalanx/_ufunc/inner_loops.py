"""The inner loops of NumPy's ufuncs as CPU functions: one for each way operands may lie.

A loop takes what NumPy gives it, one after the other: the number of items and the core dimensions,
a pointer for each operand, its byte stride from item to item, and those of its core dimensions. The
engine makes the code around the calls of the function (``phalanx/frontend/item_loops.h``, which
says what the letters of the layouts mean).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .. import _engine
from .._functions import options
from .._functions.dispatcher import Function as CpuFunction
from .._functions.errors import raise_site as raise_it
from .._launch import front_end
from .._types.aggregates import CPointer
from .._types.objects import Scalar, Type


class Operand(NamedTuple):
    """One operand of a loop."""

    type: Type  # of an element
    core: tuple[int, ...] = ()  # which of the ufunc's core dimensions it has
    is_array: bool = False  # whether the function takes an array, or a number
    memory: int = 0  # those of different numbers, other than 0, do not overlap


class Function(NamedTuple):
    """What a loop calls for each item, and how."""

    name: str
    core: Any  # takes the operands; elementwise it takes the inputs and returns the output
    operands: tuple[Operand, ...]
    is_elementwise: bool
    options: dict[str, Any]  # of ``phalanx.jit``


class _LoopCode(CpuFunction[..., Any]):
    """The CPU function that one of a ufunc's loops is, for one way in which operands lie."""

    _is_counted = False  # part of the ufunc

    def __init__(self, function: Function, layouts: str, is_parallel: bool) -> None:
        chosen = {"error_model": "numpy", **function.options, "parallel": is_parallel}
        super().__init__(function.core.py_func, options.read(chosen), given=chosen)
        self.__name__ = function.name if function.name.isidentifier() else "ufunc"
        self._function = function
        self._layouts = layouts

    def _identity(self) -> bytes | None:
        function = self._function
        around = ("loop", self._layouts, function.core, function.operands, function.is_elementwise)
        return front_end.fingerprint(self.py_func, lines=True, around=around)

    def _front_end(self, types: tuple[_engine.Type, ...]) -> _engine.Module:
        function = self._function
        chosen = self.options.front_end()
        del chosen["locals"]  # of the function's text, which a loop does not have
        return _engine.compile_item_loop(
            function.core,
            list(types),
            self.__name__,
            self._layouts,
            operands=[(list(x.core), x.is_array, x.memory) for x in function.operands],
            elementwise=function.is_elementwise,
            **chosen,
        )


def compiler(function: Function) -> Callable[[str, bool], _engine.Kernel]:
    """What the engine asks for a loop's code: ``compile(layouts, is_parallel)``."""

    def compile_loop(layouts: str, is_parallel: bool) -> _engine.Kernel:
        made = _LoopCode(function, layouts, is_parallel)
        return made.kernel_for(parameter_types(function))

    return compile_loop


def raiser(function: Callable[..., Any]) -> Callable[[str, str, str, list[int]], None]:
    """What the engine calls with what a loop has raised."""

    def raise_site(location: str, kind: str, arguments: str, values: list[int]) -> None:
        raise_it(function, location, kind, arguments, values)

    return raise_site


def _dimensions(function: Function) -> int:
    return max((each + 1 for operand in function.operands for each in operand.core), default=0)


def parameter_types(function: Function) -> tuple[_engine.Type, ...]:
    """What a loop takes: see the module."""
    from .._types.bridge import to_engines

    number = Scalar("int64")
    operands = function.operands
    strides = len(operands) + sum(len(each.core) for each in operands)
    types: list[Type] = [number] * (1 + _dimensions(function))
    types += [CPointer(each.type) for each in operands]
    return tuple(to_engines([*types, *[number] * strides]))


class Loop(NamedTuple):
    """One loop of a NumPy ufunc."""

    dtypes: tuple[Any, ...]  # NumPy's, of each operand
    function: Function
    py_func: Callable[..., Any]  # whose exceptions are raised


def make_numpy_ufunc(
    loops: list[Loop], inputs: int, doc: str, signature: str, identity: int, may_split: bool
) -> Any:
    """The NumPy ufunc of these loops, of which there is at least one.

    `signature` is empty for functions of numbers. `identity` is 0, 1, -1 for none, or -2 for none
    where the order of a reduction does not matter. With `may_split` large calls use all cores.
    Inputs are copied where they are an output too and the operands' memories have numbers.
    """
    first = loops[0].function
    rows = [
        (
            bytes(each.num for each in loop.dtypes),
            [each.itemsize for each in loop.dtypes],
            compiler(loop.function),
            raiser(loop.py_func),
        )
        for loop in loops
    ]
    cores = [list(each.core) for each in first.operands]
    is_written_apart = any(each.memory for each in first.operands)
    return _engine.make_ufunc(
        first.name,
        cores,
        inputs,
        rows,
        doc=doc,
        signature=signature,
        identity=identity,
        may_split=may_split,
        is_written_apart=is_written_apart,
    )


def fits_numpy(dtypes: tuple[Any, ...]) -> bool:
    """Returns whether NumPy's ufuncs take loops of these dtypes: numbers, not times."""
    return all(each.kind in "biufc" and each.num < 24 for each in dtypes)
