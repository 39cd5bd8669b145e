"""Limits of memory, what the error tells, arrays that leave a GPU and come back."""

from __future__ import annotations

import gc
import threading

import fake_gpu
import numpy as np
import pytest

import phalanx as px

MIB = 1 << 20


@pytest.fixture
def limit(device):
    """Sets a limit of that many MiB above what is in use; without one again after the test."""
    gc.collect()

    def set_limit(mib):
        px.set_memory_limit(px.memory_info().used_bytes + int(mib * MIB))

    yield set_limit
    px.set_memory_limit(None)


def of_mib(mib, value=1):
    """An array in memory."""
    array = px.full(int(mib * MIB) // 8, value, dtype=np.int64)
    array._evaluate()
    return array


def test_an_array_beyond_the_limit_is_a_memory_error(limit):
    limit(4.5)
    with pytest.raises(px.OutOfMemoryError, match=r"asked, .* in use of the limit of .*"):
        of_mib(5)
    with pytest.raises(MemoryError, match=r"px\.set_memory_limit\(\)"):
        px.empty(5 * MIB, dtype=np.int8)
    assert int(of_mib(4).sum()) == 4 * MIB // 8


def test_the_error_lists_the_largest_arrays_and_their_lines(limit):
    limit(10)
    small = of_mib(1)
    large = px.full((3, MIB), 2, dtype=np.int8)
    large._evaluate()  # line of "large"
    kept = large._share(), small._share()  # which keeps them where they are
    with pytest.raises(MemoryError) as caught:
        of_mib(20)
    lines = str(caught.value).splitlines()
    first = test_the_error_lists_the_largest_arrays_and_their_lines.__code__.co_firstlineno
    assert "The largest of" in lines[1]
    assert f"  3.0 MiB: int8 (3, 1048576), made at {__file__}:{first + 4}" in lines
    # The array itself is made by a helper of this file.
    helper = of_mib.__code__.co_firstlineno
    assert f"  1.0 MiB: int64 (131072,), made at {__file__}:{helper + 3}" in lines
    del kept


def test_what_is_freed_can_be_used_again(limit):
    limit(4)
    for value in range(20):
        assert int(of_mib(3, value)[0]) == value


def test_an_expression_goes_on_after_the_error(limit):
    x = of_mib(2)
    y = px.sqrt(x * 2.0 + 1)
    limit(1)
    held = x._evaluate()
    with pytest.raises(MemoryError):
        y._evaluate()
    assert held is not None
    assert float(y.sum()) == pytest.approx(np.sqrt(3.0) * x.size)  # no room is needed for it
    px.set_memory_limit(None)
    assert np.asarray(y)[:2].tolist() == [np.sqrt(3.0)] * 2


def test_others_are_not_computed_on_the_way_where_there_is_no_room(limit):
    x = of_mib(1)
    wanted, other = x * 2 + 1, x * 2 - 1
    held = x._evaluate()
    limit(1.5)
    assert int(wanted[-1]) == 3
    assert np.asarray(wanted).tolist()[:2] == [3, 3]
    assert held is not None
    del wanted
    assert np.asarray(other).tolist()[:2] == [1, 1]


def test_memory_info(limit):
    before = px.memory_info()
    assert before.limit is None
    limit(8)
    array = of_mib(2)
    info = px.memory_info()
    assert info.limit == before.used_bytes + 8 * MIB
    assert info.used_bytes - before.used_bytes == array.nbytes
    assert info.peak_bytes >= info.used_bytes
    assert info.total_bytes == info.used_bytes + info.cached_bytes
    assert 0 < info.free_bytes <= info.device_bytes
    assert info.device == px.current_device().name
    del array
    px.free_all_blocks()
    assert px.memory_info().used_bytes == before.used_bytes


def test_the_pool_keeps_no_more_than_the_limit(limit):
    block = 0 if px.current_device().name == "cpu" else 32 * MIB  # a driver's pool has whole ones
    base = px.memory_info().used_bytes
    limit(4)
    for mib in (1, 2, 3, 3.5, 1.5):
        of_mib(mib)
        assert px.memory_info().total_bytes <= base + max(8 * MIB, block)
    limit(1)
    assert px.memory_info().cached_bytes <= base + max(MIB, block)


def test_limits_are_of_one_device(device):
    px.set_memory_limit(0, device="cpu")
    try:
        assert px.memory_info("cpu").limit == 0
        if device != "cpu":
            assert int(of_mib(1).sum()) == MIB // 8
        with px.device("cpu"), pytest.raises(MemoryError, match="on the CPU device"):
            of_mib(1)
    finally:
        px.set_memory_limit(None, device="cpu")


def test_the_names_of_cupys_pool(limit):
    pool = px.get_default_memory_pool()
    before = pool.used_bytes()
    array = of_mib(2)
    assert pool.used_bytes() - before == array.nbytes
    assert pool.total_bytes() == pool.used_bytes() + pool.free_bytes()
    pool.set_limit(size=1 << 40)
    assert pool.get_limit() == 1 << 40
    pool.set_limit(fraction=0.5)
    assert pool.get_limit() == px.memory_info().device_bytes // 2
    pool.set_limit(size=0)
    assert pool.get_limit() == 0
    pool.free_all_blocks()
    with pytest.raises(ValueError, match="not both"):
        pool.set_limit(1, 0.5)
    with pytest.raises(ValueError, match="from 0 to 1"):
        pool.set_limit(fraction=2)


def test_wrong_limits(device):
    with pytest.raises(ValueError, match="from 0 on, or None"):
        px.set_memory_limit(-1)
    with pytest.raises(TypeError):
        px.set_memory_limit("4 GB")
    with pytest.raises(ValueError, match="there is no device"):
        px.set_memory_limit(1, device="tpu")
    assert px.memory_info().limit is None


def test_threads_stay_within_the_limit(limit):
    limit(8)
    wrong = []

    def run(value):
        for _ in range(20):
            try:
                if int(of_mib(1, value)[-1]) != value:
                    wrong.append(value)
            except MemoryError:
                pass  # another thread has what this one would need

    threads = [threading.Thread(target=run, args=(value,)) for value in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_arrays_leave_the_gpu_and_come_back(limit, device):
    if device == "cpu":
        pytest.skip("there is nowhere to go to")
    limit(8)
    hosts = [np.arange(MIB // 8) * (i + 1) for i in range(24)]
    arrays = [px.asarray(host) for host in hosts]
    views = [array[::-1] for array in arrays]
    assert px.memory_info().spilled_bytes > 0
    for host, array, view in zip(hosts, arrays, views, strict=True):
        assert int(array.sum()) == host.sum()
        assert np.array_equal(np.asarray(view[:100] + 1), host[::-1][:100] + 1)
    total = arrays[0] + arrays[12] * arrays[23]
    assert np.array_equal(np.asarray(total), hosts[0] + hosts[12] * hosts[23])
    arrays[3][5] = -1
    assert int(views[3][-6]) == -1
    kept = arrays[0].__cuda_array_interface__
    for array, host in zip(arrays, hosts, strict=True):
        assert np.array_equal(np.asarray(array)[6:], host[6:])
    assert arrays[0].__cuda_array_interface__["data"] == kept["data"]


def test_maps_of_files_take_no_memory_of_the_host(limit, device, tmp_path):
    if device != "cpu":
        pytest.skip("a GPU reads no files")
    host = np.random.default_rng(1).random((64, MIB // 64))
    np.save(tmp_path / "x.npy", host)
    sink = np.lib.format.open_memmap(tmp_path / "y.npy", "w+", np.float64, host.shape)
    x = px.asarray(np.load(tmp_path / "x.npy", mmap_mode="r"))
    y = px.asarray(sink)
    limit(1)  # of 8
    assert float(x.std()) == pytest.approx(host.std())
    assert float((x * 2 + 1).max()) == host.max() * 2 + 1
    assert np.allclose(np.asarray(x.mean(axis=0)), host.mean(axis=0))
    y[...] = px.sqrt(x) + x[:, ::-1]
    assert px.memory_info().peak_bytes >= px.memory_info().used_bytes
    sink.flush()
    assert np.array_equal(np.load(tmp_path / "y.npy"), np.sqrt(host) + host[:, ::-1])


# What of it needs no kernel, with a driver that has none: tests/support/fake_libcuda.
ON_A_FAKE_GPU = """
import numpy as np
import phalanx as px

px.set_memory_limit(8 << 20)
hosts = [np.arange(1 << 17) + i for i in range(20)]
arrays = [px.asarray(host) for host in hosts]
parts = [array[10:20] for array in arrays]
for turn in range(2):
    for host, array, part in zip(hosts, arrays, parts):
        assert np.array_equal(np.asarray(array), host)
        assert np.array_equal(np.asarray(part), host[10:20])
info = px.memory_info()
assert info.used_bytes == info.limit == 8 << 20, info
assert info.spilled_bytes == 12 << 20 and info.restores >= 30, info
address = arrays[0].__cuda_array_interface__["data"]
for host, array in zip(hosts, arrays):
    assert np.array_equal(np.asarray(array), host)
assert arrays[0].__cuda_array_interface__["data"] == address
shared = [array.__cuda_array_interface__ for array in arrays[:8]]
late = px.asarray(hosts[0])  # stays on the host
assert np.array_equal(np.asarray(late), hosts[0])
try:
    late._evaluate()
except px.OutOfMemoryError as error:
    assert str(error).count("1.0 MiB: int64 (131072,), made at") == 5, error
else:
    raise AssertionError
del arrays[1:], parts[1:], array, part, late
assert np.array_equal(np.asarray(arrays[0]), hosts[0])
assert px.memory_info().spilled_bytes == 0
print("done")
"""


@fake_gpu.needed
def test_arrays_leave_a_fake_gpu_and_come_back(tmp_path):
    done = fake_gpu.run(ON_A_FAKE_GPU, tmp_path)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


def test_what_is_recorded_of_dropped_arrays_is_computed_before_they_fill_the_memory(limit):
    limit(64)  # a quarter of it, and half as much until it is looked at again
    before = px.memory_info().used_bytes
    means = [(px.full(MIB // 2, i, dtype=np.float64).copy() * 2).mean() for i in range(3)]
    sums = []
    for i in range(100):
        sums.append((of_mib(4, i) * 2).sum())
        assert px.memory_info().used_bytes - before <= 30 * MIB
    assert [int(each) for each in sums] == [i * MIB for i in range(100)]
    assert [float(each) for each in means] == [0, 2, 4]
