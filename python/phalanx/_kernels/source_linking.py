"""CUDA C that kernels in Python call, linked with them in the intermediate representation."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _engine
from .._core.toolkit import extra_search_paths, find_library
from .._core.warnings import warn
from .._cuda_c import SourceOptions, nvrtc
from .._cuda_c.compiler import compile_with_log
from ..errors import CompileError, DeviceError
from .link import LinkableCode, driver_rows, without_repetitions


class Linking:
    """What one kernel is linked with: CUDA C becomes part of it, the driver links the rest.

    The driver also links what the front end for CUDA C refuses, such as inline assembly: NVRTC
    makes PTX of it, as of all sources where ``PHALANX_CUDA_C_COMPILER`` asks for that.
    """

    def __init__(self, codes: Sequence[LinkableCode], lineinfo: bool) -> None:
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
        functions whose types are others than those that are declared.
        """
        if not self._sources or not _engine.external_functions(module):
            return module
        on_gpu = not _engine.current_device().is_host
        compiled: list[_engine.Module] = []
        of_nvrtc: list[LinkableCode] = []
        is_of_nvrtc = on_gpu and nvrtc.chosen(None) == "nvrtc"
        for source in self._sources:
            if is_of_nvrtc:
                of_nvrtc.append(source)
                continue
            try:
                compiled.append(_compile(source))
            except (CompileError, DeviceError):  # of the source, or the front end is not installed
                if not on_gpu or find_library("nvrtc") is None:
                    raise
                of_nvrtc.append(source)
        made = _engine.link_modules(module, compiled) if compiled else module
        # The engine makes the module once, for all devices: what it lacks is settled with it.
        self._of_nvrtc = tuple(of_nvrtc)
        return made

    def rows(self, capability: tuple[int, int]) -> list[tuple[str, str, bytes]]:
        """What the driver links, once the kernel's module is made; see `driver_rows`."""
        return driver_rows([*self._of_nvrtc, *self._others], capability, self._lineinfo)


def _compile(source: LinkableCode) -> _engine.Module:
    options = SourceOptions(folders=tuple(extra_search_paths()))
    module, log = compile_with_log(source.octets, source.name, options, linked=True)
    if log.strip():
        warn("LinkWarning", f"messages of the compiler about {source.name}:\n\n{log.strip()}\n")
    return module
