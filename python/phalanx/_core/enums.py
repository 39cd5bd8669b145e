"""How compiled code knows the members of enums: as named tuples of their values.

Each class has a name of its own there, by which it is found when a member comes back.
"""

from __future__ import annotations

import enum
import itertools
import threading
import weakref
from collections import namedtuple
from typing import Any

_classes: weakref.WeakValueDictionary[str, type[enum.Enum]] = weakref.WeakValueDictionary()
_representations: weakref.WeakKeyDictionary[type[enum.Enum], Any] = weakref.WeakKeyDictionary()
# Of all three: a class has one name, and a name one class. Reentrant, as a collection may begin.
_lock = threading.RLock()
_given: set[str] = set()  # never twice: code for a class that is gone may still be there


def representation(kind: type[enum.Enum]) -> Any:
    """The class of the named tuples that are the members of an enum in kernels."""
    with _lock:
        found = _representations.get(kind)
        if found is None:
            name = _new_name(kind.__name__)
            _classes[name] = kind
            found = _representations[kind] = namedtuple(name, ("value",))
    return found


def name_of(kind: type[enum.Enum]) -> str:
    """The name by which compiled code knows an enum: another one for each class."""
    name: str = representation(kind).__name__
    return name


def _new_name(wanted: str) -> str:
    numbered = (f"{wanted}_{number}" for number in itertools.count(2))
    name = next(each for each in itertools.chain((wanted,), numbered) if each not in _given)
    _given.add(name)
    return name


def is_name(name: str) -> bool:
    """Returns whether an enum was given this name."""
    return name in _given


def member(name: str, value: Any) -> enum.Enum:
    """The member with that value of the enum that compiled code knows by that name.

    Raises `TypeError` where the class, or such a member, is not there any more.
    """
    kind = _classes.get(name)
    if kind is None:
        raise TypeError(
            f"the class of the enum {name} is not there any more; "
            "keep it, or return a member's value"
        )
    try:
        return kind(value)
    except ValueError:
        raise TypeError(
            f"the enum {kind.__name__} has no member of the value {value!r} that a function "
            "returned; return a member's value"
        ) from None
