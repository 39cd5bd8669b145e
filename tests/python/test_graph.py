"""Recorded launches and copies: what is done again, when, and what cannot be recorded."""

from __future__ import annotations

import gc
import weakref

import fake_gpu
import numpy as np
import pytest

from phalanx import cuda

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")


@cuda.jit
def add_to(target, value):
    i = cuda.grid(1)
    if i < target.shape[0]:
        target[i] += value


@cuda.jit
def step(source, target):
    i = cuda.grid(1)
    if i < target.shape[0]:
        target[i] = source[i] * 2 + 1


def filled(count, value=0.0):
    return cuda.to_device(np.full(count, value))


def test_nothing_runs_while_a_graph_is_recorded_and_all_of_it_at_each_launch(device):
    a, b = filled(100, 1.0), filled(100)
    with cuda.graph() as g:
        step[1, 128](a, b)
        step[1, 128](b, a)
    assert len(g) == 2
    assert np.all(a.copy_to_host() == 1.0)
    expected = 1.0
    for _ in range(3):
        g.launch()
        expected = (expected * 2 + 1) * 2 + 1
    assert np.all(a.copy_to_host() == expected)


def test_a_graph_runs_on_any_stream_and_records_what_names_one(device):
    a = filled(10)
    recorded, runner = cuda.stream(), cuda.stream()
    with cuda.graph() as g:
        add_to[1, 32](a, 1.0)
        add_to[1, 32, recorded](a, 10.0)
    g.launch()
    g.launch(runner)
    runner.synchronize()
    assert np.all(a.copy_to_host() == 22.0)
    add_to[1, 32, recorded](a, 100.0)  # the configuration is not recorded any more
    recorded.synchronize()
    assert np.all(a.copy_to_host() == 122.0)


def test_copies_read_and_write_host_memory_at_each_launch(device):
    source, result = cuda.pinned_array(50), cuda.pinned_array(50)
    a, b = filled(50), filled(50)
    with cuda.graph() as g:
        a.copy_to_device(source)
        add_to[1, 64](a, 1.0)
        b.copy_to_device(a)
        b.copy_to_host(result)
    for value in (3.0, 5.0):
        source[:] = value
        g.launch()
        cuda.synchronize()
        assert np.all(result == value + 1)


def test_the_graph_keeps_its_arrays_and_frees_them_with_itself(device):
    a, out = filled(1000, 1.0), filled(1000)
    with cuda.graph() as g:
        step[8, 128](a, out)
    a[:] = 4.0
    kept = weakref.ref(a)
    del a
    gc.collect()
    assert kept() is not None
    junk = [filled(1000, -1.0) for _ in range(8)]  # would take the place of freed memory
    g.launch()
    assert np.all(out.copy_to_host() == 9.0)
    del g, junk
    gc.collect()
    assert kept() is None


def test_scalars_are_those_of_the_recording(device):
    a = filled(10)
    value = 2.0
    with cuda.graph() as g:
        add_to[1, 32](a, value)
    value = 100.0
    g.launch()
    assert np.all(a.copy_to_host() == 2.0)


def test_kernels_are_compiled_while_recorded(device):
    @cuda.jit
    def fresh(a):
        a[cuda.grid(1)] = 7

    a = filled(32)
    with cuda.graph() as g:
        fresh[1, 32](a)
    g.launch()
    assert np.all(a.copy_to_host() == 7)


@pytest.mark.parametrize(
    "action, words",
    [
        (lambda a: cuda.device_array(4), "allocate"),
        (lambda a: cuda.to_device(np.zeros(4)), "allocate"),
        (lambda a: cuda.synchronize(), "wait for the device"),
        (lambda a: cuda.stream().synchronize(), "wait for the device"),
        (lambda a: cuda.event().record(), "wait for the device"),
        (lambda a: a.copy_to_host(), "an array that exists"),
        (lambda a: cuda.stream().add_callback(print), "call back"),
        (lambda a: cuda.graph().__enter__(), "already"),
    ],
)
def test_what_cannot_be_recorded_says_so_and_ends_the_recording(device, action, words):
    a = filled(4)
    g = cuda.graph()
    with pytest.raises(ValueError, match=words), g:
        action(a)
    with pytest.raises(ValueError, match="empty"):
        g.launch()
    add_to[1, 32](a, 1.0)  # the thread works as before
    assert np.all(a.copy_to_host() == 1.0)


def test_a_refused_second_recording_leaves_the_first_one_alone(device):
    a = filled(4)
    with cuda.graph() as g:
        add_to[1, 32](a, 1.0)
        with pytest.raises(ValueError, match="already"), cuda.graph():
            pass
        add_to[1, 32](a, 2.0)
    assert len(g) == 2
    g.launch()
    assert np.all(a.copy_to_host() == 3.0)


def test_an_empty_graph_cannot_be_launched(device):
    with pytest.raises(ValueError, match="empty"):
        cuda.graph().launch()
    with cuda.graph() as g:
        pass
    with pytest.raises(ValueError, match="empty"):
        g.launch()


def test_a_graph_is_not_launched_while_one_is_recorded(device):
    a = filled(4)
    with cuda.graph() as first:
        add_to[1, 32](a, 1.0)
    with pytest.raises(ValueError, match="another graph"), cuda.graph():
        first.launch()
    with pytest.raises(ValueError, match="has ended"), cuda.graph() as second:
        _finish_early(second)


def _finish_early(graph):
    import threading

    errors = []

    def launch():
        try:
            graph.launch()
        except ValueError as error:
            errors.append(error)

    thread = threading.Thread(target=launch)
    thread.start()
    thread.join()
    raise errors[0]


def test_other_threads_work_as_usual_while_one_records(device):
    import threading

    a, b = filled(64), filled(64)
    seen = []
    from phalanx import _engine

    current = _engine.current_device()

    def work():
        _engine.set_current_device(current)
        add_to[1, 64](b, 5.0)
        cuda.default_stream().synchronize()  # a GPU's driver takes no wait for the whole device now
        seen.append(b.copy_to_host()[0])

    with cuda.graph() as g:
        add_to[1, 64](a, 1.0)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seen == [5.0]
    g.launch()
    assert np.all(a.copy_to_host() == 1.0)


def test_host_arrays_are_recorded_on_the_cpu_device_and_refused_on_a_gpu(device):
    host = np.zeros(16)
    if device == "cuda":
        with pytest.raises(ValueError, match="pass device arrays"), cuda.graph():
            add_to[1, 32](host, 1.0)
        return
    with cuda.graph() as g:
        add_to[1, 32](host, 1.0)
    g.launch()
    g.launch()
    assert np.all(host == 2.0)


def test_pageable_memory_cannot_be_copied_by_a_gpus_graph(device):
    if device == "cpu":
        pytest.skip("the CPU device copies any host memory")
    a = filled(16)
    with pytest.raises(ValueError, match="page-locked"), cuda.graph():
        a.copy_to_host(np.empty(16))


def test_debug_kernels_of_a_graph_raise_when_it_runs(device):
    @cuda.jit(debug=True, opt=False)
    def picky(a):
        if a[0] > 1:
            raise ValueError("too large")
        a[0] += 1

    a = filled(1)
    with cuda.graph() as g:
        picky[1, 1](a)
    g.launch()
    g.launch()
    with pytest.raises(ValueError, match="too large"):
        g.launch()
        cuda.synchronize()


def test_one_configuration_is_recorded_into_many_graphs(device):
    """Each graph may lie in memory where the one before was."""
    values = cuda.to_device(np.zeros(64, np.float32))
    configured = add_to[2, 32]
    for i in range(20):
        with cuda.graph() as g:
            configured(values, 1.0)
        assert len(g) == 1
        g.launch()
        del g
        cuda.synchronize()
        assert values.copy_to_host()[5] == i + 1


GARBAGE = """
import gc
import numpy as np
from phalanx import cuda


def made():
    @cuda.jit
    def add(x, y):
        x[0] += y

    return add


values = cuda.to_device(np.zeros(4))
old = [made() for _ in range(4)]
for kernel in old:
    kernel[1, 1](values, 1.0)
cuda.synchronize()
new = made()
with cuda.graph() as graph:
    del old, kernel
    gc.collect()
    new[1, 1](values, 1.0)
graph.launch()
cuda.synchronize()
print(len(graph))
"""


@fake_gpu.needed
def test_kernels_may_go_amid_a_recording(tmp_path):
    """Where their end would wait for the device, the driver ends the recording with an error."""
    done = fake_gpu.run(GARBAGE, tmp_path)
    assert done.stdout == "1\n", done.stdout + done.stderr
