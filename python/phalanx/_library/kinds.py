"""What is asked of arrays and numbers, and functions that yield a pair, in CPU functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._types.literals import Literal
from .._types.objects import Array, Complex, Integer, Scalar
from .register import implements, written


def _is_complex(given: Any) -> bool:
    return isinstance(given.dtype if isinstance(given, Array) else given, Complex)


@implements("numpy.iscomplexobj")
def _iscomplexobj(x: Any) -> Any:
    answer = _is_complex(x)
    return lambda x: answer


@implements("numpy.isrealobj")
def _isrealobj(x: Any) -> Any:
    answer = not _is_complex(x)
    return lambda x: answer


@implements("numpy.isscalar")
def _isscalar(element: Any) -> Any:
    answer = isinstance(element, (Scalar, Literal))
    return lambda element: answer


@implements("numpy.isreal")
def _isreal(x: Any) -> Any:
    if _is_complex(x):
        return lambda x: np.imag(x) == 0
    return lambda x: True if np.ndim(x) == 0 else np.ones(x.shape, np.bool_)


@implements("numpy.iscomplex")
def _iscomplex(x: Any) -> Any:
    if _is_complex(x):
        return lambda x: np.imag(x) != 0
    return lambda x: False if np.ndim(x) == 0 else np.zeros(x.shape, np.bool_)


@implements("numpy.isneginf")
def _isneginf(x: Any) -> Any:
    return None if _is_complex(x) else lambda x: np.isinf(x) & (x < 0)


@implements("numpy.isposinf")
def _isposinf(x: Any) -> Any:
    return None if _is_complex(x) else lambda x: np.isinf(x) & (x > 0)


@written("numpy.divmod")
def divmod_(x1, x2):
    """`np.divmod`."""
    return np.floor_divide(x1, x2), np.remainder(x1, x2)


def _check_some(a):
    if np.isnan(a).all():
        raise ValueError("All-NaN slice encountered")


def _nanarg(a: Any, position: Any, least: float) -> Any:
    """`position` among the numbers; integers all are, and floats would not hold them."""
    if isinstance(a, Array) and isinstance(a.dtype, Integer):
        return lambda a: position(a)

    def impl(a):
        _check_some(a)
        return position(np.where(np.isnan(a), least, a))

    return impl


@implements("numpy.nanargmax")
def _nanargmax(a: Any) -> Any:
    return _nanarg(a, np.argmax, -np.inf)


@implements("numpy.nanargmin")
def _nanargmin(a: Any) -> Any:
    return _nanarg(a, np.argmin, np.inf)
