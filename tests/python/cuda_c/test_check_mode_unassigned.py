"""Check mode of CUDA C: reads of variables and of elements that nobody gave a value."""

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule

from phalanx import KernelError, cuda

pytestmark = pytest.mark.usefixtures("device")

TEXT = """
__device__ float half_of(float v) {{ return v / 2; }}
struct Pair {{ float x, y; }};
extern "C" __global__ void k(float* a, const float* b, int e) {{
  __shared__ float tile[64];
  int i = threadIdx.x;
#line 100
  {body}
}}
"""
# Statements that give each variable a value where e is 0, and where it is 1 do not: its name.
VARIABLES = {
    "a branch": ("float v; if (i >= e) v = b[i]; a[i] = v;", "v"),
    "two branches": (
        "float v; if (i < 32 - e) v = b[i]; else if (i >= 32) v = 1; a[i] = v;", "v",
    ),
    "a loop": ("float v; for (int j = e; j < 1; ++j) v = b[i]; a[i] = v;", "v"),
    "a switch": (
        "float v; switch (e) { case 0: v = b[i]; break; default: break; } a[i] = v;", "v",
    ),
    "a sum": ("float s; if (e == 0) s = 0; for (int j = 0; j < 3; ++j) s += b[i]; a[i] = s;", "s"),
    "a count": ("int n; if (!e) n = 0; ++n; a[i] = n;", "n"),
    "an argument": ("float v; if (!e) v = b[i]; a[i] = half_of(v);", "v"),
    "an index": ("int j; if (!e) j = i; a[j & 63] = b[i];", "j"),
    "a pointer": ("const float* p; if (!e) p = b; if (p == b) a[i] = 1;", "p"),
    "made anew in each pass": (
        "for (int j = 0; j < 2; ++j) { float v; if (j == 0 || !e) v = b[i]; a[i] = v; }", "v",
    ),
    "a bool": ("bool is; if (!e) is = b[i] > 3; a[i] = is;", "is"),
}  # fmt: skip
# Elements of memory, likewise.
ELEMENTS = {
    "an array of the thread": (
        "float own[4]; for (int j = e; j < 4; ++j) own[j] = j; a[i] = own[0];", "own",
    ),
    "of the block": (
        "if (i >= e) tile[i] = b[i]; __syncthreads(); a[i] = tile[63 - i];", "tile",
    ),
}  # fmt: skip


def run(body, e, check):
    text = TEXT.format(body=body)
    a, b = cuda.to_device(np.zeros(64, np.float32)), cuda.to_device(np.arange(64, dtype=np.float32))
    CudaCModule(text, "kernel.cu", check=check).kernel("k").launch(1, 64, [a, b, e])
    cuda.synchronize()
    return a.copy_to_host()


@pytest.mark.parametrize("name", VARIABLES)
def test_a_variable_without_a_value_is_told_by_its_name(name):
    body, variable = VARIABLES[name]
    np.testing.assert_array_equal(run(body, 0, True), run(body, 0, False))
    with pytest.raises(KernelError) as raised:
        run(body, 1, True)
    first = raised.value.faults[0]
    assert (first.category, first.text, first.line) == ("unassigned", variable, 100), raised.value


@pytest.mark.parametrize("name", ELEMENTS)
def test_an_element_that_nobody_wrote_is_told(device, name):
    if device == "cuda" and name == "of the block":
        pytest.skip("shared memory is looked at on the CPU device")
    body, array = ELEMENTS[name]
    check = "bounds,uninitialized"
    np.testing.assert_array_equal(run(body, 0, check), run(body, 0, False))
    with pytest.raises(KernelError) as raised:
        run(body, 1, check)
    first = raised.value.faults[0]
    assert (first.category, first.array, first.line) == ("uninitialized", array, 100), raised.value


# What reads nothing without a value, though it begins without one.
RIGHT = {
    "given in both branches": "float v; if (e) v = 1; else v = b[i]; a[i] = v;",
    "given before the loop that reads it": "float v; v = 0; for (int j = 0; j < 4; ++j) v += j;"
    " a[i] = v;",
    "never read": "float v; if (!e) v = 1; a[i] = b[i];",
    "its address": "float v; float* p = &v; *p = b[i]; a[i] = v;",
    "a struct": "Pair p; p.x = b[i]; Pair q = p; a[i] = q.x;",
    "left early": "float v; if (e && i == 3) return; v = b[i]; a[i] = v;",
    "goto": "float v; if (e) goto with; v = 1; goto done; with: v = 2; done: a[i] = v;",
    "both conditions": "float v; bool has = e == 0; if (has) v = b[i];"
    " a[i] = has && v > 3 || !has;",
    "conditions": "float v; bool has = e == 0; if (has) v = b[i]; a[i] = has ? v : 0.f;",
}


@pytest.mark.parametrize("e", [0, 1])
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_not_reported(name, e):
    np.testing.assert_array_equal(run(RIGHT[name], e, True), run(RIGHT[name], e, False))
