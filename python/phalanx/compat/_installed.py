"""The installed Numba, with Phalanx's decorators and `numba.cuda` in it.

``import numba`` costs nothing here: the package itself runs when somebody asks for a name that is
not in `OURS`. So a script that uses kernels and `njit` alone starts without it.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
import threading
from types import ModuleType
from typing import Any

from . import _joined

# Names of the package `numba` that lead here. `--only cuda` leaves the first alone.
OURS = frozenset(("cuda", "guvectorize", "jit", "njit", "vectorize"))
_lock = threading.RLock()


class _Package(ModuleType):
    """``numba``, before it has run."""

    _loader: importlib.abc.Loader
    _served: frozenset[str]

    def __getattr__(self, name: str) -> Any:
        if name in self._served:
            return _ours(name)
        if name.startswith("__") and name not in ("__all__", "__version__", "__doc__"):
            raise AttributeError(name)
        load(self)
        return getattr(self, name)


def _ours(name: str) -> Any:
    if name == "cuda":
        return importlib.import_module("numba.cuda")
    from . import _decorators

    return getattr(_decorators, name)


class Loader(importlib.abc.Loader):
    """Makes the package's module, which runs later."""

    def __init__(self, loader: importlib.abc.Loader, served: frozenset[str]) -> None:
        self._loader = loader
        self._served = served

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """An empty module, which runs the package when it is asked for what it does not have."""
        module = _Package(spec.name)
        module.__dict__.update(_loader=self._loader, _served=self._served)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing yet."""


def load(module: ModuleType) -> None:
    """Runs the package, and puts our names in."""
    with _lock:
        if not isinstance(module, _Package):
            return
        loader, served = module._loader, module._served
        module.__class__ = ModuleType  # type: ignore[assignment]
        try:
            loader.exec_module(module)
        except BaseException:
            module.__class__ = _Package
            raise
        for name in served:
            setattr(module, name, _ours(name))
        _joined.join(module)


def ensure_loaded() -> None:
    """Runs the package if its module is there and has not run: a module below it is wanted."""
    module = sys.modules.get("numba")
    if module is not None:
        load(module)
