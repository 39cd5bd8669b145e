"""Sums over processes with a GPU each, by NCCL; a process keeps what it made for the next fit."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ... import _engine
from ..._arrays.nccl import IN_PROGRESS, SUM, TYPES, VARIABLE, Config, UniqueId, library
from ...errors import DeviceError
from .. import traffic

_EAGER = 0.002  # seconds in which a thread that waits does not sleep
_PAUSE = 0.0001


class Seat(NamedTuple):
    """The place of a process in a communicator."""

    identity: bytes  # of the communicator, by `ncclGetUniqueId`
    rank: int
    size: int


class Broken(DeviceError):
    """The communicator is of no more use: NCCL failed, or was told to stop."""


class Communicator:
    """One of the processes that add up arrays by NCCL, on its current device."""

    def __init__(self, path: str, seat: Seat) -> None:
        self.seat, self.rank, self.size = seat, seat.rank, seat.size
        self._library = library(path)
        self._device = _engine.current_device()
        self._handle = ctypes.c_void_p()
        self._stop = threading.Event()
        self._is_closed = False
        self._lock = threading.RLock()  # a next fit may close what the last one's thread is in

    @property
    def is_broken(self) -> bool:
        """True if it was given up, or is to be."""
        return self._is_closed or self._stop.is_set()

    def join(self) -> None:
        """Wait for the other processes. Raises Broken as `all_reduce`."""
        identity = UniqueId.from_buffer_copy(self.seat.identity)
        config = Config.without_waiting()
        arguments = self.size, identity, self.rank, ctypes.byref(config)
        self._queue("ncclCommInitRankConfig", ctypes.byref(self._handle), *arguments)

    def all_reduce(self, array: np.ndarray) -> np.ndarray:
        """The sum over all processes. Raises Broken where NCCL fails, and after `stop`."""
        if array.size == 0:
            return array
        given = px.asarray(array, device=self._device)
        made = px.empty_like(given)
        self._queue_sum(given._evaluate(), made._open(), array.dtype.name)
        self.wait()
        return np.asarray(made)

    def queue_sum(self, given: Any, made: Any) -> None:
        """Tells the GPU to add up float64 of each process into other memory. Raises Broken."""
        self._queue_sum(given, made, "float64")

    def _queue_sum(self, given: Any, made: Any, dtype: str) -> None:
        queue = self._device.default_stream.handle
        places = given.address, made.address, given.size, TYPES[dtype]
        self._queue("ncclAllReduce", *places, SUM, self._handle, queue)
        traffic.count("nccl", given.nbytes)

    def wait(self) -> None:
        """Wait for what the GPU was told. Raises Broken as `all_reduce`."""
        self._wait(self._device.default_stream.query)

    def stop(self) -> None:
        """Have the thread that waits for other processes give up. For any thread."""
        self._stop.set()

    def close(self) -> None:
        """Give the communicator up, and what it has on the GPU."""
        with self._lock:
            self._is_closed = True
            if self._handle:
                with contextlib.suppress(DeviceError):
                    self._library.call("ncclCommAbort", self._handle)
                self._handle = ctypes.c_void_p()

    def _queue(self, name: str, *arguments: Any) -> None:
        try:
            self._call(name, *arguments)
        except Broken:
            raise
        except DeviceError as error:
            self.close()
            raise Broken(str(error)) from error
        self._wait(lambda: self._is_queued(name))

    def _call(self, name: str, *arguments: Any) -> None:
        with self._lock:
            if self._is_closed:
                raise Broken(f"NCCL's communicator of {self.size} processes was given up")
            self._library.call(name, *arguments)

    def _is_queued(self, name: str) -> bool:
        state = ctypes.c_int()
        self._call("ncclCommGetAsyncError", self._handle, ctypes.byref(state))
        self._library.check(name, state.value)
        return state.value != IN_PROGRESS

    def _wait(self, is_done: Callable[[], bool]) -> None:
        """Wait for other processes without being lost with them."""
        patient = time.monotonic() + _EAGER
        try:
            while not is_done():
                if self._stop.is_set():
                    raise Broken("another worker of this fit was lost, or failed")
                time.sleep(_PAUSE if time.monotonic() > patient else 0)
        except Broken:
            self.close()
            raise
        except DeviceError as error:
            self.close()
            raise Broken(str(error)) from error


class _Kept:
    """The communicator of this process, and those that it is not to make any more."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.communicator: Communicator | None = None
        self.stopped: set[bytes] = set()


_kept = _Kept()


def joined(path: str, seat: Seat) -> Communicator:
    """The communicator of this process with that seat; one of another seat is given up.

    Raises Broken as `Communicator`, and DeviceError where NCCL cannot be loaded.
    """
    with _kept.lock:
        made = _kept.communicator
        if made is not None and made.seat == seat and not made.is_broken:
            return made
        if seat.identity in _kept.stopped:
            raise Broken("another worker of this fit was lost, or failed")
        if made is not None:
            made.close()
        made = _kept.communicator = Communicator(path, seat)
    made.join()
    return made


def stop(identity: bytes) -> None:
    """Have this process give up a communicator, even one that it is to make."""
    with _kept.lock:
        _kept.stopped.add(identity)
        if _kept.communicator is not None and _kept.communicator.seat.identity == identity:
            _kept.communicator.stop()


class Here(NamedTuple):
    """What a process has for sums by NCCL."""

    gpu: bytes | None  # its UUID; None without one, or where NCCL would take another one
    seat: Seat | None  # of the communicator that it keeps
    refusal: str  # why NCCL cannot be loaded


def wanted() -> str:
    """What the program says of NCCL between workers: a path, "1", "0" or "" for nothing."""
    return os.environ.get(VARIABLE, "")


def here(path: str) -> Here:
    """What this process has."""
    gpu = own_gpu()
    try:
        refusal = "" if gpu is None else (library(path) and "")
    except DeviceError as error:
        refusal = str(error)
    kept = _kept.communicator
    return Here(gpu, None if kept is None or kept.is_broken else kept.seat, refusal or "")


def own_gpu() -> bytes | None:
    """The UUID of the GPU that is current and this process's first, which NCCL takes."""
    device = _engine.current_device()
    return None if device.is_host or device.ordinal != 0 else bytes(device.uuid)


def new_identity(path: str) -> bytes:
    """An identity for a communicator, whose first process is this one."""
    made = UniqueId()
    library(path).call("ncclGetUniqueId", ctypes.byref(made))
    return bytes(made)
