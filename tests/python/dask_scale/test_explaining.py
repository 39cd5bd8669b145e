"""`explain` of Dask's arrays and frames: the kernels of a task of each kind."""

import pytest

pytest.importorskip("dask.dataframe")


def test_tasks_of_arrays_and_frames(run_installed):
    run_installed("""
import dask.array as da
import dask.dataframe as dd
import numpy as np
import phalanx as px

host = np.random.default_rng(0).random((100, 10))
x = da.from_array(px.asarray(host), chunks=(50, 10))
found = px.explain(((x + 1) * 2).sum(axis=0))
assert [*found.tasks][:2] == ["sum", "sum-aggregate"]
count, of_one = found.tasks["sum"]
(kernel,) = [each for each in of_one.kernels if "sum" in each.code]
assert count == 2 and kernel.code == "sum((a + 1) * 2, axis=0)" and kernel.bytes_read == 4000
assert found.tasks["sum-aggregate"].number == 1
assert "sum, 2 tasks" in repr(found) and kernel.code in repr(found)

asked = []
def tripled(block):
    asked.append(1)
    return block * 3

blocks = x.map_blocks(tripled, dtype=float, meta=px.empty((0, 0)))
asked.clear()
px.explain(blocks)
assert len(asked) == 1  # one chunk is computed

frame = dd.from_pandas(px.DataFrame({"k": px.arange(100) % 3, "v": px.arange(100) * 0.5}), 4)
(name, (number, of_one)), *_ = px.explain(frame.v * 2 + 1).tasks.items()
assert number == 4 and "float64" in repr(of_one), name
assert px.explain(frame.groupby("k").v.sum()).tasks["chunk"].number == 4
assert "no array or frame" in repr(px.explain(da.ones((4,), chunks=2)))
for wrong in ({"format": "html"}, {"measure": True}):
    try:
        px.explain(x, **wrong)
    except ValueError as error:
        assert "explain() of a collection of Dask" in str(error)
    else:
        raise AssertionError(wrong)
""")
