"""Memory that somebody else can write to: when operations read it, and who may write to ours."""

import io
import signal
import struct

import numpy as np
import pytest

import phalanx as px

# Each takes our names or NumPy's, and an array of NumPy's that is changed after the call.
OPERATIONS = {
    "+": lambda xp, x, a: x + a,
    "reflected": lambda xp, x, a: a + x,
    "<": lambda xp, x, a: x < a,
    "ufunc": lambda xp, x, a: xp.add(x, a),
    "ufunc of it alone": lambda xp, x, a: xp.sqrt(a),
    "where": lambda xp, x, a: xp.where(a > 1, x, a),
    "sum": lambda xp, x, a: xp.sum(a),
    "mean": lambda xp, x, a: xp.mean(a),
    "cumsum": lambda xp, x, a: xp.cumsum(a),
    "stack": lambda xp, x, a: xp.stack([x, a]),
    "concatenate": lambda xp, x, a: xp.concatenate([x, a]),
    "full": lambda xp, x, a: xp.full((2, a.size), a),
    "clip": lambda xp, x, a: xp.clip(x, 0, a),
    "isclose": lambda xp, x, a: xp.isclose(x, a),
    "copy": lambda xp, x, a: xp.copy(a),
    "array": lambda xp, x, a: xp.array(a),
    "copy of a view": lambda xp, x, a: xp.asarray(a)[::-1].copy(),
    "flatten": lambda xp, x, a: xp.asarray(a).flatten(),
    "take": lambda xp, x, a: xp.take(x, a.astype("int64")),
}


def changed(operation, xp, x):
    a = (np.arange(x.size) % 5).astype("float64")
    made = operation(xp, x, a)
    a[:] = 77
    return np.asarray(made)


@pytest.mark.parametrize("size", [6, 20_000])
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operand_may_be_changed_on_the_next_line(device, name, size):
    expected = changed(OPERATIONS[name], np, np.arange(float(size)))
    np.testing.assert_array_equal(changed(OPERATIONS[name], px, px.arange(float(size))), expected)


def assigned(xp, x, kind):
    a = np.arange(x.size, dtype="float64")
    mask, index = np.arange(x.size) % 2 == 0, np.arange(x.size)[::-1].copy()
    if kind == "all":
        x[:] = a
    elif kind == "part":
        x[1:] = a[1:]
    elif kind == "in place":
        x += a
    elif kind == "mask":
        x[mask] = 5
    elif kind == "indices":
        x[index] = a
    elif kind == "copyto":
        xp.copyto(x, a)
    elif kind == "read at indices":
        x = x[index]
    elif kind == "read by mask":
        x = x[mask]
    a[:], mask[:], index[:] = -1, False, 0
    return np.asarray(x)


KINDS = ("all", "part", "in place", "mask", "indices", "copyto", "read at indices", "read by mask")


@pytest.mark.parametrize("size", [6, 20_000])
@pytest.mark.parametrize("kind", KINDS)
def test_assignments_read_at_once(device, kind, size):
    expected = assigned(np, np.arange(float(size)) * 2, kind)
    np.testing.assert_array_equal(assigned(px, px.arange(float(size)) * 2, kind), expected)


@pytest.mark.parametrize("size", [5, 50_000])
@pytest.mark.parametrize("way", ["numpy", "asarray", "export"])
def test_indices_that_change_after_the_check_read_what_was_checked(device, way, size):
    x = px.arange(float(size))
    given = np.arange(size)[::-1].copy()
    index = px.asarray(given) if way == "asarray" else given
    if way == "export":
        index = px.asarray(given) + 0
        given = memoryview(index) if index.device == "cpu" else given
    y = x[index]
    if way != "export":
        given[:] = 1 << 40
    elif index.device == "cpu":
        np.from_dlpack(index)[:] = 1 << 40
    assert y.tolist() == list(range(size))[::-1]


def test_a_loop_that_uses_a_buffer_again(device):
    total, buffer = px.zeros(3), np.zeros(3)
    for k in range(4):
        buffer[:] = k
        total = total + buffer
    assert total.tolist() == [6, 6, 6]


WRITERS = {
    "readinto": lambda x: io.BytesIO(np.full(3, 7.0).tobytes()).readinto(x),
    "pack_into": lambda x: struct.pack_into("d", x, 0, 7.0),
    "dlpack": lambda x: np.from_dlpack(x).__setitem__(0, 7.0),
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_was_recorded_before_others_write_keeps_its_value(name):
    with px.device("cpu"):
        x = px.zeros(3)
        for y in (x + 1, px.asarray(x) * 1 + 1):
            WRITERS[name](x)
            assert y.tolist() == [1, 1, 1]
            x[:] = 0
        WRITERS[name](x)
        assert x[0] == 7


def read_only_arrays(folder):
    path = folder / "x.npy"
    np.save(path, np.zeros(10))
    yield px.asarray(np.frombuffer(bytes(80)))
    yield px.load(path, mmap_mode="r")
    yield px.load(path, mmap_mode="r")[2:]
    yield px.asarray(np.broadcast_to(np.zeros(1), (10,)))


def test_memory_that_is_read_only_stays_as_it_is(tmp_path):
    with px.device("cpu"):
        for x in read_only_arrays(tmp_path):
            assert not x.flags.writeable
            with pytest.raises((BufferError, TypeError)):
                io.BytesIO(b"A" * x.nbytes).readinto(x)
            with pytest.raises(ValueError, match="read-only"):
                x[0] = 1
            assert not np.asarray(x).any()
        mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
        with pytest.raises(ValueError, match="read-only"):
            px.add(px.ones(10), 1, out=mapped)


@pytest.mark.parametrize("count", [100, 20_000])
def test_views_of_views_of_what_is_recorded(device, count):
    x, y, z, r = px.arange(60_000.0), px.arange(6.0).reshape(2, 3), px.arange(3.0), px.arange(6.0)
    for _ in range(count):
        x, y, z, r = x[1:], y.T, z[:], r.reshape(3, 2).T.reshape(-1)
    assert x[0] == count
    assert y.shape == ((3, 2) if count % 2 else (2, 3))
    np.testing.assert_array_equal(np.asarray(y if count % 2 == 0 else y.T), [[0, 1, 2], [3, 4, 5]])
    assert sorted(r.tolist()) == [0, 1, 2, 3, 4, 5]
    del x, y, z, r


def test_views_of_views_are_numpys(device):
    host = np.arange(4 * 5 * 6).reshape(4, 5, 6)
    for ours in (px.asarray(host.copy()), px.asarray(host) + 0):
        x, a = ours, host
        for key in (np.s_[1:], np.s_[:, ::-2], np.s_[..., 1], np.s_[None, 1:, 0], np.s_[:, 0]):
            x, a = x[key], a[key]
            np.testing.assert_array_equal(np.asarray(x), a)
        x, a = ours.transpose(2, 0, 1)[::2, 1:].swapaxes(0, 1), host.transpose(2, 0, 1)
        np.testing.assert_array_equal(np.asarray(x), a[::2, 1:].swapaxes(0, 1))


@pytest.mark.parametrize(
    "make",
    [
        lambda: px.ones((2**32, 2**32)),
        lambda: px.broadcast_to(px.ones(1), (2**62, 4)),
        lambda: (
            px.broadcast_to(px.ones((1, 1)), (2**32, 1)) + px.broadcast_to(px.ones(1), (2**32,))
        ),
    ],
)
def test_sizes_beyond_int64_are_refused(device, make):
    with pytest.raises((ValueError, MemoryError), match="too large"):
        make()


def test_a_signal_handler_may_use_arrays_while_arrays_are_computed(device):
    done = []

    def handle(*_):
        done.append(float((px.arange(3000) * 2.0).sum()))

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        for _ in range(40):
            x = px.sqrt(px.arange(300_000.0)) * 2
            assert float(x[4]) == 4
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert all(each == 2999 * 3000 for each in done)
