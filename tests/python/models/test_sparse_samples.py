"""Sparse samples: the estimators that take them against scikit-learn's."""

import importlib
import itertools
import time

import numpy as np
import pytest
from phalanx._models import sparse_loops

import phalanx as px

pytest.importorskip("sklearn", minversion="1.7")
scipy_sparse = pytest.importorskip("scipy.sparse")

FORMATS = ["csr_matrix", "csc_array", "coo_matrix", "lil_array"]
CLASSIFIERS = [
    ("naive_bayes", "MultinomialNB", {}),
    ("naive_bayes", "ComplementNB", {"norm": True}),
    ("naive_bayes", "BernoulliNB", {"binarize": 1.0}),
    ("linear_model", "LogisticRegression", {"tol": 1e-7, "max_iter": 500}),
    (
        "linear_model",
        "LogisticRegression",
        {"solver": "saga", "l1_ratio": 0.5, "tol": 1e-7, "max_iter": 5000},
    ),
]
# Two classes or numbers; those without a shuffle take scikit-learn's steps.
STEPS = {"shuffle": False, "max_iter": 7, "tol": None}
OTHERS = [
    ("svm", "LinearSVC", {"tol": 1e-8, "max_iter": 5000}),
    ("svm", "LinearSVC", {"tol": 1e-8, "max_iter": 50000, "loss": "hinge", "C": 0.1}),
    ("svm", "LinearSVC", {"tol": 1e-8, "max_iter": 5000, "penalty": "l1", "dual": False}),
    ("svm", "LinearSVR", {"tol": 1e-8, "max_iter": 50000, "epsilon": 0.1, "C": 0.1}),
    ("linear_model", "SGDClassifier", STEPS),
    ("linear_model", "SGDClassifier", {**STEPS, "loss": "log_loss", "alpha": 0.1}),
    ("linear_model", "SGDRegressor", {**STEPS, "eta0": 1e-3}),
    ("linear_model", "Perceptron", STEPS),
]


def counts(dtype="float64", classes=3, rows=80, features=12):
    """Counts of which two thirds are 0, a class for each row, and weights."""
    random = np.random.default_rng(3)
    y = random.integers(0, classes, rows)
    rates = random.gamma(0.3, 1.5, (classes, features))
    dense = random.poisson(rates[y]).astype(dtype)
    return dense, np.array(["b", "a", "c"])[y], random.integers(1, 4, rows) / 2


def sparse(dense, kind, index="int32"):
    made = getattr(scipy_sparse, kind)(dense)
    if hasattr(made, "indptr"):
        made.indices, made.indptr = made.indices.astype(index), made.indptr.astype(index)
    return made


def both(module, name, options):
    for package in ("phalanx.ml", "sklearn"):
        yield getattr(importlib.import_module(f"{package}.{module}"), name)(**options)


def close(found, expected, dtype, factor=1):
    relative = (1e-2 if dtype == "float32" else 1e-4) * factor
    np.testing.assert_allclose(found, expected, rtol=5 * relative, atol=5 * relative)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize(("module", "name", "options"), CLASSIFIERS)
def test_classifiers_are_those_of_scikit_learn(module, name, options, dtype, weighted, classes):
    dense, y, weight = counts(dtype, classes)
    x = sparse(dense, "csr_matrix")
    ours, theirs = both(module, name, options)
    given = {"sample_weight": weight} if weighted else {}
    ours.fit(x, y, **given)
    # scikit-learn's saga slows its intercept's steps on sparse data, and does not get there.
    theirs.fit(dense if "solver" in options else x, y, **given)
    assert ours.n_features_in_ == 12
    assert np.mean(ours.predict(x) == theirs.predict(x)) > 0.98
    for method in ("predict_proba", "decision_function"):
        if hasattr(theirs, method):
            assert isinstance(getattr(ours, method)(x), np.ndarray)
            close(getattr(ours, method)(x), getattr(theirs, method)(x), dtype)


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(("module", "name", "options"), CLASSIFIERS)
def test_every_format_gives_what_dense_samples_give(module, name, options, kind, index):
    dense, y, weight = counts()
    x = sparse(dense, kind, index)
    kept = x.copy()
    one, other = (next(both(module, name, options)) for _ in range(2))
    one.fit(x, y, sample_weight=weight)
    other.fit(dense, y, sample_weight=weight)
    assert (x != kept).nnz == 0
    close(one.predict_proba(x), other.predict_proba(dense), "float64")
    close(one.predict_proba(dense), other.predict_proba(x), "float64")


@pytest.mark.filterwarnings("ignore:.*onverge")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["csr_matrix", "csc_array"])
@pytest.mark.parametrize(("module", "name", "options"), OTHERS)
def test_linear_models_are_those_of_scikit_learn(module, name, options, kind, weighted):
    dense, y, weight = counts(classes=2)
    y = (y == "b") * 1
    x = sparse(dense, kind)
    ours, theirs = both(module, name, options)
    given = {"sample_weight": weight} if weighted else {}
    ours.fit(x, y, **given)
    theirs.fit(x, y, **given)
    close(np.ravel(ours.coef_), np.ravel(theirs.coef_), "float64", 10)
    close(np.ravel(ours.intercept_), np.ravel(theirs.intercept_), "float64", 10)
    assert np.mean(np.abs(ours.predict(x) - theirs.predict(x))) < 1e-2


@pytest.mark.parametrize("kind", ["sparse", "dense"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("LinearSVC", {"C": 0.1}),
        ("LinearSVR", {"loss": "squared_epsilon_insensitive", "dual": True, "C": 0.1}),
        ("LinearSVR", {"loss": "squared_epsilon_insensitive", "dual": True, "epsilon": 0.2}),
    ],
)
def test_squared_losses_of_many_features(name, options, weighted, kind):
    # 1,000 steps of L-BFGS did not get there: 26 s for 500 documents of 20,000 terms.
    dense, y, weight = counts(classes=2, features=600)
    y = (y == "b") * 1
    x = sparse(dense, "csr_matrix") if kind == "sparse" else dense
    given = {"sample_weight": np.where(y, weight, 0.5) * (np.arange(80) != 3)} if weighted else {}
    ours, theirs = both("svm", name, {"tol": 1e-9, "max_iter": 20_000, **options})
    ours.fit(x, y, **given)
    theirs.fit(x, y, **given)
    assert ours.n_iter_ < 20_000
    np.testing.assert_allclose(np.ravel(ours.coef_), np.ravel(theirs.coef_), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("penalty", ["l2", "l1", "elasticnet", None])
def test_stochastic_gradients_are_those_of_dense_samples(penalty, average):
    dense, y, weight = counts()
    options = {"penalty": penalty, "average": average, "random_state": 0, "alpha": 1e-2}
    options["fit_intercept"] = False  # whose steps are shorter on sparse samples, as theirs
    one, other = (next(both("linear_model", "SGDClassifier", options)) for _ in range(2))
    one.fit(sparse(dense, "csr_matrix"), y, sample_weight=weight)
    other.fit(dense, y, sample_weight=weight)
    if penalty == "elasticnet":  # what squares take is taken before what is cut later
        np.testing.assert_allclose(one.coef_, other.coef_, rtol=0.1, atol=0.1)
        return
    close(one.coef_, other.coef_, "float64")
    assert one.n_iter_ == other.n_iter_
    early = next(both("linear_model", "SGDClassifier", {"early_stopping": True}))
    assert early.fit(sparse(dense, "csr_matrix"), y).score(dense, y) > 0.5


def test_a_step_with_absolute_values_costs_what_the_sample_has():
    # Each step went over all features: 20 s for these, where all have 80,000 numbers.
    random = np.random.default_rng(0)
    columns = random.integers(0, 200_000, 80_000)
    ends = np.arange(0, 80_001, 8)
    x = scipy_sparse.csr_matrix((np.ones(80_000), columns, ends), (10_000, 200_000))
    model = next(both("linear_model", "SGDClassifier", {"penalty": "l1", "max_iter": 2}))
    model.set_params(tol=None, alpha=1e-3).fit(x[:5], np.arange(5) % 2)
    start = time.process_time()
    model.fit(x, np.arange(10_000) % 2)
    assert time.process_time() - start < 3


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "BernoulliNB"])
def test_naive_bayes_learns_from_parts(name):
    dense, y, weight = counts()
    x = sparse(dense, "csr_array")
    ours, theirs = both("naive_bayes", name, {})
    for model in (ours, theirs):
        for part in (slice(0, 10), slice(10, 80)):
            model.partial_fit(x[part], y[part], ["a", "b", "c"], weight[part])
    close(ours.feature_count_, theirs.feature_count_, "float64")
    close(ours.predict_log_proba(x), theirs.predict_log_proba(x), "float64")


def test_repeated_and_unsorted_places_are_added_up():
    dense, y, _ = counts()
    rows, columns = np.nonzero(dense)
    half = dense[rows, columns] / 2
    order = np.random.default_rng(0).permutation(2 * len(rows))
    places = tuple(np.tile(each, 2)[order] for each in (rows, columns))
    x = scipy_sparse.coo_matrix((np.tile(half, 2)[order], places), dense.shape)
    one, other = (next(both("naive_bayes", "BernoulliNB", {"binarize": 1.0})) for _ in range(2))
    assert np.array_equal(one.fit(x, y).feature_log_prob_, other.fit(dense, y).feature_log_prob_)


def test_matrices_of_ours_give_arrays_of_ours():
    dense, y, _ = counts()
    x = px.sparse.csr_matrix(dense)
    for module, name, options in CLASSIFIERS[:4]:
        model = next(both(module, name, options)).fit(x, y)
        assert isinstance(model.predict_proba(x), px.ndarray)
        close(np.asarray(model.predict_proba(x)), model.predict_proba(dense), "float64")


@pytest.mark.parametrize(("module", "name", "options"), CLASSIFIERS[:4])
def test_wrong_samples_are_refused(module, name, options):
    dense, y, _ = counts()
    model = next(both(module, name, options)).fit(dense, y)
    wrong = dense.copy()
    wrong[3, 2] = np.nan
    with pytest.raises(ValueError, match="contains NaN"):
        model.predict(sparse(wrong, "csr_matrix"))
    wrong[3, 2] = np.inf
    with pytest.raises(ValueError, match="contains infinity"):
        next(both(module, name, options)).fit(sparse(wrong, "csc_matrix"), y)
    with pytest.raises(ValueError, match="11 features"):
        model.predict(sparse(dense[:, :11], "csr_matrix"))
    with pytest.raises(ValueError, match="minimum"):
        model.predict(scipy_sparse.csr_matrix((0, 12)))
    with pytest.raises(ValueError, match="omplex"):
        model.predict(sparse(dense * 1j, "csr_matrix"))


def test_models_of_dense_samples_say_what_to_do():
    dense, y, _ = counts()
    with pytest.raises(TypeError, match="Sparse data was passed for X"):
        next(both("naive_bayes", "GaussianNB", {})).fit(sparse(dense, "csr_matrix"), y)


TRANSFORMERS = [
    ("preprocessing", "MaxAbsScaler", {}),
    ("preprocessing", "MaxAbsScaler", {"clip": True}),
    ("preprocessing", "StandardScaler", {"with_mean": False}),
    ("preprocessing", "StandardScaler", {"with_mean": False, "with_std": False}),
    ("preprocessing", "Normalizer", {}),
    ("preprocessing", "Normalizer", {"norm": "l1"}),
    ("preprocessing", "Normalizer", {"norm": "max"}),
    ("feature_extraction.text", "TfidfTransformer", {}),
]
LEARNT = ["scale_", "max_abs_", "mean_", "var_", "n_samples_seen_", "idf_"]


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize(
    "layout", [(kind, index) for kind in FORMATS for index in ("int32", "int64")]
)
@pytest.mark.parametrize(("module", "name", "options"), TRANSFORMERS)
def test_transformers_are_those_of_scikit_learn(module, name, options, layout, dtype, gaps):
    dense = counts(dtype)[0]
    dense[:, 5] = 0
    if gaps:
        if name not in ("MaxAbsScaler", "StandardScaler") or dtype == "int64":
            return
        dense[::7, 1] = np.nan
    x = sparse(dense, *layout)
    ours, theirs = both(module, name, options)
    made, expected = ours.fit(x).transform(x), theirs.fit(x).transform(x)
    assert made.format == "csr"
    assert made.dtype == expected.dtype
    assert isinstance(made, scipy_sparse.sparray) == isinstance(expected, scipy_sparse.sparray)
    close(made.toarray(), expected.toarray(), "float64")
    for each in LEARNT:
        if getattr(theirs, each, None) is not None:
            close(getattr(ours, each), getattr(theirs, each), "float64")
    if hasattr(theirs, "inverse_transform"):
        close(ours.inverse_transform(made).toarray(), dense, "float64")


@pytest.mark.parametrize(("module", "name", "options"), TRANSFORMERS)
@pytest.mark.parametrize("part", ["indices", "indptr"])
def test_matrices_that_were_made_wrong_are_refused(module, name, options, part):
    dense = counts()[0]
    model = next(both(module, name, options)).fit(dense)
    for wrong in (-1, 1000):
        x = sparse(dense, "csr_matrix")
        getattr(x, part)[3] = wrong
        with pytest.raises(ValueError, match=r"outside|Wrong `indptr`"):
            model.transform(x)


def test_scalers_learn_from_parts_and_weights_and_refuse_means():
    dense, _, weight = counts()
    x = sparse(dense, "csr_matrix")
    ours, theirs = both("preprocessing", "StandardScaler", {"with_mean": False})
    for model in (ours, theirs):
        model.partial_fit(x[:30], None, weight[:30]).partial_fit(x[30:], None, weight[30:])
    close(ours.scale_, theirs.scale_, "float64")
    with pytest.raises(ValueError, match="Cannot center sparse"):
        next(both("preprocessing", "StandardScaler", {})).fit(x)
    with pytest.raises(TypeError, match="Sparse data was passed for X"):
        next(both("preprocessing", "MinMaxScaler", {})).fit(x)
    mine = next(both("preprocessing", "MaxAbsScaler", {})).fit(x)
    assert px.sparse.issparse(mine.transform(px.sparse.csr_matrix(dense)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("rows", "features"), [(80, 12), (20, 60)])
def test_truncated_decomposition_is_that_of_scikit_learn(rows, features, dtype):
    dense = counts(dtype, rows=rows, features=features)[0]
    x = sparse(dense, "csr_matrix")
    options = {"n_components": 3, "random_state": 0, "n_iter": 9}
    ours, theirs = both("decomposition", "TruncatedSVD", options)
    made, expected = ours.fit_transform(x), theirs.fit_transform(x)
    close(np.abs(made), np.abs(expected), dtype, 10)
    close(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, dtype, 10)
    close(ours.singular_values_, theirs.singular_values_, dtype)
    close(ours.transform(x), made, dtype)
    with pytest.raises(NotImplementedError, match="arpack"):
        ours.set_params(algorithm="arpack").fit(x)


def _facts_by_rows(values, columns, ends, features):
    rows = [columns[a:b].astype(np.int64) for a, b in itertools.pairwise(ends)]
    is_sorted = all((np.diff(row) > 0).all() for row in rows)
    inside = all(((row >= 0) & (row < features)).all() for row in rows)
    return bool((values < 0).any()), is_sorted, inside


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize(
    ("place", "column", "value"),
    [(None, 0, 1.0), (0, -1, 1.0), (5, 900, 1.0), (7, 0, -1.0), (8, 3, np.nan), (-1, 0, np.inf)],
)
def test_facts_of_rows(place, column, value, dtype):
    random = np.random.default_rng(2)
    counts = random.integers(0, 4, 70_000) * (random.random(70_000) < 0.8)
    counts[:3] = counts[-2:] = 0  # rows without values at both ends
    ends = np.append(0, np.cumsum(counts))
    columns = np.concatenate([np.sort(random.permutation(900)[:n]) for n in counts]).astype(dtype)
    values = random.random(len(columns))
    if place is not None:
        columns[place], values[place] = column, value
    found = sparse_loops.facts_of(values, columns, ends, 900)
    expected = _facts_by_rows(values, columns, ends, 900)
    assert (found.has_negative, found.is_sorted, found.is_inside) == expected
    np.testing.assert_allclose(found.total, values.sum(), rtol=1e-12)


def test_rows_without_values_have_facts():
    empty = np.zeros(0)
    found = sparse_loops.facts_of(empty, empty.astype(np.int32), np.zeros(4, np.int64), 3)
    assert found == (0, False, True, True)
