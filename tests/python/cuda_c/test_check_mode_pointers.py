"""Check mode of CUDA C: what a kernel's pointers reach, by the memory that they came from."""

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule

from phalanx import KernelError, cuda

pytestmark = pytest.mark.usefixtures("device")

UNALIGNED = "half a word off"
COUNT = 64  # elements of each array, and threads
TEXT = """
struct Pair {{ float x, y; }};
struct Mixed {{ double d; short s; float f; }};
__device__ float get(const float* p, int i) {{
  return p[i];
}}
__device__ float total(const float* p, int n) {{
  return n == 0 ? 0.f : p[n - 1] + total(p, n - 1);
}}
struct Base {{ __device__ virtual float at(const float* p, int i) = 0; }};
struct Same : Base {{ __device__ float at(const float* p, int i) override {{ return p[i]; }} }};
struct Negated : Base {{ __device__ float at(const float* p, int i) override {{ return -p[i]; }} }};
__device__ float table[64];
extern "C" __global__ void k(float* a, const float* b, const void* c, int e) {{
  __shared__ float tile[64];
  int i = threadIdx.x;
#line 100
  {body}
}}
"""

# A statement of thread i that is right where e is 0, and where e is 1 off the end, or the start, of
# an array: the array, the first wrong index, how many elements it has, what happens there.
ACCESSES = {
    "read": ("a[i] = b[i + e];", "b", 64, 64, "reads"),
    "write": ("a[i + e] = b[i];", "a", 64, 64, "writes"),
    "first element before": ("a[i] = b[i - e];", "b", -1, 64, "reads"),
    "far before": ("if (i == 0) a[i] = b[i - 1000 * e];", "b", -1000, 64, "reads"),
    "compound": ("a[i + e] += b[i];", "a", 64, 64, "reads"),
    "increment": ("++a[i + e];", "a", 64, 64, "reads"),
    "atomic": ("atomicAdd(&a[i + e], b[i]);", "a", 64, 64, "updates (atomic)"),
    "atomic by pointer": ("atomicAdd(a + i + e, 1.f);", "a", 64, 64, "updates (atomic)"),
    "compare and swap": (
        "atomicCAS((int*)a + i + e, 0, 7);", "((int*)a)", 64, 64, "updates (atomic)",
    ),
    "dereferenced": ("*(a + i) = *(e + b + i);", "b", 64, 64, "reads"),
    "dereferenced back": ("*(a + i) = *(b + i - e);", "b", -1, 64, "reads"),
    "size_t": ("size_t j = i + e; a[i] = b[j];", "b", 64, 64, "reads"),
    "unsigned": ("unsigned j = i + e; a[j] = b[i];", "a", 64, 64, "writes"),
    "wrapped unsigned": ("unsigned j = i - e; if (i == 0) a[j] = 1;", "a", 2**32 - 1, 64, "writes"),
    "reference": ("float& r = a[i + e]; r = b[i];", "a", 64, 64, "writes"),
    "address taken": ("float* p = &a[i + e]; *p = b[i];", "a", 64, 64, "writes"),
    "cast to int": ("a[i] = ((const int*)b)[i + e];", "((int*)b)", 64, 64, "reads"),
    "cast to bytes": (
        "a[i] = ((const unsigned char*)b)[4 * i + 3 + e];",
        "((unsigned char*)b)", 256, 256, "reads",
    ),
    "cast to double": (
        "if (i < 32) a[i] = ((const double*)b)[i + e];", "((double*)b)", 32, 32, "reads",
    ),
    "float4": (
        "if (i < 16) { float4 v = ((const float4*)b)[i + e]; a[4 * i] = v.x + v.w; }",
        "b", 64, 64, "reads",
    ),
    "written float2": (
        "if (i < 32) ((float2*)a)[i + e] = make_float2(b[i], 1);", "a", 64, 64, "writes",
    ),
    "member": ("if (i < 32) a[i] = ((const Pair*)b)[i + e].y;", "b", 65, 64, "reads"),
    "member of a void*": (
        "if (i < 16) a[i] = ((const Mixed*)c)[i + e].f;", "((float*)c)", 67, 64, "reads",
    ),
    "short member": (
        "if (i < 16) a[i] = ((const Mixed*)c)[i + e].s;", "((short*)c)", 132, 128, "reads",
    ),
    "two dimensions": (
        "auto m = (const float (*)[8])b; a[i] = m[i / 8 + e][i % 8];", "b", 64, 64, "reads",
    ),
    "rows": ("const float* row = b + (i / 8 + e) * 8; a[i] = row[i % 8];", "b", 64, 64, "reads"),
    "device function": ("a[i] = get(b, i + e);", "b", 64, 64, "reads"),
    "moved pointer": (
        "const float* p = b + i; float s = 0; for (; p < b + 64 + e; p += 8) s += *p; a[i] = s;",
        "b", 64, 64, "reads",
    ),
    "pointer that is counted": (
        "const float* p = b; for (int j = 0; j < i + e; ++j) ++p; a[i] = *p;", "b", 64, 64, "reads",
    ),
    "post-increment": (
        "float* p = a + 63; for (int j = 0; j < 64 + e; ++j) *p-- = j;", "a", -1, 64, "writes",
    ),
    "chosen": (
        "const float* p = i % 2 ? a : b; float v = p[i - i % 2 + 2 * e]; if (v < 0) a[i] = v;",
        "p", 64, 64, "reads",
    ),
    "assigned in a branch": (
        "float* p = nullptr; if (i >= 0) p = a; else p = (float*)c; p[i + e] = b[i];",
        "p", 64, 64, "writes",
    ),
    "of the block": (
        "float* p = tile; p[i + e] = b[i]; __syncthreads(); a[i] = tile[i];",
        "tile", 64, 64, "writes",
    ),
    "atomic of the block": (
        "tile[i] = 0; __syncthreads(); atomicAdd(&tile[i + e], 1.f); a[i] = tile[i];",
        "tile", 64, 64, "updates (atomic)",
    ),
    "of the module": (
        "float* p = table; p[i + e] = b[i]; a[i] = table[i];", "table", 64, 64, "writes",
    ),
    "of the thread": (
        "float own[8]; for (int j = 0; j < 8; ++j) own[j] = j; float* p = own;"
        " a[i] = p[i % 8 + e] + b[i];",
        "own", 8, 8, "reads",
    ),
    "lambda that captures by reference": (
        "auto f = [&](int j) { return b[j]; }; a[i] = f(i + e);", "b", 64, 64, "reads",
    ),
    "lambda that writes": (
        "auto f = [&](int j, float v) { a[j] = v; }; f(i + e, b[i]);", "a", 64, 64, "writes",
    ),
    "lambda in a lambda": (
        "auto f = [&](int j) { auto g = [&](int k) { return b[k + e]; }; return g(j); };"
        " a[i] = f(i);",
        "b", 64, 64, "reads",
    ),
    "table": (
        "const float* t[2] = {b, b}; a[i] = t[i % 2][i + e];", "t[]", 64, 64, "reads",
    ),
    "table that is filled": (
        "float* t[3]; for (int j = 0; j < 3; ++j) t[j] = a; t[i % 3][i + e] = b[i];",
        "t[]", 64, 64, "writes",
    ),
    "structs with pointers": (
        "struct { int n; const float* p; } v[2] = {{1, b}, {2, b}};"
        " a[i] = v[i % 2].p[i + e] + v[i % 2].n;",
        "v[]", 64, 64, "reads",
    ),
    "virtual method": (
        "Negated n; Same s; Base* o = i < 5 ? (Base*)&n : (Base*)&s; a[i] = o->at(b, i + e);",
        "b", 64, 64, "reads",
    ),
    "volatile": ("((volatile float*)a)[i + e] = b[i];", "a", 64, 64, "writes"),
    UNALIGNED: (
        "if (i < 63 + e) a[i] = *(const float*)((const char*)b + 4 * i + 2);", "b", 63, 63, "reads",
    ),
}  # fmt: skip
LINES = {"device function": 5, "virtual method": 11}  # where functions read p[i]


def arrays():
    c = np.zeros(16, np.dtype([("d", "f8"), ("s", "i2"), ("f", "f4")], align=True))
    c["s"], c["f"] = np.arange(16), np.arange(16) / 4
    return np.zeros(COUNT, np.float32), np.arange(COUNT, dtype=np.float32), c.view(np.uint8)


def run(body, e, check):
    """What the kernel left in the first array."""
    module = CudaCModule(TEXT.format(body=body), "kernel.cu", check=check)
    there = [cuda.to_device(each) for each in arrays()]
    module.kernel("k").launch(1, COUNT, [*there, e])
    cuda.synchronize()
    return there[0].copy_to_host()


def skip_where_it_ends_the_context(name, device):
    if name == UNALIGNED and device == "cuda":
        pytest.skip("a GPU ends the process's context at an address that is not aligned")


@pytest.mark.parametrize("name", ACCESSES)
def test_an_access_within_its_memory_does_what_it_does(device, name):
    skip_where_it_ends_the_context(name, device)
    body = ACCESSES[name][0]
    np.testing.assert_array_equal(run(body, 0, True), run(body, 0, False))


@pytest.mark.parametrize("name", ACCESSES)
def test_an_access_outside_is_told_with_its_line_and_array(device, name):
    skip_where_it_ends_the_context(name, device)
    body, array, index, count, verb = ACCESSES[name]
    with pytest.raises(KernelError) as raised:
        run(body, 1, "bounds")
    first = raised.value.faults[0]
    line = LINES.get(name, 100)
    assert (first.category, first.array, first.line) == ("bounds", array, line), raised.value
    assert (first.index, first.shape) == ((index,), (count,)), raised.value
    assert f"kernel.cu:{line}: [bounds] {verb} {array}[{index}]" in str(raised.value)
    assert ("return p[i];" if name in LINES else body) in str(raised.value)


@pytest.mark.parametrize("name", ACCESSES)
def test_an_access_becomes_code_for_gpus_that_reports(name):
    module = CudaCModule(TEXT.format(body=ACCESSES[name][0]), "kernel.cu", check="bounds")
    assert "phalanx_report" in module.kernel("k").handle.ptx((9, 0))
