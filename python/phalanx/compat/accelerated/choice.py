"""Our model for an instance of scikit-learn's, or why there is none."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from ..._models.options import shown


class RefusedError(Exception):
    """Our model does not fit this instance; the text says why."""


def is_sparse(value: Any) -> bool:
    """True for a sparse matrix or array of SciPy's."""
    return hasattr(value, "nnz") and hasattr(value, "toarray")


def takes_sparse(model: Any) -> bool:
    """True for a model that takes sparse samples."""
    return bool(model.__sklearn_tags__().input_tags.sparse)


def _is_default(value: Any, default: Any) -> bool:
    if value is default:
        return True
    try:
        return bool(type(value) is type(default) and np.all(value == default))
    except (TypeError, ValueError):
        return False


def model_for(estimator: Any, ours: type, arguments: tuple[Any, ...]) -> Any:
    """Our model with the parameters of an instance of scikit-learn's.

    Raises RefusedError where our class lacks a parameter that is not as it is by itself, refuses a
    value, or does not take sparse samples.
    """
    defaults = inspect.signature(type(estimator).__init__).parameters
    known = ours._get_param_names()  # type: ignore[attr-defined]
    params = estimator.get_params(deep=False)
    for name, value in params.items():
        if name not in known and not _is_default(value, defaults[name].default):
            raise RefusedError(f"{name}={shown(value)} is not supported")
    model = ours(**{name: value for name, value in params.items() if name in known})
    try:
        model._check_options()
    except NotImplementedError as error:
        raise RefusedError(str(error).partition(" by phalanx.ml")[0]) from None
    except (TypeError, ValueError):
        raise RefusedError("parameters that have no such values") from None
    if any(map(is_sparse, arguments)) and not takes_sparse(model):
        raise RefusedError("sparse samples are not supported")
    return model


def dense(model: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments in which sparse samples are dense, for a model that takes no others."""
    if not any(map(is_sparse, arguments)) or takes_sparse(model):
        return arguments
    return tuple(each.toarray() if is_sparse(each) else each for each in arguments)
