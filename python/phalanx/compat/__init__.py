"""Other libraries' import names, served by Phalanx: what ``python -m phalanx run`` installs.

`TABLE` maps an import name to the module that answers to it. A name of `COMING`, or a module below
a served name that has no row, gives an `ImportError` that says so.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType

from . import _text_sources

TABLE: dict[str, str] = {
    "numba": "phalanx.compat.numba",
    "numba.types": "phalanx.types",
    "numba.extending": "phalanx.extending",
    "numba.misc": "phalanx.compat.numba_misc",
    "numba.misc.special": "phalanx.compat.numba_misc",
    "numba.core": "phalanx.compat.numba_core",
    "numba.core.types": "phalanx.types",
    "numba.core.errors": "phalanx.compat.numba_errors",
    "numba.core.config": "phalanx.compat.numba_config",
    "numba.core.typing": "phalanx.compat.numba_typing",
    "numba.core.typing.typeof": "phalanx.compat.numba_typeof",
    "numba.errors": "phalanx.compat.numba_errors",
    "numba.np": "phalanx.compat.numba_np",
    "numba.np.numpy_support": "phalanx.compat.numba_np",
    "numba.cuda": "phalanx.compat.numba_cuda",
    "numba.cuda.api": "phalanx.compat.numba_cuda",
    "numba.cuda.bf16": "phalanx.cuda.bf16",
    "numba.cuda.compiler": "phalanx.cuda._compile",
    "numba.cuda.config": "phalanx.compat.numba_config",
    "numba.cuda.decorators": "phalanx.compat.numba_cuda",
    "numba.cuda.devicearray": "phalanx.cuda.devicearray",
    "numba.cuda.dispatcher": "phalanx.compat.numba_cuda",
    "numba.cuda.errors": "phalanx.compat.numba_cuda_errors",
    "numba.cuda.extending": "phalanx.extending",
    "numba.cuda.intrinsics": "phalanx.compat.numba_cuda",
    "numba.cuda.launchconfig": "phalanx.cuda.launchconfig",
    "numba.cuda.libdevice": "phalanx.cuda.libdevice",
    "numba.cuda.misc": "phalanx.compat.numba_misc",
    "numba.cuda.misc.special": "phalanx.compat.numba_misc",
    "numba.cuda.random": "phalanx.cuda.random",
    "numba.cuda.stubs": "phalanx.compat.numba_cuda",
    "numba.cuda.testing": "phalanx.compat.numba_cuda_testing",
    "numba.cuda.types": "phalanx.types",
    "numba.cuda.typing": "phalanx.compat.numba_typing",
    "numba.cuda.typing.typeof": "phalanx.compat.numba_typeof",
    "numba.cuda.vector_types": "phalanx.cuda.vector_types",
    "numba.cuda.cudadrv": "phalanx.compat.numba_cudadrv",
    "numba.cuda.kernels": "phalanx.cuda.kernels",
    "numba.cuda.kernels.reduction": "phalanx._ufunc.reduction",
    "numba.cuda.kernels.transpose": "phalanx.cuda.kernels.transpose",
    "numba.cuda.cudadrv.devicearray": "phalanx.cuda.devicearray",
    "numba.cuda.cudadrv.devices": "phalanx.compat.numba_devices",
    "numba.cuda.cudadrv.driver": "phalanx.compat.numba_driver",
    "numba.cuda.cudadrv.error": "phalanx.compat.numba_cudadrv_error",
    "numba.cuda.cudadrv.linkable_code": "phalanx.cuda._link",
    "numba.cuda.cudadrv.runtime": "phalanx.compat.numba_runtime",
    "numba.cuda.core": "phalanx.compat.numba_core",
    "numba.cuda.core.errors": "phalanx.compat.numba_errors",
    "numba.cuda.core.config": "phalanx.compat.numba_config",
    "numba.cuda.np": "phalanx.compat.numba_np",
    "numba.cuda.np.numpy_support": "phalanx.compat.numba_np",
}

COMING: dict[str, str] = {
    "cupy": "arrays",
    "cupyx": "arrays",
    "pycuda": "CUDA C modules",
    "cudf": "data frames",
    "cuml": "machine learning",
}


class _Alias(importlib.abc.Loader):
    """Answers an import with a module that has another name."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._own_spec: importlib.machinery.ModuleSpec | None = None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """The target itself, which has run under its own name."""
        module = importlib.import_module(self._target)
        self._own_spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Gives back the spec that importing put over: relative imports inside need its own."""
        module.__spec__ = self._own_spec


class Finder(importlib.abc.MetaPathFinder):
    """Serves the names of `TABLE`, and refuses by name what is still to come."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of a served name; `None` leaves the import to Python."""
        if fullname in TABLE:
            loader = _Alias(TABLE[fullname])
            return importlib.machinery.ModuleSpec(fullname, loader, is_package=True)
        root = fullname.partition(".")[0]
        if root in TABLE:
            raise ModuleNotFoundError(
                f"phalanx does not provide {fullname!r} yet; run the script without "
                "'phalanx run' to use the installed package of that name",
                name=fullname,
            )
        if root in COMING and fullname == root and _is_missing(root):
            raise ModuleNotFoundError(
                f"phalanx does not provide {root!r} yet ({COMING[root]} come in a later "
                f"version), and no package of that name is installed",
                name=fullname,
            )
        return None


def _is_missing(root: str) -> bool:
    """Whether no other finder knows the package."""
    return importlib.machinery.PathFinder.find_spec(root) is None


_FINDER = Finder()


def install() -> None:
    """Installs the import names of `TABLE` in this process; a second call does nothing.

    Modules of those names that are imported already are replaced, so call it first.
    """
    if _FINDER in sys.meta_path:
        return
    for name in list(sys.modules):
        if name.partition(".")[0] in TABLE:
            del sys.modules[name]
    sys.meta_path.insert(0, _FINDER)
    _text_sources.install()
    _set_interface(True)


def _set_interface(on_cpu: bool) -> None:
    from ..cuda._device_array import DeviceNDArray

    DeviceNDArray.has_interface_on_cpu = on_cpu


def uninstall() -> None:
    """Takes the names out again; modules that hold references keep them."""
    if _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)
        _text_sources.uninstall()
        _set_interface(False)
    for name in TABLE:
        sys.modules.pop(name, None)
