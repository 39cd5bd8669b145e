"""Frames of other libraries, and ours in theirs: Arrow, polars, DuckDB, DLPack, NumPy."""

import numpy as np
import pytest

import phalanx as px

from .column_samples import SAMPLES

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.usefixtures("device")

NAMES = [name for name in SAMPLES if name not in ("complex", "object mixed")]


def mixed():
    return px.DataFrame(
        {
            "a": [1, 2, 3],
            "b": ["x", None, "z"],
            "c": [1.5, None, 2.5],
            "d": np.array(["2020-01-01", "2021-01-01", "NaT"], "M8[us]"),
            "e": px.Series(["u", "v", "u"], dtype="category"),
            "f": [True, False, True],
            "g": px.Series([1, None, 2], dtype="Int64"),
        }
    )


def same(found, wanted):
    pd.testing.assert_frame_equal(found.to_pandas(), wanted.to_pandas())


@pytest.mark.parametrize("name", NAMES)
def test_series_by_arrow(name):
    series = px.from_pandas(SAMPLES[name])
    wanted = pa.array(SAMPLES[name], from_pandas=True)
    for made in (pa.array(series), series.to_arrow(), pa.chunked_array(series).combine_chunks()):
        assert len(made) == len(wanted)
        assert made.null_count == wanted.null_count
        assert made.drop_null().to_pylist() == wanted.drop_null().to_pylist()
    again = px.Series.from_arrow(series.to_arrow())
    assert again.isna().tolist() == series.isna().tolist()
    assert pa.array(px.Series(wanted)).null_count == wanted.null_count
    assert pa.field("x", pa.DataType._import_from_c_capsule(series.__arrow_c_schema__())).type == (
        series.to_arrow().type
    )


def test_frames_by_arrow():
    frame = mixed()
    same(px.DataFrame(pa.table(frame)), frame)
    same(px.DataFrame.from_arrow(frame.to_arrow()), frame)
    same(px.DataFrame(pa.RecordBatchReader.from_stream(frame)), frame)
    named = frame.set_index("b")
    same(px.DataFrame.from_arrow(pa.table(named)), named)
    assert named.to_arrow(preserve_index=False).column_names == list("acdefg")
    assert pa.schema(frame).names == list(frame.columns)
    same(px.from_pandas(pd.DataFrame.from_arrow(frame)), frame)
    assert px.DataFrame(pa.table({"a": [1, 2]}).to_batches()[0]).shape == (2, 1)
    with pytest.raises(ValueError, match="Duplicate"):
        px.concat([frame, frame], axis=1).to_arrow()


@pytest.mark.parametrize("index", [pa.uint8(), pa.uint32(), pa.int64()])
def test_dictionaries_of_other_codes(index):
    values = (
        pa.array(["x", None, "y", "x"]).dictionary_encode().cast(pa.dictionary(index, pa.string()))
    )
    assert px.Series(values).to_pandas().tolist()[::2] == ["x", "y"]
    assert px.Series(values).isna().tolist() == [False, True, False, False]


def test_dataframe_protocol():
    frame = mixed().drop(columns=["e", "g"])

    class Other:
        """An object of another library that has the protocol only."""

        def __dataframe__(self, **keywords):
            return frame.__dataframe__(**keywords)

    found = px.DataFrame(Other())
    assert list(found.columns) == list(frame.columns)
    assert found["b"].tolist()[::2] == ["x", "z"]
    theirs = pd.api.interchange.from_dataframe(frame)
    assert theirs["a"].tolist() == [1, 2, 3]


@pytest.mark.parametrize("dtype", ["int8", "uint32", "int64", "float32", "float64", "bool"])
def test_dlpack(dtype):
    series = px.Series([0, 1, 1], dtype=dtype)
    assert px.from_dlpack(series).tolist() == series.tolist()
    if px.empty(0).device != "cpu":
        return  # NumPy takes no memory of a GPU.
    assert np.from_dlpack(series).dtype == np.dtype(dtype)
    assert np.from_dlpack(series).tolist() == series.tolist()


@pytest.mark.parametrize("name", ["str", "category", "datetime us", "Int64"])
def test_dlpack_has_numbers_only(name):
    with pytest.raises(BufferError, match="DLPack"):
        np.from_dlpack(px.from_pandas(SAMPLES[name]))


def test_numpy():
    frame = px.DataFrame({"a": [1, 2], "b": [1.5, 2.5]}, index=["x", "y"])
    assert np.asarray(frame).tolist() == [[1, 1.5], [2, 2.5]]
    assert np.asarray(frame["a"], dtype="float32").dtype == np.float32
    same(np.sqrt(frame), frame.apply(lambda column: column**0.5))
    assert isinstance(np.add(frame["a"], 1), px.Series)
    assert np.where(frame["a"] > 1, "big", "small").tolist() == ["small", "big"]
    assert np.concatenate([frame["a"], frame["b"]]).tolist() == [1, 2, 1.5, 2.5]
    assert np.mean(frame["b"]) == 2


def test_polars():
    polars = pytest.importorskip("polars")
    theirs = polars.DataFrame(
        {"a": [1, 2, None], "b": ["x", "y", None], "l": [[1], [2, 3], None]}
    ).with_columns(
        polars.col("b").cast(polars.Categorical).alias("cat"),
        polars.col("a").cast(polars.Date).alias("date"),
        polars.col("a").cast(polars.Datetime).alias("when"),
    )
    found = px.DataFrame(theirs)
    pd.testing.assert_frame_equal(
        found[["a", "b", "when"]].to_pandas(), theirs.to_pandas()[["a", "b", "when"]]
    )
    assert str(found["date"][0]) == "1970-01-02"
    assert found["cat"].tolist()[:2] == ["x", "y"]
    assert polars.DataFrame(mixed()).shape == (3, 7)
    assert polars.DataFrame(mixed())["b"].to_list() == ["x", None, "z"]
    assert polars.Series(px.Series([1, 2])).sum() == 3
    assert px.Series(polars.Series("n", [1, 2])).name == "n"
    assert px.DataFrame({"q": polars.Series([1, 2])})["q"].tolist() == [1, 2]
    assert polars.DataFrame(mixed()).lazy().select(polars.col("a").sum()).collect().item() == 6


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    frame = mixed()
    assert duckdb.from_arrow(frame).aggregate("sum(a)").fetchall() == [(6,)]
    assert duckdb.sql("select sum(a), count(b), min(e) from frame").fetchall() == [(6, 2, "u")]
    query = "select a, b, c * 2 as twice from frame where a < 3 order by a"
    for take in (lambda result: result, lambda result: result.arrow()):
        found = px.DataFrame(take(duckdb.sql(query)))
        assert found["a"].tolist() == [1, 2]
        assert found["twice"].tolist()[0] == 3.0


def test_scikit_learn():
    linear_model = pytest.importorskip("sklearn.linear_model")
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    frame = px.DataFrame({"a": [1.0, 2, 3, 4], "b": [1.0, 0, 1, 0], "y": [3.0, 4, 7, 8]})
    model = linear_model.LinearRegression().fit(frame[["a", "b"]], frame["y"])
    assert model.predict(frame[["a", "b"]]) == pytest.approx(frame["y"].tolist())
    scaled = preprocessing.StandardScaler().fit_transform(frame)
    assert scaled.mean(axis=0) == pytest.approx([0, 0, 0])
    labels = px.Series(["u", "v", "u", "v"])
    assert linear_model.LogisticRegression().fit(frame[["b"]], labels).classes_.tolist() == [
        "u",
        "v",
    ]


def test_matplotlib():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    frame = px.DataFrame({"x": [1, 2, 3], "y": [2.0, 4.0, 8.0], "t": ["a", "b", "c"]})
    figure, axes = pyplot.subplots()
    (line,) = axes.plot(frame["x"], frame["y"])
    assert line.get_ydata().tolist() == [2, 4, 8]
    (line,) = axes.plot("x", "y", data=frame)
    assert line.get_xdata().tolist() == [1, 2, 3]
    assert len(axes.bar(frame["t"], frame["y"])) == 3
    axes.scatter(frame["x"], frame["y"], c=frame["y"])
    axes.hist(frame["y"])
    pyplot.close(figure)


def test_seaborn():
    seaborn = pytest.importorskip("seaborn")
    frame = px.DataFrame({"x": [1, 2, 3], "y": [2.0, 4.0, 8.0], "t": ["a", "b", "a"]})
    axes = seaborn.lineplot(data=frame, x="x", y="y")
    assert axes.lines[0].get_ydata().tolist() == [2, 4, 8]
    axes.figure.clear()
    axes = seaborn.scatterplot(data=frame, x="x", y="y", hue="t")
    assert len(axes.collections[0].get_offsets()) == 3
    axes.figure.clear()


def test_plotly():
    express = pytest.importorskip("plotly.express")
    frame = px.DataFrame({"x": [1, 2, 3], "y": [2.0, 4.0, 8.0], "t": ["a", "b", "a"]})
    figure = express.line(frame, x="x", y="y")
    assert list(figure.data[0].y) == [2, 4, 8]
    assert len(express.bar(frame, x="t", y="y", color="t").data) == 2
