"""Ufuncs in CPU functions: numbers call the function itself, arrays a loop around it."""

from __future__ import annotations

import linecache
import textwrap
import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .._frontend.extensions import Overload
from .._types.objects import Array, Scalar
from . import loops

if TYPE_CHECKING:
    from .gufunc import GUFunc, GULoop
    from .ufunc import Ufunc


class Core:
    """The function of numbers, as compiled code calls it."""

    def __init__(self, ufunc: Ufunc) -> None:
        self.py_func = ufunc.py_func
        self.declared_signatures = ufunc.declared_signatures

    def __call__(self, *args: Any) -> Any:
        return self.py_func(*args)


def overload_of(ufunc: Ufunc) -> Overload:
    """What a call in compiled code means, by the types of its arguments."""

    def make(*types: Any) -> Any:
        if len(types) != ufunc.nin or not all(isinstance(each, (Array, Scalar)) for each in types):
            return None
        if not any(isinstance(each, Array) for each in types):
            return Core(ufunc)
        if len({each.ndim for each in types if isinstance(each, Array)}) > 1:
            return None
        loop = ufunc._loop(tuple(_argument(each) for each in types))
        return _loop_around(ufunc.__name__, [isinstance(each, Array) for each in types], loop)

    return Overload(make)


def _argument(type_: Any) -> loops.Argument:
    is_number = not isinstance(type_, Array)
    dtype = loops.dtype_of(type_ if is_number else type_.dtype)
    return loops.Argument(dtype, is_number, False)


def _loop_around(name: str, is_array: list[bool], loop: loops.Loop) -> Callable[..., Any]:
    """A function of arrays of one shape, and numbers, that gives a new array."""
    arguments = [f"a{i}" for i in range(len(is_array))]
    arrays = [each for each, flag in zip(arguments, is_array, strict=True) if flag]
    values = [f"{a}_flat[i]" if flag else a for a, flag in zip(arguments, is_array, strict=True)]
    lines = [
        f"if {each}.shape != {arrays[0]}.shape:\n"
        f"    raise ValueError('operands could not be broadcast together')"
        for each in arrays[1:]
    ]
    lines.append(f"out = np.empty({arrays[0]}.shape, kind)\nflat = out.ravel()")
    lines += [f"{each}_flat = {each}.ravel()" for each in arrays]
    lines.append(f"for i in range(out.size):\n    flat[i] = core({', '.join(values)})\nreturn out")
    text = f"def apply({', '.join(arguments)}):\n" + textwrap.indent("\n".join(lines), "    ")
    return compiled_text(name, text, "apply", core=loop.core, kind=loop.output)


def overload_of_gufunc(gufunc: GUFunc) -> Overload:
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
        return None if loop is None else _stacked_loop(gufunc, loop, types, ranks)

    return Overload(make)


def _loop_for(gufunc: GUFunc, types: Sequence[Any], dtypes: tuple[Any, ...]) -> GULoop | None:
    """The loop of just the arrays' dtypes; numbers convert."""
    if not gufunc.declared_signatures:
        return gufunc.loop_of(dtypes)
    for loop in gufunc.loops:
        wanted = zip((*loop.inputs, *loop.outputs), dtypes, types, strict=True)
        if all(own == dtype or not isinstance(each, Array) for own, dtype, each in wanted):
            return loop
    return None


def _stacked_loop(
    gufunc: GUFunc, loop: GULoop, types: Sequence[Any], ranks: Sequence[int]
) -> Callable[..., Any]:
    """A function that calls the gufunc's own for each item of the stack of its outputs."""
    depth = max(ranks)
    names = [f"a{i}" for i in range(gufunc.nargs)]
    lines: list[str] = []
    items: list[str] = []
    meanings: dict[str, Any] = {"core": gufunc._core}
    for i, (name, rank, core) in enumerate(zip(names, ranks, gufunc.layout.cores, strict=True)):
        meanings[f"t{i}"] = loop.types[i]
        for axis in range(rank):
            extent, whole = f"{name}.shape[{axis}]", f"n{depth - rank + axis}"
            allowed = f"{extent} != {whole}"
            if i < gufunc.nin:
                allowed += f" and {extent} != 1"
            lines.append(
                f"if {allowed}:\n    raise ValueError('operands could not be broadcast together')"
            )
        items.append(
            _item(i, isinstance(types[i], Array), loop.is_array[i], rank, depth, len(core))
        )
        if loop.is_array[i] and not isinstance(types[i], Array):
            lines.append(f"{name}_array = np.full(1, {name}, t{i})")
    extents = [f"n{axis} = {_extent(names, ranks, depth, axis)}" for axis in range(depth)]
    body = f"core({', '.join(items)})"
    for axis in reversed(range(depth)):
        body = f"for i{axis} in range(n{axis}):\n" + textwrap.indent(body, "    ")
    text = "\n".join([*extents, *lines, body])
    text = f"def apply({', '.join(names)}):\n" + textwrap.indent(text, "    ")
    return compiled_text(gufunc.__name__, text, "apply", **meanings)


def _extent(names: Sequence[str], ranks: Sequence[int], depth: int, axis: int) -> str:
    """The extent of the stack along an axis: that of the operands which are not 1 there."""
    own = [
        f"{name}.shape[{axis - depth + rank}]"
        for name, rank in zip(names, ranks, strict=True)
        if axis - depth + rank >= 0
    ]
    return own[0] if len(own) == 1 else f"max({', '.join(own)})"


def _item(i: int, is_given_array: bool, is_array: bool, rank: int, depth: int, core: int) -> str:
    """Operand `i` at the stack's item i0, i1, ..."""
    name = f"a{i}"
    if not is_given_array:
        return f"{name}_array" if is_array else f"t{i}({name})"
    axes = [(axis, depth - rank + axis) for axis in range(rank)]
    indices = [f"i{whole} if {name}.shape[{axis}] != 1 else 0" for axis, whole in axes]
    if not core and is_array:
        if not indices:
            return f"{name}.reshape(1)"
        last = indices.pop()
        indices.append(f"({last}):({last}) + 1")
    if not indices and not core:
        return f"{name}[()]"
    return f"{name}[{', '.join([*indices, *[':'] * core])}]"


def compiled_text(name: str, text: str, function: str, **meanings: Any) -> Callable[..., Any]:
    """The function with this source; `meanings` are its global names besides ``np``."""
    import numpy as np

    # The front end reads sources where linecache keeps them.
    file = f"<phalanx ufunc {name} {zlib.crc32(text.encode()):x}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"np": np, **meanings}
    exec(compile(text, file, "exec", dont_inherit=True), space)
    return space[function]  # type: ignore[no-any-return]
