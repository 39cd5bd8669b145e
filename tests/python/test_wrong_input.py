"""Mistakes of the caller: each has a typed error that says what is wrong, and nothing is lost."""

from __future__ import annotations

import gc
import pickle

import numpy as np
import pytest
from phalanx.errors import CompileError, KernelResultError, TypingError

from phalanx import _engine, cuda

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")


@cuda.jit
def add_one(a):
    i = cuda.grid(1)
    if i < a.shape[0]:
        a[i] += 1


def both_devices():
    kinds = {each.kind: each for each in _engine.devices()}
    if "cuda" not in kinds:
        pytest.skip("needs a GPU beside the CPU device")
    return kinds["cpu"], kinds["cuda"]


def on(device, count=4):
    element = _engine.Type.scalar("float64")
    made = _engine.DeviceArray((count,), element, device=device)
    made.copy_from_host(np.zeros(count))
    return made


def test_arrays_of_a_gpu_are_refused_by_a_launch_on_the_cpu_device():
    cpu, gpu = both_devices()
    a = on(gpu)
    with pytest.raises(TypeError, match=r"lies on cuda:\d"):
        add_one[1, 32, cpu.default_stream](a)
    result = np.ones(4)
    a.copy_to_host(result)
    assert not result.any()


def test_a_stream_of_another_device_is_refused():
    cpu, gpu = both_devices()
    a, b = on(cpu), on(gpu)
    target = np.ones(4)
    for array, stream in ((a, gpu.default_stream), (b, cpu.default_stream)):
        with pytest.raises(TypeError, match="another device"):
            array.copy_to_host(target, stream)
    with pytest.raises(ValueError, match="its own device"):
        gpu.event().record(cpu.default_stream)


def test_a_closed_stream_is_refused_everywhere(device):
    stream = cuda.stream()
    a = cuda.to_device(np.zeros(4))
    add_one[1, 32, stream](a)
    stream.close()
    for use in (
        lambda: add_one[1, 64, stream](a),
        lambda: add_one.forall(4, stream=stream)(a),
        lambda: a.copy_to_host(stream=stream),
        lambda: cuda.device_array(4, stream=stream),
        lambda: cuda.event().record(stream),
        stream.synchronize,
        lambda: stream.add_callback(print),
        lambda: stream.handle,
    ):
        with pytest.raises(ValueError, match="the stream is closed"):
            use()
    assert repr(stream) == "<closed CUDA stream>"
    cuda.synchronize()
    np.testing.assert_array_equal(a.copy_to_host(), np.ones(4))  # what was queued ran


def test_a_kernel_that_returns_a_value_is_refused(device):
    @cuda.jit
    def wrong(a):
        return a[0]

    with pytest.raises(KernelResultError, match="must have void return type") as raised:
        wrong[1, 1](np.zeros(4))
    assert isinstance(raised.value, TypingError) and isinstance(raised.value, TypeError)
    line = wrong.py_func.__code__.co_firstlineno + 2
    assert (raised.value.file, raised.value.line) == (__file__, line)
    assert raised.value.sentence.startswith("CUDA kernel must have void return type, and this")
    assert "^" not in raised.value.sentence
    copy = pickle.loads(pickle.dumps(raised.value))
    assert (copy.line, copy.sentence, str(copy)) == (line, raised.value.sentence, str(raised.value))
    with pytest.raises(TypeError, match="must have void return type"):
        cuda.jit("float64(float64[:])")(lambda a: a[0])


TABLE = np.arange(4.0)


def test_arrays_among_the_globals_are_constants(device):
    @cuda.jit
    def wrong(a):
        TABLE[0] = a[0]

    with pytest.raises(TypingError, match="cannot write to readonly array"):
        wrong[1, 1](np.zeros(4))

    @cuda.jit
    def wrong_copy(a):
        table = cuda.const.array_like(TABLE)
        table[0] = a[0]

    with pytest.raises(TypingError, match="readonly"):
        wrong_copy[1, 1](np.zeros(4))
    np.testing.assert_array_equal(TABLE, np.arange(4.0))


def test_read_only_arguments_are_not_written(device):
    a = np.zeros(4)
    a.flags.writeable = False
    with pytest.raises(CompileError, match="readonly"):
        add_one[1, 32](a)


@pytest.mark.parametrize("dtype", ["int8", "int16", "complex64", "bool"])
def test_atomics_say_which_types_they_have(device, dtype):
    @cuda.jit
    def wrong(a):
        cuda.atomic.add(a, 0, a[1])

    with pytest.raises(TypingError) as raised:
        wrong[1, 1](np.zeros(4, dtype))
    assert "does not take elements of type" in str(raised.value)
    known = "It takes int32, int64, uint32, uint64, float16, bfloat16, float32, float64"
    assert known in str(raised.value)


@pytest.mark.parametrize(
    "text, spot",
    [
        ("void(float32[:], int63)", "int63"),
        ("void(float32[:)", ")"),
        ("void(float32[:] int64)", "int64"),
        ("void(float32[:], )x", "x"),
    ],
)
def test_signatures_that_do_not_parse_show_the_spot(text, spot):
    with pytest.raises((ValueError, TypeError)) as raised:
        cuda.jit(text)
    lines = str(raised.value).splitlines()
    caret = lines[-1].index("^")
    shown = lines[-2]
    assert text in shown
    assert shown[caret:].startswith(spot)


def test_arrays_dropped_while_a_kernel_uses_them_stay_until_it_is_done(device):
    @cuda.jit
    def slow(source, out, rounds):
        i = cuda.grid(1)
        if i < out.shape[0]:
            total = 0.0
            for _ in range(rounds):
                total += source[i]
            out[i] = total / rounds

    n, rounds = 1 << 14, 2000
    out = cuda.to_device(np.zeros(n))
    stream = cuda.stream()
    for kept in (0, stream):
        source = cuda.to_device(np.full(n, 3.0))
        slow[n // 128, 128, kept](source, out, rounds)
        del source
        gc.collect()
        junk = [cuda.to_device(np.full(n, -1.0)) for _ in range(8)]  # would take its place
        cuda.synchronize()
        np.testing.assert_array_equal(out.copy_to_host(), np.full(n, 3.0))
        del junk


@pytest.mark.parametrize("space", [cuda.local, cuda.shared], ids=["local", "shared"])
@pytest.mark.parametrize(
    "alignment, error, words",
    [(3, ValueError, "a power of two, found 3"), (0, ValueError, "a power of two, found 0"),
     (-8, ValueError, "a power of two, found -8"),
     ("16", TypingError, "alignment must be a constant integer"),
     (1.5, TypingError, "alignment must be a constant integer")],
)  # fmt: skip
def test_alignments_are_powers_of_two(device, space, alignment, error, words):
    array = space.array

    @cuda.jit
    def kernel(out):
        made = array(4, np.float32, alignment=alignment)
        out[0] = made[0]

    with pytest.raises(error, match=words):
        kernel[1, 1](np.zeros(1, np.float32))


def test_any_power_of_two_is_taken_as_alignment(device):
    @cuda.jit
    def kernel(out):
        made = cuda.shared.array(4, np.float32, alignment=256)
        made[0] = 3
        out[0] = made[0]

    out = np.zeros(1, np.float32)
    kernel[1, 1](out)
    assert out[0] == 3


def test_keywords_of_an_array_that_do_not_fit_are_named(device):
    made = on(None)
    element, layout = made.element, (made.address, (4,), (8,))
    for use, problem in (
        (lambda: _engine.DeviceArray((4,), element, sream=None), "has no keyword 'sream'"),
        (lambda: _engine.DeviceArray((4,), element, order=5), "cannot take 5 as 'order'"),
        (lambda: _engine.DeviceArray((4,), element, device="cpu"), "cannot take 'cpu' as 'device'"),
        (lambda: _engine.DeviceArray(*layout, element), "misses 'owner'"),
        (lambda: _engine.DeviceArray(*layout, element, made, order="C"), "no keyword 'order'"),
        (lambda: _engine.DeviceArray(*layout, element, made, owner=made), "two values for 'owner'"),
        (lambda: _engine.DeviceArray(*layout, element, made, 1), "no positional argument after"),
    ):
        with pytest.raises(TypeError, match=r"DeviceArray\(\) .*" + problem):
            use()
    view = _engine.DeviceArray(base=made, shape=(2,), strides=(16,), element=element)
    assert view.shape == (2,)
    foreign = _engine.DeviceArray(*layout, element=element, owner=made, read_only=True)
    assert foreign.read_only
