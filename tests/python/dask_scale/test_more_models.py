"""Naive Bayes, truncated decompositions and forests over Dask's blocks."""

from importlib.util import find_spec

import numpy as np
import pytest

pytest.importorskip("dask.array")
pytest.importorskip("sklearn")
import dask
import dask.array as da
from phalanx.ml import dask as over

import phalanx as px
from phalanx import ml

ROWS = (100, 1, 150, 0, 60)


@pytest.fixture(autouse=True)
def one_process():
    with dask.config.set(scheduler="sync"):
        yield


def blocks(values, rows=ROWS):
    return da.from_array(values, chunks=(rows, *[-1] * (values.ndim - 1)))


def ours(values, rows=ROWS):
    return blocks(values, rows).map_blocks(px.asarray)


def frames(values):
    import dask.dataframe as dd
    import pandas as pd

    if values.ndim == 1:
        return dd.from_pandas(pd.Series(values), npartitions=3)
    names = [f"f{i}" for i in range(values.shape[1])]
    return dd.from_pandas(pd.DataFrame(values, columns=names), npartitions=3)


LAYOUTS = {"numpy": blocks, "ours": ours, "frames": frames}


def counts(dtype="float64", count=311, seed=0):
    random = np.random.default_rng(seed)
    x = random.poisson([1, 2, 3, 4, 5], (count, 5)).astype(dtype)
    y = np.array(["few", "many", "more"])[(x[:, 0] + x[:, 4] > 6).astype(int) + (x[:, 1] > 3)]
    return x, y, random.random(count) + 0.1


def same(found, expected, rtol):
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=rtol, atol=rtol)


NAIVE_BAYES = [
    ("MultinomialNB", {}),
    ("MultinomialNB", {"alpha": 0.1, "fit_prior": False}),
    ("ComplementNB", {"norm": True}),
    ("BernoulliNB", {"binarize": 2.0}),
    ("GaussianNB", {}),
    ("GaussianNB", {"var_smoothing": 0.1, "priors": [0.2, 0.3, 0.5]}),
]
LEARNED = ("class_count_", "feature_count_", "feature_log_prob_", "class_log_prior_", "theta_")
LEARNED += ("var_", "class_prior_", "feature_all_")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("name", "options"), NAIVE_BAYES)
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_naive_bayes(name, options, layout):
    import sklearn.naive_bayes

    dtype = "float32" if layout == "ours" else "float64"
    tolerance = 1e-9 if dtype == "float64" else 1e-4
    x, y, weight = counts(dtype)
    cut = LAYOUTS[layout]
    labels = cut(y) if layout != "ours" else blocks(y)
    for own, theirs in ((None, None), (weight, cut(weight))):
        made = getattr(over, name)(**options).fit(cut(x), labels, theirs)
        one = getattr(ml, name)(**options).fit(x, y, own)
        oracle = getattr(sklearn.naive_bayes, name)(**options).fit(x, y, own)
        for each in LEARNED:
            assert hasattr(made, each) == hasattr(one, each) == hasattr(oracle, each)
            if hasattr(one, each):
                same(getattr(made, each), getattr(one, each), tolerance)
                close = np.asarray(getattr(oracle, each), np.float64)
                assert np.allclose(np.asarray(getattr(made, each)), close, rtol=1e-4)
        assert made.predict(cut(x)).compute().tolist() == oracle.predict(x).tolist()
        found = made.predict_proba(cut(x))
        assert isinstance(found, da.Array) or layout == "frames"
        same(found.compute(), one.predict_proba(x), 10 * tolerance)


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "BernoulliNB"])
def test_counts_in_sparse_blocks(name):
    sparse = pytest.importorskip("scipy.sparse")
    x, y, _ = counts()
    cut = blocks(x).map_blocks(sparse.csr_array)
    made, one = getattr(over, name)().fit(cut, blocks(y)), getattr(ml, name)().fit(x, y)
    same(made.feature_log_prob_, one.feature_log_prob_, 1e-12)
    assert made.predict(cut).compute().tolist() == one.predict(x).tolist()


def test_what_naive_bayes_refuses():
    x, y, weight = counts()
    with pytest.raises(TypeError, match=r"phalanx\.ml\.MultinomialNB takes that"):
        over.MultinomialNB().fit(x, y)
    x[200, 3] = -1
    with pytest.raises(ValueError, match="Negative values in data passed to MultinomialNB"):
        over.MultinomialNB().fit(blocks(x), blocks(y))
    with pytest.raises(NotImplementedError, match="partial_fit"):
        over.GaussianNB().partial_fit(blocks(x), blocks(y))
    with pytest.raises(ValueError, match="at least one non-zero"):
        over.GaussianNB().fit(blocks(x), blocks(y), blocks(weight * 0))
    with pytest.raises(ValueError, match="Unknown label type"):
        over.GaussianNB().fit(blocks(x), blocks(weight))
    with pytest.raises(ValueError, match="0 sample"):
        over.GaussianNB().fit(blocks(x[:0], (0,)), blocks(y[:0], (0,)))


@pytest.mark.parametrize("name", ["GaussianNB", "LinearRegression", "LogisticRegression"])
def test_weights_that_are_0_in_a_block_leave_it_out(name):
    x, _, weight = counts()
    y = (x[:, 0] > 1).astype(int)
    weight[:100] = 0
    made = getattr(over, name)().fit(blocks(x), blocks(y), blocks(weight))
    one = getattr(ml, name)().fit(x, y, weight)
    learned = "theta_" if name == "GaussianNB" else "coef_"
    same(getattr(made, learned), getattr(one, learned), 1e-3)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rows", [311, 30])
@pytest.mark.parametrize("algorithm", ["randomized", "arpack"])
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_truncated_decompositions(algorithm, rows, layout):
    from sklearn.decomposition import TruncatedSVD

    dtype = "float32" if layout == "ours" else "float64"
    tolerance = 1e-7 if dtype == "float64" else 2e-3
    x = counts(dtype)[0][:rows]
    x = x * np.asarray([1, 2, 4, 8, 16], dtype)
    parts = (rows - 10, 10)
    cut = LAYOUTS[layout](x) if layout == "frames" else LAYOUTS[layout](x, parts)
    made = over.TruncatedSVD(3, algorithm=algorithm).fit(cut)
    oracle = TruncatedSVD(3, algorithm="arpack").fit(x)
    names = ("explained_variance_", "explained_variance_ratio_", "singular_values_")
    for name in names:
        same(getattr(made, name), getattr(oracle, name), tolerance)
    same(np.abs(made.components_), np.abs(oracle.components_), tolerance)
    same(abs(made.transform(cut).compute()), abs(oracle.transform(x)), 50 * tolerance)
    assert made.transform(cut).shape[1] == 3
    with pytest.raises(ValueError, match=r"n_components\(6\) must be <= n_features\(5\)"):
        over.TruncatedSVD(6).fit(cut)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("RandomForestClassifier", {}),
        ("RandomForestClassifier", {"class_weight": "balanced", "max_depth": 4}),
        ("RandomForestRegressor", {"max_samples": 0.5}),
    ],
)
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_forests_of_one_share_are_those_of_one_process(name, options, layout):
    x, y, weight = counts()
    if name.endswith("Regressor"):
        y = x @ [1.0, 2, 0, 0, 1]
    cut = LAYOUTS[layout]
    labels = cut(y) if y.dtype.kind == "f" or layout != "ours" else blocks(y)
    options = {"n_estimators": 7, "random_state": 3, **options}
    for own, theirs in ((None, None), (weight, cut(weight))):
        made = getattr(over, name)(**options).fit(cut(x), labels, theirs)
        one = getattr(ml, name)(**options).fit(x, y, own)
        assert len(made) == 7
        assert made.predict(cut(x)).compute().tolist() == one.predict(x).tolist()
        assert np.array_equal(np.asarray(made.apply(cut(x)).compute()), one.apply(x))
        assert np.allclose(made.feature_importances_, one.feature_importances_)


@pytest.mark.parametrize("option", ["oob_score", "warm_start"])
def test_options_that_forests_do_not_have(option):
    x, y, _ = counts()
    with pytest.raises(NotImplementedError, match=f"{option}=True"):
        over.RandomForestClassifier(**{option: True}).fit(blocks(x), blocks(y))


@pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")
def test_forests_of_two_workers(run_installed):
    run_installed("""
import dask.array as da
import numpy as np
from distributed import Client
from phalanx import ml
from phalanx.ml.dask import RandomForestClassifier

if __name__ == "__main__":
    random = np.random.default_rng(0)
    x = random.normal(size=(800, 6))
    y = (x[:, 0] + x[:, 1] * x[:, 2] > 0).astype(int)
    y[:300], y[300:400] = 0, 2  # the first worker meets one class only, of three
    cut = [da.from_array(each, chunks=(100, *each.shape[1:])) for each in (x, y)]
    options = {"n_estimators": 9, "random_state": 3, "class_weight": "balanced"}
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        model = RandomForestClassifier(**options)
        model.fit(*cut)
        assert len(model) == 9 and model.classes_.tolist() == [0, 1, 2]
        assert model.predict_proba(cut[0]).compute().shape == (800, 3)
        # The first four trees are over the first half, the others over the second.
        halves = [sum(tree.tree_.n_node_samples[0] for tree in part)
                  for part in (model.estimators_[:4], model.estimators_[4:])]
        assert halves[0] < 4 * 400 and halves[1] < 5 * 400
        first = model.estimators_[0]
        own = ml.RandomForestClassifier(1, random_state=3).fit(x[:400], y[:400])
        assert first.random_state == own.estimators_[0].random_state
        again = RandomForestClassifier(**options).fit(*cut)
        assert np.array_equal(*(each.predict(x) for each in (model, again)))
        model.fit(*cut, broadcast_data=True)
        one = ml.RandomForestClassifier(**options).fit(x, y)
        assert np.array_equal(model.predict_proba(x), one.predict_proba(x))
""")


SCORED = {
    "LinearRegression": {},
    "Ridge": {},
    "Lasso": {"alpha": 0.01},
    "ElasticNet": {"alpha": 0.01},
    "KNeighborsClassifier": {},
    "KNeighborsRegressor": {},
    "LogisticRegression": {},
    "MultinomialNB": {},
    "ComplementNB": {},
    "BernoulliNB": {},
    "GaussianNB": {},
    "RandomForestClassifier": {"n_estimators": 5, "random_state": 0},
    "RandomForestRegressor": {"n_estimators": 5, "random_state": 0},
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", SCORED)
def test_scores_of_unknown_numbers_of_rows(name, weighted):
    """Frames do not tell how many rows a part has, nor does what a mask has chosen."""
    frames, pandas = pytest.importorskip("dask.dataframe"), pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    x = np.abs(random.normal(size=(120, 3)))
    y = x @ [1.0, -2.0, 3.0]
    of_numbers = name.endswith(("Regressor", "Ridge", "Lasso", "Net", "LinearRegression"))
    y = y if of_numbers else (y > 1) * 1
    weight = random.random(120) if weighted else None
    frame = frames.from_pandas(pandas.DataFrame(x, columns=list("abc")), npartitions=3)
    target = frames.from_pandas(pandas.Series(y), npartitions=3)
    share = None if weight is None else da.from_array(weight, chunks=40)
    model = getattr(over, name)(**SCORED[name]).fit(frame, target)
    expected = model.score(pandas.DataFrame(x, columns=list("abc")), y, weight)
    arrays = frame.to_dask_array(), target.to_dask_array()
    for samples, true in ((frame, target), arrays, (frame, y), (blocks(x, (40, 80)), target)):
        assert model.score(samples, true, share) == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ValueError):
        model.score(frame, y[:-1])
