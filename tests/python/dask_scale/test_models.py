"""Models over Dask's blocks give what one process gives."""

import warnings

import numpy as np
import pytest

pytest.importorskip("dask.array")
pytest.importorskip("sklearn")
import dask
import dask.array as da
import pandas as pd
from phalanx.ml import dask as over

import phalanx as px
from phalanx import ml


@pytest.fixture(autouse=True)
def one_process():
    with dask.config.set(scheduler="sync"):
        yield


def numbers(dtype="float64", count=311, features=5, seed=0):
    random = np.random.default_rng(seed)
    x = (random.normal(size=(count, features)) * [1, 2, 3, 4, 5] + 10).astype(dtype)
    y = (x @ [1.0, -2, 0.5, 0, 1] + random.normal(size=count)).astype(dtype)
    return x, y, random.random(count) + 0.1


def blocks(values, rows=(100, 1, 150, 60)):
    return da.from_array(values, chunks=(rows, *[-1] * (values.ndim - 1)))


def ours(values, rows=(100, 1, 150, 60)):
    return blocks(values, rows).map_blocks(px.asarray)


def frames(values):
    import dask.dataframe as dd

    if values.ndim == 1:
        return dd.from_pandas(pd.Series(values), npartitions=3)
    names = [f"f{i}" for i in range(values.shape[1])]
    return dd.from_pandas(pd.DataFrame(values, columns=names), npartitions=3)


LAYOUTS_BY_DTYPE = [
    ("numpy", "float64"),
    ("ours", "float64"),
    ("frames", "float64"),
    ("ours", "float32"),
]
LAYOUTS = {"numpy": blocks, "ours": ours, "frames": frames}


@pytest.fixture(autouse=True)
def no_warnings_of_names():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        yield


def same(found, expected, rtol=1e-9):
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=rtol, atol=rtol)


@pytest.mark.parametrize(("layout", "dtype"), LAYOUTS_BY_DTYPE)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("LinearRegression", {}),
        ("LinearRegression", {"fit_intercept": False}),
        ("Ridge", {"alpha": 3.0}),
        ("Ridge", {"alpha": 0.0}),
        ("Ridge", {"alpha": 2.0, "fit_intercept": False}),
        ("Lasso", {"alpha": 0.1, "tol": 1e-12}),
        ("Lasso", {"alpha": 0.1, "tol": 1e-12, "fit_intercept": False, "positive": True}),
        ("ElasticNet", {"alpha": 0.1, "tol": 1e-12}),
    ],
)
def test_linear_models(name, options, dtype, layout):
    x, y, weight = numbers(dtype)
    cut = LAYOUTS[layout]
    tolerance = 1e-9 if dtype == "float64" else 2e-4
    for own, theirs in ((None, None), (weight, cut(weight))):
        made = getattr(over, name)(**options).fit(cut(x), cut(y), theirs)
        one = getattr(ml, name)(**options).fit(x, y, own)
        same(made.coef_, one.coef_, tolerance)
        same(made.intercept_, one.intercept_, 10 * tolerance)
        predicted = made.predict(cut(x))
        assert isinstance(predicted, da.Array)
        found = predicted.compute()
        assert isinstance(found, px.ndarray) == (layout == "ours")
        same(found, one.predict(x), 10 * tolerance)
        same(made.predict(x), one.predict(x), 10 * tolerance)


def test_several_targets_and_dependent_features():
    x, y, _ = numbers()
    x = np.column_stack([x, x[:, 0] * 2])
    y = np.column_stack([y, y**2])
    made, one = over.LinearRegression().fit(blocks(x), blocks(y)), ml.LinearRegression().fit(x, y)
    assert made.rank_ == one.rank_ == 5
    same(made.coef_, one.coef_, 1e-7)
    few, theirs = x[:4], y[:4]
    made = over.LinearRegression().fit(blocks(few, (2, 2)), blocks(theirs, (2, 2)))
    same(made.coef_, ml.LinearRegression().fit(few, theirs).coef_, 1e-7)


@pytest.mark.parametrize(("layout", "dtype"), LAYOUTS_BY_DTYPE)
@pytest.mark.parametrize(
    "options",
    [{}, {"n_components": 2, "whiten": True}, {"n_components": 0.9}, {"svd_solver": "full"}],
)
def test_principal_components(options, dtype, layout):
    x, _, _ = numbers(dtype)
    cut, tolerance = LAYOUTS[layout], 1e-8 if dtype == "float64" else 2e-3
    made, one = over.PCA(**options).fit(cut(x)), ml.PCA(**options).fit(x)
    for name in ("components_", "explained_variance_", "singular_values_", "mean_"):
        same(getattr(made, name), getattr(one, name), tolerance)
    assert made.n_components_ == one.n_components_ and made.n_samples_ == len(x)
    same(made.transform(cut(x)).compute(), one.transform(x), tolerance)
    assert made.transform(cut(x)).shape[1] == one.n_components_


@pytest.mark.parametrize(("layout", "classes"), [("numpy", 3), ("ours", 2), ("frames", 2)])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"C": 0.1, "fit_intercept": False},
        {"class_weight": "balanced"},
        {"solver": "saga", "l1_ratio": 1.0, "C": 0.1},
    ],
)
def test_logistic_regression(options, classes, layout):
    x, _, _ = numbers()
    x = (x - 10) / 5
    y = np.searchsorted(np.linspace(-1, 1, classes + 1)[1:-1], x[:, 0] + x[:, 1] ** 2 - 0.3)
    cut = LAYOUTS[layout]
    options = {"max_iter": 500, "tol": 1e-8, **options}
    made = over.LogisticRegression(**options).fit(cut(x), cut(y))
    one = ml.LogisticRegression(**options).fit(x, y)
    same(made.coef_, one.coef_, 1e-5)
    assert made.classes_.tolist() == one.classes_.tolist()
    assert (np.asarray(made.predict(cut(x)).compute()) == one.predict(x)).all()
    same(made.predict_proba(cut(x)).compute(), one.predict_proba(x), 1e-5)


def test_classes_of_features_far_from_zero():
    x, y, _ = numbers()
    x[:, 2] += 1e7
    y = (y > np.median(y)).astype(int)
    options = {"tol": 1e-8, "max_iter": 1000}
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # as without centers no step lowers the loss
        made = over.LogisticRegression(**options).fit(blocks(x), blocks(y))
    same(made.coef_, ml.LogisticRegression(**options).fit(x, y).coef_, 1e-3)


def test_seeds_do_not_depend_on_the_blocks(monkeypatch):
    from phalanx._models.blocks import kmeans

    monkeypatch.setattr(kmeans, "_MOST_FOR_SEEDS", 40)
    x, _, _ = numbers()
    model = over.KMeans(4, random_state=3, max_iter=1)
    found = [model.fit(blocks(x, rows)).cluster_centers_ for rows in ((311,), (100, 0, 1, 210))]
    same(*found)


def test_far_samples_of_short_blocks():
    x = numbers()[0][:12]
    far = np.full((4, 5), 1e3) * [[1], [2], [3], [4]]
    parts = (1,) * 12
    options = {"init": far, "n_init": 1}
    made = over.KMeans(4, **options).fit(blocks(x, parts))
    same(made.cluster_centers_, ml.KMeans(4, **options).fit(x).cluster_centers_)


def test_classes_of_texts():
    x, y, weight = numbers()
    y = np.where(y > np.median(y), "above", "below")
    made = over.LogisticRegression(C=0.01).fit(blocks(x), blocks(y), blocks(weight))
    one = ml.LogisticRegression(C=0.01).fit(x, y, weight)
    assert made.classes_.tolist() == ["above", "below"]
    same(made.coef_, one.coef_, 1e-4)
    assert (made.predict(blocks(x)).compute() == one.predict(x)).mean() > 0.99


@pytest.mark.parametrize(("layout", "dtype"), LAYOUTS_BY_DTYPE)
@pytest.mark.parametrize("init", ["k-means++", "random", "array", "far"])
def test_clusters(init, dtype, layout):
    x, _, weight = numbers(dtype)
    x[:150] += 30
    cut = LAYOUTS[layout]
    first = {"array": x[:4], "far": np.full((4, 5), 1e3, dtype) * [[1], [2], [3], [4]]}
    options = {"n_clusters": 4, "init": first.get(init, init), "random_state": 3, "n_init": 1}
    for own, theirs in ((None, None), (weight, cut(weight))):
        made = over.KMeans(**options).fit(cut(x), sample_weight=theirs)
        one = ml.KMeans(**options).fit(x, sample_weight=own)
        same(made.cluster_centers_, one.cluster_centers_, 1e-4)
        assert made.n_iter_ == one.n_iter_
        assert np.isclose(made.inertia_, one.inertia_, rtol=1e-4)
        assert np.asarray(made.labels_.compute()).tolist() == one.labels_.tolist()
        same(made.transform(cut(x)).compute(), one.transform(x), 1e-3)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("metric", ["minkowski", "manhattan"])
def test_neighbors(metric, layout):
    x, _, _ = numbers()
    x[7] = x[200]  # equal distances
    cut = LAYOUTS[layout]
    made = over.NearestNeighbors(metric=metric).fit(cut(x))
    one = ml.NearestNeighbors(metric=metric).fit(x)
    for queries in (x, cut(x)):
        distances, rows = made.kneighbors(queries, 4)
        expected = one.kneighbors(x, 4)
        same(distances, expected[0])
        assert np.asarray(rows).tolist() == expected[1].tolist()
    with pytest.raises(ValueError, match="n_samples_fit = 311"):
        made.kneighbors(x, 312)
    with pytest.raises(NotImplementedError, match="radius_neighbors"):
        made.radius_neighbors(x)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("name", ["KNeighborsClassifier", "KNeighborsRegressor"])
def test_predictions_from_neighbors(name, weights, layout):
    x, y, _ = numbers()
    y = np.array(["few", "some", "many"])[np.digitize(y, [-1, 1])] if "Class" in name else y
    cut = LAYOUTS[layout]
    target = blocks(y) if y.dtype.kind == "U" else cut(y)
    made = getattr(over, name)(n_neighbors=4, weights=weights).fit(cut(x), target)
    one = getattr(ml, name)(n_neighbors=4, weights=weights).fit(x, y)
    for queries in (x, cut(x)):
        found, expected = np.asarray(made.predict(queries)), one.predict(x)
        assert found.dtype == expected.dtype
        assert (found == expected).all() if y.dtype.kind == "U" else np.allclose(found, expected)
        assert made.score(queries, target) == pytest.approx(one.score(x, y))
    if "Class" in name:
        same(made.predict_proba(cut(x)), one.predict_proba(x))
    with pytest.raises(ValueError, match="311"):
        made.fit(cut(x), y[:-1])


@pytest.mark.parametrize("name", ["KMeans", "PCA", "LinearRegression", "LogisticRegression"])
def test_wrong_input(name):
    x, y, _ = numbers()
    y = (y > np.median(y)).astype(int)
    model = getattr(over, name)()
    with pytest.raises(TypeError, match=f"phalanx.ml.{name} takes that"):
        model.fit(x, y)
    gaps = x.copy()
    gaps[250, 1] = np.nan
    with pytest.raises(ValueError, match=f"{name} does not accept missing"):
        model.fit(blocks(gaps), blocks(y))
    assert not hasattr(model, "coef_") and not hasattr(model, "cluster_centers_")
    with pytest.raises(ValueError, match="0 sample"):
        model.fit(blocks(x[:0], (0,)), blocks(y[:0], (0,)))
    if name.endswith("Regression"):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            model.fit(blocks(x), blocks(y[:-1], (310,)))
        for wrong, text in ((np.nan, "NaN.\n" + name), (np.inf, "infinity")):
            with pytest.raises(ValueError, match=f"Input y contains {text}"):
                model.fit(blocks(x), blocks(np.where(np.arange(311) == 250, wrong, y)))
    with pytest.raises(ValueError, match="2-dimensional"):
        model.fit(blocks(x[:, 0]), blocks(y))
    made = model.fit(blocks(x), blocks(y))
    method = made.transform if name == "PCA" else made.predict
    with pytest.raises(ValueError, match="4 features"):
        method(blocks(x[:, :4]))


@pytest.mark.parametrize("module", ["", *over.MODULES])
def test_all_names_are_imported(module):
    given = {}
    exec(f"from {'.'.join(filter(None, ('phalanx.ml.dask', module)))} import *", given)
    names = over.MODULES[module] if module else [name for t in over.MODULES.values() for name in t]
    assert set(names) <= set(given)


def test_names_of_features():
    x, y, _ = numbers()
    made = over.LinearRegression().fit(frames(x), frames(y))
    assert made.feature_names_in_.tolist() == [f"f{i}" for i in range(5)]
    other = frames(x).rename(columns={"f0": "g"})
    with pytest.raises(ValueError, match="feature names"):
        made.predict(other)
