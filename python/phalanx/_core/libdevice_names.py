"""The names of libdevice's functions: what `phalanx.cuda.libdevice` has."""

from __future__ import annotations

from .. import _engine
from .intrinsic import Intrinsic
from .libdevice_examples import DTYPES, example


def _doc(name: str, signature: str) -> str:
    results, _, operands = signature.partition("(")
    results = results.replace(">", "")  # what comes after it is written through pointers
    given = ", ".join(DTYPES[letter] for letter in operands.rstrip(")"))
    taken = ", ".join(DTYPES[letter] for letter in results)
    said = f"``{name}({given})`` -> {taken}: libdevice's ``__nv_{name}``."
    return f"{said}\n\n{example(name, results)}"


NAMES = {
    name: Intrinsic(f"cuda.libdevice.{name}", _doc(name, signature), "phalanx.cuda.libdevice")
    for name, signature in _engine.libdevice_functions()
}
