"""Methods compute where the rows of their object lie, whatever the thread's current device is.

What a method makes of the host's memory, such as positions that it found there, comes to the
current device. So that this is where the columns are, they make it current while a method runs.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from phalanx import _engine

from .._arrays.in_place import WRAPPERS
from .._arrays.in_place import caller_of as caller_of
from .._arrays.in_place import in_place as in_place

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
        return value if value.__code__ in WRAPPERS else in_place(value)
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
