"""Encoders, DBSCAN and data sets over Dask's blocks."""

from importlib.util import find_spec

import numpy as np
import pytest

pytest.importorskip("dask.array")
pytest.importorskip("sklearn")
import dask
import dask.array as da
import sklearn.preprocessing as oracles
from phalanx.ml import dask as over

import phalanx as px
from phalanx import ml

ROWS = (4, 0, 1, 5)


@pytest.fixture(autouse=True)
def one_process():
    with dask.config.set(scheduler="sync"):
        yield


def blocks(values, rows=ROWS):
    return da.from_array(values, chunks=(rows, *[-1] * (values.ndim - 1)))


def frames(values, names="abc"):
    import dask.dataframe as dd
    import pandas as pd

    return dd.from_pandas(pd.DataFrame(dict(zip(names, values.T, strict=False))), npartitions=3)


NUMBERS = np.array([[3, 1, 2, 3, 1, 9, 3, 1, 2, 9], [0, 1, 0, 1, 0, 1, 0, 1, 0, 0]]).T
GAPS = np.where(NUMBERS == 2, np.nan, NUMBERS)
TEXTS = np.array([["b", "a", None, "b", "c", "b", "a", "b", "b", None]], object).T
TABLES = {"whole": NUMBERS, "gaps": GAPS, "texts": TEXTS}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("OneHotEncoder", {"sparse_output": False}),
        ("OneHotEncoder", {}),
        ("OneHotEncoder", {"drop": "first", "sparse_output": False, "dtype": np.float32}),
        ("OneHotEncoder", {"min_frequency": 3, "sparse_output": False}),
        ("OneHotEncoder", {"max_categories": 2, "sparse_output": False}),
        ("OrdinalEncoder", {}),
        ("OrdinalEncoder", {"min_frequency": 0.3}),
    ],
)
def test_encoders_of_samples(name, options, table):
    x = TABLES[table]
    made = getattr(over, name)(**options)
    oracle = getattr(oracles, name)(**options)
    found, expected = made.fit_transform(blocks(x)), oracle.fit_transform(x)
    assert isinstance(found, da.Array) and found.shape[1] == expected.shape[1]
    for one, other in zip(made.categories_, oracle.categories_, strict=True):
        assert one.dtype == other.dtype and str(one) == str(other)
    values = found.compute()
    if hasattr(expected, "toarray"):
        values, expected = values.toarray(), expected.toarray()
    assert values.dtype == expected.dtype and np.array_equal(values, expected, equal_nan=True)
    if table == "whole":
        ours = made.transform(blocks(x).map_blocks(px.asarray)).compute()
        assert isinstance(ours, (px.ndarray, px.sparse.csr_matrix))
        ours = ours.toarray() if px.sparse.issparse(ours) else ours
        assert np.array_equal(np.asarray(ours), expected)


def test_encoders_of_frames():
    x = TABLES["whole"]
    made = over.OneHotEncoder(sparse_output=False).fit(frames(x))
    assert made.get_feature_names_out().tolist()[:2] == ["a_1", "a_2"]
    expected = oracles.OneHotEncoder(sparse_output=False).fit_transform(x)
    assert np.array_equal(made.transform(frames(x)).compute(), expected)
    with pytest.raises(ValueError, match="feature names"):
        made.transform(frames(x, "axc"))


def test_what_encoders_refuse():
    x = TABLES["whole"]
    made = over.OneHotEncoder(sparse_output=False).fit(blocks(x))
    other = x.copy()
    other[9] = 77
    with pytest.raises(ValueError, match=r"unknown categories \[77\] in column 0"):
        made.transform(blocks(other)).compute()
    with pytest.raises(ValueError, match=r"unknown categories \[9\] in column 0 during fit"):
        over.OneHotEncoder(categories=[[1, 2, 3], [0, 1]]).fit(blocks(x))
    given = over.OneHotEncoder(categories=[[1, 2, 3, 9, 11], [0, 1]], sparse_output=False)
    assert given.fit(blocks(x)).transform(blocks(x)).compute().shape == (10, 7)
    with pytest.raises(TypeError, match=r"phalanx\.ml\.OrdinalEncoder takes that"):
        over.OrdinalEncoder().fit(x)
    with pytest.raises(ValueError, match="0 sample"):
        over.OrdinalEncoder().fit(blocks(x[:0], (0,)))


@pytest.mark.parametrize("name", ["LabelBinarizer", "LabelEncoder"])
@pytest.mark.parametrize("kind", ["whole", "two", "texts", "ours", "series"])
def test_encoders_of_targets(kind, name):
    y = NUMBERS[:, 0] if kind != "two" else NUMBERS[:, 1]
    y = np.array(["x", "yy", "zzz"])[NUMBERS[:, 0] % 3] if kind == "texts" else y
    cut = blocks(y)
    if kind == "ours":
        cut = cut.map_blocks(px.asarray)
    if kind == "series":
        cut = frames(y[:, None])["a"]
    made, oracle = getattr(over, name)(), getattr(oracles, name)()
    found, expected = made.fit_transform(cut).compute(), oracle.fit_transform(y)
    assert isinstance(found, px.ndarray) == (kind == "ours")
    assert made.classes_.tolist() == oracle.classes_.tolist()
    assert np.array_equal(np.asarray(found), expected)
    assert np.asarray(found).dtype == expected.dtype
    again = made.inverse_transform(found)
    assert np.array_equal(np.asarray(again), y)


def test_what_encoders_of_targets_refuse():
    with pytest.raises(NotImplementedError, match="several targets"):
        over.LabelBinarizer().fit(blocks(NUMBERS))
    with pytest.raises(ValueError, match="continuous"):
        over.LabelBinarizer().fit(blocks(NUMBERS[:, 0] + 0.5))
    with pytest.raises(ValueError, match="neg_label"):
        over.LabelBinarizer(neg_label=2).fit(blocks(NUMBERS[:, 0]))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("options", [{"eps": 0.5}, {"eps": 1.0, "min_samples": 20, "p": 1.0}])
def test_dense_clusters(options, dtype):
    from sklearn.cluster import DBSCAN

    random = np.random.default_rng(0)
    x = np.concatenate([random.normal(m, 0.3, (150, 2)) for m in (0, 3, 5)]).astype(dtype)
    random.shuffle(x)
    rows, weight = (200, 0, 250), random.random(450) * 2
    options = {"metric": "minkowski", **options} if "p" in options else options
    for own in (None, weight):
        theirs = None if own is None else blocks(own, rows)
        made = over.DBSCAN(**options).fit(blocks(x, rows), sample_weight=theirs)
        oracle = DBSCAN(**options).fit(x, sample_weight=own)
        assert made.labels_.compute().tolist() == oracle.labels_.tolist()
        assert made.core_sample_indices_.tolist() == oracle.core_sample_indices_.tolist()
        assert np.array_equal(made.components_, oracle.components_)
    labels = over.DBSCAN(**options).fit_predict(blocks(x, rows).map_blocks(px.asarray))
    assert isinstance(labels, da.Array) and isinstance(labels.compute(), px.ndarray)
    with pytest.raises(TypeError, match=r"phalanx\.ml\.DBSCAN takes that"):
        over.DBSCAN().fit(x)


def test_parts_of_the_samples_that_dense_clusters_look_around():
    from phalanx._models.cluster.dbscan import Near
    from phalanx._models.neighbors.distances import metric_of

    x = px.asarray(np.random.default_rng(0).random((333, 3)))
    near = Near(x, 0.2, metric_of("l2"))
    weight, labels = np.ones(333), np.arange(333, dtype=np.int32)
    parts = [range(2), range(2, 3), range(3, near.tiles.stop)]
    found = [near.weight_around(weight, part) for part in parts]
    assert np.array_equal(np.concatenate(found), near.weight_around(weight))
    found = [near.least_around(labels, part) for part in parts]
    assert np.array_equal(np.concatenate(found), near.least_around(labels))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_blobs(dtype):
    x, y, centers = over.make_blobs(
        1000, 3, 4, 0.01, 7, random_state=1, return_centers=True, dtype=dtype
    )
    assert x.numblocks == (7, 1) and y.chunks[0] == x.chunks[0]
    again = over.make_blobs(1000, 3, 4, 0.01, 7, random_state=1, dtype=dtype)
    host, labels = np.asarray(x.compute()), np.asarray(y.compute())
    assert host.dtype == dtype and labels.dtype == np.int64
    assert np.array_equal(host, np.asarray(again[0].compute()))
    assert isinstance(x.compute(), px.ndarray)
    assert np.bincount(labels).tolist() == [250] * 4
    assert np.abs(host - centers[labels]).max() < 0.1
    shares = [np.bincount(np.asarray(part.compute()), minlength=4) for part in y.blocks]
    assert min(share.min() for share in shares) >= 35
    assert not np.array_equal(*(np.asarray(part.compute()) for part in list(x.blocks)[:2]))
    few = over.make_blobs([3, 0, 2], centers=np.eye(3), n_parts=2)[1].compute()
    assert np.bincount(np.asarray(few)).tolist() == [3, 0, 2]


def test_classes():
    options = {"n_informative": 3, "n_repeated": 1, "shuffle": False, "random_state": 0}
    x, y = over.make_classification(900, 8, n_parts=4, flip_y=0, class_sep=3.0, **options)
    assert x.shape == (900, 8) and x.numblocks == (4, 1)
    host, labels = np.asarray(x.compute()), np.asarray(y.compute())
    assert abs(np.bincount(labels) - 450).max() <= 4
    assert any(np.array_equal(host[:, 5], host[:, each]) for each in range(5))
    mixed = np.linalg.lstsq(host[:, :3], host[:, 3:5], rcond=None)
    assert mixed[1].max() < 1e-3  # redundant features are sums of the informative ones
    assert (
        ml.RandomForestClassifier(20).fit(host[:500], labels[:500]).score(host[500:], labels[500:])
        > 0.9
    )
    with pytest.raises(ValueError, match="number of total features"):
        over.make_classification(n_features=3)


@pytest.mark.parametrize("targets", [1, 2])
def test_slopes(targets):
    options = {"n_parts": 3, "n_targets": targets, "bias": 2.0, "noise": 0.01, "random_state": 0}
    x, y, truth = over.make_regression(300, 6, 4, coef=True, shuffle=True, **options)
    made = over.LinearRegression().fit(x, y)
    assert np.allclose(np.asarray(made.coef_).T, truth, atol=0.02)
    assert np.allclose(np.asarray(made.intercept_), 2.0, atol=0.02)
    assert (np.abs(truth).reshape(6, -1).sum(axis=1) > 0).sum() == 4


@pytest.mark.parametrize("name", ["make_blobs", "make_classification", "make_regression"])
def test_what_data_sets_refuse(name):
    make = getattr(over, name)
    with pytest.raises(NotImplementedError, match="workers"):
        make(workers=["tcp://one"])
    for options in ({"n_parts": 0}, {"dtype": "int32"}, {"n_samples": 0}):
        with pytest.raises(ValueError, match=next(iter(options))):
            make(**options)
    with pytest.raises(NotImplementedError, match="effective_rank"):
        over.make_regression(effective_rank=2)


@pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")
def test_two_workers(run_installed):
    run_installed("""
import numpy as np
from distributed import Client
from phalanx import ml
from phalanx.ml.dask import DBSCAN, OneHotEncoder, make_blobs

if __name__ == "__main__":
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        x, y = make_blobs(3000, 3, 5, 0.5, random_state=0, dtype="float64")
        assert x.numblocks == (2, 1)
        made = DBSCAN(eps=0.4).fit(x)
        one = ml.DBSCAN(eps=0.4).fit(np.asarray(x.compute()))
        assert np.asarray(made.labels_.compute()).tolist() == one.labels_.tolist()
        columns = OneHotEncoder(sparse_output=False).fit_transform(y[:, None]).compute()
        assert np.asarray(columns).sum(axis=0).tolist() == [600.0] * 5
""")
