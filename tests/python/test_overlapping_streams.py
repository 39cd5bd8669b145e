"""Streams made with ``overlap=True``: calls return before the work is done, on either device."""

from __future__ import annotations

import os
import signal
import threading
import time

import fake_gpu
import numpy as np
import pytest

from phalanx import cuda


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


@cuda.jit(debug=True, opt=False)
def refuse(x):
    if x[0] == 0:
        raise ValueError("zero")


def busy(stream, seconds=0.2):
    """Hold the stream up by a callback."""
    stream.add_callback(lambda *_: time.sleep(seconds))


def test_work_is_queued(device):
    stream = cuda.stream(overlap=True)
    pinned = cuda.pinned_array(1000, np.float32)
    pinned[:] = np.arange(1000)
    out = cuda.pinned_array(1000, np.float32)
    out[:] = -1
    x = cuda.to_device(pinned, stream=stream)
    add_one[8, 128, stream](x)
    stream.synchronize()
    busy(stream)
    add_one[8, 128, stream](x)
    x.copy_to_host(out, stream=stream)
    assert out[0] == -1
    stream.synchronize()
    np.testing.assert_array_equal(out, np.arange(1000) + 2)


@cuda.jit
def wait_for(flag, rounds):
    """Set flag[1] once flag[0] is set, or give up after `rounds` looks."""
    for _ in range(rounds):
        if cuda.atomic.add(flag, 0, 0) != 0:
            flag[1] = 1
            break


def test_two_streams_overlap(device):
    first, second = cuda.stream(overlap=True), cuda.stream(overlap=True)
    flag = cuda.to_device(np.zeros(2, np.int32))
    # Sources of the second stream: a copy waits for its source's stream, and what GPUs have on the
    # default stream waits for the kernel.
    one = cuda.to_device(np.ones(1, np.int32), stream=second)
    zero = cuda.to_device(np.zeros(1, np.int32), stream=second)
    # Once for nothing: drivers load a kernel at its first launch, and wait for an idle context.
    for value, rounds in ((zero, 1), (one, 30_000_000)):
        wait_for[1, 1, first](flag, rounds)
        flag[:1].copy_to_device(value, stream=second)
        first.synchronize()
        second.synchronize()
    assert flag.copy_to_host()[1] == 1


ON_A_GPU = """
from phalanx import cuda
made = [cuda.stream(overlap=each) for each in (True, True, False)]
print(len({0, 1, 2, *(int(each.handle) for each in made)}))
"""


@fake_gpu.needed
def test_streams_of_a_gpu_are_not_its_default_streams(tmp_path):
    done = fake_gpu.run(ON_A_GPU, tmp_path)
    assert done.stdout == "6\n", done.stdout + done.stderr


def test_callbacks_of_two_streams_overlap(device):
    if device == "cuda":
        pytest.skip("the driver calls the callbacks of all streams from one thread")
    first, second = cuda.stream(overlap=True), cuda.stream(overlap=True)
    reached = threading.Event()
    seen = []
    first.add_callback(lambda *_: seen.append(reached.wait(10)))
    second.add_callback(lambda *_: reached.set())
    first.synchronize()
    assert seen == [True]


def test_work_without_a_stream_comes_after(device):
    stream = cuda.stream(overlap=True)
    x = cuda.to_device(np.zeros(100, np.float32))
    busy(stream)
    add_one[1, 128, stream](x)
    np.testing.assert_array_equal(x.copy_to_host(), np.ones(100))


def test_host_arrays_are_done_when_the_launch_returns(device):
    stream = cuda.stream(overlap=True)
    x = np.zeros(100, np.float32)
    busy(stream, 0.05)
    add_one[1, 128, stream](x)
    np.testing.assert_array_equal(x, np.ones(100))


def test_arrays_live_until_their_work_is_done(device):
    stream = cuda.stream(overlap=True)
    out = cuda.pinned_array(1 << 16, np.float32)
    expected = np.full(1 << 16, 3, np.float32)
    for _ in range(20):
        x = cuda.to_device(np.full(1 << 16, 2, np.float32), stream=stream)
        busy(stream, 0.005)
        add_one[256, 256, stream](x)
        x.copy_to_host(out, stream=stream)
        del x
        cuda.to_device(np.full(1 << 16, 9, np.float32))  # takes memory that was given back
        stream.synchronize()
        np.testing.assert_array_equal(out, expected)


def test_events_mark_the_queue(device):
    stream, other = cuda.stream(overlap=True), cuda.stream(overlap=True)
    start, end = cuda.event(), cuda.event()
    start.record(stream)
    busy(stream, 0.05)
    end.record(stream)
    assert not end.query()
    end.wait(other)
    x = cuda.to_device(np.zeros(4, np.float32))
    add_one[1, 32, other](x)
    other.synchronize()
    assert end.query()
    assert start.elapsed_time(end) >= 40


def test_errors_come_at_the_synchronisation(device):
    stream = cuda.stream(overlap=True)
    x = cuda.to_device(np.zeros(4, np.float32))
    with pytest.raises(ValueError, match="zero"):
        refuse[1, 32, stream](x)  # on a GPU, kernels with debug=True are waited for
        assert device == "cpu"
        stream.synchronize()
    add_one[1, 32, stream](x)
    stream.synchronize()
    np.testing.assert_array_equal(x.copy_to_host(), np.ones(4))


def test_ctrl_c_ends_the_wait():
    stream = cuda.stream(overlap=True)
    x = cuda.to_device(np.zeros(1 << 12, np.float32))
    for _ in range(10):
        busy(stream)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        stream.synchronize()
    timer.join()
    add_one[1, 32, stream](x)
    stream.synchronize()


def test_graphs_run_in_the_queue(device):
    stream = cuda.stream(overlap=True)
    x = cuda.to_device(np.zeros(100, np.float32))
    with cuda.graph() as graph:
        add_one[1, 128](x)
        add_one[1, 128](x)
    busy(stream)
    graph.launch(stream)
    stream.synchronize()
    np.testing.assert_array_equal(x.copy_to_host(), np.full(100, 2))


def test_overlap_goes_by_name():
    with pytest.raises(TypeError):
        cuda.stream(True)


def test_copies_that_change_the_order_come_after_the_queue(device):
    stream = cuda.stream(overlap=True)
    pinned = cuda.pinned_array((64, 48), np.float32)
    pinned[:] = np.arange(64 * 48).reshape(64, 48)
    x = cuda.to_device(np.zeros((64, 48), np.float32))
    turned = cuda.device_array((48, 64), np.float32)
    busy(stream, 0.1)
    x.copy_to_device(pinned, stream=stream)
    turned.copy_to_device(x.T, stream=stream)
    out = turned.T.copy_to_host(stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(out, pinned)
