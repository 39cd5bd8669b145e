"""Kernels in CUDA C that user kernels become: text, compiled for both devices, and its launch."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from .._arrays import launching
from .._core.toolkit import extra_search_paths
from .._cuda_c import CudaCKernel, CudaCModule, SourceOptions
from ..errors import CompileError
from .cupy_compiler import CompileException


class Function:
    """A kernel in CUDA C of pointers and numbers, on one kind of device.

    `text` has ``@name@`` where the kernel's name is to be. Pointers are passed before numbers:
    int64 and float64. It is compiled by the first launch; wrong text raises `CompileException` with
    the compiler's messages.
    """

    def __init__(self, name: str, text: str, options: Sequence[str]) -> None:
        self._symbol = f"_phx_{name}"  # another name than what the user may have in the text
        self.text = text.replace("@name@", self._symbol)
        self._name, self._options = name, options
        self._kernel: CudaCKernel | None = None

    @property
    def kernel(self) -> CudaCKernel:
        """The compiled kernel."""
        if self._kernel is None:
            try:
                told = SourceOptions.parse(self._options)
                folders = (*told.folders, *extra_search_paths())
                told = dataclasses.replace(told, folders=folders)
                self._kernel = CudaCModule(self.text, self._name, told).kernel(self._symbol)
            except (CompileError, ValueError) as error:
                raise self._told(error) from None
        return self._kernel

    def launch(
        self, device: Any, blocks: Any, block: int, pointers: list[Any], numbers: list[Any]
    ) -> None:
        """Launches the kernel, in order after what was launched before."""
        kernel = self.kernel
        try:
            launching.launch(kernel, blocks, block, device, *pointers, *numbers)
        except CompileError as error:  # the device does not run it
            raise self._told(error) from None

    def _told(self, error: Exception) -> CompileException:
        log = getattr(error, "log", str(error))
        return CompileException(log, self.text, self._name, tuple(self._options))


def number_letters(dtype: Any) -> str:
    """The numbers that one of that dtype is passed as."""
    return {"f": "f", "c": "ff"}.get(dtype.kind, "i")


def numbers_of(value: Any) -> Sequence[Any]:
    """A NumPy number as its letters say; uint64 goes through the bits of int64."""
    kind = value.dtype.kind
    if kind == "c":
        return float(value.real), float(value.imag)
    if kind == "f":
        return (float(value),)
    whole = int(value)
    return (whole - (1 << 64) if whole >= 1 << 63 else whole,)
