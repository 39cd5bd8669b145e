"""UCX between workers: what it needs, and arrays of a GPU that go into buffers of RMM's.

Without a GPU: UCX sends by TCP and shared memory, the GPU is the fake driver's, whose memory is the
host's and which runs no kernels, and a stand-in is RMM's buffer.
"""

from importlib.util import find_spec

import fake_gpu
import pytest

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)
needs_ucx = pytest.mark.skipif(
    find_spec("distributed_ucxx") is None,
    reason="distributed_ucxx is not installed: pip install distributed-ucxx-cu13",
)
FAKE_GPU = {"LD_LIBRARY_PATH": str(fake_gpu.LIBRARY), "PHALANX_DEVICE": "cuda"}
BUFFER = '''
import numpy as np
import phalanx as px

class DeviceBuffer:
    """Memory of a GPU as RMM gives it: an address, a size and an interface that says both."""

    made = 0

    def __init__(self, *, size):
        DeviceBuffer.made += 1
        self.memory = px.asarray(np.zeros(size, np.uint8), device="cuda")._share()
        self.address, self.nbytes = self.memory.address, size

    @property
    def __cuda_array_interface__(self):
        told = {"data": (self.address, False), "shape": (self.nbytes,), "strides": None}
        return {**told, "typestr": "|u1", "version": 0}
'''


def test_the_package_is_named_where_it_is_not_there(monkeypatch):
    from phalanx._dask.deploy import transports
    from phalanx.dask import Cluster

    monkeypatch.setattr(transports, "find_spec", lambda name: None)
    for protocol in ("ucx", "ucxx"):
        with pytest.raises(ModuleNotFoundError, match="pip install distributed-ucxx-cu13"):
            Cluster(devices="cpu", protocol=protocol)


def test_ucx_looks_for_gpus_where_workers_have_some(monkeypatch):
    import dask
    from phalanx._dask.deploy import transports

    monkeypatch.setattr(transports, "find_spec", lambda name: name)
    monkeypatch.delenv("UCX_TLS", raising=False)
    wanted = "distributed-ucxx.create-cuda-context"
    with dask.config.set({wanted: None}):
        transports.prepare_transport("tcp", ["0"])
        transports.prepare_transport("ucx", None)
        assert dask.config.get(wanted) is None
        transports.prepare_transport("ucx", ["0"])
        assert dask.config.get(wanted) is True
    with dask.config.set({wanted: False}):  # the user's word
        transports.prepare_transport("ucx", ["0"])
        assert dask.config.get(wanted) is False


@pytest.mark.parametrize(
    ("chosen", "is_refused"),
    [("tcp,sm", True), ("tcp,sm,cuda_copy,cuda_ipc", False), ("all", False), ("^ib", False)],
)
def test_transports_without_gpus_are_refused(monkeypatch, chosen, is_refused):
    import dask
    from phalanx._dask.deploy import transports

    monkeypatch.setattr(transports, "find_spec", lambda name: name)
    monkeypatch.setenv("UCX_TLS", chosen)
    transports.prepare_transport("ucx", None)
    if is_refused:
        with pytest.raises(ValueError, match=f"UCX_TLS={chosen} leaves out"):
            transports.prepare_transport("ucx", ["0"])
    else:
        with dask.config.set({"distributed-ucxx.create-cuda-context": None}):
            transports.prepare_transport("ucx", ["0"])


@fake_gpu.needed
def test_arrays_of_a_gpu_are_in_the_buffer_that_they_came_into(run_installed):
    script = """
import sys
sys.modules["rmm"] = None  # is not installed
from distributed.protocol import deserialize, serialize
from phalanx.dask import Traffic, traffic

families = "cuda", "dask", "pickle"
host = np.random.default_rng(1).random((300, 200))
count = 0
for x in (host, host[0, 0], host[:0], np.float16(host), host > 0.5, host.astype("M8[us]")):
    array = px.asarray(x, device="cuda")
    header, (frame,) = serialize(array, serializers=families)
    assert header["serializer"] == "cuda" and frame.nbytes == x.nbytes
    assert frame.address == array._share().address
    buffer = DeviceBuffer(size=frame.nbytes)
    px.asarray(buffer)._share().copy_from(frame)
    made = deserialize(header, [buffer])
    assert made.device == "cuda:0" and made.dtype == x.dtype and made.shape == x.shape
    assert x.nbytes == 0 or made._share().address == buffer.address
    assert np.array_equal(np.asarray(made), x)
    count += x.nbytes
assert traffic() == Traffic(device=count)
header, frames = serialize(px.asarray(host, device="cuda"))  # as TCP does
assert header["serializer"] == "dask"
assert traffic() == Traffic(device=count, through_host=host.nbytes)
serialize(px.asarray(host, device="cpu"), serializers=families)
assert traffic() == Traffic(host.nbytes, count, host.nbytes)
"""
    run_installed(BUFFER + script, **FAKE_GPU)


@fake_gpu.needed
def test_arrays_are_sent_from_memory_that_other_processes_map(run_installed, tmp_path):
    """The pool's is not: a copy in a buffer of RMM's is sent, and the buffer used again."""
    (tmp_path / "rmm.py").write_text(BUFFER)
    script = """
import rmm
import numpy as np
import phalanx as px
from distributed.protocol import serialize
from phalanx._dask.send_buffers import SendBuffers

def sent(host):
    array = px.asarray(host, device="cuda")
    header, (frame,) = serialize(array, serializers=("cuda",))
    address = frame.__cuda_array_interface__["data"][0]
    if address == array._share().address:
        return frame, True
    assert np.array_equal(np.asarray(px.asarray(frame).view(host.dtype)), host)
    return frame, False

small, is_own = sent(np.arange(100.0))
assert is_own and rmm.DeviceBuffer.made == 0
first, is_own = sent(np.arange(100_000.0))
assert not is_own and rmm.DeviceBuffer.made == 1
second, is_own = sent(np.arange(90_000.0))
assert not is_own and rmm.DeviceBuffer.made == 2  # the first one is on its way
del first, second
again = [sent(np.ones(90_000)), sent(np.ones(80_000)), sent(np.ones(300_000))]
assert rmm.DeviceBuffer.made == 3  # two again, and a larger one
del again
sent(np.ones(20_000))  # too small for either
assert rmm.DeviceBuffer.made == 4

def full(size):
    raise MemoryError
memory = px.asarray(np.ones(90_000).view(np.uint8), device="cuda")._share()
assert SendBuffers(full, 0).filled(memory) is memory

narrow = SendBuffers(lambda size: rmm.DeviceBuffer(size=size), 500_000)
begun = rmm.DeviceBuffer.made
for _ in range(3):
    both = [narrow.filled(memory), narrow.filled(memory)]
    del both
assert rmm.DeviceBuffer.made == begun + 4  # one is used again, for the other there is no room
"""
    run_installed(script, tmp_path, **FAKE_GPU)


@fake_gpu.needed
def test_partitions_of_a_gpu_stay_there(run_installed):
    script = """
from dask.dataframe.backends import ShuffleGroupResult
from distributed.protocol import deserialize, serialize
from phalanx.dask import traffic

def sent(obj):
    header, frames = serialize(obj, serializers=("cuda", "dask", "pickle"))
    assert header["serializer"] == "cuda"
    received = []
    for frame in frames:
        if hasattr(frame, "__cuda_array_interface__"):
            received.append(DeviceBuffer(size=frame.nbytes))
            px.asarray(received[-1])._share().copy_from(frame)
        else:
            received.append(bytearray(frame))
    made = deserialize(header, received)
    return made, [each for each in received if isinstance(each, DeviceBuffer)]

numbers = np.arange(1000.0)
with px.device("cpu"):
    texts = px.Series(["a", "bb", "c", "d"] * 250)
# Not copied, and texts of the host: the fake driver runs no kernels. Only "auto" mixes devices.
with px.device("auto"):
    frame = px.DataFrame({"x": px.asarray(numbers, device="cuda"), "t": texts}, copy=False)
for obj in (frame, frame.x, ShuffleGroupResult({0: frame, 1: frame})):
    made, buffers = sent(obj)
    assert type(made) is type(obj)
    for each in made.values() if isinstance(obj, dict) else [made]:
        values = each._parts[0].values
        assert values.device == "cuda:0"
        assert values._share().address in {each.address for each in buffers}
        assert np.array_equal(np.asarray(values), numbers)
        assert isinstance(each, px.Series) or each.t.tolist() == ["a", "bb", "c", "d"] * 250
assert traffic().through_host == 0 and traffic().device >= 3 * numbers.nbytes
"""
    run_installed(BUFFER + script, **FAKE_GPU)


@needs_ucx
def test_arrays_and_frames_go_by_ucx(run_installed):
    run_installed("""
import numpy as np
import phalanx as px
import dask.array as da
from distributed import Client, wait
from phalanx.dask import Cluster, Traffic, traffic

def made(count):
    with px.device("cpu"):
        return px.asarray(np.arange(count)), px.DataFrame({"x": np.arange(count), "t": "a"})

def looked_at(found):
    array, frame = found
    assert isinstance(array, px.ndarray) and isinstance(frame, px.DataFrame)
    return int(array.sum()), int(frame.x.sum()), frame.t.iloc[-1]

if __name__ == "__main__":
    options = {"devices": "cpu", "n_workers": 2, "dashboard_address": None, "protocol": "ucx"}
    with Cluster(**options) as cluster, Client(cluster) as client:
        first, second = client.scheduler_info()["workers"]
        assert first.startswith("ucx://"), first
        sent = client.submit(made, 100_000, workers=[first])
        wait(sent)
        before = traffic(client)[first]
        total = 100_000 * 99_999 // 2
        assert client.submit(looked_at, sent, workers=[second]).result(60) == (total, total, "a")
        after = traffic(client)
        assert after[first].host - before.host >= 1_600_000 and after[first].through_host == 0
        assert after[second] == Traffic()
        host = np.random.default_rng(1).random((60, 50))
        x = da.from_array(px.asarray(host), chunks=(20, 50))
        assert np.allclose(np.asarray((x.T @ x).compute()), host.T @ host)
""")


STAND_IN = """
import ctypes

import ucxx._cuda_context
from ucxx._lib_async.endpoint import Endpoint

ucxx._cuda_context.synchronize_default_stream = lambda: None  # by CUDA's own library

def by_the_host(call):
    def replaced(self, buffer, *args, **options):
        if hasattr(buffer, "__cuda_array_interface__"):
            address = buffer.__cuda_array_interface__["data"][0]
            memory = (ctypes.c_ubyte * buffer.nbytes).from_address(address)
            buffer = np.ctypeslib.as_array(memory)
        return call(self, buffer, *args, **options)
    return replaced

Endpoint.send, Endpoint.recv = by_the_host(Endpoint.send), by_the_host(Endpoint.recv)
"""


@needs_ucx
@fake_gpu.needed
def test_ucx_fills_buffers_of_a_gpu(run_installed, tmp_path):
    """All of the way but the GPU: UCX is told that the fake driver's memory is the host's."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "rmm.py").write_text(BUFFER + STAND_IN)
    run_installed(
        """
import numpy as np
import phalanx as px
from distributed import Client, LocalCluster, wait
from phalanx.dask import Traffic, traffic

def made():
    return px.asarray(np.arange(100_000.0)), px.DataFrame({"x": np.arange(1000.0)})

def looked_at(found):
    array, frame = found
    values = frame._parts[0].values
    assert array.device == values.device == "cuda:0"
    return float(np.asarray(array).sum()), float(np.asarray(values).sum())

if __name__ == "__main__":
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(protocol="ucx", **options) as cluster, Client(cluster) as client:
        first, second = client.scheduler_info()["workers"]
        sent = client.submit(made, workers=[first])
        wait(sent)
        found = client.submit(looked_at, sent, workers=[second]).result(60)
        assert found == (99_999 * 50_000, 999 * 500)
        told = traffic(client)
        assert told[first].device >= 808_000 and told[second] == Traffic(), told
        assert told[first].host == told[first].through_host == 0, told
""",
        folder,
        UCX_TLS="tcp,self,sm",
        **FAKE_GPU,
    )
