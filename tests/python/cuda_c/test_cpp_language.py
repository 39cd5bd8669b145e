"""What C and C++ mean in kernels: each function of the sources, beside the host's own compiler."""

import ctypes
import functools
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule, SourceOptions

from phalanx import cuda

HERE = Path(__file__).parent
TEXTS = {name: (HERE / name).read_text() for name in ("cases.cu", "gnu_cases.cu")}
NAMES = {file: re.findall(r"^CASE\((\w+)\)", text, re.MULTILINE) for file, text in TEXTS.items()}
MARKS = {"cases.cu": (), "gnu_cases.cu": pytest.mark.of_phalanx("has no ?: of two operands")}
OWN_MARKS = {
    "counters_of_narrow_types_go_around": pytest.mark.of_phalanx(
        "takes ++ of a signed char beyond the type for undefined"
    )
}
CASES = [
    pytest.param(file, name, marks=OWN_MARKS.get(name, MARKS[file]), id=name)
    for file, names in NAMES.items()
    for name in names
]
ALL = [name for names in NAMES.values() for name in names]
COUNT = 64

ON_DEVICE = """
#define DEVICE __device__
#define CASE(name) __device__ double name(int i, const int* a, const float* x)
"""
ON_HOST = """
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <new>
using std::abs; using std::fabs;
#define DEVICE
#define CASE(name) static double name(int i, const int* a, const float* x)
template <typename T> static T min(T a, T b) { return b < a ? b : a; }
template <typename T> static T max(T a, T b) { return a < b ? b : a; }
"""


@pytest.fixture(scope="module")
def inputs():
    a = (np.arange(COUNT, dtype=np.int32) * 7 % 41) - 3
    x = ((np.arange(COUNT) * 13 % 29) / 7 - 1.75).astype(np.float32)
    return a, x


@pytest.fixture(scope="module")
def expected(tmp_path_factory, inputs):
    """What the host's compiler makes of every case."""
    compiler = shutil.which("g++") or shutil.which("c++")
    assert compiler, "the tests need the C++ compiler that builds the engine"
    folder = tmp_path_factory.mktemp("host")
    loops = "".join(
        f'extern "C" void run_{name}(double* out, const int* a, const float* x) {{'
        f" for (int i = 0; i < {COUNT}; ++i) out[i] = {name}(i, a, x); }}\n"
        for name in ALL
    )
    (folder / "cases.cpp").write_text("".join([ON_HOST, *TEXTS.values(), loops]))
    options = ["-std=c++17", "-O1", "-fwrapv", "-ffp-contract=off", "-shared", "-fPIC", "-w"]
    command = [compiler, *options, "-fno-strict-aliasing", str(folder / "cases.cpp"), "-o"]
    subprocess.run([*command, str(folder / "cases.so")], check=True)
    library = ctypes.CDLL(str(folder / "cases.so"))
    a, x = inputs
    results = {}
    for name in ALL:
        out = np.zeros(COUNT)
        pointers = [ctypes.c_void_p(each.ctypes.data) for each in (out, a, x)]
        getattr(library, f"run_{name}")(*pointers)
        results[name] = out
    return results


@functools.cache
def module_of(file):
    kernels = "".join(
        f'extern "C" __global__ void run_{name}(double* out, const int* a, const float* x)'
        f" {{ int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = {name}(i, a, x); }}\n"
        for name in NAMES[file]
    )
    options = SourceOptions.parse(["--fmad=false"])
    return CudaCModule(ON_DEVICE + TEXTS[file] + kernels, file, options)


@pytest.mark.parametrize(("file", "name"), CASES)
def test_a_case_gives_what_the_hosts_compiler_gives(file, name, inputs, expected):
    out = cuda.to_device(np.zeros(COUNT))
    a, x = map(cuda.to_device, inputs)
    module_of(file).kernel(f"run_{name}").launch(2, COUNT // 2, [out, a, x])
    found = out.copy_to_host()
    np.testing.assert_array_equal(found, expected[name])


def test_a_struct_is_assigned_from_the_right():
    """As C++17 says; g++ 12 finds the element first."""
    module = CudaCModule("""
    struct P { int x, y; };
    extern "C" __global__ void f(int* out) {
      P h[2] = {};
      int j = 0;
      h[j++] = P{j + 5, j};
      out[0] = h[0].x * 10 + h[0].y + h[1].x;
    }""")
    out = cuda.to_device(np.zeros(1, np.int32))
    module.kernel("f").launch(1, 1, [out])
    assert out.copy_to_host()[0] == 50


def test_a_variable_of_a_fors_test_ends_behind_the_step():
    """As C++17 says, by which it is this while; g++ 12 ends it before the step."""
    module = CudaCModule("""
    struct Guard {
      int* log; int id;
      __device__ Guard(int* log, int id) : log(log), id(id) { *log = *log * 3 % 10007 + id; }
      __device__ ~Guard() { *log = *log * 5 % 10007 + id; }
      __device__ explicit operator bool() const { return id > 0; }
    };
    extern "C" __global__ void f(int* out) {
      int log = 1, same = 1, i = threadIdx.x;
      for (int j = i; Guard g{&log, j}; log += g.id * 7, --j) {
        Guard inner{&log, 9};
        if (j == 2) continue;
        log += 20;
        if (i == 5 && j == 3) break;
      }
      int j = i;
      while (Guard g{&same, j}) {
        bool ends = false;
        {
          Guard inner{&same, 9};
          if (j != 2) same += 20, ends = i == 5 && j == 3;
        }
        if (ends) break;
        same += g.id * 7, --j;
      }
      out[i] = log;
      out[i + 8] = same;
    }""")
    out = cuda.to_device(np.zeros(16, np.int32))
    module.kernel("f").launch(1, 8, [out])
    found = out.copy_to_host()
    np.testing.assert_array_equal(found[:8], found[8:])
    assert found[0] == 15 and len(set(found[:8])) == 8


def test_every_case_has_a_name_of_its_own():
    assert len(set(ALL)) == len(ALL) >= 95
