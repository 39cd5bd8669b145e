"""Functions that pickle by value: local functions too, with what they refer to.

Python pickles functions by name, which local ones and decorated ones do not have. Here code,
closure and the globals that the code names are pickled; modules go by their names. The text of the
function is read from its file again where it is compiled.

A compiled function that comes back to the process where it is alive is that object, with its code.
"""

from __future__ import annotations

import importlib
import marshal
import sys
import threading
import types
import uuid
import weakref
from collections.abc import Callable, Iterator
from typing import Any

_alive: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
# Of the tables: what is made for one key is one object for all threads. Reentrant, as a collection
# may begin while it is held, and pickle in a finalizer.
_lock = threading.RLock()


def reduced(compiled: Any, *given: Any) -> tuple[Any, ...]:
    """For ``__reduce__`` of what is made of a Python function: its class, called with that
    function, by value, and what else was `given`.
    """
    with _lock:
        key = vars(compiled).get("_pickled_as")
        if key is None:
            key = compiled._pickled_as = uuid.uuid4().hex
            _alive[key] = compiled
    return _restored, (key, type(compiled), by_value(compiled.py_func), *given)


def _restored(key: str, make: Callable[..., Any], *parts: Any) -> Any:
    known = _alive.get(key)
    if known is not None:
        return known
    made = make(*parts)  # no lock: it may compile
    made._pickled_as = key
    with _lock:
        return _alive.setdefault(key, made)


def by_value(function: Callable[..., Any]) -> ByValue:
    """What pickles in place of the function; while it is alive it is the same for each call, so
    that functions which refer to themselves end.
    """
    with _lock:
        found = _by_value.get(id(function))
        if found is None:
            found = _by_value[id(function)] = ByValue(function)
    return found


class ByValue:
    """A function that pickles by value; what it unpickles to is the function itself.

    Its globals are a dictionary, and its cells are objects of their own: both are known to the
    pickler before what they hold is pickled, which may be the function again.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function: Any = function
        self._globals = _Globals(function)
        self._cells = [_cell_by_value(cell) for cell in self._function.__closure__ or ()]

    def __reduce__(self) -> tuple[Any, ...]:
        function = self._function
        return _rebuilt, (
            marshal.dumps(function.__code__),
            function.__module__,
            function.__qualname__,
            function.__defaults__,
            function.__kwdefaults__,
            self._globals,
            *self._cells,
        )


class _Globals:
    """The globals that a function names, which may hold the function; read when it is pickled."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def __reduce__(self) -> tuple[Any, ...]:
        space = self._function.__globals__
        names = sorted(set(_names(self._function.__code__)) & set(space))
        return dict, (), None, None, ((name, _portable(space[name])) for name in names)


class _Cell:
    """A cell of a closure, which may hold what it is part of."""

    def __init__(self, cell: types.CellType) -> None:
        self.cell = cell  # alive as long as its number is in the table

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            content = _portable(self.cell.cell_contents)
        except ValueError:  # empty
            return _empty_cell, ()
        return _empty_cell, (), (None, {"cell_contents": content})


_by_value: weakref.WeakValueDictionary[int, ByValue] = weakref.WeakValueDictionary()
_cells: weakref.WeakValueDictionary[int, _Cell] = weakref.WeakValueDictionary()


def _cell_by_value(cell: types.CellType) -> _Cell:
    with _lock:
        found = _cells.get(id(cell))
        if found is None:
            found = _cells[id(cell)] = _Cell(cell)
    return found


def _empty_cell() -> types.CellType:
    return types.CellType()


class _Module:
    """A module, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return importlib.import_module, (self.name,)


def _portable(value: Any) -> Any:
    if isinstance(value, types.ModuleType):
        return _Module(value.__name__)
    if isinstance(value, types.FunctionType) and not has_name(value):
        return by_value(value)
    return value


def has_name(function: Any) -> bool:
    """Returns whether another process finds the function by its name, too: a program itself is
    another module there, or none.
    """
    if function.__module__ in ("__main__", "__mp_main__"):
        return False
    owner: Any = sys.modules.get(function.__module__)
    for part in function.__qualname__.split("."):
        owner = getattr(owner, part, None)
    return owner is function


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _rebuilt(
    code: bytes,
    module: str,
    qualname: str,
    defaults: tuple[Any, ...] | None,
    kwdefaults: dict[str, Any] | None,
    space: dict[str, Any],
    *cells: types.CellType,
) -> Callable[..., Any]:
    space["__name__"] = module
    made = types.FunctionType(marshal.loads(code), space, None, defaults, cells)
    made.__module__ = module
    made.__qualname__ = qualname
    made.__kwdefaults__ = kwdefaults
    return made
