"""Names for what runs within: methods of frames, fits of models. Only while a profile is taken.

Methods get a wrapper when the outermost profile begins, or their module is imported, and lose it
when that ends: outside of a profile they cost what they always do. What a method calls of its own
is part of it.
"""

from __future__ import annotations

import functools
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from .. import _engine
from .._core.imports import ImportWatch

_PACKAGE = __package__.rpartition(".")[0]

# Module: the class whose public methods are operators, and what a program calls it.
_FRAME_CLASSES = (
    ("_frames.frame", "DataFrame", "DataFrame"),
    ("_frames.series", "Series", "Series"),
    ("_frames.groups.groupby", "DataFrameGroupBy", "DataFrameGroupBy"),
    ("_frames.groups.groupby", "SeriesGroupBy", "SeriesGroupBy"),
    ("_frames.resampling.resampler", "Binned", "Resampler"),
    ("_frames.windows.rolling", "Rolling", "Rolling"),
)
_FRAME_FUNCTIONS = {
    "_frames.reading": "read_csv",
    "_frames.files.parquet": "read_parquet",
    "_frames.files.feather": "read_feather read_orc",
    "_frames.files.json_reading": "read_json",
    "_frames.functions.module": "concat factorize",
    "_frames.combining.merge": "merge",
    "_frames.combining.asof": "merge_asof",
    "_frames.combining.ordered": "merge_ordered",
    "_frames.reshaping.pivot_tables": "pivot_table",
    "_frames.reshaping.crosstabs": "crosstab",
    "_frames.reshaping.cutting": "cut qcut",
    "_frames.reshaping.dummies": "get_dummies",
    "_frames.reshaping.melting": "melt",
    "_frames.dates.to_datetime": "to_datetime",
    "_frames.dates.numeric": "to_numeric",
}
_FRAME_DUNDERS = {"__getitem__": "{}[...]", "__setitem__": "{}[...] = ..."}
_MODEL_METHODS = (
    "fit",
    "fit_predict",
    "fit_transform",
    "partial_fit",
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "transform",
    "inverse_transform",
    "score",
    "score_samples",
    "kneighbors",
)
# What only looks at a frame.
_LIGHT = frozenset({"items", "keys", "iterrows", "itertuples", "get", "pipe", "set_flags"})
_MODEL_MODULES = (f"{_PACKAGE}._models.", f"{_PACKAGE}.ml.")


class _Thread(threading.local):
    is_inside = False  # of a scope: what that calls is part of it


_thread = _Thread()


def scoped(function: Callable[..., Any], name: str, group: str) -> Callable[..., Any]:
    """The function with a scope of that name around its outermost calls."""

    @functools.wraps(function)
    def measured(*args: Any, **kwargs: Any) -> Any:
        if _thread.is_inside:
            return function(*args, **kwargs)
        _thread.is_inside = True
        try:
            opened = _engine.profile_begin(name, group)
            try:
                return function(*args, **kwargs)
            finally:
                _engine.profile_end(opened)
        finally:
            _thread.is_inside = False

    return measured


class Scopes:
    """The wrappers that are in place, and what was there before."""

    def __init__(self) -> None:
        self._before: list[tuple[Any, str, Any, Any]] = []
        self._done: set[Any] = set()
        self._lock = threading.RLock()
        self._watch = ImportWatch(_is_wanted, self._imported)

    def install(self) -> None:
        """Puts wrappers around the methods of all classes that there are and will be."""
        for name in _FRAME_MODULES & set(sys.modules):
            self._imported(name)
        with self._lock:
            self._wrap_models()
        self._watch.install()

    def remove(self) -> None:
        """Puts back what was there."""
        self._watch.remove()
        with self._lock:
            wrappers = {id(wrapper) for *_, wrapper in self._before}
            self._forget_found_functions(wrappers)
            while self._before:
                owner, name, before, wrapper = self._before.pop()
                if vars(owner).get(name) is not wrapper:
                    continue  # somebody else has changed it meanwhile
                if before is _MISSING:
                    delattr(owner, name)
                else:
                    setattr(owner, name, before)
            self._done.clear()

    def _imported(self, module: str) -> None:
        with self._lock:
            found = sys.modules[module]
            relative = module.removeprefix(f"{_PACKAGE}.")
            for in_module, name, label in _FRAME_CLASSES:
                if in_module == relative:
                    self._wrap_methods(getattr(found, name, None), label)
            for name in _FRAME_FUNCTIONS.get(relative, "").split():
                self._wrap_function(found, name)
            if module.startswith(_MODEL_MODULES):
                self._wrap_models()

    def _put(
        self, owner: Any, name: str, found: Callable[..., Any], label: str, group: str
    ) -> None:
        if (owner, name) in self._done:
            return
        self._done.add((owner, name))
        wrapper = scoped(found, label, group)
        self._before.append((owner, name, vars(owner).get(name, _MISSING), wrapper))
        setattr(owner, name, wrapper)

    def _wrap_methods(self, owner: Any, label: str) -> None:
        for name in dir(owner) if owner is not None else ():
            found = _plain_function(owner, name)
            if found is None or name in _LIGHT:
                continue
            if name in _FRAME_DUNDERS:
                self._put(owner, name, found, _FRAME_DUNDERS[name].format(label), "operator")
            elif not name.startswith("_"):
                self._put(owner, name, found, f"{label}.{name}", "operator")

    def _wrap_function(self, module: Any, name: str) -> None:
        found = vars(module).get(name)
        if not isinstance(found, types.FunctionType):
            return
        self._put(module, name, found, name, "operator")
        package = sys.modules[_PACKAGE]
        if vars(package).get(name) is found:
            setattr(package, name, vars(module)[name])

    def _forget_found_functions(self, wrappers: set[int]) -> None:
        """The package keeps what it has found by name: it finds the functions themselves again."""
        package = sys.modules[_PACKAGE]
        for name in " ".join(_FRAME_FUNCTIONS.values()).split():
            if id(vars(package).get(name)) in wrappers:
                delattr(package, name)

    def _wrap_models(self) -> None:
        base = getattr(sys.modules.get(f"{_PACKAGE}._models.base"), "Estimator", None)
        waiting: list[Any] = [] if base is None else [base]
        while waiting:
            owner = waiting.pop()
            waiting.extend(owner.__subclasses__())
            if not owner.__module__.startswith(_MODEL_MODULES):
                continue
            for name in _MODEL_METHODS:
                found = vars(owner).get(name)
                if isinstance(found, types.FunctionType):
                    self._put(owner, name, found, f"{owner.__name__}.{name}", "fit")


_MISSING = object()
_FRAME_MODULES = frozenset(
    f"{_PACKAGE}.{module}" for module in (*(row[0] for row in _FRAME_CLASSES), *_FRAME_FUNCTIONS)
)


def _is_wanted(module: str) -> bool:
    return module in _FRAME_MODULES or module.startswith(_MODEL_MODULES)


def _plain_function(owner: type, name: str) -> Callable[..., Any] | None:
    """A method as it is found on the class; None for properties and what is no function."""
    for base in owner.__mro__:
        if name in vars(base):
            found = vars(base)[name]
            return found if isinstance(found, types.FunctionType) else None
    return None
