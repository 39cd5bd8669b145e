"""What the kernels of elementwise operations, reductions and scans have in common."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ... import _engine
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


def checked_count(args: Sequence[Any], wanted: int, kernel: str) -> None:
    """Raises `TypeError` for another number of arguments than the kernel takes."""
    if len(args) != wanted:
        raise TypeError(f"{kernel} takes {wanted} arguments, {len(args)} were given")
