"""Parameters that trees and forests share."""

from __future__ import annotations

from collections.abc import Mapping

from ..options import ARRAY, NONE, RANDOM, Rule, one_of, real, share, whole

RULES: Mapping[str, Rule] = {
    "max_depth": whole(1) | NONE,
    "min_samples_split": whole(2) | share(0, 1, "right"),
    "min_samples_leaf": whole(1) | share(0, 1, "neither"),
    "min_weight_fraction_leaf": real(0, 0.5),
    "max_features": whole(1) | share(0, 1, "right") | one_of("sqrt", "log2") | NONE,
    "max_leaf_nodes": whole(2) | NONE,
    "min_impurity_decrease": real(0),
    "random_state": RANDOM,
    "ccp_alpha": real(0),
    "monotonic_cst": NONE.refusing_all(ARRAY),
}
CLASS_CRITERION = one_of("gini", "entropy", "log_loss")
NUMBER_CRITERION = one_of("squared_error", "friedman_mse", "poisson").refusing("absolute_error")
# Criteria that are others' by another name: the mean improvement of J. Friedman's score is that of
# the squared error.
_SAME = {"log_loss": "entropy", "friedman_mse": "squared_error"}


def criterion_of(name: str) -> str:
    """The criterion that is computed for a name."""
    return _SAME.get(name, name)
