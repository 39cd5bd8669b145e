"""Private names of CuPy's that its test helpers and the guards of its tests need, and no more."""

from __future__ import annotations

import math
import shutil
import subprocess
from typing import Any

from phalanx._device import devices
from phalanx.compat import (
    cupy_kernels,
    cupy_raw_kernels,
    cupyx_gufunc,
)

import phalanx


class PerformanceWarning(RuntimeWarning):
    """Of CuPy's slow ways."""


def prod(numbers: Any) -> int:
    return math.prod(numbers)


def get_size(size: Any) -> tuple[int, ...]:
    return (size,) if hasattr(size, "__index__") else tuple(size)


def stacked_identity(batch: tuple[int, ...], n: int, dtype: Any) -> Any:
    """What the tests compare with: identity matrices."""
    return phalanx.broadcast_to(phalanx.eye(n, dtype=dtype), (*batch, n, n))


def compile_module(source: str, options: Any = (), extra_source: Any = None) -> Any:
    return cupy_raw_kernels.RawModule(code=source, options=options).module


def run_nvcc(command: list[str], folder: str, compiler: str) -> str:
    """Runs the compiler with which tests make PTX and cubins."""
    if shutil.which(command[0]) is None:
        return "release 12.0"  # a module asks for the version as it loads
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def architecture() -> str:
    major, minor = devices.get_current_device().compute_capability
    return f"{major}{minor}"


VALUES: dict[str, dict[str, Any]] = {
    "cupy_backends.cuda.api.driver": {"get_build_version": lambda: 12090},
    "cupy_backends.cuda.api.runtime": {"is_hip": False},
    "cupy.cuda.cusolver": {"_getVersion": lambda: (11, 7, 5)},
    # Guards of tests ask which cuSPARSE there is, and what it can.
    "cupyx.cusparse": {"getVersion": lambda: 12509, "check_availability": lambda name: True},
    "cupy._core": {
        "get_size": get_size,
        "_get_warpsize": lambda: 32, "_full_mask": lambda: 0xFFFFFFFF,
        # None of CuPy's accelerators is there: tests that choose them take the usual way.
        "get_reduction_accelerators": list, "set_reduction_accelerators": lambda _: None,
        # Of cuBLAS: products have the precision of their dtype always.
        "get_compute_type": lambda dtype: 0, "set_compute_type": lambda dtype, kind: None,
    },
    "cupy._core._gufuncs": {  # the class under its public name is cupyx.GeneralizedUFunc
        "_GUFunc": cupyx_gufunc.GeneralizedUFunc,
        "_parse_gufunc_signature": cupyx_gufunc.parse_signature,
    },
    "cupy._core.core": {"ndarray": phalanx.ndarray},
    "cupy._core.internal": {"prod": prod},
    "cupy._core._accelerator": {
        # None of CuPy's accelerators is there: tests that choose them take the usual way.
        "ACCELERATOR_CUB": 1, "ACCELERATOR_CUTENSOR": 2,
        "_get_routine_accelerators": list, "_get_reduction_accelerators": list,
        "_set_routine_accelerators": lambda _: None, "_set_reduction_accelerators": lambda _: None,
        "get_routine_accelerators": list, "get_reduction_accelerators": list,
        "set_routine_accelerators": lambda _: None, "set_reduction_accelerators": lambda _: None,
    },
    "cupy._core._cub_reduction": {"_CUB_REDUCE_SIZE_THRESHOLD": 0},
    "cupy._core._routines_linalg": {
        "COMPUTE_TYPE_DEFAULT": 0, "COMPUTE_TYPE_PEDANTIC": 1, "COMPUTE_TYPE_FP16": 2,
        "COMPUTE_TYPE_FP32": 3, "COMPUTE_TYPE_FP64": 4, "COMPUTE_TYPE_BF16": 5,
        "COMPUTE_TYPE_TF32": 6,
    },
    "cupy.cublas": {  # of one of cuBLAS's ways to solve
        "get_batched_gesv_limit": lambda: 0, "set_batched_gesv_limit": lambda limit: None,
    },
    "cupyx.cusolver": {"check_availability": lambda name: True},
    "cupy.linalg._util": {"stacked_identity": stacked_identity},
    "cupy._util": {
        "PerformanceWarning": PerformanceWarning, "clear_memo": cupy_kernels.clear_memo,
    },
    "cupy.cuda": {"get_nvcc_path": lambda: shutil.which("nvcc") or ""},
    "cupy.cuda.compiler": {
        "_get_arch": architecture, "_run_cc": run_nvcc,
        "_compile_module_with_cache": compile_module,
        # Tests put others in their places, which nothing asks: the engine keeps its own code.
        "_kernel_cache_backend": None, "_empty_file_preprocess_cache": {},
        "_get_bool_env_variable": lambda name, default: default,
    },
    "cupy.cuda.cub": {"available": False},
    "cupy.cuda.cutensor": {"available": False},
    "cupy.cuda.thrust": {"available": False},
    "cupy.cuda.driver": {
        "_is_cuda_python": lambda: False, "get_build_version": lambda: 12000,
        "CUDADriverError": phalanx.DeviceError,
    },
    "cupy.random._generator": {"_random_states": {}},
}  # fmt: skip
