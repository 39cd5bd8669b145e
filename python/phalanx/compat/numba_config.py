"""``numba.core.config``: the settings that scripts and tests read or change."""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any

from .._core import config
from .._core.config import flag


def _share(name: str, default: float) -> float:
    value = os.environ.get(name, "")
    try:
        return float(value) if value else default
    except ValueError:
        return default


class _OptLevel(int):
    """How much is optimised: 0 to 3, or "max"."""

    def __new__(cls, level: Any) -> _OptLevel:
        return super().__new__(cls, 3 if level == "max" else int(level))


ENABLE_CUDASIM = 0  # kernels are compiled, also on the CPU device
DISABLE_CUDA = flag("NUMBA_DISABLE_CUDA", 0)
CUDA_LOW_OCCUPANCY_WARNINGS = flag("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", 1)
CUDA_WARN_ON_IMPLICIT_COPY = flag("NUMBA_CUDA_WARN_ON_IMPLICIT_COPY", 1)
CUDA_ARRAY_INTERFACE_SYNC = flag("NUMBA_CUDA_ARRAY_INTERFACE_SYNC", 1)
CUDA_DEBUGINFO_DEFAULT = flag("NUMBA_CUDA_DEBUGINFO", 0)
CUDA_PER_THREAD_DEFAULT_STREAM = flag("NUMBA_CUDA_PER_THREAD_DEFAULT_STREAM", 0)
CUDA_DEALLOCS_COUNT = flag("NUMBA_CUDA_MAX_PENDING_DEALLOCS_COUNT", 10)
CUDA_DEALLOCS_RATIO = _share("NUMBA_CUDA_MAX_PENDING_DEALLOCS_RATIO", 0.2)
CUDA_NVRTC_EXTRA_SEARCH_PATHS = os.environ.get("NUMBA_CUDA_NVRTC_EXTRA_SEARCH_PATHS", "")
CUDA_LOG_LEVEL = os.environ.get("NUMBA_CUDA_LOG_LEVEL", "")
CUDA_KEEP_PTX = 0
CUDA_DEBUG_POLY = 0
CUDA_DEBUG_POLY_USE_TYPED_CONST = 1
CUDA_ENABLE_NRT = 0  # kernels make no arrays of their own; nothing depends on it
DISABLE_PERFORMANCE_WARNINGS = flag("NUMBA_DISABLE_PERFORMANCE_WARNINGS", 0)
OPT = _OptLevel(os.environ.get("NUMBA_OPT") or 3)
DEBUG = 0
DISABLE_JIT = flag("NUMBA_DISABLE_JIT", 0)  # CPU functions run in Python
# Stages of each kernel that is compiled, printed: see phalanx._kernels.dump.
DUMP_IR = flag("NUMBA_DUMP_IR", 0)
DUMP_LLVM = flag("NUMBA_DUMP_LLVM", 0)
DUMP_OPTIMIZED = flag("NUMBA_DUMP_OPTIMIZED", 0)
DUMP_ASSEMBLY = flag("NUMBA_DUMP_ASSEMBLY", 0)
CACHE_DIR = os.environ.get("PHALANX_CACHE_DIR", "")


def __getattr__(name: str) -> Any:
    if name == "NUMBA_NUM_THREADS":
        from .._core.threads import most_threads

        return most_threads()
    if name in ("THREADING_LAYER", "NUMBA_DEFAULT_NUM_THREADS"):
        return "workqueue" if name == "THREADING_LAYER" else os.cpu_count() or 1
    raise AttributeError(f"phalanx has no setting numba.config.{name}")


class _Config(ModuleType):
    """Passes the settings on that the engine has too, whenever one is changed."""

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if _joined is not None and name in vars(_joined) and vars(_joined)[name] != value:
            setattr(_joined, name, value)
        if name in ("CUDA_LOW_OCCUPANCY_WARNINGS", "CUDA_WARN_ON_IMPLICIT_COPY"):
            _set_advice()
        elif name in ("CUDA_DEALLOCS_COUNT", "CUDA_DEALLOCS_RATIO"):
            _set_pending_limits()


_joined: ModuleType | None = None  # the installed Numba's settings, once they are there


def join(theirs: ModuleType) -> None:
    """From now on a setting that both have is changed in both."""
    global _joined
    _joined = theirs


def set_from_numba(name: str, value: Any) -> None:
    """A setting of the installed Numba's was changed."""
    if name in globals() and globals()[name] != value:
        setattr(sys.modules[__name__], name, value)


def apply() -> None:
    """Sets which performance warnings launches give, and what memory waits to be given back."""
    if DISABLE_CUDA:
        from .. import _engine

        _engine.disable_devices(
            "CUDA is disabled due to setting NUMBA_DISABLE_CUDA=1 in the environment; unset it, or "
            "set PHALANX_DEVICE=cpu instead to run kernels on the CPU"
        )
    _set_advice()
    _set_pending_limits()


def _set_advice() -> None:
    from .. import _engine

    _engine.set_advice(
        low_occupancy=bool(CUDA_LOW_OCCUPANCY_WARNINGS),
        implicit_copies=bool(CUDA_WARN_ON_IMPLICIT_COPY),
    )


def _set_pending_limits() -> None:
    from .. import _engine

    count, ratio = max(int(CUDA_DEALLOCS_COUNT), 0), min(max(float(CUDA_DEALLOCS_RATIO), 0.0), 1.0)
    _engine.set_pending_limits(count, ratio)


sys.modules[__name__].__class__ = _Config
config.use(sys.modules[__name__])
