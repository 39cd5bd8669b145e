"""What the kernels of elementwise operations, reductions and scans have in common."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ... import _engine
from .c_types import Argument, VectorArg, parse_arg_list
from .context import Context
from .flags import device_attribute

HEADERS = "#include <pycuda-complex.hpp>\n"
_OWN_LINES = '#line 1 "phalanx\'s part of the kernel"\n'
_THREADS = 128  # of a block
_OF_CORE, _OF_MULTIPROCESSOR = 2, 16  # blocks
_MOST_BLOCKS = 1 << 20  # beyond that a thread has several elements


def user_text(text: Any, what: str) -> str:
    """A part of a kernel that the user wrote: compilers count its lines from 1, and name it."""
    return f"\n#line 1 {json.dumps(what)}\n{text}\n{_OWN_LINES}"


def launch_shape(count: int) -> tuple[tuple[int, int], tuple[int, int, int]]:
    """The grid and the block for a loop over `count` elements that strides by all threads."""
    return (max(1, min(-(-count // _THREADS), _MOST_BLOCKS)), 1), (_THREADS, 1, 1)


def blocks_that_fill() -> int:
    """How many blocks keep the current device busy, each of which has a part of all elements."""
    count = Context.get_device().get_attribute(device_attribute["MULTIPROCESSOR_COUNT"])
    return count * (_OF_CORE if _engine.current_device().is_host else _OF_MULTIPROCESSOR)


def passed_for_vector(given: Any, name: str, kernel: str) -> Any:
    """The memory of an array, for a pointer.

    Raises `TypeError` for what is no array of a device, and `RuntimeError` for one with gaps.
    """
    flags = getattr(given, "flags", None)
    if flags is None or not hasattr(given, "gpudata"):
        raise TypeError(
            f"{kernel}: {name} is a pointer, for which {type(given).__name__} is no GPUArray; "
            "gpuarray.to_gpu(a) copies an array of NumPy's"
        )
    if not flags.forc:
        raise RuntimeError(
            f"{kernel} cannot deal with non-contiguous arrays: {name} has gaps between its "
            "elements; copy() has none"
        )
    return given.gpudata


def passed_for_argument(given: Any, argument: VectorArg, kernel: str) -> Any:
    """The same for a pointer that is declared: an array of another dtype is a `TypeError` too."""
    memory = passed_for_vector(given, argument.name, kernel)
    name, dtype, declared = argument.name, np.dtype(given.dtype), argument.dtype
    if not _is_read_as(dtype, declared):
        raise TypeError(
            f"{kernel}: {name} is an array of {dtype}, of {dtype.itemsize} bytes each, and "
            f"declared as {argument.declarator()}, of {declared.itemsize}: pass "
            f"{name}.astype(numpy.{declared}), or declare {name} with the array's type"
        )
    return memory


def _is_read_as(dtype: np.dtype[Any], declared: np.dtype[Any]) -> bool:
    """Returns whether elements are what a kernel reads: the same, or the same bits by C's habits.

    Those are integers of either sign and bools, and vectors and other structs, which have several
    dtypes.
    """
    if dtype == declared:
        return True
    kinds = {dtype.kind, declared.kind}
    return dtype.itemsize == declared.itemsize and ("V" in kinds or kinds <= set("biu"))


class SureElements:
    """The arrays of which a kernel reads or writes the element ``[i]`` for each ``i`` for sure.

    `text` is what it does for one ``i``. Nothing is known of what comes after the first choice in
    it, of other indices, and of a macro's.
    """

    def __init__(self, arguments: Sequence[Argument], text: str) -> None:
        plain = _CHOICE.split(_COMMENT.sub(" ", text), maxsplit=1)[0]
        indexed = set(_ELEMENT.findall(plain))
        self._places = [
            (place, each.name)
            for place, each in enumerate(arguments)
            if isinstance(each, VectorArg) and each.name in indexed
        ]

    def check(self, args: Sequence[Any], indices: range, kernel: str) -> None:
        """Raises `ValueError` for an array that ends before the last index, or begins after one."""
        if not indices:
            return
        least, most = sorted((indices[0], indices[-1]))
        for place, name in self._places:
            if least < 0 or most >= args[place].size:
                raise ValueError(
                    f"{kernel} uses {name}[i] for i from {least} to {most}, and {name} has "
                    f"{args[place].size} elements: pass arrays of one size, or choose elements "
                    "with slice="
                )


_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_CHOICE = re.compile(r"[?#]|&&|\|\||\b(?:if|for|while|switch|return|continue|break|goto)\b")
_ELEMENT = re.compile(r"(?<![\w.>&])([A-Za-z_]\w*)\s*\[\s*i\s*\]")


def parsed_arguments(arguments: str | Iterable[Any], kernel: str) -> list[Argument]:
    """The arguments that a text in C or a sequence declares.

    Raises `ValueError` for what cannot be parsed, and where no array is among them.
    """
    parsed = parse_arg_list(arguments)
    if not any(isinstance(each, VectorArg) for each in parsed):
        raise ValueError(f"{kernel} has no vector argument, such as 'float *x'")
    return parsed


def passed_for_all(
    args: Sequence[Any], arguments: Sequence[Argument], kernel: str
) -> tuple[list[Any], Any]:
    """What a call passes for arguments, memory for arrays; and the first array.

    Raises `TypeError` for another number of them, and as `passed_for_argument`.
    """
    if len(args) != len(arguments):
        raise TypeError(f"{kernel} takes {len(arguments)} arguments, {len(args)} were given")
    pairs = list(zip(args, arguments, strict=True))
    passed = [
        passed_for_argument(given, each, kernel) if isinstance(each, VectorArg) else given
        for given, each in pairs
    ]
    return passed, next(given for given, each in pairs if isinstance(each, VectorArg))
