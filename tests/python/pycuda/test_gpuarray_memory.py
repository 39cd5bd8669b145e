"""The memory of GPUArrays: kernels and others that write there, allocators, records, the host."""

import pickle

import numpy as np
import pytest
from phalanx.compat.pycuda import driver as drv
from phalanx.compat.pycuda import gpuarray, tools
from phalanx.compat.pycuda.compiler import SourceModule

import phalanx as px

SHAPE = (3, 5)

pytestmark = pytest.mark.usefixtures("device")


def sample(dtype, order="C"):
    return np.array(np.random.default_rng(0).random(SHAPE).astype(dtype), order=order)


TWICE = "__global__ void twice(float *a) { a[threadIdx.x] *= 2; }"


@pytest.fixture
def twice():
    function = SourceModule(TWICE).get_function("twice")
    return lambda memory, count: function(memory, block=(count, 1, 1))


@pytest.mark.parametrize("way", ["array", "gpudata", "address"])
def test_kernels_and_arrays_see_each_others_results(twice, way):
    x = gpuarray.arange(4, dtype=np.float32)
    view, before = x[2:], x + 1
    address = np.uintp(x.ptr)
    given = {"array": x, "gpudata": x.gpudata, "address": address}[way]
    twice(given, 4)
    between = view + 1
    twice(given, 4)
    x += 1
    assert x.ptr == address
    assert before.get().tolist() == [1, 2, 3, 4]
    assert between.get().tolist() == [5, 7]
    assert view.get().tolist() == [9, 13]
    assert x.get().tolist() == [1, 5, 9, 13]


def test_several_arrays_of_one_memory_see_each_others_results(twice):
    memory = drv.to_device(np.arange(4, dtype=np.float32))
    x = gpuarray.GPUArray(4, np.float32, gpudata=memory)
    y = gpuarray.GPUArray((2, 2), np.float32, gpudata=int(memory), order="F")
    assert x.gpudata is memory
    before = y * 2
    x.fill(3)
    assert before.get().tolist() == [[0, 4], [2, 6]]
    assert (y.get() == 3).all()
    y[0, 1] = 7
    twice(memory, 4)
    assert x.get().tolist() == [6, 6, 14, 6]
    with pytest.raises(drv.LogicError, match="leaves the allocation"):
        gpuarray.GPUArray(5, np.float32, gpudata=memory)


def test_memory_of_an_array_is_there_for_others():
    x = gpuarray.zeros((2, 3), np.float32)
    y = gpuarray.GPUArray((3, 2), np.float32, gpudata=x.gpudata, order="F")
    y[2, 1] = 4
    assert x.get().tolist() == [[0, 0, 0], [0, 0, 4]]
    part = gpuarray.GPUArray(3, np.float32, base=x, gpudata=x.ptr + 12)
    part += 1
    assert x.get().tolist() == [[0, 0, 0], [1, 1, 5]]
    drv.memcpy_htod(x.gpudata, np.arange(6, dtype=np.float32))
    assert (x + y.reshape(2, 3)).get().tolist() == [[0, 2, 4], [6, 8, 10]]
    assert drv.from_device(x.gpudata, (6,), np.float32).tolist() == [0, 1, 2, 3, 4, 5]


def test_an_element_shares_the_memory():
    x = gpuarray.zeros(3)
    x[1].fill(5)
    x[2] += 1  # which assigns to x[2], too
    assert x.get().tolist() == [0, 5, 1]


def test_the_interface_of_arrays_names_the_memory():
    x = gpuarray.arange(6, dtype=np.float32)[1:]
    described = x.__cuda_array_interface__
    assert described["data"] == (x.ptr, False)
    assert (described["typestr"], described["shape"], described["version"]) == ("<f4", (5,), 3)
    shared = px.asarray(x)
    shared[0] = 9
    assert x.get().tolist() == [9, 2, 3, 4, 5]
    assert gpuarray.zeros(0).gpudata is None


def test_freed_memory_is_refused():
    x = gpuarray.zeros(3)
    x.gpudata.free()
    for use in (x.get, lambda: x + 1, lambda: x.ptr, lambda: x.gpudata.free()):
        with pytest.raises(drv.LogicError, match="freed"):
            use()


def test_results_come_from_the_allocator_of_their_array():
    pool = tools.DeviceMemoryPool()
    a = sample("float64", "F")
    x = gpuarray.to_gpu(a, pool.allocate)
    y = (x * 2 > 1).astype("int16") + 1
    assert y.allocator == pool.allocate
    assert y.strides == (2, 6)
    assert (y.get() == (a * 2 > 1) + 1).all()
    assert gpuarray.sum(x).allocator == pool.allocate
    assert pool.active_blocks == 2
    del x, y
    assert pool.active_blocks == 0


def test_records_are_filled_copied_and_passed_to_kernels():
    vec = gpuarray.vec
    assert vec.float3 == np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4")])
    x = gpuarray.zeros(3, vec.float3)
    x[1:].fill(vec.make_float3(1, 2, 3))
    source = """__global__ void add(float3 *a, float3 b) {
        a[threadIdx.x].x += b.x; a[threadIdx.x].z += b.z; }"""
    SourceModule(source).get_function("add")(x, vec.make_float3(1, 1, 2), block=(3, 1, 1))
    assert x.get().tolist() == [(1, 0, 2), (2, 2, 5), (2, 2, 5)]
    assert x.copy().view(np.float32).get().tolist() == [1, 0, 2, 2, 2, 5, 2, 2, 5]
    with pytest.raises(TypeError, match="3 numbers"):
        vec.make_float3(1, 2)


def test_arrays_of_the_host_come_and_go():
    a = sample("float32")
    x = gpuarray.empty(SHAPE, np.float32)
    x.set(a)
    a[0, 0] = -1  # the copy has been made
    assert x.get()[0, 0] != -1
    into = np.zeros(SHAPE, np.float32)
    assert x.get(into) is into
    assert (into == x.get(pagelocked=True)).all()
    assert (pickle.loads(pickle.dumps(x)).get() == into).all()
    with pytest.raises(ValueError, match="same dtype"):
        x.set(a.astype(np.float64))
    with pytest.raises(TypeError, match="same dtype"):
        x.get(np.zeros(SHAPE))
    with pytest.raises(ValueError, match="same size"):
        x.set(a[1:])
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)
