"""The text in CUDA C of one user kernel: its declarations, its operands, its loop."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from . import cupy_kernel_text
from .cupy_kernel_launching import number_letters
from .cupy_kernel_operands import Layout
from .cupy_kernel_params import Placeholders, c_type

_OWN_LINES = '#line 1 "phalanx\'s part of the kernel"\n'
_IGNORED = ("-std", "--std", "--use_fast_math", "-use_fast_math", "--fmad", "-fmad", "-w", "-O")


@dataclass
class Signature:
    """The parameters of a function in C, as they are asked for: pointers first, then numbers."""

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

    @property
    def letters(self) -> str:
        """The letters of the numbers, in order."""
        return "".join(letter for letter, _ in self.numbers)

    def text(self) -> str:
        """The list of parameters in C."""
        types = {"i": "long long", "f": "double"}
        return ", ".join((
            "long long _first", "long long _step", "long long _last",
            *(f"unsigned char* {name}" for name in self.pointers),
            *(f"{types[letter]} {name}" for letter, name in self.numbers),
        ))  # fmt: skip


def user_text(text: str, what: str) -> str:
    """A part of a kernel that the user wrote: compilers count its lines from 1, and name it."""
    clean = cupy_kernel_text.without_own_headers(text)
    return f"\n#line 1 {json.dumps(what)}\n{clean}\n{_OWN_LINES}"


def defines(options: Sequence[str]) -> str:
    """What the options of a compiler define; others that change no meaning are left out.

    Raises `NotImplementedError` for folders of headers.
    """
    lines = []
    for option in options:
        found = re.fullmatch(r"(?:-D|--define-macro=)\s*(\w+)(?:=(.*))?", option, re.DOTALL)
        if found:
            lines.append(f"#define {found[1]} {'1' if found[2] is None else found[2]}\n")
        elif not option.startswith(_IGNORED):
            raise NotImplementedError(
                f"the option {option!r} of a kernel is not passed on, only -DNAME=VALUE; folders "
                "of headers are named in NUMBA_CUDA_NVRTC_EXTRA_SEARCH_PATHS"
            )
    return "".join(lines)


def declarations(placeholders: Placeholders, preamble: str, name: str, options: Any) -> str:
    """What comes between the support and the function: types, and the user's preamble."""
    types = "".join(f"typedef {c_type(dtype)} {letter};\n" for letter, dtype in placeholders)
    return defines(options) + types + (user_text(preamble, f"{name}, preamble") if preamble else "")


def assembled(own: str) -> str:
    """The whole text: what the kernel's own text needs, and that text."""
    return cupy_kernel_text.support(own) + own


def shape_array(name: str, extents: Sequence[str]) -> str:
    """A constant array of numbers in C; one of no numbers has a 0."""
    return f"  const ptrdiff_t {name}[] = {{{', '.join(extents) or '0'}}};\n"


def operand_setup(layout: Layout, signature: Signature, shape: str) -> str:
    """The lines that make an operand of the parameters: a number, or a `CArray`.

    `shape` is the name of the loop's shape, which operands that are not raw have.
    """
    name, type_ = layout.param.name, layout.param.ctype
    if not layout.is_array:
        return f"  const {type_} {name} = {_number(layout, signature)};\n"
    pointer = signature.pointer(f"_phx_{name}")
    own, ndim = f"_{name}_strides", len(layout.strides or ())
    lines = ""
    if layout.param.raw:
        extents = [signature.number(f"_{name}_extent_{k}") for k in range(ndim)]
        shape = f"_{name}_shape"
        lines += shape_array(shape, extents)
    if layout.is_contiguous and not layout.param.raw:
        own = shape  # never looked at
    else:
        strides = [
            signature.number(f"_{name}_stride_{k}") if stride is None else str(stride)
            for k, stride in enumerate(layout.strides or ())
        ]
        lines += shape_array(own, strides)
    flags = ", ".join("true" if f else "false" for f in (layout.is_contiguous, layout.is_narrow))
    const = "const " if layout.param.is_const else ""
    variable = name if layout.param.raw else f"_raw_{name}"
    return lines + (
        f"  {const}CArray<{type_}, {ndim}, {flags}> {variable}(({type_}*){pointer}, {shape}, "
        f"{own});\n"
    )


def element(layout: Layout, place: str, index: str) -> str:
    """The line that gives an element its name; "" for numbers and raw arrays.

    `place` is the index among all elements, `index` the expression of the indices of dimensions.
    """
    if not layout.is_array or layout.param.raw:
        return ""
    const = "const " if layout.param.is_const else ""
    name, type_ = layout.param.name, layout.param.ctype
    return f"{const}{type_}& {name} = _raw_{name}[{place if layout.is_contiguous else index}];\n"


def _number(layout: Layout, signature: Signature) -> str:
    name, type_ = layout.param.name, layout.param.ctype
    letters = number_letters(layout.dtype)
    names = [signature.number(f"_phx_{name}_{k}", letter) for k, letter in enumerate(letters)]
    kind = layout.dtype.kind
    if kind == "c":
        real = "float" if layout.dtype.itemsize == 8 else "double"
        return f"{type_}(({real}){names[0]}, ({real}){names[1]})"
    return f"{names[0]} != 0" if kind == "b" else f"({type_}){names[0]}"
