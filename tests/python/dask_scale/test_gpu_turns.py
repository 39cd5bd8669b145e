"""Fits on a GPU in the processes of joblib's loky and of Dask's workers: one at a time."""

import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

import fake_gpu
import pytest

needs_distributed = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)
# The models say when their fits begin and end, in the file that `LINES` names.
MODELS = """
import multiprocessing, os, threading, time
from pathlib import Path

LINES = os.environ["LINES"]

def say(word):
    with open(LINES, "a") as file:
        print(word, f"{os.getpid()}-{threading.get_ident()}", file=file)

def become_worker():
    multiprocessing.current_process().name = "LokyProcess-1"

def use_a_gpu():
    from phalanx._models import gpu_turns
    gpu_turns.gpus_of = lambda samples: {"0123"}

def slow_model(seconds):
    from phalanx.ml import StandardScaler

    class Slow(StandardScaler):
        def _check_options(self):
            say("begin")
            time.sleep(seconds)
            super()._check_options()
            say("end")

    return Slow()

def fit_together(count):
    use_a_gpu()
    model = slow_model(0.1)
    say("ready")
    while Path(LINES).read_text().count("ready") < count:
        time.sleep(0.01)
    model.fit([[1.0], [2.0]])
"""


@pytest.fixture
def lines(tmp_path, monkeypatch):
    """What models said, as (word, who); programs have their temporary files beside it."""
    path = tmp_path / "lines.txt"
    path.touch()
    monkeypatch.setenv("LINES", str(path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return lambda: [line.split() for line in path.read_text().splitlines()]


def start(code, tmp_path, name="program", **environment):
    script = tmp_path / f"{name}.py"
    script.write_text(MODELS + code)
    return subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PHALANX_DEVICE": "cpu", **environment},
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    try:
        _, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 0, errors


def wait_for(condition):
    until = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def check_turns(said, count):
    fits = [(word, who) for word, who in said if word != "ready"]
    assert len(fits) == 2 * count
    assert len({who for _, who in fits}) == count
    for begin, end in zip(fits[::2], fits[1::2], strict=True):
        assert (begin[0], end[0]) == ("begin", "end")
        assert begin[1] == end[1]


def test_processes_of_loky_take_turns(tmp_path, lines):
    pytest.importorskip("joblib")
    code = """
if __name__ == "__main__":
    from joblib import Parallel, delayed
    Parallel(n_jobs=3, batch_size=1)(delayed(fit_together)(3) for i in range(3))
"""
    finish(start(code, tmp_path))
    check_turns(lines(), 3)


@needs_distributed
def test_workers_of_dask_and_their_threads_take_turns(tmp_path, lines):
    code = """
if __name__ == "__main__":
    from distributed import Client, LocalCluster
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            workers = [each.worker_address for each in cluster.workers.values()]
            client.gather([
                client.submit(fit_together, 4, workers=[each], pure=False) for each in workers * 2
            ])
"""
    finish(start(code, tmp_path))
    check_turns(lines(), 4)


def test_a_killed_process_frees_the_turn(tmp_path, lines):
    code = """
become_worker()
use_a_gpu()
model = slow_model(float(os.environ["SECONDS_OF_A_FIT"]))
say("ready")
model.fit([[1.0], [2.0]])
"""
    first = start(code, tmp_path, SECONDS_OF_A_FIT="600")
    wait_for(lambda: len(lines()) == 2)
    second = start(code, tmp_path, SECONDS_OF_A_FIT="0")
    wait_for(lambda: len(lines()) == 3)
    time.sleep(0.3)
    try:
        assert [word for word, _ in lines()] == ["ready", "begin", "ready"]
    finally:
        first.kill()
        first.communicate()
    finish(second)
    assert [word for word, _ in lines()] == ["ready", "begin", "ready", "begin", "end"]


def test_a_fit_within_a_fit_and_one_that_fails_leave_the_turn_right(tmp_path, lines):
    code = """
import fcntl
from phalanx.ml import MinMaxScaler

become_worker()
use_a_gpu()

def is_taken():
    (path,) = Path(os.environ["TMPDIR"]).glob("phalanx-*-gpu-0123.lock")
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False

class Nested(MinMaxScaler):
    def _check_options(self):
        assert is_taken()
        MinMaxScaler().fit([[1.0], [2.0]])
        assert is_taken()
        super()._check_options()

Nested().fit([[1.0], [2.0]])
assert not is_taken()
try:
    Nested(feature_range=(1, 0)).fit([[1.0], [2.0]])
except ValueError:
    assert not is_taken()
else:
    raise AssertionError
Nested().fit([[1.0], [2.0]])
assert not is_taken()
"""
    finish(start(code, tmp_path))


@pytest.mark.parametrize("kind", ["become_worker", "use_a_gpu"])
def test_no_file_without_a_gpu_or_in_other_processes(tmp_path, lines, kind):
    code = f"{kind}()\nslow_model(0).fit([[1.0], [2.0]])\n"
    finish(start(code, tmp_path))
    assert [word for word, _ in lines()] == ["begin", "end"]
    assert not list(tmp_path.glob("*.lock"))


def test_threads_that_ask_at_once_have_one_turn(monkeypatch):
    from phalanx._models import gpu_turns

    both = threading.Barrier(2)
    folder = tempfile.gettempdir()

    def slow():
        both.wait(10)
        return folder

    monkeypatch.setattr(tempfile, "gettempdir", slow)
    monkeypatch.setattr(gpu_turns, "_turns", {})
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(gpu_turns._turn_of, ["0123"] * 2)
    assert one is other


@fake_gpu.needed
def test_the_gpus_of_samples(tmp_path):
    done = fake_gpu.run(
        """
import phalanx as px
from phalanx import _engine
from phalanx._models.gpu_turns import gpus_of

gpu = {_engine.current_device().uuid.hex()}
assert _engine.current_device().kind == "cuda"
assert gpus_of([[1.0]]) == gpu
assert gpus_of(px.zeros((2, 1), device="cpu")) == set()
with px.device("cpu"):
    assert gpus_of([[1.0]]) == set()
    assert gpus_of(px.zeros((2, 1), device="cuda")) == gpu
    assert gpus_of(px.devices("all").zeros((2, 1))) >= gpu
with px.device("auto"):
    assert gpus_of([[1.0]]) == gpu
""",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
