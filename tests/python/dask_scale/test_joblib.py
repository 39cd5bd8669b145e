"""Fits by joblib: in processes of loky's and on Dask's workers, each with its share of threads."""

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

pytest.importorskip("joblib")
needs_distributed = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)
needs_models = pytest.mark.skipif(
    find_spec("sklearn") is None, reason="scikit-learn is not installed"
)
THREADS = """
import os
from joblib import Parallel, delayed

def threads(i):
    import phalanx as px
    return px.get_num_threads(), os.getpid()

if __name__ == "__main__":
    import phalanx as px
    found = Parallel(n_jobs=2)(delayed(threads)(i) for i in range(8))
    print(*sorted({each[0] for each in found}), os.getpid() in {each[1] for each in found})
"""
SEARCH = """
from sklearn.model_selection import GridSearchCV
from sklearn.datasets import make_classification
from phalanx.ml import LogisticRegression
import numpy as np

x, y = make_classification(200, 6, random_state=0)
grid = {"C": [0.01, 1.0]}

def search(jobs):
    return GridSearchCV(LogisticRegression(), grid, cv=2, n_jobs=jobs).fit(x, y)

def same(first, second):
    assert first.best_params_ == second.best_params_
    scores = [each.cv_results_["mean_test_score"] for each in (first, second)]
    assert np.array_equal(*scores)
    assert np.allclose(first.best_estimator_.coef_, second.best_estimator_.coef_)
"""


def run(code, tmp_path, **environment):
    script = tmp_path / "program.py"
    script.write_text(code)
    kept = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, str(script)],
        env=kept | {"PHALANX_DEVICE": "cpu", **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_processes_of_loky_share_the_cores(tmp_path):
    cores = len(os.sched_getaffinity(0))
    assert run(THREADS, tmp_path) == [str(max(1, cores // 2)), "False"]
    # What the user says counts.
    assert run(THREADS, tmp_path, PHALANX_NUM_THREADS="2")[0] == "2"


SHARED = """
import numpy as np
from joblib import Parallel, delayed, _memmapping_reducer

def first_of(x, i):
    return float(x[i, 0])

if __name__ == "__main__":
    import phalanx as px
    written = []
    dump = _memmapping_reducer.dump
    _memmapping_reducer.dump = lambda array, *rest, **more: (
        written.append(array.nbytes), dump(array, *rest, **more))[1]
    x = px.random.default_rng(0).random((50_000, 5))
    expected = x[:6, 0].tolist()
    def firsts():
        return Parallel(n_jobs=2)(delayed(first_of)(x, i) for i in range(6))
    assert firsts() == expected and written == [x.nbytes], written
    x *= 2
    assert firsts() == [2 * each for each in expected] and len(written) == 2, written
"""


@pytest.mark.parametrize("place", ["cpu", "here"])
def test_tasks_of_processes_share_one_file_of_an_array(tmp_path, device, place):
    run(SHARED, tmp_path, PHALANX_DEVICE="cpu" if place == "cpu" else device)


@needs_models
def test_a_search_by_two_processes(tmp_path):
    run(SEARCH + "if __name__ == '__main__':\n    same(search(2), search(1))\n", tmp_path)


@needs_models
@needs_distributed
def test_a_search_on_workers_of_dask(run_installed):
    run_installed(
        SEARCH
        + """
def threads(i):
    import phalanx as px
    return px.get_num_threads()

if __name__ == "__main__":
    import joblib
    import phalanx as px
    from distributed import Client, LocalCluster
    from phalanx.dask import traffic
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client, joblib.parallel_config(backend="dask"):
            same(search(2), search(1))
            x = px.asarray(x)  # of 9,600 bytes: each worker gets them once, not with each fit
            def sent():
                return sum(map(sum, [traffic(), *traffic(client).values()]))
            before = sent()
            search(2)
            assert 0 < sent() - before <= 2 * x.nbytes, sent() - before
            assert set(joblib.Parallel()(joblib.delayed(threads)(i) for i in range(4))) == {1}
"""
    )
