"""Sums over the GPUs of this process by NCCL: where PHALANX_NCCL is 1, or the library's path.

One communicator a GPU, and a reduction to the first of them, which is queued on each GPU's own
stream.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...errors import DeviceError
from .. import creation, dtypes
from ..nccl import SUM, TYPES, VARIABLE, Library, library
from .core import start

if TYPE_CHECKING:
    from .group import DeviceGroup


class Communicators:
    """Those that this process has made of a library."""

    def __init__(self, calls: Library) -> None:
        self._call = calls.call
        self._made: dict[tuple[int, ...], list[int]] = {}
        self._lock = threading.Lock()

    def _of(self, ordinals: tuple[int, ...]) -> list[int]:
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
        kind = TYPES[dtypes.name_of(target.dtype)]
        with self._lock:  # calls of one group are one thread's
            members = self._of(tuple(each._device.ordinal for each in parts))
            self._call("ncclGroupStart")
            try:
                for rank, (part, member) in enumerate(zip(parts, members, strict=True)):
                    into = None if rank else target._open().address
                    queue = part._device.default_stream.handle
                    given = part._evaluate().address, into, part.size, kind, SUM, 0, member, queue
                    self._call("ncclReduce", *given)
            except DeviceError:
                # Else the thread would stay in the group.
                with contextlib.suppress(DeviceError):
                    self._call("ncclGroupEnd")
                raise
            self._call("ncclGroupEnd")


# By libraries. Of threads that ask at once all get the same, whose lock they share.
_made: dict[str, Communicators] = {}


def _communicators(path: str) -> Communicators:
    return _made.setdefault(path, Communicators(library(path)))


def _is_gpu(device: Any) -> bool:
    return not device._device.is_host


def communicators_for(group: DeviceGroup, dtype: Any) -> Communicators | None:
    """NCCL where it is wanted, for sums of a dtype over GPUs; else None.

    Raises DeviceError where it is wanted and cannot be loaded.
    """
    wanted = os.environ.get(VARIABLE, "0")
    if wanted in ("", "0") or len(group) < 2 or dtypes.name_of(dtype) not in TYPES:
        return None
    if not all(map(_is_gpu, group)):
        return None
    return _communicators(wanted)


def total(parts: Sequence[Any], group: DeviceGroup) -> Any:
    """The sum of arrays of one shape and dtype, one on each device, on the group's first device.

    By NCCL where that is wanted, else by copies to that device. Raises DeviceError where NCCL
    fails.
    """
    members = communicators_for(group, parts[0].dtype)
    if members is not None and parts[0].size:
        whole = [creation.ascontiguousarray(each) for each in parts]
        start(whole)
        target = creation.empty(parts[0].shape, parts[0].dtype, device=group[0])
        members.reduce(whole, target)
        return target
    here = [each.to_device(group[0]) for each in start(parts)]
    made = here[0]
    for each in here[1:]:
        made = made + each
    return made
