"""The names of libdevice's functions: what `phalanx.cuda.libdevice` has."""

from __future__ import annotations

from .. import _engine
from .intrinsic import Intrinsic

_LETTERS = {"h": "int16", "i": "int32", "l": "int64", "f": "float32", "d": "float64"}


def _doc(name: str, signature: str) -> str:
    results, _, operands = signature.partition("(")
    given = ", ".join(_LETTERS[letter] for letter in operands.rstrip(")"))
    taken = ", ".join(_LETTERS[letter] for letter in results if letter != ">")
    return f"``{name}({given})`` -> {taken}: libdevice's ``__nv_{name}``."


NAMES = {
    name: Intrinsic(f"cuda.libdevice.{name}", _doc(name, signature), "phalanx.cuda.libdevice")
    for name, signature in _engine.libdevice_functions()
}
