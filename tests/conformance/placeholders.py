"""Names that test modules import and Phalanx does not provide, so that their other tests run."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
from collections.abc import Iterator
from types import ModuleType
from typing import Any


class Placeholder:
    """Stands for what is missing: harmless while modules load, an error once a test uses it."""

    def __init__(self, name: str, *_rest: Any) -> None:
        self._name = name

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (_PlaceholderBase,)

    def _derived(self, what: str) -> Placeholder:
        # pytest names the running test here.
        if "PYTEST_CURRENT_TEST" in os.environ:
            raise NotImplementedError(f"phalanx does not provide {self._name}")
        return Placeholder(f"{self._name}{what}")

    def __call__(self, *args: Any, **options: Any) -> Placeholder:
        return self._derived("(...)")

    def __getattr__(self, name: str) -> Placeholder:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._derived(f".{name}")

    def __iter__(self) -> Iterator[Any]:
        self._derived(" (iterated)")
        return iter(())

    def __getitem__(self, item: Any) -> Placeholder:
        return self._derived("[...]")


class _PlaceholderBase:
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
