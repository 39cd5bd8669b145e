"""What `import *` finds, and what is said of parameters that models do not take."""

import numpy as np
import pytest
from phalanx._models.names import MODULES
from phalanx.ml.cluster import DBSCAN
from phalanx.ml.ensemble import RandomForestClassifier
from phalanx.ml.linear_model import LogisticRegression
from phalanx.ml.neighbors import KNeighborsClassifier, NearestNeighbors
from phalanx.ml.tree import DecisionTreeRegressor

X, Y = np.arange(20.0).reshape(10, 2), np.arange(10) % 2


@pytest.mark.parametrize("module", MODULES)
def test_a_star_imports_all_names(module):
    found = {}
    exec(f"from phalanx.ml.{module} import *", found)
    assert set(MODULES[module]) <= set(found)


@pytest.mark.parametrize("kind", [KNeighborsClassifier, NearestNeighbors, DBSCAN])
@pytest.mark.parametrize(
    "options",
    [
        {"metric": lambda one, other: abs(one - other).sum()},
        {"metric": "mahalanobis", "metric_params": {"VI": np.eye(2)}},
        {"metric": "canberra"},
        {"metric_params": {"w": [1, 2]}},
    ],
    ids=["function", "mahalanobis", "canberra", "weights"],
)
def test_metrics_of_scikit_learns_are_named(kind, options):
    with pytest.raises(NotImplementedError, match=r"metric.*is not supported by phalanx.ml"):
        kind(**options).fit(X, Y)


@pytest.mark.parametrize("kind", [KNeighborsClassifier, DBSCAN])
def test_a_metric_that_nobody_knows(kind):
    with pytest.raises(ValueError, match="'metric' parameter"):
        kind(metric="euclid").fit(X, Y)


@pytest.mark.parametrize("kind", [DecisionTreeRegressor, RandomForestClassifier])
def test_one_sample_is_not_all_of_them(kind):
    with pytest.raises(ValueError, match="'min_samples_split' parameter"):
        kind(min_samples_split=1).fit(X, Y)
    kind(min_samples_split=1.0).fit(X, Y)
    # One feature, and all of them.
    kind(max_features=1).fit(X, Y)
    kind(max_features=1.0).fit(X, Y)


def test_ranges_say_whether_infinity_is_taken():
    with pytest.raises(ValueError, match=r"a float in the range \(0, inf\]"):
        LogisticRegression(C=-1).fit(X, Y)
    with pytest.raises(ValueError, match=r"an int in the range \[0, inf\)"):
        LogisticRegression(max_iter=-1).fit(X, Y)
