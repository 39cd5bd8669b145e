"""Other libraries' import names, served by Phalanx: what ``python -m phalanx run`` installs.

`TABLE` maps an import name of Numba's to the module that answers to it, `_cupy_table` one of
CuPy's, `_cudf_table` one of cuDF's, `_cuml_table` one of cuML's,
`_dask_cudf_table` one of dask_cudf's and `_pycuda_table` one of PyCUDA's, whatever is installed.
Where Numba is installed, only the rows of ``numba.cuda`` count: the rest of ``numba`` is the
installed package, with our decorators in it (`_installed`). A module below a served name that has
no row is a placeholder (`_placeholders`) of Numba's, and not there of the others.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType

from .._types.numba_objects import find_installed
from . import (
    _cudf_table,
    _cuml_table,
    _cupy_table,
    _dask_cudf_table,
    _installed,
    _placeholders,
    _pycuda_table,
    _text_sources,
)
from ._table import TABLE

# Rows of Numba's inside: their names may be read, and not set.
_INSIDE = (
    "numba.cuda.api", "numba.cuda.compiler", "numba.cuda.cudadrv", "numba.cuda.decorators",
    "numba.cuda.dispatcher", "numba.cuda.intrinsics", "numba.cuda.stubs", "numba.cuda.typing",
)  # fmt: skip


class _Alias(importlib.abc.Loader):
    """Answers an import with a module that has run already, or has another name."""

    def __init__(self, target: str | ModuleType) -> None:
        self._target = target
        self._own_spec: importlib.machinery.ModuleSpec | None = None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """The target itself, which has run under its own name."""
        target = self._target
        module = importlib.import_module(target) if isinstance(target, str) else target
        self._own_spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Gives back the spec that importing put over: relative imports inside need its own."""
        module.__spec__ = self._own_spec


def _alias(name: str, target: str | ModuleType) -> importlib.machinery.ModuleSpec:
    return importlib.machinery.ModuleSpec(name, _Alias(target), is_package=True)


class Finder(importlib.abc.MetaPathFinder):
    """Serves the names of the tables."""

    def __init__(self) -> None:
        # Names of the installed Numba that lead here; None where `TABLE` serves all of numba.
        self.beside: frozenset[str] | None = None
        self.has_others = True  # than Numba's; not with ``--only cuda``

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of a served name; `None` leaves the import to Python."""
        root = fullname.partition(".")[0]
        if root in _OTHERS:
            return _OTHERS[root](fullname) if self.has_others else None
        if root in TABLE and self.beside is not None and not _is_cuda(fullname):
            return self._beside(fullname, self.beside)
        if fullname in TABLE:
            is_inside = f"{fullname}.".startswith(tuple(f"{each}." for each in _INSIDE))
            made = _placeholders.inside_spec if is_inside else _alias
            return made(fullname, TABLE[fullname])
        if root in TABLE:
            return _placeholders.spec(fullname)
        return None

    def _beside(
        self, fullname: str, names: frozenset[str]
    ) -> importlib.machinery.ModuleSpec | None:
        """A name of the installed Numba's, whose modules need the package itself."""
        if fullname != "numba":
            _installed.ensure_loaded()  # which may import the module itself
            # Out for a moment: importlib would run a module again that came in meanwhile.
            found = sys.modules.pop(fullname, None)
            return None if found is None else _alias(fullname, found)
        spec = find_installed()
        if spec is not None and spec.loader is not None:
            spec.loader = _installed.Loader(spec.loader, names)
        return spec


def _cupy_spec(name: str) -> importlib.machinery.ModuleSpec:
    if name in _cupy_table.TABLE:
        return _alias(name, _cupy_table.TABLE[name])
    if name.startswith("cupyx.scipy."):
        from . import cupyx_scipy

        made = cupyx_scipy.module(name)
        if made is not None:
            return _alias(name, made)
    raise ModuleNotFoundError(
        f"phalanx does not provide {name}; {_cupy_table.remedy(name)}", name=name
    )


def _pycuda_spec(name: str) -> importlib.machinery.ModuleSpec:
    if name in _pycuda_table.TABLE:
        return _alias(name, _pycuda_table.TABLE[name])
    raise ModuleNotFoundError(
        f"phalanx does not provide {name}; {_pycuda_table.remedy(name)}", name=name
    )


def _cudf_spec(name: str) -> importlib.machinery.ModuleSpec:
    if name in _cudf_table.TABLE:
        return _alias(name, _cudf_table.TABLE[name])
    raise ModuleNotFoundError(
        f"phalanx does not provide {name}; {_cudf_table.remedy(name)}", name=name
    )


def _cuml_spec(name: str) -> importlib.machinery.ModuleSpec:
    target = _cuml_table.TABLE.get(name)
    if target is not None:
        return _alias(name, target)
    if name in _cuml_table.TABLE:
        from .cuml.modules import module

        return _alias(name, module(name.partition(".")[2]))
    raise ModuleNotFoundError(
        f"phalanx does not provide {name}; {_cuml_table.remedy(name)}", name=name
    )


def _dask_cudf_spec(name: str) -> importlib.machinery.ModuleSpec:
    if name in _dask_cudf_table.TABLE:
        return _alias(name, _dask_cudf_table.TABLE[name])
    raise ModuleNotFoundError(
        f"phalanx does not provide {name}; {_dask_cudf_table.remedy(name)}", name=name
    )


_OTHERS = {
    "cudf": _cudf_spec,
    "cuml": _cuml_spec,
    "cupy": _cupy_spec,
    "cupyx": _cupy_spec,
    "dask_cudf": _dask_cudf_spec,
    "pycuda": _pycuda_spec,
}


def _is_cuda(name: str) -> bool:
    return f"{name}.".startswith("numba.cuda.")


_FINDER = Finder()
_REPLACED: dict[str, ModuleType] = {}  # what `install` took out of `sys.modules`


def _remove_redirector() -> None:
    """Takes away numba-cuda's finder: it asks itself without end for what nobody serves."""
    redirector = sys.modules.get("_numba_cuda_redirector")
    finder = getattr(redirector, "finder", None)
    if finder in sys.meta_path:
        sys.meta_path.remove(finder)


def install(only: str | None = None, *, beside_installed: bool = True) -> None:
    """Installs the import names of `TABLE` in this process; a second call does nothing.

    With ``only="cuda"`` no more than ``numba.cuda`` is served, neither CuPy's nor PyCUDA's names
    nor the rest of ``numba``, which is the installed package as it is; with
    ``beside_installed=False`` all of ``numba`` is served from here, whatever is installed. Modules
    of those names that are imported
    already are replaced, so call it first.

    Raises `ValueError` for another `only`, and for ``"cuda"`` where Numba is not installed.
    """
    if _FINDER in sys.meta_path:
        return
    if only not in (None, "cuda"):
        raise ValueError(f"only 'cuda' can be served alone, not {only!r}")
    is_installed = find_installed() is not None and beside_installed
    if only and not is_installed:
        raise ValueError("there is no other part of numba to leave alone: it is not installed")
    if is_installed:
        _FINDER.beside = _installed.OURS if only is None else frozenset(("cuda",))
    for name in list(sys.modules):
        root = name.partition(".")[0]
        if root in TABLE or (root in _OTHERS and only is None):
            _REPLACED[name] = sys.modules.pop(name)
    _FINDER.has_others = only is None
    sys.meta_path.insert(0, _FINDER)
    _remove_redirector()
    _text_sources.install()
    _set_interface(True)
    from . import numba_config

    numba_config.apply()  # the environment variables NUMBA_CUDA_*


def _set_interface(on_cpu: bool) -> None:
    from .._device.arrays import DeviceNDArray

    DeviceNDArray.has_interface_on_cpu = on_cpu


def uninstall() -> None:
    """Takes the names out again and puts back the modules that `install` replaced.

    What holds references to ours keeps them.
    """
    if _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)
        _text_sources.uninstall()
        _set_interface(False)
    _FINDER.beside = None
    if "cudf" in sys.modules:
        importlib.import_module(".._frames.options", __name__).reset_option("compute.values")
    # Of an installed Numba that was imported before, no second copy may stay beside the first.
    roots = {*_OTHERS, *(name.partition(".")[0] for name in _REPLACED)}
    for name in list(sys.modules):
        if name in TABLE or name.partition(".")[0] in roots:
            del sys.modules[name]
    sys.modules.update(_REPLACED)
    _REPLACED.clear()
