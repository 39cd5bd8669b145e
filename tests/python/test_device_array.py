"""Device arrays: transfers, views, indexing, interchange."""

import numpy as np
import pytest

from phalanx import cuda


def test_round_trip_of_every_dtype_and_order(device, dtype):
    for host in (
        np.arange(24).astype(dtype).reshape(2, 3, 4),
        np.asfortranarray(np.arange(6).astype(dtype).reshape(2, 3)),
        np.zeros((0, 3), dtype),
        np.array(5).astype(dtype),
    ):
        array = cuda.to_device(host)
        assert array.shape == host.shape
        assert array.dtype == host.dtype
        if host.size:  # the strides of an empty array mean nothing
            assert array.strides == host.strides
        np.testing.assert_array_equal(array.copy_to_host(), host)


def test_to_device_copies(device):
    host = np.arange(4.0)
    array = cuda.to_device(host)
    host[:] = 9
    assert array.copy_to_host().tolist() == [0, 1, 2, 3]


def test_copy_to_host_fills_a_given_array(device):
    array = cuda.to_device(np.arange(6.0).reshape(2, 3))
    target = np.zeros((2, 3))
    assert array.copy_to_host(target) is target
    assert target.sum() == 15
    with pytest.raises(ValueError, match="shape"):
        array.copy_to_host(np.zeros(6))
    with pytest.raises(TypeError, match="dtype"):
        array.copy_to_host(np.zeros((2, 3), np.float32))


def test_slices_are_views_and_elements_are_values(device):
    host = np.arange(24).reshape(4, 6)
    array = cuda.to_device(host)
    for index in (
        1,
        -1,
        (2, 3),
        slice(1, 3),
        (slice(None), 2),
        (slice(None, None, -2), slice(1, 5, 2)),
        (Ellipsis, 1),
        (slice(None), None, 1),
        slice(3, 1),
    ):
        actual = array[index]
        expected = host[index]
        if isinstance(expected, np.ndarray):
            np.testing.assert_array_equal(actual.copy_to_host(), expected)
        else:
            assert actual == expected
    with pytest.raises(IndexError, match="out of bounds"):
        array[4]
    with pytest.raises(IndexError, match="too many"):
        array[1, 2, 3]
    with pytest.raises(TypeError, match="integers and slices"):
        array["a"]


def test_assignment_broadcasts_and_reaches_the_view(device):
    host = np.zeros((4, 6))
    array = cuda.to_device(host)
    for index, value in (
        ((1, 2), 5.0),
        (0, np.arange(6.0)),
        ((slice(None), 3), 7.0),
        (slice(2, 4), np.arange(6.0)),
    ):
        array[index] = value
        host[index] = value
    np.testing.assert_array_equal(array.copy_to_host(), host)
    array[:, 1] = cuda.to_device(np.arange(4.0))
    host[:, 1] = np.arange(4.0)
    np.testing.assert_array_equal(array.copy_to_host(), host)
    with pytest.raises(ValueError, match=r"[Cc]an't assign|broadcast"):
        array[0] = np.zeros(5)


def test_reshape_ravel_transpose_squeeze_view_split(device):
    host = np.arange(12, dtype=np.int32)
    array = cuda.to_device(host)
    np.testing.assert_array_equal(array.reshape(3, -1).copy_to_host(), host.reshape(3, 4))
    np.testing.assert_array_equal(array.reshape((3, 4)).T.copy_to_host(), host.reshape(3, 4).T)
    np.testing.assert_array_equal(array.reshape(3, 4).ravel().copy_to_host(), host)
    assert array.reshape(1, 12, 1).squeeze().shape == (12,)
    np.testing.assert_array_equal(array.view(np.int16).copy_to_host(), host.view(np.int16))
    assert [part.size for part in array.split(5)] == [5, 5, 2]
    with pytest.raises(ValueError, match=r"size|infer"):
        array.reshape(5, -1)
    with pytest.raises(NotImplementedError, match="copy"):
        array.reshape(3, 4).T.ravel()


def test_non_contiguous_host_arrays_are_refused(device):
    with pytest.raises(ValueError, match="non-contiguous"):
        cuda.to_device(np.arange(10)[::2])


def test_device_array_like_keeps_order(device):
    like = cuda.device_array_like(np.zeros((3, 4), order="F"))
    assert like.is_f_contiguous()
    assert not like.is_c_contiguous()
    assert cuda.device_array(5).dtype == np.float64
    assert cuda.device_array((2, 3), np.int8).strides == (3, 1)


def test_arrays_survive_the_name_they_were_made_from(device):
    view = cuda.to_device(np.arange(1000.0))[500:]
    assert view.copy_to_host()[0] == 500


def test_pinned_arrays_are_numpy_arrays(device):
    array = cuda.pinned_array((3, 4), np.float32)
    array[:] = 2
    assert cuda.to_device(array).copy_to_host().sum() == 24
    with cuda.pinned(np.zeros(10)):
        pass


def test_streams_events_and_auto_synchronize(device):
    @cuda.jit
    def add_one(values):
        values[cuda.grid(1)] += 1

    stream = cuda.stream()
    start, end = cuda.event(), cuda.event()
    array = cuda.to_device(np.zeros(64), stream=stream)
    with stream.auto_synchronize():
        start.record(stream)
        add_one[2, 32, stream](array)
        end.record(stream)
        host = array.copy_to_host(stream=stream)
    assert (host == 1).all()
    assert end.query()
    assert cuda.event_elapsed_time(start, end) >= 0


def test_stream_callbacks_run_once(device):
    import threading

    done = threading.Event()
    seen = []
    stream = cuda.stream()
    stream.add_callback(lambda s, status, arg: (seen.append((status, arg)), done.set()), "x")
    stream.synchronize()
    assert done.wait(10)
    assert seen == [(0, "x")]


def test_too_large_an_allocation_says_how_much_was_asked(device):
    with pytest.raises(MemoryError, match=r"TiB|bytes|GiB"):
        cuda.device_array(2**50, np.uint8)
    assert cuda.to_device(np.arange(3)).copy_to_host().tolist() == [0, 1, 2]


def test_contexts_and_devices(device):
    info = cuda.current_context().get_memory_info()
    assert 0 < info.free <= info.total
    current = cuda.get_current_device()
    assert current.MAX_THREADS_PER_BLOCK == 1024
    assert current.WARP_SIZE == 32
    cuda.select_device(0)
    if device == "cpu":
        with pytest.raises(ValueError, match="device 3"):
            cuda.select_device(3)
    assert all(gpu.compute_capability >= (5, 0) for gpu in cuda.gpus)
