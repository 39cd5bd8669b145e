"""NVIDIA's compiler in the place of phalanx's own: the same results of the same source."""

from __future__ import annotations

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule, SourceOptions, nvrtc
from phalanx.errors import DeviceError

from phalanx import _engine, cuda

SOURCE = r"""
struct Point { float x; int n; double y; };
__constant__ float factors[4];
__device__ int calls;

template <typename T> __global__ void scale(T* a, T by) { a[threadIdx.x] *= by; }

extern "C" __global__ void mixed(
    double* out, const float* in, Point p, char c, unsigned long long u, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i] * p.y + p.x * p.n + c + (double)u + factors[i % 4];
    atomicAdd(&calls, 1);
  }
}

extern "C" __global__ void turned(int* out) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void functions(float* out, const float* in) {
  int i = threadIdx.x;
  out[i] = sqrtf(in[i]) + fmaf(in[i], 2.f, 1.f) + __popc(__float_as_int(in[i]));
}
"""
PADDED = """
struct P { double y; float x; };
extern "C" __global__ void f(P p, int n, int* o) { *o = p.x + n; }
"""
USES = """
#include <stdio.h>
#include <cmath>
#include <cfloat>
#include <climits>
#include <stdint.h>
#include <algorithm>
#include <limits>
#include <cupy/complex.cuh>
extern "C" __global__ void f(complex<double>* a, uint8_t* b, std::int64_t n) {
  if (n > INT_MAX) printf("%f", M_PI);
  const float most = std::max(FLT_MAX, std::numeric_limits<float>::max());
  a[0] = exp(a[1]) * conj(a[2]) + std::sqrt(2.0) + std::min(most, 1.0f);
  b[0] = real(a[0]) > 1 ? CHAR_BIT : 0;
}
"""
OF_BRIDGE = """
extern "C" __global__ void f(cuDoubleComplex* a, cuFloatComplex* b) {
  a[0] = cuCadd(cuCmul(a[1], a[2]), make_cuDoubleComplex(cuCreal(a[1]), cuCimag(a[2])));
  b[0] = cuCdivf(b[1], cuConjf(b[2])) + cuCabsf(b[3]);
}
"""


@pytest.fixture(params=nvrtc.COMPILERS)
def module(device, request):
    if device != "cuda" and request.param == "nvrtc":
        pytest.skip("NVRTC makes code for GPUs")
    return CudaCModule(SOURCE, kernels=("scale<float>",), compiler=request.param)


def test_templates_structs_and_variables(module):
    a = cuda.to_device(np.arange(32, dtype=np.float32))
    module.kernel("scale<float>").launch((1,), (32,), [a, np.float32(1.5)])
    values = np.arange(32, dtype=np.float32) * np.float32(1.5)
    assert np.array_equal(a.copy_to_host(), values)
    out = cuda.to_device(np.zeros(32))
    point = np.array([(0.5, 3, 2.25)], [("x", "f4"), ("n", "i4"), ("y", "f8")])[0]
    module.kernel("mixed").launch(
        (1,), (64,), [out, a, point, np.int8(-2), np.uint64(2**40), np.int32(32)]
    )
    expected = values.astype(np.float64) * 2.25 + 1.5 - 2 + 2.0**40
    assert np.allclose(out.copy_to_host(), expected, rtol=1e-14)  # some products are fused
    address, size = module.global_memory(cuda.get_current_device()._device, "calls")
    assert address and size == 4


def test_dynamic_shared_memory_and_functions(module):
    out = cuda.to_device(np.zeros(64, np.int32))
    module.kernel("turned").launch((1,), (64,), [out], 0, 256)
    assert np.array_equal(out.copy_to_host(), np.arange(63, -1, -1) ** 2)
    values = np.linspace(1, 9, 64, dtype=np.float32)
    there, made = cuda.to_device(values), cuda.to_device(np.zeros(64, np.float32))
    module.kernel("functions").launch((1,), (64,), [made, there])
    bits = np.array([bin(each).count("1") for each in values.view(np.uint32)], np.float32)
    expected = np.sqrt(values) + (values * np.float32(2) + np.float32(1)) + bits
    assert np.allclose(made.copy_to_host(), expected, rtol=1e-6)


def test_a_struct_with_padding_at_its_end_is_refused_by_nvrtc_only(device):
    for compiler in nvrtc.COMPILERS:
        if device != "cuda" and compiler == "nvrtc":
            continue
        module = CudaCModule(PADDED, compiler=compiler)
        out = cuda.to_device(np.zeros(1, np.int32))
        point = np.array([(1.0, 7.0)], [("y", "f8"), ("x", "f4")])[0]
        if compiler == "nvrtc":
            with pytest.raises(Exception, match="struct with padding"):
                module.kernel("f").launch((1,), (1,), [point, np.int32(1), out])
        else:
            module.kernel("f").launch((1,), (1,), [point, np.int32(1), out])
            assert out.copy_to_host()[0] == 8


def test_a_vector_that_is_not_where_a_launch_puts_it_is_refused(device):
    if device != "cuda":
        pytest.skip("NVRTC makes code for GPUs")
    text = 'extern "C" __global__ void f(int n, float2 p, float* o) { *o = p.x + n; }'
    module = CudaCModule(text, compiler="nvrtc")
    with pytest.raises(Exception, match="struct with padding or alignment"):
        module.kernel("f").handle.cubin(cuda.get_current_device()._device)


def test_the_headers_that_nvrtc_lacks_compile_and_have_what_sources_for_nvcc_use():
    if nvrtc.find_library("nvrtc") is None:
        pytest.skip("NVRTC is not installed")
    bridge = "cupy/cuComplex_bridge.h"  # its macros are names of others
    names = [name for name, _ in nvrtc.HEADERS if name != bridge]
    all_of_them = "".join(f"#include <{name}>\n" for name in names)
    for text in (USES, all_of_them + USES, f"#include <{bridge}>\n{OF_BRIDGE}"):
        given = nvrtc.source_of(text, "a.cu", SourceOptions(), ())
        library, file, source, options, _, headers = given
        options.append("--gpu-architecture=compute_90")
        ptx, _log = _engine.compile_cuda_source(library, file, source, options, headers)
        assert ".entry f(" in ptx


def test_the_ptx_is_that_of_the_compiler_that_makes_what_runs():
    if nvrtc.find_library("nvrtc") is None:
        pytest.skip("NVRTC is not installed")
    texts = {}
    for compiler in nvrtc.COMPILERS:
        module = CudaCModule(SOURCE, kernels=("scale<float>",), compiler=compiler)
        for name in ("scale<float>", "turned"):
            texts[compiler, name] = module.kernel(name).handle.ptx((9, 0))
    assert all(".entry turned(" in texts[each, "turned"] for each in nvrtc.COMPILERS)
    for name in ("scale<float>", "turned"):
        assert "Compiler Build ID" in texts["nvrtc", name]
        assert "Compiler Build ID" not in texts["phalanx", name]


def test_which_compiler_is_taken(monkeypatch):
    monkeypatch.delenv(nvrtc.VARIABLE, raising=False)
    assert nvrtc.chosen(None) == "phalanx"
    monkeypatch.setenv(nvrtc.VARIABLE, "nvrtc")
    assert nvrtc.chosen(None) == "nvrtc" and nvrtc.chosen("phalanx") == "phalanx"
    with pytest.raises(ValueError, match="compiler is one of"):
        CudaCModule(SOURCE, compiler="nvcc")


def test_without_nvrtc_the_error_names_the_package(monkeypatch):
    monkeypatch.setattr(nvrtc, "find_library", lambda stem: None)
    with pytest.raises(DeviceError, match="pip install nvidia-cuda-nvrtc"):
        CudaCModule(SOURCE, compiler="nvrtc")
