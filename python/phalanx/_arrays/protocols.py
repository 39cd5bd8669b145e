"""What NumPy and other libraries do with our arrays: NEP 13, NEP 18, the Array API's namespace."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .. import _engine
from . import host, names, outputs, shape_methods, ufuncs

if TYPE_CHECKING:
    import numpy as np

_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


def function_named(name: str, namespace: str = "") -> Any:
    """The public function of arrays of that name, in `phalanx` or a namespace of it; or None."""
    if namespace and namespace != "lib.stride_tricks":  # whose functions are here without it
        module = namespace if namespace in names.NAMESPACES else None
    else:
        module = names.NAMES.get(name)
    if module is None:
        return None
    return getattr(importlib.import_module(f".{module}", __package__), name, None)


class Protocols(shape_methods.ShapeMethods):
    """The methods by which NumPy's functions come to ours."""

    __slots__ = ()

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.get("out")
        if isinstance(out, tuple) and len(out) == 1:
            kwargs["out"] = out[0] if method != "__call__" else out
        ours = ufuncs.ours_of(function)
        if any(_is_foreign(type(each)) for each in inputs):
            return NotImplemented
        if ours is not None:
            return getattr(ours, method)(*inputs, **kwargs)
        target = kwargs.pop("out", None)
        made = host.run(getattr(function, method), *inputs, **kwargs)
        if target is None or isinstance(made, tuple):
            return made
        return outputs.store(target, made, name=function.__name__)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if any(_is_foreign(each) for each in types):
            return NotImplemented
        library, _, namespace = function.__module__.partition(".")
        ours = function_named(function.__name__, namespace) if library == "numpy" else None
        if ours is None:
            raise TypeError(
                f"{function.__module__}.{function.__name__} has no counterpart for phalanx arrays: "
                "give it numpy.asarray(x)"
            )
        if function.__name__ in _JOINS and (parts := _with_objects(args)):
            return function(parts, *args[1:], **kwargs)
        return ours(*args, **kwargs)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        if api_version not in (None, *_VERSIONS):
            raise ValueError(f"version {api_version!r} of the Array API is not supported")
        import sys

        return sys.modules["phalanx"]


# Functions of a sequence of arrays, which may have texts and objects: they are joined as NumPy's.
_JOINS = {"column_stack", "concatenate", "concat", "dstack", "hstack", "stack", "vstack"}


def _with_objects(args: tuple[Any, ...]) -> list[np.ndarray] | None:
    """The arrays to join as NumPy's if one of them has texts or objects; else None."""
    if not args or not isinstance(args[0], (list, tuple)):
        return None
    import numpy as np  # who calls has it

    if not any(_has_objects(each) for each in args[0]):
        return None
    return [np.asarray(each) for each in args[0]]


def _has_objects(part: Any) -> bool:
    import numpy as np

    if hasattr(part, "dtypes"):  # a frame
        part = np.asarray(part)
    return isinstance(part, np.ndarray) and part.dtype.kind in "OSUT"


# What each operator's right operand is asked for first, by the ufunc's name.
_REFLECTED = {
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "power": "__rpow__",
    "true_divide": "__rtruediv__",
    "divide": "__rtruediv__",
    "floor_divide": "__rfloordiv__",
    "remainder": "__rmod__",
    "left_shift": "__rlshift__",
    "right_shift": "__rrshift__",
    "less": "__gt__",
    "less_equal": "__ge__",
    "greater": "__lt__",
    "greater_equal": "__le__",
    "equal": "__eq__",
    "not_equal": "__ne__",
    **{f"bitwise_{name}": f"__r{name}__" for name in ("and", "or", "xor")},
}


def operator(name: str, left: Any, right: Any) -> Any:
    """What an operand without operators of its own makes of an array's, by NEP 13's protocol."""
    for each in (left, right):
        kind = type(each)
        if isinstance(each, _engine.Array) or not _is_foreign(kind):
            continue
        method = _REFLECTED.get(name, "")
        if each is left or getattr(kind, method, None) is getattr(object, method, None):
            return ufuncs.table()[name](left, right)
    return NotImplemented


def _is_foreign(kind: type) -> bool:
    """Returns whether a class has an `__array_ufunc__` of its own, so that it may know better."""
    import numpy as np

    own = getattr(kind, "__array_ufunc__", None)
    known = (Protocols.__array_ufunc__, np.ndarray.__array_ufunc__)
    return own is not None and own not in known and not issubclass(kind, np.generic)
