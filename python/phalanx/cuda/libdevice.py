"""The functions of libdevice, NVIDIA's library of mathematics, for use in kernels.

Names and types are libdevice's own without the prefix ``__nv_``: ``sinf`` takes and gives float32,
``sin`` float64. What libdevice writes through pointers comes back in a tuple. On the CPU device the
same mathematics is computed.
"""

from __future__ import annotations

from typing import Any

from .. import _engine
from .._intrinsic import Intrinsic

_LETTERS = {"h": "int16", "i": "int32", "l": "int64", "f": "float32", "d": "float64"}


def _doc(name: str, signature: str) -> str:
    results, _, operands = signature.partition("(")
    given = ", ".join(_LETTERS[letter] for letter in operands.rstrip(")"))
    taken = ", ".join(_LETTERS[letter] for letter in results if letter != ">")
    return f"``{name}({given})`` -> {taken}: libdevice's ``__nv_{name}``."


_NAMES = {
    name: Intrinsic(f"cuda.libdevice.{name}", _doc(name, signature), __name__)
    for name, signature in _engine.libdevice_functions()
}
globals().update(_NAMES)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"libdevice has no function {name!r}: dir(cuda.libdevice) lists them")


__all__ = [*_NAMES]
