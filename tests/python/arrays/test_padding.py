"""`pad` by an array's own elements: NumPy's modes, on the device of the array."""

import numpy as np
import pytest
from phalanx._arrays import padding

import phalanx as px
from arrays.oracle import check_same

MODES = ["edge", "reflect", "symmetric", "wrap"]
WIDTHS = [0, 1, 2, 3, 7, (1, 0), (0, 2), (3, 1)]
SHAPES = [(5,), (3, 4), (2, 3, 4), (1, 3), (0, 3), (2, 0)]


@pytest.fixture(params=[0, padding._FEW], ids=["by kernels", "as it comes"])
def few(request, monkeypatch):
    """Small arrays of the CPU device are padded by NumPy, here by kernels too."""
    monkeypatch.setattr(padding, "_FEW", request.param)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", SHAPES)
def test_padding_is_numpys(device, few, mode, shape):
    x = np.arange(np.prod(shape), dtype="float32").reshape(shape)
    for width in WIDTHS:
        try:
            expected = np.pad(x, width, mode=mode)
        except ValueError:
            with pytest.raises(ValueError):
                px.pad(px.asarray(x), width, mode=mode)
        else:
            check_same(px.pad(px.asarray(x), width, mode=mode), expected)


def test_a_padded_array_is_a_new_one(device, few):
    x = px.arange(3)
    for mode in MODES:
        padded = px.pad(x, 0, mode=mode)
        padded[0] = 9
        assert x.tolist() == [0, 1, 2]


@pytest.mark.parametrize("mode", MODES)
def test_padding_leaves_a_large_array_on_its_device(device, monkeypatch, mode):
    def refused(*arguments, **options):
        raise AssertionError("padded on the host")

    x = np.arange(300 * 200, dtype="float32").reshape(300, 200)
    expected = np.pad(x, ((2, 1), (0, 3)), mode=mode)
    monkeypatch.setattr(padding.host, "run", refused)
    check_same(px.pad(px.asarray(x), ((2, 1), (0, 3)), mode=mode), expected)
