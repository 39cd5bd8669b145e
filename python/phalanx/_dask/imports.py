"""An action for the moment at which several modules have been imported."""

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
    if missing:
        sys.meta_path.insert(0, _Watch(missing, action))
    else:
        action()


class _Watch(importlib.abc.MetaPathFinder):
    """Sees the modules being imported; is gone when they have been."""

    def __init__(self, missing: set[str], action: Callable[[], None]) -> None:
        self._missing = missing
        self._action = action
        self._sought: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self._missing or fullname in self._sought:
            return None
        self._sought.add(fullname)  # the other finders are asked below, and this one again
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self._sought.discard(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Reporting(spec.loader, lambda: self._loaded(fullname))
        return spec

    def _loaded(self, name: str) -> None:
        self._missing.discard(name)
        if not self._missing and self in sys.meta_path:
            sys.meta_path.remove(self)
            self._action()


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
