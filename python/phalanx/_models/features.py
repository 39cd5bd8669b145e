"""Names and number of features: kept when a model is fitted, compared later."""

from __future__ import annotations

from typing import Any

import numpy as np

from .exceptions import check_is_fitted, warn_user

MANY = 5  # names in a message


def _names_of(X: Any) -> Any:
    """The names of a frame's columns if all are texts, else None. Raises TypeError for some."""
    columns = getattr(X, "columns", None)
    if columns is None or not hasattr(X, "dtypes"):
        return None
    names = list(columns)
    texts = sum(isinstance(name, str) for name in names)
    if not texts:
        return None
    if texts < len(names):
        kinds = sorted({type(name).__qualname__ for name in names})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types. If you want feature names to "
            "be stored and validated, you must convert them all to strings, by using "
            "X.columns = X.columns.astype(str) for example. Otherwise you can remove feature / "
            "column names from your input data, or convert them all to a non-string data type."
        )
    return np.asarray(names, object)


def keep_features(estimator: Any, X: Any, count: int) -> None:
    """Set `n_features_in_`, and `feature_names_in_` of a frame whose columns are texts."""
    names = _names_of(X)
    if names is not None:
        estimator.feature_names_in_ = names
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_
    estimator.n_features_in_ = count


def compare_names(estimator: Any, X: Any) -> None:
    """Raise ValueError where columns have not the names with which a model was fitted.

    Warns where only one of both has names.
    """
    fitted, given = getattr(estimator, "feature_names_in_", None), _names_of(X)
    name = type(estimator).__name__
    if fitted is None and given is None:
        return
    if given is None:
        warn_user(f"X does not have valid feature names, but {name} was fitted with feature names")
    elif fitted is None:
        warn_user(f"X has feature names, but {name} was fitted without feature names")
    elif len(fitted) != len(given) or (fitted != given).any():
        raise ValueError(_difference(fitted, given))


def _difference(fitted: Any, given: Any) -> str:
    text = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(given) - set(fitted))
    missing = sorted(set(fitted) - set(given))
    if unseen:
        text += f"Feature names unseen at fit time:\n{_listed(unseen)}"
    if missing:
        text += f"Feature names seen at fit time, yet now missing:\n{_listed(missing)}"
    if not unseen and not missing:
        text += "Feature names must be in the same order as they were in fit.\n"
    return text


def _listed(names: list[str]) -> str:
    shown = "".join(f"- {name}\n" for name in names[:MANY])
    return shown + ("- ...\n" if len(names) > MANY else "")


def compare_count(estimator: Any, count: int) -> None:
    """Raise ValueError where samples have not as many features as those of `fit`."""
    if count != estimator.n_features_in_:
        raise ValueError(
            f"X has {count} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input"
        )


def names_of_input(estimator: Any, input_features: Any) -> Any:
    """The names of the features of `fit`: given, kept, or ``x0``, ``x1`` and so on."""
    check_is_fitted(estimator)
    kept = getattr(estimator, "feature_names_in_", None)
    if input_features is None:
        return kept if kept is not None else _numbered("x", estimator.n_features_in_)
    given = np.asarray(input_features, object)
    if kept is not None and not np.array_equal(kept, given):
        raise ValueError("input_features is not equal to feature_names_in_")
    if len(given) != estimator.n_features_in_:
        raise ValueError(
            f"input_features should have length equal to number of features "
            f"({estimator.n_features_in_}), got {len(given)}"
        )
    return given


def numbered_names(estimator: Any) -> Any:
    """The class's name with the number of each feature of the result."""
    check_is_fitted(estimator)
    return _numbered(type(estimator).__name__.lower(), estimator._n_features_out)


def _numbered(prefix: str, count: int) -> Any:
    return np.asarray([f"{prefix}{number}" for number in range(count)], object)
