"""Bytes of chunks on their way between two workers: by which family, and in how many copies."""

import pickle
from importlib.util import find_spec

import numpy as np
import pytest

import phalanx as px

needs_distributed = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)


@pytest.mark.parametrize("dtype", ["float64", "int8", "bool", "complex64"])
def test_pickles_of_protocol_5_leave_the_elements_where_they_are(dtype):
    x = px.asarray(np.arange(1000).astype(dtype), device="cpu")
    buffers = []
    text = pickle.dumps(x, protocol=5, buffer_callback=buffers.append)
    (buffer,) = buffers
    assert len(text) < 500
    assert np.shares_memory(np.frombuffer(buffer.raw(), np.uint8), np.asarray(x))
    made = pickle.loads(text, buffers=[bytes(buffer.raw())])
    assert isinstance(made, px.ndarray) and np.array_equal(np.asarray(made), np.asarray(x))


@needs_distributed
def test_families_of_serializers(run_installed):
    run_installed("""
import numpy as np
import phalanx as px
from distributed.protocol import deserialize, serialize

host = np.random.default_rng(1).random((300, 200))
x = px.asarray(host, device="cpu")
for families, name in ((("cuda", "dask", "pickle"), "dask"), (("pickle",), "pickle")):
    header, frames = serialize(x, serializers=families)
    assert header["serializer"] == name
    views = [np.frombuffer(each, np.uint8) for each in frames if memoryview(each).nbytes > 1000]
    assert any(np.shares_memory(each, np.asarray(x)) for each in views), name
    received = [bytearray(each) for each in frames]
    made = deserialize(header, received)
    assert isinstance(made, px.ndarray) and np.array_equal(np.asarray(made), host)
    views = [np.frombuffer(each, np.uint8) for each in received]
    # A pickle may be read where it was written: there its reader takes a copy.
    assert name == "pickle" or any(np.shares_memory(each, np.asarray(made)) for each in views)
""")


@needs_distributed
def test_a_chunk_is_copied_at_most_once_more_than_numpys(run_installed):
    """What comes off the socket may begin at any byte: then the elements are aligned by a copy."""
    said = run_installed("""
import gc
from pathlib import Path
import numpy as np
import phalanx as px
from distributed import Client, wait

SIZE = 40_000_000

def peak():
    px.asarray(np.ones(8), device="cpu") + 1
    gc.collect()
    text = Path("/proc/self/status").read_text().split("VmHWM:")[1]
    return int(text.split()[0]) * 1024

def make(is_ours):
    made = np.ones(SIZE // 8)
    return px.asarray(made, device="cpu") if is_ours else made

def take(x, is_ours):
    assert isinstance(x, px.ndarray if is_ours else np.ndarray)
    return float(x[-1]), peak()

if __name__ == "__main__":
    for is_ours in (True, False):
        with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
            first, second = client.scheduler_info()["workers"]
            before = client.submit(peak, workers=[second], pure=False).result()
            made = client.submit(make, is_ours, workers=[first])
            wait(made)
            last, after = client.submit(take, made, is_ours, workers=[second]).result()
            assert last == 1.0
            print(after - before)
""")
    ours, numpys = map(int, said.split())
    assert 40_000_000 * 0.9 < ours < numpys + 1.15 * 40_000_000


@needs_distributed
def test_arrays_of_files(run_installed, tmp_path):
    pytest.importorskip("h5py")
    pytest.importorskip("zarr")
    run_installed(f"""
import dask, h5py, zarr
import dask.array as da
import numpy as np
import phalanx as px

host = np.random.default_rng(1).random((40, 30))
with h5py.File({str(tmp_path / "x.h5")!r}, "w") as file:
    file["x"] = host
shape = {{"shape": (40, 30), "chunks": (10, 30), "dtype": "f8"}}
store = zarr.open_array({str(tmp_path / "x.zarr")!r}, mode="w", **shape)
store[:] = host
for source in (h5py.File({str(tmp_path / "x.h5")!r})["x"], store):
    x = da.from_array(source, chunks=(10, 30)).to_backend("phalanx")
    made = (x + 1).sum(axis=0).compute(scheduler="sync")
    assert isinstance(made, px.ndarray) and np.allclose(np.asarray(made), (host + 1).sum(axis=0))
""")


@needs_distributed
@pytest.mark.parametrize("dtype", ["float32", "complex128", "datetime64[s]", "bool"])
def test_arrays_to_files(run_installed, tmp_path, dtype):
    pytest.importorskip("h5py")
    pytest.importorskip("zarr")
    run_installed(f"""
import dask.array as da
import numpy as np
import zarr

host = np.arange(1200).reshape(40, 30).astype({dtype!r})
x = da.from_array(host, chunks=(10, 30)).to_backend("phalanx")
path = {str(tmp_path)!r}
x.to_zarr(path + "/a.zarr")
shape = {{"shape": (40, 30), "chunks": (10, 30), "dtype": host.dtype}}
da.store(x, zarr.open_array(path + "/b.zarr", mode="w", **shape))
for name in "ab":
    assert np.array_equal(zarr.open_array(f"{{path}}/{{name}}.zarr")[:], host)
if host.dtype.kind not in "M":  # which HDF5 has not
    import h5py

    da.to_hdf5(path + "/c.h5", "/x", x)
    with h5py.File(path + "/c.h5") as file:
        assert np.array_equal(file["x"][:], host)
""")
