"""The import names of the suite: Phalanx's own, the suite's folders, our stubs, and placeholders.

`numba` and what is below it come from `phalanx.compat`, as under ``python -m phalanx run``. On top
of that: `numba.cuda.tests` is the checkout's folder, the suite's two support modules are ours, and
what Phalanx does not provide yet is a placeholder, so that a module's other tests can be imported.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from phalanx.compat import _placeholders
from placeholders import Placeholder, PlaceholderLoader

SOURCE_VARIABLE = "PHALANX_NUMBA_CUDA_SRC"
TESTS = "numba.cuda.tests"

STUBS = {
    "numba.cuda.testing": "numba_cuda_suite.testing",
    "numba.cuda.tests.support": "numba_cuda_suite.support",
    "numba.cuda.config": "phalanx.compat.numba_config",
    "numba.cuda.typing": "numba_cuda_suite.typing_stub",
    "numba.cuda.typing.typeof": "numba_cuda_suite.typeof_stub",
}
# Packages beside numba whose modules test modules import at their top; missing ones, and every
# missing module below numba, are placeholders.
PLACEHOLDER_PACKAGES = ("cffi", "cuda", "ml_dtypes")
# Names that test modules import at their top from modules that Phalanx provides.
PLACEHOLDERS = {
    "numba": ("jit", "njit"),
    "numba.cuda": (
        "compile_ptx", "declare_device", "cg",
        "mapped_array_like", "libdevice", "fp16", "devicearray", "extending",
        "launchconfig", "compiler", "cudadrv", "CUSource", "types", "utils", "vector_types",
        "cgutils", "descriptor",
    ),
    "numba.cuda.np.numpy_support": ("carray", "farray"),
    "numba.cuda.types": ("CPointer",),
    "numba.cuda.compiler": ("run_frontend",),
    "numba.cuda.core": ("ir", "ir_utils", "postproc", "rewrites", "tracing"),
    "numba.cuda.cudadrv": ("devices", "enums", "libs", "nvrtc", "nvvm", "runtime"),
    "numba.cuda.cudadrv.driver": (
        "_Linker", "_have_nvjitlink", "_to_core_stream", "binding", "device_memset",
        "device_to_host", "driver", "host_to_device",
    ),
    "numba.cuda.extending": (
        "core_models", "models", "register_model", "make_attribute_wrapper", "typeof_impl",
        "type_callable", "lower_builtin", "lower_cast", "lower", "intrinsic", "box", "unbox",
        "NativeValue", "cuda_registry", "typeof", "overload_classmethod", "cgutils",
    ),
}  # fmt: skip


class StubLoader(importlib.abc.Loader):
    """One module under two names."""

    def __init__(self, target: str) -> None:
        self._target = target

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._target)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec


class Finder(importlib.abc.MetaPathFinder):
    """Comes before Phalanx's own finder, and leaves to it what it knows."""

    def __init__(self, tests: Path, served: importlib.abc.MetaPathFinder) -> None:
        self._tests = tests
        self._served = served

    def find_spec(
        self, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname in STUBS:
            loader = StubLoader(STUBS[fullname])
            return importlib.machinery.ModuleSpec(fullname, loader)
        if fullname == TESTS or fullname.startswith(f"{TESTS}."):
            return self._in_checkout(fullname)
        root = fullname.partition(".")[0]
        if root in ("numba", *PLACEHOLDER_PACKAGES) and self._is_missing(fullname, path):
            return importlib.machinery.ModuleSpec(fullname, PlaceholderLoader(), is_package=True)
        return None

    def _in_checkout(self, fullname: str) -> importlib.machinery.ModuleSpec | None:
        place = self._tests.joinpath(*fullname.removeprefix(TESTS).split("."))
        if place.is_dir():  # without its __init__, which loads the whole suite
            spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = [str(place)]
            return spec
        file = place.with_suffix(".py")
        if file.exists():  # also in a process that a test starts
            fill_in()
        return importlib.util.spec_from_file_location(fullname, file) if file.exists() else None

    def _is_missing(self, fullname: str, path: Any) -> bool:
        if not fullname.startswith("numba"):
            return importlib.machinery.PathFinder.find_spec(fullname, path) is None
        try:
            spec = self._served.find_spec(fullname, path)
        except ImportError:
            return True
        return spec is None or _placeholders.is_placeholder(spec)


@functools.cache
def fill_in() -> None:
    """Sets the placeholders for names that Phalanx's modules lack."""
    cuda = importlib.import_module("numba.cuda")
    for name, value in {
        "HAS_NUMBA": True,
        "config": importlib.import_module("numba.cuda.config"),
    }.items():
        vars(cuda).setdefault(name, value)
    for module_name, names in PLACEHOLDERS.items():
        module = importlib.import_module(module_name)
        for name in names:
            if not _is_there(module, name):
                vars(module)[name] = Placeholder(f"{module_name}.{name}")


def _is_there(module: ModuleType, name: str) -> bool:
    """Returns whether a module of Phalanx has the name, not one of its own placeholders for it.

    Phalanx's placeholders raise as soon as they are called, these when a test calls them.
    """
    try:
        return not isinstance(getattr(module, name), _placeholders.Placeholder)
    except (AttributeError, ImportError):
        return False


def keep_command_line() -> None:
    """Kernels in ``python -c TEXT`` need their source, as under ``python -m phalanx run -c``."""
    arguments = sys.orig_argv[1:]
    if "-c" in arguments[:-1]:
        text = arguments[arguments.index("-c") + 1]
        linecache.cache["<string>"] = (len(text), None, text.splitlines(keepends=True), "<string>")


def install() -> None:
    """Installs the names; `SOURCE_VARIABLE` names the checkout."""
    from phalanx._device import devices

    from phalanx import compat

    devices.serve_cpu_as_cuda()  # as ``phalanx run`` does
    compat.install(beside_installed=False)
    keep_command_line()
    tests = Path(os.environ[SOURCE_VARIABLE]) / "numba_cuda" / "numba" / "cuda" / "tests"
    served = next(finder for finder in sys.meta_path if isinstance(finder, compat.Finder))
    sys.meta_path.insert(0, Finder(tests, served))
