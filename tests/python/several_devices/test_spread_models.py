"""Models of spread arrays and frames are those of one device."""

import itertools
import pickle
import threading
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")
from device_group import ONE_KIND
from phalanx._arrays.spread.layout import Layout
from sklearn.base import clone

import phalanx as px
from phalanx import ml

ROWS, FEATURES = 311, 5
# Numbers of devices, and the sizes of their parts: None for even ones.
CUTS = [(1, None), (2, (300, 11)), (3, None), (3, (100, 0, 211)), (3, (1, 309, 1))]


@pytest.fixture(params=CUTS, ids=str)
def cut(request, group):
    """A function that spreads an array over some devices."""
    count, sizes = request.param
    if count > len(group):
        pytest.skip("there are not so many devices")
    some = px.devices(*[each.name for each in group][:count])

    def spread(values):
        made = some.asarray(values)
        return made if sizes is None else made.placed(some, Layout(0, sizes))

    return spread


def numbers(dtype):
    random = np.random.default_rng(0)
    x = (random.normal(size=(ROWS, FEATURES)) * [1, 2, 3, 4, 5] + 10).astype(dtype)
    x[:150] += 30
    y = (x @ [1.0, -2, 0.5, 0, 1] + random.normal(size=ROWS)).astype(dtype)
    return x, y, (random.random(ROWS) + 0.1).astype(dtype)


def counts(dtype):
    random = np.random.default_rng(0)
    x = random.poisson([1, 2, 3, 4, 5], (ROWS, FEATURES)).astype(dtype)
    return x, (x[:, 0] + x[:, 4] > 6).astype(int) + (x[:, 1] > 3), random.random(ROWS) + 0.1


def gaps(dtype):
    x, y, weight = numbers(dtype)
    x[::7, 1] = np.nan
    x[:, 3] = 5
    return x, y, weight


def classes(dtype):
    x, _, weight = numbers(dtype)
    return x, np.searchsorted([20, 40], x[:, 0] + np.sin(x[:, 1])), weight


# Class, options, data, what is learned, methods, and whether there are weights.
MODELS = [
    ("KMeans", {"n_clusters": 4, "random_state": 3}, numbers, "cluster_centers_", "transform", 1),
    ("KMeans", {"n_clusters": 3, "init": "random", "random_state": 1, "n_init": 3}, numbers,
     "cluster_centers_", "transform", 1),
    ("PCA", {"n_components": 2, "whiten": True}, numbers,
     "components_ explained_variance_ mean_ singular_values_", "transform score_samples", 0),
    ("PCA", {"svd_solver": "full"}, numbers, "components_ noise_variance_", "transform", 0),
    ("TruncatedSVD", {"n_components": 2}, numbers, "components_ explained_variance_ratio_",
     "transform", 0),
    ("LinearRegression", {}, numbers, "coef_ intercept_ singular_", "predict", 1),
    ("LinearRegression", {"fit_intercept": False}, numbers, "coef_", "predict", 1),
    ("LinearRegression", {"positive": True}, numbers, "coef_ intercept_", "predict", 1),
    ("Ridge", {"alpha": 3.0}, numbers, "coef_ intercept_", "predict", 1),
    ("ElasticNet", {"alpha": 0.1, "tol": 1e-9}, numbers, "coef_ intercept_", "predict", 1),
    ("Lasso", {"alpha": 0.1, "tol": 1e-9}, numbers, "coef_ intercept_", "predict", 1),
    ("LogisticRegression", {"C": 0.1, "tol": 1e-6, "max_iter": 500}, classes,
     "coef_ intercept_ classes_", "predict_proba", 1),
    ("LogisticRegression", {"solver": "saga", "l1_ratio": 1.0, "C": 0.1, "tol": 1e-8,
      "max_iter": 900, "class_weight": "balanced"}, classes, "coef_", "decision_function", 1),
    ("GaussianNB", {}, counts, "theta_ var_ class_prior_", "predict_proba", 1),
    ("MultinomialNB", {}, counts, "feature_log_prob_ class_log_prior_", "predict_log_proba", 1),
    ("ComplementNB", {}, counts, "feature_log_prob_", "predict_joint_log_proba", 1),
    ("BernoulliNB", {"binarize": 2.0}, counts, "feature_log_prob_", "predict_proba", 1),
    ("StandardScaler", {}, gaps, "mean_ var_ scale_ n_samples_seen_",
     "transform inverse_transform", 1),
    ("StandardScaler", {"with_std": False}, numbers, "mean_ n_samples_seen_", "transform", 0),
    ("MinMaxScaler", {"feature_range": (-1, 2)}, gaps, "data_min_ data_range_ scale_ min_",
     "transform", 0),
    ("MaxAbsScaler", {}, gaps, "max_abs_ scale_", "transform inverse_transform", 0),
    ("KNeighborsClassifier", {"n_neighbors": 4}, classes, "classes_", "predict_proba", 0),
    ("KNeighborsRegressor", {"weights": "distance"}, numbers, "n_samples_fit_", "predict", 0),
]  # fmt: skip
IDS = [f"{name}-{number}" for number, (name, *_) in enumerate(MODELS)]


def close(found, expected, dtype, tolerance=None):
    tolerance = tolerance or {"float64": 1e-5, "float32": 5e-3}[dtype]
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.dtype == expected.dtype and found.shape == expected.shape
    scale = np.nanmax(np.abs(expected)) or 1.0
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * scale)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("model", MODELS, ids=IDS)
def test_fits(cut, model, dtype):
    name, options, data, learned, methods, is_weighted = model
    x, y, weight = data(dtype)
    spread = cut(x)
    # Steps end where the value hardly moves: a rounding moves coefficients by its square root.
    ends_by_value = "l1_ratio" in options or name == "LogisticRegression"
    apart = {"float64": 1e-4, "float32": 3e-2}[dtype] if ends_by_value else None
    for share in (None, weight) if is_weighted else (None,):
        given, shares = {}, {}
        if share is not None:
            given, shares = {"sample_weight": share}, {"sample_weight": cut(share)}
        made = getattr(ml, name)(**options).fit(spread, cut(y), **shares)
        one = getattr(ml, name)(**options).fit(x, y, **given)
        for attribute in learned.split():
            close(getattr(made, attribute), getattr(one, attribute), dtype, apart)
        assert made.n_features_in_ == FEATURES
        for method in methods.split():
            found = getattr(made, method)(spread)
            assert found.layout == spread.layout and found.group == spread.group
            close(found, getattr(one, method)(x), dtype, apart)
            close(getattr(made, method)(x), getattr(one, method)(x), dtype, apart)
        if hasattr(one, "predict"):
            found = made.predict(spread)
            assert found.layout.sizes == spread.layout.sizes
            assert (np.asarray(found) == np.asarray(made.predict(x))).all()


def test_steps_of_clusters(cut):
    x, _, weight = numbers("float64")
    for share in (None, weight):
        made = ml.KMeans(4, random_state=3).fit(cut(x), sample_weight=share)
        one = ml.KMeans(4, random_state=3).fit(x, sample_weight=share)
        assert made.n_iter_ == one.n_iter_ and np.isclose(made.inertia_, one.inertia_)
        assert np.asarray(made.labels_).tolist() == one.labels_.tolist()
        assert np.isclose(
            made.score(cut(x), sample_weight=share), one.score(x, sample_weight=share)
        )
        assert np.asarray(ml.KMeans(4, random_state=3).fit_predict(cut(x))).shape == (ROWS,)


def test_clusters_without_samples(cut):
    x, _, _ = numbers("float64")
    far = np.full((4, FEATURES), 1e3) * [[1], [2], [3], [4]]
    made, one = (ml.KMeans(4, init=far, n_init=1).fit(each) for each in (cut(x), x))
    close(made.cluster_centers_, one.cluster_centers_, "float64")
    assert made.n_iter_ == one.n_iter_


def noting(function, name, used):
    def noted(*given):
        used.append(name)
        return function(*given)

    return noted


def fitted_by_kernels(monkeypatch, reach, model, *given, **options):
    """A fit by the kernels of GPUs, on devices that reach each other's memory or do not.

    Also what was used of the two ways: steps without the host, and sums that come there.
    """
    from phalanx._models.blocks import kmeans as over
    from phalanx._models.cluster import kmeans

    used = []
    with monkeypatch.context() as patch:
        for kind, name in ((over.StepsOverDevices, "run"), (over.DeviceSums, "queued")):
            patch.setattr(kind, name, noting(getattr(kind, name), name, used))
        patch.setattr(kmeans, "steps_stay", kmeans.fits)
        patch.setattr(over, "reach_each_other", lambda samples: reach)
        return model.fit(*given, **options), used


@pytest.mark.parametrize("reach", [pytest.param(True, marks=ONE_KIND), False])
def test_sums_that_stay_on_devices(cut, monkeypatch, reach):
    for dtype, options in itertools.product(
        ("float64", "float32"), ({}, {"max_iter": 2, "tol": 0}, {"max_iter": 33, "tol": 0})
    ):
        x, _, weight = numbers(dtype)
        model = ml.KMeans(4, random_state=3, **options)
        for share in (None, weight):
            one = clone(model).fit(x, sample_weight=share)
            made, used = fitted_by_kernels(
                monkeypatch, reach, clone(model), cut(x), sample_weight=share
            )
            close(made.cluster_centers_, one.cluster_centers_, dtype)
            assert made.n_iter_ == one.n_iter_ and np.isclose(made.inertia_, one.inertia_)
            assert np.asarray(made.labels_).tolist() == np.asarray(one.labels_).tolist()
            assert made.labels_.layout == cut(x).layout._replace(axis=0)
            assert set(used) == {"run" if reach else "queued"}


@pytest.mark.parametrize("reach", [pytest.param(True, marks=ONE_KIND), False])
def test_a_step_that_leaves_a_cluster_without_samples_is_the_hosts(cut, monkeypatch, reach):
    x, _, _ = numbers("float64")
    first = np.array([x[0], x[200], x[0] + 1e4, x[200] - 1e4])
    model = ml.KMeans(4, init=first, n_init=1)
    one = clone(model).fit(x)
    made, used = fitted_by_kernels(monkeypatch, reach, clone(model), cut(x))
    close(made.cluster_centers_, one.cluster_centers_, "float64")
    assert made.n_iter_ == one.n_iter_
    if reach:
        filled = [part for part in cut(x).parts if len(part)]
        assert used == ["run", *["queued"] * len(filled), "run"]


def test_first_centers_do_not_depend_on_the_split(cut, monkeypatch):
    from phalanx._models.blocks import kmeans as over

    monkeypatch.setattr(over, "_MOST_FOR_SEEDS", 40)
    x, _, weight = numbers("float64")
    first = ml.KMeans(4, random_state=3, max_iter=1)
    other = first.fit(cut(x), sample_weight=weight).cluster_centers_
    whole = px.devices(cut(x).group[0].name).asarray(x)
    close(other, first.fit(whole, sample_weight=weight).cluster_centers_, "float64")


def test_neighbors(cut):
    x, _, _ = numbers("float64")
    x[7] = x[200]  # equal distances
    made, one = (
        ml.NearestNeighbors(n_neighbors=4).fit(cut(x)),
        ml.NearestNeighbors(n_neighbors=4).fit(x),
    )
    for queries in (x, px.asarray(x), cut(x), None):
        distances, rows = made.kneighbors(queries)
        expected = one.kneighbors(x if queries is not None else None)
        close(distances, expected[0], "float64")
        assert np.asarray(rows).tolist() == expected[1].tolist()
    assert made.kneighbors(cut(x))[0].layout == cut(x).layout
    assert made.kneighbors(x, return_distance=False).shape == (ROWS, 4)
    expected = one.kneighbors_graph(x).toarray()
    assert (made.kneighbors_graph(cut(x)).toarray() == expected).all()
    with pytest.raises(NotImplementedError, match="radius_neighbors"):
        made.radius_neighbors(x)
    with pytest.raises(ValueError, match="n_samples_fit = 311"):
        made.kneighbors(x, 312)


FITTED_ON_ONE = [
    ("KMeans", {"n_clusters": 4, "random_state": 0}, "predict"),
    ("DBSCAN", {}, None),
    ("StandardScaler", {}, "transform"),
    ("MinMaxScaler", {}, "inverse_transform"),
    ("RandomForestClassifier", {"n_estimators": 5, "random_state": 0}, "predict_proba"),
    ("SVC", {"probability": False}, "decision_function"),
    ("KNeighborsClassifier", {}, "predict"),
    ("LinearSVC", {}, "decision_function"),
    ("RidgeClassifier", {}, "predict"),
    ("GaussianRandomProjection", {"n_components": 2, "random_state": 0}, "transform"),
    ("KernelDensity", {}, "score_samples"),
]


@pytest.mark.parametrize(("name", "options", "method"), FITTED_ON_ONE)
def test_models_of_one_device_take_spread_samples(cut, group, name, options, method):
    x, y, _ = classes("float64")
    for there in (x, px.asarray(x, device=group[-1].name)):
        model = getattr(ml, name)(**options).fit(there, y)
        if method is None:
            continue
        found = getattr(model, method)(cut(x))
        assert found.layout.sizes == cut(x).layout.sizes
        close(found, getattr(model, method)(there), "float64")


def test_a_sparse_result_is_refused(cut):
    x = counts("float64")[0]
    model = ml.OneHotEncoder().fit(x)
    with pytest.raises(NotImplementedError, match=r"transform gives .*: x\.gather"):
        model.transform(cut(x))


def test_fits_that_need_all_samples(cut):
    x, y, _ = classes("float64")
    for name in ("DBSCAN", "MiniBatchKMeans", "RobustScaler", "CategoricalNB", "SVC"):
        with pytest.raises(NotImplementedError, match=rf"{name}\.fit is not done over devices"):
            getattr(ml, name)().fit(cut(x), y)
    with pytest.raises(ValueError, match="Minimum of desired feature range"):
        ml.MinMaxScaler(feature_range=(1, 0)).fit(cut(x))
    with pytest.raises(NotImplementedError, match=r"GaussianNB\.partial_fit is not done"):
        ml.GaussianNB().partial_fit(cut(x), y, classes=[0, 1, 2])


def test_frames_and_targets_of_the_host(group):
    import pandas as pd

    x, y, weight = numbers("float64")
    names = [f"f{i}" for i in range(FEATURES)]
    table = px.SpreadFrame(pd.DataFrame(x, columns=names), group)
    one = ml.LinearRegression().fit(x, y, weight)
    for targets in (y, list(y), px.asarray(y), pd.Series(y), group.asarray(y)):
        made = ml.LinearRegression().fit(table, targets, sample_weight=weight)
        close(made.coef_, one.coef_, "float64")
        assert made.feature_names_in_.tolist() == names
    found = made.predict(table)
    assert found.layout.sizes == tuple(len(each) for each in table.parts)
    close(found, one.predict(x), "float64")
    with pytest.raises(ValueError, match="feature names"):
        made.predict(table.rename(columns={"f0": "g"}))
    heavy = ml.Ridge().fit(table, y, sample_weight=2.0)
    close(heavy.coef_, ml.Ridge().fit(x, y, sample_weight=2.0).coef_, "float64")


def test_pipelines(cut):
    from phalanx.ml.pipeline import make_pipeline

    x, y, _ = classes("float64")
    steps = ml.StandardScaler(), ml.PCA(3), ml.LogisticRegression()
    made, one = (make_pipeline(*map(clone, steps)).fit(each, y) for each in (cut(x), x))
    close(made.predict_proba(cut(x)), one.predict_proba(x), "float64", 1e-4)
    assert made.score(cut(x), cut(y)) == one.score(x, y)


def test_rows_of_objects_and_methods_that_depend_on_parameters(cut):
    x, y, _ = classes("float64")
    near = ml.NearestNeighbors(radius=2.0).fit(x)
    for found, expected in zip(
        near.radius_neighbors(cut(x)), near.radius_neighbors(x), strict=True
    ):
        assert all(np.array_equal(*pair) for pair in zip(found, expected, strict=True))
    model = ml.SGDClassifier(loss="log_loss", random_state=0, max_iter=5, tol=None).fit(x, y)
    found = model.predict_proba(cut(x))
    assert found.layout.sizes == cut(x).layout.sizes
    close(found, model.predict_proba(x), "float64")
    with pytest.raises(AttributeError, match="predict_proba"):
        ml.SGDClassifier().fit(x, y).predict_proba(cut(x))


def test_classes_of_texts(cut):
    x, y, _ = classes("float64")
    y = np.array(["few", "more", "many"])[y]
    made, one = (ml.LogisticRegression(C=0.1).fit(each, y) for each in (cut(x), x))
    assert made.classes_.tolist() == ["few", "many", "more"]
    assert made.predict(cut(x)).tolist() == one.predict(x).tolist()
    assert made.score(cut(x), y) == one.score(x, y)


def test_transposed_samples(group):
    x, y, _ = numbers("float64")
    wide = group.asarray(np.ascontiguousarray(x.T), axis=1).T  # split along the samples
    columns = group.asarray(x, axis=1)
    one = ml.Ridge().fit(x, y)
    for each in (wide, columns):
        close(ml.Ridge().fit(each, y).coef_, one.coef_, "float64")
        close(one.predict(each), one.predict(x), "float64")


def test_features_far_from_zero(cut):
    x, y, _ = classes("float64")
    x[:, 2] += 1e7
    options = {"tol": 1e-8, "max_iter": 1000}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made, one = (ml.LogisticRegression(**options).fit(each, y) for each in (cut(x), x))
    close(made.coef_, one.coef_, "float64", 1e-3)


@pytest.mark.filterwarnings("ignore:lbfgs failed to converge")
@pytest.mark.parametrize("name", ["KMeans", "PCA", "LinearRegression", "LogisticRegression"])
def test_wrong_input(cut, name):
    x, y, weight = classes("float64")
    model = getattr(ml, name)()
    gaps = x.copy()
    gaps[250, 1] = np.nan
    with pytest.raises(ValueError, match=f"{name} does not accept missing"):
        model.fit(cut(gaps), y)
    with pytest.raises(ValueError, match="2-dimensional"):
        model.fit(cut(x[:, 0]), y)
    with pytest.raises(ValueError, match="0 sample"):
        model.fit(cut(x).group.asarray(x[:0]), y[:0])
    if name.endswith("Regression"):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            model.fit(cut(x), y[:-1])
        for wrong, text in ((np.nan, "NaN.\n" + name), (np.inf, "infinity")):
            with pytest.raises(ValueError, match=f"Input y contains {text}"):
                model.fit(cut(x), np.where(np.arange(len(y)) == 250, wrong, y))
        with pytest.raises(ValueError, match="the target y is None"):
            model.fit(cut(x), None)
        with pytest.raises(TypeError, match="'y'"):
            model.fit(cut(x))
    if name != "PCA":
        with pytest.raises(ValueError, match="at least one non-zero"):
            model.fit(cut(x), y, sample_weight=weight * 0)
        with pytest.raises(ValueError, match="Negative values"):
            model.fit(cut(x), y, sample_weight=-weight)
    assert "n_features_in_" not in vars(model)
    model.fit(cut(x), y)
    with pytest.raises(ValueError, match="4 features"):
        (model.transform if name == "PCA" else model.predict)(cut(x[:, :4]))


def test_models_are_pickled(cut):
    x, y, _ = classes("float64")
    for model in (ml.KMeans(3, random_state=0), ml.KNeighborsClassifier()):
        model.fit(cut(x), y)
        again = pickle.loads(pickle.dumps(model))
        assert (np.asarray(again.predict(x)) == np.asarray(model.predict(x))).all()


def test_each_device_has_a_thread_and_is_current(group):
    from phalanx._models.blocks.on_devices import run_on

    here = threading.Barrier(len(group), timeout=30)  # each waits for all others

    def name():
        here.wait()
        return px.asarray(np.ones(3)).device, px.ones(2).device

    names = [each.name for each in group]
    assert run_on(group, name) == [(each, each) for each in names]


def test_work_on_all_devices_is_of_the_programs_line(group):
    from phalanx.ml.cluster import KMeans

    x = group.default_rng(0).random(size=(600, 4))
    with px.profile() as taken:
        KMeans(3, n_init=1, random_state=0).fit(x)
    files = {each.site.file for each in taken.records if each.site is not None}
    assert files == {"test_spread_models.py"}


def test_samples_of_one_feature_are_told_how_to_be_rows(group):
    x = group.arange(9) * 1.0
    with pytest.raises(ValueError, match=r"got 1D array .* X\.reshape\(-1, 1\)"):
        ml.KMeans(2).fit(x)
    assert ml.KMeans(2, random_state=0).fit(x.reshape(-1, 1)).labels_.shape == (9,)


ON_ANY_DEVICE = {
    "LogisticRegression": lambda: ml.LogisticRegression(tol=1e-3),
    "wide LinearSVC": lambda: ml.LinearSVC(random_state=0, tol=1e-2),
}


@ONE_KIND
@pytest.mark.parametrize("name", ON_ANY_DEVICE)
def test_each_device_of_a_kind_goes_the_same_way(group, name):
    random = np.random.default_rng(0)
    host = random.normal(size=(60, 600 if "wide" in name else 5))
    classes = (host[:, 0] + random.normal(size=60) > 0).astype(int)
    first, last = (
        ON_ANY_DEVICE[name]().fit(px.asarray(host, device=each), classes)
        for each in (group[0], group[-1])
    )
    assert np.array_equal(np.asarray(first.coef_), np.asarray(last.coef_))
    assert first.n_iter_ == last.n_iter_
