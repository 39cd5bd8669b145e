"""Polynomials by their coefficients, the highest power first, through NumPy's on the host."""

from __future__ import annotations

from typing import Any

from .. import _engine
from . import coerce, host


class poly1d:
    """A polynomial of one variable: `poly1d([1, 2, 3])` is x**2 + 2 x + 3.

    With `r` the numbers are its roots. It is called with a value or an array, added, multiplied,
    divided and compared; `coeffs`, `roots`, `order` and `variable` are NumPy's.

    >>> px.poly1d([1, -3, 2])(px.asarray([1, 2]))
    array([0, 0])
    """

    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # so that NumPy's arrays leave operators to it

    def __init__(self, c_or_r: Any, r: bool = False, variable: str | None = None) -> None:
        import numpy as np

        self._device = coerce.common_device([c_or_r])
        given = _as_host(c_or_r)
        if not isinstance(given, np.poly1d):
            given = np.array(given)  # of its own, as coefficients can be assigned to
        self._own = np.poly1d(given, r, variable)

    @property
    def coeffs(self) -> Any:
        """The coefficients, the highest power first."""
        return host.as_ours(self._own.coeffs.copy(), self._device)

    @coeffs.setter
    def coeffs(self, value: Any) -> None:
        self._own.coeffs[...] = host.as_host(value)

    c = coef = coefficients = coeffs

    @property
    def roots(self) -> Any:
        """The roots."""
        return host.as_ours(self._own.roots, self._device)

    r = roots

    @property
    def order(self) -> int:
        """The highest power."""
        return int(self._own.order)

    o = order

    @property
    def variable(self) -> str:
        """The letter by which it is printed."""
        return str(self._own.variable)

    def deriv(self, m: int = 1) -> poly1d:
        """The m-th derivative."""
        return _as_ours(self._own.deriv(m), self._device)

    def integ(self, m: int = 1, k: Any = 0) -> poly1d:
        """The m-th antiderivative, with the constants k."""
        return _as_ours(self._own.integ(m, host.as_host(k)), self._device)

    def get(self, stream: Any = None, out: Any = None) -> Any:
        """NumPy's polynomial of the same coefficients."""
        import numpy as np

        return np.poly1d(self._own.coeffs.copy(), variable=self._own.variable)

    def set(self, polyin: Any, stream: Any = None) -> None:
        """Takes the coefficients and the variable of a polynomial of NumPy's."""
        import numpy as np

        self._own = np.poly1d(polyin.coeffs.copy(), variable=polyin.variable)

    def __call__(self, val: Any) -> Any:
        return run("polyval", self, val)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy as np

        return np.array(self._own.coeffs, dtype)

    def __getitem__(self, power: int) -> Any:
        return self._own[power]

    def __setitem__(self, power: int, value: Any) -> None:
        self._own[power] = host.as_host(value)

    def __iter__(self) -> Any:
        return iter(self.coeffs)

    def __len__(self) -> int:
        return self.order

    def __str__(self) -> str:
        return str(self._own)

    def __repr__(self) -> str:
        return repr(self._own)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, poly1d) and bool(self._own == other._own)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __neg__(self) -> Any:
        return _as_ours(-self._own, self._device)

    def __pos__(self) -> poly1d:
        return self

    def __add__(self, other: Any) -> Any:
        return run("polyadd", self, other)

    # An array on the left is asked first by NumPy, for which a polynomial is its coefficients.
    def __radd__(self, other: Any) -> Any:
        return other + self.coeffs if _has_dimensions(other) else run("polyadd", other, self)

    def __sub__(self, other: Any) -> Any:
        return run("polysub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return other - self.coeffs if _has_dimensions(other) else run("polysub", other, self)

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, poly1d) and _is_number(other):
            return _as_ours(self._own * _as_host(other), self._device)
        return run("polymul", self, other)

    def __rmul__(self, other: Any) -> Any:
        if _is_number(other):
            return _as_ours(_as_host(other) * self._own, self._device)
        return other * self.coeffs if _has_dimensions(other) else run("polymul", other, self)

    def __truediv__(self, other: Any) -> Any:
        if not isinstance(other, poly1d) and _is_number(other):
            return _as_ours(self._own / _as_host(other), self._device)
        return run("polydiv", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        if _is_number(other):  # the quotients by the coefficients, as in NumPy
            return poly1d(other / self.coeffs)
        return other / self.coeffs if _has_dimensions(other) else run("polydiv", other, self)

    def __pow__(self, power: int) -> Any:
        return _as_ours(self._own**power, self._device)


def _has_dimensions(value: Any) -> bool:
    return bool(getattr(value, "shape", ()))


def _is_number(value: Any) -> bool:
    import numpy as np

    return bool(np.isscalar(value)) or getattr(value, "shape", None) == ()


def _as_host(value: Any) -> Any:
    return value._own if isinstance(value, poly1d) else host.as_host(value)


def _as_ours(value: Any, device: _engine.Device | None) -> Any:
    import numpy as np

    if isinstance(value, np.poly1d):
        made = poly1d.__new__(poly1d)
        made._own, made._device = value, device
        return made
    if isinstance(value, tuple):
        return tuple(_as_ours(each, device) for each in value)
    return host.as_ours(value, device)


def run(name: str, *args: Any, **options: Any) -> Any:
    """NumPy's function of polynomials and arrays, of ours."""
    import numpy as np

    arrays = [each.coeffs if isinstance(each, poly1d) else each for each in args]
    named = {key: _as_host(value) for key, value in options.items()}
    made = getattr(np, name)(*map(_as_host, args), **named)
    return _as_ours(made, coerce.common_device([*arrays, *options.values()]))


def poly(seq_of_zeros: Any) -> Any:
    """The coefficients of the polynomial with these roots, or of a matrix's own polynomial.

    >>> px.poly([1, 2])
    array([ 1., -3.,  2.])
    """
    return run("poly", seq_of_zeros)


def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of two polynomials.

    >>> px.polyadd([1, 2], [3])
    array([1, 5])
    """
    return run("polyadd", a1, a2)


def polysub(a1: Any, a2: Any) -> Any:
    """The difference of two polynomials.

    >>> px.polysub([1, 2], [3])
    array([ 1, -1])
    """
    return run("polysub", a1, a2)


def polymul(a1: Any, a2: Any) -> Any:
    """The product of two polynomials.

    >>> px.polymul([1, 2], [1, 3])
    array([1, 5, 6])
    """
    return run("polymul", a1, a2)


def polydiv(u: Any, v: Any) -> Any:
    """The quotient and the remainder of two polynomials.

    >>> px.polydiv([1, 3, 2], [1, 1])[0]
    array([1., 2.])
    """
    return run("polydiv", u, v)


def polyval(p: Any, x: Any) -> Any:
    """The values of a polynomial at x, an array or a polynomial.

    >>> px.polyval([1, 2, 3], px.asarray([0, 1]))
    array([3, 6])
    """
    return run("polyval", p, x)


def polyder(p: Any, m: int = 1) -> Any:
    """The m-th derivative.

    >>> px.polyder([1, 2, 3])
    array([2, 2])
    """
    return run("polyder", p, m)


def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """The m-th antiderivative, with the constants k.

    >>> px.polyint([2, 1])
    array([1., 1., 0.])
    """
    return run("polyint", p, m, k)


def polyfit(x: Any, y: Any, deg: Any, *args: Any, **options: Any) -> Any:
    """The polynomial of that degree with the least squares; `numpy.polyfit` has the options.

    >>> px.polyfit([0, 1, 2], [1, 3, 5], 1).round(6)
    array([2., 1.])
    """
    return run("polyfit", x, y, deg, *args, **options)


def roots(p: Any) -> Any:
    """The roots of a polynomial.

    >>> px.roots([1, -3, 2])
    array([2., 1.])
    """
    return run("roots", p)
