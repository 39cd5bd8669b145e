"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.fft."""

from typing import Any as _Any
from ._arrays.fft import fftfreq as fftfreq
from ._arrays.fft import rfftfreq as rfftfreq

def fft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The transform along one axis.

    >>> px.fft.fft(px.asarray([1.0, 2.0, 3.0, 4.0])).real
    array([10., -2., -2., -2.])
    """
def fft2(a: _Any, s: _Any = None, axes: _Any = ..., norm: _Any = None, out: _Any = None) -> _Any:
    """The transform along two axes.

    >>> px.fft.fft2(px.ones((2, 2))).real
    array([[4., 0.],
           [0., 0.]])
    """
def fftn(a: _Any, s: _Any = None, axes: _Any = None, norm: _Any = None, out: _Any = None) -> _Any:
    """The transform along several axes, by default all.

    >>> px.fft.fftn(px.ones((2, 2))).real
    array([[4., 0.],
           [0., 0.]])
    """
def fftshift(x: _Any, axes: _Any = None) -> _Any:
    """The elements with frequency 0 in the middle.

    >>> px.fft.fftshift(px.arange(4))
    array([2, 3, 0, 1])
    """
def hfft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The real transform of a signal whose negative half is the conjugate of the other.

    >>> px.fft.hfft(px.asarray([1.0, 2.0, 1.0]))
    array([ 6.,  0., -2.,  0.])
    """
def ifft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse transform along one axis.

    >>> px.fft.ifft(px.asarray([1.0, 2.0, 3.0, 4.0])).real
    array([ 2.5, -0.5, -0.5, -0.5])
    """
def ifft2(a: _Any, s: _Any = None, axes: _Any = ..., norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse transform along two axes.

    >>> px.fft.ifft2(px.ones((2, 2))).real
    array([[1., 0.],
           [0., 0.]])
    """
def ifftn(a: _Any, s: _Any = None, axes: _Any = None, norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse transform along several axes, by default all.

    >>> px.fft.ifftn(px.ones((2, 2))).real
    array([[1., 0.],
           [0., 0.]])
    """
def ifftshift(x: _Any, axes: _Any = None) -> _Any:
    """The inverse of `fftshift`.

    >>> px.fft.ifftshift(px.arange(4))
    array([2, 3, 0, 1])
    """
def ihfft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse of `hfft`.

    >>> px.fft.ihfft(px.asarray([1.0, 2.0, 3.0, 4.0])).real
    array([ 2.5, -0.5, -0.5])
    """
def irfft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse of `rfft`.

    >>> px.fft.irfft(px.asarray([10.0, 0.0, -2.0]))
    array([2., 3., 2., 3.])
    """
def irfft2(a: _Any, s: _Any = None, axes: _Any = ..., norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse of `rfft2`.

    >>> px.fft.irfft2(px.ones((2, 2)))
    array([[1., 0.],
           [0., 0.]])
    """
def irfftn(a: _Any, s: _Any = None, axes: _Any = None, norm: _Any = None, out: _Any = None) -> _Any:
    """The inverse of `rfftn`.

    >>> px.fft.irfftn(px.ones((2, 2)))
    array([[1., 0.],
           [0., 0.]])
    """
def rfft(a: _Any, n: _Any = None, axis: _Any = -1, norm: _Any = None, out: _Any = None) -> _Any:
    """The transform of real elements along one axis: the frequencies from 0 on.

    >>> px.fft.rfft(px.asarray([1.0, 2.0, 3.0, 4.0])).real
    array([10., -2., -2.])
    """
def rfft2(a: _Any, s: _Any = None, axes: _Any = ..., norm: _Any = None, out: _Any = None) -> _Any:
    """The transform of real elements along two axes.

    >>> px.fft.rfft2(px.ones((2, 2))).real
    array([[4., 0.],
           [0., 0.]])
    """
def rfftn(a: _Any, s: _Any = None, axes: _Any = None, norm: _Any = None, out: _Any = None) -> _Any:
    """The transform of real elements along several axes, by default all.

    >>> px.fft.rfftn(px.ones((2, 2))).real
    array([[4., 0.],
           [0., 0.]])
    """
