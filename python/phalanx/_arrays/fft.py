"""`phalanx.fft`: discrete Fourier transforms, through NumPy's on the host.

Each function takes what NumPy's of the name takes, and gives arrays where that one does.
"""

from __future__ import annotations

from typing import Any

from . import coerce, hosted

_DOCS = {
    "fft": "The transform along one axis.",
    "ifft": "The inverse transform along one axis.",
    "fft2": "The transform along two axes.",
    "ifft2": "The inverse transform along two axes.",
    "fftn": "The transform along several axes, by default all.",
    "ifftn": "The inverse transform along several axes, by default all.",
    "rfft": "The transform of real elements along one axis: the frequencies from 0 on.",
    "irfft": "The inverse of `rfft`.",
    "rfft2": "The transform of real elements along two axes.",
    "irfft2": "The inverse of `rfft2`.",
    "rfftn": "The transform of real elements along several axes, by default all.",
    "irfftn": "The inverse of `rfftn`.",
    "hfft": "The real transform of a signal whose negative half is the conjugate of the other.",
    "ihfft": "The inverse of `hfft`.",
    "fftshift": "The elements with frequency 0 in the middle.",
    "ifftshift": "The inverse of `fftshift`.",
}

_MADE = {name: hosted.HostFunction(name, doc, __name__, "fft") for name, doc in _DOCS.items()}


def fftfreq(n: int, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of a transform of `n` samples that are `d` apart."""
    return _frequencies("fftfreq", (n, d), dtype, device)


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of a transform of `n` real samples that are `d` apart."""
    return _frequencies("rfftfreq", (n, d), dtype, device)


def _frequencies(name: str, samples: tuple[int, float], dtype: Any, device: Any) -> Any:
    import numpy as np

    return coerce.asarray(getattr(np.fft, name)(*samples), dtype, device=device)


def __getattr__(name: str) -> Any:
    try:
        return _MADE[name]
    except KeyError:
        raise AttributeError(f"phalanx.fft has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted([*_MADE, "fftfreq", "rfftfreq"])
