"""What `cupy.RawKernel` takes for the parameters of its kernel: numbers, structs and arrays."""

import numpy as np
import pytest
from phalanx.compat.cupy_raw_kernels import RawKernel

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

STRUCTS = """
struct Pair { float re, im; };
struct Inner { short s; double d; };
struct Outer { int n; Inner inner; float v[3]; };
"""
INNER = np.dtype([("s", "i2"), ("d", "f8")], align=True)
OUTER = np.dtype([("n", "i4"), ("inner", INNER), ("v", "f4", 3)], align=True)
LAST_FIRST = np.dtype({"names": ["b", "a"], "formats": ["f8", "f8"], "offsets": [8, 0]})
ARRAY_OF = np.dtype([("dummy", "f8", 3)])


def outer():
    value = np.zeros(1, OUTER)
    value["n"], value["inner"], value["v"] = 3, (-4, 2.5), (1, 2, 3)
    return value


# A parameter, what the kernel computes of it, what is passed, and what comes out.
OF_OUTER = "v.n + v.inner.s + v.inner.d + v.v[2]"
PADDED = pytest.mark.of_phalanx("refuses structs with padding by value")
ARGUMENTS = [
    ("int v", "v", 7, 7),
    ("int v", "v", np.int64(-7), -7),
    ("float v", "v", 2.5, 2.5),
    ("float v", "v", np.float64(2.5), 2.5),
    ("double v", "v", 3, 3),
    ("bool v", "v ? 10 : 20", True, 10),
    ("bool v", "v ? 10 : 20", np.bool_(False), 20),
    ("signed char v", "v", np.int8(-5), -5),
    ("unsigned char v", "v", 250, 250),
    ("size_t v", "v >> 40", np.uint64(1 << 50), 1024),
    ("unsigned long long v", "v >> 40", 1 << 50, 1024),
    ("float v", "v", np.array(1.5, "f4"), 1.5),
    ("double v", "v", np.array([1.5]), 1.5),
    ("Pair v", "v.re + 10 * v.im", 2 + 3j, 32),
    ("Pair v", "v.re + 10 * v.im", np.complex64(2 + 3j), 32),
    ("Pair v", "v.re + 10 * v.im", (2.0, 3.0), 32),
    ("double2 v", "v.x + 10 * v.y", np.zeros(1, LAST_FIRST)[0], 0),
    ("double2 v", "v.x + 10 * v.y", np.array([(1, 2)], LAST_FIRST), 12),
    ("double3 v", "v.x + 10 * v.y + 100 * v.z", np.array([1.0, 2, 3]).view(ARRAY_OF), 321),
    pytest.param("Outer v", OF_OUTER, outer(), 4.5, marks=PADDED),
    pytest.param("Outer v", OF_OUTER, outer()[0], 4.5, marks=PADDED),
    ("const float* v", "v == nullptr", None, 1),
    ("const float* v", "v == nullptr", 0, 1),
]


@pytest.mark.parametrize(("declared", "computed", "value", "expected"), ARGUMENTS)
def test_an_argument_becomes_what_the_kernel_declares(declared, computed, value, expected):
    text = STRUCTS + f'extern "C" __global__ void k({declared}, double* y) {{ y[0] = {computed}; }}'
    y = px.zeros(1)
    RawKernel(text, "k")((1,), (1,), (value, y))
    assert float(y[0]) == expected


# What is passed of an array of four float32 from 1 on, and the sum of what the kernel reads.
POINTERS = {
    "the array": ("const float*", lambda x: x, 10),
    "its rows": ("const float*", lambda x: x.reshape(2, 2), 10),
    "its memory": ("const float*", lambda x: x.data, 10),
    "a part of its memory": ("const float*", lambda x: x.data + 4, 9),
    "its address": ("const float*", lambda x: x.data.ptr, 10),
    "its address as NumPy's": ("const float*", lambda x: np.uint64(x.data.ptr), 10),
    "a slice": ("const float*", lambda x: x[2:], 7),
    "every other element, as if there were no gaps": ("const float*", lambda x: x[::2], 10),
    "a transposed array, as if it were not": ("const float*", lambda x: x.reshape(2, 2).T, 10),
    "complex numbers": ("const float*", lambda x: x.view("c8"), 10),
    "bytes": ("const float*", lambda x: x.view("u1"), 10),
    "float2": ("const float2*", lambda x: x, 10),
    "float4": ("const float4*", lambda x: x, 10),
    "any pointer": ("const void*", lambda x: x, 10),
    "a number": ("unsigned long long", lambda x: x, 10),
}


@pytest.mark.parametrize("what", POINTERS)
def test_a_pointer_is_to_the_memory_of_any_array(what):
    declared, given, expected = POINTERS[what]
    text = f"""
    extern "C" __global__ void k({declared} given, int n, double* y) {{
      const float* x = (const float*)given;
      for (int i = 0; i < n; ++i) y[0] += x[i];
    }}"""
    x, y = px.arange(1, 5, dtype="f4"), px.zeros(1)
    count = 3 if what.startswith("a part") else 2 if what == "a slice" else 4
    RawKernel(text, "k")((1,), (1,), (given(x), count, y))
    assert float(y[0]) == expected


ADD = """
extern "C" __global__ void add(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}
"""
WRONG_ARGUMENTS = [
    ((np.ones(4, "f4"), "y", 4), "by value"),
    (("y", 4), "expects 3 arguments, got 2"),
    (("y", "y", 4, 4), "expects 3 arguments, got 4"),
    (("y", "y", 1j), "argument 3"),
    (("y", "y", "four"), "argument 3"),
    (([1, 2], "y", 4), "argument 1"),
]


@pytest.mark.parametrize(("given", "words"), WRONG_ARGUMENTS)
def test_what_cannot_be_passed_raises_before_the_launch(given, words):
    y = px.ones(4, "f4")
    arguments = tuple(y if isinstance(each, str) and each == "y" else each for each in given)
    with pytest.raises(TypeError, match=words):
        RawKernel(ADD, "add")((1,), (4,), arguments)
    assert y.tolist() == [1] * 4


# What a parameter would keep a part of, and what it keeps the bits of.
CUT = [
    ("int", 2**40, OverflowError, "argument 1: 1099511627776 does not fit into int32"),
    ("int", 2**32, OverflowError, "does not fit into int32"),
    ("int", -(2**31) - 1, OverflowError, "does not fit into int32"),
    ("int", np.int64(2**40), OverflowError, "does not fit into int32"),
    ("int", np.array(2**40), OverflowError, "does not fit into int32"),
    ("unsigned", 2**32, OverflowError, "does not fit into uint32"),
    ("short", np.int32(70000), OverflowError, "does not fit into int16"),
    ("unsigned char", 256, OverflowError, "does not fit into uint8"),
    ("unsigned long long", 2**64, OverflowError, "does not fit into uint64"),
    ("int", 2.0, TypeError, r"the float 2\.0 for int32: convert it before, int\(x\)"),
    ("int", np.float32(2), TypeError, "the float"),
    ("size_t", 1e3, TypeError, "the float 1000.0 for uint64"),
    ("bool", 0.5, TypeError, "the float 0.5 for bool"),
]
KEPT = [
    ("unsigned", -1, 2**32 - 1), ("int", 2**32 - 1, -1), ("int", np.uint32(2**32 - 1), -1),
    ("unsigned char", np.int64(-1), 255), ("long long", np.int8(-3), -3),
    ("unsigned long long", 2**64 - 1, -1), ("float", 0.1, np.float32(0.1)),
    ("float", np.float64(0.1), np.float32(0.1)), ("double", np.float32(0.1), np.float32(0.1)),
    ("float", 2**40, 2.0**40), ("bool", 256, 1),
]  # fmt: skip


@pytest.mark.parametrize(("declared", "value", "kind", "words"), CUT)
def test_a_number_that_a_parameter_would_cut_is_refused(declared, value, kind, words):
    text = f'extern "C" __global__ void cutting({declared} v, double* y) {{ y[0] = v; }}'
    y = px.full(1, 5.0)
    with pytest.raises(kind, match=f"cutting, argument 1: .*{words.split('argument 1: ')[-1]}"):
        RawKernel(text, "cutting")((1,), (1,), (value, y))
    assert float(y[0]) == 5


@pytest.mark.parametrize(("declared", "value", "expected"), KEPT)
def test_a_number_keeps_its_bits(declared, value, expected):
    y = px.zeros(1)
    text = f'extern "C" __global__ void k({declared} v, double* y) {{ y[0] = {{}}v; }}'
    text = text.replace("{}", "(long long)" if "long long" in declared else "")
    RawKernel(text, "k")((1,), (1,), (value, y))
    assert float(y[0]) == float(expected)


@PADDED
def test_a_record_of_other_members_is_refused():
    text = STRUCTS + 'extern "C" __global__ void k(Outer v, double* y) { y[0] = v.n; }'
    with pytest.raises(TypeError, match="a struct of 6 numbers"):
        RawKernel(text, "k")((1,), (1,), (np.zeros((), INNER), px.zeros(1)))
    with pytest.raises(TypeError, match="bare bytes"):
        RawKernel(text, "k")((1,), (1,), (np.void(bytes(40)), px.zeros(1)))


@pytest.mark.parametrize("value", [np.float16(1.5), np.float32(1.5), 1.5, np.array(1.5, "f2")])
def test_a_half_takes_a_number(value):
    text = """#include <cuda_fp16.h>
    extern "C" __global__ void k(__half v, double* y) { y[0] = __half2float(v); }"""
    y = px.zeros(1)
    RawKernel(text, "k")((1,), (1,), (value, y))
    assert float(y[0]) == 1.5


def test_a_float_for_an_integer_of_a_struct_is_refused():
    text = """struct S { int n; float x; };
    extern "C" __global__ void k(S v, double* y) { y[0] = v.n + v.x; }"""
    swapped = np.array([(2.5, 1)], [("x", "f4"), ("n", "i4")])
    with pytest.raises(TypeError, match="for a member of int32"):
        RawKernel(text, "k")((1,), (1,), (swapped, px.zeros(1)))
