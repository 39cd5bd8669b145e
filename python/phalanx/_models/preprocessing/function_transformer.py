"""A function as a transformer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Estimator, TransformerMixin
from ..exceptions import warn_user
from ..features import keep_features, names_of_input
from ..options import BOOL, DICT, FUNCTION, NONE, Rule, one_of
from ..validation import as_array, given_as, samples

_DICT = DICT | NONE


class FunctionTransformer(TransformerMixin, Estimator):  # type: ignore[misc]
    """Gives samples to `func`, and back to `inverse_func`; they need not be fitted.

    Functions get what was given, or with `validate` an array of samples x features: ours where that
    was ours, so a function of arrays runs where they are. Parameters are scikit-learn's.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "func": FUNCTION | NONE,
        "inverse_func": FUNCTION | NONE,
        "validate": BOOL,
        "accept_sparse": BOOL,
        "check_inverse": BOOL,
        "feature_names_out": FUNCTION | one_of("one-to-one") | NONE,
        "kw_args": _DICT,
        "inv_kw_args": _DICT,
    }

    def __init__(
        self,
        func: Any = None,
        inverse_func: Any = None,
        *,
        validate: bool = False,
        accept_sparse: bool = False,
        check_inverse: bool = True,
        feature_names_out: Any = None,
        kw_args: Any = None,
        inv_kw_args: Any = None,
    ) -> None:
        self.func = func
        self.inverse_func = inverse_func
        self.validate = validate
        self.accept_sparse = accept_sparse
        self.check_inverse = check_inverse
        self.feature_names_out = feature_names_out
        self.kw_args = kw_args
        self.inv_kw_args = inv_kw_args

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check parameters and samples; warns (UserWarning) if `inverse_func` is no inverse.

        Raises ValueError with `validate` for what is no samples x features.
        """
        self._check_options()
        if self.validate and not (self.accept_sparse and hasattr(X, "nnz")):
            samples(self, X, fitting=True)
        elif len(getattr(X, "shape", np.shape(X) if isinstance(X, list) else ())) == 2:
            keep_features(self, X, X.shape[1] if hasattr(X, "shape") else len(X[0]))
        if self.check_inverse and self.func is not None and self.inverse_func is not None:
            self._compare_inverse(X)
        return self

    def _compare_inverse(self, X: Any) -> None:
        step = slice(None, None, max(1, X.shape[0] // 100))
        part = X.iloc[step] if hasattr(X, "iloc") else X[step]
        given = np.asarray(part.toarray() if hasattr(part, "toarray") else part)
        if given.dtype.kind not in "biufc":
            raise ValueError(
                "'check_inverse' is only supported when all the elements in `X` is numerical."
            )
        back = self.inverse_transform(self.transform(part))
        back = np.asarray(back.toarray() if hasattr(back, "toarray") else back)
        if back.shape != given.shape or not np.allclose(given, back, rtol=1e-7, atol=1e-9):
            warn_user(
                "The provided functions are not strictly inverse of each other. If you are sure "
                "you want to proceed regardless, set 'check_inverse=False'."
            )

    def transform(self, X: Any) -> Any:
        """Return what `func` makes of the samples; themselves where there is none."""
        if self.validate and not (self.accept_sparse and hasattr(X, "nnz")):
            X = given_as(X, samples(self, X, fitting=not hasattr(self, "n_features_in_")))
        return X if self.func is None else self.func(X, **(self.kw_args or {}))

    def inverse_transform(self, X: Any) -> Any:
        """Return what `inverse_func` makes of the samples; themselves where there is none."""
        if self.validate and not hasattr(X, "nnz"):
            X = given_as(X, as_array(X))
        return X if self.inverse_func is None else self.inverse_func(X, **(self.inv_kw_args or {}))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the results' columns, as `feature_names_out` says.

        Raises ValueError where it says nothing.
        """
        if hasattr(self, "n_features_in_"):
            input_features = names_of_input(self, input_features)
        if self.feature_names_out == "one-to-one":
            return np.asarray(input_features, object)
        if callable(self.feature_names_out):
            return np.asarray(self.feature_names_out(self, input_features), object)
        raise ValueError(
            f"feature_names_out={self.feature_names_out!r} is invalid. It must either be "
            '"one-to-one" or a callable with two arguments: the function transformer and an '
            "array-like of input feature names. The callable must return an array-like of output "
            "feature names."
        )

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.no_validation = not self.validate
        tags.requires_fit = False
        tags.input_tags.sparse = not self.validate or self.accept_sparse
        return tags
