"""Answers to `numba.cuda.testing`: the test case and the conditions, written anew."""

from __future__ import annotations

import os
import platform
import sys
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from .names import SOURCE_VARIABLE
from .support import TestCase, captured_stderr, captured_stdout

__all__ = ["CUDATestCase", "ForeignArray", "captured_stderr", "captured_stdout", "unittest"]

test_data_dir = Path(os.environ[SOURCE_VARIABLE]) / "numba_cuda" / "numba" / "cuda/tests/data"
numba_cuda_dir = test_data_dir.parents[1]

Decorator = Callable[[Any], Any]


@pytest.mark.usefixtures("initialize_from_pytest_config")
class CUDATestCase(TestCase):
    """A test of kernels, without the warnings of small grids and host arrays."""

    FLOAT16_RTOL = np.finfo(np.float16).eps
    _QUIET = ("CUDA_LOW_OCCUPANCY_WARNINGS", "CUDA_WARN_ON_IMPLICIT_COPY")

    def setUp(self) -> None:
        from numba.cuda.core import config

        self._settings = {name: getattr(config, name) for name in self._QUIET}
        for name in self._QUIET:
            setattr(config, name, 0)

    def tearDown(self) -> None:
        from numba.cuda.core import config

        for name, value in self._settings.items():
            setattr(config, name, value)

    def assertFileCheckAsm(self, *args: Any, **options: Any) -> None:
        """Other compilers' assembly has no fixed text."""
        self.fail("asserts on the text of numba-cuda's PTX")

    def assertFileCheckLLVM(self, *args: Any, **options: Any) -> None:
        """Other compilers' IR has no fixed text."""
        self.fail("asserts on the text of numba-cuda's LLVM IR")

    assertFileCheckMatches = assertFileCheckLLVM


class ForeignArray:
    """An array of another library: only the CUDA array interface is seen of it."""

    def __init__(self, array: Any) -> None:
        self._arr = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


def skip_on_cudasim(reason: str) -> Decorator:
    """Kernels are compiled here: nothing to skip."""
    return lambda test: test


def skip_unless_cudasim(reason: str) -> Decorator:
    return unittest.skip(f"for the simulator only: {reason}")


def xfail_unless_cudasim(test: Any) -> Any:
    return unittest.expectedFailure(test)


def skip_on_standalone_numba_cuda(test: Any) -> Any:
    """The name `numba` is served too."""
    return test


def _is_on_gpu() -> bool:
    from phalanx import _engine

    return _engine.current_device().kind == "cuda"


def cc_X_or_above(major: int, minor: int) -> bool:
    """The CPU device does all that the newest GPU does."""
    from numba import cuda

    if not _is_on_gpu():
        return True
    return cuda.get_current_device().compute_capability >= (major, minor)


def _unless_cc(major: int, minor: int) -> Decorator:
    return unittest.skipUnless(
        cc_X_or_above(major, minor), f"needs compute capability {major}.{minor}"
    )


def skip_unless_cc_50(test: Any) -> Any:
    return _unless_cc(5, 0)(test)


def skip_unless_cc_53(test: Any) -> Any:
    return _unless_cc(5, 3)(test)


def skip_unless_cc_60(test: Any) -> Any:
    return _unless_cc(6, 0)(test)


def skip_unless_cc_75(test: Any) -> Any:
    return _unless_cc(7, 5)(test)


def skip_unless_cc_90(test: Any) -> Any:
    return _unless_cc(9, 0)(test)


def skip_on_arm(reason: str) -> Decorator:
    return unittest.skipIf(platform.machine().startswith(("arm", "aarch")), reason)


def skip_on_wsl2(reason: str) -> Decorator:
    return unittest.skipIf("wsl2" in platform.release().lower(), reason)


def skip_under_cuda_memcheck(reason: str) -> Decorator:
    return unittest.skipIf("CUDA_MEMCHECK" in os.environ, reason)


def skip_if_external_memmgr(reason: str) -> Decorator:
    """There is one memory manager."""
    return lambda test: test


def _nothing_to_skip(test: Any) -> Any:
    return test


skip_if_cuda_includes_missing = skip_if_curand_kernel_missing = _nothing_to_skip
skip_if_cudadevrt_missing = _nothing_to_skip


def skip_if_nvjitlink_missing(reason: str) -> Decorator:
    return lambda test: test


def skip_on_nvjitlink_13_1_sm_120(reason: str) -> Decorator:
    return lambda test: test


def skip_unless_conda_cudatoolkit(reason: str) -> Decorator:
    return unittest.skipUnless("conda" in sys.version, reason)


def skip_without_nvdisasm(reason: str) -> Decorator:
    import shutil

    return unittest.skipUnless(shutil.which("nvdisasm"), reason)


def skip_with_nvdisasm(reason: str) -> Decorator:
    import shutil

    return unittest.skipIf(shutil.which("nvdisasm"), reason)
