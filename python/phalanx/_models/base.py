"""The base classes of all models: scikit-learn's where it is installed, else ours of its names."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import itertools
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from .._arrays.placement import device, is_elsewhere, lies_on
from .available import available_if
from .exceptions import InconsistentVersionWarning, warn_user
from .frames_given import is_spread
from .gpu_turns import in_turn
from .options import Rule, check_options, refusals

if importlib.util.find_spec("sklearn") is not None:
    from sklearn.base import (
        BaseEstimator,
        ClassifierMixin,
        ClassNamePrefixFeaturesOutMixin,
        ClusterMixin,
        DensityMixin,
        OneToOneFeatureMixin,
        OutlierMixin,
        RegressorMixin,
        TransformerMixin,
    )
else:
    from .bases_alone import (
        BaseEstimator,
        ClassifierMixin,
        ClassNamePrefixFeaturesOutMixin,
        ClusterMixin,
        DensityMixin,
        OneToOneFeatureMixin,
        OutlierMixin,
        RegressorMixin,
        TransformerMixin,
    )

__all__ = (
    "BaseEstimator",
    "ClassNamePrefixFeaturesOutMixin",
    "ClassifierMixin",
    "ClusterMixin",
    "DensityMixin",
    "Estimator",
    "OneToOneFeatureMixin",
    "OutlierMixin",
    "RegressorMixin",
    "TransformerMixin",
)


_VERSION = "_phalanx_version"  # in pickles
_FROM_NEW = ("fit", "fit_predict", "fit_transform")  # what was fitted before is forgotten
_FITS = (*_FROM_NEW, "partial_fit")
# Methods whose results have a row for each sample.
_OF_ROWS = (
    "apply",
    "decision_function",
    "inverse_transform",
    "kneighbors",
    "predict",
    "predict_joint_log_proba",
    "predict_log_proba",
    "predict_proba",
    "radius_neighbors",
    "score_samples",
    "transform",
)


def _over_devices(owner: type, method: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A method that takes spread arrays and frames, too, by `blocks.spread_calls`.

    That is found by its name: it stands on the models, and is imported when somebody has such.
    The device of the arrays and frames given, else that of the model's own, is the current one
    while it runs: what is NumPy's, and what models make on the way, goes there.
    """

    first = method.__code__.co_varnames[1]

    @functools.wraps(method)
    def call(self: Any, *arguments: Any, **keywords: Any) -> Any:
        given = arguments[0] if arguments else keywords.get(first)
        if not is_spread(given):
            own = _parameters(self) if name in _FROM_NEW else vars(self).values()
            here = _place_among(arguments, keywords.values(), own)
            if here is None or not is_elsewhere(here):
                return method(self, *arguments, **keywords)
            with device(here):
                return method(self, *arguments, **keywords)
        calls = importlib.import_module(".blocks.spread_calls", __package__)
        bound = inspect.signature(method).bind(self, *arguments, **keywords).arguments
        X, others = bound[first], dict(list(bound.items())[2:])
        if name in _FITS:
            return calls.fitted(owner, name, self, X, **others)
        how = calls.summed if name == "score" else calls.by_rows
        return how(method, self, X, **others)

    return call


def _parameters(model: Any) -> Iterable[Any]:
    return (each for name, each in vars(model).items() if not (name[0] + name[-1]).count("_"))


def _place_among(*groups: Iterable[Any]) -> Any:
    """Where the first array or frame of ours lies; None without any."""
    places = map(lies_on, itertools.chain.from_iterable(groups))
    return next((each for each in places if each is not None), None)


def _undone_if_it_fails(fit: Callable[..., Any]) -> Callable[..., Any]:
    """A method that fits, after whose failure the model has the attributes it had before.

    They are not copied: what changes an array or a list of the model in place must not fail then.
    """

    @functools.wraps(fit)
    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        before = self.__dict__.copy()
        try:
            return fit(self, *arguments, **keywords)
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    return method


def _version_here() -> str:
    from .. import __version__

    return __version__


class Estimator(BaseEstimator):  # type: ignore[misc]
    """What all models have: parameters, which `fit` checks by the class's table of rules.

    A fit that raises leaves the model as it was: not fitted, or with its last fit. So methods that
    fit may set attributes as they go, and check as they go.
    """

    # Input that scikit-learn's class takes and this one does not: see `UnsupportedInputError`.
    _unsupported: ClassVar[tuple[str, ...]] = ()
    # Which library's class of the name takes what this one does not.
    _library: ClassVar[str] = "scikit-learn"
    # True where samples are only compared, so that infinite ones are as good as others.
    _takes_infinities: ClassVar[bool] = False
    # True if `fit` itself takes spread samples.
    _fits_spread: ClassVar[bool] = False
    # True if the score of samples is the sum of the scores of parts of them.
    _adds_scores: ClassVar[bool] = False
    # Of each parameter; a parameter without a rule may have any value.
    _rules: ClassVar[Mapping[str, Rule]] = {}

    def __init_subclass__(cls) -> None:
        """Give the class methods that fit wholly or not at all, and take spread samples.

        Fits of ours take turns on a GPU. Those of other people's classes, which call them, do not:
        such a fit may wait for fits in other processes.
        """
        super().__init_subclass__()
        is_ours = cls.__module__.startswith(f"{__package__}.")
        if is_ours:
            cls._take_spread()
        if is_ours and (less := refusals(cls._rules, cls._library)):
            cls.__doc__ = (vars(cls).get("__doc__") or "").rstrip() + less
        for name in _FITS:
            if (fit := cls.__dict__.get(name)) is not None:
                setattr(cls, name, _undone_if_it_fails(in_turn(fit) if is_ours else fit))

    @classmethod
    def _take_spread(cls) -> None:
        """Have the methods that the class or a mixin of ours has take spread arrays and frames."""
        names = (() if cls._fits_spread else _FITS) + (("score",) if cls._adds_scores else ())
        for name in (*names, *_OF_ROWS):
            owner = next((each for each in cls.__mro__ if name in each.__dict__), cls)
            if owner is not cls and (
                issubclass(owner, Estimator) or not owner.__module__.startswith(f"{__package__}.")
            ):
                continue
            method = owner.__dict__.get(name)
            if isinstance(method, available_if):
                method(_over_devices(cls, method.method, name))
            elif isinstance(method, types.FunctionType):
                setattr(cls, name, _over_devices(cls, method, name))

    def __getstate__(self) -> dict[str, Any]:
        """The attributes, and the version that has made them."""
        return {**(super().__getstate__() or {}), _VERSION: _version_here()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the attributes of a pickle; warn where another version has made them."""
        own = dict(state)
        version = own.pop(_VERSION, "of a version that it does not tell")
        if version != _version_here():
            warn_user(
                f"this {type(self).__name__} was pickled by phalanx {version}, and this is "
                f"{_version_here()}: its results may be wrong, or its methods fail; fit it again, "
                "or install the version that pickled it",
                InconsistentVersionWarning,
            )
        self.__dict__.update(own)

    def _check_options(self) -> None:
        """Raise what `check_options` raises for the first parameter that its rule refuses."""
        check_options(self, self._rules)
