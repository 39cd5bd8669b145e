"""Functions of elements that NumPy has beside its ufuncs, made of these."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .. import _engine
from . import coerce, dtype_functions, dtypes, host, outputs, reducing

if TYPE_CHECKING:
    from .ndarray import ndarray


def _apply(name: str, *operands: Any) -> Any:
    return _engine.array_apply(name, *operands)


def _plain(value: Any, *others: Any) -> Any:
    if type(value) in (bool, int, float, complex):
        return value
    return coerce.beside(value, coerce.place_of(*others))


def _numpy(name: str) -> Any:
    import numpy as np

    return getattr(np, name)


def is_complex(array: Any) -> bool:
    """Returns whether the elements are complex numbers."""
    return bool(array._dtype.startswith("complex"))


def clip(
    a: Any,
    min: Any = reducing.NO_VALUE,
    max: Any = reducing.NO_VALUE,
    out: Any = None,
    *,
    a_min: Any = reducing.NO_VALUE,
    a_max: Any = reducing.NO_VALUE,
    where: Any = True,
    casting: str = "same_kind",
    dtype: Any = None,
) -> ndarray:
    """The elements with what is below the least value raised to it, above the greatest lowered.

    A bound of None is none. `a_min` and `a_max` are NumPy's older names. Raises `ValueError` where
    a bound is given under both.

    >>> px.clip(px.arange(5), 1, 3)
    array([1, 1, 2, 3, 3])
    """
    low, high = _bound(min, a_min), _bound(max, a_max)
    array = coerce.beside(a, coerce.place_of(a, low, high, where))
    if array._dtype.lstrip("u").startswith("int"):
        limits = _numpy("iinfo")(array._dtype)
        low = None if type(low) is int and low <= limits.min else low
        high = None if type(high) is int and high >= limits.max else high
    made = array if dtype is None else _engine.array_cast(array, dtypes.name_of(dtype))
    if low is not None:
        made = _apply("maximum", made, _plain(low, array))
    if high is not None:
        made = _apply("minimum", made, _plain(high, array))
    if low is None and high is None:
        made = _apply("positive", made)
    return outputs.store(out, made, casting, outputs.mask_of(where, array), "clip")


def _bound(value: Any, older: Any) -> Any:
    given = [each for each in (value, older) if each is not reducing.NO_VALUE]
    if len(given) == 2:
        raise ValueError(
            "Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is "
            "forbidden."
        )
    return given[0] if given else None


def round(a: Any, decimals: int = 0, out: Any = None) -> ndarray:
    """The elements rounded to that many decimals, halves to even; below 0 to tens, hundreds, ...

    Integers stay integers.

    >>> px.round(px.asarray([1.234, 5.678]), 1)
    array([1.2, 5.7])
    """
    array = coerce.as_operand(a)
    if dtypes.is_floating(array._dtype):
        made = _rounded(array, decimals)
    elif "int" in array._dtype and decimals >= 0:
        made = _apply("positive", array)
    else:
        made = host.run(_numpy("round"), array, decimals)
    return outputs.store(out, made, "unsafe", name="round")


def _rounded(array: Any, decimals: int) -> Any:
    if decimals == 0:
        return _apply("rint", array)
    scale = float(10 ** abs(decimals))
    first, second = ("multiply", "true_divide") if decimals > 0 else ("true_divide", "multiply")
    return _apply(second, _apply("rint", _apply(first, array, scale)), scale)


around = round


def fix(x: Any, out: Any = None) -> ndarray:
    """The elements without their fractions.

    >>> px.fix(px.asarray([1.7, -1.7]))
    array([ 1., -1.])
    """
    array = coerce.as_operand(x)
    return outputs.store(out, _apply("trunc", array), name="fix")


def real(val: Any) -> ndarray:
    """The view of the real parts; real elements are the array itself.

    >>> px.real(px.asarray([1 + 2j]))
    array([1.])
    """
    array = coerce.as_operand(val)
    return _engine.array_part(array, False) if is_complex(array) else array


def imag(val: Any) -> ndarray:
    """The view of the imaginary parts; of real elements zeros, which cannot be assigned to.

    >>> px.imag(px.asarray([1 + 2j]))
    array([2.])
    """
    array = coerce.as_operand(val)
    if is_complex(array):
        return _engine.array_part(array, True)
    zero = _engine.array_number(0, array._dtype)
    if not array.shape and getattr(val, "_is_number", True):
        return zero
    made = _engine.array_copy(zero, array.shape)
    made._set_read_only(True)
    return made


def angle(z: Any, deg: bool = False) -> ndarray:
    """The angle of complex numbers in the plane, in radians or degrees.

    >>> px.angle(px.asarray([1.0, 1j]), deg=True)
    array([ 0., 90.])
    """
    array = coerce.as_operand(z)
    if is_complex(array):
        made = _apply("arctan2", imag(array), real(array))
    else:
        made = _apply("arctan2", 0, array)
    return _apply("multiply", made, 180 / math.pi) if deg else made


def sinc(x: Any) -> ndarray:
    """sin(pi x) / (pi x), and 1 at 0.

    >>> px.sinc(px.asarray([0.0, 0.5]))
    array([1.        , 0.63661977])
    """
    y = _apply("multiply", coerce.as_operand(x), math.pi)
    tiny = dtype_functions.finfo(y).eps if dtypes.is_floating(y._dtype) else 1e-20
    number = _engine.array_number(complex(tiny) if is_complex(y) else float(tiny), y._dtype)
    y = _engine.array_where(_apply("equal", y, 0), number, y)
    return _apply("true_divide", _apply("sin", y), y)


def nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> ndarray:
    """The elements with other numbers for NaN and the infinities, by default 0 and the extremes.

    Without `copy` in the array itself. Raises `ValueError` for arrays of replacements that do not
    broadcast to its shape.

    >>> px.nan_to_num(px.asarray([1.0, np.nan]))
    array([1., 0.])
    """
    array = coerce.beside(x, coerce.place_of(x, nan, posinf, neginf))
    if is_complex(array):
        made = host.run(_numpy("nan_to_num"), array, True, nan, posinf, neginf)
    elif dtypes.is_floating(array._dtype):
        made = _without_nan(array, nan, posinf, neginf)
    else:
        made = _engine.array_copy(array, array.shape)
    if made.shape != array.shape:
        raise ValueError(f"what replaces a number has no place in the shape {array.shape}")
    if copy or not isinstance(x, _engine.Array):
        return made
    x._assign(made)
    return x  # type: ignore[return-value]


def _without_nan(array: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    limits = dtype_functions.finfo(array)

    def number(value: Any) -> Any:
        if isinstance(value, (int, float)):
            return _engine.array_number(value, array._dtype)
        return _engine.array_cast(coerce.beside(value, coerce.place_of(array)), array._dtype)

    is_infinite = _apply("isinf", array)
    is_above = _apply("logical_and", is_infinite, _apply("greater", array, 0.0))
    high = number(float(limits.max) if posinf is None else posinf)
    low = number(float(limits.min) if neginf is None else neginf)
    made = _engine.array_where(is_infinite, _engine.array_where(is_above, high, low), array)
    return _engine.array_where(_apply("isnan", array), number(nan), made)


def isclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> ndarray:
    """Where abs(a - b) is at most atol + rtol * abs(b), or both are equal.

    >>> px.isclose([1.0, 2.0], [1.0, 2.1])
    array([ True, False])
    """
    x, y = coerce.operands(a, b)
    if not y._dtype.startswith("timedelta64"):
        y = _engine.array_cast(y, dtypes.result_type(y.dtype, 1.0))
    rtol, atol = _plain(rtol, x), _plain(atol, x)
    margin = _apply("add", _apply("multiply", _apply("absolute", y), rtol), atol)
    distance = _apply("absolute", _apply("subtract", x, y))
    near = _apply("logical_and", _apply("less_equal", distance, margin), _apply("isfinite", y))
    made = _apply("logical_or", near, _apply("equal", x, y))
    if not equal_nan:
        return made
    both = _apply("logical_and", _apply("isnan", x), _apply("isnan", y))
    return _apply("logical_or", made, both)


def allclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> bool:
    """Returns whether `isclose` holds of all elements; the arrays are computed for it.

    >>> px.allclose(px.ones(3), [1, 1, 1 + 1e-9])
    True
    """
    return _is_true(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Returns whether two arrays have one shape and equal elements; they are computed for it.

    >>> px.array_equal([1, 2], px.asarray([1, 2]))
    True
    """
    x, y = coerce.operands(a1, a2)
    if x.shape != y.shape:
        return False
    same = _apply("equal", x, y)
    if equal_nan:
        both = _apply("logical_and", _apply("isnan", x), _apply("isnan", y))
        same = _apply("logical_or", same, both)
    return _is_true(same)


def array_equiv(a1: Any, a2: Any) -> bool:
    """Returns whether two arrays can be broadcast to one another and are equal then.

    >>> px.array_equiv([1, 1], px.ones((3, 2)))
    True
    """
    try:
        return _is_true(_apply("equal", *coerce.operands(a1, a2)))
    except ValueError:
        return False


def _is_true(array: Any) -> bool:
    return bool(coerce.to_numpy(reducing.reduce("all", array)))


def iscomplex(x: Any) -> ndarray:
    """Where the imaginary part is not 0.

    >>> px.iscomplex(px.asarray([1 + 1j, 2]))
    array([ True, False])
    """
    return _apply("not_equal", imag(x), 0)


def isreal(x: Any) -> ndarray:
    """Where the imaginary part is 0.

    >>> px.isreal(px.asarray([1 + 1j, 2]))
    array([False,  True])
    """
    return _apply("equal", imag(x), 0)


def isposinf(x: Any, out: Any = None) -> ndarray:
    """Where an element is positive infinity. Raises `TypeError` for complex elements.

    >>> px.isposinf(px.asarray([np.inf, 1.0]))
    array([ True, False])
    """
    return outputs.store(out, _infinite("isposinf", x, False), name="isposinf")


def isneginf(x: Any, out: Any = None) -> ndarray:
    """Where an element is negative infinity. Raises `TypeError` for complex elements.

    >>> px.isneginf(px.asarray([-np.inf, 1.0]))
    array([ True, False])
    """
    return outputs.store(out, _infinite("isneginf", x, True), name="isneginf")


def _infinite(name: str, x: Any, is_negative: bool) -> Any:
    array = coerce.as_operand(x)
    if is_complex(array) or dtypes.is_time(array._dtype):
        raise TypeError(f"This operation is not supported for {array._dtype} values because it "
                        "would be ambiguous.")  # fmt: skip
    return _apply(
        "logical_and",
        _apply("isinf", array),
        _apply("less" if is_negative else "greater", array, 0),
    )


def iscomplexobj(x: Any) -> bool:
    """Returns whether the dtype is one of complex numbers.

    >>> px.iscomplexobj(px.ones(2))
    False
    """
    return is_complex(coerce.as_operand(x))


def isrealobj(x: Any) -> bool:
    """Returns whether the dtype is none of complex numbers.

    >>> px.isrealobj(px.ones(2))
    True
    """
    return not is_complex(coerce.as_operand(x))
