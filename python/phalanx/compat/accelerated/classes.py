"""Subclasses of scikit-learn's classes whose instances are fitted by our models."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

from ..._models.names import MODULES, find
from . import counts
from .choice import RefusedError, dense, model_for

_MODEL, _GIVEN = "_phalanx_model", "_phalanx_given"
_FITS = ("fit", "fit_transform", "fit_predict", "partial_fit")
# What scikit-learn does by parameters and public attributes alone.
_LEFT = {"get_params", "set_params", "set_output", "get_metadata_routing", "get_stop_words"}


class Accelerated:
    """What the subclasses share: attributes of our model are the instance's."""

    _phalanx_place: tuple[str, str]

    def __getattr__(self, name: str) -> Any:
        model = None if name.startswith("__") else self.__dict__.get(_MODEL)
        if model is not None and hasattr(model, name):
            return getattr(model, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        model = self.__dict__.get(_MODEL)
        if model is not None and name.endswith("_") and not name.startswith("_"):
            setattr(model, name, value)

    def __reduce__(self) -> Any:
        kind = type(self) if _is_derived(self) else None
        return rebuilt, (kind, *self._phalanx_place), self.__getstate__()


def _is_derived(estimator: Any) -> bool:
    """True for an instance of a class that a program has derived."""
    return "_phalanx_place" not in type(estimator).__dict__


def rebuilt(kind: Any, module: str, name: str) -> Any:
    """An instance without state: what a pickle begins with."""
    kind = accelerated(module, name) if kind is None else kind
    return kind.__new__(kind)


def _fit_here(self: Any, model: Any, name: str, arguments: Any, keywords: Any) -> Any:
    """Fit by our model, whose attributes the instance gets."""
    found = getattr(model, name)(*arguments, **keywords)
    params = set(self._get_param_names())
    for each in list(self.__dict__):
        if each.endswith("_") and each not in params:
            del self.__dict__[each]
    own = {key: value for key, value in vars(model).items() if key not in params}
    self.__dict__.update({key: value for key, value in own.items() if not key.startswith("_")})
    self.__dict__[_MODEL] = model
    return self if found is model else found


def _fitting(theirs: type, ours: type, name: str) -> Callable[..., Any]:
    original = getattr(theirs, name)

    @functools.wraps(original)
    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        goes_on = name == "partial_fit" or getattr(self, "warm_start", False)
        earlier = self.__dict__.get(_MODEL) if goes_on else None
        try:
            if _is_derived(self):
                raise RefusedError("a class derived from it")
            if name == "partial_fit" and earlier is None and hasattr(self, "n_features_in_"):
                raise RefusedError("it was fitted by scikit-learn before")
            model = model_for(self, ours, (*arguments, *keywords.values()))
            if earlier is not None:
                # What was learnt, with the parameters of now.
                vars(model).update({**vars(earlier), **vars(model)})
            found = _fit_here(self, model, name, arguments, keywords)
            in_parts = name == "partial_fit" or earlier is not None
            self.__dict__[_GIVEN] = None if in_parts else (arguments, keywords)
            counts.count(theirs.__name__)
        except (RefusedError, NotImplementedError) as error:
            counts.count(theirs.__name__, str(error).partition("\n")[0])
        else:
            return found
        self.__dict__.pop(_MODEL, None)
        self.__dict__.pop(_GIVEN, None)
        return original(self, *arguments, **keywords)

    return method


def _using(theirs: type, name: str) -> Callable[..., Any]:
    original = getattr(theirs, name)

    @functools.wraps(original)
    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        model = self.__dict__.get(_MODEL)
        if model is None:
            return original(self, *arguments, **keywords)
        known = model._get_param_names()
        model.set_params(**{key: each for key, each in _params(self).items() if key in known})
        return getattr(model, name)(*dense(model, arguments), **keywords)

    return method


def _params(estimator: Any) -> dict[str, Any]:
    return estimator.get_params(deep=False)  # type: ignore[no-any-return]


def _theirs_only(theirs: type, name: str) -> Callable[..., Any]:
    """A method that our model has not: scikit-learn fits once more for it."""
    original = getattr(theirs, name)

    @functools.wraps(original)
    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        if _MODEL in self.__dict__:
            given = self.__dict__.get(_GIVEN)
            if given is None:
                raise NotImplementedError(
                    f"{theirs.__name__}.{name} is not supported by phalanx.ml, which has fitted "
                    "parts; fit it in one, or run without --accelerate"
                )
            self.__dict__.pop(_MODEL)
            self.__dict__.pop(_GIVEN)
            counts.count(theirs.__name__, f"method {name}")
            theirs.fit(self, *given[0], **given[1])  # type: ignore[attr-defined]
        return original(self, *arguments, **keywords)

    return method


def _defining(theirs: type, name: str) -> str:
    """The module of the class that has a method."""
    return next(each.__module__ for each in theirs.__mro__ if name in each.__dict__)


def _methods(theirs: type, ours: type) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name in dir(theirs):
        if name.startswith(("_", "set_")) or name in _LEFT:
            continue
        static = inspect.getattr_static(theirs, name)
        if isinstance(static, (staticmethod, classmethod)):  # as Lasso.path: no instance's
            continue
        if not callable(getattr(theirs, name, None)):
            continue
        if name in _FITS and hasattr(ours, name):
            method = _fitting(theirs, ours, name)
        elif hasattr(ours, name):
            method = _using(theirs, name)
        elif not _defining(theirs, name).startswith(("sklearn.base", "sklearn.utils")):
            method = _theirs_only(theirs, name)
        else:
            continue
        made[name] = method if isinstance(static, FunctionType) else _where_theirs(static, method)
    return made


def _where_theirs(static: Any, method: Callable[..., Any]) -> Any:
    """A method that an instance has where it has scikit-learn's, as `SVC.predict_proba`."""
    from sklearn.utils.metaestimators import available_if

    def has(self: Any) -> bool:
        # scikit-learn's descriptor raises AttributeError that says why there is none.
        return static.__get__(self, type(self)) is not None

    return available_if(has)(method)


def has_class(module: str, name: str) -> bool:
    """True if a name of ours is a class with parameters that scikit-learn has, too."""
    made = find(module, name)
    if not (isinstance(made, type) and hasattr(made, "fit")):
        return False
    theirs = getattr(importlib.import_module(f"sklearn.{module}"), name, None)
    return isinstance(theirs, type)


_originals: dict[tuple[str, str], type] = {}


def keep_original(module: str, name: str, theirs: type) -> None:
    """Say which class of scikit-learn's a name has, before it leads to ours."""
    if not issubclass(theirs, Accelerated):
        _originals[module, name] = theirs


@cache
def accelerated(module: str, name: str) -> type:
    """The subclass for a name of scikit-learn's public module."""
    theirs: Any = _originals.get((module, name))
    if theirs is None:
        theirs = getattr(importlib.import_module(f"sklearn.{module}"), name)
    ours = find(module, name)
    body: dict[str, Any] = {
        "__module__": theirs.__module__,
        "__qualname__": theirs.__qualname__,
        "__doc__": theirs.__doc__,
        "_phalanx_place": (module, name),
        **_methods(theirs, ours),
    }
    wraps = getattr(theirs, "_sklearn_auto_wrap_output_keys", None)
    keywords = {"auto_wrap_output_keys": None} if wraps is not None and not wraps else {}
    made: type = type(theirs)(theirs.__name__, (Accelerated, theirs), body, **keywords)
    return made


def modules() -> list[str]:
    """The public modules of scikit-learn's of which we have classes."""
    return [each for each in MODULES if each != "metrics"]
