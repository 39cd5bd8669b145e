"""Names that test modules import and Phalanx does not provide, so that their other tests run."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any


class Placeholder:
    """Stands for what is missing: harmless while modules load, an error once a test uses it."""

    def __init__(self, name: str, *_rest: Any) -> None:
        self._name = name

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (
            _Attributes("PlaceholderBase", (_PlaceholderBase,), {}),
        )  # a class may have two of them

    def _derived(self, what: str) -> Placeholder:
        # pytest names the running test here.
        if "PYTEST_CURRENT_TEST" in os.environ:
            raise NotImplementedError(f"phalanx does not provide {self._name}")
        return Placeholder(f"{self._name}{what}")

    def __repr__(self) -> str:
        return self._name

    def __instancecheck__(self, instance: Any) -> bool:
        return False  # nothing is of a class that is not there

    def __call__(self, *args: Any, **options: Any) -> Placeholder:
        return self._derived("(...)")

    __all__ = ()

    @property
    def __name__(self) -> str:
        return self._name

    def __getattr__(self, name: str) -> Placeholder:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._derived(f".{name}")

    def __iter__(self) -> Iterator[Any]:
        self._derived(" (iterated)")
        return iter(())

    def __len__(self) -> int:
        self._derived(" (counted)")
        return 0

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, item: Any) -> Placeholder:
        return self._derived("[...]")


def _operator(name: str) -> Any:
    return lambda self, *others: self._derived(f".{name}(...)")


for _name in (
    *(f"__{side}{name}__" for name in ("add", "sub", "mul", "truediv") for side in ("", "r")),
    "__neg__", "__and__", "__or__", "__contains__", "__lt__", "__gt__",
):  # fmt: skip
    setattr(Placeholder, _name, _operator(_name))


def placeholders_in(values: Iterable[Any]) -> Iterator[Placeholder]:
    """The placeholders among values, also in lists, tuples and dicts of them."""
    for value in values:
        if isinstance(value, Placeholder):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from placeholders_in(value)
        elif isinstance(value, dict):
            yield from placeholders_in(value.values())


class _Attributes(type):
    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(f"{cls.__name__}.{name}")


class _PlaceholderBase(metaclass=_Attributes):
    """In place of a base class that is missing: its classes take any arguments."""

    def __init__(self, *args: Any, **options: Any) -> None:
        pass


class PlaceholderModule(ModuleType):
    """A module all of whose names are placeholders."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name.endswith(("Error", "Exception")):  # an `except` clause needs a class
            return type(name, (Exception,), {})
        return Placeholder(f"{self.__name__}.{name}")


class PlaceholderLoader(importlib.abc.Loader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        module = PlaceholderModule(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module: ModuleType) -> None:
        pass
