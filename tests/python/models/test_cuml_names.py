"""Programs for cuML under ``phalanx run``, and each of its names: there, or refused by name."""

import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from phalanx._models.names import OF_SCIKIT_LEARN, module_of
from phalanx.compat import _cuml_table, cuml
from phalanx.compat.cuml.modules import find

import phalanx as px

pytest.importorskip("sklearn", minversion="1.7")

PROGRAM = """
import pickle
import numpy as np
import cudf
import cuml
import cuml.cluster
from cuml.cluster import DBSCAN, KMeans
from cuml.common import Handle
from cuml.datasets import make_blobs, make_regression
from cuml.linear_model import LogisticRegression, Ridge
from cuml.metrics import r2_score
from cuml.metrics.cluster import adjusted_rand_score
from cuml.model_selection import train_test_split
from cuml.preprocessing import StandardScaler

x, y = make_blobs(n_samples=300, n_features=3, centers=4, random_state=1)
assert x.dtype == np.float32 and type(x).__name__ == "ndarray"
model = KMeans(n_clusters=4, random_state=0, handle=Handle(n_streams=2), verbose=False).fit(x)
assert adjusted_rand_score(y, model.labels_) > 0.9
assert cuml.KMeans is KMeans is cuml.cluster.KMeans
frame = cudf.DataFrame(np.asarray(x), columns=list("abc"))
labels = DBSCAN(eps=1.0, max_mbytes_per_batch=10).fit_predict(frame)
assert isinstance(labels, cudf.Series), type(labels)
learn, test, of_learn, of_test = train_test_split(frame.assign(t=y), "t", random_state=0)
assert list(learn.columns) == list("abc") and len(test) == 75
kinds = LogisticRegression(tol=1e-3).fit(learn, of_learn, convert_dtype=True)
assert kinds.score(test, of_test) > 0.9
again = pickle.loads(pickle.dumps(kinds))
assert type(again) is LogisticRegression
assert (again.predict(test) == kinds.predict(test)).all()
a, b = make_regression(200, 5, noise=0.1, random_state=0)
assert r2_score(b, Ridge(solver="eig").fit(a, b).predict(a)) > 0.99
with cuml.using_output_type("numpy"):
    assert isinstance(StandardScaler().fit_transform(x), np.ndarray)
cuml.set_global_output_type("pandas")
assert type(StandardScaler().fit_transform(x)).__module__.startswith("pandas")
try:
    import cuml.dask.manifold
except ModuleNotFoundError as error:
    print(error)
from cuml import PCA, metrics
print("done", PCA(n_components=2).fit(np.asarray(x)).components_.shape, len(dir(metrics)))
"""


def test_a_program_runs_unchanged(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(PROGRAM)
    command = [sys.executable, "-m", "phalanx", "run", str(script)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "phalanx does not provide cuml.dask.manifold; docs/guide/dask.md" in done.stdout
    assert "done (2, 3)" in done.stdout


NAMES = [(module, name) for module, names in _cuml_table.NAMES.items() for name in names.split()]


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_each_name_is_there_or_refused(module, name):
    known = (
        name == "train_test_split"
        or module_of(name)
        or name in OF_SCIKIT_LEARN.get(module, "").split()
    )
    if not known:
        with pytest.raises(NotImplementedError, match=f"cuml.{module}.{name} is not served"):
            find(module, name)
        assert not hasattr(cuml, name)
        return
    made = find(module, name)
    if isinstance(made, type) and hasattr(made, "fit") and module_of(name):
        model = made()
        assert {"output_type", "handle", "verbose"} <= set(model.get_params())
        assert made(**model.get_params()).get_params() == model.get_params()
        with model._as_ours():
            model._check_options()


def data():
    random = np.random.default_rng(0)
    return random.normal(size=(60, 3)).astype(np.float32), np.arange(60) % 2


KINDS = {
    "numpy": np.ndarray,
    "array": px.ndarray,
    "cupy": px.ndarray,
    "dataframe": px.DataFrame,
    "cudf": px.DataFrame,
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_results(kind):
    x, _ = data()
    model = cuml.StandardScaler(output_type=kind).fit(x)
    assert isinstance(model.transform(x), KINDS[kind])
    if kind == "cudf":
        assert isinstance(model.mean_, px.Series)
    elif kind != "dataframe":
        assert isinstance(model.mean_, KINDS[kind])
    plain = cuml.StandardScaler().fit(x).transform(x)
    assert isinstance(plain, np.ndarray)
    np.testing.assert_allclose(np.asarray(model.transform(x)), plain)


def test_results_of_input_have_its_kind():
    import pandas as pd

    x, y = data()
    for given, column, table in (
        (x, np.ndarray, np.ndarray),
        (px.asarray(x), px.ndarray, px.ndarray),
        (px.DataFrame(x), px.Series, px.DataFrame),
        (pd.DataFrame(x), pd.Series, pd.DataFrame),
    ):
        model = cuml.GaussianNB().fit(given, y)
        assert isinstance(model.predict(given), column)
        assert isinstance(model.predict_proba(given), table)
        assert isinstance(cuml.PCA(n_components=2).fit_transform(given), table)


def test_parameters_of_cuml():
    x, y = data()
    for model in (
        cuml.KMeans(n_clusters=3, init="scalable-k-means++", oversampling_factor=3.0),
        cuml.KMeans(n_clusters=3, init="k-means||", random_state=1),
        cuml.NearestNeighbors(algorithm="rbc", algo_params={}),
        cuml.PCA(svd_solver="jacobi"),
        cuml.TruncatedSVD(algorithm="jacobi"),
        cuml.Ridge(solver="cd"),
    ):
        before = model.get_params()
        model.fit(x, y)
        assert model.get_params() == before
    with pytest.raises(NotImplementedError, match=r"Ridge\(normalize=True\) is not supported"):
        cuml.Ridge(normalize=True).fit(x, y)
    with pytest.raises(ValueError, match="output_type must be one of"):
        cuml.Ridge(output_type="torch").fit(x, y)
    with pytest.raises(ValueError, match="output_type must be one of"):
        cuml.set_global_output_type("torch")
    with pytest.raises(TypeError, match="unexpected keyword"):
        cuml.Ridge(beta=1)
    with pytest.raises(ValueError, match="several columns are no series"):
        cuml.StandardScaler(output_type="series").fit_transform(x)


def test_each_class_fits_as_it_is_made():
    # `Lasso` had not what its class sets beside its parameters.
    x, y = np.abs(data()[0]), data()[1]
    others = {"CountVectorizer", "TfidfVectorizer", "LabelBinarizer", "LabelEncoder"}
    others |= {"GaussianRandomProjection", "SparseRandomProjection"}  # too few features for them
    made = {find(*each) for each in NAMES if module_of(each[1]) and each[1] not in others}
    for kind in made:
        if isinstance(kind, type) and hasattr(kind, "fit"):
            kind().fit(x, y)


@pytest.mark.parametrize(
    ("name", "options", "same"),
    [
        ("RandomForestClassifier", {"split_criterion": "entropy"}, {"criterion": "entropy"}),
        ("RandomForestClassifier", {"split_criterion": 1}, {"criterion": "entropy"}),
        ("RandomForestClassifier", {"max_leaves": 3, "n_bins": 9}, {"max_leaf_nodes": 3}),
        ("RandomForestClassifier", {"n_streams": 1, "max_batch_size": 8}, {}),
        ("RandomForestRegressor", {"split_criterion": 4}, {"criterion": "poisson"}),
        ("HDBSCAN", {"max_cluster_size": 0, "build_algo": "nn_descent"}, {}),
        ("SVC", {"nochange_steps": 9}, {}),
        ("TSNE", {"method": "fft", "n_neighbors": 9, "max_iter": 250}, {"max_iter": 250}),
        ("UMAP", {"build_algo": "nn_descent", "hash_input": True, "n_epochs": 9}, {"n_epochs": 9}),
    ],
)
def test_parameters_by_cumls_names(name, options, same):
    x, y = data()
    ours = find(module_of(name), name)
    if "random_state" in ours().get_params():
        options, same = {**options, "random_state": 0}, {**same, "random_state": 0}
    model = ours(**options)
    before = model.get_params()
    results = "fit_predict" if name == "HDBSCAN" else "fit_transform"
    other = ours(**same)
    if hasattr(model, results):
        found, wanted = (getattr(each, results)(x) for each in (model, other))
    else:
        found, wanted = (each.fit(x, y).predict(x) for each in (model, other))
    np.testing.assert_array_equal(found, wanted)
    assert model.get_params() == before


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("HDBSCAN", {"gen_min_span_tree": True}),
        ("TSNE", {"late_exaggeration": 2.0}),
        ("UMAP", {"a": 1.0}),
    ],
)
def test_parameters_that_would_change_results_are_refused(name, options):
    (given,) = options.items()
    text = f"{name}.{given[0]}={given[1]!r}. is not supported"
    with pytest.raises(NotImplementedError, match=text):
        getattr(cuml, name)(**options).fit(data()[0])


def test_clones_and_pickles():
    from sklearn.base import clone

    x, y = data()
    model = cuml.LogisticRegression(output_type="numpy").fit(x, y)
    assert clone(model).get_params() == model.get_params()
    assert not hasattr(clone(model), "coef_")
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(px.asarray(x)), model.predict(x))
    assert isinstance(again.coef_, np.ndarray)


def test_two_threads_use_a_model_whose_parameters_have_other_names():
    # The second one to leave took our name of a value for the program's.
    model = cuml.KMeans(2)
    events = [(threading.Event(), threading.Event()) for _ in range(2)]

    def use(entered, may_leave):
        with model._as_ours():
            entered.set()
            may_leave.wait(10)

    threads = [threading.Thread(target=use, args=each) for each in events]
    for thread, (entered, _) in zip(threads, events, strict=True):
        thread.start()
        assert entered.wait(10)
    for thread, (_, may_leave) in zip(threads, events, strict=True):
        may_leave.set()
        thread.join()
    assert model.init == "scalable-k-means++"
