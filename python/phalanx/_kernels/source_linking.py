"""CUDA C that kernels in Python call, linked with them in the intermediate representation."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _engine
from .._core.toolkit import extra_search_paths, find_library
from .._core.warnings import warn
from .._cuda_c import SourceOptions, nvrtc
from .._cuda_c.compiler import compile_with_log
from .._types.aggregates import Record
from ..errors import CompileError, DeviceError, LoweringError
from .link import ExternFunction, LinkableCode, driver_rows, without_repetitions


class Linking:
    """What one kernel is linked with: CUDA C becomes part of it, the driver links the rest.

    The driver also links what the front end for CUDA C refuses, such as a heap: NVRTC makes PTX of
    it, as of all sources where ``PHALANX_CUDA_C_COMPILER`` asks for that. It has all sources of a
    kernel or none: pointers to functions and objects with virtual methods are something else to
    each compiler. `functions` are those that the kernel calls of the code.
    """

    def __init__(
        self,
        codes: Sequence[LinkableCode],
        lineinfo: bool,
        functions: Sequence[ExternFunction] = (),
    ) -> None:
        self._functions = functions
        each_once = without_repetitions(codes)
        self._sources = [code for code in each_once if code.kind == "cu"]
        self._others = [code for code in each_once if code.kind != "cu"]
        self._of_nvrtc: tuple[LinkableCode, ...] = ()
        self._lineinfo = lineinfo
        # Headers may change, and are no part of the key: such a kernel is not kept on disk.
        self.has_folders = bool(self._sources) and bool(extra_search_paths())

    @property
    def identity(self) -> bytes:
        """What decides the code: part of the disk cache's key."""
        parts = [nvrtc.chosen(None).encode()]
        parts += [code.octets for code in (*self._sources, *self._others)]
        return b"".join(b"%d|" % len(each) + each for each in parts)

    def link(self, module: _engine.Module) -> _engine.Module:
        """The module of a kernel, with the bodies of the functions that it declares.

        Raises `CompileError` with the messages of the front end for source that is wrong, and for
        functions whose types are others than those that are declared; `LoweringError` for records
        by value where NVRTC compiles the source.
        """
        if not self._sources or not _engine.external_functions(module):
            return module
        compiled = self._compiled()
        if compiled is None:
            self._check_values()
        made = _engine.link_modules(module, compiled) if compiled else module
        # The engine makes the module once, for all devices: what it lacks is settled with it.
        self._of_nvrtc = () if compiled else tuple(self._sources)
        return made

    def _compiled(self) -> list[_engine.Module] | None:
        """The sources by phalanx's compiler; None where NVRTC gets them."""
        on_gpu = not _engine.current_device().is_host
        if on_gpu and nvrtc.chosen(None) == "nvrtc":
            return None
        try:
            return [_compile(source) for source in self._sources]
        except (CompileError, DeviceError):  # of the source, or the front end is not installed
            if not on_gpu or find_library("nvrtc") is None:
                raise
            return None

    def _check_values(self) -> None:
        """Raises `LoweringError` for records by value, which the driver links for nobody else."""
        for each in self._functions:
            is_of_source = not each.link or any(code.kind == "cu" for code in each.link)
            passed = [*each.sig.args, *([each.sig.return_type] if each.abi == "c" else [])]
            if is_of_source and any(isinstance(type_, Record) for type_ in passed):
                names = ", ".join(source.name for source in self._sources)
                raise LoweringError(
                    f"{each.name} takes or gives a record by value, and NVRTC compiles its source "
                    f"here ({names}), with which records go by pointers only: declare "
                    "types.CPointer(record), or set PHALANX_CUDA_C_COMPILER=phalanx where that "
                    "compiler takes all sources"
                )

    def rows(self, capability: tuple[int, int]) -> list[tuple[str, str, bytes]]:
        """What the driver links, once the kernel's module is made; see `driver_rows`."""
        return driver_rows([*self._of_nvrtc, *self._others], capability, self._lineinfo)


def _compile(source: LinkableCode) -> _engine.Module:
    options = SourceOptions(folders=tuple(extra_search_paths()))
    module, log = compile_with_log(source.octets, source.name, options, linked=True)
    if log.strip():
        warn("LinkWarning", f"messages of the compiler about {source.name}:\n\n{log.strip()}\n")
    return module
