"""Functions of NumPy's modules, of our arrays, for modules of CuPy's that `phalanx` has not."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .._arrays import host


def functions_of(module: ModuleType, name: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module served as `name`: what is in `module`, on the host."""

    def find(wanted: str) -> Any:
        found = None if wanted.startswith("_") else getattr(module, wanted, None)
        if not callable(found) or isinstance(found, type):
            raise AttributeError(f"module {name!r}, served by phalanx, has no attribute {wanted!r}")

        @functools.wraps(found)
        def run(*args: Any, **options: Any) -> Any:
            return host.run(found, *args, **options)

        return run

    return find
