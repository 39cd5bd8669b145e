"""Calls back when modules have been imported."""

from __future__ import annotations

import importlib.abc
import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def when_loaded(modules: Sequence[str], action: Callable[[], None]) -> None:
    """Calls the action once all the modules are imported: now, or after the import of the last."""
    missing = {name for name in modules if name not in sys.modules}

    def loaded(name: str) -> None:
        missing.discard(name)
        if not missing and watch.remove():
            action()

    watch = ImportWatch(missing.__contains__, loaded)
    if missing:
        watch.install()
    else:
        action()


class ImportWatch(importlib.abc.MetaPathFinder):
    """While installed, `loaded` is called with the name of each module that was `wanted`."""

    def __init__(self, wanted: Callable[[str], bool], loaded: Callable[[str], None]) -> None:
        self._wanted = wanted
        self._loaded = loaded
        self._sought: set[str] = set()

    def install(self) -> None:
        """Watches from now on."""
        sys.meta_path.insert(0, self)

    def remove(self) -> bool:
        """Watches no longer; returns whether it did."""
        is_there = self in sys.meta_path
        if is_there:
            sys.meta_path.remove(self)
        return is_there

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What the other finders find, with a loader that reports."""
        if not self._wanted(fullname) or fullname in self._sought:
            return None
        self._sought.add(fullname)  # the other finders are asked below, and this one again
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._sought.discard(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Reporting(spec.loader, lambda: self._loaded(fullname))
        return spec


class _Reporting(importlib.abc.Loader):
    """A module's own loader, which says when the module has been executed."""

    def __init__(self, loader: Any, report: Callable[[], None]) -> None:
        self._loader = loader
        self._report = report

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        # The module keeps its own loader: resources and source are found by it.
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._report()
