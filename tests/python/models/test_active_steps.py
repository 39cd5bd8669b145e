"""Steps of k-means over the samples that may move, beside steps of all samples."""

import itertools

import numpy as np
import pytest
from phalanx._models.cluster import active_steps
from phalanx._models.cluster.active_steps import ActiveSteps, finds_active
from phalanx._models.cluster.distance_kernels import less
from phalanx._models.cluster.full_steps import FullSteps
from phalanx.ml.cluster import KMeans

import phalanx as px

COUNT = 3 * 4096 + 5  # several parts, which are not whole blocks
KINDS = (
    "places",
    "noise",
    "few values",
    "far away",
    "of all sizes",
    "squares overflow",
    "squares are subnormal",
)


@pytest.fixture(autouse=True)
def few_samples(monkeypatch):
    monkeypatch.setattr(active_steps, "_FEWEST", 0)


def _samples(kind, features, dtype):
    random = np.random.default_rng(7)
    places = random.normal(size=(5, features)) * 8
    made = {
        "places": places[random.integers(0, 5, COUNT)] + random.normal(size=(COUNT, features)),
        "noise": random.normal(size=(COUNT, features)),
        "few values": random.integers(0, 3, (COUNT, features)),
        "far away": random.normal(size=(COUNT, features)) + 1e5,
        "of all sizes": random.normal(size=(COUNT, features)) ** 9,
        "squares overflow": random.normal(size=(COUNT, features))
        * 0.7
        * float(np.finfo(dtype).max) ** 0.5,
        "squares are subnormal": random.normal(size=(COUNT, features))
        * 3
        * float(np.finfo(dtype).smallest_subnormal) ** 0.5,
    }
    return made[kind].astype(dtype)


def _steps(x, clusters, weight=None):
    """Steps over active samples, the same of all samples, and the mean that centers are less."""
    given = px.asarray(x, device="cpu")
    middle = px.mean(given, axis=0)
    moved = less(given, middle)
    assert finds_active(moved)
    both = (kind((given, moved, middle, weight), clusters) for kind in (ActiveSteps, FullSteps))
    return *both, np.asarray(middle)


def _always_active(monkeypatch):
    """Have gaps made at once, for a few steps, and kept at any cost."""
    monkeypatch.setattr(active_steps, "_STEPS", np.array([2, 4]))
    monkeypatch.setattr(active_steps, "_MOST_MOVED", 1.0)
    monkeypatch.setattr(active_steps, "_MOST_COST", np.inf)
    monkeypatch.setattr(active_steps, "_FEWEST_STEPS", 0)


def _begin_anew(steps):
    """Have the next step make gaps for ways of its own size: the first centers come from 0."""
    steps._settle()
    steps._active = None


def _is_nearest(x, middle, centers, labels):
    """Returns whether no center is nearer to some samples by more than distances round."""
    x, labels = x[::9], labels[::9]
    moved = (x - middle).astype(np.longdouble)
    squares = ((moved[:, None] - centers.astype(np.longdouble)) ** 2).sum(axis=2)
    own, least = squares[np.arange(len(x)), labels], squares.min(axis=1)
    # |c|^2 / 2 - x c rounds in units of both, and of the least normal number.
    size = (moved**2).sum(axis=1) + (centers.astype(np.longdouble) ** 2).sum(axis=1).max()
    limits = np.finfo(x.dtype)
    size += np.longdouble(limits.tiny) / limits.eps
    return (own <= least + 8 * (x.shape[1] + 8) * limits.eps * size).all()


def _table_of(x, weight, labels, clusters):
    shares = np.ones(len(x)) if weight is None else weight.astype(np.float64)
    found = np.zeros((clusters, x.shape[1] + 2))
    np.add.at(found, labels, np.column_stack([x * shares[:, None], shares, shares > 0]))
    return found


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_forced", [True, False])
def test_labels_and_sums_of_each_step(dtype, kind, is_forced, monkeypatch):
    if is_forced:
        _always_active(monkeypatch)
    random = np.random.default_rng(8)
    parts = []  # of the steps over some samples: what they read, and how many samples moved
    for features, clusters in ((1, 1), (1, 2), (2, 3), (3, 8), (7, 5), (12, 8), (20, 33), (64, 64)):
        x = _samples(kind, features, dtype)
        scale = 1.0 if kind == "of all sizes" else float(np.abs(x.astype(np.longdouble)).mean())
        weight = random.integers(0, 3, COUNT).astype(dtype) if features % 2 else None
        ours = None if weight is None else px.asarray(weight, device="cpu")
        steps, full, middle = _steps(x, clusters, ours)
        centers = (x[:clusters] - middle).astype(dtype)
        before = None
        for number in range(14):
            if number % 4 == 1 and is_forced:
                _begin_anew(steps)
            was = steps._active
            moved = steps.move(centers)
            full.move(centers)
            labels = np.array(full.labels)
            active = steps._active
            if active is not None and active is was and len(active.rows) < COUNT:
                parts.append((len(active.rows), moved))
            if number % 3 == 2:  # between whiles labels stay with the active samples
                np.testing.assert_array_equal(steps.labels, labels)
                assert steps._active is active
            assert moved == (COUNT if before is None else (labels != before).sum())
            if kind != "squares overflow":
                assert _is_nearest(x, middle, centers, labels), (features, clusters, number)
            size = np.abs(x.astype(np.float64)).sum(axis=0).max() + np.finfo(np.float64).tiny
            found = _table_of(x, weight, labels, clusters)
            np.testing.assert_allclose(steps._sums.table, found, rtol=1e-9, atol=1e-12 * size)
            before = labels
            # Small steps of one center or of all, and, now and then, one that goes far.
            shift = random.normal(size=centers.shape) * (0.3 if number % 7 == 6 else 0.002) * scale
            if number % 2:
                shift[1:] = 0
            centers = (steps.means(centers) + shift).astype(dtype)
        steps.finish(centers)
        full.finish(centers)
        np.testing.assert_array_equal(steps.labels, full.labels)
    if is_forced and kind in ("places", "noise", "of all sizes"):
        assert len(parts) > 10 and any(rows and moved for rows, moved in parts)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("clusters", [1, 2, 3, 8])
def test_gaps_are_at_most_the_difference_of_distances(dtype, kind, clusters):
    x = _samples(kind, 5, dtype)
    given = px.asarray(x, device="cpu")
    moved = less(given, px.mean(given, axis=0))
    centers = np.asarray(moved)[:clusters].copy()
    labels, gaps = (px.empty(COUNT, kind, device="cpu") for kind in (np.int8, dtype))
    active_steps._find_gaps(moved, px.asarray(centers, device="cpu"), labels, gaps)
    exact = np.asarray(moved).astype(np.longdouble)
    apart = np.sqrt(((exact[:, None] - centers.astype(np.longdouble)) ** 2).sum(axis=2))
    own = apart[np.arange(COUNT), labels]
    if clusters == 1:
        is_known = kind != "squares overflow"  # else they are NaN, and the samples active
        assert (np.asarray(gaps) > 1e15).all() == is_known  # there is no other center
        return
    apart[np.arange(COUNT), labels] = np.inf
    gaps = np.asarray(gaps)
    assert (gaps <= apart.min(axis=1) - own)[gaps > 0].all()
    if kind in ("places", "noise"):  # and not much less
        size = np.sqrt((exact**2).sum(axis=1)).max()
        wide = apart.min(axis=1) - own > 1e-3 * size
        assert (gaps > 0.9 * (apart.min(axis=1) - own))[wide].all()


def test_few_samples_are_read_of_clusters_that_lie_apart():
    x = _samples("places", 12, "float32")
    steps, _, middle = _steps(x, 5)
    centers = (x[:5] - middle).astype(np.float32)
    random, read = np.random.default_rng(3), []
    for _ in range(16):
        was = steps._active
        steps.move(centers)
        if steps._active is not None and steps._active is was:
            read.append(len(was.rows))
        centers = steps.means(centers) + random.normal(size=centers.shape).astype(np.float32) / 1000
    assert len(read) > 6 and max(read) < COUNT // 4


def _begins(monkeypatch):
    """The list of the most samples that may move where gaps are made, which grows."""
    begun, inner = [], ActiveSteps._begin

    def counting(self, *args):
        begun.append(self._most_moved)
        return inner(self, *args)

    monkeypatch.setattr(ActiveSteps, "_begin", counting)
    return begun


def test_noise_stays_with_steps_of_all_samples(monkeypatch):
    monkeypatch.setattr(active_steps, "_MOST_MOVED", 1.0)
    begun = _begins(monkeypatch)
    x = _samples("noise", 60, "float32")
    steps, _, middle = _steps(x, 40)
    centers = (x[:40] - middle).astype(np.float32)
    for _ in range(9):
        steps.move(centers)
        assert steps._active is None
        centers = steps.means(centers)
    assert begun


def test_gaps_that_did_not_pay_wait_until_fewer_samples_move(monkeypatch):
    monkeypatch.setattr(active_steps, "_MOST_MOVED", 1.0)
    monkeypatch.setattr(active_steps, "_MOST_COST", 0.0)
    begun = _begins(monkeypatch)
    x = _samples("noise", 12, "float32")
    KMeans(8, init=x[:8], n_init=1, max_iter=60, tol=0).fit(px.asarray(x, device="cpu"))
    assert 1 < len(begun) < 10
    assert all(after <= before / 2 for before, after in itertools.pairwise(begun))


def test_periods_that_end_at_once_wait_until_fewer_samples_move(monkeypatch):
    monkeypatch.setattr(active_steps, "_MOST_MOVED", 1.0)
    monkeypatch.setattr(active_steps, "_MOST_COST", np.inf)
    begun = _begins(monkeypatch)
    x = _samples("noise", 2, "float32")
    steps, _, middle = _steps(x, 2)
    centers = (x[:2] - middle).astype(np.float32)
    for number in range(8):  # each way is much longer than those before
        steps.move(centers + np.float32(1e-6 * 30**number))
        if number == 0:
            _begin_anew(steps)
    assert begun[1] == begun[0] and begun[2] <= begun[1] / 2 and len(begun) < 6


@pytest.mark.parametrize("goes", [[1, 1, 0], [1, 0, 0], [0, 1, 0], [1, -1, 0]])
def test_centers_that_go_one_after_the_other(goes, monkeypatch):
    """The line between two centers goes as far as they do, and the samples on its way move."""
    _always_active(monkeypatch)
    monkeypatch.setattr(active_steps, "_STEPS", np.array([24]))
    x = np.linspace(-0.5, 1.5, COUNT, dtype=np.float32).reshape(-1, 1)
    steps, full, middle = _steps(x, 3)
    lasted = 0
    for number in range(60):
        if number == 1:
            _begin_anew(steps)
        ways = 0.005 * number * np.array(goes).reshape(-1, 1)
        centers = (np.array([[0], [1], [10]]) - middle - ways).astype(np.float32)
        before = steps._active
        assert steps.move(centers) == full.move(centers), number
        lasted += before is not None and steps._active is before
    assert lasted > 10 and 0 < len(steps._active.rows) < COUNT


def test_no_gaps_are_made_for_the_last_labels(monkeypatch):
    _always_active(monkeypatch)
    begun = _begins(monkeypatch)
    x = _samples("noise", 3, "float32")
    steps, full, middle = _steps(x, 4)
    centers = (x[:4] - middle).astype(np.float32)
    for each in (steps, full):
        each.move(centers)
    _begin_anew(steps)
    for each in (steps, full):
        each.finish(each.means(centers))
    assert len(begun) == 1
    np.testing.assert_array_equal(steps.labels, full.labels)


def test_a_cluster_without_samples_begins_anew_in_the_midst_of_a_period(monkeypatch):
    _always_active(monkeypatch)
    x = _samples("noise", 3, "float32")
    steps, full, middle = _steps(x, 6)
    centers = (x[:6] - middle).astype(np.float32)
    centers[5] = 50  # nobody's, and near enough for gaps
    for number in range(60):
        if number == 1:
            _begin_anew(steps)
        was = steps._active
        moved = steps.move(centers)
        assert moved == full.move(centers)
        if was is not None and steps._active is was and moved and len(was.rows) < COUNT:
            break
        made = full.means(centers)
        centers[:5] += (made - centers)[:5] / 8
    else:
        raise AssertionError("no sample moved in a period")
    np.testing.assert_array_equal(steps.means(centers), full.means(centers))
    np.testing.assert_array_equal(np.asarray(steps._sums.labels), np.asarray(full.labels))


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


def test_small_samples_have_steps_of_all(monkeypatch):
    def zeros(*shape):
        return px.zeros(shape, np.float32, device="cpu")

    x = zeros(1 << 16, 2)
    assert finds_active(less(x, zeros(2)))
    monkeypatch.undo()
    assert finds_active(less(x, zeros(2)))
    assert not finds_active(less(x[:-1], zeros(2)))
    assert not finds_active(less(zeros(1 << 16, 65), zeros(65)))


@pytest.mark.parametrize("clusters", [127, 128, 300])
def test_labels_of_many_clusters(clusters):
    x = _samples("noise", 4, "float32")
    steps, full, middle = _steps(x, clusters)
    centers = (x[:clusters] - middle).astype(np.float32)
    for _ in range(3):
        assert steps.move(centers) == full.move(centers)
        np.testing.assert_array_equal(steps.labels, full.labels)
        centers = steps.means(centers)
    found = KMeans(clusters, init=x[:clusters], n_init=1, max_iter=3, tol=0).fit(x)
    assert found.labels_.dtype == np.int32
    assert (found.labels_ == found.predict(x)).mean() > 0.999


@pytest.mark.parametrize(
    "options",
    [{}, {"verbose": 1}, {"algorithm": "elkan"}, {"init": lambda x, k, random_state: x[:k]}],
)
def test_options_of_k_means_have_the_same_steps(options, monkeypatch, capsys):
    """Bit for bit, and those of steps of all samples."""
    x = _samples("places", 5, "float32")
    given = px.asarray(x, device="cpu")
    made = {"n_clusters": 8, "init": x[:8], "n_init": 1, "max_iter": 40, "tol": 0, **options}
    monkeypatch.setattr(active_steps, "_MOST_MOVED", -1.0)
    full = KMeans(**made).fit(given)
    monkeypatch.setattr(active_steps, "_MOST_MOVED", 0.01)
    active, inner = [], ActiveSteps._move_active
    monkeypatch.setattr(
        ActiveSteps, "_move_active", lambda self, *args: active.append(1) or inner(self, *args)
    )
    for _ in range(2):
        found = KMeans(**made).fit(given)
        for name in ("labels_", "cluster_centers_"):
            np.testing.assert_array_equal(getattr(found, name), getattr(full, name))
        assert (found.inertia_, found.n_iter_) == (full.inertia_, full.n_iter_)
    assert len(active) > 4
    if options.get("verbose"):
        lines = capsys.readouterr().out.splitlines()
        assert lines[: len(lines) // 3] == lines[len(lines) // 3 : 2 * len(lines) // 3]


def test_the_inertia_is_scikit_learns():
    theirs = pytest.importorskip("sklearn.cluster")
    for kind in ("places", "noise"):
        x = _samples(kind, 12, "float32")
        options = {"n_clusters": 8, "init": x[:8], "n_init": 1, "max_iter": 40, "tol": 0}
        own, other = KMeans(**options).fit(x), theirs.KMeans(**options).fit(x)
        assert own.inertia_ == pytest.approx(other.inertia_, rel=1e-4)
        assert (own.labels_ == own.predict(x)).mean() > 0.9999
