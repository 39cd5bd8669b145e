"""What `fit`, `predict` and the like are given: checked, and made arrays of ours."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .._arrays.ndarray import ndarray
from .exceptions import DataConversionWarning, check_is_fitted, warn_user
from .features import compare_count, compare_names, keep_features
from .frames_given import is_column, is_frame
from .options import UnsupportedInputError
from .sparse_samples import SparseSamples, from_matrix, is_sparse

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


def is_ours(X: Any) -> bool:
    """True if results go to our arrays: of arrays and frames of ours, and of a GPU's memory."""
    if isinstance(X, ndarray) or is_frame(X) or is_column(X):
        return True
    if hasattr(X, "__cuda_array_interface__"):
        return True
    return is_sparse(X) and px.sparse.issparse(X)


def given_as(X: Any, result: Any) -> Any:
    """A result in the kind of what was given: NumPy's array, or ours.

    Texts and objects, which our arrays cannot hold, are NumPy's. NumPy's arrays can be written to,
    as scripts for scikit-learn do: what is memory of ours is copied.
    """
    if not is_ours(X):
        made = np.asarray(result)
        return made if made.flags.writeable else made.copy()
    is_made = isinstance(result, ndarray) or np.asarray(result).dtype.kind in "OSUT"
    return result if is_made else px.asarray(result)


def as_array(X: Any, name: str = "X") -> Any:
    """An array of ours or NumPy's, of any dtype. Raises TypeError for sparse data."""
    if isinstance(X, ndarray):
        return X
    if is_sparse(X):
        raise TypeError(
            f"Sparse data was passed for {name}, but dense data is required. "
            "Use '.toarray()' to convert to a dense array."
        )
    if is_frame(X):
        return _of_frame(X)
    if is_column(X):
        return _of_column(X)
    if hasattr(X, "__cuda_array_interface__"):
        return px.asarray(X)
    return np.asarray(X)


def _of_frame(frame: Any) -> Any:
    """A frame's columns side by side, where they are; objects by way of the host."""
    columns = [_of_column(frame.iloc[:, number]) for number in range(frame.shape[1])]
    if not columns or any(not isinstance(each, ndarray) for each in columns):
        return np.asarray(frame)
    return px.stack(columns, axis=1)


def _of_column(series: Any) -> Any:
    dtype = series.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        return px.asarray(series.values)
    return np.asarray(series)


def numbers(values: Any, dtypes: tuple[np.dtype, ...] = FLOATS, name: str = "X") -> ndarray:
    """An array of ours in one of some dtypes, the first unless it is of another.

    Raises ValueError for complex numbers and for texts.
    """
    if values.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{values!r}\n")
    if values.dtype.kind in "SU":
        raise ValueError(
            f"dtype='numeric' is not compatible with arrays of bytes/strings in {name}. Convert "
            "your data to numeric values explicitly instead."
        )
    if values.dtype.kind == "O" or values.dtype.kind not in "biuf":
        values = np.asarray(values).astype(dtypes[0])
    if values.dtype not in dtypes:
        values = values.astype(dtypes[0])
    if not isinstance(values, ndarray) and values.ndim:  # of a number it would make a vector
        values = np.ascontiguousarray(values)
    return px.asarray(values)


def refuse_gaps(values: ndarray, name: str, estimator: Any, *, allow_nan: bool = False) -> None:
    """Raise ValueError where there are infinities or, unless allowed, missing numbers.

    `estimator` is a model, or the name of what takes none. The error is an UnsupportedInputError
    (NotImplementedError, too) where scikit-learn's model takes these. Infinite samples are let
    through for models that only compare them, whose class has `_takes_infinities`.
    """
    if values.dtype.kind != "f" or bool(px.isfinite(px.sum(values))):
        return
    has_nan = bool(px.any(px.isnan(values)))
    if has_nan and not allow_nan:
        raise _unsupported_or_wrong(estimator, "nan" if name == "X" else "")(
            f"Input {name} contains NaN.\n{_name_of(estimator)} does not accept missing "
            "values encoded as NaN natively. Fill them, for example with SimpleImputer, or drop "
            "the samples that have them; HistGradientBoosting takes them as they are."
        )
    if name == "X" and getattr(estimator, "_takes_infinities", False):
        return
    if bool(px.any(px.isinf(values))):
        raise ValueError(
            f"Input {name} contains infinity or a value too large for {values.dtype!r}."
        )


def _name_of(estimator: Any) -> str:
    return estimator if isinstance(estimator, str) else type(estimator).__name__


def _unsupported_or_wrong(estimator: Any, kind: str) -> type[ValueError]:
    """What to raise: the class's `_unsupported` says what scikit-learn's model takes."""
    return UnsupportedInputError if kind in getattr(estimator, "_unsupported", ()) else ValueError


def refuse_shapes(values: Any, estimator: Any, least: int = 1) -> None:
    """Raise ValueError unless there are samples x features, `least` samples and a feature.

    `estimator` is a model, or the name of what takes no others.
    """
    name = _name_of(estimator)
    if values.ndim < 2:
        kind = "scalar" if values.ndim == 0 else "1D"
        raise ValueError(
            f"Expected 2D array, got {kind} array instead:\narray={np.asarray(values)}.\n"
            "Reshape your data either using array.reshape(-1, 1) if your data has a single "
            "feature or array.reshape(1, -1) if it contains a single sample."
        )
    if values.ndim > 2:
        raise ValueError(
            f"Found array with dim {values.ndim}, while dim <= 2 is required by {name}."
        )
    if values.shape[0] < least:
        raise ValueError(
            f"Found array with {values.shape[0]} sample(s) (shape={values.shape}) while a minimum "
            f"of {least} is required by {name}."
        )
    if values.shape[1] < 1:
        raise ValueError(
            f"Found array with 0 feature(s) (shape={values.shape}) while a minimum of 1 is "
            f"required by {name}."
        )


def samples(
    estimator: Any,
    X: Any,
    *,
    fitting: bool = False,
    least: int = 1,
    dtypes: tuple[np.dtype, ...] = FLOATS,
    allow_nan: bool = False,
) -> ndarray:
    """Samples x features, as an array of ours in one of some dtypes.

    `fitting` keeps the names and the number of features, which are compared otherwise. Raises
    ValueError for other shapes, fewer than `least` samples, complex numbers, texts, infinities and,
    unless `allow_nan`, missing numbers; TypeError for sparse data; NotFittedError before `fit`.
    """
    if not fitting:
        check_is_fitted(estimator)
        compare_names(estimator, X)
    values = as_array(X)
    refuse_shapes(values, estimator, least)
    made = numbers(values, dtypes)
    refuse_gaps(made, "X", estimator, allow_nan=allow_nan)
    if fitting:
        keep_features(estimator, X, made.shape[1])
    else:
        compare_count(estimator, made.shape[1])
    return made


def samples_or_sparse(
    estimator: Any, X: Any, *, fitting: bool = False, least: int = 1, allow_nan: bool = False
) -> Any:
    """What `samples` gives, or `SparseSamples` where sparse data was passed.

    For models that take both, whose tags are `TakesSparse`. Raises as `samples` does.
    """
    if not is_sparse(X):
        return samples(estimator, X, fitting=fitting, least=least, allow_nan=allow_nan)
    if not fitting:
        check_is_fitted(estimator)
    made = _sparse(estimator, X, least, allow_nan=allow_nan)
    if fitting:
        keep_features(estimator, X, made.shape[1])
    else:
        compare_names(estimator, X)
        compare_count(estimator, made.shape[1])
    return made


def _sparse(estimator: Any, X: Any, least: int, *, allow_nan: bool) -> SparseSamples:
    made: SparseSamples = from_matrix(X, FLOATS)
    refuse_shapes(made, estimator, least)
    if not np.isfinite(made.facts.total):
        host = px.asarray(made.values, device=made.device)
        refuse_gaps(host, "X", estimator, allow_nan=allow_nan)
    return made


def scaled_samples(estimator: Any, X: Any, *, takes_sparse: bool = False) -> Any:
    """What `transform` made of samples, to be taken back: as `samples`, or sparse, with NaN.

    It has as many features, whose names are not compared, as results are seldom frames. Raises as
    `samples` does.
    """
    check_is_fitted(estimator)
    if is_sparse(X) and takes_sparse:
        made: Any = _sparse(estimator, X, 1, allow_nan=True)
    else:
        values = as_array(X)
        refuse_shapes(values, estimator)
        made = numbers(values)
        refuse_gaps(made, "X", estimator, allow_nan=True)
    compare_count(estimator, made.shape[1])
    return made


def components_back(estimator: Any, X: Any, count: int) -> ndarray:
    """Samples x components, which `transform` made, to be taken back.

    Raises ValueError for another number of components than `count`, and for texts; NotFittedError
    before `fit`.
    """
    check_is_fitted(estimator)
    values = as_array(X)
    refuse_shapes(values, estimator)
    if values.shape[1] != count:
        raise ValueError(
            f"X has {values.shape[1]} features, but {_name_of(estimator)}.inverse_transform takes "
            f"{count} components"
        )
    return numbers(values)


def targets(estimator: Any, y: Any, count: int, *, several: bool = False) -> Any:
    """The targets, an array of ours or NumPy's with one row a sample.

    Raises ValueError for none, other lengths and dimensions, and missing numbers;
    UnsupportedInputError for several targets of models that scikit-learn has for them.
    """
    name = type(estimator).__name__
    if y is None:
        raise ValueError(f"requires y to be passed, but the target y is None: {name} needs it")
    values = as_array(y, "y")
    if values.ndim == 2 and values.shape[1] == 1 and not several:
        warn_user(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of "
            "y to (n_samples,), for example using ravel().",
            DataConversionWarning,
        )
        values = values.reshape(-1)
    if values.ndim != 1 and not (several and values.ndim == 2):
        kind = "targets" if values.ndim == 2 else ""
        raise _unsupported_or_wrong(estimator, kind)(
            f"y should be a 1d array, got an array of shape {values.shape} instead: {name} takes "
            "one target a sample"
        )
    if values.shape[0] != count:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: [{count}, "
            f"{values.shape[0]}]"
        )
    if values.dtype.kind == "f":
        refuse_gaps(px.asarray(values), "y", estimator)
    return values


def weights(
    sample_weight: Any, like: ndarray | SparseSamples, *, may_be_0: bool = False
) -> ndarray | None:
    """A weight for each sample, in the dtype of the samples; None where there are none.

    Raises ValueError for other shapes, NaN, infinities, negative weights and, unless `may_be_0`,
    those that are all 0.
    """
    if sample_weight is None:
        return None
    values = numbers(as_array(sample_weight, "sample_weight"), (like.dtype,), "sample_weight")
    if values.ndim == 0:
        values = px.full(like.shape[0], values, like.dtype)
    if values.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if values.shape[0] != like.shape[0]:
        raise ValueError(f"sample_weight.shape == {values.shape}, expected {like.shape[:1]}!")
    if bool(px.any(px.isnan(values))):
        raise ValueError("Input sample_weight contains NaN.")
    if bool(px.any(px.isinf(values))):
        raise ValueError(
            f"Input sample_weight contains infinity or a value too large for {values.dtype!r}."
        )
    if bool(px.any(values < 0)):
        raise ValueError("Negative values in data passed to `sample_weight`.")
    if not may_be_0 and not bool(px.any(values > 0)):
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return values.to_device(like.device) if isinstance(like, SparseSamples) else values
