"""Functions that pickle by value: local functions too, with what they refer to.

Python pickles functions by name, which local ones and decorated ones do not have. Here code,
closure and the globals that the code names are pickled; modules go by their names. The text of the
function is read from its file again where it is compiled.

A compiled function that comes back to the process where it is alive is that object, with its code.
"""

from __future__ import annotations

import importlib
import marshal
import types
import uuid
import weakref
from collections.abc import Callable, Iterator
from typing import Any

_alive: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()


def reduced(compiled: Any, *given: Any) -> tuple[Any, ...]:
    """For ``__reduce__`` of what is made of a Python function: its class, called with that
    function, by value, and what else was `given`.
    """
    key = vars(compiled).get("_pickled_as")
    if key is None:
        key = compiled._pickled_as = uuid.uuid4().hex
        _alive[key] = compiled
    return _restored, (key, type(compiled), ByValue(compiled.py_func), *given)


def _restored(key: str, make: Callable[..., Any], *parts: Any) -> Any:
    made = _alive.get(key)
    if made is None:
        made = make(*parts)
        made._pickled_as = key
        _alive[key] = made
    return made


class ByValue:
    """A function that pickles by value; what it unpickles to is the function itself."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function: Any = function

    def __reduce__(self) -> tuple[Any, ...]:
        function = self._function
        names = sorted(set(_names(function.__code__)) & set(function.__globals__))
        found = {name: _portable(function.__globals__[name]) for name in names}
        cells = [_portable(cell.cell_contents) for cell in function.__closure__ or ()]
        return _rebuilt, (
            marshal.dumps(function.__code__),
            function.__module__,
            function.__qualname__,
            function.__defaults__,
            function.__kwdefaults__,
            found,
            cells,
        )


class _Module:
    """A module, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name


def _portable(value: Any) -> Any:
    if isinstance(value, types.ModuleType):
        return _Module(value.__name__)
    if isinstance(value, types.FunctionType) and not _has_name(value):
        return ByValue(value)
    return value


def _has_name(function: Any) -> bool:
    """Returns whether Python finds the function by its name."""
    owner: Any = importlib.import_module(function.__module__)
    for part in function.__qualname__.split("."):
        owner = getattr(owner, part, None)
    return owner is function


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _here(value: Any) -> Any:
    return importlib.import_module(value.name) if isinstance(value, _Module) else value


def _rebuilt(
    code: bytes,
    module: str,
    qualname: str,
    defaults: tuple[Any, ...] | None,
    kwdefaults: dict[str, Any] | None,
    found: dict[str, Any],
    cells: list[Any],
) -> Callable[..., Any]:
    space = {name: _here(value) for name, value in found.items()}
    space["__name__"] = module
    closure = tuple(types.CellType(_here(value)) for value in cells)
    made = types.FunctionType(marshal.loads(code), space, None, defaults, closure)
    made.__module__ = module
    made.__qualname__ = qualname
    made.__kwdefaults__ = kwdefaults
    return made
