"""Steps of k-means by bounds, beside distances in float64."""

import numpy as np
import pytest
from phalanx._models.cluster import bounded_steps
from phalanx._models.cluster.bounded_steps import BoundedSteps, goes_by_bounds
from phalanx.ml.cluster import KMeans

import phalanx as px

COUNT = 3 * 4096 + 5  # several parts, which are not whole batches


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
    steps = BoundedSteps(given, given - middle, middle, weight, clusters)
    return steps, np.asarray(middle)


def _is_nearest(x, middle, centers, labels, is_full):
    """Returns whether no center is nearer than by what distances of the dtype round."""
    moved = (x - middle).astype(np.float64)
    squares = ((moved[:, None] - centers.astype(np.float64)) ** 2).sum(axis=2)
    own, least = squares[np.arange(len(x)), labels], squares.min(axis=1)
    rounding = 4 * (x.shape[1] + 8) * np.finfo(x.dtype).eps
    if is_full:  # |c|^2 / 2 - x c rounds in units of both
        size = (moved**2).sum(axis=1) + (centers.astype(np.float64) ** 2).sum(axis=1).max()
        return (own <= least + 2 * rounding * size).all()
    return (own <= least * (1 + rounding)).all()


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
            is_full = steps._own is None
            assert _is_nearest(x, middle, centers, labels, is_full), (features, clusters, number)
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


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("clusters", [1, 2, 3, 5])
@pytest.mark.parametrize("power", [0.4, 0.47, 0.49, 0.6, 0.99])
def test_numbers_near_the_ends_of_the_dtype(dtype, clusters, power):
    """No sample goes to a center that is none, also where squares are infinite."""
    unit = float(np.finfo(dtype).max) ** power
    x = (np.random.default_rng(1).uniform(-1, 1, size=(300, 3)) * unit).astype(dtype)
    with np.errstate(all="ignore"):
        made = KMeans(clusters, random_state=0, n_init=1, max_iter=9, tol=0).fit(x)
    assert made.labels_.min() >= 0 and made.labels_.max() < clusters
    if power < 0.48:
        moved = (x - made.cluster_centers_[made.labels_]).astype(np.longdouble) / unit
        everywhere = (x[:, None].astype(np.longdouble) - made.cluster_centers_) / unit
        own, least = (moved**2).sum(axis=1), (everywhere**2).sum(axis=2).min(axis=1)
        assert (own <= least * (1 + 1e-3) + 1e-5).all()


def test_distances_whose_squares_overflow_say_nothing_of_others():
    # Half of the distance to a center whose square is infinite would be infinite, too.
    x = np.array([[0.0]] * 50 + [[1.4e154]] * 50 + [[1.2e154]])
    centers = np.array([[0.0], [1.4e154]])
    given = px.asarray(x, device="cpu")
    steps = BoundedSteps(given, given, px.zeros(1), None, 2)
    steps._full = 0
    for _ in range(3):
        steps.move(centers)
    assert np.asarray(steps.labels).tolist() == [0] * 50 + [1] * 51


def test_the_inertia_is_scikit_learns():
    theirs = pytest.importorskip("sklearn.cluster")
    for kind in ("places", "noise"):
        x = _samples(kind, 12, "float32")
        options = {"n_clusters": 8, "init": x[:8], "n_init": 1, "max_iter": 40, "tol": 0}
        own, other = KMeans(**options).fit(x), theirs.KMeans(**options).fit(x)
        assert own.inertia_ == pytest.approx(other.inertia_, rel=1e-4)
        assert (own.labels_ == own.predict(x)).mean() > 0.9999
