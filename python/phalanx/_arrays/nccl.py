"""NVIDIA's library of sums over GPUs, of one process or of several.

The interface is that of NCCL 2 (nccl.h).
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from .._core.toolkit import find_library
from ..errors import DeviceError

VARIABLE = "PHALANX_NCCL"
SUM = 0  # ncclSum
IN_PROGRESS = 7  # ncclInProgress
# ncclDataType_t by our names of dtypes.
TYPES = {
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


class UniqueId(ctypes.Structure):
    """What the processes that make a communicator together have in common."""

    _fields_ = (("bytes", ctypes.c_char * 128),)


class Config(ctypes.Structure):
    """`ncclConfig_t` as of NCCL 2.14, which later ones take: no call may wait for other processes.

    A thread that waits inside of a call could not be told that a process has died.
    """

    _fields_ = (
        ("size", ctypes.c_size_t),
        ("magic", ctypes.c_uint),
        ("version", ctypes.c_uint),
        ("blocking", ctypes.c_int),
    )

    @classmethod
    def without_waiting(cls) -> Config:
        """The configuration that says so."""
        return cls(ctypes.sizeof(cls), 0xCAFEBEEF, 21400, 0)


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
    "ncclGetUniqueId": (ctypes.POINTER(UniqueId),),
    "ncclCommInitRankConfig": (
        ctypes.POINTER(ctypes.c_void_p),
        ctypes.c_int,
        UniqueId,
        ctypes.c_int,
        ctypes.POINTER(Config),
    ),
    "ncclCommGetAsyncError": (ctypes.c_void_p, ctypes.POINTER(ctypes.c_int)),
    "ncclAllReduce": (
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_void_p,
        ctypes.c_void_p,
    ),
    "ncclCommAbort": (ctypes.c_void_p,),
}


class Library:
    """The functions of NCCL. Raises OSError and AttributeError for files that do not have them."""

    def __init__(self, path: str) -> None:
        self._loaded = ctypes.CDLL(path)
        self._loaded.ncclGetErrorString.restype = ctypes.c_char_p
        for name, arguments in _CALLS.items():
            getattr(self._loaded, name).argtypes = arguments

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function. Raises DeviceError with NCCL's text; "in progress" is no error."""
        self.check(name, getattr(self._loaded, name)(*arguments))

    def check(self, name: str, code: int) -> None:
        """Raise DeviceError for the code of a failure."""
        if code not in (0, IN_PROGRESS):
            text = self._loaded.ncclGetErrorString(code).decode()
            raise DeviceError(f"NCCL's {name} failed: {text}; with {VARIABLE}=0 it is not used")


@cache
def library(path: str) -> Library:
    """NCCL from a file, or the one that is installed for "1".

    Raises DeviceError where it cannot be loaded.
    """
    if path == "1":
        found = find_library("nccl")
        path = "libnccl.so.2" if found is None else str(found)
    try:
        return Library(path)
    except (OSError, AttributeError) as error:
        raise DeviceError(
            f"{VARIABLE} is set, but NCCL cannot be loaded: {error}. Install nvidia-nccl-cu13, "
            f"set {VARIABLE} to the library's path, or leave it out"
        ) from error
