"""What a program imports and Phalanx does not have: it may be named, and raises where it is used.

A program that never reaches one is not disturbed. Setting an attribute of a placeholder is
an attempt to change Numba's inside, and raises at once.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import symtable
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from .._types import numba_objects
from ._table import TABLE

_KINDS = (FunctionType, type)


def _remedy(name: str) -> str:
    if f"{name}.".startswith("numba.cuda."):
        return "docs/guide/coming-from-numba-cuda.md says what to use instead"
    return "pip install numba: then it is taken from there"


def missing(name: str) -> NotImplementedError:
    """What is raised where a placeholder is used."""
    return NotImplementedError(f"phalanx does not provide {name}; {_remedy(name)}")


class Placeholder:
    """A name that is there, and nothing more."""

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name
        self.__dict__["__name__"] = name.rpartition(".")[2]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(f"{self._name}.{name}")

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(_patched(f"{self._name}.{name}"))

    def __call__(self, *args: Any, **named: Any) -> Any:
        """A decorator gives another placeholder, for what it would have decorated."""
        if len(args) == 1 and not named and isinstance(args[0], _KINDS):
            return Placeholder(f"{self._name}, which decorates {args[0].__qualname__}")
        if self.__name__ in _DECORATORS:
            return self
        raise missing(self._name)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return ()

    def __iter__(self) -> NoReturn:
        raise missing(self._name)

    __getitem__ = __len__ = __bool__ = __enter__ = __iter__

    def __repr__(self) -> str:
        return f"<{self._name}, which phalanx does not provide>"


# They are called with options before they get what they decorate.
_DECORATORS = frozenset(
    ("box", "cfunc", "generated_jit", "intrinsic", "jitclass", "jit_module", "lower_builtin",
     "lower_cast", "lower_constant", "lower_getattr", "lower_setattr", "overload",
     "overload_attribute", "overload_classmethod", "overload_method", "register_model", "stencil",
     "type_callable", "unbox")
)  # fmt: skip


def _patched(name: str) -> str:
    return (
        f"the program sets {name}, a part of Numba's inside that phalanx does not have: what it "
        "changes there would have no effect (phalanx.extending and cuda.set_memory_manager are "
        "ways to change what phalanx does)"
    )


def names_of(module: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module of ours that is served as `module`.

    Only names that the installed module has become placeholders, so that programs which look
    whether a name is there get the true answer.
    """

    def find(name: str) -> Any:
        if not name.startswith("__") and _file(f"{module}.{name}") is not None:
            return importlib.import_module(f"{module}.{name}")
        if name.startswith("__") or not _is_name(module, name):
            raise AttributeError(f"module {module!r}, served by phalanx, has no attribute {name!r}")
        return Placeholder(f"{module}.{name}")

    return find


def _is_name(module: str, name: str) -> bool:
    """Returns whether the installed module has the name; True where there is none to look at."""
    known = _names(module)
    return known is None or name in known


_known: dict[str, frozenset[str] | None] = {}


def _names(module: str) -> frozenset[str] | None:
    if module not in _known:
        file = _file(module)
        text = None if file is None else file.read_text(encoding="utf-8")
        _known[module] = None if text is None else _names_in(text, str(file))
    return _known[module]


def _names_in(text: str, file: str) -> frozenset[str]:
    return frozenset(symtable.symtable(text, file, "exec").get_identifiers())


def _file(module: str) -> Path | None:
    """The source of the installed module, which is not imported."""
    root = numba_objects.find_installed()
    if root is None or not root.submodule_search_locations:
        return None
    path = Path(root.submodule_search_locations[0]).joinpath(*module.split(".")[1:])
    files = (path / "__init__.py", path.with_suffix(".py"))
    return next((each for each in files if each.is_file()), None)


class _Fixed(ModuleType):
    """A module of Numba's inside: a program that sets a name there is told."""

    def __setattr__(self, name: str, value: Any) -> None:
        # The import system sets its own names, and modules below this one.
        if not name.startswith("__") and not isinstance(value, ModuleType):
            raise AttributeError(_patched(f"{self.__name__}.{name}"))
        super().__setattr__(name, value)


class _Module(_Fixed):
    """A module that is a placeholder."""

    def __getattr__(self, name: str) -> Any:
        return names_of(self.__name__)(name)


class _Inside(_Fixed):
    """A module of ours under the name of one of Numba's inside: its names, which none may set."""

    __ours__: ModuleType

    def __init__(self, name: str, ours: ModuleType) -> None:
        super().__init__(name, ours.__doc__)
        super().__setattr__("__ours__", ours)

    def __getattr__(self, name: str) -> Any:
        path = f"{self.__name__}.{name}"
        # A module below, under the name that the program has for it.
        return importlib.import_module(path) if path in TABLE else getattr(self.__ours__, name)

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]  # ``import *`` reads it
        return vars(self.__ours__)


class _Loader(importlib.abc.Loader):
    def __init__(self, target: str | None = None) -> None:
        self._target = target  # a module of ours; None: a placeholder

    @property
    def is_served(self) -> bool:
        """Returns whether a module of ours answers."""
        return self._target is not None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        if self._target is None:
            return _Module(spec.name)
        return _Inside(spec.name, importlib.import_module(self._target))

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: names are made when they are asked for."""


def is_placeholder(spec: importlib.machinery.ModuleSpec) -> bool:
    """Returns whether a module of this spec is a placeholder."""
    return isinstance(spec.loader, _Loader) and not spec.loader.is_served


def spec(fullname: str) -> importlib.machinery.ModuleSpec | None:
    """The spec of a placeholder module; None where the installed Numba has no such module."""
    if numba_objects.find_installed() is not None and _file(fullname) is None:
        return None
    return importlib.machinery.ModuleSpec(fullname, _Loader(), is_package=True)


def inside_spec(fullname: str, target: str) -> importlib.machinery.ModuleSpec:
    """The spec of a module of Numba's inside, `fullname`, that `target` of ours answers to."""
    return importlib.machinery.ModuleSpec(fullname, _Loader(target), is_package=True)
