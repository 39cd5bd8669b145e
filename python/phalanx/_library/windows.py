"""Windows of signal processing, in CPU functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._types.objects import Array, Complex, Float, Integer
from .axes import axis_among, product
from .register import implements, written


def _cosines(count, mean, first, second):
    if count < 1:
        return np.zeros(0)
    window = np.ones(count)
    for i in range(count):
        angle = 2 * math.pi * i / (count - 1) if count > 1 else math.pi
        window[i] = mean - first * math.cos(angle) + second * math.cos(2 * angle)
    return window


@written("numpy.hanning")
def hanning(M):
    """`np.hanning`."""
    return _cosines(M, 0.5, 0.5, 0.0)


@written("numpy.hamming")
def hamming(M):
    """`np.hamming`."""
    return _cosines(M, 0.54, 0.46, 0.0)


@written("numpy.blackman")
def blackman(M):
    """`np.blackman`."""
    return _cosines(M, 0.42, 0.5, 0.08)


@written("numpy.bartlett")
def bartlett(M):
    """`np.bartlett`."""
    if M < 1:
        return np.zeros(0)
    window = np.ones(M)
    for i in range(M):
        if M > 1:
            window[i] = 1 - abs(2 * i / (M - 1) - 1)
    return window


def _bessel_i0(x):
    """The series of the modified Bessel function of order 0, summed until it no longer changes."""
    quarter = x * x / 4
    term = 1.0
    total = 1.0
    k = 1
    while term > total * 1e-17:
        term *= quarter / (k * k)
        total += term
        k += 1
    return total


@written("numpy.kaiser")
def kaiser(M, beta):
    """`np.kaiser`."""
    if M < 1:
        return np.zeros(0)
    window = np.ones(M)
    for i in range(M):
        if M > 1:
            x = 2 * i / (M - 1) - 1
            window[i] = _bessel_i0(beta * math.sqrt(max(1 - x * x, 0.0)))
    return window / _bessel_i0(float(beta)) if M > 1 else window


@implements("numpy.sinc")
def _sinc(x: Any) -> Any:
    """The function of a number or an array; of single precision in single precision."""
    element = x.dtype if isinstance(x, Array) else x
    if not isinstance(element, (Integer, Float, Complex)):
        return None
    kind = np.result_type(np.dtype(element.dtype_name), np.float32)
    if isinstance(element, Integer):
        kind = np.dtype(np.float64)
    pi, small = kind.type(math.pi), kind.type(1e-20)

    def impl(x):
        y = pi * np.where(x == 0, small, x)
        return np.sin(y) / y

    return impl


@implements("numpy.unwrap")
def _unwrap(p: Any, discont: Any = None, axis: Any = -1, period: Any = 2 * math.pi) -> Any:
    """Along the last axis; whole numbers as floats."""
    if not isinstance(p, Array) or p.ndim == 0 or not isinstance(p.dtype, (Integer, Float)):
        return None
    is_single = isinstance(p.dtype, Float) and p.dtype.bitwidth <= 32
    kind = np.dtype(np.float32 if is_single else np.float64)
    if axis_among(p.ndim, axis) != p.ndim - 1:
        return None

    def impl(p, discont=None, axis=-1, period=2 * math.pi):
        out = np.empty(p.shape, kind)
        out[...] = p
        vectors = out.reshape((product(out.shape[:-1]), out.shape[-1]))
        for i in range(len(vectors)):
            _unwrap_vector(vectors[i], discont, period)
        return out

    return impl


def _unwrap_vector(vector, discont, period):
    """Steps are taken to the least that is the same up to a period; those below `discont` stay."""
    half = period / 2
    least = half if discont is None else discont
    shift = 0.0
    before = vector[0] if len(vector) > 0 else vector.dtype(0)
    for i in range(1, len(vector)):
        step = vector[i] - before
        before = vector[i]
        wrapped = (step + half) % period - half
        if wrapped == -half and step > 0:
            wrapped = half
        if not abs(step) < least:  # a NaN is kept from here on
            shift += wrapped - step
        vector[i] += shift
