"""Phalanx: one engine that makes Python fast on CPUs and GPUs.

    import phalanx as px                   # arrays with NumPy's names: px.asarray, px.sin, ...
    px.DataFrame, px.Series, px.concat     # data frames with pandas' names
    from phalanx import cuda               # kernels: the interface of numba.cuda
    from phalanx import jit, prange        # functions for the CPU: the interface of numba
    python -m phalanx run script.py        # an unmodified script that imports numba.cuda
    python -m phalanx info                 # devices, driver, libraries, cache

Importing this package loads no NumPy, opens no device, starts no thread and writes no file.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

from ._core import excepthook
from ._core.worker_threads import limit_in_loky
from .errors import (
    CompileError,
    DeviceError,
    KernelError,
    LaunchError,
    OutOfMemoryError,
    PerformanceWarning,
    PhalanxError,
    PhalanxWarning,
)

limit_in_loky()
excepthook.install()

_SUBMODULES = (
    "api",
    "compat",
    "cuda",
    "dask",
    "errors",
    "ml",
    "sparse",
    "testing",
    "tseries",
    "types",
    "util",
)
# The functions, with the module that has each.
_FUNCTIONS = {
    **dict.fromkeys(("get_num_threads", "jit", "njit", "prange", "set_num_threads"), "_functions"),
    **dict.fromkeys(("guvectorize", "vectorize"), "_ufunc.for_cpu"),
    **dict.fromkeys(("Benchmark", "Profile", "Timing", "benchmark", "profile"), "_profile"),
    "__narwhals_namespace__": "_frames.interchange.narwhals",
}

# Hooks of other programs: of IPython's `%load_ext phalanx`.
_HOOKS = {"load_ipython_extension": "_tools.ipython", "unload_ipython_extension": "_tools.ipython"}

# Names of data frames that are asked for before those of arrays, of which `concat` is one.
_FRAME_CLASSES = ("DataFrame", "Index", "NA", "Series", "concat")

__all__ = [
    "Benchmark",
    "CompileError",
    "DeviceError",
    "KernelError",
    "LaunchError",
    "OutOfMemoryError",
    "PerformanceWarning",
    "PhalanxError",
    "PhalanxWarning",
    "Profile",
    "Timing",
    "__version__",
    "benchmark",
    "get_num_threads",
    "guvectorize",
    "jit",
    "njit",
    "prange",
    "profile",
    "set_advice",
    "set_fallback",
    "set_num_threads",
    "vectorize",
    *_SUBMODULES,
]


def set_advice(
    *,
    low_occupancy: bool | None = None,
    implicit_copies: bool | None = None,
    float64: bool | None = None,
    strides: bool | None = None,
    parallel: bool | None = None,
) -> None:
    """Which advice is given as a `PerformanceWarning`; None leaves one as it is.

    Python's `warnings` filters silence it too, by class or by code, and ``PHALANX_ADVICE=0`` all
    of it: docs/guide/warnings.md has them.

    >>> px.set_advice(low_occupancy=False)
    >>> px.set_advice(low_occupancy=True)
    """
    from . import _engine

    _engine.set_advice(
        low_occupancy=low_occupancy,
        implicit_copies=implicit_copies,
        float64=float64,
        strides=strides,
        parallel=parallel,
    )


def set_fallback(policy: str) -> None:
    """What happens from now on to CPU functions that Phalanx cannot compile.

    ``"error"``, the default, raises `CompileError`; ``"numba"`` lets the installed Numba compile
    them, and ``"python"`` runs them in Python. Kernels never fall back.

    Raises `ValueError` for another word, and for ``"numba"`` where Numba is not installed.

    >>> px.set_fallback("error")
    """
    from ._functions import fallback

    fallback.set_fallback(policy)


def _array_names() -> dict[str, str]:
    from ._arrays import names

    return names.NAMES


def _array_namespaces() -> tuple[str, ...]:
    from ._arrays import names

    return names.NAMESPACES


def _missing(name: str) -> str:
    from ._arrays import names

    return names.missing(name)


def _frame_names() -> Any:
    """The names of data frames; found by text, as what has them imports this module."""
    return importlib.import_module("._frames.toplevel", __name__)


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f".{name}", __name__)
    if name in _FUNCTIONS:
        return getattr(importlib.import_module(f".{_FUNCTIONS[name]}", __name__), name)
    if name in _HOOKS:
        return getattr(importlib.import_module(f".{_HOOKS[name]}", __name__), name)
    if name == "__version__":
        from ._engine import version

        return version()
    # Packages of ours are asked for too when they are imported: no reason to load the arrays.
    if name.startswith("_") and not name.startswith("__array_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _FRAME_CLASSES or (name not in _array_names() and _frame_names().is_known(name)):
        found = _frame_names().find(name)
        globals()[name] = found
        return found
    if name in _array_namespaces():
        return importlib.import_module(f"._arrays.{name}", __name__)
    if name in _array_names():
        found = getattr(importlib.import_module(f"._arrays.{_array_names()[name]}", __name__), name)
        globals()[name] = found  # the next time nothing is looked up
        return found
    raise AttributeError(_missing(name))


def __dir__() -> list[str]:
    return sorted({*__all__, *_array_names(), *_array_namespaces(), *_frame_names().NAMES})


# A profiler that runs the program, or the user, asks for NVTX ranges.
if os.environ.get("PHALANX_NVTX") or os.environ.get("NVTX_INJECTION64_PATH"):
    importlib.import_module("._profile.ranges", __name__).start()
