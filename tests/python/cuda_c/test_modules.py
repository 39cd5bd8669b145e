"""Modules of CUDA C: their kernels, variables, arguments and errors."""

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule, SourceOptions

import phalanx
from phalanx import KernelError, _engine, cuda

SCALE = """
extern "C" __global__ void scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
"""


def run(text, name, grid, block, *arguments, **given):
    """Runs a kernel on copies of the arrays; gives them. options, shared_bytes, kernels, check."""
    options = SourceOptions.parse(given.get("options", ()))
    module = CudaCModule(
        text, "test.cu", options, given.get("kernels", ()), check=given.get("check")
    )
    passed = [cuda.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments]
    module.kernel(name).launch(grid, block, passed, shared_bytes=given.get("shared_bytes", 0))
    cuda.synchronize()
    pairs = zip(passed, arguments, strict=True)
    return [p.copy_to_host() for p, a in pairs if isinstance(a, np.ndarray)]


def test_a_kernel_and_its_arguments():
    x = np.arange(100, dtype=np.float32)
    (found,) = run(SCALE, "scale", 4, 32, x, 2.5, 100)
    np.testing.assert_array_equal(found, x * np.float32(2.5))


def test_several_kernels_share_variables():
    text = """
    __device__ int counter = 5;
    __constant__ float table[3] = {1.5f, 2.5f, 3.5f};
    __device__ double matrix[2][3];
    extern "C" __global__ void add(int n) { atomicAdd(&counter, n); matrix[1][2] = counter; }
    extern "C" __global__ void read(double* out) {
      out[0] = counter; out[1] = table[2]; out[2] = matrix[1][2];
    }
    """
    module = CudaCModule(text)
    out = cuda.to_device(np.zeros(3))
    module.kernel("add").launch(1, 4, [3])
    module.kernel("read").launch(1, 1, [out])
    found = out.copy_to_host()
    assert found[:2].tolist() == [17, 3.5] and found[2] in (8, 11, 14, 17)
    address, size = module.global_memory(_engine.current_device(), "matrix")
    assert address != 0 and size == 48
    with pytest.raises(ValueError, match="counter"):
        module.global_memory(_engine.current_device(), "nothing")


def test_names_of_kernels():
    text = (
        SCALE
        + """
    namespace shapes {
    template <typename T, int N> __global__ void fill(T* x) { x[threadIdx.x] = N; }
    }
    __global__ void plain(int* x) { *x = 7; }
    """
    )
    module = CudaCModule(text, kernels=["shapes::fill<float, 3>", "shapes::fill<int, 4>"])
    assert set(module.kernel_names) == {
        "scale", "shapes::fill<float, 3>", "shapes::fill<int, 4>", "_Z5plainPi",
    }  # fmt: skip
    x = cuda.to_device(np.zeros(4, np.int32))
    module.kernel("shapes::fill<int, 4>").launch(1, 4, [x])
    assert x.copy_to_host().tolist() == [4] * 4
    module.kernel("plain").launch(1, 1, [x])
    assert x.copy_to_host().tolist() == [7, 4, 4, 4]
    with pytest.raises(ValueError, match=r"no kernel 'other'; it has .*scale"):
        module.kernel("other")


def test_shared_memory_static_and_of_the_launch():
    text = """
    extern "C" __global__ void reverse(float* x, int n) {
      extern __shared__ float tile[];
      __shared__ int count;
      if (threadIdx.x == 0) count = n;
      tile[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      x[threadIdx.x] = tile[count - 1 - threadIdx.x];
    }"""
    x = np.arange(64, dtype=np.float32)
    (found,) = run(text, "reverse", 1, 64, x, 64, shared_bytes=256)
    np.testing.assert_array_equal(found, x[::-1])


@pytest.mark.of_phalanx("refuses structs with padding by value")
def test_structs_by_value():
    text = """
    struct Inner { short s; double d; };
    struct Outer { int n; Inner inner; float v[3]; char c; };
    extern "C" __global__ void read(double* out, Outer o, int last) {
      o.n += 1;
      out[0] = o.n; out[1] = o.inner.s; out[2] = o.inner.d;
      out[3] = o.v[0] + o.v[1] * 10 + o.v[2] * 100; out[4] = o.c; out[5] = last;
    }"""
    inner = np.dtype([("s", "i2"), ("d", "f8")], align=True)
    outer = np.dtype([("n", "i4"), ("inner", inner), ("v", "f4", 3), ("c", "i1")], align=True)
    value = np.zeros((), outer)
    value["n"], value["inner"] = 3, (-4, 2.5)
    value["v"], value["c"] = (1, 2, 3), 7
    (found,) = run(text, "read", 1, 1, np.zeros(6), value[()], 9)
    assert found.tolist() == [4, -4, 2.5, 321, 7, 9]


def test_atomics_votes_and_shuffles():
    text = """
    extern "C" __global__ void all(int* ints, unsigned* words, float* floats, double* doubles) {
      unsigned t = threadIdx.x;
      atomicAdd(&ints[0], (int)t); atomicMax(&ints[1], (int)t); atomicMin(&ints[2], -(int)t);
      atomicSub(&ints[3], 1); atomicCAS(&ints[4], 0, 9); atomicExch(&ints[5], 5);
      atomicAnd(&words[0], ~(1u << t)); atomicOr(&words[1], 1u << t); atomicXor(&words[2], 1u << t);
      atomicInc(&words[3], 10u); atomicAdd(&floats[0], 0.5f); atomicAdd(&doubles[0], 0.25);
      words[4 + t] = __ballot_sync(0xffffffff, t % 3 == 0);
      ints[8 + t] = __shfl_xor_sync(0xffffffff, (int)t, 5) * 100
                  + __shfl_down_sync(0xffffffff, (int)t, 3, 8);
      words[40 + t] = __shfl_up_sync(0xffffffff, t, 2u) + 100 * __shfl_sync(0xffffffff, t, 7, 16);
      if (__any_sync(0xffffffff, t == 4) && !__all_sync(0xffffffff, t == 4))
        words[80 + t] = __popc(t) + __clz(t) * 100 + __ffs(t) * 10000;
      ints[6] = __syncthreads_count(t < 5); ints[7] = __syncthreads_or(t == 31);
    }"""
    t = np.arange(32)
    ints, words = np.zeros(40, np.int32), np.zeros(112, np.uint32)
    words[0] = 0xFFFFFFFF
    ints, words, floats, doubles = run(
        text, "all", 1, 32, ints, words, np.zeros(1, np.float32), np.zeros(1)
    )
    assert ints[:8].tolist() == [496, 31, -31, -32, 9, 5, 5, 1]
    assert words[:4].tolist() == [0, 0xFFFFFFFF, 0xFFFFFFFF, 32 % 11]
    assert (words[4:36] == sum(1 << k for k in range(0, 32, 3))).all()
    down = np.where(t % 8 + 3 < 8, t + 3, t)
    assert ints[8:].tolist() == ((t ^ 5) * 100 + down).tolist()
    assert words[40:72].tolist() == (np.where(t >= 2, t - 2, t) + 100 * (t // 16 * 16 + 7)).tolist()
    bits = [int(each).bit_length() for each in t]
    first = [(int(each) & -int(each)).bit_length() for each in t]
    expected = [
        bin(k).count("1") + (32 - b) * 100 + f * 10000
        for k, b, f in zip(t, bits, first, strict=True)
    ]
    assert words[80:].tolist() == expected
    assert floats[0] == 16 and doubles[0] == 8


def test_cooperative_groups():
    text = """
    #include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    extern "C" __global__ void sums(int* out) {
      cg::thread_block block = cg::this_thread_block();
      auto tile = cg::tiled_partition<8>(block);
      int v = block.thread_rank();
      for (int k = tile.size() / 2; k > 0; k /= 2) v += tile.shfl_down(v, k);
      if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = v;
      block.sync();
      if (threadIdx.x % 3 == 0) {
        auto g = cg::coalesced_threads();
        if (g.thread_rank() == 0) atomicAdd(&out[8], g.size());
      }
    }"""
    (found,) = run(text, "sums", 1, 64, np.zeros(9, np.int32))
    assert found[:8].tolist() == [sum(range(k, k + 8)) for k in range(0, 64, 8)]
    assert found[8] == 22


def test_halves():
    text = """
    #include <cuda_fp16.h>
    extern "C" __global__ void halves(half* x, float* out, half2* pairs) {
      int i = threadIdx.x;
      half h = x[i];
      out[i] = __half2float(h * h + __float2half(0.5f)) + (float)__hadd(h, h);
      x[i] = hsqrt(h);
      half2 p = pairs[i];
      pairs[i] = __hmul2(p, __float2half2_rn(2.0f));
    }"""
    x = (np.arange(32) / 3).astype(np.float16)
    pairs = np.arange(64, dtype=np.float16).reshape(32, 2)
    roots, out, doubled = run(text, "halves", 1, 32, x, np.zeros(32, np.float32), pairs)
    expected = (x * x + np.float16(0.5)).astype(np.float32) + (x + x).astype(np.float32)
    np.testing.assert_allclose(out, expected, rtol=1e-3)
    np.testing.assert_array_equal(roots, np.sqrt(x))
    np.testing.assert_array_equal(doubled, pairs * np.float16(2))


def test_options():
    text = """
    #ifndef N
    #error N is not defined
    #endif
    extern "C" __global__ void k(int* x) { x[0] = N + M; }"""
    for options in (["-DN=3", "-D", "M=4"], ["--define-macro=N=3", "-DM=4", "-lineinfo"]):
        assert run(text, "k", 1, 1, np.zeros(1, np.int32), options=options)[0][0] == 7
    with pytest.raises(ValueError, match="needs a value"):
        SourceOptions.parse(["-D"])
    with pytest.raises(TypeError, match="not one text"):
        SourceOptions.parse("-DN")
    with pytest.raises(ValueError, match="is not known"):
        SourceOptions.parse(["-std=c++98x"])
    for option in ("--nonsense", "-include"):
        with pytest.raises(ValueError, match=f"option {option} is not known"):
            SourceOptions.parse(["-DN=3", option])
    known = ["-arch", "sm_80", "--gpu-architecture=compute_90", "-O3", "-Xptxas", "-v", "-w"]
    assert SourceOptions.parse(known).others == tuple(known)


def test_headers_are_found_in_given_folders_only(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "mine.h").write_text("#define VALUE 42\n")
    (tmp_path / "outside.h").write_text("#define SECRET 1\n")
    text = '#include "mine.h"\nextern "C" __global__ void k(int* x) { x[0] = VALUE; }'
    folder = f"-I{tmp_path / 'inside'}"
    assert run(text, "k", 1, 1, np.zeros(1, np.int32), options=[folder])[0][0] == 42
    for path in ("../outside.h", str(tmp_path / "outside.h"), "/etc/passwd"):
        with pytest.raises(phalanx.errors.CompileError, match="file not found"):
            CudaCModule(f'#include "{path}"\n', options=SourceOptions.parse([folder]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('extern "C" __global__ void k(int* x) { x[0] = y; }', "undeclared identifier 'y'"),
        ('extern "C" __global__ void k(int* x) {', "expected '}'"),
        ('extern "C" __global__ int k(int* x) { return 1; }', "must have void return type"),
        ("int f();\nextern \"C\" __global__ void k(int* x) { x[0] = f(); }", "__host__ function"),
        ('extern "C" __device__ int f();\nextern "C" __global__ void k(int* x) { x[0] = f(); }',
         "declared but has no body"),
        ("template <int N> struct S { static const int v = S<N + 1>::v; };\n"
         'extern "C" __global__ void k(int* x) { x[0] = S<0>::v; }', "recursive template"),
        ('#include "self.cu"\n', "file not found"),
        ('extern "C" __global__ void k(int* x) { x[0] = 1; }\0', "null byte"),
        ("#error stop here\n", "stop here"),
        ('struct S { int b : 3; };\nextern "C" __global__ void k(S s, int* x) { x[0] = s.b; }',
         "cannot take this type"),
    ],
)  # fmt: skip
def test_source_with_errors_says_where(text, words):
    with pytest.raises(phalanx.errors.CompileError) as raised:
        CudaCModule(text, "wrong.cu")
    assert words in str(raised.value) and "wrong.cu" in str(raised.value)


def test_wrong_arguments():
    kernel = CudaCModule(SCALE).kernel("scale")
    x = cuda.to_device(np.zeros(4, np.float32))
    with pytest.raises(TypeError, match="expects 3 arguments, got 2"):
        kernel.launch(1, 4, [x, 1.0])
    with pytest.raises(TypeError, match="argument 1"):
        kernel.launch(1, 4, [cuda.to_device(np.zeros(4)), 1.0, 4])
    with pytest.raises(TypeError):
        kernel.launch(1, 4, [x, "text", 4])
    with pytest.raises(TypeError):
        kernel.launch(1, 4, [x, 1.0, 2.5j])


@pytest.mark.of_phalanx("an assertion that fails ends the context")
def test_assertions_and_traps_stop_the_kernel():
    text = (
        'extern "C" __global__ void k(int n) { assert(n < 3 && "too many"); if (n == 2) __trap(); }'
    )
    module = CudaCModule(text, "checked.cu")
    module.kernel("k").launch(1, 1, [1])
    cuda.synchronize()
    with pytest.raises(AssertionError, match="n < 3"):
        module.kernel("k").launch(1, 1, [5])
        cuda.synchronize()


def test_an_empty_module_has_no_kernels():
    with pytest.raises(ValueError, match="one kernel at least"):
        CudaCModule("__device__ int f(int x) { return x; }")


@pytest.mark.of_phalanx("the driver's printf has no * in formats")
def test_widths_of_printf_that_are_arguments(capfd):
    text = r"""
    extern "C" __global__ void k(int* x) {
      constexpr int width = 7;
      printf("[%*d] [%-*.*f] [%.*e]\n", width, 42, width + 1, 2, 3.14159, 3, 1234.5);
    }"""
    run(text, "k", 1, 1, np.zeros(1, np.int32))
    assert capfd.readouterr().out == "[     42] [3.14    ] [1.234e+03]\n"
    wrong = 'extern "C" __global__ void k(int* x) { printf("%*d", x[0], 3); }'
    with pytest.raises(phalanx.errors.CompileError, match="is a constant"):
        CudaCModule(wrong)


@pytest.mark.of_phalanx("the driver takes %hhu for nothing")
def test_printf_formats_as_c_does(capfd):
    text = r"""
    extern "C" __global__ void k(const float* x, unsigned char u) {
      printf("[%8.2f] [%04d] [%x] [%+d] [%-6u] {%5.1e} 100%% %c %s\n", 2.5, 3, -1, 7, 42u, x[0], 'q', "text");
      printf("%d", 1); printf("%lld %hhu %g\n", 123456789012LL, u, 0.1f);
    }"""  # noqa: E501
    run(text, "k", 1, 1, np.array([1234.5], np.float32), 200)
    expected = (
        "[    2.50] [0003] [ffffffff] [+7] [42    ] {1.2e+03} 100% q text\n1123456789012 200 0.1\n"
    )
    assert capfd.readouterr().out == expected


KEPT = """
import sys
import numpy as np
from phalanx import cuda, errors
from phalanx._cuda_c import CudaCModule, SourceOptions, compiler

library, folder, factor = sys.argv[1:]
if library == "none":  # only what is on disk can be had
    compiler.library_path = lambda: "/nowhere/libphalanx_cudac.so"
text = '''
#ifdef ITEM
#include "item.h"
#endif
extern "C" __global__ void k(float* x) { int unused; x[threadIdx.x] *= FACTOR; }'''
options = ["-DFACTOR=" + factor] + (["-DITEM", "-I" + folder] if folder != "none" else [])
try:
    module = CudaCModule(text, "test.cu", SourceOptions.parse(options))
except errors.DeviceError:
    print("not kept")
else:
    x = cuda.to_device(np.ones(2, np.float32))
    module.kernel("k").launch(1, 2, [x])
    print(*x.copy_to_host(), "unused variable" in module.log)
"""


def test_what_the_front_end_made_is_kept_on_disk(run_python, tmp_path):
    def words(*arguments):
        script = tmp_path / "kept.py"
        script.write_text(KEPT)
        started = f"import runpy, sys; sys.argv[1:] = {list(arguments)!r}; "
        return run_python(f"{started}runpy.run_path({str(script)!r})").stdout.strip()

    (tmp_path / "item.h").write_text("")
    assert words("none", "none", "3") == "not kept"
    assert words("there", "none", "3") == "3.0 3.0 True"
    assert words("none", "none", "3") == "3.0 3.0 True"
    assert words("none", "none", "4") == "not kept"  # another source, by its options
    # Headers of a folder may change.
    assert words("there", str(tmp_path), "3") == "3.0 3.0 True"
    assert words("none", str(tmp_path), "3") == "not kept"


@pytest.mark.parametrize(
    "expression", ["~" * 4000 + "1", "1" + "+1" * 4000, "1?" * 300 + "1" + ":2" * 300]
)
def test_expressions_within_expressions(expression):
    source = f'extern "C" __global__ void f(int* a) {{ a[0] = {expression}; }}'
    out = cuda.to_device(np.zeros(1, np.int32))
    CudaCModule(source).kernel("f").launch((1,), (1,), [out])
    assert out.copy_to_host()[0] == (4001 if "+" in expression else 1)


def test_brackets_have_a_limit():
    source = f'extern "C" __global__ void f(int* a) {{ a[0] = {"(" * 5000}1{")" * 5000}; }}'
    with pytest.raises(phalanx.errors.CompileError, match="bracket nesting level exceeded maximum"):
        CudaCModule(source)


OUTSIDE = """
extern "C" __global__ void k(int* out) {
  out[threadIdx.x + 100] = 1;
}"""


@pytest.mark.of_phalanx("faults are told by phalanx's code")
def test_a_fault_names_the_file_that_was_given(device):
    for name in ("first.cu", "second.cu"):
        module = CudaCModule(OUTSIDE, name, check="bounds")
        with pytest.raises(KernelError, match=name):
            module.kernel("k").launch(1, 4, [cuda.to_device(np.zeros(4, np.int32))])
            cuda.synchronize()


FILE_SHARED = """
extern __shared__ int open[];
__shared__ int fixed[8];
__device__ int of_open(int i) { return open[i]; }
extern "C" __global__ void turned(int* x) {
  open[threadIdx.x] = x[threadIdx.x];
  fixed[threadIdx.x] = 100 * x[threadIdx.x];
  __syncthreads();
  if (x[0] >= 0) x[threadIdx.x] = of_open(7 - threadIdx.x) + fixed[7 - threadIdx.x];
}
extern "C" __global__ void other(int* x) {
  fixed[threadIdx.x] = 3;
  x[threadIdx.x] += fixed[threadIdx.x];
}
"""


def test_shared_memory_at_the_files_level():
    x = np.arange(8, dtype=np.int32)
    (found,) = run(FILE_SHARED, "turned", 1, 8, x, shared_bytes=32)
    assert found.tolist() == (101 * x[::-1]).tolist()
    (found,) = run(FILE_SHARED, "other", 1, 8, x)
    assert found.tolist() == (x + 3).tolist()
    several = FILE_SHARED.replace("return open[i]", "return fixed[i]")
    with pytest.raises(phalanx.errors.CompileError, match="several functions name"):
        CudaCModule(several)


@pytest.mark.of_phalanx("the driver's printf")
def test_texts_and_short_numbers_of_printf_are_shown_as_c_does(capfd):
    text = r"""
    extern "C" __global__ void k(int* x) {
      printf("[%10s] [%-6s] [%.2s] [%-8.3s] [%5.1s]\n", "abc", "abc", "abcdef", "abcdef", "");
      printf("[%hx] [%hhu] [%hd]\n", (short)-1, 257, 65535);
      printf("a\0b\n");
    }"""
    run(text, "k", 1, 1, np.zeros(1, np.int32))
    expected = "[       abc] [abc   ] [ab] [abc     ] [     ]\n[ffff] [1] [-1]\na"
    assert capfd.readouterr().out == expected


def test_a_name_expression_of_no_kernel_is_refused():
    text = "template <class T> __device__ T f(T x) { return x; } __global__ void g() {}"
    with pytest.raises(phalanx.errors.CompileError, match="is no kernel"):
        CudaCModule(text, "f.cu", kernels=("f<float>",))


def test_functions_that_call_each_other_twice_are_not_copied_a_million_times():
    depth = 20
    text = "__device__ int g0(int x) { return x; }\n"
    for i in range(1, depth + 1):
        text += f"__device__ int g{i}(int x) {{ return g{i - 1}(x + 1) + g{i - 1}(x + 2); }}\n"
    text += f'extern "C" __global__ void k(int* x) {{ x[threadIdx.x] = g{depth}(threadIdx.x); }}'
    (x,) = run(text, "k", 1, 32, np.zeros(32, np.int32))
    assert x.tolist() == [(i << depth) + depth * 3 * (1 << (depth - 1)) for i in range(32)]
