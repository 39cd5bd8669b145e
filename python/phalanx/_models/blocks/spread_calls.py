"""What methods of models do with spread arrays and frames: `base.Estimator` calls it."""

from __future__ import annotations

import importlib
import io
import pickle
import types
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..._arrays.ndarray import ndarray
from ..._arrays.spread.array import SpreadArray
from ..._arrays.spread.group import DeviceGroup
from ..._arrays.spread.threads import run_on
from .on_devices import OnDevices, aligned, parts_of, sizes_of, spread_over


class _Fit(NamedTuple):
    """Where a class's fit over blocks is, and whether it needs targets and takes NaN."""

    module: str
    name: str = "fit"
    takes_targets: bool = True
    allows_nan: bool = False


def _of_samples(module: str, name: str = "fit", *, allows_nan: bool = False) -> _Fit:
    return _Fit(module, name, False, allows_nan)


# By the name of the class; a class below it has the same fit unless it has one of its own.
FITS: dict[str, _Fit] = {
    "BernoulliNB": _Fit("naive_bayes"),
    "ComplementNB": _Fit("naive_bayes"),
    "ElasticNet": _Fit("linear", "fit_elastic_net"),
    "GaussianNB": _Fit("naive_bayes"),
    "KMeans": _of_samples("kmeans"),
    "LinearRegression": _Fit("linear", "fit_least_squares"),
    "LogisticRegression": _Fit("logistic"),
    "MaxAbsScaler": _of_samples("scalers", "fit_range", allows_nan=True),
    "MinMaxScaler": _of_samples("scalers", "fit_range", allows_nan=True),
    "MultinomialNB": _Fit("naive_bayes"),
    "PCA": _of_samples("decomposition", "fit_pca"),
    "Ridge": _Fit("linear", "fit_ridge"),
    "StandardScaler": _of_samples("scalers", "fit_standard", allows_nan=True),
    "TruncatedSVD": _of_samples("decomposition", "fit_truncated_svd"),
}


def fitted(owner: type, name: str, model: Any, X: Any, **others: Any) -> Any:
    """What a method of the class `owner` that fits gives for samples on several devices.

    Sums of each device's samples are added up. Raises NotImplementedError for classes whose fits
    need all samples on one device.
    """
    fit = _fit_of(owner, type(model))
    if fit is None or name == "partial_fit":
        raise NotImplementedError(
            f"{type(model).__name__}.{name} is not done over devices: x.gather() has the whole on "
            f"one. There are fits of {', '.join(sorted(FITS))} and of neighbors"
        )
    if name != "fit":
        model.fit(X, **others)
        return model.transform(X) if name == "fit_transform" else model.labels_
    model._check_options()
    y = others.get("y") if fit.takes_targets else None
    if fit.takes_targets and y is None:
        raise ValueError(
            f"requires y to be passed, but the target y is None: {type(model).__name__} needs it"
        )
    weight = others.get("sample_weight")
    blocks = OnDevices.of(model, X, y, weight, allow_nan=fit.allows_nan)
    getattr(importlib.import_module(f".{fit.module}", __package__), fit.name)(model, blocks)
    return model


def _fit_of(owner: type, kind: type) -> _Fit | None:
    """The fit over blocks of a class whose fit is that of `owner`."""
    names = [each.__name__ for each in kind.__mro__ if issubclass(each, owner)]
    return next((FITS[each] for each in names if each in FITS), None)


def summed(method: Callable[..., Any], model: Any, X: Any, **others: Any) -> float:
    """The sum of what a method gives for the samples of each device, with their weights."""
    parts = parts_of(X)
    weight = aligned(others.get("sample_weight"), "sample_weight", X.group, sizes_of(parts))
    found = run_on(
        X.group,
        lambda own, part, share: method(own, part, sample_weight=share) if len(part) else 0.0,
        _placed(model, X.group),
        parts,
        weight,
    )
    return float(sum(found))


def by_rows(method: Callable[..., Any], model: Any, X: Any, **others: Any) -> Any:
    """What a method gives for samples on several devices, spread as they are.

    Texts and objects, which devices cannot hold, are NumPy's array of all samples. Raises
    NotImplementedError for sparse results, and what the method raises.
    """
    parts = parts_of(X)
    is_empty = not any(sizes_of(parts))
    found = run_on(
        X.group,
        lambda own, part: method(own, part, **others) if len(part) or is_empty else None,
        _placed(model, X.group),
        parts,
    )
    first = next(each for each in found if each is not None)
    if isinstance(first, tuple):
        rows = [[None if each is None else each[i] for each in found] for i in range(len(first))]
        return tuple(_together(each, X.group, method.__name__) for each in rows)
    return _together(found, X.group, method.__name__)


def _together(found: Sequence[Any], group: DeviceGroup, name: str) -> Any:
    """The results of all devices; a device without samples has None."""
    there = [each for each in found if each is not None]
    if isinstance(there[0], np.ndarray):
        return np.concatenate(there)
    if not isinstance(there[0], ndarray):
        raise NotImplementedError(
            f"{name} gives {type(there[0]).__name__}, which is not put together from several "
            "devices: x.gather() has the whole on one"
        )
    return spread_over(group, found)


# What goes along with a model without a copy: data that methods only read, and what has a name.
_SHARED = (ndarray, np.ndarray, SpreadArray, types.FunctionType, type)


class _Writer(pickle.Pickler):
    """Writes a model, and lists the arrays in it."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.shared: list[Any] = []

    def persistent_id(self, value: Any) -> int | None:
        if not isinstance(value, _SHARED):
            return None
        self.shared.append(value)
        return len(self.shared) - 1


class _Reader(pickle.Unpickler):
    """Reads a model whose arrays of ours come to a device."""

    def __init__(self, text: bytes, shared: list[Any], device: Any) -> None:
        super().__init__(io.BytesIO(text))
        self._shared, self._device = shared, device

    def persistent_load(self, number: Any) -> Any:
        found = self._shared[number]
        return found.to_device(self._device) if isinstance(found, ndarray) else found


def _placed(model: Any, group: DeviceGroup) -> list[Any]:
    """A model for each device, with what it has learned there; spread samples stay as they are."""
    file = io.BytesIO()
    writer = _Writer(file)
    writer.dump(model)
    text = file.getvalue()
    return [_Reader(text, writer.shared, device.name).load() for device in group]
