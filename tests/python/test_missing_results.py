"""Device functions that return a value on one path and none on another."""

# ruff: noqa: RET503  (functions that end without a return are what this is about)

from __future__ import annotations

import numpy as np
import pytest

from phalanx import cuda, errors

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")


@cuda.jit(device=True)
def found(values, wanted):
    for i in range(values.shape[0]):
        if values[i] == wanted:
            return i


def test_kernels_use_what_such_a_function_found(device):
    @cuda.jit
    def kernel(values, out):
        out[0] = found(values, 7)

    out = np.zeros(1)
    kernel[1, 1](np.array([5, 7, 9]), out)
    assert out[0] == 1


@pytest.mark.parametrize("asks_same", [True, False])
def test_kernels_cannot_ask_whether_there_was_a_value(device, asks_same):
    @cuda.jit
    def kernel(values, out):
        position = found(values, 7)
        if (position is None) if asks_same else (position != None):  # noqa: E711
            out[0] = -1

    with pytest.raises(errors.TypingError, match="cannot be asked which it was"):
        kernel[1, 1](np.array([5, 7, 9]), np.zeros(1))
