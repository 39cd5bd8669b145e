"""The kernels around a user's function: one text for each way the operands lie in memory.

`Form` names the ways:

- ``flat``: the arrays are without gaps and of one shape; thread i does element i.
- ``rows``: any strides; the innermost dimension runs along x, the others are counted by row, so
  that addresses within a row are linear.
- ``items``: any strides and short rows; each thread works out its own indices.
"""

from __future__ import annotations

import linecache
import textwrap
import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .._core.kernel_names import KERNEL_NAMES
from .._kernels import options
from .._kernels.dispatcher import Dispatcher

_INDENT = " " * 4


class Form(NamedTuple):
    """What decides a kernel's text."""

    way: str  # "flat", "rows" or "items"
    ndim: int  # of the arrays
    order: str  # "C" or "F"; flat only
    numbers: tuple[bool, ...]  # which inputs are numbers rather than arrays


def make(name: str, form: Form, core: Any) -> Any:
    """The kernel of a form: takes the inputs, then the output."""
    inputs = [f"a{i}" for i in range(len(form.numbers))]
    head = f"def {name}({', '.join([*inputs, 'out'])}):\n"
    body = _BODIES[form.way](form, inputs)
    return compile_text(name, head + textwrap.indent(body, _INDENT), core=core)


def compile_text(name: str, text: str, **meanings: Any) -> Any:
    """The kernel with this source; `meanings` are its global names besides ``cuda``."""
    # Kernels of one text share the name: linecache keeps the text, and tracebacks show it.
    file = f"<phalanx kernel {name} {zlib.crc32(text.encode()):x}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"cuda": KERNEL_NAMES, **meanings}
    exec(compile(text, file, "exec", dont_inherit=True), space)
    return Dispatcher(space[name], options.read({}))


def _call(form: Form, inputs: Sequence[str], element: Callable[[str], str]) -> str:
    """``out[...] = core(...)`` with each array at its element."""
    values = [
        each if is_number else element(each)
        for each, is_number in zip(inputs, form.numbers, strict=True)
    ]
    return f"{element('out')} = core({', '.join(values)})\n"


def _flat(form: Form, inputs: Sequence[str]) -> str:
    turned = ".T" if form.order == "F" else ""
    flat = "" if form.ndim == 1 else f"{turned}.reshape({{0}}.size)"
    element = f"{{0}}{flat}[i]".format
    return f"i = cuda.grid(1)\nif i < out.size:\n{_INDENT}{_call(form, inputs, element)}"


def indices(dimensions: int, count: str, shape: str) -> str:
    """Statements that work out ``i0``, ``i1``, ... of the `count`-th item, the last one fastest."""
    lines = []
    for i in reversed(range(1, dimensions)):
        lines += [f"i{i} = {count} % {shape}[{i}]", f"{count} = {count} // {shape}[{i}]"]
    return "\n".join([*lines, f"i0 = {count}"]) + "\n"


def _indexed(names: Sequence[str]) -> Callable[[str], str]:
    inner = ", ".join(names)
    return lambda array: f"{array}[{inner}]"


def _rows(form: Form, inputs: Sequence[str]) -> str:
    outer = form.ndim - 1
    names = [*(f"i{i}" for i in range(outer)), "x"]
    rows = " * ".join(f"out.shape[{i}]" for i in range(outer)) or "1"
    inside = (
        ("n = row\n" + indices(outer, "n", "out.shape") if outer else "")
        + _call(form, inputs, _indexed(names))
        + "row += cuda.gridDim.y\n"
    )
    loop = f"row = cuda.blockIdx.y\nwhile row < {rows}:\n{textwrap.indent(inside, _INDENT)}"
    return f"x = cuda.grid(1)\nif x < out.shape[{outer}]:\n{textwrap.indent(loop, _INDENT)}"


def _items(form: Form, inputs: Sequence[str]) -> str:
    names = [f"i{i}" for i in range(form.ndim)]
    inside = "n = i\n" + indices(form.ndim, "n", "out.shape") + _call(form, inputs, _indexed(names))
    return f"i = cuda.grid(1)\nif i < out.size:\n{textwrap.indent(inside, _INDENT)}"


_BODIES: dict[str, Callable[[Form, Sequence[str]], str]] = {
    "flat": _flat,
    "rows": _rows,
    "items": _items,
}
