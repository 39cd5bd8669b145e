"""What is computed of arrays while a graph is recorded, against the same statements of NumPy."""

from __future__ import annotations

import gc
import random
import threading

import numpy as np
import pytest
from phalanx.compat.cupy_streams import Graph, Stream
from phalanx.compat.cupy_user_kernels import ElementwiseKernel

import phalanx as px
from phalanx import cuda

pytestmark = [
    pytest.mark.usefixtures("device"),
    pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning"),
]
SIZES = (40, 40_000)  # which take other ways


@pytest.mark.parametrize("size", SIZES)
def test_arrays_are_read_and_written_where_they_are(size):
    x, y = px.zeros(size), px.zeros(size)
    with cuda.graph() as graph:
        y[...] = 2 * x + 1
        x += y
    assert not np.any(np.asarray(x)) and not np.any(np.asarray(y))
    expected_x, expected_y = np.zeros(size), np.zeros(size)
    for value in (1.0, 5.0):
        x[...] = value  # the input of the next launches
        expected_x[...] = value
        for _ in range(2):
            graph.launch()
            expected_y = 2 * expected_x + 1
            expected_x = expected_x + expected_y
        assert np.array_equal(np.asarray(x), expected_x)
        assert np.array_equal(np.asarray(y), expected_y)


@pytest.mark.parametrize("size", SIZES)
def test_an_array_made_in_a_graph_is_computed_by_each_launch(size):
    x = px.arange(size) * 1.0
    with cuda.graph() as graph:
        made = x * 2
        total = made.sum()
        shifted = made[1:] - made[:-1]
    for factor in (1, 3):
        x[...] = px.arange(size) * factor
        graph.launch()
        assert np.array_equal(np.asarray(made), np.arange(size) * 2.0 * factor)
        assert float(total) == size * (size - 1) * factor
        assert np.array_equal(np.asarray(shifted), np.full(size - 1, 2.0 * factor))


@pytest.mark.parametrize("size", SIZES)
def test_what_was_recorded_before_a_launch_keeps_its_value(size):
    x = px.ones(size)
    before = x + 1  # pending
    with cuda.graph() as graph:
        x += 1
        made = x * 10
    also_before = x + 2
    graph.launch()
    between, made_between = x + 3, made + 1
    graph.launch()
    assert np.all(np.asarray(before) == 2)
    assert np.all(np.asarray(also_before) == 3)
    assert np.all(np.asarray(between) == 5)
    assert np.all(np.asarray(made_between) == 21)
    assert np.all(np.asarray(x) == 3)
    assert np.all(np.asarray(made) == 30)


def test_what_was_recorded_before_the_graph_is_no_part_of_it(size=40_000):
    x = px.ones(size)
    pending = x * 3
    with cuda.graph() as graph:
        y = pending + x
        x[...] = y
    for _ in range(3):
        graph.launch()
    assert np.all(np.asarray(pending) == 3)
    assert np.all(np.asarray(x) == 10)


def test_kernels_and_arrays_take_turns():
    @cuda.jit
    def add_one(target):
        i = cuda.grid(1)
        if i < target.shape[0]:
            target[i] += 1

    x = px.zeros(1000)
    with cuda.graph() as graph:
        add_one[8, 128](x)
        x *= 2
        y = x + 0.5
        add_one[8, 128](y)
    held = x - 1  # recorded before the kernels of the launches write
    for _ in range(3):
        graph.launch()
    assert np.all(np.asarray(x) == 14)
    assert np.all(np.asarray(y) == 15.5)
    assert np.all(np.asarray(held) == -1)


def test_what_waits_is_refused_and_ends_the_recording():
    x = px.arange(100)
    for action in (
        lambda: float(x.sum()),
        lambda: np.asarray(x),
        lambda: x[x > 3],
        lambda: print(x),
        lambda: px.sort(x)._evaluate(),
        lambda: px.searchsorted(x, px.arange(5000))._evaluate(),
        lambda: px.matmul(x.reshape(10, 10) * 1.0, x.reshape(10, 10) * 1.0)._evaluate(),
    ):
        with pytest.raises(ValueError, match="graph cannot"), cuda.graph():
            action()
        assert int((x + 1).sum()) == 5050


def test_a_library_in_what_is_left_at_the_end_is_refused():
    x = px.ones((10, 10))
    with pytest.raises(ValueError, match="graph cannot call a library"), cuda.graph():
        y = x @ x
    del y
    assert float(x.sum()) == 100


def test_many_pending_values_before_a_graph_are_no_part_of_it():
    x = px.ones(2000)
    before = [x * i for i in range(200)]  # more than one kernel takes
    total = before[0]
    with cuda.graph() as graph:
        for each in before:
            total = total + each
        x += total
    assert float(before[7][0]) == 7
    graph.launch()
    assert float(x[0]) == 1 + sum(range(200))
    assert [float(each[1]) for each in before[:3]] == [0, 1, 2]


def test_elements_and_broadcasts_are_those_of_each_launch():
    x = px.zeros(5)
    with cuda.graph() as graph:
        first = x[0]
        x += 1
        last = x[4]
        same = px.broadcast_to(x, (5,))
        twice = px.broadcast_to(x, (2, 5))
    for launch in range(1, 4):
        graph.launch()
        assert float(first) == launch - 1
        assert float(last) == launch
        assert np.all(np.asarray(same) == launch)
        assert np.all(np.asarray(twice) == launch)


COPIES = {
    "copy": lambda x: x.copy(),
    "array": lambda x: px.array(x),
    "astype": lambda x: x.astype(x.dtype),
    "flatten": lambda x: x.flatten(),
    "sum": lambda x: x + 0,
    "copy of a view": lambda x: x[::-1].copy(),
    "element": lambda x: x[2].copy(),
    "view": lambda x: x[1:],
    "other type": lambda x: x.view("int64").copy().view("float64"),
}


@pytest.mark.parametrize("name", COPIES)
def test_expressions_of_what_a_graph_makes_keep_their_values(name):
    x = px.zeros(5)
    with cuda.graph() as graph:
        made = COPIES[name](x)
        used = made * 1
    with pytest.raises(ValueError, match="first launch"):
        float(used.sum())
    graph.launch()
    held = made * 2
    x[...] = 9
    graph.launch()
    assert np.all(np.asarray(held) == 0)
    assert np.all(np.asarray(made) == 9) and np.all(np.asarray(used) == 9)


def test_arrays_of_numpy_in_a_graph():
    x, host = px.zeros(6), np.arange(6.0)
    index = np.array([5, 4, 3, 2, 1, 0])
    with cuda.graph() as graph:
        x[...] = host
        x += host * 2
        x[1:] = px.take(x, index, mode="clip")[1:]
    graph.launch()
    assert np.asarray(x).tolist() == [0, 12, 9, 6, 3, 0]


def test_arrays_without_elements_in_a_graph():
    x = px.zeros((0, 3))
    with cuda.graph() as graph:
        x += 1
        total = x.sum()
    graph.launch()
    assert float(total) == 0 and x.shape == (0, 3)


def test_a_broadcast_to_the_same_shape_is_a_view():
    x = px.zeros(5)
    shown = px.broadcast_to(x, (5,))
    x += 1
    assert np.all(np.asarray(shown) == 1)


def test_what_a_failed_graph_left_is_as_if_there_had_been_none():
    x = px.ones(10)
    with pytest.raises(ValueError, match="cannot wait"), cuda.graph():
        pending = x * 2
        written = x + 5
        written += 1  # launched into the graph that ends here
        x += 100
        float(x.sum())
    with cuda.graph() as graph:
        x += pending
    for _ in range(2):
        graph.launch()
    assert np.all(np.asarray(x) == 5)
    assert np.all(np.asarray(pending) == 2)
    with pytest.raises(ValueError, match="which an error ended"):
        float(written[0])


def test_an_array_that_another_thread_records_is_refused():
    x, y = px.ones(100), None
    errors = []

    def look():
        with pytest.raises(ValueError, match="another thread records") as found:
            np.asarray(y)
        errors.append(found)

    with cuda.graph() as graph:
        y = x * 2
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert len(errors) == 1
    graph.launch()
    assert np.all(np.asarray(y) == 2)


def test_a_copy_that_a_graph_makes_keeps_what_it_reads():
    x = px.ones((600, 600))
    flat = x.T.reshape(-1)
    pending = flat * 2
    with cuda.graph() as graph:
        x += 1
    assert float(pending[0]) == 2
    del flat, pending
    gc.collect()
    px.free_all_blocks()
    graph.launch()
    assert np.all(np.asarray(x) == 2)


def test_what_was_shown_before_the_first_launch_stays():
    e = px.arange(4.0)
    e[1:] = 1
    first = e[1]
    with cuda.graph() as graph:
        e += 1
    shown = np.array(np.asarray(first))
    for _ in range(2):
        graph.launch()
    assert shown == 1 and float(first) == 1


def test_an_array_that_a_graph_only_reads_is_not_copied():
    w, x = px.ones(50_000), px.zeros(50_000)
    with cuda.graph() as graph:
        x += w
    pending = w + 1
    graph.launch()
    assert pending._is_pending
    assert np.all(np.asarray(pending) == 2)


def test_explaining_is_no_part_of_a_graph():
    x = px.ones(1000)
    px.explain(x + 1)  # which measures the device the first time
    with cuda.graph() as graph:
        y = x * 2 + 1
        px.explain(y)
    assert len(graph) == 1


def test_a_stream_goes_on_where_another_thread_cannot_end_its_capture():
    stream = Stream(non_blocking=True)
    x = px.zeros(10)
    stream.begin_capture()
    x += 1

    def end():
        with pytest.raises(ValueError, match="thread"):
            stream.end_capture()

    thread = threading.Thread(target=end)
    thread.start()
    thread.join()
    assert stream.is_capturing()
    stream.end_capture().launch()
    assert np.all(np.asarray(x) == 1)
    dropped = Stream(non_blocking=True)
    dropped.begin_capture()
    del dropped
    gc.collect()
    assert float(x.sum()) == 10


def test_streams_of_cupy_capture():
    stream = Stream(non_blocking=True)
    a, b = px.arange(1000.0), px.zeros(1000)
    kernel = ElementwiseKernel("T x", "T y", "y = x * x", "square_in_a_graph")
    with pytest.raises(RuntimeError, match="captures nothing"):
        stream.end_capture()
    with stream:
        stream.begin_capture()
        assert stream.is_capturing()
        a += 1
        kernel(a, b)
        made = a - b
        graph = stream.end_capture()
        assert not stream.is_capturing()
        for _ in range(2):
            graph.launch()
        graph.upload(stream)
        graph.launch(stream=stream)
    stream.synchronize()
    expected = np.arange(1000.0) + 3
    assert np.array_equal(np.asarray(a), expected)
    assert np.array_equal(np.asarray(b), expected**2)
    assert np.array_equal(np.asarray(made), expected - expected**2)
    with pytest.raises(RuntimeError, match="default stream"):
        Stream.null.begin_capture()
    with pytest.raises(RuntimeError, match="stream capture"):
        Graph()


def test_a_graph_keeps_its_arrays():
    x, out = px.ones(50_000), px.zeros(50_000)
    with cuda.graph() as graph:
        out[...] = px.exp(x).sum() + x
    del x
    others = [px.full(50_000, float(i))._evaluate() for i in range(4)]
    graph.launch()
    assert np.allclose(np.asarray(out), np.e * 50_000 + 1)
    assert [each.shape for each in others] == [(50_000,)] * 4


# Statements over arrays a, b, c of one size, views of them, and d, e which they make.
STATEMENTS = (
    "a += b",
    "b[...] = a * 2 - c",
    "c[1:] = c[:-1]",
    "c[::2] += a[::2]",
    "a *= 0.5",
    "b[:] = b[::-1]",
    "d = a + b",
    "d -= c",
    "e = m.cumsum(c) * 0.25",
    "e[3:] = d[:-3]",
    "a[...] = d",
    "c[...] = m.where(a > b, a, e)",
    "b -= a.sum() / a.size",
    "v = a[2:]",
    "v += 1",
    "w = d.reshape(-1, 4)",
    "w[1] = 0",
    "c[...] = m.take(b, i, mode='clip')",
    "e = d",
    "s = a[3]",
    "b += s",
    "u = m.broadcast_to(c[1:2], (4,))",
)


@pytest.mark.parametrize("seed", range(60))
def test_statements_in_a_graph_are_those_of_numpy(seed):
    rng = random.Random(seed)
    size = rng.choice(SIZES)
    start = np.random.default_rng(seed).integers(-8, 8, (3, size)).astype(np.float64)
    chosen = [
        "d = a + b",
        "e = m.cumsum(c) * 0.25",
        "v = a[2:]",
        "w = d.reshape(-1, 4)",
        "s = b[1]",
    ]
    chosen += [rng.choice(STATEMENTS) for _ in range(rng.randint(3, 10))]
    index = np.random.default_rng(seed).integers(-9, size + 9, size)
    ours = {"m": px, "i": px.asarray(index)}
    theirs = {"m": np, "i": index}
    for name, values in zip("abc", start, strict=True):
        ours[name], theirs[name] = px.asarray(values.copy()), values.copy()
    if rng.random() < 0.5:
        ours["a"] = ours["a"] + 0  # pending at the beginning
    with cuda.graph() as graph:
        for statement in chosen:
            exec(statement, ours)
    for launch in range(2):
        graph.launch()
        for statement in chosen:
            exec(statement, theirs)
        if launch == 0 and rng.random() < 0.5:
            ours["a"][...] = 1.0
            theirs["a"][...] = 1.0
    for name in "abcdevws":
        assert np.allclose(np.asarray(ours[name]), theirs[name], rtol=1e-9), (name, chosen)
