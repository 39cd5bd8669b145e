"""`pycuda.tools` and `pycuda.characterize`: pools, types of C, contexts, caches."""

import gc

import numpy as np
import pytest
from phalanx.compat.pycuda import characterize, driver, gpuarray, tools

pytestmark = pytest.mark.usefixtures("device")

DECLARATIONS = [
    ("float *x", tools.VectorArg, "float32", "x", "P"),
    ("const double * __restrict__ in", tools.VectorArg, "float64", "in", "P"),
    ("unsigned long long n", tools.ScalarArg, "uint64", "n", "L"),
    ("long unsigned int n", tools.ScalarArg, "uint64", "n", "L"),
    ("unsigned n", tools.ScalarArg, "uint32", "n", "I"),
    ("signed char c", tools.ScalarArg, "int8", "c", "b"),
    ("short int* s", tools.VectorArg, "int16", "s", "P"),
    ("pycuda::complex< float > z", tools.ScalarArg, "complex64", "z", "F"),
    ("const pycuda::complex<double>*z", tools.VectorArg, "complex128", "z", "P"),
    ("size_t n", tools.ScalarArg, "uint64", "n", "L"),
    ("uint8_t a[3]", tools.VectorArg, "uint8", "a", "P"),
    ("bool b", tools.ScalarArg, "bool", "b", "?"),
]


@pytest.mark.parametrize(("text", "kind", "dtype", "name", "letter"), DECLARATIONS)
def test_declarations_are_arguments(text, kind, dtype, name, letter):
    argument = tools.parse_c_arg(text)
    assert (type(argument), argument.dtype, argument.name) == (kind, np.dtype(dtype), name)
    assert argument.struct_char == letter
    assert tools.parse_c_arg(argument.declarator()) == argument


@pytest.mark.parametrize("text", ["", "float", "float **x", "nothing_known *x", "float x y z"])
def test_other_texts_are_no_declarations(text):
    with pytest.raises(ValueError):
        tools.parse_c_arg(text)


def test_lists_of_arguments_keep_commas_of_templates():
    found = tools.parse_arg_list("float *x, pycuda::complex<float> a,int n")
    assert [each.name for each in found] == ["x", "a", "n"]
    assert tools.parse_arg_list(found) == found


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64", "float64", "complex64"])
def test_types_have_their_sizes_in_c(dtype):
    name = tools.dtype_to_ctype(dtype)
    assert tools.get_or_register_dtype(name) == np.dtype(dtype)
    size = characterize.sizeof(name, "#include <pycuda-complex.hpp>")
    assert size == np.dtype(dtype).itemsize


def test_structs_are_registered_by_name(device):
    # Of each device another one: what is registered stays.
    dtype = np.dtype([(f"test_tools_{device}", np.float32), ("b", np.int32)])
    name = f"test_tools_pair_{device}"
    with pytest.raises(ValueError, match="register_dtype"):
        tools.dtype_to_ctype(dtype)
    for _ in range(2):
        tools.register_dtype(dtype, name)
    assert tools.dtype_to_ctype(dtype) == name
    assert tools.parse_c_arg(f"{name} p").struct_char == "8s"
    with pytest.raises(RuntimeError):
        tools.register_dtype(dtype, "another_name")
    with pytest.raises(RuntimeError):
        tools.get_or_register_dtype(name, np.int8)
    with pytest.raises(TypeError):
        tools.get_or_register_dtype("not_there_at_all")
    with pytest.raises(ValueError):
        tools.dtype_to_ctype(None)


@pytest.mark.parametrize("exponent", range(0, 40, 3))
def test_bins_hold_their_sizes(exponent):
    pool = tools.DeviceMemoryPool()
    for size in {1 << exponent, (1 << exponent) + 1, (1 << exponent) * 3 // 2, 1}:
        number = pool.bin_number(size)
        given = pool.alloc_size(number)
        assert size <= given <= size + max(1, size // 8)
        assert pool.bin_number(given) == number
        assert pool.bin_number(given + 1) > number


def test_freed_blocks_are_given_again():
    pool = tools.DeviceMemoryPool()
    first = pool.allocate(1000)
    address = int(first)
    assert (pool.active_blocks, pool.held_blocks, pool.active_bytes) == (1, 0, 1000)
    assert len(first) == 1000 <= pool.managed_bytes
    first.free()
    assert (pool.active_blocks, pool.held_blocks, pool.active_bytes) == (0, 1, 0)
    with pytest.raises(driver.LogicError):
        first.free()
    with pytest.raises(driver.LogicError):
        int(first)
    second = pool.allocate(1001)
    assert int(second) == address
    del second
    gc.collect()
    assert pool.held_blocks == 1
    pool.free_held()
    assert (pool.held_blocks, pool.managed_bytes) == (0, 0)


def test_pools_that_stopped_hold_nothing():
    pool = tools.DeviceMemoryPool()
    block = pool.allocate(64)
    pool.stop_holding()
    assert pool.managed_bytes > 0
    del block
    gc.collect()
    assert (pool.held_blocks, pool.active_blocks, pool.managed_bytes) == (0, 0, 0)


def test_pools_give_back_what_they_hold_where_memory_is_short(monkeypatch):
    pool = tools.DeviceMemoryPool()
    pool.allocate(100).free()
    make, calls = pool._make, []

    def make_once_nothing_is_held(size):
        calls.append(size)
        if pool.held_blocks:
            raise driver.MemoryError("full")
        return make(size)

    monkeypatch.setattr(pool, "_make", make_once_nothing_is_held)
    block = pool.allocate(5000)
    assert len(calls) == 3
    assert pool.held_blocks == 0
    monkeypatch.setattr(pool, "_make", lambda size: pool.absent)
    with pytest.raises(AttributeError):
        pool.allocate(7)
    assert pool.active_blocks == 1
    del block


def test_arrays_are_in_pools():
    pool = tools.DeviceMemoryPool()
    a = gpuarray.to_gpu(np.arange(100, dtype=np.float32), allocator=pool.allocate)
    b = a + a
    np.testing.assert_array_equal(b.get(), 2 * np.arange(100, dtype=np.float32))
    assert pool.active_blocks == 2
    del a, b
    gc.collect()
    assert (pool.active_blocks, pool.held_blocks) == (0, 2)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 5)])
def test_page_locked_arrays_are_in_pools(shape, order):
    pool = tools.PageLockedMemoryPool()
    a = pool.allocate(shape, np.float32, order)
    a.fill(3)
    assert (a.shape, a.dtype, a.flags[f"{order}_CONTIGUOUS"]) == (shape, np.float32, True)
    assert len(a.base) == a.nbytes
    assert pool.active_blocks == 1
    del a
    gc.collect()
    assert (pool.active_blocks, pool.held_blocks) == (0, 1)


@pytest.mark.parametrize(("n", "expected"), [(0, 0), (1, 0), (17, 4), (0xAFFE, 15), (1 << 40, 40)])
def test_bitlog2(n, expected):
    assert tools.bitlog2(n) == expected


def test_results_are_kept_for_each_context():
    calls = []

    @tools.context_dependent_memoize
    def function(x, y=0):
        """Its text."""
        calls.append((x, y))
        return object()

    first = function(1, y=2)
    assert function(1, y=2) is first
    with_another = tools.make_default_context()
    assert function(1, y=2) is not first
    with_another.pop()
    assert function(1, y=2) is first
    tools.clear_context_caches()
    assert function(1, y=2) is not first
    assert (len(calls), function.__doc__) == (3, "Its text.")


def test_tests_run_in_a_context():
    before = driver.Context.get_current()
    seen = []
    tools.mark_cuda_test(lambda: seen.append(driver.Context.get_current()))()
    assert seen[0] is not None
    assert driver.Context.get_current() is before
    fixture = tools.init_cuda_context_fixture()
    next(fixture)
    assert driver.Context.get_current() is not before
    with pytest.raises(StopIteration):
        next(fixture)
    assert driver.Context.get_current() is before


def test_the_environment_chooses_the_device(monkeypatch):
    monkeypatch.setenv("CUDA_DEVICE", "0")
    assert tools.make_default_context(lambda chosen: chosen) == driver.Device(0)
    with pytest.warns(DeprecationWarning):
        assert tools.get_default_device() == driver.Device(0)
    monkeypatch.setenv("CUDA_DEVICE", "first")
    with pytest.raises(ValueError, match="first"):
        tools.make_default_context()


def test_occupancy_is_limited_by_warps_and_shared_memory():
    data = tools.DeviceData()
    record = tools.OccupancyRecord(data, data.warp_size)
    assert 0 < record.occupancy <= 1
    assert record.limited_by in ("device", "warps")
    full = tools.OccupancyRecord(data, data.warp_size, shared_mem=data.shared_memory)
    assert (full.tb_per_mp, full.limited_by) in [(1, "smem"), (1, "device")]
    assert (data.align(65), data.align_words(4), data.align_dtype(17, 4)) == (128, 16, 32)
    with pytest.raises(ValueError, match="threads"):
        tools.OccupancyRecord(data, data.max_threads + 1)
    with pytest.raises(ValueError):
        data.align_bytes(3)


def test_devices_of_today_have_double_and_stacks():
    assert characterize.has_double_support()
    assert characterize.has_stack()
    assert characterize.platform_bits() == 64
