"""Windows of signal processing, in CPU functions."""

from __future__ import annotations

import math

import numpy as np

from .register import written


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
    """The series of the modified Bessel function of order 0, summed until it stands still."""
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
            place = 2 * i / (M - 1) - 1
            window[i] = _bessel_i0(beta * math.sqrt(max(1 - place * place, 0.0)))
    return window / _bessel_i0(float(beta)) if M > 1 else window


@written("numpy.sinc")
def sinc(x):
    """`np.sinc` of a number or an array."""
    y = math.pi * np.where(x == 0, 1.0e-20, x)
    return np.sin(y) / y


@written("numpy.unwrap")
def unwrap(p, period=2 * math.pi):
    """`np.unwrap` of a vector."""
    out = p.astype(np.float64)
    half = period / 2
    shift = 0.0
    for i in range(1, len(out)):
        step = p[i] - p[i - 1]
        wrapped = (step + half) % period - half
        if wrapped == -half and step > 0:
            wrapped = half
        if abs(step) >= half:
            shift += wrapped - step
        out[i] = p[i] + shift
    return out
