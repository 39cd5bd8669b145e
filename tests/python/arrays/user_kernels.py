"""What tests of CuPy's user kernels need: something that compiles CUDA C."""

import shutil

import pytest
from phalanx._core.toolkit import find_library


@pytest.fixture
def needs_compiler(device):
    """Skips a test where there is no compiler for the device."""
    if device == "cpu" and not any(map(shutil.which, ("c++", "g++", "clang++"))):
        pytest.skip("there is no C++ compiler")
    if device == "cuda" and find_library("nvrtc") is None:
        pytest.skip("NVRTC is not there")
