"""A fit that raises leaves a model as it was, and warnings point to the program's own line."""

import importlib
import inspect
import pickle
import warnings

import numpy as np
import phalanx._models.exceptions as exceptions
import pytest
from phalanx._models.base import Estimator
from phalanx._models.names import MODULES
from phalanx.ml.cluster import MiniBatchKMeans
from phalanx.ml.ensemble import (
    HistGradientBoostingRegressor,
    IsolationForest,
    RandomForestRegressor,
)
from phalanx.ml.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from phalanx.ml.linear_model import Lasso, LogisticRegression, SGDClassifier
from phalanx.ml.manifold import UMAP
from phalanx.ml.naive_bayes import MultinomialNB
from phalanx.ml.preprocessing import KBinsDiscretizer, StandardScaler

DRAW = np.random.default_rng(0)
X = np.abs(DRAW.normal(size=(40, 4)))
Y = np.arange(40) % 2
TEXTS = ["The dog", "it's a fox"]
BAD = np.full((40, 3), np.inf)
GIVEN = {
    "GaussianRandomProjection": {"n_components": 2},
    "SparseRandomProjection": {"n_components": 2},
    "TSNE": {"perplexity": 5, "max_iter": 250},
}
# These look at no samples when they are fitted, or take infinities.
TOLERANT = ("FeatureHasher", "FunctionTransformer", "HashingVectorizer", "HDBSCAN")


def kinds():
    for module, table in MODULES.items():
        for name in table:
            made = getattr(importlib.import_module(f"phalanx.ml.{module}"), name)
            if isinstance(made, type) and issubclass(made, Estimator):
                yield made


def samples_of(kind):
    """What a class is fitted with, and what it refuses."""
    if kind.__name__ == "DictVectorizer":
        return ([{"one": 1}, {"two": "b"}],), (["one two"],)
    if kind.__name__.endswith("Vectorizer"):
        return (["one two", "two three"],), (None,)
    names = list(inspect.signature(kind.fit).parameters)
    if names[1] != "X":
        several = kind.__name__ == "MultiLabelBinarizer"
        return ([[1, 2], [1]] if several else Y,), (3,)
    if kind.__name__ == "CategoricalNB":
        return (np.round(X), Y), (BAD, Y)
    if kind.__name__.startswith("HistGradientBoosting"):  # infinities are as good as others
        return (X, Y), (X, Y[:-1])
    return (X, Y), (BAD, Y)


def state_of(model):
    return {name: pickle.dumps(value) for name, value in vars(model).items()}


@pytest.mark.parametrize("kind", list(kinds()), ids=lambda kind: kind.__name__)
def test_a_fit_that_fails_changes_nothing(kind):
    good, bad = samples_of(kind)
    model = kind(**GIVEN.get(kind.__name__, {}))
    for _ in range(2):  # not fitted, and fitted
        before = state_of(model)
        methods = [name for name in ("fit", "partial_fit", "fit_transform") if hasattr(model, name)]
        for name in methods:
            try:
                getattr(model, name)(*bad)
            except (TypeError, ValueError):
                assert state_of(model) == before, name
            else:
                assert kind.__name__ in TOLERANT
                return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(*good)


@pytest.mark.parametrize(
    "model",
    [
        RandomForestRegressor(2, warm_start=True, random_state=0),
        HistGradientBoostingRegressor(max_iter=2, warm_start=True),
        SGDClassifier(warm_start=True, random_state=0),
        StandardScaler(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_model_works_on_after_a_fit_that_failed(model):
    model.fit(X, Y)
    use = model.predict if hasattr(model, "predict") else model.transform
    before = use(X)
    with pytest.raises(ValueError, match=r"inconsistent|sample_weight|features"):
        if hasattr(model, "predict"):
            model.fit(X[:, :2], Y[:7])
        else:
            model.partial_fit(X, None, np.ones(3))
    np.testing.assert_array_equal(use(X), before)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (RandomForestRegressor(2, warm_start=True), "estimators_"),
        (IsolationForest(n_estimators=2, warm_start=True), "estimators_samples_"),
        (HistGradientBoostingRegressor(max_iter=2, warm_start=True), "_steps"),
    ],
    ids=["forest", "isolation", "boosting"],
)
def test_more_trees_are_not_added_to_the_lists_of_the_fit_before(model, name):
    model.fit(X, Y)
    before = getattr(model, name)
    count = len(before)
    model.set_params(**{next(iter({"n_estimators", "max_iter"} & set(model.get_params()))): 5})
    model.fit(X, Y)
    assert len(getattr(model, name)) == 5
    assert len(before) == count


def test_counts_of_batches_are_not_changed_by_a_batch_that_fails(monkeypatch):
    model = MiniBatchKMeans(2, random_state=0).partial_fit(X)
    before = model._counts.copy()

    def fails(*_):
        raise MemoryError

    monkeypatch.setattr(MiniBatchKMeans, "_keep_labels", fails)
    with pytest.raises(MemoryError):
        model.partial_fit(X)
    np.testing.assert_array_equal(model._counts, before)


def test_a_fit_that_is_interrupted_is_undone(monkeypatch):
    model = Lasso().fit(X, Y)
    before = state_of(model)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Lasso, "_keep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X[:, :2], Y)
    assert state_of(model) == before


def test_signatures_of_fits_are_their_own():
    assert "sample_weight" in inspect.signature(StandardScaler.fit).parameters
    assert StandardScaler.fit.__doc__.startswith("Find the means")


@pytest.mark.parametrize(
    ("model", "method", "given"),
    [
        (Lasso(max_iter=1, alpha=1e-9), "fit", (X, X @ [1.0, 2, 3, 4])),
        (KBinsDiscretizer(2), "fit_transform", (np.ones((4, 1)),)),
        (SGDClassifier(max_iter=1), "fit", (X, Y[:, None])),
        (MultinomialNB(alpha=0, force_alpha=False), "fit", (np.abs(X), Y)),
        (LogisticRegression(penalty="l2"), "fit", (X, Y)),
        (UMAP(41, n_epochs=1), "fit_transform", (X,)),
        (CountVectorizer(vocabulary=["The"]), "fit", (TEXTS,)),
        (CountVectorizer(stop_words=["it's"], token_pattern=r"\w+"), "fit", (TEXTS,)),
        (CountVectorizer(tokenizer=str.split), "fit_transform", (TEXTS,)),
        (
            CountVectorizer(analyzer="char", stop_words=["a"], vocabulary="ab"),
            "transform",
            (TEXTS,),
        ),
        (HashingVectorizer(analyzer="char", stop_words=["a"]), "transform", (TEXTS,)),
        (TfidfVectorizer(dtype=np.int64), "fit", (TEXTS,)),
        (TfidfVectorizer(dtype=np.int64), "fit_transform", (TEXTS,)),
    ],
    ids=lambda each: type(each).__name__ if hasattr(each, "fit") else each,
)
def test_warnings_point_to_the_line_of_the_program(model, method, given):
    with pytest.warns((UserWarning, FutureWarning)) as seen:
        getattr(model, method)(*given)
    assert {each.filename for each in seen} == {__file__}


def test_a_warning_without_a_program_is_given_too():
    scope = {"__name__": "phalanx.nothing", "warn": exceptions.warn_user}
    with pytest.warns(UserWarning, match="alone"):
        exec("warn('alone')", scope)
