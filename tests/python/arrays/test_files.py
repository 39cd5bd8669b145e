"""Arrays in files, and arrays larger than the memory limit."""

from __future__ import annotations

import gc
import resource

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


class Dataset:
    """What HDF5 and Zarr give, as far as arrays are concerned: rows by slicing."""

    chunks = None

    def __init__(self, host, fails_after=None):
        self._host = host
        self.shape, self.dtype, self.ndim = host.shape, host.dtype, host.ndim
        self.reads = 0
        self._fails_after = fails_after

    def __getitem__(self, key):
        assert isinstance(key, slice)
        self.reads += 1
        if self._fails_after is not None and self.reads > self._fails_after:
            raise OSError("the disk is gone")
        return self._host[key]

    def __array__(self, dtype=None, copy=None):
        return self._host.astype(dtype or self.dtype)


SHAPES = [(1 << 19,), (4096, 128), (64, 32, 256), (1, 1 << 19), (3, 1 << 17, 1)]
DTYPES = ["float64", "float32", "int64", "int32", "uint8", "complex64", "bool", "datetime64[s]"]


def sample(shape, dtype="float64"):
    count = int(np.prod(shape))
    numbers = np.random.default_rng(count).integers(-100, 100, count)
    if dtype.startswith("datetime"):
        return numbers.astype("int64").view(dtype).reshape(shape)
    if np.dtype(dtype).kind in "fc":
        return (numbers / 8).astype(dtype).reshape(shape)
    return numbers.astype(dtype).reshape(shape)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def with_specials(shape):
    host = sample(shape)
    host.reshape(-1)[[5, -7]] = np.nan, np.inf
    return host


FOLDS = ["sum", "min", "max", "mean", "std", "var", "any", "all"]


@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_folds_of_what_does_not_fit(limit, name, shape):
    host = sample(shape)
    limit(host.nbytes / MIB / 4)
    dataset = Dataset(host)
    x = px.asarray(dataset)
    for axis in (None, len(shape) - 1):
        expected = getattr(np, name)(host, axis=axis)
        if expected.nbytes > MIB // 2:
            continue
        actual = np.asarray(getattr(px, name)(x, axis=axis))
        np.testing.assert_allclose(actual, expected, rtol=1e-12)
    assert dataset.reads > 8


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_of_every_kind(limit, dtype):
    host = sample((2048, 512), dtype)
    limit(host.nbytes / MIB / 4)
    x = px.asarray(Dataset(host))
    assert x.dtype == host.dtype
    assert np.array_equal(np.asarray((x == host[7]).sum(axis=0)), (host == host[7]).sum(axis=0))
    if dtype.startswith("datetime"):
        assert np.asarray(x.max()) == host.max()
    elif dtype != "complex64":
        assert np.asarray(x.max()) == host.max()
        assert np.asarray(x.sum(axis=1)).tolist() == host.sum(axis=1).tolist()


@pytest.mark.parametrize("name", ["sum", "min", "max", "nanmax", "nanmean"])
def test_special_values(limit, name):
    host = with_specials((4096, 128))
    limit(1)
    x = px.asarray(Dataset(host))
    for axis in (None, 0, 1):
        expected = getattr(np, name)(host, axis=axis)
        np.testing.assert_allclose(
            np.asarray(getattr(px, name)(x, axis=axis)), expected, rtol=1e-12
        )


VIEWS = {
    "rows": lambda x: x[10:4000],
    "steps": lambda x: x[::3],
    "backwards": lambda x: x[::-1],
    "columns": lambda x: x[:, 5:9],
    "turned": lambda x: x.T,
    "neighbours": lambda x: x[1:] - x[:-1],
    "flat": lambda x: x.reshape(-1),
    "other shape": lambda x: x[1:3].reshape(-1) * 1,
    "three": lambda x: x.reshape(64, 64, 128) + x.reshape(64, 64, 128)[0],
    "one element": lambda x: x[17, 3],
}


@pytest.mark.parametrize("name", VIEWS)
def test_views(limit, name):
    host = sample((4096, 128))
    limit(1)
    x = px.asarray(Dataset(host))
    actual, expected = VIEWS[name](x), VIEWS[name](host)
    np.testing.assert_allclose(float((actual * 2).sum()), (expected * 2).sum(), rtol=1e-12)
    np.testing.assert_allclose(float(actual.max()), expected.max())


ROWS = {
    "centred": lambda np, x: x - x.mean(axis=1, keepdims=True),
    "softmax": lambda np, x: np.exp(x / 9) / np.exp(x / 9).sum(axis=1, keepdims=True),
    "turned": lambda np, x: x.T / x.T.max(axis=0),
    "of columns": lambda np, x: x - x.mean(axis=0),
}


@pytest.mark.parametrize("name", ROWS)
def test_kernels_of_rows(limit, tmp_path, name):
    host = sample((4096, 128))
    limit(1)
    actual = ROWS[name](px, px.asarray(Dataset(host)))
    expected = ROWS[name](np, host)
    np.testing.assert_allclose(float((actual * actual).sum()), (expected**2).sum(), rtol=1e-10)
    px.save(tmp_path / "y.npy", actual if actual.shape == host.shape else actual.T)
    saved = np.load(tmp_path / "y.npy")
    np.testing.assert_allclose(saved if actual.shape == host.shape else saved.T, expected)


def test_sources_and_arrays_in_memory_together(limit):
    host, row = sample((4096, 128)), sample((128,))
    column = sample((4096, 1))
    near, far = px.asarray(row), px.asarray(column)
    near._evaluate(), far._evaluate()
    limit(1)
    x, y = px.asarray(Dataset(host)), px.asarray(Dataset(host[::-1].copy()))
    actual = px.sqrt(px.abs(x * near + far)) - y
    expected = np.sqrt(np.abs(host * row + column)) - host[::-1]
    np.testing.assert_allclose(np.asarray(actual.mean(axis=0)), expected.mean(axis=0))
    assert px.memory_info().peak_bytes > 0
    position = px.arange(4096)[:, None] * (x * 0 + 1)
    assert float(position.sum()) == 4095 * 2048 * 128


def test_what_fits_is_read_once(limit):
    host = sample((4096, 128))
    limit(16)
    dataset = Dataset(host)
    x = px.asarray(dataset)
    assert float(x.sum()) == host.sum()
    x[0] = 1
    assert np.asarray(x)[0, 3] == 1
    assert dataset.reads == 0  # but as a whole


def test_a_small_dataset_is_copied(device):
    host = sample((5, 7))
    x = px.asarray(Dataset(host))
    host[0] = 0
    assert float(x[0].sum()) != 0


def test_sources_are_read_only(limit):
    limit(1)
    x = px.asarray(Dataset(sample((4096, 128))))
    with pytest.raises(ValueError, match="read-only"):
        x[5] = 1
    with pytest.raises(ValueError, match="read-only"):
        x[...] = 1


def test_a_failing_read_raises_its_error_and_leaves_all_as_it_was(limit):
    host = sample((4096, 128))
    limit(1)
    broken = Dataset(host, fails_after=3)
    x = px.asarray(broken)
    total = (x * 2).sum()
    used = px.memory_info().used_bytes
    with pytest.raises(OSError, match="the disk is gone"):
        float(total)
    assert px.memory_info().used_bytes == used
    broken._fails_after = None
    assert float(total) == host.sum() * 2


def test_a_source_that_gives_other_rows_is_an_error(limit):
    limit(1)
    dataset = Dataset(sample((4096, 128)))
    x = px.asarray(dataset)
    dataset._host = dataset._host[:, :50]
    with pytest.raises(ValueError, match=r"a source gave .* bytes for rows 0 to"):
        float(x.sum())


def test_explain_tells_the_chunks(limit):
    host = sample((4096, 128))
    limit(1)
    total = px.asarray(Dataset(host)).sum()
    float(total)
    px.set_memory_limit(None)  # the device's rates are measured with larger arrays
    (kernel,) = px.explain(total).kernels
    assert kernel.chunks > 8
    assert kernel.copied_bytes == host.nbytes
    assert f"in {kernel.chunks} chunks, 4.19 MB copied" in str(px.explain(total))


def test_load_and_save(device, tmp_path):
    for dtype in DTYPES:
        for shape in [(), (0, 3), (5,), (300, 70)]:
            host = sample(shape, dtype)
            px.save(tmp_path / "x", px.asarray(host))
            assert np.array_equal(np.load(tmp_path / "x.npy"), host)
            for mode in (None, "r", "c") if host.size else (None,):
                x = px.load(tmp_path / "x.npy", mmap_mode=mode)
                assert x.device == px.current_device().name
                assert np.array_equal(np.asarray(x), host)
    assert names(tmp_path) == ["x.npy"]
    np.savez(tmp_path / "two.npz", a=np.arange(3), b=np.ones(2))
    loaded = px.load(tmp_path / "two.npz")
    assert np.asarray(loaded["a"]).tolist() == [0, 1, 2]


def test_expressions_go_to_files_as_they_are_computed(limit, tmp_path):
    host = sample((4096, 128))
    np.save(tmp_path / "x.npy", host)
    limit(1)
    x = px.load(tmp_path / "x.npy", mmap_mode="r")
    px.save(tmp_path / "y.npy", x * 2 + 1)
    assert np.array_equal(np.load(tmp_path / "y.npy"), host * 2 + 1)
    mapped = px.memmap(tmp_path / "z.bin", "float64", "w+", shape=host.shape)
    mapped[...] = px.sqrt(px.abs(x))
    assert np.array_equal(np.fromfile(tmp_path / "z.bin"), np.sqrt(np.abs(host)).reshape(-1))
    sink = np.memmap(tmp_path / "u.bin", "float32", "w+", shape=host.shape)
    assert px.add(x, 1, out=sink, casting="same_kind") is sink
    assert np.array_equal(np.asarray(sink), (host + 1).astype("float32"))
    px.multiply(x, 3, out=mapped)
    assert np.array_equal(np.fromfile(tmp_path / "z.bin"), (host * 3).reshape(-1))


def test_an_offset_into_a_raw_file(device, tmp_path):
    host = sample((20000,), "int32")
    (tmp_path / "raw").write_bytes(b"header: " + host.tobytes())
    x = px.memmap(tmp_path / "raw", "int32", "r", offset=8, shape=(200, 100))
    assert np.array_equal(np.asarray(x + 1), host.reshape(200, 100) + 1)


def test_maps_to_write_to_are_of_the_cpu_device(device, tmp_path):
    mapped = px.memmap(tmp_path / "x", "int64", "w+", shape=(100,))
    assert mapped.device == "cpu"
    with px.device("cpu"):
        mapped[10:20] = px.arange(10)
    assert np.fromfile(tmp_path / "x", "int64")[10:20].tolist() == list(range(10))
    if device != "cpu":
        px.save(tmp_path / "y.npy", mapped)
        with pytest.raises(ValueError, match="a map to write to is an array of the CPU device"):
            px.load(tmp_path / "y.npy", "r+", device=device)


def test_maps_that_kernels_cannot_write_to(device, tmp_path):
    with pytest.raises(ValueError, match="an offset that is a multiple of 8"):
        px.memmap(tmp_path / "x", "float64", "w+", offset=3, shape=(100,))
    np.save(tmp_path / "y.npy", np.arange(9, dtype=">i4"))
    with pytest.raises(ValueError, match="native byte order"):
        px.load(tmp_path / "y.npy", "r+")
    assert names(tmp_path) == ["y.npy"]


def test_results_without_room_name_the_fix(limit, tmp_path):
    host = sample((4096, 128))
    limit(1)
    x = px.asarray(Dataset(host))
    with pytest.raises(MemoryError, match=r"out=px\.memmap"):
        (x * 2)._evaluate()


@pytest.mark.parametrize("error", ["disk", "source"])
def test_a_save_that_fails_leaves_the_old_file(limit, tmp_path, error):
    limit(1)
    host = sample((4096, 128))
    x = px.asarray(Dataset(host, fails_after=4 if error == "source" else None))
    px.save(tmp_path / "y.npy", np.arange(3))
    if error == "disk":
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (MIB, before[1]))
    try:
        with pytest.raises(OSError):
            px.save(tmp_path / "y.npy", x * 2)
    finally:
        if error == "disk":
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert names(tmp_path) == ["y.npy"]
    assert np.load(tmp_path / "y.npy").tolist() == [0, 1, 2]


def test_datasets_of_hdf5(limit, tmp_path):
    h5py = pytest.importorskip("h5py")
    host = sample((4096, 128))
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file.create_dataset("x", data=host, chunks=(64, 128))
        file.create_dataset("big", data=host.astype(">f8"))
        limit(1)
        for name in ("x", "big"):
            x = px.asarray(file[name])
            assert x.dtype == np.dtype("float64")
            np.testing.assert_allclose(float(x.std()), host.std())
            np.testing.assert_allclose(np.asarray(x.mean(axis=0)), host.mean(axis=0))
        closed = px.asarray(file["x"])
    with pytest.raises((RuntimeError, ValueError)):  # its file is closed
        float(closed.sum())


def test_arrays_of_zarr(limit, tmp_path):
    zarr = pytest.importorskip("zarr")
    host = sample((4096, 128))
    stored = zarr.open(
        tmp_path / "x.zarr", mode="w", shape=host.shape, chunks=(64, 128), dtype="f8"
    )
    stored[:] = host
    limit(1)
    x = px.asarray(stored)
    np.testing.assert_allclose(float(x.std()), host.std())
    np.testing.assert_allclose(np.asarray((x * 2).max(axis=1)), (host * 2).max(axis=1))


# What of it needs no kernel, with a driver that has none: tests/support/fake_libcuda.
ON_A_FAKE_GPU = """
import os
import numpy as np
import phalanx as px

host = np.random.default_rng(1).random((1024, 512))  # 4 MiB
np.save("x.npy", host)
px.set_memory_limit(1 << 20)
mapped = px.load("x.npy", mmap_mode="r")
copied = px.asarray(host)
for x in (mapped, copied, mapped[:100].reshape(200, 256)):
    assert x.device == "cuda:0"
    assert px.memory_info().used_bytes == 0
    if x.shape == host.shape:
        assert np.array_equal(np.asarray(x), host)
host[0] = 0
assert np.asarray(copied)[0, 0] != 0
assert px.memory_info().spilled_bytes == 4 << 20
px.save("y.npy", mapped)
assert np.array_equal(np.load("y.npy"), np.load("x.npy"))
sink = px.memmap("z.bin", "float64", "w+", shape=host.shape)
assert sink.device == "cpu"
sink[...] = copied
assert np.array_equal(np.fromfile("z.bin"), np.load("x.npy").reshape(-1))
try:
    mapped[3] = 0
except ValueError as error:
    assert "read-only" in str(error)
else:
    raise AssertionError
small = px.asarray(np.load("x.npy", mmap_mode="r")[:10])
assert np.array_equal(np.asarray(small), np.load("x.npy")[:10])
small._evaluate()
assert 0 < px.memory_info().used_bytes <= 1 << 20
try:
    px.load("x.npy", "r+", device="cuda")
except ValueError as error:
    assert "a map to write to is an array of the CPU device" in str(error)
else:
    raise AssertionError
del copied, x
assert px.memory_info().spilled_bytes == 0
print("done")
"""


@fake_gpu.needed
def test_sources_of_a_fake_gpu(tmp_path):
    done = fake_gpu.run(ON_A_FAKE_GPU, tmp_path)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
