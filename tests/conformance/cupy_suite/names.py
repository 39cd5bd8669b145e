"""The import names of the suite.

`cupy` and `cupyx` come from `phalanx.compat`, as under ``python -m phalanx run``. On top of that
`cupy.testing` and what tests derive classes from are the checkout's, a few private values that its
helpers and the tests' guards need are ours (`values.py`), and what Phalanx does not provide is a
placeholder.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from placeholders import Placeholder, PlaceholderLoader

from . import values

SOURCE_VARIABLE = "PHALANX_CUPY_SRC"
# The cache's classes are here for the tests that put one of their own in its place.
CHECKOUTS = ("cupy.testing", "cupy.cuda._compiler_cache")
ROOTS = ("cupy", "cupyx", "cupy_backends")
# Modules that tests reach as attributes of their package, without an import.
REACHED = (
    "cupy._core", "cupy._core._accelerator", "cupy._core._cub_reduction", "cupy._core._dtype",
    "cupy._core._fusion_kernel", "cupy._core._gufuncs", "cupy._core._kernel",
    "cupy._core._routines_linalg", "cupy._core._routines_math", "cupy._core._routines_statistics",
    "cupy._core._scalar", "cupy._core.core", "cupy._core.flags", "cupy._core.fusion",
    "cupy._core.internal", "cupy._core.new_fusion", "cupy._core.syncdetect", "cupy._creation",
    "cupy._creation.from_data", "cupy._environment", "cupy._indexing", "cupy._util", "cupy.cublas",
    "cupy.cuda", "cupy.cuda._compiler_cache", "cupy.cuda.compiler", "cupy.cuda.cub",
    "cupy.cuda.cufft", "cupy.cuda.curand", "cupy.cuda.cusolver", "cupy.cuda.cutensor",
    "cupy.cuda.device", "cupy.cuda.driver", "cupy.cuda.memory", "cupy.cuda.memory_hook",
    "cupy.cuda.memory_hooks", "cupy.cuda.nvrtc", "cupy.cuda.texture", "cupy.cuda.thrust",
    "cupy.exceptions", "cupy.fft", "cupy.fft._callback", "cupy.fft._fft", "cupy.lib",
    "cupy.lib.stride_tricks", "cupy.linalg", "cupy.linalg._util", "cupy.polynomial", "cupy.random",
    "cupy.random._bit_generator", "cupy.random._distributions", "cupy.random._generator",
    "cupy.random._generator_api", "cupy.random._sample", "cupy.testing", "cupyx.cusolver",
    "cupyx.cusparse", "cupyx.cutensor", "cupyx.jit", "cupyx.linalg", "cupyx.optimizing",
    "cupyx.scipy", "cupyx.scipy.fftpack", "cupyx.scipy.sparse", "cupyx.scipy.special",
    "cupy_backends.cuda.api.driver", "cupy_backends.cuda.api.runtime",
)  # fmt: skip
# Private modules whose names are public ones of another module.
PUBLIC = {
    **dict.fromkeys(
        ("_bit_generator", "_distributions", "_generator", "_generator_api", "_sample"),
        "cupy.random",
    ),
    "_fft": "cupy.fft",
}
# Names that test modules use at their top level, beyond what is served.
NEEDED = {
    "cupyx": ("get_runtime_info",),
    "cupy.cuda": (
        "MemoryHook",
        "Memory",
        "BaseMemory",
        "cublas",
        "cusolver",
        "nccl",
    ),
}


class Finder(importlib.abc.MetaPathFinder):
    """Comes before Phalanx's own finder, and leaves to it what it knows."""

    def __init__(self, source: Path, served: importlib.abc.MetaPathFinder) -> None:
        self._source = source
        self._served = served

    def find_spec(
        self, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if any(f"{fullname}.".startswith(f"{each}.") for each in CHECKOUTS):
            return self._in_checkout(fullname)
        if fullname.partition(".")[0] not in ROOTS:
            return None
        try:
            if self._served.find_spec(fullname, path) is not None:
                return None
        except ImportError:
            pass
        return importlib.machinery.ModuleSpec(fullname, PlaceholderLoader(), is_package=True)

    def _in_checkout(self, fullname: str) -> importlib.machinery.ModuleSpec | None:
        place = self._source.joinpath(*fullname.split("."))
        if place.is_dir():
            return importlib.util.spec_from_file_location(
                fullname, place / "__init__.py", submodule_search_locations=[str(place)]
            )
        return importlib.util.spec_from_file_location(fullname, place.with_suffix(".py"))


def fill_in() -> None:
    """Imports the modules that tests reach, and gives them the values that they need."""
    for name in REACHED:
        module = importlib.import_module(name)
        package, _, last = name.rpartition(".")
        setattr(sys.modules[package], last, module)
        public = sys.modules.get(PUBLIC.get(last, ""))
        for each in dir(public) if public else ():
            if not each.startswith("_"):
                setattr(module, each, getattr(public, each))
        vars(module).update(values.VALUES.get(name, {}))
    for name, needed in NEEDED.items():
        module = sys.modules[name]
        for each in needed:
            if not hasattr(module, each):
                setattr(module, each, Placeholder(f"{name}.{each}"))


def install() -> None:
    """Installs the names; `SOURCE_VARIABLE` names the checkout."""
    from phalanx._device import devices

    from phalanx import compat

    devices.serve_cpu_as_cuda()  # as ``phalanx run`` does
    compat.install()
    served = next(finder for finder in sys.meta_path if isinstance(finder, compat.Finder))
    sys.meta_path.insert(0, Finder(Path(os.environ[SOURCE_VARIABLE]), served))
    fill_in()
