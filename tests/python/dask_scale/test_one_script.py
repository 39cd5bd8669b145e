"""`examples/customers.py` runs unchanged in this process and on the workers of a LocalCluster."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

distributed = pytest.importorskip("distributed")
pytest.importorskip("dask.dataframe")
pytest.importorskip("matplotlib")

EXAMPLES = Path(__file__).parents[3] / "examples"


def run_script(picture: Path, **environment: str) -> str:
    """What the script prints, without its time."""
    done = subprocess.run(
        [sys.executable, "customers.py", "20000", str(picture)],
        cwd=EXAMPLES,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert picture.stat().st_size > 10_000
    return done.stdout


def test_the_same_groups_in_a_process_and_on_a_cluster(tmp_path):
    here = run_script(tmp_path / "here.png")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        there = run_script(tmp_path / "there.png", DASK_SCHEDULER_ADDRESS=cluster.scheduler_address)
    *means, last = here.splitlines()
    *means_there, last_there = there.splitlines()
    assert means == means_there
    assert "by this process" in last
    assert "by the cluster at tcp://" in last_there
