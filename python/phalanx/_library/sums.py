"""Functions of vectors, and element by element, in CPU functions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._types.literals import BooleanLiteral, StringLiteral
from .._types.objects import Array, Boolean, Complex, Float, Integer, NoneType, Number, Scalar
from .register import implements, refuse, written


@written("numpy.interp")
def interp(x, xp, fp):
    """`np.interp` of a number or an array."""
    if xp.ndim != 1 or fp.ndim != 1:
        refuse("interp takes vectors of points")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same size.")
    if len(xp) == 0:
        raise ValueError("array of sample points is empty")
    if np.ndim(x) == 0:
        return _interpolated(x, xp, fp)
    found = np.empty(x.shape, np.float64)
    targets = found.ravel()
    values = x.ravel()
    for i in range(len(values)):
        targets[i] = _interpolated(values[i], xp, fp)
    return found


def _interpolated(x, xp, fp):
    last = len(xp) - 1
    if x != x:
        return float(x)
    if x <= xp[0]:
        return float(fp[0])
    if x >= xp[last]:
        return float(fp[last])
    low = 0
    high = last
    while high - low > 1:
        middle = (low + high) // 2
        if xp[middle] <= x:
            low = middle
        else:
            high = middle
    slope = (fp[low + 1] - fp[low]) / (xp[low + 1] - xp[low])
    return float(slope * (x - xp[low]) + fp[low])


@written("numpy.convolve")
def convolve(a, v, mode="full"):
    """`np.convolve`."""
    _check_vectors(a, v, mode)
    return _middle(_product(a, v, np.result_type(a, v)), len(a), len(v), mode)


@written("numpy.correlate")
def correlate(a, v, mode="valid"):
    """`np.correlate`."""
    _check_vectors(a, v, mode)
    whole = _product(a, np.conj(v)[::-1], np.result_type(a, v))
    if len(a) < len(v):  # as NumPy: of the two exchanged, and turned
        return _middle(whole[::-1].copy(), len(v), len(a), mode)[::-1].copy()
    return _middle(whole, len(a), len(v), mode)


def _check_vectors(a, v, mode):
    if a.ndim != 1 or v.ndim != 1:
        refuse("convolve and correlate take vectors")
    if mode != "full" and mode != "same" and mode != "valid":
        refuse("the mode is 'full', 'same' or 'valid'")


def _product(a, v, dtype):
    """The coefficients of the product of the polynomials whose coefficients are in a and v."""
    if len(a) == 0 or len(v) == 0:
        raise ValueError("the arrays cannot be empty")
    whole = np.zeros(len(a) + len(v) - 1, dtype)
    for i in range(len(a)):
        for j in range(len(v)):
            whole[i + j] += a[i] * v[j]
    return whole


def _middle(whole, n, m, mode):
    """The part of a product of n and m elements that a mode keeps."""
    least = min(n, m)
    if mode == "full":
        return whole
    if mode == "same":
        begin = (least - 1) // 2
        return whole[begin : begin + max(n, m)].copy()
    return whole[least - 1 : max(n, m)].copy()


@written("numpy.cross")
def cross(a, b):
    """`np.cross` of two vectors of three elements, or of their rows."""
    if a.ndim == 0 or b.ndim == 0 or a.ndim > 2 or b.ndim > 2:
        refuse("cross takes vectors of three elements, and matrices of such rows")
    if isinstance(a.dtype(0), bool) and isinstance(b.dtype(0), bool):
        refuse("cross takes numbers, which have differences")
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError("both vectors must have three elements")
    if a.ndim == 1 and b.ndim == 1:
        product = np.empty(3, np.result_type(a, b))
        _cross_into(product, a, b)
        return product
    return _cross_rows(np.atleast_2d(a), np.atleast_2d(b))


def _cross_rows(a, b):
    count = a.shape[0] if b.shape[0] == 1 else b.shape[0]
    if a.shape[0] != count and a.shape[0] != 1:
        raise ValueError("the rows of both must be as many")
    rows = np.empty((count, 3), np.result_type(a, b))
    for i in range(count):
        _cross_into(rows[i], a[i % a.shape[0]], b[i % b.shape[0]])
    return rows


def _cross_into(out, a, b):
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


# ---- Element by element ----


def _no_bounds(a, a_min, a_max):
    raise ValueError("array_clip: must set either max or min")


def _clipped(a, a_min, a_max):
    if a_min is None:
        return np.minimum(a, a_max)
    if a_max is None:
        return np.maximum(a, a_min)
    return np.minimum(np.maximum(a, a_min), a_max)


# Of floats NaN stays; of zeros of both signs the element does.
def _clipped_floats(a, a_min, a_max):
    if a_min is None:
        return np.where(np.isnan(a) | (a <= a_max), a, a_max)
    if a_max is None:
        return np.where(np.isnan(a) | (a >= a_min), a, a_min)
    return _clipped_floats(_clipped_floats(a, a_min, None), None, a_max)


def _precedes(a, b):
    # As in NumPy's clip; its comparisons are false where any part is NaN.
    return (a.real < b.real) | ((a.real == b.real) & (a.imag < b.imag))


def _clipped_complex(a, a_min, a_max):
    if a_min is None:
        return np.where(np.isnan(a) | _precedes(a, a_max), a, a_max)
    if a_max is None:
        return np.where(np.isnan(a) | _precedes(a_min, a), a, a_min)
    return _clipped_complex(_clipped_complex(a, a_min, None), None, a_max)


def _is_integer(given: Any) -> bool:
    return isinstance(given.dtype if isinstance(given, Array) else given, Integer)


@implements("numpy.clip", "method.clip")
def clip(a: Any, a_min: Any, a_max: Any) -> Any:
    """`np.clip`; a bound may be None. Integers keep their type where the bounds are integers."""
    bounds = [each for each in (a_min, a_max) if not isinstance(each, NoneType)]
    if not bounds:
        return _no_bounds
    if isinstance(a, Array) and isinstance(a.dtype, Float):
        return _clipped_floats
    if isinstance(a, Array) and isinstance(a.dtype, Complex):
        return _clipped_complex
    is_weak = not any(isinstance(each, Array) for each in bounds)  # arrays have a type of their own
    if not isinstance(a, Array) or not is_weak or not all(map(_is_integer, (a, *bounds))):
        return _clipped

    def impl(a, a_min, a_max):
        return _clipped(a, a_min, a_max).astype(a.dtype)

    return impl


def _rounded(a, decimals):
    if decimals == 0:
        return np.rint(a)
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return np.rint(a * scale) / scale
    return np.rint(a / scale) * scale


@implements("numpy.round", "numpy.around", "method.round")
def _round(a: Any, decimals: Any = 0) -> Any:
    """Halves go to the even neighbour; the type is kept."""
    element = a.dtype if isinstance(a, Array) else a
    if not isinstance(element, Number):
        return None
    if not isinstance(a, Array):
        return lambda a, decimals=0: _rounded(a, decimals)
    if isinstance(element, Integer):
        return _rounded_integers
    return lambda a, decimals=0: _rounded(a, decimals).astype(a.dtype)


def _rounded_integers(a, decimals=0):
    out = a.copy()
    if decimals < 0:
        out[...] = (np.rint(a / 10.0**-decimals) * 10.0**-decimals).astype(a.dtype)
    return out


class FloatInfo(NamedTuple):
    """What `np.finfo` tells of a type."""

    bits: int
    eps: float
    max: float
    min: float
    tiny: float


class IntegerInfo(NamedTuple):
    """What `np.iinfo` tells of a type."""

    bits: int
    max: int
    min: int


def _told(dtype: Any) -> Any:
    """The NumPy dtype of a type, or of a value's type."""
    if isinstance(dtype, StringLiteral):
        return np.dtype(dtype.literal_value)
    element = getattr(dtype, "dtype", dtype)
    if not isinstance(element, Scalar) or isinstance(element, Boolean):
        return None
    return np.dtype(element.dtype_name)


@implements("numpy.finfo")
def _finfo(dtype: Any) -> Any:
    kind = _told(dtype)
    if kind is None or kind.kind not in "fc":
        return None
    of = np.finfo(kind)
    info = FloatInfo(of.bits, *(float(each) for each in (of.eps, of.max, of.min, of.tiny)))
    return lambda dtype: info


@implements("numpy.iinfo")
def _iinfo(type: Any) -> Any:
    kind = _told(type)
    if kind is None or kind.kind not in "iu":
        return None
    of = np.iinfo(kind)
    info = IntegerInfo(of.bits, int(of.max), int(of.min))
    return lambda type: info


def _angle_of(z, deg=False):
    turned = np.arctan2(np.imag(z), np.real(z))
    return turned * (180 / np.pi) if deg else turned


@implements("numpy.angle")
def _angle(z: Any, deg: Any = False) -> Any:
    """`np.angle`: of bool as of int64, for NumPy takes the imaginary part for an int there."""
    if isinstance(getattr(z, "dtype", z), Boolean):
        return lambda z, deg=False: _angle_of(z + 0, deg)
    return _angle_of


@written("numpy.logspace")
def logspace(start, stop, num=50):
    """`np.logspace`."""
    return 10.0 ** np.linspace(start, stop, num)


def _replace_nan(values, nan):
    most = np.finfo(values.dtype).max
    for i in range(len(values)):
        if values[i] != values[i]:
            values[i] = nan
        elif values[i] > most:
            values[i] = most
        elif values[i] < -most:
            values[i] = -most


@implements("numpy.nan_to_num")
def _nan_to_num(x: Any, copy: Any = True, nan: Any = 0.0) -> Any:
    """NaN becomes `nan`, infinities the largest numbers."""
    if not isinstance(x, Array) or not isinstance(copy, bool | BooleanLiteral):
        return None
    is_copy = copy if isinstance(copy, bool) else copy.literal_value
    if isinstance(x.dtype, (Boolean, Integer)):
        return lambda x, copy=True, nan=0.0: x.copy() if is_copy else x
    if not is_copy:
        return None
    is_complex = isinstance(x.dtype, Complex)

    def impl(x, copy=True, nan=0.0):
        values = x.copy()
        if is_complex:
            # The parts lie one after the other.
            _replace_nan(values.ravel().view(values.real.dtype), nan)
        else:
            _replace_nan(values.ravel(), nan)
        return values

    return impl


@written("numpy.isclose")
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """`np.isclose`."""
    y = b / 1.0  # unsigned numbers have no difference below 0
    near = (np.abs(a - y) <= atol + rtol * np.abs(y)) & np.isfinite(y)
    return near | (a == b) | (equal_nan & (a != a) & (b != b))


@written("numpy.allclose")
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """`np.allclose`."""
    return bool(np.all(isclose(a, b, rtol, atol, equal_nan)))


@written("numpy.array_equal")
def array_equal(a1, a2):
    """`np.array_equal`."""
    if np.ndim(a1) != np.ndim(a2):
        return False
    if a1.shape != a2.shape:
        return False
    return bool(np.all(a1 == a2))


@written("numpy.vdot")
def vdot(a, b):
    """`np.vdot`."""
    if isinstance(a.dtype(0), (complex, np.complex64)):
        return np.dot(np.conj(a.ravel()), b.ravel())
    return np.dot(a.ravel(), b.ravel())


@written("numpy.inner")
def inner(a, b):
    """`np.inner` of two vectors, or of matrices."""
    if a.ndim == 1 and b.ndim == 1:
        return np.dot(a, b)
    return np.dot(a, b.T)
