"""What random programs of arrays leave out, with the reason, and where two libraries may round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

# Of operands that two right libraries may round differently, these give results as close.
_SMOOTH = frozenset({
    "+", "-", "*", "add", "subtract", "multiply", "negative", "positive", "conjugate", "sin",
    "cos", "tanh", "arctan", "astype", "where", "sum", "mean", "max", "min", "concatenate",
    "stack", "moved",
})  # fmt: skip
# Of real numbers these have one right result, NumPy's bits.
_EXACT = frozenset({
    "+", "-", "*", "/", "//", "%", "add", "subtract", "multiply", "divide", "floor_divide",
    "remainder", "fmod", "negative", "absolute", "positive", "square", "sign", "conjugate",
    "sqrt", "reciprocal", "floor", "ceil", "trunc", "rint", "maximum", "minimum", "fmax",
    "fmin", "copysign", "heaviside", "astype", "where", "max", "min", "concatenate", "stack",
    "moved", "clip", "round", "sort",
})  # fmt: skip
_SUMS = ("sum", "mean", "cumsum")
_LINEAR = (
    "+",
    "-",
    "add",
    "subtract",
    "negative",
    "positive",
    "conjugate",
    "astype",
    "where",
    "moved",
)


class Unspecified(Exception):
    """The values from here on are not what NumPy says that they are."""


class _Case(NamedTuple):
    name: str
    values: list[Any]
    is_rounded: bool
    dtype: Any


class _Rule(NamedTuple):
    reason: str
    applies: Callable[[_Case], bool]


def _kinds(case: _Case) -> str:
    return "".join(np.asarray(value).dtype.kind for value in case.values)


def fits(value: Any, dtype: Any) -> bool:
    """True if each element is a value of the dtype, once its fraction is gone."""
    value, dtype = np.asarray(value), np.dtype(dtype)
    if value.dtype.kind not in "fc" or dtype.kind not in "iu":
        return True
    limits = np.iinfo(dtype)
    real = value.real.astype("f8")
    inside = (real > float(limits.min) - 1) & (real < float(limits.max))
    return bool(np.all(np.isfinite(value) & inside))


def _holds(dtype: Any, number: int) -> bool:
    dtype = np.dtype(dtype)
    return dtype.kind not in "iu" or np.iinfo(dtype).min <= number <= np.iinfo(dtype).max


def _raises_to_negative(case: _Case) -> bool:
    if case.name not in ("**", "power") or set(_kinds(case)) - set("iub"):
        return False
    exponent = np.asarray(case.values[1])
    return exponent.dtype.kind == "i" and bool((exponent < 0).any())


def _reads_what_it_writes(case: _Case) -> bool:
    target, *others = case.values
    return case.name == "mask" and any(np.may_share_memory(target, each) for each in others)


def _leaves_the_dtype(case: _Case) -> bool:
    if not case.name.endswith(".at"):
        return False
    target, source = np.asarray(case.values[0]).dtype, np.asarray(case.values[1]).dtype
    made = np.result_type(target, source)
    return made != target and (target.kind not in "iu" or made.kind not in "iu")


def _overflows_on_the_way(case: _Case) -> bool:
    value = np.asarray(case.values[0])
    dtype = np.dtype(case.dtype or value.dtype)
    if case.name not in ("var", "std", "mean") or dtype.kind not in "f":
        return False
    wide = np.abs(value.astype("g"))
    limits = np.finfo(dtype)
    sums = [wide.sum()]
    if case.name != "mean":  # a mean is rounded: equal numbers are as far from it as the next ones
        sums.append((np.square(wide * limits.eps)).sum())
    if case.name != "mean" and dtype == np.float16:
        sums.append(np.square(wide).sum())
    return bool(max(sums) >= limits.max)


def _is_zero_times_infinite(case: _Case) -> bool:
    value = np.asarray(case.values[0])
    dtype = np.dtype(case.dtype or value.dtype)
    if case.name not in ("prod", "cumprod") or dtype.kind not in "fc" or (value != 0).all():
        return False
    digits = np.log10(np.abs(value[value != 0]).astype("f8")).clip(min=0).sum()
    return bool(digits >= np.log10(np.finfo(dtype).max))


def _has_signed_nan(case: _Case) -> bool:
    of_sign = {"copysign": 1, "signbit": 0}.get(case.name)
    if of_sign is None:
        return False
    sign = np.asarray(case.values[of_sign])
    return sign.dtype.kind == "f" and bool(np.isnan(sign).any())


def _divides_by_nothing(case: _Case) -> bool:
    if "c" not in _kinds(case) or case.name not in ("reciprocal", "/", "divide", "true_divide"):
        return False
    return bool((np.asarray(case.values[-1]) == 0).any())


def _is_beyond_exp(case: _Case) -> bool:
    value = np.asarray(case.values[0])
    if case.name != "expm1" or value.dtype.kind != "c":
        return False
    return bool((value.real > np.log(np.finfo(value.dtype).max)).any())


RULES = (
    _Rule(
        "expm1 of complex numbers that overflows on the real axis: the standard has an imaginary "
        "part of 0, NumPy's formula NaN",
        _is_beyond_exp,
    ),
    _Rule(
        "means and variances whose sums are beyond the range of their dtype: NumPy's mean is inf",
        _overflows_on_the_way,
    ),
    _Rule(
        "products of zeros and of numbers whose product is infinite: it is NaN or 0 by their order",
        _is_zero_times_infinite,
    ),
    _Rule("the sign of a NaN, which no standard gives", _has_signed_nan),
    _Rule(
        "quotients of complex numbers and 0: the parts depend on the formula",
        _divides_by_nothing,
    ),
    _Rule(
        "a mean of nothing as an integer: what NaN becomes depends on NumPy's build",
        lambda case: (
            case.name == "mean"
            and np.asarray(case.values[0]).size == 0
            and np.dtype(case.dtype or "f8").kind in "iu"
        ),
    ),
    _Rule(
        "what a ufunc's result becomes in an array of another kind may be a number beyond its "
        "range",
        _leaves_the_dtype,
    ),
    _Rule(
        "elements that a mask selects get others of the same array, or the mask is of its memory: "
        "NumPy reads some after it has written them",
        _reads_what_it_writes,
    ),
    _Rule(
        "a comparison, a position or an integer of numbers that may round differently differs "
        "by more than a rounding",
        lambda case: (
            case.is_rounded
            and (case.name not in _SMOOTH or np.dtype(case.dtype or "f8").kind not in "fc")
        ),
    ),
    _Rule(
        "the square of booleans by ** is a shortcut of NumPy's operator, which gives int8 where "
        "np.power gives int64",
        lambda case: case.name == "**" and _kinds(case)[0] == "b" and case.values[1] is not True,
    ),
    _Rule(
        "ufuncs with a mask whose operands overlap `out`: NumPy computes in memory of its own "
        "and copies back what nobody wrote there",
        lambda case: (
            case.name == "masked out"
            and any(np.may_share_memory(case.values[0], each) for each in case.values[1:])
        ),
    ),
    _Rule(
        "an element that is assigned an array with dimensions is an error of NumPy since 2.4, "
        "of numbers' conversion (TypeError for complex ones, ValueError for others), and took the "
        "one element before, as ours does; of several elements ours is a ValueError",
        lambda case: (
            case.name == "assign"
            and not isinstance(case.values[1], np.ndarray)
            and np.ndim(case.values[0]) > 0
        ),
    ),
    _Rule(
        "a scalar that the dtype does not hold is an error of NumPy's at some assignments; "
        "arrays are cast, and here scalars are arrays without dimensions",
        lambda case: (
            case.name == "assign"
            and isinstance(case.values[0], np.integer)
            and not _holds(case.dtype, int(case.values[0]))
        ),
    ),
    _Rule(
        "a number of Python's that the dtype does not hold is an error of `where` since NumPy 2.5, "
        "as of ours, and lost its high bits before",
        lambda case: (
            case.name == "where"
            and any(
                type(one) is int and not _holds(np.asarray(other).dtype, one)
                for one, other in (case.values[:2], case.values[1::-1])
            )
        ),
    ),
    _Rule(
        "what a number beyond the range of an integer becomes depends on NumPy's build",
        lambda case: case.name in ("astype", "assign") and not fits(case.values[0], case.dtype),
    ),
    _Rule(
        "of integers to negative powers NumPy raises once it sees one; ours knows no values "
        "when it records, and gives 0",
        _raises_to_negative,
    ),
    _Rule(
        "complex infinities and NaN: the parts depend on the formula",
        lambda case: (
            "c" in _kinds(case)
            and case.name not in _LINEAR
            and not all(np.isfinite(value).all() for value in case.values)
        ),
    ),
    _Rule(
        "complex functions of what lies on a branch cut depend on signs of zeros",
        lambda case: (
            "c" in _kinds(case)
            and case.name in ("**", "power", "sqrt", "log", "log1p", "arctan", "arctan2", "sign")
        ),
    ),
)


def refusal(name: str, values: list[Any], is_rounded: bool, dtype: Any = None) -> str | None:
    """Why an operation is left out of programs; None where it is not."""
    case = _Case(name, values, is_rounded, dtype)
    return next((rule.reason for rule in RULES if rule.applies(case)), None)


def rounds(name: str, values: list[Any]) -> bool:
    """True if two right libraries may give results that differ by roundings."""
    kinds = "".join(np.asarray(value).dtype.kind for value in values)
    if not set(kinds) & set("fc"):
        return name not in _EXACT and name not in _SUMS
    if name == "mean" and "c" in kinds:
        return True  # a division
    if name in _SUMS:
        return not _sums_exactly(np.asarray(values[0]))
    return name not in (_LINEAR if "c" in kinds else _EXACT)


def rounds_at(name: str, values: list[Any]) -> bool:
    """True if two right libraries may update elements in an order that shows."""
    target, source = map(np.asarray, values)
    if target.dtype.kind not in "fc" or name not in ("add", "subtract"):
        return False
    both = [np.ravel(target), np.tile(np.ravel(source).astype(target.dtype), 4)]
    return not _sums_exactly(np.concatenate(both))


def _sums_exactly(value: Any) -> bool:
    """True if a sum of the elements in any order needs no rounding."""
    parts = (value.real, value.imag) if value.dtype.kind == "c" else (value,)
    digits = np.finfo(value.dtype).nmant
    with np.errstate(all="ignore"):
        for part in parts:
            finite = part[np.isfinite(part)].astype("f8") * 8
            if (finite != np.rint(finite)).any() or np.abs(finite).sum() >= 2.0**digits:
                return False
    return True


def is_unspecified(told: list[Any]) -> bool:
    """True if NumPy warned that a value was none of the dtype it was to become."""
    return any("invalid value encountered in cast" in str(each.message) for each in told)


class Sizes:
    """The sizes of the numbers whose roundings may differ, and the coarsest of their dtypes."""

    def __init__(self, is_large: bool) -> None:
        self._is_large = is_large
        self._largest, self._epsilon = 1.0, 0.0

    def note(self, value: Any, is_rounded: bool) -> None:
        """Takes a value into account; raises `Unspecified` where a rounding may overflow."""
        value = np.asarray(value)
        if value.dtype.kind not in "fc" or not value.size:
            return
        with np.errstate(all="ignore"):
            sizes = np.abs(
                value[np.isfinite(value)].astype("c16" if value.dtype.kind == "c" else "f8")
            )
        largest = float(sizes.sum() if self._is_large else sizes.max(initial=0.0))
        if is_rounded:
            if largest > float(np.finfo(value.dtype).max) / 100:
                raise Unspecified
            self._epsilon = max(self._epsilon, float(np.finfo(value.dtype).eps))
            self._largest = max(self._largest, largest)

    def tolerance(self) -> float:
        return 300 * self._epsilon * self._largest
