"""Parameters that trees and forests share, and what their fits check beyond them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    "monotonic_cst": NONE | ARRAY,
}
CLASS_CRITERION = one_of("gini", "entropy", "log_loss")
NUMBER_CRITERION = one_of("squared_error", "friedman_mse", "poisson").leaving("absolute_error")
# Criteria that are others' by another name: the mean improvement of J. Friedman's score is that of
# the squared error.
_SAME = {"log_loss": "entropy", "friedman_mse": "squared_error"}


def criterion_of(name: str) -> str:
    """The criterion that is computed for a name."""
    return _SAME.get(name, name)


def refuse_left_options(model: Any) -> None:
    """Raise NotImplementedError for what scikit-learn's trees can and ours cannot."""
    left = {"monotonic_cst": model.monotonic_cst is not None}
    for option, is_set in left.items():
        if is_set:
            name = type(model).__name__
            raise NotImplementedError(
                f"{name}({option}=...) is not supported by phalanx.ml: leave it as it is, or use "
                f"scikit-learn's {name} for it"
            )
