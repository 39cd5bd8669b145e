"""Inline assembly: PTX on a GPU; on the CPU device what reads a register that it has too."""

import re

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule
from phalanx.compat import cupy
from phalanx.compat.cupy_compiler import CompileException
from phalanx.compat.pycuda import driver, gpuarray
from phalanx.compat.pycuda.compiler import SourceModule
from phalanx.compat.pycuda.elementwise import ElementwiseKernel

import phalanx
from phalanx import cuda

pytestmark = pytest.mark.usefixtures("device")

X = np.arange(32, dtype=np.int32)

GNUS = pytest.mark.of_phalanx("has no named operands, and none in the place of others")

# Statements of int v, unsigned u, long long w, float f, double d, short h; what PTX holds of them,
# and what v is then, of the thread i, where u = i + 7, w = i * 5, f = i / 2, d = i / 4, h = i + 1.
STATEMENTS = [
    ('asm("add.s32 %0, %1, %2;" : "=r"(v) : "r"(i), "n"(40));', r"add\.s32 %r\d+, %r\d+, 40;",
     lambda i: i + 40),
    ('asm volatile("mad.lo.u32 %0, %1, %2, %0;" : "+r"(v) : "r"(u), "r"(3));',
     r"mad\.lo\.u32 (%r\d+), %r\d+, %r\d+, \1;", lambda i: 100 + (i + 7) * 3),
    ('asm("{ .reg .u32 t; add.u32 t, %1, 1; mul.lo.u32 %0, t, 2; }" : "=r"(v) : "r"(u));',
     r"\{ \.reg \.u32 t; add\.u32 t, %r\d+, 1;", lambda i: (i + 8) * 2),
    ('asm("add.s64 %0, %1, 6;" : "=l"(w) : "l"(w)); v = (int)w;', r"add\.s64 %rd\d+, %rd\d+, 6;",
     lambda i: i * 5 + 6),
    ('asm("add.f32 %0, %1, %2;" : "=f"(f) : "f"(f), "f"(1.5f)); v = (int)(f * 2);',
     r"add\.f32 %f\d+, %f\d+, %f\d+;", lambda i: i + 3),
    ('asm("mul.f64 %0, %1, %1;" : "=d"(d) : "d"(d)); v = (int)(d * 16);',
     r"mul\.f64 (%fd\d+), (%fd\d+), \2;", lambda i: i * i),
    ('asm("add.s16 %0, %1, %1;" : "=h"(h) : "h"(h)); v = h;', r"add\.s16 (%rs\d+), (%rs\d+), \2;",
     lambda i: 2 * i + 2),
    ('int q; asm("add.s32 %0, %2, 1;\\n\\t" '
     '"sub.s32 %1, %2, 1;" : "=&r"(v), "=r"(q) : "r"(i)); v = v * 100 + q;',
     r"add\.s32 (%r\d+), (%r\d+), 1;\s+sub\.s32 %r\d+, \2, 1;", lambda i: (i + 1) * 100 + i - 1),
    pytest.param(
        'asm("add.s32 %[sum], %[one], %[two];" : [sum] "=r"(v) : [one] "r"(i), [two] "r"(v));',
        r"add\.s32 %r\d+, %r\d+, %r\d+;", lambda i: i + 100, marks=GNUS),
    pytest.param('asm("neg.s32 %0, %0;" : "=r"(v) : "0"(i));', r"neg\.s32 (%r\d+), \1;",
                 lambda i: -i, marks=GNUS),
    ('int two[2] = {1, 2}; '
     'asm volatile("st.u32 [%0+4], %1;" :: "l"(two), "r"(i) : "memory"); v = two[1];',
     r"st\.u32 \[%rd\d+\+4\], %r\d+;", lambda i: i),
    ('asm("mov.b64 {%0, %1}, %2;" : "=r"(u), "=r"(v) : "d"(1.0));',
     r"mov\.b64 \{%r\d+, %r\d+\}, %fd\d+;",
     lambda i: np.full(32, 0x3FF00000)),
    ('asm volatile("membar.gl;" ::: "memory"); v = i;', r"membar\.gl;", lambda i: i),
    ('asm("/* $ is itself: 1$ */"); v = i;', r"/\* \$ is itself: 1\$ \*/", lambda i: i),
    ('bool b = i % 2; '
     'asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; selp.s32 %0, 5, 6, p; }" '
     ': "=r"(v) : "r"((int)b));',
     r"selp\.s32 %r\d+, 5, 6, p;", lambda i: np.where(i % 2, 5, 6)),
]  # fmt: skip


def kernel_of(statement):
    return f"""
    extern "C" __global__ void f(int* x) {{
      const int i = threadIdx.x;
      int v = 100; unsigned u = i + 7; long long w = i * 5; float f = i / 2.0f; double d = i / 4.0;
      short h = i + 1;
      {statement}
      x[i] = v;
    }}"""


@pytest.mark.parametrize(("statement", "ptx", "expected"), STATEMENTS)
def test_statements_are_in_the_code_for_a_gpu(statement, ptx, expected, device):
    module = CudaCModule(kernel_of(statement), "asm.cu")
    text = module.kernel("f").handle.ptx((9, 0))
    assert re.search(ptx, text), text
    x = cuda.to_device(X)
    if device == "cpu":
        with pytest.raises(phalanx.errors.CompileError, match=r"asm\.cu:6: inline assembly is PTX"):
            module.kernel("f").launch(1, 32, [x])
        return
    module.kernel("f").launch(1, 32, [x])
    np.testing.assert_array_equal(x.copy_to_host(), expected(X))


ABSENT = 'asm("mov.u32 %0, 3;" : "=r"(x[0]));'
OF_ONE = ABSENT.replace("x[0]", "x")


def test_what_the_cpu_device_does_not_run_is_the_error_of_each_interface(device):
    if device != "cpu":
        pytest.skip("a GPU runs it")
    text = f'extern "C" __global__ void f(int* x) {{ {ABSENT} }}'
    words = "1: inline assembly is PTX"
    x, launched = gpuarray.to_gpu(X), SourceModule(text, no_extern_c=True).get_function("f")
    for launch in (
        lambda: launched(x, block=(1, 1, 1)),
        lambda: launched(driver.InOut(X.copy()), block=(1, 1, 1)),
        lambda: launched.prepare("P").prepared_call((1, 1), (1, 1, 1), x.gpudata),
        lambda: ElementwiseKernel("int *x", ABSENT)(x),
    ):
        with pytest.raises(driver.CompileError, match=words) as raised:
            launch()
        assert isinstance(raised.value, driver.Error) and words in raised.value.stderr
    y = cupy.asarray(X)
    for launch in (
        lambda: cupy.RawKernel(text, "f")((1,), (1,), (y,)),
        lambda: cupy.ElementwiseKernel("int32 a", "raw int32 x", ABSENT)(y, y),
        lambda: cupy.ReductionKernel("int32 a", "int32 x", "a", "a + b", OF_ONE, "0")(y),
    ):
        with pytest.raises(CompileException, match=words) as raised:
            launch()
        assert 'asm("mov.u32 %0, 3;"' in raised.value.source


@pytest.mark.parametrize("statement", ['asm volatile("" ::: "memory");', 'asm volatile(" \\n");'])
def test_an_empty_text_does_nothing_on_both_devices(statement):
    body = f"{statement} v = i; if (i % 3) {{ {statement} v += 100; }} {statement}"
    x = cuda.to_device(X)
    CudaCModule(kernel_of(body)).kernel("f").launch(1, 32, [x])
    np.testing.assert_array_equal(x.copy_to_host(), X + 100 * (X % 3 > 0))


def test_what_is_not_volatile_may_go():
    kept = 'asm volatile("mov.u32 %0, 77;" : "=r"(v)); v = i;'
    for statement, stays in ((kept, True), (kept.replace("volatile", ""), False)):
        ptx = CudaCModule(kernel_of(statement)).kernel("f").handle.ptx((9, 0))
        assert ("77;" in ptx) == stays


REGISTERS = [
    ("laneid", "u32", lambda i: i % 32),
    ("tid.x", "u32", lambda i: i),
    ("ctaid.x", "u32", lambda i: 0 * i),
    ("ntid.x", "u32", lambda i: 0 * i + 64),
    ("nctaid.y", "u32", lambda i: 0 * i + 1),
    ("lanemask_eq", "u32", lambda i: 1 << i % 32),
    ("lanemask_lt", "u32", lambda i: (1 << i % 32) - 1),
    ("lanemask_le", "u32", lambda i: (2 << i % 32) - 1),
    ("lanemask_gt", "u32", lambda i: 0xFFFFFFFF & ~((2 << i % 32) - 1)),
    ("lanemask_ge", "u32", lambda i: 0xFFFFFFFF & ~((1 << i % 32) - 1)),
]


@pytest.mark.parametrize("escape", ["%%", "%"])
@pytest.mark.parametrize(("name", "kind", "expected"), REGISTERS)
def test_registers_that_both_devices_have(name, kind, expected, escape):
    text = f"""
    extern "C" __global__ void f(unsigned* x) {{
      unsigned v;  // asm("%%ignored")
      asm volatile /* read */ ("mov.{kind} %0, {escape}{name};" : "=r"(v));
      x[threadIdx.x] = v;
    }}"""
    x = cuda.to_device(np.zeros(64, np.uint32))
    CudaCModule(text).kernel("f").launch(1, 64, [x])
    threads = np.arange(64, dtype=np.int64)
    np.testing.assert_array_equal(x.copy_to_host(), expected(threads))


def test_other_kernels_of_the_module_run():
    """Assembly that no launch asks for does no harm."""
    text = """
    extern "C" __global__ void f(int* x) { asm("mov.u32 %0, 3;" : "=r"(x[0])); }
    extern "C" __global__ void g(int* x) { x[threadIdx.x] += 1; }"""
    x = cuda.to_device(X)
    CudaCModule(text).kernel("g").launch(1, 32, [x])
    np.testing.assert_array_equal(x.copy_to_host(), X + 1)


WRONG = [
    ('asm("mov.u32 %0, 1;" : "=x"(v));', "constraint"),
    ('asm("mov.u32 %0, 1;" : "=m"(v));', 'constraint "=m" is not one of PTX'),
    ('asm("mov.u32 %0, %1;" : "=r"(v) : "r"(d));', "type of this operand"),
    ('asm("mov.u32 %0, %1;" : "=r"(v) : "r"(w));', "type of this operand"),
    ('asm("mov.f32 %0, %1;" : "=r"(v) : "f"(i));', "type of this operand"),
    ('asm("mov.u32 %0, 1;" : "=r"(d));', "type of this operand"),
    ('asm("mov.u32 %0, 1;" : "=r"(w));', "type of this operand"),
    ('asm("mov.f32 %0, 1.0;" : "=f"(v));', "type of this operand"),
    ('asm("mov.f32 %0, 1.0;" : "=f"(d));', "type of this operand"),
    ('asm("mov.u32 %0, %laneid;" : "=r"(f));', "type of this operand"),
    ('asm("add.s64 %0, %0, 1;" : "+l"(f));', "type of this operand"),
    ('asm("mov.u32 %0, %1;" : "=r"(v) : "n"(i));', "constant"),
    ('asm("mov.u32 %0, %3;" : "=r"(v) : "r"(i));', "invalid operand number"),
    ('asm goto("bra %l0;" :::: end); end: v = 1;', "cannot jump"),
]


@pytest.mark.parametrize(("statement", "words"), WRONG)
def test_wrong_assembly_says_where(statement, words):
    with pytest.raises(phalanx.errors.CompileError, match=words) as raised:
        CudaCModule(kernel_of(statement), "wrong.cu")
    assert "wrong.cu:6:" in str(raised.value)
