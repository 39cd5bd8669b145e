"""NVIDIA's compiler in the place of phalanx's own for GPUs, where it is asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from .._core.toolkit import find_library, include_folders
from ..errors import DeviceError
from .nvrtc_headers import HEADERS
from .options import SourceOptions

COMPILERS = ("phalanx", "nvrtc")
VARIABLE = "PHALANX_CUDA_C_COMPILER"

# As KernelModule takes it: library, name, text, options, name expressions, headers.
NvrtcSource = tuple[str, str, str, list[str], list[str], list[tuple[str, str]]]


def chosen(compiler: str | None) -> str:
    """The compiler for GPUs: the given one, by default that of the environment's variable.

    Raises `ValueError` for one that is not known.
    """
    given = os.environ.get(VARIABLE, "phalanx") if compiler is None else compiler
    if given not in COMPILERS:
        raise ValueError(f"compiler is one of {', '.join(COMPILERS)}, not {given!r}")
    return given


def library() -> Path:
    """The file of NVRTC. Raises `DeviceError` where it is not installed."""
    found = find_library("nvrtc")
    if found is None:
        raise DeviceError(
            "CUDA C by NVRTC, and libnvrtc was not found: pip install nvidia-cuda-nvrtc, or "
            "install the CUDA toolkit and set CUDA_HOME; compiler='phalanx' needs none"
        )
    return found.resolve()


def source_of(text: str, name: str, options: SourceOptions, kernels: Sequence[str]) -> NvrtcSource:
    """What NVRTC is given, with the toolkit's headers in the place of phalanx's own.

    Those of C and C++, which NVRTC does not have, come from `HEADERS`.
    """
    given = [f"-D{macro}" for macro in options.macros]
    given += [f"--include-path={folder}" for folder in (*options.folders, *include_folders())]
    given.append(f"--std=c++{options.standard:02d}")
    # Lambdas and members without a word are of the device, as phalanx's own front end has it.
    given.append("--device-as-default-execution-space")
    given += ["--use_fast_math"] if options.fastmath else []
    given += [] if options.contract else ["--fmad=false"]
    given += [f"--maxrregcount={options.max_registers}"] if options.max_registers else []
    return str(library()), name, text, given, list(kernels), HEADERS
