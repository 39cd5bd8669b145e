"""The driver: memory, copies, contexts, streams and events, memory of the host, and errors."""

import numpy as np
import pytest
from phalanx.compat.pycuda import driver as drv
from phalanx.compat.pycuda import gpuarray
from phalanx.compat.pycuda.compiler import SourceModule

pytestmark = pytest.mark.usefixtures("device")

PLAIN = "__global__ void k(int *x) { x[0] = 7; }"
TWICE = "__global__ void twice(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }"


def kernel(text, name):
    return SourceModule(text).get_function(name)


@pytest.fixture
def twice():
    return kernel(TWICE, "twice")


def of_device(memory, shape, dtype=np.uint8):
    return drv.from_device(memory, shape, dtype)


def rows_from(pointer):
    copy = drv.Memcpy2D()
    copy.set_src_device(pointer)
    copy.set_dst_host(np.zeros(8, np.uint8))
    copy.width_in_bytes, copy.height = 8, 1
    copy()


# Copies and values of memory


@pytest.mark.parametrize("host", [b"abcdefgh", bytearray(8), np.arange(8, dtype="u1")])
def test_bytes_to_the_device_and_back(host):
    memory = drv.mem_alloc(8)
    drv.memcpy_htod(memory, host)
    found = bytearray(8)
    drv.memcpy_dtoh(found, memory)
    assert bytes(found) == bytes(host)


@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_comes_back_in_its_order(order):
    a = np.array(np.arange(6.0).reshape(2, 3), order=order)
    np.testing.assert_array_equal(drv.from_device_like(drv.to_device(a), a), a)


def test_gaps_between_elements_are_not_copied():
    a = np.arange(10)[::2]
    np.testing.assert_array_equal(of_device(drv.to_device(a), 5, a.dtype), a)
    with pytest.raises(ValueError, match="gaps"):
        drv.memcpy_htod(drv.mem_alloc(40), a)


def test_copies_within_the_device_and_on_streams():
    a, stream = np.arange(16, dtype=np.float32), drv.Stream()
    first, second = drv.mem_alloc(64), drv.mem_alloc(64)
    drv.memcpy_htod_async(first, a, stream)
    drv.memcpy_dtod_async(second, first, 64, stream)
    found = drv.pagelocked_zeros(16, np.float32)
    drv.memcpy_dtoh_async(found, second, stream)
    stream.synchronize()
    np.testing.assert_array_equal(found, a)
    drv.memset_d8(second, 0, 64)
    drv.memcpy_peer(second, first, 64)
    np.testing.assert_array_equal(of_device(second, 16, np.float32), a)


MEMORY_ERRORS = {
    "no bytes": (drv.LogicError, "0 bytes", lambda m: drv.mem_alloc(0)),
    "fewer than none": (drv.LogicError, "-1 bytes", lambda m: drv.mem_alloc(-1)),
    "a float": (TypeError, "float", lambda m: drv.mem_alloc(1.5)),
    "too many": (drv.MemoryError, "What to look at", lambda m: drv.mem_alloc(1 << 55)),
    "beyond all": (drv.MemoryError, "more than", lambda m: drv.mem_alloc(1 << 70)),
    "an access": (drv.LogicError, "access of 3", lambda m: drv.mem_alloc_pitch(8, 2, 3)),
    "htod": (drv.LogicError, "800 bytes of an allocation of 64",
             lambda m: drv.memcpy_htod(m, np.zeros(100))),
    "dtoh": (drv.LogicError, "allocation of 64", lambda m: drv.memcpy_dtoh(np.zeros(9), m)),
    "dtod": (drv.LogicError, "allocation of 64", lambda m: drv.memcpy_dtod(m, m, 65)),
    "null": (drv.LogicError, "invalid argument", lambda m: drv.memcpy_dtoh(np.zeros(2), 0)),
    "to null": (drv.LogicError, "invalid argument", lambda m: drv.memcpy_htod(0, np.zeros(2))),
    "null within": (drv.LogicError, "invalid argument", lambda m: drv.memcpy_dtod(m, 0, 8)),
    "to null within": (drv.LogicError, "invalid argument", lambda m: drv.memcpy_dtod(0, m, 8)),
    "small": (drv.LogicError, "at 0x4d2", lambda m: drv.memcpy_dtoh(np.zeros(2), 1234)),
    "null as an array": (drv.LogicError, "invalid argument",
                         lambda m: drv.from_device(0, 2, np.float32)),
    "null in rows": (drv.LogicError, "invalid argument", lambda m: rows_from(0)),
    "below zero": (drv.LogicError, "-1", lambda m: drv.memcpy_dtod(m, m, -1)),
    "swapped": (TypeError, "the order is", lambda m: drv.memcpy_htod(np.zeros(2), m)),
    "host": (TypeError, "to_device", lambda m: drv.memcpy_htod(np.zeros(2), np.zeros(2))),
    "a list": (TypeError, "bytes-like", lambda m: drv.memcpy_htod(m, [1, 2])),
    "a text": (TypeError, "no memory", lambda m: drv.memcpy_htod("12", b"x")),
    "objects": (TypeError, "Python's objects", lambda m: drv.to_device(np.array([None]))),
    "read-only": (ValueError, "read-only", lambda m: drv.memcpy_dtoh(bytes(4), m)),
    "stream": (TypeError, "Stream or None", lambda m: drv.memcpy_htod_async(m, b"x", 5)),
    "memset": (drv.LogicError, "allocation of 64", lambda m: drv.memset_d32(m, 0, 17)),
    "a count": (drv.LogicError, "-1", lambda m: drv.memset_d8(m, 0, -1)),
    "a value": (TypeError, "float", lambda m: drv.memset_d8(m, 1.5, 1)),
    "odd": (drv.LogicError, "multiple of 4", lambda m: drv.memset_d32(int(m) + 1, 0, 1)),
    "rows": (drv.LogicError, "allocation of 64", lambda m: drv.memset_d2d8(m, 16, 0, 2, 5)),
    "pitch": (drv.LogicError, "1 bytes apart", lambda m: drv.memset_d2d8(m, 1, 0, 2, 3)),
    "no number": (TypeError, "no memory", lambda m: drv.memset_d8(1.5, 0, 1)),
}  # fmt: skip


@pytest.mark.parametrize("case", MEMORY_ERRORS)
def test_what_memory_refuses(case):
    kind, text, call = MEMORY_ERRORS[case]
    with pytest.raises(kind, match=text):
        call(drv.mem_alloc(64))


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("bits", [8, 16, 32])
def test_memset(bits, is_async):
    stream = [drv.Stream()] if is_async else []
    suffix = "_async" if is_async else ""
    memory = drv.to_device(np.zeros(64, np.uint8))
    getattr(drv, f"memset_d{bits}{suffix}")(memory, 0x01020304, 3, *stream)
    for each in stream:
        each.synchronize()
    dtype = np.dtype(f"u{bits // 8}")
    value = 0x01020304 & ((1 << bits) - 1)
    found = of_device(memory, 64 // dtype.itemsize, dtype)
    assert found[:3].tolist() == [value] * 3 and not found[3:].any()

    drv.memset_d8(memory, 0, 64)
    getattr(drv, f"memset_d2d{bits}{suffix}")(memory, 16, 0x01020304, 2, 3, *stream)
    for each in stream:
        each.synchronize()
    rows = of_device(memory, (4, 16 // dtype.itemsize), dtype)
    assert (rows[:3, :2] == value).all() and not rows[3].any() and not rows[:, 2:].any()


FREED = {
    "free": lambda m: m.free(),
    "int": int,
    "htod": lambda m: drv.memcpy_htod(m, b"x"),
    "dtoh": lambda m: drv.memcpy_dtoh(bytearray(1), m),
    "dtod": lambda m: drv.memcpy_dtod(drv.mem_alloc(4), m, 4),
    "memset": lambda m: drv.memset_d8(m, 0, 1),
    "rows": lambda m: drv.memset_d2d8(m, 4, 0, 1, 1),
    "kernel": lambda m: kernel(PLAIN, "k")(m, block=(1, 1, 1)),
    "prepared": lambda m: kernel(PLAIN, "k").prepare("P").prepared_call((1, 1), (1, 1, 1), m),
}


@pytest.mark.parametrize("case", FREED)
def test_freed_memory(case):
    memory = drv.mem_alloc(16)
    memory.free()
    with pytest.raises(drv.LogicError, match="freed before"):
        FREED[case](memory)
    assert "freed" in repr(memory)


def test_buffers_are_of_memory_that_the_host_reaches(device):
    memory = drv.to_device(b"abcd")
    if device == "cpu":
        assert bytes(memory.as_buffer(2, 1)) == b"bc"
        with pytest.raises(drv.LogicError, match="no buffer"):
            memory.as_buffer(5)
    else:
        with pytest.raises(drv.LogicError, match="memcpy_dtoh"):
            memory.as_buffer(2)


# Copies of rows and planes

HOST = np.arange(64, dtype=np.uint8).reshape(8, 8)


def copy_2d(source, target, **members):
    copy = drv.Memcpy2D()
    for side, memory in (("src", source), ("dst", target)):
        is_host = isinstance(memory, (np.ndarray, bytes, bytearray))
        getattr(copy, f"set_{side}_{'host' if is_host else 'device'}")(memory)
    for name, value in {"width_in_bytes": 4, "height": 3, **members}.items():
        setattr(copy, name, value)
    return copy


@pytest.mark.parametrize("stream", ["none", "stream", "aligned"])
@pytest.mark.parametrize("source", ["host", "bytes", "device", "array"])
@pytest.mark.parametrize("target", ["host", "device"])
def test_copies_of_rows(source, target, stream):
    made = {
        "host": lambda: HOST, "bytes": HOST.tobytes, "device": lambda: drv.to_device(HOST),
        "array": lambda: gpuarray.to_gpu(HOST),
    }[source]()  # fmt: skip
    found = np.zeros((4, 8), np.uint8)
    to = found if target == "host" else drv.to_device(found)
    copy = copy_2d(made, to, src_pitch=8, src_x_in_bytes=2, src_y=1, dst_pitch=8, dst_y=1)
    queue = {"none": None, "stream": drv.Stream(), "aligned": True}[stream]
    copy(queue)
    if stream == "stream":
        queue.synchronize()
    if target == "device":
        drv.memcpy_dtoh(found, to)
    expected = np.zeros((4, 8), np.uint8)
    expected[1:4, :4] = HOST[1:4, 2:6]
    np.testing.assert_array_equal(found, expected)


def test_copies_of_planes():
    planes = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    found, between = np.zeros((2, 2, 2), np.uint8), drv.mem_alloc(8)
    copy = drv.Memcpy3D()
    copy.set_src_device(drv.to_device(planes))
    copy.set_dst_device(between)
    copy.src_pitch, copy.src_height, copy.dst_pitch, copy.dst_height = 4, 3, 2, 2
    copy.width_in_bytes, copy.height, copy.depth = 2, 2, 2
    copy.src_x_in_bytes = copy.src_y = 1
    copy()
    drv.memcpy_dtoh(found, between)
    np.testing.assert_array_equal(found, planes[:, 1:, 1:3])


WRONG_COPIES = {
    "begins before": ({"dst_x_in_bytes": -3}, drv.LogicError),
    "below zero": ({"width_in_bytes": -1}, drv.LogicError),
    "src_pitch is 2": ({"src_pitch": 2}, drv.LogicError),
    "allocation of 64": ({"src_pitch": 8, "height": 9}, drv.LogicError),
    "array of 64": ({"dst_pitch": 40}, drv.LogicError),
}


@pytest.mark.parametrize("text", WRONG_COPIES)
def test_copies_beyond_their_memory(text):
    members, kind = WRONG_COPIES[text]
    with pytest.raises(kind, match=text):
        copy_2d(drv.to_device(HOST), np.zeros(64, np.uint8), **members)()


def test_copies_from_nowhere():
    copy = drv.Memcpy2D()
    copy.set_dst_host(bytearray(8))
    copy.width_in_bytes = copy.height = 1
    with pytest.raises(drv.LogicError, match="set_src_host"):
        copy()
    with pytest.raises(drv.LogicError, match="textures"):
        copy.set_src_array(None)


# Contexts, streams and events


def test_contexts_are_a_stack():
    before = drv.Context.get_current()
    first = drv.Device(0).make_context()
    second = drv.Device(0).retain_primary_context()
    second.push()
    assert drv.Context.get_current() is second
    drv.Context.pop()
    assert drv.Context.get_current() is first
    first.detach()
    assert drv.Context.get_current() is before
    if before is None:
        with pytest.raises(drv.LogicError, match="empty"):
            drv.Context.pop()


def test_nothing_runs_in_a_detached_context():
    context = drv.Device(0).make_context()
    module = SourceModule(PLAIN)
    function, memory = module.get_function("k"), drv.mem_alloc(4)
    context.pop()
    function(memory, block=(1, 1, 1))
    context.push()
    context.detach()
    for call in (
        lambda: function(memory, block=(1, 1, 1)),
        lambda: function.prepared_call((1, 1), (1, 1, 1), memory),
        lambda: module.get_function("k"),
        lambda: module.get_global("x"),
        context.push,
        context.detach,
    ):
        with pytest.raises(drv.LogicError, match="detached before"):
            call()
    memory.free()


@pytest.mark.parametrize("number", [-1, 1000, "0000:99:00.0"])
def test_devices_that_are_not_there(number):
    with pytest.raises(drv.LogicError, match="cuDeviceGet"):
        drv.Device(number)


def test_attributes_of_devices():
    found = drv.Device(0)
    assert found.warp_size == found.get_attribute(drv.device_attribute.WARP_SIZE) == 32
    assert found == drv.Device(0) and len(found.get_attributes()) > 50
    with pytest.raises(AttributeError, match="nothing"):
        _ = found.nothing
    with pytest.raises(drv.LogicError, match="9999"):
        found.get_attribute(9999)


def test_streams_and_events(twice):
    stream, start, end = drv.Stream(), drv.Event(), drv.Event()
    memory = drv.to_device(np.ones(4, np.float32))
    start.record(stream)
    twice(memory, 4, block=(4, 1, 1), stream=stream)
    end.record(stream).synchronize()
    assert end.query() and end.time_since(start) >= 0 and start.time_till(end) >= 0
    other = drv.Stream()
    other.wait_for_event(end)
    other.synchronize()
    assert stream.is_done() and of_device(memory, 4, np.float32).tolist() == [2] * 4


def test_what_events_refuse():
    event = drv.Event()
    with pytest.raises(drv.LogicError, match="before both were recorded"):
        event.time_since(drv.Event())
    untimed = drv.Event(drv.event_flags.DISABLE_TIMING).record()
    with pytest.raises(drv.LogicError, match="timing"):
        untimed.time_since(untimed)
    with pytest.raises(TypeError, match="Stream or None"):
        event.record(5)
    with pytest.raises(TypeError, match="Event is waited for"):
        drv.Stream().wait_for_event(5)


# Memory of the host


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["pagelocked", "managed", "aligned"])
def test_memory_of_the_host(kind, order):
    zeros = getattr(drv, f"{kind}_zeros")((2, 3), np.float32, order=order)
    like = getattr(drv, f"{kind}_empty_like")(zeros)
    assert zeros.shape == like.shape == (2, 3) and not zeros.any()
    assert zeros.flags.f_contiguous == like.flags.f_contiguous == (order == "F")
    memory = drv.to_device(zeros + 1)
    drv.memcpy_dtoh(like, memory)
    assert (like == 1).all()
    with pytest.raises(ValueError, match="negative"):
        getattr(drv, f"{kind}_empty")(-1, np.float32)


def test_kernels_reach_managed_and_mapped_memory(twice):
    mapped = drv.pagelocked_empty(4, np.float32, mem_flags=drv.host_alloc_flags.DEVICEMAP)
    for array in (drv.managed_empty(4, np.float32), mapped):
        array[:] = 1
        twice(array, 4, block=(4, 1, 1))
        drv.Context.synchronize()
        assert array.tolist() == [2] * 4
    mapped[:] = 1
    twice(np.uintp(mapped.base.get_device_pointer()), 4, block=(4, 1, 1))
    drv.Context.synchronize()
    assert mapped.tolist() == [2] * 4


def test_aligned_and_registered_memory():
    array = drv.aligned_zeros(1024, np.float32, alignment=64)
    assert array.ctypes.data % 64 == 0 and drv.aligned_empty(0, np.float32).size == 0
    with pytest.raises(ValueError, match="alignment of 0"):
        drv.aligned_empty(3, np.float32, alignment=0)
    page = drv.aligned_zeros(1024, np.float32)
    drv.register_host_memory(page).base.unregister()
    with pytest.raises(TypeError, match="NumPy array is registered"):
        drv.register_host_memory([1.0])


def test_names_of_textures_say_that_they_are_gone():
    with pytest.raises(AttributeError, match="textures and surfaces"):
        _ = drv.TextureReference
    with pytest.raises(drv.LogicError, match="CUDA 12 has removed"):
        SourceModule(PLAIN).get_texref("t")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = drv.nothing
