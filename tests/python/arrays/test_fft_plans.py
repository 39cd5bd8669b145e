"""What `phalanx.fft` asks of cuFFT, whose plans NumPy makes where there is no GPU."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from phalanx._arrays import coerce, device_fft, fft

import phalanx as px


class Plan:
    """A plan that does what cuFFT's documentation says, on the host's memory."""

    made = 0

    def __init__(self, device, extents, layouts, count):
        Plan.made += 1
        self.extents, self.layouts, self.count = extents, layouts, count

    def side(self, memory, number, is_half):
        dtype, stride, step = self.layouts[number]
        shape = list(self.extents)
        if is_half:
            shape[-1] = shape[-1] // 2 + 1
        flat = coerce.exported(memory, False).reshape(-1)
        item = flat.itemsize
        assert flat.dtype == dtype
        steps = [int(np.prod(shape[i + 1 :])) * stride * item for i in range(len(shape))]
        last = (self.count - 1) * step + (int(np.prod(shape)) - 1) * stride
        assert last < flat.size
        return np.lib.stride_tricks.as_strided(flat, (self.count, *shape), (step * item, *steps))

    def run(self, in_memory, out_memory, is_inverse):
        is_complex = [row[0].startswith("complex") for row in self.layouts]
        x = self.side(in_memory, 0, is_half=not is_complex[1])
        out = self.side(out_memory, 1, is_half=not is_complex[0])
        axes = tuple(range(1, x.ndim))
        norm = "forward" if is_inverse else "backward"
        if all(is_complex):
            out[...] = (np.fft.ifftn if is_inverse else np.fft.fftn)(x, axes=axes, norm=norm)
        elif is_complex[1]:
            assert not is_inverse
            out[...] = np.fft.rfftn(x, axes=axes, norm=norm)
        else:
            assert is_inverse
            assert len(axes) == 1  # of several dimensions cuFFT overwrites what it reads
            out[...] = np.fft.irfft(x, self.extents[-1], norm=norm)


pytestmark = pytest.mark.usefixtures("plans")


@pytest.fixture
def plans(device, monkeypatch):
    """NumPy's plans on the CPU device, on a GPU cuFFT's."""
    if device == "cpu":
        monkeypatch.setattr(device_fft, "_plan", Plan)
        monkeypatch.setattr(fft, "_is_for_cufft", lambda array: array._dtype != "float16")
    elif not device_fft.has_library():
        pytest.skip("cuFFT is not installed")
    Plan.made = 0
    yield
    assert Plan.made > 0 or device != "cpu"


def sample(dtype, shape, seed=0):
    random = np.random.default_rng(seed)
    made = random.standard_normal(shape) * 10
    if dtype.startswith("complex"):
        made = made + 1j * random.standard_normal(shape)
    return made.astype(dtype)


def check(name, x, *args, **kwargs):
    expected = getattr(np.fft, name)(x, *args, **kwargs)
    made = getattr(px.fft, name)(px.asarray(x), *args, **kwargs)
    assert made.dtype == expected.dtype
    assert made.shape == expected.shape
    scale = np.abs(expected).max() + 1e-30
    limit = 2e-6 if expected.dtype in (np.float32, np.complex64) else 1e-14
    np.testing.assert_allclose(np.asarray(made) / scale, expected / scale, rtol=0, atol=limit)


COMPLEX = ("fft", "ifft", "irfft", "hfft")
REAL = ("rfft", "ihfft")
DTYPES = ("bool", "int16", "float32", "float64", "complex64", "complex128")


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [*COMPLEX, *REAL])
def test_one_axis(name, dtype, norm):
    if name in REAL and dtype.startswith("complex"):
        with pytest.raises(TypeError):
            getattr(px.fft, name)(px.asarray(sample(dtype, 5)))
        check("fft", sample(dtype, 5))
        return
    for shape in ((7,), (8,), (4, 6), (3, 5, 4)):
        x = sample(dtype, shape)
        for axis, n in itertools.product(range(-1, len(shape) - 1), (None, 2, 6, 11)):
            check(name, x, n, axis, norm)
    check(name, x, axis=0, norm=norm)
    check(name, x.T[::2], axis=1)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft"])
def test_several_axes(name, dtype):
    if name == "rfft" and dtype.startswith("complex"):
        check("fftn", sample(dtype, (2, 3)))
        return
    x = sample(dtype, (4, 6, 5, 8))
    for axes in (None, (-1,), (1, 2), (3, 0), (-2, -1), (1, 2, 3), (0, 1, 2, 3)):
        check(f"{name}n", x, axes=axes, norm="ortho")
    check(f"{name}n", x, (3, 7), (1, 2))
    check(f"{name}n", x, s=(2, 9, 5, 6), axes=(0, 1, 2, 3))
    check(f"{name}2", x)
    check(f"{name}2", x, (5, 3), (0, 2), "forward")


@pytest.mark.parametrize("length", [1, 2, 3, 17, 97, 1009, 4096])
def test_lengths(length):
    for dtype in ("float32", "complex128"):
        check("fft", sample(dtype, length))
        check("ifft", sample(dtype, (3, length)))
    check("rfft", sample("float64", (2, length)))
    if length > 1:
        check("irfft", sample("complex64", (2, length)))


def test_what_it_does_not_change():
    x = sample("complex128", (6, 4, 4))
    ours = px.asarray(x)
    for name in ("fftn", "ifftn", "irfftn"):
        np.asarray(getattr(px.fft, name)(ours))
    np.testing.assert_array_equal(np.asarray(ours), x)


def test_wrong_arguments():
    x = sample("float64", (4, 4))
    check("fft", x)
    for call in (
        lambda fft, a: fft.fft(a, 0),
        lambda fft, a: fft.fft(a, axis=2),
        lambda fft, a: fft.fft(a, norm="other"),
        lambda fft, a: fft.fftn(a, (2, 3), (0,)),
        lambda fft, a: fft.fft(a, 2, n=3),
    ):
        with pytest.raises(Exception) as expected:
            call(np.fft, x)
        with pytest.raises(type(expected.value)):
            call(px.fft, px.asarray(x))


def test_one_frequency_alone_has_no_elements():
    one = px.asarray(np.ones(1, complex))
    for name in ("irfft", "hfft", "irfftn"):
        with pytest.raises(ValueError, match="Invalid number of data points"):
            getattr(px.fft, name)(one)
    assert px.fft.irfft(one, 1).size == px.fft.hfft(one, 1).size == 1
