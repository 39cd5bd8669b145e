"""Pickles of models tell the version that made them; clones are made at any time."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from phalanx._models.base import Estimator
from phalanx.ml import svm
from phalanx.ml.cluster import KMeans
from phalanx.ml.preprocessing import LabelEncoder

import phalanx as px

SAMPLES = np.random.default_rng(0).random((60, 3))


def pickled_by(monkeypatch, model, version):
    """The pickle that another version has made; None: one that told no version."""
    write = Estimator.__getstate__

    def state(self):
        made = {name: each for name, each in write(self).items() if name != "_phalanx_version"}
        return made if version is None else {**made, "_phalanx_version": version}

    with monkeypatch.context() as patch:
        patch.setattr(Estimator, "__getstate__", state)
        return pickle.dumps(model)


@pytest.mark.parametrize("version", ["0.0.1", None])
def test_a_pickle_of_another_version_warns_and_names_both(monkeypatch, version):
    model = KMeans(3, random_state=0).fit(SAMPLES)
    made = pickled_by(monkeypatch, model, version)
    said = rf"KMeans was pickled by phalanx {version or 'of a version'}.* {px.__version__}"
    with pytest.warns(UserWarning, match=said) as caught:
        again = pickle.loads(made)
    assert caught[0].filename == __file__
    assert (again.predict(SAMPLES) == model.labels_).all()
    assert vars(again).keys() == vars(model).keys()


def test_scikit_learns_class_of_the_warning(monkeypatch):
    exceptions = pytest.importorskip("sklearn.exceptions")
    made = pickled_by(monkeypatch, KMeans(3), "0.0.1")
    with pytest.warns(exceptions.InconsistentVersionWarning, match="0.0.1"):
        pickle.loads(made)


@pytest.mark.parametrize("model", [KMeans(3, random_state=0).fit(SAMPLES), LabelEncoder()])
def test_pickles_and_copies_of_this_version_say_nothing(model):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for again in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)):
            assert vars(again).keys() == vars(model).keys()


def test_a_model_is_cloned_in_the_middle_of_its_fit():
    base = pytest.importorskip("sklearn.base")
    clones = []

    def kernel(one, other):
        clones.append(base.clone(model))
        return one @ other.T

    model = svm.SVC(kernel=kernel, C=2)
    classes = (SAMPLES[:, 0] > 0.5).astype(int)
    expected = svm.SVC(kernel="linear", C=2).fit(SAMPLES, classes).predict(SAMPLES)
    model.fit(SAMPLES, classes)
    assert clones
    for each in (clones[0], model):
        assert each.get_params() == model.get_params()
    assert vars(clones[0]).keys() == base.clone(model).__dict__.keys()  # nothing of the fit
    assert (clones[0].fit(SAMPLES, classes).predict(SAMPLES) == expected).all()
    assert (model.predict(SAMPLES) == expected).all()
