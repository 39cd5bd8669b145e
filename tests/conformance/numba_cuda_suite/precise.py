"""Strict comparison of results: types, shapes and values, with a stated tolerance for floats."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_BITS = {"single": 24, "double": 53}


def kind_of(value: Any) -> str:
    """Values of one kind are comparable; Python's and NumPy's scalars of one sort are of one."""
    kinds: list[tuple[str, tuple[type, ...]]] = [
        ("array", (np.ndarray,)),
        ("bool", (bool, np.bool_)),
        ("integer", (int, np.integer)),
        ("float", (float, np.floating)),
        ("complex", (complex, np.complexfloating)),
        ("time", (np.datetime64, np.timedelta64)),
        ("text", (str,)),
        ("bytes", (bytes, np.bytes_)),
        ("sequence", (tuple, list)),
    ]
    for name, classes in kinds:
        # NumPy's timedelta64 is a signed integer too, but is none.
        if isinstance(value, classes) and not (
            name == "integer" and isinstance(value, np.timedelta64)
        ):
            return name
    return type(value).__name__


def _floats_differ(first: Any, second: Any, options: dict[str, Any]) -> str | None:
    if math.isnan(first) or math.isnan(second):
        same = math.isnan(first) and math.isnan(second)
        return None if same else f"{first!r} != {second!r}"
    if math.isinf(first) or math.isinf(second):
        return None if first == second else f"{first!r} != {second!r}"
    if first == second == 0:
        signs = math.copysign(1, first) == math.copysign(1, second)
        same = signs or options["ignore_sign_on_zero"]
        return None if same else f"zeros of different sign: {first!r} != {second!r}"
    bound = 0.0
    if options["prec"] != "exact":
        ulp = 2.0 ** (options["ulps"] - _BITS[options["prec"]] - 1)
        bound = ulp * (abs(float(first)) + abs(float(second)))
    if options["abs_tol"] is not None:
        bound = max(bound, float(options["abs_tol"]))
    distance = abs(float(first) - float(second))
    if distance <= bound and (bound > 0 or first == second):
        return None
    return f"{first!r} != {second!r}: they differ by {distance}, more than {bound}"


def _arrays_differ(first: Any, second: Any, options: dict[str, Any]) -> str | None:
    if first.dtype != second.dtype:
        return f"dtypes {first.dtype} != {second.dtype}"
    if first.shape != second.shape:
        return f"shapes {first.shape} != {second.shape}"
    for index in np.ndindex(first.shape):
        problem = difference(first[index], second[index], **options)
        if problem:
            return f"at {index}: {problem}"
    return None


def difference(first: Any, second: Any, **options: Any) -> str | None:
    """What differs between the values, or `None`."""
    kind = kind_of(first)
    if kind != kind_of(second):
        return f"{type(first).__name__} {first!r} against {type(second).__name__} {second!r}"
    if kind == "array":
        return _arrays_differ(first, second, options)
    if kind == "sequence":
        if type(first) is not type(second) or len(first) != len(second):
            return f"{first!r} != {second!r}"
        problems = (difference(a, b, **options) for a, b in zip(first, second, strict=True))
        return next(filter(None, problems), None)
    if kind == "float":
        return _floats_differ(first, second, options)
    if kind == "complex":
        return _floats_differ(first.real, second.real, options) or _floats_differ(
            first.imag, second.imag, options
        )
    if isinstance(first, np.void) and first.dtype != second.dtype:
        return f"dtypes {first.dtype} != {second.dtype}"
    both_nat = kind == "time" and np.isnat(first) and np.isnat(second)
    return None if both_nat or first == second else f"{first!r} != {second!r}"
