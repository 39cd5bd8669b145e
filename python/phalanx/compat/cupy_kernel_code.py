"""The text in CUDA C of one user kernel: its declarations, its operands, its loop."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from . import cupy_kernel_text
from .cupy_kernel_launching import number_letters
from .cupy_kernel_operands import Layout
from .cupy_kernel_params import Placeholders, c_type

_OWN_LINES = '#line 1 "phalanx\'s part of the kernel"\n'


@dataclass
class Signature:
    """The parameters of a kernel in C, as they are asked for: pointers first, then numbers."""

    pointers: list[str] = field(default_factory=list)
    numbers: list[tuple[str, str]] = field(default_factory=list)  # letter, name

    def pointer(self, name: str) -> str:
        """A further pointer to bytes; gives its name."""
        self.pointers.append(name)
        return name

    def number(self, name: str, letter: str = "i") -> str:
        """A further number; gives its name."""
        self.numbers.append((letter, name))
        return name

    def text(self) -> str:
        """The list of parameters in C."""
        types = {"i": "long long", "f": "double"}
        return ", ".join((
            *(f"unsigned char* {name}" for name in self.pointers),
            *(f"{types[letter]} {name}" for letter, name in self.numbers),
        ))  # fmt: skip


def user_text(text: str, what: str) -> str:
    """A part of a kernel that the user wrote: compilers count its lines from 1, and name it."""
    clean = cupy_kernel_text.without_own_headers(text)
    return f"\n#line 1 {json.dumps(what)}\n{clean}\n{_OWN_LINES}"


def declarations(placeholders: Placeholders, preamble: str, name: str) -> str:
    """What comes between the support and the function: types, and the user's preamble."""
    types = "".join(f"typedef {c_type(dtype)} {letter};\n" for letter, dtype in placeholders)
    return types + (user_text(preamble, f"{name}, preamble") if preamble else "")


def assembled(own: str) -> str:
    """The whole text: what the kernel's own text needs, and that text."""
    return cupy_kernel_text.support(own) + own


def shape_array(name: str, extents: Sequence[str]) -> str:
    """A constant array of numbers in C; one of no numbers has a 0."""
    return f"  const ptrdiff_t {name}[] = {{{', '.join(extents) or '0'}}};\n"


def indexer(name: str, extents: Sequence[str], is_narrow: bool, text: str) -> str:
    """The lines that make a `CIndexer` of that name, where the user's `text` mentions it."""
    if not re.search(rf"\b{name}\b", text):
        return ""
    narrow = str(is_narrow).lower()
    return shape_array(f"{name}_shape", extents) + (
        f"  CIndexer<{len(extents)}, {narrow}> {name}({name}_shape);\n"
    )


def indices(name: str, extents: Sequence[str], value: str, is_narrow: bool) -> str:
    """The lines that take an index apart: ``name_0`` is that of the first dimension, and so on."""
    type_ = "int" if is_narrow else "ptrdiff_t"
    lines, rest = [], value
    for k in range(len(extents) - 1, 0, -1):
        above = f"{name}_above_{k}"
        extent = f"({type_}){extents[k]}"
        lines.append(f"const {type_} {above} = ({type_})({rest}) / {extent};\n")
        lines.append(f"const {type_} {name}_{k} = ({type_})({rest}) - {above} * {extent};\n")
        rest = above
    if extents:
        lines.append(f"const {type_} {name}_0 = ({type_})({rest});\n")
    return "".join(lines)


def operand_setup(layout: Layout, signature: Signature) -> str:
    """The lines that make an operand of the parameters: a number, or of a raw array a `CArray`."""
    name, type_ = layout.param.name, layout.param.ctype
    if not layout.is_array:
        return f"  const {type_} {name} = {_number(layout, signature)};\n"
    pointer, strides = signature.pointer(f"_phx_{name}"), layout.strides or ()
    if not layout.param.raw:
        if not layout.is_contiguous:
            for k, stride in enumerate(strides):
                if stride is None:
                    signature.number(f"_{name}_stride_{k}")
        return ""
    lines = ""
    for what in ("extent", "stride"):
        numbers = [signature.number(f"_{name}_{what}_{k}") for k in range(len(strides))]
        lines += shape_array(f"_{name}_{what}s", numbers)
    flags = ", ".join("true" if f else "false" for f in (layout.is_contiguous, layout.is_narrow))
    const = "const " if layout.param.is_const else ""
    return lines + (
        f"  {const}CArray<{type_}, {len(strides)}, {flags}> {name}(({type_}*){pointer}, "
        f"_{name}_extents, _{name}_strides);\n"
    )


def element(layout: Layout, place: str, index: Sequence[str]) -> str:
    """The line that gives an element its name; "" for numbers and raw arrays.

    `place` is the index among all elements, `index` those of the dimensions.
    """
    if not layout.is_array or layout.param.raw:
        return ""
    const = "const " if layout.param.is_const else ""
    name, type_ = layout.param.name, layout.param.ctype
    if layout.is_contiguous:
        return f"{const}{type_}& {name} = (({const}{type_}*)_phx_{name})[{place}];\n"
    own = "int" if layout.is_narrow else "ptrdiff_t"
    steps = [
        f" + ({own}){index[k]} * ({own}){f'_{name}_stride_{k}' if stride is None else stride}"
        for k, stride in enumerate(layout.strides or ())
        if stride != 0
    ]
    return f"{const}{type_}& {name} = *({const}{type_}*)(_phx_{name}{''.join(steps)});\n"


def _number(layout: Layout, signature: Signature) -> str:
    name, type_ = layout.param.name, layout.param.ctype
    letters = number_letters(layout.dtype)
    names = [signature.number(f"_phx_{name}_{k}", letter) for k, letter in enumerate(letters)]
    kind = layout.dtype.kind
    if kind == "c":
        real = "float" if layout.dtype.itemsize == 8 else "double"
        return f"{type_}(({real}){names[0]}, ({real}){names[1]})"
    return f"{names[0]} != 0" if kind == "b" else f"({type_}){names[0]}"
