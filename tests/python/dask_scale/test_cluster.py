"""Clusters of workers: cores, memory, versions and devices of each; workers that die."""

from importlib.util import find_spec

import pytest

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)
START = """
import os
import numpy as np
import phalanx as px
from phalanx.dask import Cluster, WorkerError, check_workers
from distributed import Client

def here():
    limit = px.memory_info("cpu").limit
    return px.get_num_threads(), sorted(os.sched_getaffinity(0)), limit, os.getpid()

options = {"dashboard_address": None, "n_workers": 2, "devices": "cpu"}
"""


def main(program):
    lines = program.strip("\n").split("\n")
    return START + 'if __name__ == "__main__":\n' + "\n".join(f"    {line}" for line in lines)


def test_workers_have_places_of_their_own(run_installed):
    run_installed(
        main("""
cores = sorted(os.sched_getaffinity(0))
with Cluster(memory_limit="1GiB", **options) as cluster, Client(cluster) as client:
    found = list(client.run(here).values())
    assert len(found) == 2 and len({each[3] for each in found}) == 2
    each = max(1, len(cores) // 2)
    for threads, own, limit, _ in found:
        assert threads == len(own) == each and set(own) <= set(cores)
        assert limit == int(0.9 * 2**30)
    assert len(cores) == 1 or not set(found[0][1]) & set(found[1][1])
    versions = check_workers(client, device="cpu")
    assert [each["phalanx"] for each in versions.values()] == [px.__version__] * 2
    try:
        check_workers(client, device="tpu")
    except WorkerError as error:
        assert "has no device 'tpu' (it has: cpu" in str(error)
    else:
        raise AssertionError

    import dask.array as da
    host = np.random.default_rng(1).random((60, 50))
    x = da.from_array(px.asarray(host), chunks=(20, 50))
    made = (x.T @ x).compute()
    assert isinstance(made, px.ndarray) and np.allclose(np.asarray(made), host.T @ host)
""")
    )


def test_the_dashboards_memory_and_tasks_are_those_of_our_chunks(run_installed):
    # Its plots show what the scheduler knows: bytes of each worker's keys, and the task stream.
    run_installed(
        main("""
import dask.array as da
import dask.dataframe as dd
from distributed import get_task_stream, wait

def managed(dask_scheduler):
    return sum(each.memory.managed for each in dask_scheduler.workers.values())

with Cluster(**options) as cluster, Client(cluster) as client:
    with get_task_stream(client) as stream:
        chunks = da.ones((4000, 250), chunks=(1000, 250)).map_blocks(px.asarray).persist()
        wait(chunks)
    assert client.run_on_scheduler(managed) == 8_000_000
    spans = [each for task in stream.data for each in task["startstops"]]
    assert "compute" in {each["action"] for each in spans}
    assert any("asarray" in str(each["key"]) for each in stream.data), stream.data
    before = client.run_on_scheduler(managed)
    frame = px.DataFrame({"key": np.arange(100_000) % 7, "value": np.ones(100_000)})
    parts = dd.from_pandas(frame, npartitions=2).persist()
    wait(parts)
    more = client.run_on_scheduler(managed) - before
    assert 1_600_000 <= more < 1_601_000, (before, more)
""")
    )


def test_a_worker_without_a_gpu_says_so(run_installed):
    run_installed(
        main("""
try:
    Cluster([63], dashboard_address=None, silence_logs=50).close()  # no machine has so many
except (WorkerError, ValueError) as error:
    known = "worker 0 has no device 'cuda' (it has: cpu)", "there is no GPU 63 for a worker"
    assert str(error).startswith(known), error
else:
    raise AssertionError
"""),
    )


def test_versions_that_differ():
    from phalanx._dask.deploy.versions import refuse_versions, versions_here
    from phalanx.dask import WorkerError

    here = versions_here()
    refuse_versions("a", here, here)
    with pytest.raises(WorkerError, match=r"worker a has other versions .*numpy 1\.0 \(client: "):
        refuse_versions("a", here | {"numpy": "1.0"}, here)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"devices": "gpu"}, "devices is None, 'cpu', 'cuda' or a list"),
        ({"devices": []}, "at least one"),
        ({"devices": [1, "cuda:1"]}, "each GPU once"),
        ({"devices": ["cpu"]}, "devices lists GPUs, such as .*, not 'cpu'"),
        ({"devices": [-1]}, "devices lists GPUs, such as .*, not '-1'"),
        ({"devices": [0], "n_workers": 3}, "one worker for each"),
        ({"devices": "cpu", "n_workers": 0}, "n_workers is a whole number"),
        ({"devices": "cpu", "n_workers": "two"}, "n_workers is a whole number"),
        ({"devices": "cpu", "n_workers": [2]}, "n_workers is a whole number"),
        ({"devices": "cpu", "threads_per_worker": 1.5}, "threads_per_worker is a whole number"),
        ({"devices": "cpu", "memory_limit": "much"}, "memory_limit is 'auto'"),
        ({"devices": "cpu", "device_memory_limit": "1GB"}, "of GPUs, of which"),
    ],
)
def test_options_that_do_not_fit(options, text):
    from phalanx.dask import Cluster

    with pytest.raises(ValueError, match=text):
        Cluster(**options)


def test_a_gpu_that_a_machine_has_not(monkeypatch):
    from phalanx._dask.deploy import layout

    monkeypatch.setattr(layout, "visible_gpus", lambda: ["0", "2"])
    assert layout.gpus_of(["cuda:2", "GPU-5d"]) == ["2", "GPU-5d"]
    with pytest.raises(ValueError, match="there is no GPU 1 for a worker: here are 0, 2"):
        layout.gpus_of([0, 1])


def test_a_worker_sees_its_own_gpu_and_with_ucx_those_that_it_reads():
    from phalanx._dask.deploy.layout import places, with_gpus

    def visible(gpus, reach_peers):
        made = with_gpus(places(len(gpus or [0, 1]), 1, 0, 1), gpus, reach_peers)
        return [each.environment().get("CUDA_VISIBLE_DEVICES") for each in made]

    assert visible(["0", "2", "5"], False) == ["0", "2", "5"]
    assert visible(["0", "2", "5"], True) == ["0,2,5", "2,5,0", "5,0,2"]
    assert visible(None, True) == [None, None]


def test_a_worker_that_dies_loses_nothing(run_installed):
    run_installed(
        main("""
import tempfile, pathlib
import dask.array as da

mark = pathlib.Path(tempfile.mkdtemp()) / "died"

def dies_once(block):
    if not mark.exists():
        mark.touch()
        os._exit(1)
    return block * 2

with Cluster(silence_logs=50, **options) as cluster, Client(cluster) as client:
    host = np.arange(400.0)
    x = da.from_array(px.asarray(host), chunks=100)
    x = x.map_blocks(dies_once, meta=px.empty(0))  # else it is tried here
    made = x.compute()
    assert mark.exists() and np.asarray(made).tolist() == (host * 2).tolist()
""")
    )


def test_a_task_whose_result_has_no_room_fails(run_installed):
    """Its array is recorded: the error is the task's, not that of who reads the array."""
    run_installed(
        main("""
from distributed import wait
from phalanx.errors import OutOfMemoryError

def much(in_list):
    made = px.ones(1 << 27) + 1  # 1 GiB
    return [made] if in_list else made

one = {**options, "n_workers": 1}
with Cluster(memory_limit="600MiB", **one) as cluster, Client(cluster) as client:
    for in_list in (False, True):
        made = client.submit(much, in_list)
        wait(made)
        assert made.status == "error" and isinstance(made.exception(), OutOfMemoryError)
""")
    )


def test_more_data_than_memory_goes_to_files(run_installed):
    run_installed(
        main("""
import dask
import dask.array as da

dask.config.set({"distributed.worker.memory.target": 0.1})
one = {**options, "n_workers": 1}
with Cluster(memory_limit="600MiB", **one) as cluster, Client(cluster) as client:
    with dask.config.set({"array.backend": "phalanx"}):
        x = da.ones((24, 500_000), chunks=(1, 500_000)).persist()  # 96 MB, 60 of which stay
    total = float((x + 1).sum().compute())
    assert total == 24 * 500_000 * 2
    (files,) = client.run(lambda dask_worker: len(dask_worker.data.slow)).values()
    assert files > 0
""")
    )
