"""Functions that run where what they are given lies, whatever the thread's current device is.

What a function makes of the host's memory, such as NumPy's arrays among its arguments, comes to
the current device. So that this is where arrays and frames are, they make it current meanwhile.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from .. import _engine
from . import placement

# So many of the elements of a list are looked at for one that lies somewhere.
_FEW = 8
Function = TypeVar("Function", bound=Callable[..., Any])


def in_place(function: Function) -> Function:
    """The function, which runs where its first argument lies that lies anywhere."""
    if inspect.isgeneratorfunction(function):
        return cast(Function, _generator_in_place(function))

    @functools.wraps(function)
    def placed(*args: Any, **keywords: Any) -> Any:
        if _has_one_device():
            return function(*args, **keywords)
        device = _device_for(args, keywords)
        if device is None:
            return function(*args, **keywords)
        with placement.device(device):
            return function(*args, **keywords)

    WRAPPERS.add(_code_of(placed))
    return cast(Function, placed)


WRAPPERS: set[Any] = set()  # the code of what runs a function in place


def caller_of(frame: Any) -> Any:
    """The frame that called another one, wherever that runs."""
    frame = frame.f_back
    while frame is not None and frame.f_code in WRAPPERS:
        frame = frame.f_back
    return frame


def _code_of(function: Any) -> Any:
    return function.__code__


def _generator_in_place(function: Callable[..., Iterator[Any]]) -> Any:
    @functools.wraps(function)
    def placed(*args: Any, **keywords: Any) -> Iterator[Any]:
        made = function(*args, **keywords)
        step: Callable[..., Any] = in_place(lambda *_, **__: next(made, _END))
        while (each := step(*args, **keywords)) is not _END:
            yield each

    WRAPPERS.add(_code_of(placed))
    return placed


_END = object()


@functools.cache
def _has_one_device() -> bool:
    return len(_engine.devices()) == 1


def _device_for(args: tuple[Any, ...], keywords: dict[str, Any]) -> _engine.Device | None:
    """The device to make current for a call; None where it is already, and for "auto"."""
    device = _first_of(args) or _first_of(keywords.values())
    return device if device is not None and placement.is_elsewhere(device) else None


def _first_of(things: Any) -> _engine.Device | None:
    return next((found for each in things if (found := _device_of(each)) is not None), None)


def _device_of(thing: Any) -> _engine.Device | None:
    if isinstance(thing, (list, tuple)):
        return _first_of(itertools.islice(thing, _FEW))
    if isinstance(thing, dict):
        return _first_of(itertools.islice(thing.values(), _FEW))
    return placement.lies_on(thing)
