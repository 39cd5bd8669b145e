"""Functions that run where what they are given lies, whatever the thread's current device is.

What a function makes of the host's memory, such as NumPy's arrays among its arguments, comes to
the current device. So that this is where arrays and frames are, they make it current meanwhile.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, cast

from .. import _engine
from . import placement

# So many of the elements of a list are looked at for one that lies somewhere.
_FEW = 8
Function = TypeVar("Function", bound=Callable[..., Any])


def in_place(function: Function) -> Function:
    """The function, which runs where its first argument lies that lies anywhere.

    Programs get a `ValueError` for arguments on several devices: nothing moves without being told.
    """
    if inspect.isgeneratorfunction(function):
        return cast(Function, _generator_in_place(function))

    @functools.wraps(function)
    def placed(*args: Any, **keywords: Any) -> Any:
        if _has_one_device():
            return function(*args, **keywords)
        things = (*args, *keywords.values())
        if not _is_ours(sys._getframe(1).f_globals):
            _refuse_several(things)
        device = _device_for(things)
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


def _device_for(things: tuple[Any, ...]) -> _engine.Device | None:
    """The device to make current for a call; None where it is already, and for "auto"."""
    device = next(_devices_of(things), None)
    return device if device is not None and placement.is_elsewhere(device) else None


def _is_ours(module: dict[str, Any]) -> bool:
    """Returns whether the package itself calls: for spread frames it brings rows together."""
    return str(module.get("__name__")).partition(".")[0] == "phalanx"


def _refuse_several(things: tuple[Any, ...]) -> None:
    """Raise ValueError for arrays, columns and frames of two devices; labels come along."""
    if _engine.is_automatic():
        return
    devices = [*_devices_of(each for each in things if not hasattr(type(each), "_are_labels"))]
    for each in devices[1:]:
        if not placement.is_same(each, devices[0]):
            names = " and ".join(map(placement.name_of, (devices[0], each)))
            raise ValueError(
                f"what is computed with is on different devices, {names}: bring arrays to one with "
                "px.asarray(x, device=...), frames by `with px.device(...): "
                "px.from_pandas(frame.to_pandas())`"
            )


def _devices_of(things: Iterable[Any]) -> Iterator[_engine.Device]:
    """Where the things lie, and some of those in lists."""
    for thing in things:
        if isinstance(thing, (list, tuple)):
            yield from _devices_of(itertools.islice(thing, _FEW))
        elif isinstance(thing, dict):
            yield from _devices_of(itertools.islice(thing.values(), _FEW))
        elif (found := placement.lies_on(thing)) is not None:
            yield found
