"""Puts our subclasses into scikit-learn's public modules, imported before or later."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from ..._models.names import MODULES
from .classes import accelerated, has_class, keep_original, modules

_patched: dict[str, tuple[dict[str, type], Any]] = {}  # originals, and the module's __getattr__


def _patch(module: ModuleType) -> None:
    """Lead the names of a module to our subclasses, but for scikit-learn's own modules."""
    name = module.__name__
    if name in _patched:
        return
    public = name.partition(".")[2]
    originals = {each: getattr(module, each) for each in MODULES[public] if has_class(public, each)}
    for each, theirs in originals.items():
        keep_original(public, each, theirs)
    earlier = module.__dict__.get("__getattr__")
    _patched[name] = originals, earlier
    for each, theirs in originals.items():
        # A name that the module itself defines is one of its globals.
        if theirs.__module__ == name:
            setattr(module, each, accelerated(public, each))
        else:
            delattr(module, each)

    def find(each: str) -> Any:
        if each in originals:
            caller = sys._getframe(1).f_globals.get("__name__", "")
            inside = caller.partition(".")[0] in ("sklearn", "phalanx")
            return originals[each] if inside else accelerated(public, each)
        if earlier is not None:
            return earlier(each)
        raise AttributeError(f"module {name!r} has no attribute {each!r}")

    module.__getattr__ = find  # type: ignore[method-assign]


class _Loader(importlib.abc.Loader):
    """Runs a module as its own loader does, then leads its names to us."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """What the module's own loader makes."""
        return self._loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, then lead its names to us."""
        self._loader.exec_module(module)
        _patch(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of a module of which we have classes, with our loader."""
        if not fullname.startswith("sklearn.") or fullname.partition(".")[2] not in modules():
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


_FINDER = _Finder()


def install() -> None:
    """Accelerate scikit-learn in this process; a second call does nothing.

    Names that a program imported before stay what they were. Raises ImportError where scikit-learn
    is not installed.
    """
    if _FINDER in sys.meta_path:
        return
    if importlib.util.find_spec("sklearn") is None:
        raise ImportError("there is no scikit-learn to accelerate: pip install scikit-learn")
    sys.meta_path.insert(0, _FINDER)
    for each in modules():
        module = sys.modules.get(f"sklearn.{each}")
        if module is not None:
            _patch(module)


def uninstall() -> None:
    """Give scikit-learn its classes back; instances stay what they are."""
    if _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)
    for name, (originals, earlier) in _patched.items():
        module = sys.modules[name]
        for each, theirs in originals.items():
            setattr(module, each, theirs)
        if earlier is None:
            del module.__getattr__
        else:
            module.__getattr__ = earlier  # type: ignore[method-assign]
    _patched.clear()
