"""Methods compute where the rows of their object lie, whatever the thread's current device is.

What a method makes of the host's memory, such as positions that it found there, comes to the
current device. So that this is where the columns are, they make it current while a method runs.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, TypeVar, cast

from phalanx import _engine

from .._arrays import placement

# Properties and methods that move nothing, and are asked for again and again.
_QUICK = frozenset((
    "at", "attrs", "axes", "cat", "columns", "dt", "dtype", "empty", "has_duplicates", "iat",
    "iloc", "index", "list", "loc", "name", "names", "ndim", "nlevels", "obj", "shape", "size",
    "str",
))  # fmt: skip
_LEFT = frozenset((
    "__bool__", "__class_getitem__", "__copy__", "__deepcopy__", "__dir__", "__getattr__",
    "__hash__", "__init_subclass__", "__len__", "__reduce__", "pipe",
))  # fmt: skip
# So many of the elements of a list are looked at for one that lies somewhere.
_FEW = 8
Function = TypeVar("Function", bound=Callable[..., Any])


class InPlace:
    """A base of classes whose methods, by names that programs use, run where the object lies."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        for kind in cls.__mro__:
            if kind not in (InPlace, object):
                _put_in_place(kind)

    _lies_with = "_of"  # the attribute with the object that it is made of, if it is

    def _lies_on(self) -> _engine.Device | None:
        """The device of the object's arrays; None where it has none that is tied to one."""
        of = self.__dict__.get(self._lies_with)
        return of._lies_on() if isinstance(of, InPlace) else None


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

    _WRAPPERS.add(_code_of(placed))
    return cast(Function, placed)


_WRAPPERS: set[Any] = set()


def caller_of(frame: Any) -> Any:
    """The frame that called another one, wherever that runs."""
    frame = frame.f_back
    while frame is not None and frame.f_code in _WRAPPERS:
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

    _WRAPPERS.add(_code_of(placed))
    return placed


_END = object()


@functools.cache
def _has_one_device() -> bool:
    return len(_engine.devices()) == 1


def _device_for(args: tuple[Any, ...], keywords: dict[str, Any]) -> _engine.Device | None:
    """The device to make current for a call; None where it is already, and for "auto"."""
    of = args[0] if args else None
    device = of._lies_on() if isinstance(of, InPlace) else None
    if device is None:
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


def _put_in_place(kind: type) -> None:
    for name, value in list(vars(kind).items()):
        if name in _LEFT or (name.startswith("_") and not name.startswith("__")):
            continue
        made = _placed_attribute(name, value)
        if made is not value:
            setattr(kind, name, made)


def _placed_attribute(name: str, value: Any) -> Any:
    """A function, or what is made of some, in place."""
    if isinstance(value, FunctionType):
        return value if value.__code__ in _WRAPPERS else in_place(value)
    if isinstance(value, (classmethod, staticmethod)):
        made = _placed_attribute(name, value.__func__)
        return value if made is value.__func__ else type(value)(made)
    if isinstance(value, property):
        read = value.fget if name in _QUICK else value.fget and _placed_attribute(name, value.fget)
        write, delete = (
            each and _placed_attribute(name, each) for each in (value.fset, value.fdel)
        )
        if (read, write, delete) != (value.fget, value.fset, value.fdel):
            return property(read, write, delete, value.__doc__)
    return value
