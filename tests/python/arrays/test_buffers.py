"""The buffer protocol: what NumPy and the standard library read of arrays on the host."""

import gc
import hashlib
import io

import numpy as np
import pytest

import phalanx as px

DTYPES = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)
LAYOUTS = {
    "C": lambda a: a,
    "F": lambda a: a.T,
    "steps": lambda a: a[:, ::2],
    "backwards": lambda a: a[::-1, ::-1],
    "part": lambda a: a[1:, 1:],
    "repeated": lambda a: type(a).__array_namespace__(a).broadcast_to(a[0], a.shape),
    "number": lambda a: a[1, 2][...],
    "empty": lambda a: a[:0],
}


@pytest.fixture(autouse=True)
def on_the_host():
    with px.device("cpu"):
        yield


def both(dtype, layout):
    host = (np.arange(20).reshape(4, 5) % 7).astype(dtype)
    return LAYOUTS[layout](px.asarray(host.copy())), LAYOUTS[layout](host)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_view_shows_the_elements(dtype, layout):
    ours, theirs = both(dtype, layout)
    view, expected = memoryview(ours), memoryview(theirs)
    assert (view.format, view.shape, view.nbytes, view.ndim, view.itemsize) == (
        *(expected.format, expected.shape, expected.nbytes, expected.ndim, expected.itemsize),
    )
    assert view.readonly
    assert (view.c_contiguous, view.f_contiguous) == (expected.c_contiguous, expected.f_contiguous)
    np.testing.assert_array_equal(np.asarray(view), theirs)
    np.testing.assert_array_equal(np.asarray(ours), theirs)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_who_wants_one_run_of_bytes_gets_it_or_an_error(dtype, layout):
    ours, theirs = both(dtype, layout)
    if theirs.flags.c_contiguous:
        assert hashlib.sha256(ours).digest() == hashlib.sha256(theirs).digest()
    else:
        with pytest.raises((BufferError, ValueError), match="contiguous"):
            hashlib.sha256(ours)


@pytest.mark.parametrize("dtype", DTYPES)
def test_writes_go_to_the_array(dtype):
    ours = px.zeros((3, 4), dtype=dtype)
    beside = ours[1]
    content = (np.arange(12).reshape(3, 4) % 2).astype(dtype)
    assert io.BytesIO(content.tobytes()).readinto(ours) == content.nbytes
    np.testing.assert_array_equal(np.asarray(ours), content)
    np.testing.assert_array_equal(np.asarray(beside), content[1])


def test_nothing_is_written_to_what_is_read_only():
    ours = px.broadcast_to(px.arange(3), (2, 3))
    with pytest.raises((BufferError, TypeError), match=r"read-only|read-write"):
        io.BytesIO(bytes(48)).readinto(ours)
    assert ours.tolist() == [[0, 1, 2]] * 2


def test_a_view_outlives_the_array_and_sees_its_writes():
    ours = px.arange(1000)
    view = memoryview(ours)
    ours += 1
    assert view[:3].tolist() == [1, 2, 3]
    del ours
    gc.collect()
    assert px.ones(1000).sum() == 1000  # which could have taken the memory
    assert view[999] == 1000


def test_pending_values_are_computed():
    view = memoryview(px.arange(5) * 2)
    assert view.tolist() == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("dtype", ["datetime64[s]", "timedelta64[ms]"])
def test_times_have_no_format(dtype):
    ours = px.zeros(3, dtype=dtype)
    with pytest.raises((BufferError, ValueError)):
        memoryview(ours)
    assert np.asarray(ours).dtype == dtype


FOREIGN = {
    "not aligned": lambda: np.zeros(3, [("p", "u1"), ("q", "f8")])["q"],
    "big-endian": lambda: np.zeros(3, ">f8"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_kernels_cannot_read_is_copied(device, name):
    host = FOREIGN[name]()
    with px.device("cpu"):
        x = px.asarray(host)
        with pytest.raises(ValueError, match=r"a copy is needed to (align|convert)"):
            px.asarray(host, copy=False)
        x[1] = 3
    assert x.dtype == np.dtype("float64")
    assert host.tolist() == [0, 0, 0]
