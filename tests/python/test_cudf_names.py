"""Programs for cuDF under ``phalanx run``, and each of its names: there, or refused by name."""

import os
import subprocess
import sys

import pytest

NAMES = """
    CategoricalIndex DataFrame DateOffset DatetimeIndex Decimal128Dtype Decimal32Dtype
    Decimal64Dtype Grouper Index IntervalDtype IntervalIndex ListDtype MultiIndex NA NaT RangeIndex
    Scalar Series StructDtype CategoricalDtype TimedeltaIndex api concat core crosstab cut datasets
    date_range describe_option dtype factorize from_dlpack from_pandas get_dummies get_option
    interval_range melt merge option_context pandas pivot pivot_table read_avro read_csv
    read_feather read_hdf read_json read_orc read_parquet read_text set_allocator set_option testing
    timedelta_range to_datetime to_numeric unstack utils
""".split()  # fmt: skip  # noqa: SIM905

PROGRAMS = {
    "forms": """
import cudf, cupy as cp, numpy as np, phalanx as px
s = cudf.Series([1, 2, 3, 4])
assert isinstance(s, px.Series) and isinstance(s.values, cp.ndarray)
assert isinstance(s.to_cupy(), cp.ndarray) and s.to_cupy(dtype="f4").dtype == np.float32
assert isinstance(s.values_host, np.ndarray) and s.values.get().tolist() == [1, 2, 3, 4]
assert float(cp.sqrt(s.values).sum()) == float(np.sqrt(s.to_numpy()).sum())
frame = cudf.DataFrame({"a": [1, 2, 3], "b": [0.5, 1.5, 2.5]})
assert frame.values.shape == (3, 2) and isinstance(frame.values, cp.ndarray)
assert isinstance(frame.to_cupy(), cp.ndarray) and frame.index.to_cupy().tolist() == [0, 1, 2]
texts = cudf.Series(["a", None])
assert texts.null_count == 1 and texts.has_nulls and isinstance(texts.values, np.ndarray)
whole = cudf.Series([1, None], dtype="Int64")
assert whole.nullable and whole.to_cupy(na_value=7).tolist() == [1, 7]
for refused, error in ((texts.to_cupy, TypeError), (whole.to_cupy, ValueError)):
    try:
        refused()
    except error:
        continue
    raise AssertionError(refused)
assert cudf.DataFrame.from_arrow(frame.to_arrow()).equals(frame)
assert cudf.from_dlpack(cp.arange(3)).tolist() == [0, 1, 2]
assert frame.interleave_columns().tolist() == [1, 0.5, 2, 1.5, 3, 2.5]
assert len(frame.tile(2)) == 6
assert sorted(sum((part.a.tolist() for part in frame.partition_by_hash(["a"], 2)), [])) == [1, 2, 3]
""",
    "analysis": """
import cudf
from cudf.datasets import randomdata, timeseries
from cudf.testing import assert_frame_equal
frame = timeseries(end="2000-01-02", freq="1h", nulls_frequency=0.25, seed=3)
assert frame.index.name == "timestamp" and len(frame) == 24
assert list(frame) == ["name", "id", "x", "y"]
assert_frame_equal(frame, timeseries(end="2000-01-02", freq="1h", nulls_frequency=0.25, seed=3))
assert 0 < frame.x.null_count < 24
means = frame.groupby("name").x.mean().reset_index()
joined = frame.merge(means, on="name", how="left", suffixes=("", "_mean"))
assert "x_mean" in joined.columns and len(joined) == len(frame)
both = cudf.concat([frame, frame])
assert both.duplicated().sum() >= 1
data = randomdata(50, dtypes={"k": int, "f": "float32", "c": "category", "b": bool}, seed=1)
assert data.f.dtype == "float32" and data.c.dtype == "category" and data.b.dtype == bool
assert cudf.get_dummies(data.c).shape[0] == 50
assert cudf.cut(data.f, [-2, 0, 2]).notna().all()
assert cudf.crosstab(data.b, data.f > 0).to_numpy().sum() == 50
assert cudf.to_datetime(cudf.Series(["2026-01-02"])).dt.day.tolist() == [2]
assert len(cudf.date_range("2026-01-01", periods=3)) == 3
""",
    "functions": """
import cudf, numpy as np
frame = cudf.DataFrame({"a": [1.0, 2.0, None], "b": [10.0, 20.0, 30.0]})
assert frame.b.apply(lambda x: x * 2 if x > 15 else 0.0).tolist() == [0.0, 40.0, 60.0]
assert frame.apply(lambda row: row["b"] + 1, axis=1).tolist() == [11.0, 21.0, 31.0]
def kernel(x, b, out, scale):
    for i, (p, q) in enumerate(zip(x, b)):
        out[i] = p * scale + q
made = frame.apply_rows(
    kernel, incols={"a": "x", "b": "b"}, outcols={"out": np.float64}, kwargs={"scale": 2}
)
assert made.out.tolist()[:2] == [12.0, 24.0] and made.out.isna().tolist() == [False, False, True]
try:
    frame.apply_chunks(kernel)
except NotImplementedError as error:
    assert "phalanx.cuda" in str(error)
else:
    raise AssertionError
""",
    "options": """
import warnings
import cudf
with cudf.option_context("display.max_rows", 5, "mode.pandas_compatible", True):
    assert cudf.get_option("display.max_rows") == 5
assert cudf.get_option("display.max_rows") == 60
for name, value in (("spill", True), ("default_integer_bitwidth", 32)):
    try:
        cudf.set_option(name, value)
    except NotImplementedError as error:
        assert name in str(error)
    else:
        raise AssertionError(name)
try:
    cudf.set_option("nothing.of.it", 1)
except KeyError:
    pass
else:
    raise AssertionError
import cudf.pandas
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    cudf.pandas.install()
assert "does nothing under phalanx" in str(caught[0].message)
try:
    import cudf.io.json
except ModuleNotFoundError as error:
    assert "names of cudf itself" in str(error)
else:
    raise AssertionError
assert isinstance(cudf.Series(["a"]).astype("category").dtype, cudf.CategoricalDtype)
assert not isinstance(cudf.Series([1]).dtype, cudf.ListDtype)
assert str(cudf.ListDtype("int64")) == "list<item: int64>[pyarrow]"
assert cudf.Series(["1.5"]).astype(cudf.Decimal128Dtype(5, 2)).dtype.scale == 2
for kind in (cudf.StructDtype, cudf.Decimal64Dtype):
    try:
        kind("int64")
    except NotImplementedError as error:
        assert kind.__name__ in str(error)
    else:
        raise AssertionError(kind)
assert cudf.dtype("int32") == "int32"
""",
    "names": f"""
import cudf
from phalanx._frames.signatures import MissingNameError
for name in {NAMES}:
    try:
        assert getattr(cudf, name) is not None, name
    except MissingNameError as error:
        assert name in str(error)
try:
    cudf.no_such_name
except MissingNameError:
    raise
except AttributeError as error:
    assert "no_such_name" in str(error)
assert set(dir(cudf)) >= {{"DataFrame", "set_option", "datasets"}}
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program(name, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(PROGRAMS[name])
    done = subprocess.run(
        [sys.executable, "-m", "phalanx", "run", str(script)],
        env={**os.environ, "PHALANX_DEVICE": "cpu"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_values_are_numpys_without_cudf_and_after_it():
    import numpy as np

    import phalanx as px

    assert isinstance(px.Series([1]).values, np.ndarray)
    with px.option_context("compute.values", "array"):
        assert isinstance(px.Series([1]).values, px.ndarray)
        assert isinstance(px.DataFrame({"a": [1], "b": [2.5]}).values, px.ndarray)
        assert isinstance(px.DataFrame({"a": ["x"]}).values, np.ndarray)
    assert isinstance(px.Series([1]).values, np.ndarray)
