"""`pycuda.tools`: contexts, pools of memory, types of C, caches of kernels, tests."""

from __future__ import annotations

import builtins
import functools
import gc
import os
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from . import c_types, context, occupancy, pools
from .c_types import *  # noqa: F403
from .context import Context, Device
from .errors import Error, RuntimeError
from .occupancy import *  # noqa: F403
from .pools import *  # noqa: F403

_PARTS: tuple[Any, ...] = (c_types, occupancy, pools)
__all__ = [
    "clear_context_caches", "context_dependent_memoize", "get_default_device",
    "init_cuda_context_fixture", "make_default_context", "mark_cuda_test",
    *(name for part in _PARTS for name in part.__all__),
]  # fmt: skip


def get_default_device(default: int = 0) -> Device:
    """The device that ``CUDA_DEVICE`` or the file ``~/.cuda_device`` numbers, else `default`.

    It is deprecated: `make_default_context` replaces it. Raises `ValueError` where what is set is
    no number.
    """
    context.warn_once("get_default_device() is deprecated; use make_default_context() instead")
    number = _device_number()
    return Device(default if number is None else number)


def make_default_context(ctx_maker: Callable[[Device], Any] | None = None) -> Any:
    """A context of the device that ``CUDA_DEVICE`` or the file ``~/.cuda_device`` numbers.

    Without them of the first device that can be used. `ctx_maker` makes a context of a device, by
    default `Device.make_context`, which makes it the current one. Raises `RuntimeError` where there
    is none, and `ValueError` where what is set is no number.
    """
    make = ctx_maker or Device.make_context
    number = _device_number()
    if number is not None:
        return make(Device(number))
    last: Exception | None = None
    for index in range(Device.count()):
        try:
            return make(Device(index))
        except Error as error:
            last = error
    raise RuntimeError("there is no device of which a context could be made") from last


def _device_number() -> int | None:
    """What the user has set, if anything."""
    text = os.environ.get("CUDA_DEVICE")
    if text is None:
        try:
            text = (Path.home() / ".cuda_device").read_text()
        except (OSError, builtins.RuntimeError):
            return None
    try:
        return int(text)
    except ValueError:
        raise ValueError(
            f"CUDA_DEVICE or ~/.cuda_device is {text!r}: it has to be the number of a device"
        ) from None


_caches: list[dict[Any, dict[Any, Any]]] = []


def context_dependent_memoize(func: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator: keeps what a function gives, for each context and the arguments.

    The arguments have to be hashable.
    """
    cache: dict[Any, dict[Any, Any]] = {}
    _caches.append(cache)

    @functools.wraps(func)
    def memoized(*args: Any, **kwargs: Any) -> Any:
        known = cache.setdefault(Context.get_current(), {})
        key = (args, frozenset(kwargs.items()))
        if key not in known:
            known[key] = func(*args, **kwargs)
        return known[key]

    return memoized


def clear_context_caches() -> None:
    """Empties all caches of `context_dependent_memoize`, which keep contexts alive."""
    for cache in _caches:
        cache.clear()


def init_cuda_context_fixture() -> Generator[None]:
    """For a pytest fixture: a context of the default device while a test runs.

    Use it as ``yield from init_cuda_context_fixture()``. What the caches keep of the context is
    freed after the test.
    """
    current = make_default_context()
    try:
        yield
    finally:
        current.pop()
        clear_context_caches()
        gc.collect()


def mark_cuda_test(inner_f: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator: runs a test in a context of the default device, which is popped after it.

    As with today's pytest and PyCUDA, the test gets no mark.
    """

    @functools.wraps(inner_f)
    def in_context(*args: Any, **kwargs: Any) -> None:
        generator = init_cuda_context_fixture()
        next(generator)
        try:
            inner_f(*args, **kwargs)
        finally:
            generator.close()

    return in_context
