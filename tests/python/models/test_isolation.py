"""Isolation forests against scikit-learn's."""

import pickle

import numpy as np
import pytest
from phalanx._models.ensemble.isolation_trees import average_path
from phalanx.ml.ensemble import IsolationForest

import phalanx as px

theirs = pytest.importorskip("sklearn.ensemble")
from sklearn.metrics import roc_auc_score  # noqa: E402


def values(dtype="float64", features=4, count=900):
    """Samples around 0, and after them 30 that are far away."""
    random = np.random.default_rng(0)
    inside = random.normal(size=(count, features))
    outside = random.uniform(3, 6, (30, features)) * random.choice([-1, 1], (30, features))
    return np.concatenate([inside, outside]).astype(dtype)


OPTIONS = [
    {},
    {"max_samples": 64},
    {"max_samples": 0.3},
    {"max_samples": 1.0},
    {"bootstrap": True},
    {"max_features": 2},
    {"max_features": 0.5},
    {"n_estimators": 30},
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_scores_are_scikit_learns(dtype, options, weighted):
    x = values(dtype)
    weight = np.random.default_rng(1).random(len(x)) if weighted else None
    options = {"n_estimators": 150, **options}
    mine, other = (
        each(random_state=0, **options).fit(x, sample_weight=weight)
        for each in (IsolationForest, theirs.IsolationForest)
    )
    found, expected = mine.score_samples(x), other.score_samples(x)
    near = 0.02 if options["n_estimators"] == 150 else 0.03
    assert np.abs(found - expected).mean() < near
    assert found.mean() == pytest.approx(expected.mean(), abs=0.015)
    assert mine.max_samples_ == other.max_samples_
    assert mine.offset_ == other.offset_ == -0.5
    is_far = np.arange(len(x)) >= 900
    assert roc_auc_score(is_far, -found) > 0.99
    assert (mine.predict(x) == np.where(found < -0.5, -1, 1)).all()


@pytest.mark.parametrize("contamination", [0.01, 0.1, 0.5])
def test_contamination_is_the_share_of_outliers(contamination):
    x = values()
    model = IsolationForest(contamination=contamination, random_state=0).fit(x)
    assert (model.predict(x) == -1).mean() == pytest.approx(contamination, abs=0.005)
    np.testing.assert_allclose(
        model.decision_function(x), model.score_samples(x) - model.offset_, atol=1e-12
    )


def test_average_paths():
    # Sums of 1 / i are about ln(n - 1) + Euler's constant.
    counts = np.array([0, 1, 2, 3, 100, 10_000])
    exact = [0.0 if n < 2 else 2 * (1 / np.arange(1, n)).sum() - 2 * (n - 1) / n for n in counts]
    assert average_path(counts) == pytest.approx(exact, rel=0.35, abs=0.1)
    assert average_path(counts)[4:] == pytest.approx(exact[4:], rel=3e-3)


def test_each_tree_holds_the_samples_that_it_drew():
    x = values()
    model = IsolationForest(n_estimators=9, max_samples=100, max_features=3, random_state=0).fit(x)
    assert len(model.estimators_) == len(model.estimators_samples_) == 9
    for rows, features in zip(model.estimators_samples_, model.estimators_features_, strict=True):
        assert len(set(rows.tolist())) == 100
        assert len(set(features.tolist())) == 3
    # A sample alone in its leaf is isolated: its path has no more than the greatest depth.
    deepest = np.ceil(np.log2(100))
    for tree, features in zip(model.estimators_, model.estimators_features_, strict=True):
        assert set(tree.feature[tree.left >= 0].tolist()) <= set(features.tolist())
        assert tree.value.max() >= deepest - 1


def test_missing_numbers_go_to_a_side():
    x = values()
    x[::7, 1] = np.nan
    mine, other = (
        each(random_state=0).fit(x) for each in (IsolationForest, theirs.IsolationForest)
    )
    assert np.abs(mine.score_samples(x) - other.score_samples(x)).mean() < 0.03
    alone = IsolationForest().fit(np.full((5, 2), np.nan))
    assert np.isfinite(alone.score_samples(np.full((5, 2), np.nan))).all()


def test_warm_start_adds_trees():
    x = values()
    whole = IsolationForest(n_estimators=20, random_state=0).fit(x)
    grown = IsolationForest(n_estimators=8, random_state=0, warm_start=True).fit(x)
    grown.set_params(n_estimators=20).fit(x)
    assert (whole.score_samples(x) == grown.score_samples(x)).all()
    with pytest.warns(UserWarning, match="does not fit new trees"):
        grown.fit(x)
    with pytest.raises(ValueError, match="must be larger or equal"):
        grown.set_params(n_estimators=3).fit(x)


def test_ours_give_ours(device):
    x = values("float32")
    expected = IsolationForest(random_state=0).fit(x).score_samples(x)
    for make in (px.asarray, px.DataFrame):
        model = IsolationForest(random_state=0).fit(make(x))
        for name in ("score_samples", "decision_function", "predict"):
            assert isinstance(getattr(model, name)(make(x)), px.ndarray)
        np.testing.assert_allclose(np.asarray(model.score_samples(make(x))), expected)
    again = pickle.loads(pickle.dumps(model))
    assert (np.asarray(again.score_samples(x)) == np.asarray(model.score_samples(x))).all()


@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (1, 3), (5, 1)])
def test_the_least_data_and_constant_features(shape):
    x = np.zeros(shape)
    found = IsolationForest(n_estimators=5).fit(x).score_samples(x)
    expected = theirs.IsolationForest(n_estimators=5).fit(x).score_samples(x)
    assert found == pytest.approx(expected)


def test_verbose_tells(capsys):
    IsolationForest(n_estimators=3, verbose=1).fit(values())
    assert "3 trees are grown" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"contamination": 0.7}, ValueError, "'contamination'"),
        ({"max_samples": 0}, ValueError, "'max_samples'"),
        ({"n_estimators": 0}, ValueError, "'n_estimators'"),
        ({"max_features": 9}, ValueError, "max_features must be <= n_features"),
    ],
)
def test_wrong_parameters(options, error, text):
    with pytest.raises(error, match=text):
        IsolationForest(**options).fit(values())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("which", [[np.inf], [-np.inf], [np.inf, -np.inf], [np.inf, np.nan]])
def test_infinities_are_taken_as_scikit_learns_takes_them(device, dtype, which):
    x = values(dtype)
    x[5::90, 1] = np.resize(which, len(x[5::90]))
    for contamination in ("auto", 0.1):
        mine, other = (
            each(random_state=0, contamination=contamination, n_estimators=150).fit(x)
            for each in (IsolationForest, theirs.IsolationForest)
        )
        found, expected = mine.score_samples(x), other.score_samples(x)
        assert np.isfinite(found).all()
        assert np.abs(found - expected).mean() < 0.02
        assert mine.offset_ == pytest.approx(other.offset_, abs=0.05)
        np.testing.assert_allclose(np.asarray(mine.score_samples(px.asarray(x))), found)
    far = [[0.0, np.inf, 0.0, 0.0], [-np.inf, 0.0, 0.0, 0.0]]
    assert mine.predict(far).shape == (2,)


def test_wrong_data():
    with pytest.warns(UserWarning, match="greater than the total number of samples"):
        IsolationForest(max_samples=5000).fit(values())
