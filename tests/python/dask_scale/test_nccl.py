"""Fits of workers that add up by NCCL: real processes, the library a stand-in over shared memory.

CPU devices count as GPUs, each worker's as another one. The stand-in does not wait for a device's
queue, so that this is done before.
"""

from importlib.util import find_spec

import fake_nccl
import pytest

pytestmark = [
    pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed"),
    fake_nccl.needed,
]
STAND_IN = """
import os
from phalanx._dask.ranks import communicator
from phalanx._models.cluster import kmeans

communicator.own_gpu = lambda: str(os.getpid()).encode()
kmeans.steps_stay = kmeans.fits

queued = communicator.Communicator._queue_sum
library = communicator.library
sums = 0

def queue_sum(self, *given):
    global sums
    sums += 1
    if sums > 2 and self.rank == 1 and os.path.exists(os.environ.get("DIES", "")):
        os.unlink(os.environ["DIES"])
        os._exit(1)
    self._device.default_stream.synchronize()
    queued(self, *given)

def load(path):
    # The one of this machine, if there is one, does not add up memory of the host.
    return library("/nowhere" if path == "1" else path)

communicator.Communicator._queue_sum = queue_sum
communicator.library = load
"""
START = """
import os
import stand_in
import numpy as np
import phalanx as px
import dask
import dask.array as da
from distributed import Client
from phalanx import ml
from phalanx.dask import Cluster, traffic
from phalanx.errors import DeviceError
from phalanx.ml import dask as over

random = np.random.default_rng(0)
host = random.normal(size=(600, 4)) + np.repeat([[0.0], [6.0], [12.0]], 200, axis=0)

def used(client):
    return sum(each.nccl for each in traffic(client).values())

def chunked(values, rows=100):
    return da.from_array(px.asarray(values), chunks=(rows, *values.shape[1:]))

# Blocks stay where they are: all on one worker, they would need no NCCL.
scheduler = "distributed.scheduler"
dask.config.set({f"{scheduler}.work-stealing": False})
dask.config.set({f"{scheduler}.active-memory-manager.start": False})
options = {"dashboard_address": None, "n_workers": 2, "devices": "cpu", "silence_logs": 50}
if __name__ == "__main__":
    with Cluster(**options) as cluster, Client(cluster) as client:
        main(client)
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return fake_nccl.build(tmp_path_factory.mktemp("nccl"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def run(run_installed, library, cache, tmp_path):
    """Runs ``main(client)`` with two workers."""
    (tmp_path / "stand_in.py").write_text(STAND_IN)
    memory = tmp_path / "memory"
    memory.mkdir()

    def call(main, **environment):
        given = {"PHALANX_NCCL": str(library), "FAKE_NCCL": str(memory)}
        given["PHALANX_CACHE_DIR"] = str(cache)
        return run_installed(main + START, tmp_path, **given, **environment)

    return call


def test_blocks_that_several_workers_have_are_shared_out():
    from phalanx._dask.ranks.fits import _Lost, _places

    both = dict.fromkeys("uvwxyz", ("a", "b"))
    assert _places(list("uvwxyz"), both) == {"a": [0, 2, 4], "b": [1, 3, 5]}
    assert _places(list("uvwxyz"), both | dict.fromkeys("yz", ("a",))) == {
        "a": [2, 4, 5],
        "b": [0, 1, 3],
    }
    with pytest.raises(_Lost):
        _places(list("uv"), {"u": ("a",), "v": ()})


def test_fits_are_those_of_one_process(run):
    run("""
def alike(alone, spread, *names):
    for name in names:
        one, other = np.asarray(getattr(alone, name)), np.asarray(getattr(spread, name))
        assert np.allclose(one, other, rtol=1e-4, atol=1e-4), (name, one, other)

def main(client):
    x = chunked(host).persist()
    small, large = host[:, 0] * 2 + 1, (host[:, 1] > 3).astype(int)
    cases = [
        ("PCA", {"n_components": 2}, None, ("explained_variance_", "mean_")),
        ("LinearRegression", {}, small, ("coef_", "intercept_")),
        ("LogisticRegression", {"C": 0.1, "tol": 1e-8}, large, ("coef_", "intercept_")),
        ("KMeans", {"n_clusters": 3, "init": host[:3], "n_init": 1}, None, ("inertia_", "n_iter_")),
    ]
    for name, given, y, attributes in cases:
        before = used(client)
        alone, spread = getattr(ml, name)(**given), getattr(over, name)(**given)
        alone.fit(host, y)
        spread.fit(x, *() if y is None else (chunked(y),))
        assert used(client) > before, name
        alike(alone, spread, *attributes)

    # A cluster without samples is the host's to mend. One worker has fewer blocks.
    init = np.array([[0.0] * 4, [6.0] * 4, [900.0] * 4])
    uneven = da.concatenate([chunked(host[:450], 150), chunked(host[450:], 75)]).persist()
    given = {"n_clusters": 3, "init": init, "n_init": 1}
    alike(ml.KMeans(**given).fit(host), over.KMeans(**given).fit(uneven), "cluster_centers_")

    # A step is one sum: of as many rows as a worker has blocks, of clusters' features and weight.
    # Each fit may find the six blocks shared out in another way; what it sends beside its steps
    # differs by some hundred bytes.
    def sent(steps):
        before = used(client)
        over.KMeans(3, init=host[:3], n_init=1, max_iter=steps, tol=0).fit(x)
        return used(client) - before

    least, most = (2 * rows * (3 * 5 * 8) for rows in (3, 6))
    given = {steps: sent(steps) for steps in (1, 9)}
    assert 8 * least - 1000 <= given[9] - given[1] <= 8 * most + 1000, given
""")


WRONG = """
import pathlib
import pytest
from phalanx._dask.models.blocks import Blocks
from phalanx._dask.ranks import communicator
from phalanx._dask.ranks.fits import by_workers

def fails(block):
    if float(block.x[0, 0]) > 5:
        raise ValueError("of a block")

def of_second(blocks, reduction):
    if reduction.rank == 1:
        raise ValueError("of the second")
    reduction.all_reduce(np.zeros(1))

def each(model, source):
    source.each(fails)

def together(model, source):
    source.together(of_second)

def identities(client):
    made = client.run(communicator.here, os.environ["PHALANX_NCCL"])
    return {each.seat and each.seat.identity for each in made.values()}

def main(client):
    x, y = chunked(host).persist(), chunked(host[:, 0] * 2 + 1).persist()

    def fit():
        before = used(client)
        assert np.isclose(over.LinearRegression().fit(x, y).coef_[0], 2)
        return used(client) > before

    functions_that_raise(client, fit, x)
    nccl_that_fails(client, fit)
    nccl_that_is_not_there(fit)
    a_worker_that_dies(client, fit)

def functions_that_raise(client, fit, x):
    assert fit()
    (kept,) = identities(client)
    assert fit() and identities(client) == {kept}

    # The error of a worker's function is the fit's, also of one that the others wait for.
    for function, text in ((each, "of a block"), (together, "of the second")):
        model = over.PCA(2)
        with pytest.raises(ValueError, match=text):
            by_workers(client, function, model, Blocks(model, x, None, None))
        assert fit()

def nccl_that_fails(client, fit):
    client.run(lambda: communicator._kept.communicator.close())
    mark = pathlib.Path(os.environ["FAKE_NCCL_FAILS"])
    mark.touch()
    with pytest.warns(RuntimeWarning, match="ncclCommInitRankConfig failed.*goes by tasks"):
        assert not fit()
    mark.unlink()
    assert fit()

def nccl_that_is_not_there(fit):
    path = os.environ["PHALANX_NCCL"]
    for word in ("0", ""):
        os.environ["PHALANX_NCCL"] = word
        assert not fit()
    os.environ["PHALANX_NCCL"] = "/nowhere"
    with pytest.raises(DeviceError, match="NCCL cannot be loaded"):
        fit()
    os.environ["PHALANX_NCCL"] = path

def a_worker_that_dies(client, fit):
    mark = pathlib.Path(os.environ["DIES"])
    mark.touch()
    fit()
    assert not mark.exists()
    client.wait_for_workers(2, timeout=60)
    fit()
"""


def test_what_goes_wrong(run, tmp_path):
    marks = {name: str(tmp_path / name) for name in ("FAKE_NCCL_FAILS", "DIES")}
    run(WRONG, **marks)
