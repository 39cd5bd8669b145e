"""Sums over GPUs by NCCL: where PHALANX_NCCL is set to 1, or to the path of the library.

The interface is that of NCCL 2 (nccl.h): one communicator a GPU of this process, and a reduction
to the first of them, which is queued on each GPU's own stream.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ...errors import DeviceError
from .. import creation, dtypes
from .core import start

if TYPE_CHECKING:
    from .group import DeviceGroup

VARIABLE = "PHALANX_NCCL"
_LIBRARY = "libnccl.so.2"
_SUM = 0  # ncclSum
# ncclDataType_t by our names of dtypes.
_TYPES = {
    "int8": 0,
    "uint8": 1,
    "int32": 2,
    "uint32": 3,
    "int64": 4,
    "uint64": 5,
    "float16": 6,
    "float32": 7,
    "float64": 8,
    "bfloat16": 9,
}
_CALLS: dict[str, tuple[Any, ...]] = {
    "ncclCommInitAll": (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p),
    "ncclGroupStart": (),
    "ncclGroupEnd": (),
    "ncclReduce": (
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_void_p,
        ctypes.c_void_p,
    ),
}


class Library:
    """The functions of NCCL, and the communicators that this process has made with them."""

    def __init__(self, path: str) -> None:
        self._loaded = ctypes.CDLL(path)
        self._loaded.ncclGetErrorString.restype = ctypes.c_char_p
        self._calls: dict[str, Callable[..., int]] = {}
        for name, arguments in _CALLS.items():
            self._calls[name] = getattr(self._loaded, name)
            self._calls[name].argtypes = arguments  # type: ignore[attr-defined]
        self._made: dict[tuple[int, ...], list[int]] = {}
        self._lock = threading.Lock()

    def _call(self, name: str, *arguments: Any) -> None:
        code = self._calls[name](*arguments)
        if code:
            text = self._loaded.ncclGetErrorString(code).decode()
            raise DeviceError(f"NCCL's {name} failed: {text}; without {VARIABLE} it is not used")

    def _communicators(self, ordinals: tuple[int, ...]) -> list[int]:
        if ordinals not in self._made:
            made = (ctypes.c_void_p * len(ordinals))()
            numbers = (ctypes.c_int * len(ordinals))(*ordinals)
            self._call("ncclCommInitAll", made, len(ordinals), numbers)
            self._made[ordinals] = [each or 0 for each in made]
        return self._made[ordinals]

    def reduce(self, parts: Sequence[Any], target: Any) -> None:
        """Queue the sum of contiguous arrays, one a device, into an array on the first's device.

        Raises DeviceError with NCCL's text.
        """
        kind = _TYPES[dtypes.name_of(target.dtype)]
        with self._lock:  # calls of one group are one thread's
            members = self._communicators(tuple(each._device.ordinal for each in parts))
            self._call("ncclGroupStart")
            try:
                for rank, (part, member) in enumerate(zip(parts, members, strict=True)):
                    into = None if rank else target._open().address
                    queue = part._device.default_stream.handle
                    given = part._evaluate().address, into, part.size, kind, _SUM, 0, member, queue
                    self._call("ncclReduce", *given)
            except DeviceError:
                self._calls["ncclGroupEnd"]()  # else the thread would stay in the group
                raise
            self._call("ncclGroupEnd")


@cache
def _library(path: str) -> Library:
    try:
        return Library(path)
    except (OSError, AttributeError) as error:
        raise DeviceError(
            f"{VARIABLE} is set, but NCCL cannot be loaded: {error}. Install nvidia-nccl-cu13, "
            f"set {VARIABLE} to the library's path, or leave it out"
        ) from error


def _is_gpu(device: Any) -> bool:
    return not device._device.is_host


def library_for(group: DeviceGroup, dtype: Any) -> Library | None:
    """NCCL where it is wanted, for sums of a dtype over GPUs; else None.

    Raises DeviceError where it is wanted and cannot be loaded.
    """
    wanted = os.environ.get(VARIABLE, "0")
    if wanted in ("", "0") or len(group) < 2 or dtypes.name_of(dtype) not in _TYPES:
        return None
    if not all(map(_is_gpu, group)):
        return None
    return _library(_LIBRARY if wanted == "1" else wanted)


def total(parts: Sequence[Any], group: DeviceGroup) -> Any:
    """The sum of arrays of one shape and dtype, one on each device, on the group's first device.

    By NCCL where that is wanted, else by copies to that device. Raises DeviceError where NCCL
    fails.
    """
    library = library_for(group, parts[0].dtype)
    if library is not None and parts[0].size:
        whole = [creation.ascontiguousarray(each) for each in parts]
        start(whole)
        target = creation.empty(parts[0].shape, parts[0].dtype, device=group[0])
        library.reduce(whole, target)
        return target
    here = [each.to_device(group[0]) for each in start(parts)]
    made = here[0]
    for each in here[1:]:
        made = made + each
    return made
