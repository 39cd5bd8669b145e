"""Running sums, differences and other functions of vectors, in CPU functions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._type_literals import StringLiteral
from .._type_objects import Array, Integer, NoneType, Scalar
from .register import implements, written


def _cumsum(a):
    values = a.ravel()
    total = np.sum(values[:0])
    sums = np.empty(len(values), np.result_type(total, total))
    for i in range(len(values)):
        total += values[i]
        sums[i] = total
    return sums


def _cumprod(a):
    values = a.ravel()
    total = np.prod(values[:0])
    products = np.empty(len(values), np.result_type(total, total))
    for i in range(len(values)):
        total *= values[i]
        products[i] = total
    return products


def _cumsum_down(a):
    out = np.empty(a.shape, np.result_type(np.sum(a[:0]), np.sum(a[:0])))
    out[...] = a
    for i in range(1, out.shape[0]):
        out[i] += out[i - 1]
    return out


def _cumprod_down(a):
    out = np.empty(a.shape, np.result_type(np.prod(a[:0]), np.prod(a[:0])))
    out[...] = a
    for i in range(1, out.shape[0]):
        out[i] *= out[i - 1]
    return out


def _running(a: Any, axis: Any, whole: Any, down: Any) -> Any:
    """A running sum or product of all elements, or along an axis of a vector or a matrix."""
    if axis is None or isinstance(axis, NoneType):
        return lambda a, axis=None: whole(a)
    along = axis if isinstance(axis, int) else getattr(axis, "literal_value", None)
    if not isinstance(a, Array) or not isinstance(along, int) or not -a.ndim <= along < a.ndim:
        return None
    if a.ndim == 1:
        return lambda a, axis=None: whole(a)
    if a.ndim > 2:
        return None
    if along % 2 == 0:
        return lambda a, axis=None: down(a)
    return lambda a, axis=None: np.ascontiguousarray(down(a.T).T)


@implements("numpy.cumsum", "method.cumsum")
def cumsum(a: Any, axis: Any = None) -> Any:
    """`np.cumsum`."""
    return _running(a, axis, _cumsum, _cumsum_down)


@implements("numpy.cumprod", "method.cumprod")
def cumprod(a: Any, axis: Any = None) -> Any:
    """`np.cumprod`."""
    return _running(a, axis, _cumprod, _cumprod_down)


@written("numpy.nancumsum")
def nancumsum(a):
    """`np.nancumsum` of all elements."""
    return _cumsum(np.where(np.isnan(a), 0, a))


@written("numpy.nancumprod")
def nancumprod(a):
    """`np.nancumprod` of all elements."""
    return _cumprod(np.where(np.isnan(a), 1, a))


@written("numpy.diff")
def diff(a, n=1):
    """`np.diff` along the last axis."""
    if n < 0:
        raise ValueError("diff(): order must be non-negative")
    if a.ndim == 1:
        values = a.copy()
        for _ in range(n):
            values = values[1:] - values[:-1]
        return values
    rows = a.copy()
    for _ in range(n):
        rows = rows[:, 1:] - rows[:, :-1]
    return rows


@written("numpy.ediff1d")
def ediff1d(ary):
    """`np.ediff1d`."""
    return diff(ary.ravel())


@written("numpy.trapezoid", "numpy.trapz")
def trapezoid(y, x=None, dx=1.0):
    """`np.trapezoid` of a vector."""
    total = 0.0
    for i in range(1, len(y)):
        width = dx if x is None else x[i] - x[i - 1]
        total += width * (y[i] + y[i - 1]) / 2
    return total


@written("numpy.interp")
def interp(x, xp, fp):
    """`np.interp` of a number or an array."""
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
    return _middle(_product(a, v, np.result_type(a, v)), len(a), len(v), mode)


@written("numpy.correlate")
def correlate(a, v, mode="valid"):
    """`np.correlate`."""
    return _middle(_product(a, np.conj(v)[::-1], np.result_type(a, v)), len(a), len(v), mode)


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
    if a.ndim == 1 and b.ndim == 1:
        if len(a) != 3 or len(b) != 3:
            raise ValueError("both vectors must have three elements")
        product = np.empty(3, np.result_type(a, b))
        _cross_into(product, a, b)
        return product
    rows = np.empty(a.shape, np.result_type(a, b))
    if a.shape[1] != 3 or b.shape[1] != 3 or a.shape[0] != b.shape[0]:
        raise ValueError("the rows of both must be as many and have three elements")
    for i in range(a.shape[0]):
        _cross_into(rows[i], a[i], b[i])
    return rows


def _cross_into(out, a, b):
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


# ---- Element by element ----


def _clipped(a, a_min, a_max):
    if a_min is None and a_max is None:
        raise ValueError("array_clip: must set either max or min")
    if a_min is None:
        return np.minimum(a, a_max)
    if a_max is None:
        return np.maximum(a, a_min)
    return np.minimum(np.maximum(a, a_min), a_max)


def _is_integer(given: Any) -> bool:
    return isinstance(given.dtype if isinstance(given, Array) else given, Integer)


@implements("numpy.clip", "method.clip")
def clip(a: Any, a_min: Any, a_max: Any) -> Any:
    """`np.clip`; a bound may be None. Integers keep their type where the bounds are integers."""
    bounds = [each for each in (a_min, a_max) if not isinstance(each, NoneType)]
    is_weak = not any(isinstance(each, Array) for each in bounds)  # arrays have a type of their own
    if not isinstance(a, Array) or not is_weak or not all(map(_is_integer, (a, *bounds))):
        return _clipped

    def impl(a, a_min, a_max):
        return _clipped(a, a_min, a_max).astype(a.dtype)

    return impl


@written("numpy.round", "numpy.around", "method.round")
def rounded(a, decimals=0):
    """`np.round`: halves go to the even neighbour."""
    if decimals == 0:
        return np.rint(a)
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return np.rint(a * scale) / scale
    return np.rint(a / scale) * scale


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
    return np.dtype(element.dtype_name) if isinstance(element, Scalar) else None


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


@written("numpy.angle")
def angle(z, deg=False):
    """`np.angle`."""
    turned = np.arctan2(z.imag, z.real)
    return turned * (180 / np.pi) if deg else turned


@written("numpy.logspace")
def logspace(start, stop, num=50):
    """`np.logspace`."""
    return 10.0 ** np.linspace(start, stop, num)


@written("numpy.nan_to_num")
def nan_to_num(x, copy=True, nan=0.0):
    """`np.nan_to_num`: NaN becomes `nan`, infinities the largest numbers."""
    values = x.copy()
    flat = values.ravel()
    most = np.finfo(x.dtype).max
    for i in range(len(flat)):
        if flat[i] != flat[i]:
            flat[i] = nan
        elif flat[i] > most:
            flat[i] = most
        elif flat[i] < -most:
            flat[i] = -most
    return values


@written("numpy.isclose")
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """`np.isclose`."""
    near = (np.abs(a - b) <= atol + rtol * np.abs(b)) & np.isfinite(b)
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


# ---- Statistics ----


@written("numpy.average")
def average(a, weights=None):
    """`np.average` of all elements."""
    if weights is None:
        return np.mean(a)
    total = np.sum(weights)
    if total == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized.")
    return np.sum(a * weights) / total


def _variables(m):
    """The rows less their means."""
    if m.ndim == 1:
        return (m - np.mean(m)).reshape((1, len(m)))
    rows = np.empty(m.shape, (m / 1.0).dtype)
    for i in range(m.shape[0]):
        rows[i] = m[i] - np.mean(m[i])
    return rows


@written("numpy.cov")
def cov(m, y=None, bias=False):
    """`np.cov` of the rows of `m`, or of two vectors: always a matrix."""
    rows = _variables(m) if y is None else np.vstack((_variables(m), _variables(y)))
    return np.dot(rows, rows.T) / max(rows.shape[1] - (0 if bias else 1), 0)


@written("numpy.corrcoef")
def corrcoef(x, y=None):
    """`np.corrcoef` of the rows of `x`, or of two vectors: always a matrix."""
    both = cov(x, y)
    size = np.sqrt(np.diag(both))
    return both / size.reshape((len(size), 1)) / size.reshape((1, len(size)))


@written("numpy.vdot")
def vdot(a, b):
    """`np.vdot`."""
    return np.dot(np.conj(a.ravel()), b.ravel())


@written("numpy.inner")
def inner(a, b):
    """`np.inner` of two vectors, or of matrices."""
    if a.ndim == 1 and b.ndim == 1:
        return np.dot(a, b)
    return np.dot(a, b.T)
