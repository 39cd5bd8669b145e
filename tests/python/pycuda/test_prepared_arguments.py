"""What the engine takes for the parameters of a kernel, and what it makes of it, by table."""

import enum
import re

import numpy as np
import pytest
from phalanx.compat.pycuda import driver as drv
from phalanx.compat.pycuda import gpuarray, tools
from phalanx.compat.pycuda.compiler import SourceModule

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

PARAMETERS = {
    "b": "signed char", "B": "unsigned char", "h": "short", "H": "unsigned short", "i": "int",
    "I": "unsigned", "l": "long", "L": "unsigned long", "q": "long long",
    "Q": "unsigned long long", "f": "float", "d": "double", "?": "bool",
}  # fmt: skip
ONE = ((1, 1), (1, 1, 1))


class Number(enum.IntEnum):
    FIVE = 5


class OwnFloat(float):
    pass


class OnlyIndex:
    def __index__(self):
        return 3


class Holder(drv.PointerHolderBase):
    def get_pointer(self):
        return 4096


EDGES = [0, 1, -1, 2**31 - 1, 10**30, -(10**30)]
EDGES += [sign * 2**bits - less for bits in (7, 8, 15, 16, 31, 32, 63, 64) for sign in (1, -1)
          for less in (0, 1)]  # fmt: skip
SCALARS = [np.dtype(each).type for each in "bBhHiIlLqQefdFD?"]
VALUES = [
    *EDGES, True, False, Number.FIVE, 0.0, -0.0, 2.5, -1e10, 1e300, float("inf"), OwnFloat(1.5),
    *(scalar(1) for scalar in SCALARS),
    *(np.iinfo(each).min for each in (np.int8, np.int16, np.int32, np.int64)),
    *(scalar(-1) for scalar in (np.int8, np.int16, np.int32, np.int64, np.float32, np.float64)),
    *(np.iinfo(scalar).dtype.type(np.iinfo(scalar).max) for scalar in SCALARS[:10]),
    np.float32(3e38), np.float64(1e300), np.array([3], np.int32), np.array(2.5, np.float32),
    np.zeros(2, np.int32), None, "x", "5", b"x", 1j, np.complex64(1), [1], (1, 2), (), {}, object(),
    OnlyIndex(), Holder(), range(3), np.datetime64(1, "s"), np.str_("x"), Ellipsis, int,
]  # fmt: skip


def reference(dtype, value):
    """The element that a parameter of that dtype has, or the class of what is raised."""
    if isinstance(value, np.ndarray):
        return reference(dtype, value.reshape(-1)[0]) if value.size == 1 else TypeError
    if isinstance(value, np.generic) and value.dtype.itemsize != dtype.itemsize:
        return drv.LogicError
    is_bool = isinstance(value, (bool, np.bool_))
    if isinstance(value, (int, np.integer)) and not is_bool:
        return reference_of_int(dtype, int(value))
    if is_bool or (isinstance(value, (float, np.floating)) and dtype.kind == "f"):
        with np.errstate(over="ignore"):
            return dtype.type(value)
    return TypeError


def reference_of_int(dtype, value):
    bits = 8 * dtype.itemsize
    if dtype.kind == "f":
        return dtype.type(float(value))
    if dtype.kind == "b":
        return np.bool_(value != 0) if -(2**63) <= value < 2**64 else TypeError
    if not -(1 << bits - 1) <= value < 1 << bits:
        return OverflowError
    return np.frombuffer((value % (1 << bits)).to_bytes(bits // 8, "little"), dtype)[0]


def ways(function):
    """All ways to launch a kernel, which take the same arguments."""
    stream = drv.Stream()
    return {
        "prepared": lambda *args: function.prepared_call(*ONE, *args),
        "async": lambda *args: (
            function.prepared_async_call(*ONE, stream, *args),
            stream.synchronize(),
        ),
        "timed": lambda *args: function.prepared_timed_call(*ONE, *args)(),
        "called": lambda *args: function(*args, block=ONE[1], grid=ONE[0]),
        "python": lambda *args: function._call(*args, block=ONE[1], grid=ONE[0]),
    }


def outcome(launch, found, *args):
    """The bytes of the element that the kernel has found, or the class of what was raised."""
    drv.memset_d8(found, 0x5A, 8)
    try:
        launch(*args, found)
    except Exception as error:
        return type(error)
    return drv.from_device(found, 8, np.uint8)


@pytest.mark.parametrize("code", PARAMETERS)
def test_numbers(code):
    declared, dtype = PARAMETERS[code], np.dtype(code)
    text = f"__global__ void k({declared} v, {declared}* out) {{ *out = v; }}"
    function = SourceModule(text).get_function("k").prepare(code + "P")
    found = drv.mem_alloc(8)
    for way, launch in ways(function).items():
        for value in VALUES:
            expected, actual = reference(dtype, value), outcome(launch, found, value)
            if isinstance(expected, type):
                assert actual is expected, (way, value)
            else:
                assert not isinstance(actual, type), (way, value, actual)
                assert actual.view(dtype)[0] == expected, (way, value)
                assert (actual[dtype.itemsize :] == 0x5A).all()


@pytest.mark.parametrize("code", ["F", "D"])
def test_complex_numbers(code):
    real = {"F": "float", "D": "double"}[code]
    text = f"struct C {{ {real} re, im; }}; __global__ void k(C v, C* out) {{ *out = v; }}"
    function = SourceModule(text).get_function("k").prepare(code + "P")
    found = drv.mem_alloc(16)
    for launch in ways(function).values():
        for value in (1 + 2j, np.complex64(1 + 2j), np.complex128(1 + 2j), (1.0, 2.0)):
            launch(value, found)
            assert drv.from_device(found, 1, code)[0] == 1 + 2j
        for value in (1, 1.0, np.float32(1), None, (1.0,), found):
            with pytest.raises(TypeError):
                launch(value, found)


ADDRESS = "__global__ void k(float* p, unsigned long long* out) { *out = (unsigned long long)p; }"


@pytest.fixture
def address_of():
    """The address that a pointer has, by each way to launch, or the class of what was raised."""
    function, found = SourceModule(ADDRESS).get_function("k").prepare("PP"), drv.mem_alloc(8)

    def addresses(given):
        by_way = {way: outcome(each, found, given) for way, each in ways(function).items()}
        return {
            way: each if isinstance(each, type) else int(each.view(np.uint64)[0])
            for way, each in by_way.items()
        }

    return addresses


def all_ways(expected):
    return dict.fromkeys(("prepared", "async", "timed", "called", "python"), expected)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (0, 0), (4096, 4096), (2**63, 2**63), (2**64 - 1, 2**64 - 1), (-1, 2**64 - 1),
        (2**64, TypeError), (-(2**63) - 1, TypeError), (10**30, TypeError),
        (np.int64(4096), 4096), (np.uint64(2**64 - 1), 2**64 - 1), (np.uintp(4096), 4096),
        (np.longlong(4096), 4096), (Number.FIVE, 5), (None, 0), (Holder(), 4096),
        (OnlyIndex(), 3), (np.int32(8), drv.LogicError), (True, TypeError), (2.5, TypeError),
        (np.float64(2), TypeError), ("x", TypeError), (b"x", TypeError), (1j, TypeError),
        ([1], TypeError), ((1, 2), TypeError), (object(), TypeError), (np.bool_(1), TypeError),
        (np.zeros(4, np.float32), TypeError),
    ],
    ids=lambda each: re.sub(r" at 0x\w+", "", repr(each)),
)  # fmt: skip
def test_addresses(address_of, given, expected):
    assert address_of(given) == all_ways(expected)


def test_memory(address_of):
    pool = tools.DeviceMemoryPool()
    for memory in (drv.mem_alloc(16), pool.allocate(16), gpuarray.zeros(4, np.float32).gpudata):
        assert address_of(memory) == all_ways(int(memory))
        memory.free()
        assert address_of(memory) == all_ways(drv.LogicError)


def test_arrays(address_of):
    numbers = gpuarray.arange(12, dtype=np.float32).reshape(3, 4)
    block = drv.mem_alloc(64)
    for array in (
        numbers, numbers[1], numbers[:, 1:], numbers[::-1], gpuarray.zeros(4, np.float64),
        gpuarray.GPUArray((4,), np.float32, gpudata=block), numbers + 1,
        gpuarray.GPUArray((4,), np.float32, gpudata=int(block) + 16, base=block),
    ):  # fmt: skip
        assert address_of(array) == all_ways(array.ptr)
        assert address_of(array.gpudata) == all_ways(array.ptr)
    for array in (px.ones(4, "float32"), px.ones((2, 3), "float32")[:, 1:], px.ones(4, "int8")):
        assert address_of(array) == all_ways(array.data.ptr)
    assert address_of(gpuarray.zeros(0, np.float32)) == all_ways(0)


def test_what_was_recorded_of_an_array_keeps_its_value():
    text = "__global__ void add(float* x, float by) { x[threadIdx.x] += by; }"
    add = SourceModule(text).get_function("add").prepare("Pf")
    x, plain = gpuarray.zeros(4, np.float32), px.zeros(4, "float32")
    later, sums = [], []
    for _ in range(3):
        for array in (x, plain):
            later.append(array + 1)
            add.prepared_call((1, 1), (4, 1, 1), array, 1)
        later.append(x[1:] * 2)
        sums.append(gpuarray.sum(x))
        add.prepared_call((1, 1), (4, 1, 1), x.gpudata, 1)
        x += 1
    assert [each.get().tolist() if hasattr(each, "get") else each.tolist() for each in later] == [
        [1] * 4, [1] * 4, [2] * 3, [4] * 4, [2] * 4, [8] * 3, [7] * 4, [3] * 4, [14] * 3,
    ]  # fmt: skip
    assert [float(each.get()) for each in sums] == [4, 16, 28]
    assert x.get().tolist() == [9] * 4 and plain.tolist() == [3] * 4


def test_extents_and_their_changes():
    text = "__global__ void k(int* out) { atomicAdd(out, 1); }"
    function = SourceModule(text).get_function("k").prepare("P")
    found = drv.to_device(np.zeros(1, np.int32))
    grid, total = [2, 1], 0
    for blocks in (2, 5, 1, 5):
        grid[0] = blocks
        function.prepared_call(grid, (3, 1, 1), found)
        function.prepared_call((np.int64(blocks), 1), (3, 1, 1), found)
        function.prepared_call(blocks, 3, found, shared_size=np.int32(16))
        function(found, grid=grid, block=(3, 1, 1))
        total += 4 * 3 * blocks
        assert drv.from_device(found, 1, np.int32)[0] == total


@pytest.mark.parametrize("count", [7, 8, 9, 17, 33])
def test_many_arguments(count):
    names = [f"p{i}" for i in range(count)]
    parameters = ", ".join(f"int* {name}, int v{name}" for name in names)
    text = "".join(f"*{name} += v{name};" for name in names)
    code = f"__global__ void k({parameters}) {{ {text} }}"
    function = SourceModule(code).get_function("k").prepare("Pi" * count)
    arrays = [gpuarray.zeros(1, np.int32) for _ in names]
    blocks = [drv.to_device(np.zeros(1, np.int32)) for _ in names]
    plain = [px.zeros(1, "int32") for _ in names]
    for each in (arrays, [array.gpudata for array in arrays], blocks, plain):
        args = [one for pair in zip(each, range(count), strict=True) for one in pair]
        for launch in ways(function).values():
            launch(*args)
    number = len(ways(function))
    assert [int(each.get()[0]) for each in arrays] == [2 * number * i for i in range(count)]
    assert [int(each[0]) for each in plain] == [number * i for i in range(count)]
    for i, block in enumerate(blocks):
        assert drv.from_device(block, 1, np.int32)[0] == number * i


def test_the_memory_of_an_array_is_its_own():
    x = gpuarray.zeros(4, np.float32)
    assert x.gpudata is x.gpudata
    with pytest.raises(AttributeError):
        x.gpudata = drv.mem_alloc(16)
    assert gpuarray.zeros(0, np.float32).gpudata is None
    block = drv.mem_alloc(16)
    assert gpuarray.GPUArray(4, np.float32, gpudata=block).gpudata is block
