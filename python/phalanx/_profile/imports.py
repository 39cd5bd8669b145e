"""Calls back when modules of certain names have been imported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class ImportWatch:
    """While installed, `told` is called with the name of each module that was `wanted`."""

    def __init__(self, wanted: Callable[[str], bool], told: Callable[[str], None]) -> None:
        self._wanted = wanted
        self._told = told

    def install(self) -> None:
        """Watches from now on."""
        sys.meta_path.insert(0, self)

    def remove(self) -> None:
        """Watches no longer; nothing where it does not."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """What the other finders find, with a loader that tells."""
        if not self._wanted(name):
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            if finder is self or find is None:
                continue
            spec: ModuleSpec | None = find(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _TellingLoader(spec.loader, self._told)  # type: ignore[assignment]
                return spec
        return None


class _TellingLoader:
    """Another loader that tells when a module is there."""

    def __init__(self, loader: Any, told: Callable[[str], None]) -> None:
        self._loader = loader
        self._told = told

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._told(module.__name__)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)
