"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.fft."""

from typing import Any as _Any
from ._arrays.fft import fftfreq as fftfreq
from ._arrays.fft import rfftfreq as rfftfreq

def fft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The transform along one axis."""
def fft2(a: _Any, s: _Any = None, axes: _Any = ..., norm: _Any = None, out: _Any = None) -> _Any:
    """The transform along two axes."""
def fftn(a: _Any, s: _Any = None, axes: _Any = None, norm: _Any = None, out: _Any = None) -> _Any:
    """The transform along several axes, by default all."""
def fftshift(x: _Any, axes: _Any = None) -> _Any:
    """The elements with frequency 0 in the middle."""
def hfft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The real transform of a signal whose negative half is the conjugate of the other."""
def ifft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse transform along one axis."""
def ifft2(a: _Any, s: _Any = None, axes: _Any = ..., norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse transform along two axes."""
def ifftn(a: _Any, s: _Any = None, axes: _Any = None, norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse transform along several axes, by default all."""
def ifftshift(x: _Any, axes: _Any = None) -> _Any:
    """The inverse of `fftshift`."""
def ihfft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse of `hfft`."""
def irfft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse of `rfft`."""
def irfft2(a: _Any, s: _Any = None, axes: _Any = ..., norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse of `rfft2`."""
def irfftn(a: _Any, s: _Any = None, axes: _Any = None, norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse of `rfftn`."""
def rfft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The transform of real elements along one axis: the frequencies from 0 on."""
def rfft2(a: _Any, s: _Any = None, axes: _Any = ..., norm: _Any = None, out: _Any = None) -> _Any:
    """The transform of real elements along two axes."""
def rfftn(a: _Any, s: _Any = None, axes: _Any = None, norm: _Any = None, out: _Any = None) -> _Any:
    """The transform of real elements along several axes, by default all."""
