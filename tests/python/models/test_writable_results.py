"""What models give to NumPy's callers can be written to, as scripts for scikit-learn do."""

import importlib
import inspect

import numpy as np
import pytest
from phalanx._models.names import MODULES
from phalanx.ml import metrics

RANDOM = np.random.default_rng(0)
X = RANDOM.uniform(0.1, 2, size=(40, 4))
Y = (X[:, 0] > 1).astype(int)
CALLS = (
    "predict",
    "predict_proba",
    "decision_function",
    "transform",
    "score_samples",
    "kneighbors",
    "apply",
)
GIVEN = {"TSNE": {"perplexity": 5, "max_iter": 250}}


def classes():
    for module, table in MODULES.items():
        public = importlib.import_module(f"phalanx.ml.{module}")
        for name in table:
            made = getattr(public, name)
            if isinstance(made, type) and hasattr(made, "fit") and hasattr(made, "get_params"):
                yield pytest.param(made, id=name)


def _arrays(values):
    for each in values if isinstance(values, (tuple, list)) else [values]:
        if isinstance(each, np.ndarray):
            yield each


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", list(classes()))
def test_results_of_each_model(kind):
    model = kind(**GIVEN.get(kind.__name__, {}))
    with_targets = "y" in inspect.signature(kind.fit).parameters
    try:
        model.fit(X, Y) if with_targets else model.fit(X)
    except (ValueError, TypeError, AttributeError, NotImplementedError) as error:
        pytest.skip(f"takes no plain samples: {error}")
    for name in CALLS:
        try:
            made = getattr(model, name)(X)
        except (AttributeError, NotImplementedError, ValueError, TypeError):
            continue  # has none, or takes others
        for array in _arrays(made):
            assert array.flags.writeable, name
    for name, value in vars(model).items():
        if name.endswith("_") and not name.startswith("_"):
            for array in _arrays(value):
                assert array.flags.writeable or not array.size, name


def test_distances():
    assert metrics.pairwise_distances(X).flags.writeable
