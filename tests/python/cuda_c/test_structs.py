"""Records of NumPy as structs of CUDA C: the declaration, and one memory for both."""

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule
from phalanx.compat.cupy_raw_kernels import RawModule
from phalanx.compat.pycuda import driver as drv
from phalanx.compat.pycuda import gpuarray
from phalanx.compat.pycuda.compiler import SourceModule

import phalanx as px
from phalanx import cuda, types

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")

FIELDS = [
    [("a", "i1"), ("b", "i8"), ("c", "u2"), ("d", "f4")],
    [("flag", "?"), ("half", "f2"), ("wide", "f8"), ("narrow", "u1")],
    [("z", "c8"), ("n", "i2"), ("w", "c16")],
    [("at", "f4", 3), ("grid", "i2", (2, 3)), ("mass", "f8")],
    [("id", "u4"), ("inner", np.dtype([("x", "f8"), ("y", "i1")], align=True)), ("last", "i1")],
    [("u", "u8")],
]


def dtype_of(fields):
    return np.dtype(fields, align=True)


@pytest.mark.parametrize("fields", FIELDS, ids=str)
def test_the_struct_lies_as_the_record(fields):
    dtype = dtype_of(fields)
    text = cuda.struct_declaration(dtype, "Mine")
    checks = [f"static_assert(sizeof(Mine) == {dtype.itemsize});"]
    checks += [
        f"static_assert(__builtin_offsetof(Mine, {name}) == {dtype.fields[name][1]});"
        for name in dtype.names
    ]
    CudaCModule("\n".join([text, *checks, 'extern "C" __global__ void k() {}']))


@pytest.mark.of_phalanx("takes no record by value of kernels in Python")
@pytest.mark.parametrize("fields", FIELDS, ids=str)
def test_a_pointer_to_it_is_the_dtypes_pointer_and_a_value_its_value(device, fields):
    dtype = dtype_of(fields)
    record = types.from_dtype(dtype)
    text = (
        cuda.struct_declaration(dtype, "Mine")
        + 'extern "C" __device__ Mine same(Mine x) { return x; }'
    )
    same = cuda.declare_device("same", record(record), cuda.CUSource(text), abi="c")

    @cuda.jit
    def kernel(out, x):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = same(x[i])

    rng = np.random.default_rng(1)
    x = np.zeros(50, dtype)
    for name in dtype.names:
        _fill(x[name], rng)
    out = np.zeros_like(x)
    kernel[2, 32](out, x)
    np.testing.assert_array_equal(out, x)


def _fill(field, rng):
    if field.dtype.names is None:
        field[...] = rng.integers(0, 2 if field.dtype.kind == "b" else 100, field.shape)
        return
    for name in field.dtype.names:
        _fill(field[name], rng)


@pytest.mark.parametrize(
    "dtype, name, error, words",
    [
        (np.dtype([("a", "i1"), ("b", "f8")]), "S", ValueError, "at byte 1.* at 8.*align=True"),
        (np.dtype([("a", "f8"), ("b", "i1")]), "S", ValueError, "9 bytes.* 16.*align=True"),
        (np.dtype("f4"), "S", TypeError, "no structured dtype"),
        (np.dtype([("a", ">f4")]), "S", TypeError, "byte order"),
        (np.dtype([("a", "S4")]), "S", TypeError, "no type for"),
        (np.dtype([("int", "f4")]), "S", ValueError, "'int' is no name of a member"),
        (np.dtype([("a", "f4")]), "2S", ValueError, "'2S' is no name"),
    ],
)  # fmt: skip
def test_what_is_no_struct_of_c_is_refused(dtype, name, error, words):
    with pytest.raises(error, match=words):
        cuda.struct_declaration(dtype, name)


BODY = np.dtype([("mass", np.float32), ("at", np.float64, 2)], align=True)
KERNELS = (
    cuda.struct_declaration(BODY, "Body")
    + """
extern "C" __global__ void push(Body* bodies, double by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bodies[i].at[1] += by * bodies[i].mass;
}"""
)


def test_all_kinds_of_kernels_share_records_and_streams(device):
    @cuda.jit
    def pull(bodies, by):
        i = cuda.grid(1)
        if i < bodies.shape[0]:
            bodies[i].at[0] += by

    of_cupy = RawModule(code=KERNELS).get_function("push")
    of_pycuda = SourceModule(KERNELS, no_extern_c=True).get_function("push")
    bodies = np.zeros(70, BODY)
    bodies["mass"] = np.arange(70)
    stream = drv.Stream()
    queue = cuda.external_stream(stream.handle)
    there = cuda.to_device(bodies, stream=queue)
    for _ in range(20):
        pull[3, 32, queue](there, 1.0)
        of_pycuda(there, np.float64(2), np.int32(70), block=(32, 1, 1), grid=(3, 1), stream=stream)
    stream.synchronize()
    address = there.device_ctypes_pointer.value
    of_cupy((3,), (32,), (address, 0.5, 70))
    found = there.copy_to_host()
    np.testing.assert_array_equal(found["at"][:, 0], np.full(70, 20.0))
    np.testing.assert_array_equal(found["at"][:, 1], 40.5 * np.arange(70))


def test_arrays_of_each_go_to_kernels_of_the_others(device):
    @cuda.jit
    def add_one(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += np.float32(1)

    text = """extern "C" __global__ void twice(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] *= 2;
}"""
    of_cupy = RawModule(code=text).get_function("twice")
    of_pycuda = SourceModule(text, no_extern_c=True).get_function("twice")
    host = np.arange(20, dtype=np.float32)
    for there in (gpuarray.to_gpu(host), cuda.to_device(host), px.asarray(host.copy())):
        add_one[1, 32](there)
        of_pycuda(there, np.int32(20), block=(32, 1, 1))
        cuda.synchronize()
        of_cupy((1,), (32,), (px.asarray(there), 20))
        cuda.synchronize()
        got = there.get() if hasattr(there, "gpudata") else np.asarray(px.asarray(there))
        np.testing.assert_array_equal(got, 4 * (host + 1))


# Members that are no bit-fields, within the number of the bit-field's type: they are others' to
# write. The thread that stores the field reads none of them before, and writes none after.
BESIDE = ["char c; int b : 8;", "char c; long long b : 40; short d; char e;"]


@pytest.mark.parametrize("members", BESIDE)
def test_a_bit_field_is_written_and_nothing_beside_it(device, members):
    text = f"""
struct Mine {{ {members} }};
extern "C" __global__ void k(unsigned char* seen) {{
  __shared__ Mine mine;
  if (threadIdx.x == 0) mine.b = -1;
  else mine.c = 7;
  __syncthreads();
  if (threadIdx.x == 0) {{ seen[0] = mine.c; seen[1] = mine.b == -1; }}
}}"""
    module = CudaCModule(text, check="races" if device == "cpu" else None)
    seen = cuda.to_device(np.zeros(2, np.uint8))
    module.kernel("k").launch(1, 2, [seen])
    cuda.synchronize()
    np.testing.assert_array_equal(seen.copy_to_host(), [7, 1])
