"""Functions in CUDA C that kernels in Python call: part of the kernel, on both devices."""

import re

import numpy as np
import pytest
from phalanx._core.toolkit import find_library

from phalanx import cuda, errors, types

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")

NUMBERS = {
    "boolean": "bool", "int8": "signed char", "uint8": "unsigned char", "int16": "short",
    "uint16": "unsigned short", "int32": "int", "uint32": "unsigned", "int64": "long long",
    "uint64": "unsigned long long", "float16": "__half", "float32": "float", "float64": "double",
    "complex64": "thrust::complex<float>", "complex128": "thrust::complex<double>",
}  # fmt: skip
COMPLEX = pytest.mark.of_phalanx("does not compile thrust/complex.h")
TYPES = [
    pytest.param(each, marks=[COMPLEX] if each.startswith("complex") else []) for each in NUMBERS
]


def headers_for(type_):
    name = "thrust/complex.h" if type_.startswith("complex") else "cuda_fp16.h"
    return f"#include <{name}>\n"


class FFI:
    """Known to kernels by its module, as cffi's own."""

    __module__ = "cffi.api"


ffi = FFI()


def extern(name, signature, text, abi="c", file=None):
    return cuda.declare_device(name, signature, cuda.CUSource(text, file), abi=abi)


def values_of(type_, count=100):
    dtype = np.dtype("bool" if type_ == "boolean" else type_)
    made = np.random.default_rng(3).integers(0, 120, count)
    if dtype.kind in "if":
        made = made - 60
    return (made % 2 == 0) if dtype.kind == "b" else made.astype(dtype)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("abi", ["c", "numba"])
def test_numbers_go_by_value_and_come_back(device, type_, abi):
    c = NUMBERS[type_]
    text = (
        f'extern "C" __device__ {c} swap({c} x, {c} y) {{ return x == y ? x : y; }}'
        if abi == "c"
        else f'extern "C" __device__ int swap({c}* out, {c} x, {c} y) {{\n'
        "  *out = x == y ? x : y; return 0; }"
    )
    swap = extern("swap", f"{type_}({type_}, {type_})", headers_for(type_) + text, abi)

    @cuda.jit
    def kernel(out, x, y):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = swap(x[i], y[i])

    x, y = values_of(type_), values_of(type_)[::-1].copy()
    out = np.zeros_like(x)
    kernel[4, 32](out, x, y)
    np.testing.assert_array_equal(out, y)


@pytest.mark.parametrize("type_", TYPES)
def test_pointers_lead_to_numbers(device, type_):
    c, own = NUMBERS[type_], getattr(types, type_)
    text = (
        f'extern "C" __device__ void move({c}* to, const {c}* from, int i) {{ to[i] = from[i]; }}'
    )
    move = extern("move", types.void(types.CPointer(own), types.CPointer(own), types.int32),
                  headers_for(type_) + text)  # fmt: skip

    @cuda.jit
    def kernel(out, x):
        i = cuda.grid(1)
        if i < out.shape[0]:
            move(ffi.from_buffer(out), ffi.from_buffer(x), i)

    x = values_of(type_)
    out = np.zeros_like(x)
    kernel[4, 32](out, x)
    np.testing.assert_array_equal(out, x)


@pytest.mark.of_phalanx("the driver links the function, which stays one")
def test_the_function_becomes_part_of_the_kernel():
    twice = extern("twice", "float32(float32)",
                   'extern "C" __device__ float twice(float x) { return 2 * x; }')  # fmt: skip

    @cuda.jit
    def kernel(out, x):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = twice(x[i])

    made = kernel.kernel_for(tuple(map(_engine_type, (types.float32[::1], types.float32[::1]))))
    ptx = made.ptx((9, 0))
    assert "twice" not in ptx and "call" not in ptx and ".local" not in ptx


def _engine_type(type_):
    from phalanx._types.bridge import to_engine

    return to_engine(type_)


def test_functions_know_their_threads_shared_memory_and_barriers(device):
    text = """
extern "C" __device__ float turned(float x) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x;
  __syncthreads();
  return tile[blockDim.x - 1 - threadIdx.x] + __shfl_sync(0xffffffff, x, 0);
}"""
    turned = extern("turned", "float32(float32)", text)

    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        x[i] = turned(x[i])

    x = np.arange(128, dtype=np.float32)
    kernel[2, 64](x)
    y = np.arange(128)
    np.testing.assert_array_equal(x, y.reshape(2, 64)[:, ::-1].ravel() + y // 32 * 32)


def test_variables_of_the_source_outlive_launches_of_all_blocks(device):
    text = """
__device__ int count = 5;
__constant__ int steps[2] = {1, 10};
extern "C" __device__ int counted(int k) { return atomicAdd(&count, steps[k]); }"""
    counted = extern("counted", "int32(int32)", text)

    @cuda.jit
    def kernel(out, k):
        out[cuda.grid(1)] = counted(k)

    out = np.zeros(64, np.int32)
    kernel[2, 32](out, 0)
    assert sorted(out) == list(range(5, 69))
    kernel[1, 64](out, 1)  # other code, for other blocks
    assert sorted(out) == list(range(69, 709, 10))


def test_a_kernel_of_the_disk_cache_has_the_variables_too(device):
    text = '__device__ int count = 7; extern "C" __device__ int counted() { return count++; }'
    counted = extern("counted", "int32()", text)

    @cuda.jit
    def kernel(out):
        out[0] = counted()

    out = np.zeros(1, np.int32)
    for _ in range(2):
        kernel.recompile()
        kernel[1, 1](out)
        assert out[0] == 7
        kernel[1, 1](out)
        assert out[0] == 8
    assert kernel.stats.cache_hits


def test_sources_call_one_another(device, tmp_path):
    file = tmp_path / "outer.cu"
    file.write_text(
        'extern "C" __device__ float inner(float);\n'
        'extern "C" __device__ float outer(float x) { return inner(x) + 1; }'
    )
    inner = cuda.CUSource('extern "C" __device__ float inner(float x) { return x * x; }')
    outer = cuda.declare_device("outer", "float32(float32)", [str(file), inner], abi="c")

    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        if i < x.shape[0]:
            x[i] = outer(x[i])

    x = np.arange(50, dtype=np.float32)
    kernel[2, 32](x)
    np.testing.assert_array_equal(x, np.arange(50) ** 2 + 1)


def test_functions_of_one_name_in_two_kernels_and_in_python(device):
    one = extern("pick", "int32()", 'extern "C" __device__ int pick() { return 1; }')
    two = extern("pick", "int32()", 'extern "C" __device__ int pick() { return 2; }')

    @cuda.jit(device=True)
    def helper():
        return 10

    def kernel_of(function):
        @cuda.jit
        def kernel(out):
            out[0] = function() + helper()

        return kernel

    out = np.zeros(1, np.int32)
    for function, wanted in ((one, 11), (two, 12), (one, 11)):
        kernel_of(function)[1, 1](out)
        assert out[0] == wanted


BODY = np.dtype([("mass", np.float32), ("id", np.int16), ("at", np.float64, 2)], align=True)
STRUCT = "struct Body { float mass; short id; double at[2]; };\n"


def bodies_of(count=40):
    made = np.zeros(count, BODY)
    made["mass"], made["id"] = np.arange(count), -np.arange(count)
    made["at"] = np.arange(2 * count).reshape(count, 2) / 4
    return made


BY_VALUE = pytest.mark.of_phalanx("takes no record by value of kernels in Python")


@BY_VALUE
def test_a_record_is_a_struct_by_value(device):
    text = (
        STRUCT
        + """
extern "C" __device__ double summed(Body b) { b.mass += 1; return b.mass + b.id * b.at[1]; }"""
    )
    summed = extern("summed", types.float64(types.from_dtype(BODY)), text)

    @cuda.jit
    def kernel(out, bodies):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = summed(bodies[i])

    bodies, out = bodies_of(), np.zeros(40)
    kernel[2, 32](out, bodies)
    np.testing.assert_array_equal(out, bodies["mass"] + 1 + bodies["id"] * bodies["at"][:, 1])
    np.testing.assert_array_equal(bodies, bodies_of())


@BY_VALUE
@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("abi", ["c", "numba"])
def test_a_struct_comes_back_as_a_record(device, abi, check):
    made = "b.mass *= 2; b.at[0] = i;"
    text = STRUCT + (
        f'extern "C" __device__ Body made(Body b, int i) {{ {made} return b; }}'
        if abi == "c"
        else f'extern "C" __device__ int made(Body* to, Body b, int i) {{\n'
        f"  {made} *to = b; return 0; }}"
    )
    record = types.from_dtype(BODY)
    function = extern("made", record(record, types.int32), text, abi)

    @cuda.jit(check=check)
    def kernel(bodies):
        i = cuda.grid(1)
        if i < bodies.shape[0]:
            bodies[i] = function(bodies[i], i)

    bodies, wanted = bodies_of(), bodies_of()
    kernel[2, 32](bodies)
    wanted["mass"] *= 2
    wanted["at"][:, 0] = np.arange(40)
    np.testing.assert_array_equal(bodies, wanted)


def test_pointers_lead_to_structs_of_the_same_layout(device):
    text = STRUCT + 'extern "C" __device__ void move(Body* b, int i) { b[i].at[0] += b[i].mass; }'
    pointer = types.CPointer(types.from_dtype(BODY))
    move = extern("move", types.void(pointer, types.int32), text)

    @cuda.jit
    def kernel(bodies):
        i = cuda.grid(1)
        if i < bodies.shape[0]:
            move(ffi.from_buffer(bodies), i)

    bodies, wanted = bodies_of(), bodies_of()
    kernel[2, 32](bodies)
    wanted["at"][:, 0] += wanted["mass"]
    np.testing.assert_array_equal(bodies, wanted)


PACKED = np.dtype([("mass", np.float32), ("id", np.int16), ("at", np.float64, 2)])


@pytest.mark.of_phalanx("signatures are not compared")
@pytest.mark.parametrize(
    "signature, text, problem",
    [
        ("float32(int64)", "float f(int x) { return x; }",
         r"declared as float32 f\(int64\), and \S+ has float32 f\(int32\): parameter 1 differs"),
        ("float32(int32)", "double f(int x) { return x; }", "float64 f.*the result differs"),
        ("float32(int32)", "void f(int x) { }", "void f.*returns nothing"),
        ("float32(int32, int32)", "float f(int x) { return x; }", "numbers of parameters differ"),
        ("boolean(int32)", "signed char f(int x) { return 1; }", "int8 f.*the result differs"),
        (types.int32(types.CPointer(types.float32)), "int f(double* x) { return 1; }",
         "pointer to float32.*pointer to float64"),
        (types.int32(types.CPointer(types.from_dtype(PACKED))),
         STRUCT + "int f(Body* x) { return 1; }",
         "at: float64.2. at 6.*at: float64.2. at 8"),
        (types.float64(types.from_dtype(np.dtype([("a", "f4"), ("b", "f4")]))),
         STRUCT + "double f(Body b) { return 1; }", r"f\(Body\(mass: float32.*parameter 1 differs"),
    ],
)  # fmt: skip
def test_declarations_and_functions_that_differ_are_both_named(signature, text, problem):
    before, _, function = text.rpartition("\n")
    f = extern("f", signature, f'{before}\nextern "C" __device__ {function}')
    with pytest.raises(errors.LoweringError, match=f"(?s){problem}"):
        _call(f)


def _call(f):
    names = ", ".join(f"x{k}" for k in range(len(f.sig.args)))
    space = {"f": f}
    exec(f"def function({names}): return f({names})", space)
    from phalanx._kernels.source_linking import Linking

    module = _compiled(space["function"], f.sig.args)
    Linking(f.link, False).link(module)


def _compiled(function, types_):
    from phalanx._types import bridge

    from phalanx import _engine

    return _engine.compile_python(
        function, [bridge.to_argument(each) for each in types_], device=True
    )


@pytest.mark.of_phalanx("signatures are not compared")
def test_numbas_convention_is_named_where_it_is_missed():
    f = extern("f", "int32(int32)", 'extern "C" __device__ int f(int x) { return x; }', "numba")
    with pytest.raises(errors.LoweringError, match=re.escape('abi="c" declares')):
        _call(f)


OF_FUNCTIONS = """
static __device__ int {name}(int x) {{ return {value}; }}
extern "C" __device__ int apply(int (*f)(int), int x)"""
OF_OBJECTS = """
struct Base {{ __device__ virtual int f(int x) {{ return x; }} }};
struct {name}_of : Base {{ __device__ int f(int x) override {{ return {value}; }} }};
struct Holder {{ int n; Base* held; }};
extern "C" __device__ int apply({parameter} given, int x)"""
# What two sources say of a function that one of them defines; what it does and how it is called.
OF_NUMBERS = {
    "functions": (OF_FUNCTIONS, "f(x)", "apply({name}, x)"),
    "objects": (OF_OBJECTS.replace("{parameter}", "Base*"), "given->f(x)",
                "0; mine_of m; return apply(&m, x)"),
    "references": (OF_OBJECTS.replace("{parameter}", "Base&"), "given.f(x)",
                   "0; mine_of m; return apply(m, x)"),
    "in records": (OF_OBJECTS.replace("{parameter}", "const Holder*"), "given->held->f(x)",
                   "0; mine_of m; Holder h = {{1, &m}}; return apply(&h, x)"),
    "in values": (OF_OBJECTS.replace("{parameter}", "Holder"), "given.held->f(x)",
                  "0; mine_of m; Holder h = {{1, &m}}; return apply(h, x)"),
}  # fmt: skip


@pytest.mark.parametrize("what", OF_NUMBERS)
def test_what_each_source_numbers_for_itself_stays_in_it(device, what):
    head, body, call = OF_NUMBERS[what]
    call = call.format(name="mine").replace("0; ", "", 1)
    call = call if "return" in call else f"return {call}"
    mine = head.format(name="mine", value="x + 100")
    use = f'\nextern "C" __device__ int go(int x) {{ {call}; }}'
    other = head.format(name="other", value="-x") + f" {{ return {body}; }}"

    def compiled(*texts):
        go = cuda.declare_device("go", "int32(int32)", [cuda.CUSource(t) for t in texts], abi="c")

        @cuda.jit("void(int32[:])")
        def kernel(out):
            i = cuda.grid(1)
            out[i] = go(i)

        return kernel

    out = np.zeros(4, np.int32)
    if device == "cuda" and find_library("nvrtc") is not None:  # which has all sources, or none
        compiled(other, mine + ";" + use)[1, 4](out)
        np.testing.assert_array_equal(out, np.arange(4) + 100)
    else:
        with pytest.raises(errors.CompileError, match="which each source numbers for itself"):
            compiled(other, mine + ";" + use)
    compiled(mine + f" {{ return {body}; }}" + use)[1, 4](out)
    np.testing.assert_array_equal(out, np.arange(4) + 100)


def test_a_pointer_comes_back_in_numbas_convention(device):
    text = 'extern "C" __device__ int f(float** out, float* x) { *out = x + 1; return 0; }'
    pointer = types.CPointer(types.float32)
    f = cuda.declare_device("f", pointer(pointer), cuda.CUSource(text))

    @cuda.jit
    def kernel(out, x):
        q = f(ffi.from_buffer(x))
        out[0] = q[0]

    out = np.zeros(1, np.float32)
    kernel[1, 1](out, np.arange(4, dtype=np.float32) + 5)
    assert out[0] == 6


def test_a_file_that_two_functions_are_declared_of_is_linked_once(device, tmp_path):
    file = tmp_path / "both.cu"
    file.write_text(
        'extern "C" __device__ int more(int x) { return x + 1; }\n'
        'extern "C" __device__ int twice(int x) { return 2 * x; }\n'
    )
    of_path = cuda.declare_device("more", "int32(int32)", str(file), abi="c")
    loaded = []
    of_text = cuda.declare_device(
        "twice",
        "int32(int32)",
        cuda.CUSource(file.read_text(), setup_callback=loaded.append),
        abi="c",
    )

    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        out[i] = more(i) + twice(i)

    more, twice = of_path, of_text
    out = np.zeros(4, np.int32)
    kernel[1, 4](out)
    np.testing.assert_array_equal(out, 3 * np.arange(4) + 1)
    assert len(loaded) == (1 if device == "cuda" else 0)


@pytest.mark.of_phalanx("the driver's linker takes one of them")
def test_two_functions_of_one_name_are_refused():
    text = 'extern "C" __device__ int f(int x) { return x; }'
    codes = [cuda.CUSource(text, name="a.cu"), cuda.CUSource(text + " ", name="b.cu")]
    f = cuda.declare_device("f", "int32(int32)", codes, abi="c")
    with pytest.raises(errors.LoweringError, match=r"two functions are called f.*a\.cu.*b\.cu"):
        _call(f)


def test_wrong_source_is_told_with_its_lines(device):
    if device == "cuda":
        pytest.skip("NVRTC is asked too")
    f = extern("f", "int32(int32)", 'extern "C" __device__ int f(int x) {\n  return y; }',
               file="mine.cu")  # fmt: skip

    @cuda.jit
    def kernel(out):
        out[0] = f(1)

    with pytest.raises(errors.CompileError, match=r"mine\.cu:2:10: error: use of undeclared"):
        kernel[1, 1](np.zeros(1, np.int32))


def test_the_driver_links_what_the_front_end_refuses(device):
    text = """
extern "C" __device__ int lane(int x) {
  asm("add.s32 %0, %0, 1;" : "+r"(x));
  return x;
}"""
    lane = extern("lane", "int32(int32)", text, file="assembly.cu")

    @cuda.jit
    def kernel(out):
        out[0] = lane(41)

    out = np.zeros(1, np.int32)
    if device == "cpu":
        with pytest.raises(errors.CompileError, match=r"assembly\.cu:3:.*assembl"):
            kernel[1, 1](out)
        return
    if find_library("nvrtc") is None:
        pytest.skip("NVRTC is not installed")
    kernel[1, 1](out)
    assert out[0] == 42


PTX = """
.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b32 result) seven() { st.param.b32 [result], 7; ret; }
"""


def test_cuda_c_calls_ptx_that_the_driver_links(device):
    if device == "cpu":
        pytest.skip("PTX runs on a GPU only")
    text = """extern "C" __device__ int seven();
extern "C" __device__ int more(int x) { return seven() + x; }"""
    codes = [cuda.CUSource(text), cuda.PTXSource(PTX)]
    more = cuda.declare_device("more", "int32(int32)", codes, abi="c")

    @cuda.jit
    def kernel(out):
        out[0] = more(3)

    out = np.zeros(1, np.int32)
    kernel[1, 1](out)
    assert out[0] == 10


def test_mangled_names_are_found_too(device):
    f = extern(
        "_Z3addii", "int32(int32, int32)", "__device__ int add(int x, int y) { return x + y; }"
    )

    @cuda.jit
    def kernel(out):
        out[0] = f(out[0], 2)

    out = np.array([40], np.int32)
    kernel[1, 1](out)
    assert out[0] == 42
