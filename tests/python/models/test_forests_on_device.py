"""Forests whose samples stay on a device: the host's trees, by kernels that run on the CPU here."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from phalanx._models.options import generator_of
from phalanx._models.tree import binning
from phalanx._models.tree.on_device import planning
from phalanx._models.tree.on_device.codes import binned, bins_on_device
from phalanx._models.tree.on_device.drawing import drawn_counts
from phalanx._models.tree.on_device.planning import Case, DevicePlan, stays
from phalanx._models.tree.on_device.shapes import Tuning
from phalanx._models.tree.workspace import Limits, Spec
from phalanx.ml.ensemble import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor

import phalanx as px

COLUMNS = ("children_left", "feature", "threshold", "depths", "n_node_samples")
VALUES = ("weighted_n_node_samples", "impurity", "value")
ALWAYS = ("samples of the host", "few samples")


@pytest.fixture
def on_device(monkeypatch):
    """A function that fits where the samples are, whatever their number and device."""

    def fit(model, *given):
        with monkeypatch.context() as patched:
            for name in ALWAYS:
                patched.delitem(planning.ON_THE_HOST, name)
            patched.setattr(planning, "free_memory", lambda device: 1 << 30)
            grown = []
            grow = DevicePlan.grow
            patched.setattr(DevicePlan, "grow", lambda *each: grown.append(each) or grow(*each))
            model.fit(*given)
            assert grown
        return model

    return fit


def samples(count, dtype="float32", seed=0):
    """Samples of six features, one of them of few values, and what depends on them."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(count, 6)).astype(dtype)
    x[:, 1] = random.integers(0, 7, count)
    x[:, 4] = 2.5
    score = 2 * x[:, 0] + x[:, 1] + np.sin(3 * x[:, 2]) + random.normal(size=count)
    return x, score.astype(np.float64)


def classes_of(score, count):
    return np.digitize(score, np.quantile(score, np.linspace(0, 1, count + 1)[1:-1]))


def assert_same(one, other, rtol=0.0):
    assert len(one.estimators_) == len(other.estimators_)
    for first, second in zip(one.estimators_, other.estimators_, strict=True):
        for name in COLUMNS:
            mine, theirs = (getattr(each.tree_, name) for each in (first, second))
            np.testing.assert_array_equal(mine, theirs, err_msg=name)
            assert mine.dtype == theirs.dtype
        for name in VALUES:
            mine, theirs = (getattr(each.tree_, name) for each in (first, second))
            np.testing.assert_allclose(mine, theirs, rtol=rtol, atol=rtol, err_msg=name)


OPTIONS = [
    {},
    {"max_depth": 1},
    {"max_depth": 6},
    {"min_samples_split": 60},
    {"min_samples_leaf": 5},
    {"min_weight_fraction_leaf": 0.02},
    {"min_impurity_decrease": 0.002},
    {"bootstrap": False},
    {"max_samples": 0.3},
    {"max_samples": 9000},
    {"ccp_alpha": 0.001},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_trees_of_classes_are_the_hosts(options, on_device):
    x, score = samples(9000)
    y = classes_of(score, 3)
    mine, other = (RandomForestClassifier(3, random_state=0, **options) for _ in range(2))
    assert_same(on_device(mine, x, y), other.fit(x, y))
    np.testing.assert_array_equal(mine.predict_proba(x), other.predict_proba(x))


@pytest.mark.parametrize("options", OPTIONS[:-1], ids=str)
def test_trees_of_whole_numbers_are_the_hosts(options, on_device):
    x, score = samples(9000)
    y = np.rint(score * 8)  # sums of any order are exact
    given = {**options, "max_features": 3}
    mine, other = (RandomForestRegressor(3, random_state=0, **given) for _ in range(2))
    assert_same(on_device(mine, x, y), other.fit(x, y), rtol=1e-9)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", [2, 3, 31, 33, 255, 257, 4095, 4097])
def test_of_any_number_of_samples(count, dtype, on_device):
    x, score = samples(count, dtype)
    y = np.arange(count) % 2 if count < 4 else classes_of(score, 3)
    mine, other = (RandomForestClassifier(4, random_state=1) for _ in range(2))
    assert_same(on_device(mine, x, y), other.fit(x, y))


@pytest.mark.parametrize("classes", [2, 40])
@pytest.mark.parametrize("max_features", [None, 1])
def test_of_classes_and_features(classes, max_features, on_device):
    x, score = samples(6000)
    y = classes_of(score, classes)
    given = {"max_features": max_features, "max_depth": 7, "random_state": 3}
    mine, other = (RandomForestClassifier(2, **given) for _ in range(2))
    assert_same(on_device(mine, x, y), other.fit(x, y))


def test_texts_as_classes_and_orders_of_memory(on_device):
    x, score = samples(5000)
    y = np.array(["low", "middle", "high"])[classes_of(score, 3)]
    other = RandomForestClassifier(2, random_state=0).fit(x, y)
    orders = np.asfortranarray(x), np.repeat(x, 2, axis=0)[::2], x[::-1].copy()[::-1], px.asarray(x)
    for given in orders:
        mine = on_device(RandomForestClassifier(2, random_state=0), given, y)
        assert_same(mine, other)
        assert (mine.predict(x) == other.predict(x)).all()


def test_as_many_classes_as_shared_memory_has_room_for(on_device):
    x, score = samples(6000)
    y = classes_of(score, 47)
    given = {"min_samples_leaf": 3, "random_state": 0}
    mine, other = (RandomForestClassifier(2, **given) for _ in range(2))
    assert_same(on_device(mine, x, y), other.fit(x, y))


def test_fits_of_several_threads(monkeypatch):
    x, score = samples(3000)
    y = classes_of(score, 3)
    others = [RandomForestClassifier(3, random_state=seed).fit(x, y) for seed in range(4)]
    for name in ALWAYS:
        monkeypatch.delitem(planning.ON_THE_HOST, name)
    with ThreadPoolExecutor(4) as pool:
        models = [RandomForestClassifier(3, random_state=seed) for seed in range(4)]
        for mine, other in zip(pool.map(lambda each: each.fit(x, y), models), others, strict=True):
            assert_same(mine, other)


@pytest.mark.parametrize("max_features", [1, 3])
def test_features_that_do_not_vary_are_drawn_beyond(max_features, on_device):
    random = np.random.default_rng(0)
    x = np.ones((9000, 6), np.float32)
    x[:, 3] = random.normal(size=9000)
    x[:, 5] = random.integers(0, 2, 9000)
    y = classes_of(x[:, 3] + x[:, 5] + random.normal(size=9000), 3)
    given = {"max_features": max_features, "max_depth": 5, "random_state": 0}
    mine, other = (RandomForestClassifier(4, **given) for _ in range(2))
    assert_same(on_device(mine, x, y), other.fit(x, y))
    assert {5, 3} <= set(mine.estimators_[0].tree_.feature)
    x[:, 3:] = 0
    mine, other = (RandomForestClassifier(2, **given) for _ in range(2))
    assert_same(on_device(mine, x, y), other.fit(x, y))
    assert mine.estimators_[0].tree_.node_count == 1


@pytest.mark.parametrize("model", [RandomForestClassifier, RandomForestRegressor])
def test_one_target(model, on_device):
    x, _ = samples(9000)
    mine, other = (model(2, random_state=0) for _ in range(2))
    assert_same(on_device(mine, x, np.full(len(x), 3)), other.fit(x, np.full(len(x), 3)), 1e-12)
    assert mine.estimators_[0].tree_.node_count == 1


def test_entropies_part_as_on_the_host(on_device):
    x, score = samples(9000)
    y = classes_of(score, 3)
    # Deeper, splits of equal gain differ by the last digit of a logarithm.
    given = {"criterion": "entropy", "max_depth": 5, "random_state": 0}
    mine, other = (RandomForestClassifier(3, **given) for _ in range(2))
    assert_same(on_device(mine, x, y), other.fit(x, y), rtol=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e140])
def test_numbers_are_predicted_as_well_and_alike_each_time(scale, on_device):
    x, score = samples(9000)
    y = (score + 100) * scale
    first, second, other = (
        RandomForestRegressor(5, random_state=0, max_features=3, min_samples_leaf=5)
        for _ in range(3)
    )
    assert_same(on_device(first, x, y), on_device(second, x, y))
    other.fit(x, y)
    new, wanted = samples(4000, seed=1)
    wanted = (wanted + 100) * scale
    errors = [np.abs(each.predict(new) - wanted).mean() / scale for each in (first, other)]
    assert errors[0] == pytest.approx(errors[1], rel=0.02)
    tree = first.estimators_[0].tree_
    leaves = first.estimators_[0].apply(x)
    drawn = first._own_weights(first.estimators_[0].random_state, len(x))
    sums = np.bincount(leaves, drawn * y, minlength=tree.node_count)
    leaf = tree.children_left < 0
    np.testing.assert_allclose(
        tree.value[leaf, 0, 0], (sums / tree.weighted_n_node_samples)[leaf], rtol=1e-12
    )


def test_a_number_that_would_overflow_times_the_samples(on_device):
    x, score = samples(9000)
    y = np.rint(score * 8)
    y[5] = 1e305
    mine, other = (RandomForestRegressor(2, random_state=0, max_features=3) for _ in range(2))
    with np.errstate(all="ignore"):
        assert_same(on_device(mine, x, y), other.fit(x, y), rtol=1e-9)


def test_out_of_bag_scores_and_more_trees(on_device):
    x, score = samples(5000)
    y = classes_of(score, 3)
    given = {"random_state": 0, "oob_score": True, "max_depth": 6}
    mine, other = (RandomForestClassifier(25, **given) for _ in range(2))
    assert_same(on_device(mine, x, y), other.fit(x, y))
    assert mine.oob_score_ == other.oob_score_
    mine.set_params(warm_start=True, n_estimators=28)
    assert_same(on_device(mine, x, y), RandomForestClassifier(28, **given).fit(x, y))


def test_a_few_trees_at_a_time(on_device, monkeypatch, capsys):
    x, score = samples(5000)
    y = classes_of(score, 3)
    other = RandomForestClassifier(5, random_state=0).fit(x, y)
    monkeypatch.setattr(DevicePlan, "_together", lambda self: 2)
    assert_same(on_device(RandomForestClassifier(5, random_state=0, verbose=1), x, y), other)
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()] == ["2", "4", "5"]


def test_trees_at_a_time_fit_the_memory_limit(monkeypatch):
    for name in ALWAYS:
        monkeypatch.delitem(planning.ON_THE_HOST, name)
    x, score = samples(20000)
    y = classes_of(score, 3)
    given = {"max_depth": 4, "random_state": 0}
    px.set_memory_limit(px.memory_info("cpu").used_bytes + (8 << 20), "cpu")
    try:
        mine = RandomForestClassifier(40, **given).fit(x, y)  # 12 bytes a row and tree: 9.6 MB
    finally:
        px.set_memory_limit(None, "cpu")
    monkeypatch.undo()
    assert_same(mine, RandomForestClassifier(40, **given).fit(x, y))


@pytest.mark.parametrize("tuning", [Tuning(128, 64, 1024), Tuning(512, 256, 8192)])
def test_sizes_of_blocks_change_nothing(tuning, on_device, monkeypatch):
    x, score = samples(20000)
    y = classes_of(score, 3)
    given = {"random_state": 0, "max_depth": 8}
    other = RandomForestClassifier(2, **given).fit(x, y)
    monkeypatch.setattr(planning, "TUNING", tuning)
    assert_same(on_device(RandomForestClassifier(2, **given), x, y), other)


@pytest.mark.parametrize("count", [2, 3, 1000, 1024, 1025, 70001])
@pytest.mark.parametrize("times", [1, 0.5, 3])
def test_rows_are_drawn_as_numpy_draws(count, times):
    drawn = max(1, int(count * times))
    seeds = [0, 7, 2**31 - 5]
    counts = np.asarray(drawn_counts(seeds, drawn, px.zeros((count, 1))))
    for own, seed in zip(counts, seeds, strict=True):
        rows = np.random.RandomState(seed).randint(0, count, drawn)
        np.testing.assert_array_equal(own, np.bincount(rows, minlength=count))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", [2, 200, 256, 257, 5001, 200_000, 250_001])
def test_bins_are_the_hosts(count, dtype):
    random = np.random.default_rng(0)
    x = np.column_stack(
        [
            random.normal(size=count),
            random.integers(0, 256, count),
            random.integers(0, 257, count),
            np.zeros(count),
            random.normal(size=count) * (random.random(count) < 0.05),
            np.exp(random.normal(size=count) * 8),
            np.where(random.random(count) < 0.5, -0.0, 0.0),
            random.choice([-3e38, -1.0, 3e38], count),
        ]
    ).astype(dtype)
    if dtype == "float64":
        x[:, 6:] *= 1e265  # edges are not beyond 1e300
    room = min(256, count)
    wanted = binning.bins_of(x, binning.drawn_rows(count, None, generator_of(0)), room)
    found = bins_on_device(px.asarray(x), generator_of(0))
    np.testing.assert_array_equal(found.counts, wanted.counts)
    np.testing.assert_array_equal(found.edges, wanted.edges)
    made = binned(px.asarray(x), found, 8)
    codes = binning.codes_of(x, wanted)
    np.testing.assert_array_equal(np.asarray(made.records).reshape(count, 8).T, codes)
    np.testing.assert_array_equal(made.ranges, binning.ranges_of(x, codes, 256))


def a_case(rows=1 << 14, features=4, **changes):
    x = px.empty((rows, features), np.float32)
    limits = Limits(10, 2, 1, 0.0, changes.pop("leaves", 0), 0.0, 2)
    spec = Spec(changes.pop("criterion", "gini"), True, changes.pop("is_random", False))
    return Case(x, spec, limits, changes.get("classes", 2), changes.get("drawn", 0), False)


def a_case_of_the_host():
    with px.device("cpu"):
        return a_case()


@pytest.mark.parametrize(
    ("reason", "case"),
    [
        ("few samples", lambda: a_case(100)),
        ("draws of each sample", lambda: a_case(drawn=1 << 18)),
        ("best nodes first", lambda: a_case(leaves=8)),
        ("random splits", lambda: a_case(is_random=True)),
        ("criterion", lambda: a_case(criterion="poisson")),
        ("classes", lambda: a_case(classes=48)),
        ("features", lambda: a_case(features=5000)),
        ("samples of the host", a_case_of_the_host),
    ],
)
def test_what_stays_on_the_host(reason, case, monkeypatch):
    given = case()
    assert planning.ON_THE_HOST[reason](given)
    assert not stays(given)
    monkeypatch.delitem(planning.ON_THE_HOST, "samples of the host")
    if reason != "samples of the host":
        assert not stays(given)
        monkeypatch.delitem(planning.ON_THE_HOST, reason)
    assert stays(given)


@pytest.mark.parametrize(
    ("model", "weight"),
    [
        (RandomForestClassifier(2, class_weight="balanced"), None),
        (RandomForestClassifier(2, class_weight="balanced_subsample"), None),
        (RandomForestClassifier(2), np.ones(500)),
        (RandomForestClassifier(2, max_leaf_nodes=5), None),
        (ExtraTreesClassifier(2), None),
        (RandomForestRegressor(2, criterion="poisson"), None),
    ],
)
def test_models_that_the_host_grows(model, weight, monkeypatch):
    x, score = samples(500)
    for name in ALWAYS:
        monkeypatch.delitem(planning.ON_THE_HOST, name)
    monkeypatch.setattr(DevicePlan, "__init__", None)  # calling it would raise
    model.fit(x, classes_of(score, 3) + 1, weight)
    assert len(model.estimators_) == 2


def test_missing_numbers_are_refused(on_device):
    x, score = samples(500)
    x[3, 2] = np.nan
    for model in (RandomForestClassifier(2), RandomForestRegressor(2)):
        with pytest.raises(ValueError, match="Input X contains NaN"):
            on_device(model, x, classes_of(score, 2))
