"""Weights of windows, by the names and parameters of SciPy's symmetric windows.

Each function takes the number of rows, two at least, and its parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

# F. J. Harris, "On the use of windows for harmonic analysis with the discrete Fourier transform",
# Proceedings of the IEEE 66 (1978), and A. Nuttall, "Some windows with very good sidelobe
# behavior", IEEE Transactions on Acoustics, Speech and Signal Processing 29 (1981).
_COSINES = {
    "hann": (0.5, 0.5),
    "hamming": (0.54, 0.46),
    "blackman": (0.42, 0.50, 0.08),
    "nuttall": (0.3635819, 0.4891775, 0.1365995, 0.0106411),
    "blackmanharris": (0.35875, 0.48829, 0.14128, 0.01168),
    "flattop": (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
}


def _places(count: int) -> np.ndarray:
    """How far each row is from the middle."""
    return np.arange(count) - (count - 1) / 2


def _array(made: Any) -> np.ndarray:
    """The same, of a type that NumPy's functions of Python's numbers do not say."""
    return made  # type: ignore[no-any-return]


def general_cosine(count: int, a: Any) -> np.ndarray:
    """A sum of cosines with the factors ``a``."""
    angles = np.linspace(-np.pi, np.pi, count)
    made = np.zeros(count)
    for number, factor in enumerate(a):
        made += factor * np.cos(number * angles)
    return made


def general_hamming(count: int, alpha: float) -> np.ndarray:
    """A raised cosine that has ``2 * alpha - 1`` at its ends."""
    return general_cosine(count, (alpha, 1 - alpha))


def triang(count: int) -> np.ndarray:
    """A triangle that is not 0 at its ends."""
    return _array(1 - np.abs(2 * _places(count) / (count + count % 2)))


def parzen(count: int) -> np.ndarray:
    """Two cubic polynomials, four boxes convolved."""
    places = np.abs(_places(count))
    far = places / (count / 2)
    inner = 1 - 6 * far**2 + 6 * far**3
    return _array(np.where(places > (count - 1) / 4, 2 * (1 - far) ** 3, inner))


def bohman(count: int) -> np.ndarray:
    """Two half cosines convolved."""
    far = np.abs(np.linspace(-1, 1, count))
    made: np.ndarray = (1 - far) * np.cos(np.pi * far) + np.sin(np.pi * far) / np.pi
    made[[0, -1]] = 0
    return made


def barthann(count: int) -> np.ndarray:
    """Between a triangle and a raised cosine."""
    far = np.abs(np.arange(count) / (count - 1) - 0.5)
    return _array(0.62 - 0.48 * far + 0.38 * np.cos(2 * np.pi * far))


def cosine(count: int) -> np.ndarray:
    """Half a sine."""
    return _array(np.sin(np.pi / count * (np.arange(count) + 0.5)))


def lanczos(count: int) -> np.ndarray:
    """The middle of sin(x) / x."""
    return _array(np.sinc(2 * np.arange(count) / (count - 1) - 1))


def gaussian(count: int, std: float) -> np.ndarray:
    """The bell curve of a standard deviation, in rows."""
    return _array(np.exp(-(_places(count) ** 2) / (2 * std * std)))


def general_gaussian(count: int, p: float, sig: float) -> np.ndarray:
    """The same for ``p`` of 1, Laplace's for 1/2."""
    return _array(np.exp(-0.5 * np.abs(_places(count) / sig) ** (2 * p)))


def exponential(count: int, center: float | None = None, tau: float = 1.0) -> np.ndarray:
    """Falls by e every ``tau`` rows from the middle."""
    if center is not None:
        raise ValueError("exponential: pass no `center`, the window is symmetric")
    return _array(np.exp(-np.abs(_places(count)) / tau))


def tukey(count: int, alpha: float = 0.5) -> np.ndarray:
    """Flat, with raised cosines over a part ``alpha`` of the rows."""
    if alpha <= 0:
        return np.ones(count)
    far = (count - 1) / 2 - np.abs(_places(count))  # from the nearer end
    taper = min(alpha, 1.0) * (count - 1) / 2
    return np.where(far < taper, 0.5 * (1 - np.cos(np.pi * far / taper)), 1.0)


def kaiser(count: int, beta: float) -> np.ndarray:
    """By the modified Bessel function, of shape ``beta``."""
    return _array(np.kaiser(count, beta))


_WRITTEN = (
    general_cosine, general_hamming, triang, parzen, bohman, barthann, cosine, lanczos, gaussian,
    general_gaussian, exponential, tukey, kaiser,
)  # fmt: skip
_WINDOWS: dict[str, Callable[..., np.ndarray]] = {
    "boxcar": np.ones,
    "bartlett": np.bartlett,
    **{name: partial(general_cosine, a=factors) for name, factors in _COSINES.items()},
    **{each.__name__: each for each in _WRITTEN},
}
_MISSING = ("chebwin", "dpss", "kaiser_bessel_derived", "taylor")


def checked_name(name: Any) -> str:
    """A name that is there. Raises ValueError, and NotImplementedError for others of SciPy's."""
    if isinstance(name, str) and name in _MISSING:
        raise NotImplementedError(f"rolling: win_type={name!r} of pandas is not supported")
    if not isinstance(name, str) or name not in _WINDOWS:
        raise ValueError(f"Invalid win_type {name}; pass one of {', '.join(sorted(_WINDOWS))}")
    return name


def weights(name: str, count: int, parameters: dict[str, Any]) -> np.ndarray:
    """The weights of a window of that many rows. TypeError for parameters that are no window's."""
    made = _WINDOWS[name](max(count, 2), **parameters)
    return made if count > 1 else np.ones(count)
