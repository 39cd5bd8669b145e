"""What CUDA C adds to C++ in kernels: clocks, memory of the module, parameters, instances."""

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule

import phalanx
from phalanx import _engine, cuda

pytestmark = pytest.mark.usefixtures("device")


def run(text, *arguments, block=32, name="f", **given):
    """Launches a kernel on copies of the arrays, and gives those."""
    module = CudaCModule(text, **given)
    passed = [cuda.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments]
    module.kernel(name).launch(1, block, passed)
    cuda.synchronize()
    pairs = zip(passed, arguments, strict=True)
    return [p.copy_to_host() for p, a in pairs if isinstance(a, np.ndarray)]


CLOCKS = """
__device__ unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
extern "C" __global__ void f(long long* out, float* x, int n) {
  const clock_t before = clock();
  const long long first = clock64();
  const unsigned long long start = nanoseconds(), other = OTHER;
  for (int i = 0; i < n; ++i) x[threadIdx.x] = sqrtf(x[threadIdx.x] + i);
  __nanosleep(1000);
  out[4 * threadIdx.x] = clock64() - first;
  out[4 * threadIdx.x + 1] = nanoseconds() - start;
  out[4 * threadIdx.x + 2] = other - start;
  out[4 * threadIdx.x + 3] = (int)(clock() - before);
}"""


@pytest.mark.parametrize(
    "nanoseconds",
    [
        "nanoseconds()",
        pytest.param("__globaltimer()", marks=pytest.mark.of_phalanx("has no __globaltimer()")),
    ],
)
def test_clocks_go_on(nanoseconds):
    x, text = np.ones(32, np.float32), CLOCKS.replace("OTHER", nanoseconds)
    few, _ = run(text, np.zeros((32, 4), np.int64).reshape(-1), x, 10)
    many, _ = run(text, np.zeros((32, 4), np.int64).reshape(-1), x, 400_000)
    few, many = few.reshape(32, 4), many.reshape(32, 4)
    assert (few[:, 0] > 0).all() and (many[:, 0] > 20 * few[:, 0]).all()
    assert (many[:, 1] > 100_000).all() and (many[:, 1] < 60_000_000_000).all()
    assert (few[:, 2] >= 0).all() and (few[:, 2] < 1_000_000_000).all()
    assert (few[:, 3] > 0).all()


def test_a_clock_is_read_at_each_place_and_time():
    text = """
    extern "C" __global__ void f(long long* out, int n) {
      long long last = clock64(), least = 1LL << 60;
      for (int i = 0; i < n; ++i) {
        const long long now = clock64();
        least = min(least, now - last);
        last = now;
      }
      out[threadIdx.x] = least;
    }"""
    assert (run(text, np.zeros(8, np.int64), 1000, block=8)[0] > 0).all()


def test_static_and_managed_variables_are_of_the_module():
    text = """
    __device__ __managed__ int shared_by_both = 3;
    __managed__ float values[2] = {1.5f, 2.5f};
    __device__ int counted() { static int count = 10; return atomicAdd(&count, 1); }
    extern "C" __global__ void f(int* out) {
      static int own;
      const int before = atomicAdd(&own, 2);
      out[threadIdx.x] = counted();
      if (threadIdx.x == 0) { shared_by_both += 4; values[1] *= 2; }
      if (before > 1000000) out[0] = 0;
    }
    extern "C" __global__ void g(float* out) { out[0] = shared_by_both + values[0] + values[1]; }
    """
    module = CudaCModule(text)
    out = cuda.to_device(np.zeros(32, np.int32))
    for first in (10, 42):
        module.kernel("f").launch(1, 32, [out])
        assert sorted(out.copy_to_host()) == list(range(first, first + 32))
    total = cuda.to_device(np.zeros(1, np.float32))
    module.kernel("g").launch(1, 1, [total])
    assert total.copy_to_host()[0] == 3 + 2 * 4 + 1.5 + 2.5 * 4
    for name, size in (("shared_by_both", 4), ("values", 8)):
        assert module.global_memory(_engine.current_device(), name)[1] == size


def test_kernels_take_arrays_of_arrays():
    text = """
    extern "C" __global__ void f(float a[][4], float (*b)[4], const int c[2][3][2]) {
      const int row = threadIdx.x / 4, column = threadIdx.x % 4;
      a[row][column] = b[column % 3][row] * 10 + c[1][row][column % 2];
    }"""
    a, b = np.zeros((3, 4), np.float32), np.arange(12, dtype=np.float32).reshape(3, 4)
    c = np.arange(12, dtype=np.int32).reshape(2, 3, 2)
    found, *_ = run(text, a, b, c, block=12)
    rows, columns = np.divmod(np.arange(12), 4)
    expected = b[columns % 3, rows] * 10 + c[1, rows, columns % 2]
    np.testing.assert_array_equal(found.reshape(-1), expected)
    with pytest.raises(TypeError, match="argument 1"):  # they are of numbers, and that is checked
        run(text, a.astype(np.float64), b, c)


def test_explicit_instances_are_kernels():
    text = """
    template <typename T, int N> __global__ void fill(T* x) { x[threadIdx.x] = N; }
    template __global__ void fill<float, 3>(float*);
    template __global__ void fill<int, 4>(int*);
    template <> __global__ void fill<double, 5>(double* x) { x[threadIdx.x] = 50; }
    namespace { template <typename T> __global__ void hidden(T* x) { x[0] = 9; } }
    namespace inner { template <typename T> __global__ void g(T* x) { x[0] = sizeof(T); } }
    template __global__ void inner::g<short>(short*);
    """
    mangled = {
        "_Z4fillIfLi3EEvPT_": ("f4", 3), "_Z4fillIiLi4EEvPT_": ("i4", 4),
        "_Z4fillIdLi5EEvPT_": ("f8", 50), "_ZN5inner1gIsEEvPT_": ("i2", 2),
    }  # fmt: skip
    module = CudaCModule(text)
    assert set(module.kernel_names) == set(mangled)
    for name, (dtype, value) in mangled.items():
        x = cuda.to_device(np.zeros(1, dtype))
        module.kernel(name).launch(1, 1, [x])
        assert x.copy_to_host()[0] == value
    names = ["fill<float, 3>", "fill<char, 7>", "hidden<int>", "inner::g<short>"]
    module = CudaCModule(text, kernels=names)
    assert set(names) <= set(module.kernel_names)


@pytest.mark.parametrize("count", [200, 500, 1000])
def test_large_structs_by_value(count):
    text = f"""
    struct Large {{ int n; float values[{count}]; double last; }};
    extern "C" __global__ void f(const Large given, double* out) {{
      out[threadIdx.x] = given.values[threadIdx.x * 7 % given.n] + given.last;
    }}"""
    large = np.dtype([("n", "i4"), ("values", "f4", count), ("last", "f8")], align=True)
    value = np.zeros((), large)
    value["n"], value["values"], value["last"] = count, np.arange(count), 0.5
    (found,) = run(text, value[()], np.zeros(32))
    np.testing.assert_array_equal(found, np.arange(32) * 7 % count + 0.5)


NO_HEAP = ["int* p = new int[4]; x[0] = p[1];", "int* p = new int(3); x[0] = *p;",
           "delete x;", "delete[] x;", "x[0] = *(int*)malloc(4);", "free(x);"]  # fmt: skip
REFUSED = [
    *((each, "has no heap here") for each in NO_HEAP),
    ("goto inside; if (x[0]) { inside: x[0] = 1; }", "goto enters a statement"),
    ("switch (x[0]) { case 1: goto two; case 2: two: x[0] = 1; }", "goto enters a statement"),
    ("if (x[0]) goto in; again: x[1] = 2; in: x[2] = 3; if (x[3]) goto again;", "another goto"),
    ("void* to = &&a; goto *to; a: x[0] = 1;", "address of a label"),
    ("int (S::*f)(int) = &S::method; x[0] = (s.*f)(1);", "pointers to members"),
    ("int S::*p = &S::n; x[0] = s.*p;", "pointers to members"),
    ("int (*f)(int) = no_body; x[0] = f(1);", "no_body has no body here"),
    ("void (*k)(int*) = g; k(x);", "reference to __global__ function"),
    ("Diamond d; x[0] = d.n;", "virtual base classes"),
    ("throw 1;", "cannot use 'throw'"),
    ("x[0] = typeid(int) == typeid(x[0]);", "typeid"),
]


@pytest.mark.parametrize(("statement", "words"), REFUSED)
def test_what_device_code_cannot_do_says_why_and_where(statement, words):
    text = f"""
struct S {{ int n; __device__ int method(int v) {{ return v; }} }};
struct Top {{ int n; __device__ virtual int v() {{ return n; }} }};
struct Diamond : virtual Top {{}};
__device__ int no_body(int v);
__global__ void g(int* x) {{}}
extern "C" __global__ void f(int* x) {{
  S s;
  {statement}
}}"""
    with pytest.raises(phalanx.errors.CompileError, match=words) as raised:
        CudaCModule(text, "wrong.cu")
    assert "wrong.cu:9:" in str(raised.value) or "wrong.cu:4:" in str(raised.value)


def test_a_null_pointer_to_a_function_calls_nothing():
    text = """
    __device__ int one(int v) { return v + 1; }
    __device__ int (*table[3])(int) = {one, nullptr, one};
    extern "C" __global__ void f(int* x) {
      int (*const each)(int) = table[threadIdx.x % 3];
      x[threadIdx.x] = each ? each(threadIdx.x) : -1;
    }"""
    t = np.arange(32)
    expected = np.where(t % 3 == 1, -1, t + 1)
    np.testing.assert_array_equal(run(text, np.zeros(32, np.int32))[0], expected)


def test_pointers_to_functions_go_through_memory():
    """What one kernel stores, another calls; a __constant__ table as programs write it."""
    text = """
    typedef float (*Activation)(float);
    __device__ float relu(float v) { return v > 0 ? v : 0; }
    __device__ float twice(float v) { return 2 * v; }
    __device__ __noinline__ float half_of(float v) { return v / 2; }
    __constant__ Activation known[3] = {relu, twice, half_of};
    struct Layer { Activation f; float scale; };
    extern "C" __global__ void choose(Layer* layers) {
      layers[threadIdx.x] = Layer{known[threadIdx.x % 3], threadIdx.x + 1.0f};
    }
    extern "C" __global__ void f(const Layer* layers, float* x) {
      const Layer& own = layers[threadIdx.x];
      x[threadIdx.x] = own.f(x[threadIdx.x]) * own.scale;
    }"""
    module = CudaCModule(text)
    layers = cuda.to_device(np.zeros(32 * 16, np.uint8))
    x = np.linspace(-4, 4, 32, dtype=np.float32)
    on_device = cuda.to_device(x)
    module.kernel("choose").launch(1, 32, [layers])
    module.kernel("f").launch(1, 32, [layers, on_device])
    t = np.arange(32)
    made = np.choose(t % 3, [np.maximum(x, 0), 2 * x, x / 2])
    np.testing.assert_array_equal(on_device.copy_to_host(), made * (t + 1).astype(np.float32))


def test_objects_with_virtual_methods_stay_in_memory():
    text = """
    struct Base { int n; __device__ Base(int n) : n(n) {} __device__ virtual int get() { return n; } };
    struct Left : Base { __device__ Left(int n) : Base(n) {} __device__ int get() override { return n * 2; } };
    struct Right : Base { __device__ Right(int n) : Base(n) {} __device__ int get() override { return -n; } };
    extern "C" __global__ void make(Base* room) {
      const int i = threadIdx.x;
      if (i % 3 == 0) new (room + i) Base(i);
      else if (i % 3 == 1) new (room + i) Left(i);
      else new (room + i) Right(i);
    }
    extern "C" __global__ void f(Base* room, int* out) { out[threadIdx.x] = room[threadIdx.x].get(); }
    """  # noqa: E501
    module = CudaCModule(text)
    room, out = cuda.to_device(np.zeros(32 * 16, np.uint8)), cuda.to_device(np.zeros(32, "i4"))
    module.kernel("make").launch(1, 32, [room])
    module.kernel("f").launch(1, 32, [room, out])
    t = np.arange(32)
    np.testing.assert_array_equal(out.copy_to_host(), np.choose(t % 3, [t, 2 * t, -t]))


def test_groups_of_coalesced_threads():
    text = """
    #include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    extern "C" __global__ void f(int* out) {
      const int i = threadIdx.x;
      if (i % 4 != 1) return;
      const cg::coalesced_group g = cg::coalesced_threads();
      int same = 0;
      const unsigned all = g.match_all(7, same);
      int* const own = out + 8 * g.thread_rank();
      own[0] = g.size() * 100 + g.num_threads();
      own[1] = g.shfl(i, 2);
      own[2] = g.shfl_down(i, 1) * 100 + g.shfl_up(i, 1);
      own[3] = g.ballot(i > 13);
      own[4] = g.match_any(i / 16);
      own[5] = all * 10 + same;
      own[6] = g.any(i == 5) * 10 + g.all(i == 5);
      own[7] = g.meta_group_rank() * 10 + g.meta_group_size();
    }"""
    out = run(text, np.zeros(64, np.int32))[0].reshape(8, 8)
    i = np.arange(1, 32, 4)
    down, up = np.append(i[1:], i[-1]), np.insert(i[:-1], 0, i[0])
    match = np.where(i < 16, 0b00001111, 0b11110000)
    expected = np.stack(
        [np.full(8, 808), np.full(8, 9), down * 100 + up, np.full(8, 0b11110000), match,
         np.full(8, 2551), np.full(8, 10), np.full(8, 1)], axis=1,
    )  # fmt: skip
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("shape", [(64,), (8, 8), (2, 4, 8)], ids=str)
@pytest.mark.parametrize("access", ["own[t] += own[t + {}];", "sums[t] += sums[t + {}];"])
def test_volatile_reductions_count_on_warps_in_lockstep(access, shape):
    """As samples had them before __syncwarp(): by a pointer, and by the array's name."""
    steps = "".join(access.format(by) for by in (32, 16, 8, 4, 2, 1))
    text = f"""
    extern "C" __global__ void f(int* x) {{
      __shared__ volatile int sums[64];
      const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
      sums[t] = x[t];
      __syncthreads();
      volatile int* own = sums;
      if (t < 32) {{ {steps} }}
      if (t == 0) x[0] = sums[0];
    }}"""
    x = np.random.default_rng(3).integers(0, 1000, 64).astype(np.int32)
    assert run(text, x, block=shape)[0][0] == x.sum()
