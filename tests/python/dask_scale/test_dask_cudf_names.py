"""dask_cudf's names, and p2p shuffles of our frames between two processes."""

from importlib.util import find_spec

import pytest

pytest.importorskip("pandas")
pytestmark = pytest.mark.skipif(
    find_spec("dask") is None or find_spec("pyarrow") is None, reason="Dask is not installed"
)
needs_distributed = pytest.mark.skipif(
    find_spec("distributed") is None, reason="distributed is not installed"
)


def test_a_program_for_dask_cudf(run_installed, tmp_path):
    run_installed(f"""
from phalanx import compat
compat.install()
import cudf, dask, dask_cudf
import phalanx as px

dask.config.set(scheduler="sync")
frame = cudf.DataFrame({{"key": [1, 2, 1, 2], "value": [0.5, 1.5, 2.5, 3.5]}})
parts = dask_cudf.from_cudf(frame, npartitions=2)
assert isinstance(parts, dask_cudf.DataFrame) and parts.npartitions == 2
totals = parts.groupby("key").value.sum().compute()
assert isinstance(totals, px.Series) and totals.to_dict() == {{1: 3.0, 2: 5.0}}
assert isinstance(dask_cudf.concat([parts, parts]).compute(), px.DataFrame)
parts.to_parquet({str(tmp_path / "parts")!r})
read = dask_cudf.read_parquet({str(tmp_path / "parts")!r})
px.testing.assert_frame_equal(read.compute(), frame)
path = {str(tmp_path / "rows.csv")!r}
frame.to_csv(path, index=False)
px.testing.assert_frame_equal(dask_cudf.read_csv(path).compute(), frame)
import dask.dataframe as dd
assert type(dd.read_csv(path).compute()).__module__.startswith("pandas")
for call, error in (
    (lambda: dask_cudf.from_cudf([1], npartitions=1), TypeError),
    (lambda: dask_cudf.read_text("x"), NotImplementedError),
    (lambda: __import__("dask_cudf.testing"), ModuleNotFoundError),
):
    try:
        call()
    except error:
        continue
    raise AssertionError(error)
from cuml.dask.cluster import KMeans
from phalanx.ml.dask import KMeans as ours
assert KMeans is ours
""")


@needs_distributed
def test_shuffles_between_two_processes(run_installed):
    run_installed("""
import numpy as np
import pandas as pd
import dask
import dask.dataframe as dd
import phalanx as px

if __name__ == "__main__":
    from distributed import Client
    random = np.random.default_rng(1)
    host = pd.DataFrame({
        "key": random.integers(0, 40, 2000),
        "number": random.random(2000),
        "text": random.choice(["a", "bc", None], 2000),
        "day": pd.Timestamp("2026-01-01") + pd.to_timedelta(random.integers(0, 99, 2000), unit="D"),
    })
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        with dask.config.set({"dataframe.shuffle.method": "p2p"}):
            ours = dd.from_pandas(px.from_pandas(host), npartitions=3)
            shuffled = ours.shuffle("key", npartitions=2)
            keys = [set(each.key.to_pandas()) for each in dask.compute(*shuffled.to_delayed())]
            assert sum(map(len, keys)) == host.key.nunique() and len(keys) == 2
            made = shuffled.compute()
            assert isinstance(made, px.DataFrame)
            by = ["key", "number"]
            found = made.to_pandas().sort_values(by).reset_index(drop=True)
            expected = host.sort_values(by).reset_index(drop=True)
            pd.testing.assert_frame_equal(found, expected, check_dtype=False)
            joined = ours.merge(ours.groupby("key").number.sum().to_frame("sum"), on="key")
            sums = host.groupby("key").number.sum()
            again = joined.compute().to_pandas()
            assert len(again) == 2000 and np.allclose(again["sum"], again.key.map(sums))
""")
