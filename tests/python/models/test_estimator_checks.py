"""scikit-learn's own checks of estimators, over every model."""

import importlib

import pytest

sklearn = pytest.importorskip("sklearn", minversion="1.7")

from phalanx._models.names import MODULES  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

_WEIGHTS = "check_sample_weight_equivalence_on_dense_data"
_SPARSE_WEIGHTS = "check_sample_weight_equivalence_on_sparse_data"
_SCALE = "gamma='scale' is of the samples without weights, as theirs"
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
    # samples or their order, 2 ask of NuSVC what its nu does not allow, and 4 are of a default
    # gamma that is to be scikit-learn's also for samples with weights.
    assert sum(map(len, EXPECTED.values())) <= 17
