"""Likelihood ratios of two classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .binary import undefined
from .checks import pair_of_labels
from .classification import confusion_matrix

_RANGES = {"LR+": (1.0, np.inf), "LR-": (0.0, 1.0)}


def class_likelihood_ratios(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    replace_undefined_by: Any = np.nan,
) -> tuple[float, float]:
    """Return how much likelier a prediction is for samples of the second class than of the first.

    The first ratio is of predictions of the second class, the other of those of the first. `labels`
    says the order of classes. Where a ratio divides by 0 it is `replace_undefined_by` (NaN, 1, or a
    dict with ``"LR+"`` and ``"LR-"``), with a warning. Raises what `confusion_matrix` raises, and
    ValueError for other than two classes and for another replacement.

    >>> from phalanx.ml.metrics import class_likelihood_ratios
    >>> class_likelihood_ratios([0, 1, 1, 0], [0, 1, 0, 1])
    (1.0, 1.0)
    """
    true, predicted = pair_of_labels(y_true, y_pred, sample_weight)
    if true.ndim != 1 or len(np.unique(np.concatenate([true, predicted]))) > 2:
        kind = "multiclass" if true.ndim == 1 else "multilabel-indicator"
        raise ValueError(
            "class_likelihood_ratios only supports binary classification problems, got targets of "
            f"type: {kind}"
        )
    instead = _replacements(replace_undefined_by)
    table = confusion_matrix(true, predicted, labels=labels, sample_weight=sample_weight)
    if table.size != 4:
        raise ValueError(
            "class_likelihood_ratios needs two classes: pass both as labels where one is not there"
        )
    right, low, missed, hits = table.ravel().astype(np.float64)
    ends = (("LR+", hits, low), ("LR-", missed, right))
    return _ratio(ends[0], table, instead), _ratio(ends[1], table, instead)


def _ratio(part: tuple[str, float, float], table: Any, instead: dict[str, float]) -> float:
    name, of_positives, of_others = part
    others, positives = table.sum(axis=1)
    if positives == 0:
        undefined(
            f"No samples of the positive class are present in `y_true`: {name} is not defined. Use "
            "the `replace_undefined_by` param to control what it is set to."
        )
        return instead[name] if of_others == 0 else float("nan")
    if of_others == 0:
        undefined(
            f"{name} is ill-defined and set to {instead[name]}. Use the `replace_undefined_by` "
            "param to control this."
        )
        return instead[name]
    return float(of_positives * others / (of_others * positives))


def _replacements(given: Any) -> dict[str, float]:
    if not isinstance(given, dict):
        if isinstance(given, (int, float)) and (given == 1 or given != given):
            return dict.fromkeys(_RANGES, float(given))
        raise ValueError(f"replace_undefined_by must be NaN, 1.0 or a dict, got {given!r}")
    for name, (low, high) in _RANGES.items():
        value: Any = given.get(name)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not (low <= value <= high or value != value):
            raise ValueError(
                "The dictionary passed as `replace_undefined_by` needs to have 'LR+', from 1 to "
                f"infinity, and 'LR-', from 0 to 1, or NaN; got {given!r}"
            )
    return {name: float(given[name]) for name in _RANGES}
