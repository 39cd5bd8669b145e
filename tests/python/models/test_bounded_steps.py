"""Steps of k-means by bounds, beside distances in float64."""

import numpy as np
import pytest
from phalanx._models.cluster import bounded_steps
from phalanx._models.cluster.bounded_steps import BoundedSteps, goes_by_bounds
from phalanx.ml.cluster import KMeans

import phalanx as px

COUNT = 5000  # more than a batch, a block and a part


def _samples(kind, features, dtype):
    random = np.random.default_rng(7)
    places = random.normal(size=(5, features)) * 8
    made = {
        "places": places[random.integers(0, 5, COUNT)] + random.normal(size=(COUNT, features)),
        "noise": random.normal(size=(COUNT, features)),
        "few values": random.integers(0, 3, (COUNT, features)),
        "far away": random.normal(size=(COUNT, features)) + 1e5,
        "of all sizes": random.normal(size=(COUNT, features)) ** 9,
    }
    return made[kind].astype(dtype)


def _steps(x, clusters, weight=None):
    given = px.asarray(x, device="cpu")
    middle = px.mean(given, axis=0)
    assert goes_by_bounds(given, clusters)
    return BoundedSteps(given, given - middle, middle, weight, clusters), np.asarray(middle)


def _is_nearest(x, middle, centers, labels):
    """Returns whether no center is nearer than by what distances of the dtype round."""
    moved = (x - middle).astype(np.float64)
    squares = ((moved[:, None] - centers.astype(np.float64)) ** 2).sum(axis=2)
    eps = np.finfo(x.dtype).eps
    # Full steps leave out the squares of samples: |c|^2 / 2 - x c rounds in units of both.
    size = (moved**2).sum(axis=1) + (centers.astype(np.float64) ** 2).sum(axis=1).max()
    own = squares[np.arange(len(x)), labels]
    return (own <= squares.min(axis=1) + 8 * (x.shape[1] + 4) * eps * size).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["places", "noise", "few values", "far away", "of all sizes"])
@pytest.mark.parametrize("is_first_full", [True, False])
def test_labels_and_sums_of_each_step(dtype, kind, is_first_full, monkeypatch):
    monkeypatch.setattr(bounded_steps, "_FIRST_FULL", 2 * is_first_full)
    if not is_first_full:  # bounds at all steps
        monkeypatch.setattr(bounded_steps, "_MOST_READ", 1.0)
    random = np.random.default_rng(8)
    for features, clusters in ((1, 1), (1, 2), (2, 3), (3, 8), (7, 5), (12, 8), (20, 33), (64, 64)):
        x = _samples(kind, features, dtype)
        weight = random.integers(0, 3, COUNT).astype(dtype) if features % 2 else None
        ours = None if weight is None else px.asarray(weight, device="cpu")
        steps, middle = _steps(x, clusters, ours)
        centers = (x[:clusters] - middle).astype(dtype)
        for number in range(9):
            steps.move(centers)
            labels = np.asarray(steps.labels)
            assert _is_nearest(x, middle, centers, labels), (features, clusters, number)
            shares = np.ones(COUNT) if weight is None else weight.astype(np.float64)
            found = np.zeros((clusters, features + 2))
            np.add.at(found, labels, np.column_stack([x * shares[:, None], shares, shares > 0]))
            size = np.abs(x.astype(np.float64)).sum(axis=0).max() + 1
            np.testing.assert_allclose(steps._sums.table, found, rtol=1e-9, atol=1e-12 * size)
            # Small steps and, now and then, one that goes far.
            shift = random.normal(size=centers.shape) * (0.3 if number % 4 == 3 else 0.001)
            centers = (steps.means(centers) + shift).astype(dtype)


def test_few_samples_are_read_of_clusters_that_lie_apart():
    x = _samples("places", 12, "float32")
    steps, middle = _steps(x, 5)
    centers = (x[:5] - middle).astype(np.float32)
    listed = []
    inner = bounded_steps._step("float32", False)

    def counting(samples, state, centers, out, reads_all):
        inner(samples, state, centers, out, reads_all)
        listed.append(int(out[1].sum()))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounded_steps, "_step", lambda *_: counting)
        for _ in range(12):
            steps.move(centers)
            centers = steps.means(centers)
    assert listed[0] == COUNT and max(listed[4:]) < COUNT // 4


def test_noise_goes_back_to_full_steps():
    x = _samples("noise", 20, "float32")
    steps, middle = _steps(x, 8)
    centers = (x[:8] - middle).astype(np.float32)
    kinds = []
    for _ in range(9):
        kinds.append(bool(steps._full))
        steps.move(centers)
        centers = steps.means(centers)
    assert kinds[:3] == [True, True, False] and any(kinds[3:])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_overflowing_squares_end(dtype):
    huge = float(np.finfo(dtype).max) ** 0.6
    x = (np.random.default_rng(1).normal(size=(300, 3)) * huge).astype(dtype)
    with np.errstate(all="ignore"):
        made = KMeans(3, random_state=0, n_init=1, max_iter=5).fit(x)
    assert set(np.unique(made.labels_)) <= {0, 1, 2}


def test_the_inertia_is_scikit_learns():
    theirs = pytest.importorskip("sklearn.cluster")
    for kind in ("places", "noise"):
        x = _samples(kind, 12, "float32")
        options = {"n_clusters": 8, "init": x[:8], "n_init": 1, "max_iter": 40, "tol": 0}
        own, other = KMeans(**options).fit(x), theirs.KMeans(**options).fit(x)
        assert own.inertia_ == pytest.approx(other.inertia_, rel=1e-4)
        assert (own.labels_ == own.predict(x)).mean() > 0.9999
