"""kernel.explain()."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import cuda


@cuda.jit
def damp(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * 0.9


@pytest.mark.filterwarnings("ignore")
def test_it_tells_types_figures_stages_and_advice(device):
    x = cuda.to_device(np.ones(256, dtype=np.float32))
    damp[2, 128](x, x)
    told = damp.explain()
    (variant,) = told.variants
    assert "f32" in variant.types[0]
    assert variant.device.startswith(device)
    assert variant.lanes > 1 if device == "cpu" else variant.registers > 0
    assert variant.suggested_block > 0
    assert set(variant.seconds) & {"codegen", "disk", "front_end"}
    (advice,) = variant.advice
    assert "float64" in advice[0]
    assert advice[1:] == (__file__, damp.py_func.__code__.co_firstlineno + 4)
    assert "damp(" in repr(told)
    assert f"{__file__}:{advice[2]}" in repr(told)


def test_a_kernel_that_was_not_compiled_says_so():
    assert "has not been compiled" in repr(cuda.jit(lambda x: None).explain())


@pytest.mark.parametrize(
    ("block", "error", "text"),
    [
        (0, ValueError, "at least 1, not 0"),
        ((16, 16), TypeError, "a whole number, not tuple: of a block of several"),
        (1.5, TypeError, "a whole number, not float"),
        (None, TypeError, "a whole number, not NoneType"),
    ],
)
def test_a_block_has_threads(block, error, text):
    with pytest.raises(error, match=text):
        damp.explain(block)
