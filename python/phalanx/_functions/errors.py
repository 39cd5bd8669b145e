"""Exceptions that compiled functions raised, as Python's."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import struct
from typing import Any, NoReturn

from .. import errors
from .._frontend import resolve
from .._frontend.missing import MISSING


class RaisedAt(str):
    """The note of an exception that compiled code raised; its class tells it from other notes."""

    __slots__ = ()


def raise_site(
    function: Any, location: str, kind: str, arguments: str, values: list[int]
) -> NoReturn:
    """Raises what compiled code has raised at a location, ``file:line``.

    `kind` names the exception's class, `arguments` is the text of a tuple, and `values` are the
    numbers that go into it, as 64 bits each. The exception has a note that names file and line.
    """
    given = ast.literal_eval(arguments or "()")
    error = exception_class(function, kind)(*_filled(given, values))
    error.add_note(RaisedAt(f"raised at {location}"))
    raise error


def is_raised(error: BaseException) -> bool:
    """Returns whether compiled code raised it, not what compiles or calls."""
    return any(isinstance(each, RaisedAt) for each in getattr(error, "__notes__", ()))


def _filled(argument: Any, values: list[int]) -> Any:
    """The argument with the numbers filled in (the form: frontend/python/computed_text.h)."""
    if isinstance(argument, tuple):
        return tuple([_filled(each, values) for each in argument])
    if not isinstance(argument, dict):
        return argument
    if "number" in argument:
        position, kind = argument["number"]
        return _number(position, kind, values)
    return "".join([_part(each, values) for each in argument["text"]])


def _part(part: Any, values: list[int]) -> str:
    if isinstance(part, str):
        return part
    position, kind, spec = part
    return format(_number(position, kind, values), spec)


def _number(position: int, kind: str, values: list[int]) -> bool | int | float:
    bits = values[position]
    if kind == "f":
        return struct.unpack("=d", struct.pack("=q", bits))[0]  # type: ignore[no-any-return]
    if kind == "u":
        return bits & 0xFFFFFFFFFFFFFFFF
    return bool(bits) if kind == "b" else bits


def exception_class(function: Any, name: str) -> type[BaseException]:
    """The class that `resolve` described by that name.

    Raises `RuntimeError` when it is gone, as a class made inside a function may be.
    """
    known = errors.raised_class(name)
    if known is not None:
        return known
    found = getattr(builtins, name, None) or resolve.lookup(function, name.rpartition(".")[2])
    if found is MISSING:
        found = _import(name)
    if isinstance(found, type) and issubclass(found, BaseException):
        return found
    raise RuntimeError(f"the exception class {name} cannot be found any more")


def _import(name: str) -> Any:
    """The object of a dotted name; the module is the longest part that can be imported."""
    module, _, rest = name.rpartition(".")
    while module:
        try:
            return functools.reduce(getattr, rest.split("."), importlib.import_module(module))
        except (ImportError, AttributeError):
            module, _, part = module.rpartition(".")
            rest = f"{part}.{rest}"
    return None
