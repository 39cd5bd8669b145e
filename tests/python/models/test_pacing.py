"""Compiled loops come back to Python often enough for Ctrl-C."""

import numpy as np
import pytest
from phalanx._models import pacing
from phalanx._models.cluster import nearest_chain
from phalanx._models.pacing import Pace
from phalanx._models.svm import smo
from phalanx.ml.cluster import AgglomerativeClustering
from phalanx.ml.impute import KNNImputer
from phalanx.ml.svm import SVC


def ticking(monkeypatch, seconds):
    """A clock that goes on by some seconds at each look."""
    now = [0.0]

    def clock():
        now[0] += seconds[0]
        return now[0]

    monkeypatch.setattr(pacing.time, "perf_counter", clock)


def test_steps_follow_the_clock(monkeypatch):
    seconds = [0.001]
    ticking(monkeypatch, seconds)
    pace, made = Pace(16, 1000), []
    for each in (0.001, 0.1, 0.2, 4.0, 400.0, 0.2):
        seconds[0] = each
        made.append(pace.begin())
        pace.end()
    # Four times as many at most; fewer at once; never none. The clock's sums are rounded.
    np.testing.assert_allclose(made, [16, 64, 128, 128, 6, 1], atol=1)
    for _ in range(9):
        seconds[0] = 1e-6
        pace.begin()
        pace.end()
    assert pace.begin() == 1000


@pytest.fixture
def slow(monkeypatch):
    """Calls that seem to take an hour, so that each makes a single step."""
    ticking(monkeypatch, [3600.0])


@pytest.mark.parametrize("linkage", ["ward", "complete", "average"])
def test_merges_do_not_depend_on_calls(slow, monkeypatch, linkage):
    x = np.random.default_rng(0).normal(size=(60, 3))
    paced = AgglomerativeClustering(4, linkage=linkage).fit(x)
    monkeypatch.undo()
    model = AgglomerativeClustering(4, linkage=linkage).fit(x)
    np.testing.assert_array_equal(paced.children_, model.children_)
    np.testing.assert_array_equal(paced.labels_, model.labels_)


def test_steps_do_not_depend_on_calls(slow, monkeypatch):
    x = np.random.default_rng(0).normal(size=(80, 3))
    y = x[:, 0] > 0.3
    paced = SVC().fit(x, y)
    monkeypatch.undo()
    model = SVC().fit(x, y)
    np.testing.assert_array_equal(paced.dual_coef_, model.dual_coef_)


def test_filled_gaps_do_not_depend_on_calls(slow, monkeypatch):
    random = np.random.default_rng(0)
    x = random.normal(size=(200, 4))
    x[random.random(x.shape) < 0.3] = np.nan
    paced = KNNImputer().fit_transform(x)
    monkeypatch.undo()
    np.testing.assert_array_equal(paced, KNNImputer().fit_transform(x))


class Stopped(Exception):
    pass


@pytest.mark.parametrize("module", [smo, nearest_chain])
def test_an_interruption_leaves_models_unfitted(slow, monkeypatch, module):
    calls = []

    class Interrupted(Pace):
        def end(self):
            calls.append(1)
            if len(calls) == 20:
                raise Stopped

    monkeypatch.setattr(module, "Pace", Interrupted)
    x = np.random.default_rng(0).normal(size=(600, 3))
    monkeypatch.setattr(smo, "_FIRST_STEPS", 1)
    monkeypatch.setattr(nearest_chain, "_FIRST_MERGES", 1)
    model = SVC(C=10) if module is smo else AgglomerativeClustering()
    y = np.random.default_rng(1).integers(0, 2, 600)
    with pytest.raises(Stopped):
        model.fit(x, y)
    assert not hasattr(model, "labels_")
    assert not hasattr(model, "dual_coef_")
