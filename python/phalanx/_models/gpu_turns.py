"""Turns of a GPU: of the processes that joblib and Dask start, one at a time fits a model on it.

Each of them would else have samples and working memory on the same GPU at the same time, which has
room for one, and none would be done sooner.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import inspect
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from .. import _engine
from .._arrays.placement import lies_on
from .._core.worker_threads import DASK, LOKY, is_worker
from .frames_given import is_spread


def in_turn(fit: Callable[..., Any]) -> Callable[..., Any]:
    """The method, which in a worker process fits when it is its turn on the GPUs of the samples."""
    first = inspect.unwrap(fit).__code__.co_varnames[1]

    @functools.wraps(fit)
    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        if not is_worker(LOKY, DASK):
            return fit(self, *arguments, **keywords)
        samples = arguments[0] if arguments else keywords.get(first)
        with contextlib.ExitStack() as turns:
            # Sorted: two processes that each wait for what the other one has would wait for ever.
            for gpu in sorted(gpus_of(samples)):
                turns.enter_context(_turn_of(gpu))
            return fit(self, *arguments, **keywords)

    return method


def gpus_of(samples: Any) -> set[str]:
    """The GPUs that a fit of the samples uses, by digits that are the same in each process."""
    return {each.uuid.hex() for each in _devices_of(samples) if not each.is_host}


def _devices_of(samples: Any) -> Iterable[_engine.Device]:
    if is_spread(samples):
        return [each._device for each in samples.group]
    if _engine.is_automatic():
        return [_engine.current_device(), *_engine.devices()[:1]]  # the GPU of "auto" is among them
    return [lies_on(samples) or _engine.current_device()]


class _Turn:
    """A GPU's turn: one thread of one process has it, and may take it again.

    The lock of a file goes with the process that has it, however that ends.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = threading.RLock()
        self._file = self._depth = 0

    def __enter__(self) -> None:
        self._thread.acquire()
        try:
            if self._depth == 0:
                self._file = _locked(self._path)
        except BaseException:
            self._thread.release()
            raise
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            # Closed alone, it would stay locked in a process that was forked meanwhile.
            fcntl.flock(self._file, fcntl.LOCK_UN)
            os.close(self._file)
        self._thread.release()


_turns: dict[str, _Turn] = {}


def _turn_of(gpu: str) -> _Turn:
    import tempfile

    # Not in the cache's folder, which a program may choose or go without.
    path = Path(tempfile.gettempdir(), f"phalanx-{os.getuid()}-gpu-{gpu}.lock")
    # One for all threads: two that ask at once with `functools.cache` would get one each, and a fit
    # within a fit wait for the file that the outer one has locked.
    return _turns.setdefault(gpu, _Turn(path))


def _locked(path: Path) -> int:
    """The open file, once no other process has its lock."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
    except BaseException:
        os.close(file)
        raise
    return file
