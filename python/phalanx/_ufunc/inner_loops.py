"""The inner loops of NumPy's ufuncs as CPU functions: one source for each way operands may lie.

A loop takes what NumPy gives it, one after the other: the number of items and the core dimensions
(``n, d0, d1, ...``), a pointer for each operand (``p0, ...``), its byte stride from item to item
(``s0, ...``), and those of its core dimensions (``c0_0, ...``). The ways are the engine's
(``bindings/ufunc_loop.h``), a letter for each operand:

- ``c``: items follow each other; of operands with core dimensions: the elements of an item do.
- ``s``: one number for all items.
- ``a``: any strides.
- ``t``: of a reduction: the first input, which is the output too.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import _engine
from .._core.intrinsic import Intrinsic
from .._core.numba_names import prange
from .._functions.decorators import jit
from .._functions.errors import raise_site as raise_it
from .._types.aggregates import CPointer
from .._types.objects import Scalar, Type
from .compiled import compiled_text

_INDENT = " " * 4
_VIEW_AT = Intrinsic(
    "phalanx.view_at", "``view_at(pointer, bytes, memory, shape, strides)``: the array there."
)


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


def compiler(function: Function) -> Callable[[str, bool], _engine.Kernel]:
    """What the engine asks for a loop's code: ``compile(ways, is_parallel)``."""

    def compile_loop(ways: str, is_parallel: bool) -> _engine.Kernel:
        name = function.name if function.name.isidentifier() else "ufunc"
        text = _text(function, name, ways, "prange" if is_parallel else "range")
        made = compiled_text(name, text, name, core=function.core, prange=prange, view_at=_VIEW_AT)
        options = {"error_model": "numpy", **function.options, "parallel": is_parallel}
        compiled = jit(**options)(made)
        return compiled.kernel_for(_types(function))  # type: ignore[no-any-return]

    return compile_loop


def raiser(function: Callable[..., Any]) -> Callable[[str, str, str, list[int]], None]:
    """What the engine calls with what a loop has raised."""

    def raise_site(location: str, kind: str, arguments: str, values: list[int]) -> None:
        raise_it(function, location, kind, arguments, values)

    return raise_site


def _dimensions(function: Function) -> int:
    return max((each + 1 for operand in function.operands for each in operand.core), default=0)


def _types(function: Function) -> tuple[_engine.Type, ...]:
    from .._types.bridge import to_engines

    number = Scalar("int64")
    operands = function.operands
    strides = len(operands) + sum(len(each.core) for each in operands)
    types: list[Type] = [number] * (1 + _dimensions(function))
    types += [CPointer(each.type) for each in operands]
    return tuple(to_engines([*types, *[number] * strides]))


def _parameters(function: Function) -> str:
    count = len(function.operands)
    names = ["n", *(f"d{i}" for i in range(_dimensions(function)))]
    names += [f"p{i}" for i in range(count)] + [f"s{i}" for i in range(count)]
    for i, operand in enumerate(function.operands):
        names += [f"c{i}_{k}" for k in range(len(operand.core))]
    return ", ".join(names)


def _text(function: Function, name: str, ways: str, over: str) -> str:
    operands = zip(function.operands, ways, strict=True)
    accesses = [_access(i, operand, way) for i, (operand, way) in enumerate(operands)]
    before = [access.before for access in accesses]
    items = [access.item for access in accesses]
    after = ""
    if not function.is_elementwise:
        call = f"core({', '.join(items)})"
    elif ways[0] == "t":
        before.append("total = a0[0]\n")
        call = f"total = core(total, {items[1]})"
        after = "a2[0] = total\n"
    else:
        call = f"{items[-1]} = core({', '.join(items[:-1])})"
    body = "".join(before) + f"for i in {over}(n):\n{_INDENT}{call}\n" + after
    return f"def {name}({_parameters(function)}):\n" + textwrap.indent(body, _INDENT)


class _Access(NamedTuple):
    before: str  # statements before the loop
    item: str  # the operand in iteration `i`


def _access(i: int, operand: Operand, way: str) -> _Access:
    """How a loop reads and writes operand `i`."""
    start = f"p{i}, 0, {operand.memory}"
    at_item = f"p{i}, i * s{i}, {operand.memory}"
    if operand.core:
        shape = ", ".join(f"d{each}" for each in operand.core) + ","
        strides = ", ".join(f"c{i}_{k}" for k in range(len(operand.core))) + ","
        more = f", ({strides})" if way == "a" else ""
        return _Access("", f"view_at({at_item}, ({shape}){more})")
    if operand.is_array:
        if way == "c":
            return _Access(f"a{i} = view_at({start}, (n,))\n", f"a{i}[i:i + 1]")
        return _Access("", f"view_at({at_item}, (1,))")
    if way == "s":
        return _Access(f"a{i} = view_at({start}, (1,))[0]\n", f"a{i}")
    if way == "t":
        return _Access(f"a{i} = view_at({start}, (1,))\n", f"a{i}")
    more = f", (s{i},)" if way == "a" else ""
    return _Access(f"a{i} = view_at({start}, (n,){more})\n", f"a{i}[i]")


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
