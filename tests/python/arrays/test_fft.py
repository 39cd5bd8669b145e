"""`phalanx.fft`, with NumPy as the oracle; SciPy does the work where it is installed."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

ONE_AXIS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
TWO_AXES = ("fft2", "ifft2", "rfft2", "irfft2")
ALL_AXES = ("fftn", "ifftn", "rfftn", "irfftn")
OF_REALS = ("rfft", "ihfft", "rfft2", "rfftn")
DTYPES = ("float32", "float64", "complex64", "complex128", "int32", "bool", "float16")


def numbers(dtype, shape):
    random = np.random.default_rng(1)
    made = random.standard_normal(shape)
    return (made + 1j * random.standard_normal(shape) if dtype[0] == "c" else made).astype(dtype)


def agree(name, x, *args, **kwargs):
    expected = getattr(np.fft, name)(x, *args, **kwargs)
    made = getattr(px.fft, name)(px.asarray(x), *args, **kwargs)
    assert isinstance(made, px.ndarray)
    assert (made.dtype, made.shape) == (expected.dtype, expected.shape)
    single = expected.dtype in (np.float32, np.complex64)
    most = np.abs(expected).max() if expected.size else 0
    np.testing.assert_allclose(
        np.asarray(made), expected, rtol=0, atol=most * (1e-5 if single else 1e-12)
    )


def test_all_names_are_there():
    assert [each for each in np.fft.__all__ if not hasattr(px.fft, each)] == []


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [*ONE_AXIS, *TWO_AXES, *ALL_AXES])
def test_transforms(name, dtype, norm):
    if name in OF_REALS and dtype[0] == "c":
        return
    x = numbers(dtype, (6, 10, 7))
    agree(name, x, norm=norm)
    agree(name, x, None, 1 if name in ONE_AXIS else (0, 1), norm)
    agree(
        name,
        x[:, ::-1].T,
        *(() if norm is None else (None, -1 if name in ONE_AXIS else (-2, -1), norm)),
    )
    if name in ONE_AXIS:
        agree(name, x, 5)  # cut
        agree(name, x, 16, 0)  # padded with zeros
    elif name in TWO_AXES:
        agree(name, x, (4, 12), (0, 2))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 97, 101 * 3, 1 << 12, 10_007])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_lengths(size, dtype):
    x = numbers(dtype, size)
    agree("fft", x)
    agree("ifft", x)
    if dtype == "float32":
        agree("rfft", x)
    made = px.fft.ifft(px.fft.fft(px.asarray(x)))
    assert np.allclose(np.asarray(made), x, atol=1e-5)


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
def test_shifts(name):
    agree(name, numbers("float64", (5, 4)))
    agree(name, numbers("float64", (5, 4)), 1)


def test_special_values_and_arrays_of_others():
    x = np.array([1, np.nan, np.inf, -0.0])
    made, expected = px.fft.fft(px.asarray(x)), np.fft.fft(x)
    assert np.array_equal(np.isnan(np.asarray(made)), np.isnan(expected))
    assert np.allclose(np.asarray(px.fft.fft([1.0, 2, 3])), np.fft.fft([1.0, 2, 3]))
    assert np.allclose(np.asarray(px.fft.fft(a=px.arange(4.0))), np.fft.fft(np.arange(4.0)))
    out = px.zeros(4, dtype="complex128")
    assert px.fft.fft(px.arange(4.0), out=out) is out


@pytest.mark.parametrize(
    "call",
    [
        lambda xp: xp.fft.fft(xp.asarray(1.0)),
        lambda xp: xp.fft.fft(xp.zeros(0)),
        lambda xp: xp.fft.fft(xp.zeros(3), 0),
        lambda xp: xp.fft.fft(xp.zeros(3), -1),
        lambda xp: xp.fft.fft(xp.zeros(3), None, 1),
        lambda xp: xp.fft.fft(xp.zeros(3), None, -1, "wrong"),
        lambda xp: xp.fft.fft2(xp.zeros(3)),
        lambda xp: xp.fft.fft2(xp.zeros((3, 3)), (2, 2, 2)),
        lambda xp: xp.fft.rfft(xp.zeros(3, dtype="complex128")),
        lambda xp: xp.fft.fft(xp.zeros(3), 2.5),
    ],
)
def test_wrong_input(call):
    with pytest.raises(Exception) as theirs:
        call(np)
    with pytest.raises(
        theirs.type if theirs.type is not np.exceptions.AxisError else (ValueError, IndexError)
    ):
        call(px)


@pytest.mark.parametrize("name", ["fft2", "ifft2", "fftn", "ifftn"])
def test_along_no_axis_it_is_the_array_itself(name):
    x = px.asarray(numbers("complex64", (2, 3)))
    assert getattr(px.fft, name)(x, axes=()) is x
    assert getattr(px.fft, name)(x, None, ()) is x
