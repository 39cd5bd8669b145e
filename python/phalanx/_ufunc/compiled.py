"""Ufuncs in CPU functions: numbers call the function itself, arrays a loop around it."""

from __future__ import annotations

import linecache
import math
import textwrap
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._frontend.extensions import Overload
from .._type_objects import Array, Scalar
from . import loops

if TYPE_CHECKING:
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


def compiled_text(name: str, text: str, function: str, **meanings: Any) -> Callable[..., Any]:
    """The function with this source; `meanings` are its global names besides ``np``."""
    import numpy as np

    # The front end reads sources where linecache keeps them.
    file = f"<phalanx ufunc {name} {zlib.crc32(text.encode()):x}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"np": np, **meanings}
    exec(compile(text, file, "exec", dont_inherit=True), space)
    return space[function]  # type: ignore[no-any-return]


_ACCUMULATE = """
def accumulate(a, out):
    for j in range(a.shape[1]):
        out[0, j] = a[0, j]
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = core(out[i - 1, j], a[i, j])
"""


def accumulate(ufunc: Ufunc, array: Any, axis: int) -> Any:
    """The running results along an axis of a host array, as a new one.

    Raises `ValueError` for ufuncs of other than two inputs, `TypeError` where no loop fits.
    """
    import numpy as np

    from .._functions import jit

    if ufunc.nin != 2:
        raise ValueError("accumulate only supported for binary functions")
    values = np.moveaxis(np.asarray(array), axis, 0)
    argument = loops.Argument(values.dtype, False, False)
    loop = ufunc._loop((argument, argument))
    rows = np.ascontiguousarray(values).reshape(len(values), math.prod(values.shape[1:]))
    out = np.empty(rows.shape, loop.output)
    if out.size:
        jit(compiled_text(ufunc.__name__, _ACCUMULATE, "accumulate", core=loop.core))(rows, out)
    return np.moveaxis(out.reshape(values.shape), 0, axis)
