"""What Python means in a kernel: the same as in Python."""

from __future__ import annotations

import numpy as np
import pytest
from language_samples import SAMPLES

from phalanx import cuda


@pytest.mark.parametrize("name", SAMPLES)
def test_a_device_function_gives_what_python_gives(device, name):
    function, cases = SAMPLES[name]
    called = cuda.jit(device=True)(function)

    @cuda.jit
    def one(out, a):
        out[0] = called(a)

    @cuda.jit
    def two(out, a, b):
        out[0] = called(a, b)

    @cuda.jit
    def three(out, a, b, c):
        out[0] = called(a, b, c)

    for arguments in cases:
        out = np.zeros(1)
        kernel = (one, two, three)[len(arguments) - 1]
        kernel[1, 1](out, *arguments)
        np.testing.assert_allclose(out[0], function(*arguments), rtol=1e-12, err_msg=str(arguments))
