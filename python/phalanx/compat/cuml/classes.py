"""Models with cuML's parameters and kinds of results, made of those of `phalanx.ml`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from ..._models.names import find as find_ours
from ..._models.names import module_of
from ..._models.options import InvalidParameterError
from .output import check_kind, converted, global_kind, kind_of
from .parameters import COMMON, DEFAULTS, FIXED, MORE, RENAMED, VALUES

# Inside of a method attributes are what they are.
_inside: ContextVar[bool] = ContextVar("inside", default=False)
_DROPPED = ("convert_dtype", "handle")
_SHOWN = ("get_params", "set_params", "set_output", "get_metadata_routing")


class CumlModel:
    """What the classes share: kinds of results, and parameters that have other names here."""

    _cuml_name: str
    _cuml_given: str
    output_type: str | None

    def __getattribute__(self, name: str) -> Any:
        value = object.__getattribute__(self, name)
        if not name.endswith("_") or name.startswith("_") or _inside.get():
            return value
        return converted(value, self._kind())

    def _kind(self) -> str:
        wished = self.output_type or global_kind() or "input"
        given = self.__dict__.get("_cuml_given", "numpy")
        return given if wished == "input" else wished

    @contextmanager
    def _as_ours(self) -> Iterator[None]:
        """Parameters have our values inside."""
        table = VALUES.get(self._cuml_name, {})
        renamed = RENAMED.get(self._cuml_name, {})
        token = _inside.set(True)
        # Only what is changed here is put back: another thread may have changed the rest.
        changed = {}
        try:
            for name, values in table.items():
                given = self.__dict__[name]
                if type(given) in (str, int) and given in values:
                    changed[name] = given
                    self.__dict__[name] = values[given]
            for name, (ours, values) in renamed.items():
                given = self.__dict__[name]
                if given != MORE[self._cuml_name][name]:
                    changed[ours] = self.__dict__[ours]
                    self.__dict__[ours] = values.get(given, given)
            yield
        finally:
            self.__dict__.update(changed)
            _inside.reset(token)

    def _check_options(self) -> None:
        check_kind(self.output_type)
        more = MORE.get(self._cuml_name, {})
        for name in FIXED.get(self._cuml_name, ()):
            value = getattr(self, name)
            if value != more[name]:
                raise NotImplementedError(
                    f"{self._cuml_name}({name}={value!r}) is not supported by phalanx; it takes "
                    f"{more[name]!r}"
                )
        if not isinstance(self.__dict__.get("verbose", 0), (bool, int)):
            raise InvalidParameterError("verbose must be a bool or an int, a level of cuML's")
        super()._check_options()  # type: ignore[misc]


def _method(original: Callable[..., Any], name: str) -> Callable[..., Any]:
    fits = name.startswith(("fit", "partial_fit"))

    @functools.wraps(original)
    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        for each in _DROPPED:
            keywords.pop(each, None)
        if _inside.get():
            return original(self, *arguments, **keywords)
        samples = arguments[0] if arguments else next(iter(keywords.values()), None)
        kind = kind_of(samples)
        with self._as_ours():
            found = original(self, *arguments, **keywords)
        if fits:
            self.__dict__["_cuml_given"] = kind
        wished = self.output_type or global_kind() or "input"
        return found if found is self else converted(found, kind if wished == "input" else wished)

    return method


def _signature(ours: Any, name: str) -> inspect.Signature:
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    given = inspect.signature(ours.__init__).parameters
    own = {key: each for key, each in given.items() if each.kind not in variadic}
    added = {**MORE.get(name, {}), **COMMON}
    defaults = DEFAULTS.get(name, {})
    made = [each.replace(default=defaults.get(each.name, each.default)) for each in own.values()]
    made += [
        inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY, default=default)
        for each, default in added.items()
        if each not in own
    ]
    return inspect.Signature(made)


@cache
def served(name: str) -> Any:
    """The class for a name of `phalanx.ml`'s."""
    module = module_of(name)
    ours: Any = find_ours(module or "", name)
    signature = _signature(ours, name)
    own = inspect.signature(ours.__init__).parameters

    def __init__(self: Any, *arguments: Any, **parameters: Any) -> None:
        bound = signature.bind(self, *arguments, **parameters)
        bound.apply_defaults()
        given = dict(list(bound.arguments.items())[1:])
        # Its own beginning first: `Lasso` has attributes that are no parameters.
        ours.__init__(self, **{each: given[each] for each in own if each in given})
        for each, value in given.items():
            setattr(self, each, value)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    body: dict[str, Any] = {
        "__module__": __name__,
        "__qualname__": name,
        "__doc__": ours.__doc__,
        "__init__": __init__,
        "_cuml_name": name,
    }
    for each in dir(ours):
        is_shown = each.startswith("_") or each in _SHOWN or each.startswith("set_")
        if not is_shown and inspect.isfunction(getattr(ours, each)):
            body[each] = _method(getattr(ours, each), each)
    wraps = getattr(ours, "_sklearn_auto_wrap_output_keys", None)
    keywords = {"auto_wrap_output_keys": None} if wraps is not None and not wraps else {}
    return type(ours)(name, (CumlModel, ours), body, **keywords)


def __getattr__(name: str) -> Any:
    """A class by its name: pickles look for it here."""
    if name.startswith("__") or module_of(name) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return served(name)
