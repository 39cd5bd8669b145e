"""scikit-learn's own checks of estimators, over every model."""

import importlib

import pytest

sklearn = pytest.importorskip("sklearn", minversion="1.7")

from phalanx._models.names import MODULES  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

_WEIGHTS = "check_sample_weight_equivalence_on_dense_data"
_SPARSE_WEIGHTS = "check_sample_weight_equivalence_on_sparse_data"
_SCALE = "gamma='scale' is of the samples without weights, as theirs, and tol=1e-3 ends too early"
_DRAWN = "samples are taken in an order that is drawn, as theirs"

# Checks that the counterpart of scikit-learn's fails, too: class, check, why.
EXPECTED = {
    "KMeans": {
        "check_sample_weight_equivalence_on_dense_data": "the samples to begin with are drawn",
    },
    "MiniBatchKMeans": {
        "check_sample_weight_equivalence_on_dense_data": "all samples of a batch are drawn",
    },
    "NuSVC": {
        _WEIGHTS: "the check's repeated samples have too few of a class for nu=0.5",
        "check_class_weight_classifiers": "weights of classes have no effect, as theirs",
    },
    "NuSVR": {_WEIGHTS: _SCALE},
    "OneClassSVM": {_WEIGHTS: _SCALE},
    "Perceptron": {_WEIGHTS: _DRAWN, _SPARSE_WEIGHTS: _DRAWN},
    "SGDClassifier": {_WEIGHTS: _DRAWN, _SPARSE_WEIGHTS: _DRAWN},
    "SGDRegressor": {_WEIGHTS: _DRAWN, _SPARSE_WEIGHTS: _DRAWN},
    "SVC": {_WEIGHTS: _SCALE},
    "SVR": {_WEIGHTS: _SCALE},
}

# Samples that trees draw with their weight as chance are others than those of repeated samples.
_DRAWS = {"check_sample_weight_equivalence_on_dense_data": "samples are drawn by their weight"}
EXPECTED |= {
    "IsolationForest": _DRAWS,
    "RandomForestClassifier": _DRAWS,
    "RandomForestRegressor": _DRAWS,
}

# Parameters that the checks' few features need.
GIVEN = {
    "TSNE": {"perplexity": 2, "max_iter": 250},
    "GaussianRandomProjection": {"n_components": 2},
    "SparseRandomProjection": {"n_components": 2},
}


def models():
    """One of each class that has parameters."""
    for module, table in MODULES.items():
        public = importlib.import_module(f"phalanx.ml.{module}")
        for name in table:
            made = getattr(public, name)
            if isinstance(made, type) and hasattr(made, "get_params"):
                yield made(**GIVEN.get(name, {}))


@parametrize_with_checks(
    list(models()), expected_failed_checks=lambda e: EXPECTED.get(type(e).__name__, {})
)
def test_checks(estimator, check):
    check(estimator)


def test_few_checks_are_expected_to_fail_and_all_of_them_with_scikit_learns_class():
    tables = pytest.importorskip("sklearn.utils._test_common.instance_generator")
    known = {each.__name__: fails for each, fails in tables.PER_ESTIMATOR_XFAIL_CHECKS.items()}
    for name, fails in EXPECTED.items():
        assert set(fails) <= set(known[name])
    # The issue wanted 10. None of these is a check that scikit-learn's own class passes: 11 draw
    # samples or their order, 2 ask of NuSVC what its nu does not allow, and 4 are of support
    # vectors with default parameters. scikit-learn 1.9 takes gamma="scale" of X.var() without
    # weights, so that repeated samples have another; a weighted one would pass no check, as two
    # descents that end by tol=1e-3 differ by more than its 1e-7, and would cost equal models.
    assert sum(map(len, EXPECTED.values())) <= 17


@pytest.mark.parametrize("name", ["SVC", "SVR", "NuSVR"])
def test_weights_of_support_vectors_are_repetitions(name):
    """With a gamma that is given and an end that is late: what is expected to fail is no more."""
    model = getattr(importlib.import_module("phalanx.ml.svm"), name)(gamma=0.1, tol=1e-9)
    check = importlib.import_module("sklearn.utils.estimator_checks")
    check.check_sample_weight_equivalence_on_dense_data(name, model)
