"""cmath's functions of infinities and NaN: as Python has them, which is as C99 wants them.

Finite numbers are left to the compiler's own functions, under NumPy's names. What an infinity or a
NaN gives depends on the kinds of the two parts alone, and is in a table; where it depends on
the angle too, the function says so.
"""

from __future__ import annotations

import cmath
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .._core.libdevice_names import NAMES as LIBDEVICE
from .._types.objects import Complex, Float
from .register import implements

# One of each kind of part, by `_kind`.
_PARTS = (-math.inf, -1.0, -0.0, 0.0, 1.0, math.inf, math.nan)


def _kind(x):
    if x != x:
        return 6
    if x == 0:
        return 2 if math.copysign(1.0, x) < 0 else 3
    if math.isinf(x):
        return 5 if x > 0 else 0
    return 4 if x > 0 else 1


def _value(name: str, re: float, im: float) -> complex:
    """What Python gives; NumPy, where Python raises."""
    try:
        return complex(getattr(cmath, name)(complex(re, im)))
    except (ValueError, OverflowError):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            numpy_name = name.replace("a", "arc", 1) if name[0] == "a" else name
            return complex(getattr(np, numpy_name)(complex(re, im)))


def _table(name: str, dtype: Complex) -> Any:
    rows = [[_value(name, re, im) for im in _PARTS] for re in _PARTS]
    return np.array(rows, dtype.dtype_name)


def _by_kind(name: str, finite: Callable[[Any], Any]) -> None:
    """A function that the two kinds decide."""

    @implements(f"cmath.{name}")
    def make(z: Any) -> Any:
        if not isinstance(z, Complex):
            return None
        table = _table(name, z)

        def impl(z):
            if math.isfinite(z.real) and math.isfinite(z.imag):
                return finite(z)
            return table[_kind(z.real), _kind(z.imag)]

        return impl


for _name, _finite in {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "sqrt": np.sqrt,
}.items():
    _by_kind(_name, _finite)


# Where one part is infinite and the other a finite angle, the angle turns what is infinite, 0 or 1.


def _turned(length, angle):
    return complex(math.copysign(length, math.cos(angle)), math.copysign(length, math.sin(angle)))


def _exp_far(z, infinity, one):
    return _turned(infinity if z.real > 0 else abs(_zero(z)), z.imag)


def _zero(z):
    return z.imag * 0


def _sinh_far(z, infinity, one):
    far = _turned(infinity, z.imag)
    return far if z.real > 0 else complex(-far.real, far.imag)


def _cosh_far(z, infinity, one):
    far = _turned(infinity, z.imag)
    return far if z.real > 0 else complex(far.real, -far.imag)


def _tanh_far(z, infinity, one):
    slope = math.copysign(_zero(z), math.sin(z.imag) * math.cos(z.imag))
    return complex(math.copysign(one, z.real), slope)


def _tanh(z):
    """In double precision: three roundings more than single precision has room for."""
    return np.tanh(np.complex128(z))


def _tan(z):
    return np.tan(np.complex128(z))


def _by_angle(name: str, finite: Callable[[Any], Any], far: Callable[..., Any]) -> None:
    """A function of exp's family, and the trigonometric one that is the same turned by i."""
    turned = name.removesuffix("h") if name != "exp" else ""

    def make(z: Any) -> Any:
        if not isinstance(z, Complex):
            return None
        table = _table(name, z)
        real = np.dtype(z.underlying_float.dtype_name).type
        same = np.dtype(z.dtype_name).type
        infinity, one = real(math.inf), real(1)

        def impl(z):
            if math.isfinite(z.real) and math.isfinite(z.imag):
                return same(finite(z))
            if math.isinf(z.real) and math.isfinite(z.imag) and z.imag != 0:
                return far(z, infinity, one)
            return table[_kind(z.real), _kind(z.imag)]

        return impl

    implements(f"cmath.{name}")(make)
    if turned:
        _trigonometric(turned, name, make)


def _trigonometric(name: str, hyperbolic: str, make_hyperbolic: Callable[[Any], Any]) -> None:
    """sin(z) = -i sinh(i z), and so on."""
    finite = _tan if name == "tan" else getattr(np, name)
    is_even = name == "cos"

    @implements(f"cmath.{name}")
    def make(z: Any) -> Any:
        function = make_hyperbolic(z)
        if function is None:
            return None
        same = np.dtype(z.dtype_name).type

        def impl(z):
            if math.isfinite(z.real) and math.isfinite(z.imag):
                return same(finite(z))
            w = function(complex(-z.imag, z.real))
            if is_even:
                return w
            return complex(w.imag, -w.real)

        return impl


_by_angle("exp", np.exp, _exp_far)
_by_angle("sinh", np.sinh, _sinh_far)
_by_angle("cosh", np.cosh, _cosh_far)
_by_angle("tanh", _tanh, _tanh_far)


@implements("cmath.log")
def _log(z: Any, base: Any) -> Any:
    """The quotient of two logarithms, divided as Python divides."""
    if not (isinstance(z, Complex) and isinstance(base, Complex)):
        return None

    # Not fused with the addition, which would leave a rounding error where Python has 0.
    times: Any = LIBDEVICE["dmul_rn"]
    same = np.dtype(z.dtype_name).type

    def impl(z, base):
        a = np.log(np.complex128(z))
        b = np.log(np.complex128(base))
        if abs(b.real) >= abs(b.imag):
            ratio = b.imag / b.real
            scale = b.real + times(b.imag, ratio)
            re = a.real + times(a.imag, ratio)
            im = a.imag - times(a.real, ratio)
            return same(complex(re / scale, im / scale))
        ratio = b.real / b.imag
        scale = times(b.real, ratio) + b.imag
        re = times(a.real, ratio) + a.imag
        im = times(a.imag, ratio) - a.real
        return same(complex(re / scale, im / scale))

    return impl


@implements("cmath.rect")
def _rect(radius: Any, angle: Any) -> Any:
    if not (isinstance(radius, Float) and isinstance(angle, Float)):
        return None

    def impl(radius, angle):
        if radius == 0 and not math.isfinite(angle):
            return complex(abs(radius), abs(radius))
        if angle == 0 and math.isfinite(radius):
            return complex(radius, radius * angle)
        if angle == 0:
            signed = angle if radius > 0 else -angle
            return complex(radius, signed if radius == radius else abs(angle))
        if not math.isinf(radius):
            return complex(radius * math.cos(angle), radius * math.sin(angle))
        if not math.isfinite(angle):
            return complex(abs(radius), angle - angle)
        return complex(
            math.copysign(radius, math.cos(angle) * radius),
            math.copysign(radius, math.sin(angle) * radius),
        )

    return impl
