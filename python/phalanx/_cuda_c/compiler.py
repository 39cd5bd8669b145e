"""CUDA C source to the engine's intermediate representation."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Sequence
from pathlib import Path

from .. import _engine
from ..errors import CompileError, DeviceError
from .options import PLAIN, SourceOptions

_FILE = "libphalanx_cudac.so"


@functools.cache
def library_path() -> Path:
    """The library of the front end, which is a package of its own: beside the engine, else there.

    Raises `DeviceError` where it is not installed.
    """
    beside = Path(_engine.__file__).parent / _FILE
    if beside.exists():
        return beside
    try:
        package = importlib.import_module("phalanx_cudac")
    except ImportError:
        raise DeviceError(
            "CUDA C needs the front end that is a package of its own: pip install phalanx[cuda-c]"
        ) from None
    return Path(package.__file__ or "").parent / _FILE


def compile_source(
    text: str | bytes,
    name: str = "kernel.cu",
    options: SourceOptions = PLAIN,
    kernels: Sequence[str] = (),
    assertions: bool = True,
) -> _engine.Module:
    """The kernels of CUDA C source, and what they share.

    `kernels` are name expressions: wanted instances of templates, such as ``scale<float>``.
    Raises `CompileError`, whose `log` has the messages with their lines, for source with errors.
    """
    return compile_with_log(text, name, options, kernels, assertions)[0]


def compile_with_log(
    text: str | bytes,
    name: str = "kernel.cu",
    options: SourceOptions = PLAIN,
    kernels: Sequence[str] = (),
    assertions: bool = True,
    linked: bool = False,
) -> tuple[_engine.Module, str]:
    """As `compile_source`, with the compiler's warnings.

    With `linked` functions that other sources see are exported, and functions without a body are
    left to others: see ``_engine.link_modules``.
    """
    octets = text.encode() if isinstance(text, str) else bytes(text)
    module, log = _engine.compile_cuda_c(
        str(library_path()),
        name,
        octets,
        folders=list(options.folders),
        macros=list(options.macros),
        kernels=list(kernels),
        standard=options.standard,
        assertions=assertions,
        linked=linked,
    )
    if module is None:
        raise compile_error(name, log)
    return module, log


def compile_error(name: str, log: str) -> CompileError:
    """The error for what a compiler says of a source."""
    error = CompileError(f"{name} does not compile:\n{log.rstrip()}")
    error.sentence = next((line for line in log.splitlines() if "error:" in line), log)
    error.log = log  # type: ignore[attr-defined]
    return error
