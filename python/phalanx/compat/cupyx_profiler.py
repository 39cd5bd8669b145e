"""``cupyx.profiler``: how long a function takes, on the host and on the device."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import phalanx as px

from .. import cuda
from . import cupy_nvtx


class _PerfCaseResult:
    """The times of one function, in seconds."""

    def __init__(self, name: str, cpu_times: Any, gpu_times: Any) -> None:
        self.name = name
        self.cpu_times = np.asarray(cpu_times)
        self.gpu_times = np.asarray(gpu_times)[np.newaxis]

    def to_str(self, show_gpu: bool = False) -> str:
        """The times in microseconds, as CuPy writes them."""
        text = f"{self.name:<20}:" + _statistics("CPU", self.cpu_times)
        return text + (_statistics("GPU-0", self.gpu_times[0]) if show_gpu else "")

    def __str__(self) -> str:
        return self.to_str(show_gpu=True)

    __repr__ = __str__


def _statistics(name: str, times: Any) -> str:
    if not times.size:
        return f"    {name}: no time"
    values = times.mean(), times.std(), times.min(), times.max()
    mean, std, least, most = (each * 1e6 for each in values)
    return f"    {name}: {mean:9.3f} us   +/- {std:6.3f} (min: {least:9.3f} / max: {most:9.3f}) us"


def benchmark(
    func: Callable[..., Any],
    args: tuple[Any, ...] = (),
    kwargs: dict[str, Any] | None = None,
    n_repeat: int = 10000,
    *,
    name: str | None = None,
    n_warmup: int = 10,
    max_duration: float = float("inf"),
    devices: Any = None,
) -> _PerfCaseResult:
    """Calls a function again and again: the time of the call, and until the device has its results.

    Results that are arrays are computed each time, also if nobody looks at them. Raises
    `ValueError` for other devices than the current one.
    """
    if devices is not None and tuple(map(int, devices)) != (cuda.get_current_device().id,):
        raise ValueError("phalanx times a function on the current device only")
    named = kwargs or {}
    for _ in range(n_warmup):
        _computed(func(*args, **named))
    cuda.synchronize()
    cpu_times: list[float] = []
    gpu_times: list[float] = []
    for _ in range(n_repeat):
        begin = time.perf_counter()
        result = func(*args, **named)
        _computed(result)
        cpu_times.append(time.perf_counter() - begin)
        cuda.synchronize()
        gpu_times.append(time.perf_counter() - begin)
        if sum(gpu_times) > max_duration:
            break
    return _PerfCaseResult(name or str(getattr(func, "__name__", "?")), cpu_times, gpu_times)


def _computed(result: Any) -> None:
    if isinstance(result, px.ndarray):
        result._evaluate()  # what is only recorded would take no time
    elif isinstance(result, (list, tuple)):
        for each in result:
            _computed(each)


@contextlib.contextmanager
def profile() -> Iterator[None]:
    """Profilers see what runs inside."""
    with cuda.profiling():
        yield


@contextlib.contextmanager
def time_range(
    message: str,
    color_id: int | None = None,
    argb_color: int | None = None,
    sync: bool = False,
) -> Iterator[None]:
    """A range of NVTX by a name, around a block or a function; `sync` waits for the device at last.

    Raises `ValueError` where both colors are given.
    """
    if color_id is not None and argb_color is not None:
        raise ValueError("time_range() takes color_id or argb_color, not both")
    if argb_color is not None:
        cupy_nvtx.RangePushC(message, argb_color)
    else:
        cupy_nvtx.RangePush(message, -1 if color_id is None else color_id)
    try:
        yield
    finally:
        if sync:
            cuda.synchronize()
        cupy_nvtx.RangePop()
