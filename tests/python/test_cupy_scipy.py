"""The modules of `cupyx.scipy`, with SciPy as the oracle."""

from __future__ import annotations

import importlib
import subprocess
import sys

import numpy as np
import pytest
from phalanx.compat import cupyx_scipy

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")

NUMBERS = np.random.default_rng(1).random((6, 8))

# What is called, of NumPy's arrays and of ours.
CALLS = {
    "fft.dct": lambda m, x: m.dct(x),
    "fft.rfftn": lambda m, x: m.rfftn(x, overwrite_x=True),
    "fft.next_fast_len": lambda m, x: m.next_fast_len(97),
    "interpolate.make_interp_spline": lambda m, x: m.make_interp_spline(x[0].cumsum(), x[1])(x[2]),
    "linalg.lu": lambda m, x: m.lu(x[:6, :6])[1],
    "linalg.solve_triangular": lambda m, x: m.solve_triangular(x[:6, :6], x, overwrite_b=True),
    "linalg.toeplitz": lambda m, x: m.toeplitz(x[0]),
    "ndimage.gaussian_filter": lambda m, x: m.gaussian_filter(x, 1.5),
    "ndimage.label": lambda m, x: m.label(x > 0.5)[1],
    "ndimage.zoom": lambda m, x: m.zoom(x, 2),
    "signal.convolve2d": lambda m, x: m.convolve2d(x, x[:3, :3], mode="same"),
    "signal.windows.hann": lambda m, x: m.windows.hann(7),
    "spatial.distance.cdist": lambda m, x: m.distance.cdist(x, x),
    "special.erf": lambda m, x: m.erf(x),
    "special.jv": lambda m, x: m.jv(1, x),
    "stats.entropy": lambda m, x: m.entropy(x),
    "stats.ttest_ind": lambda m, x: m.ttest_ind(x, x + x * x).pvalue,
    "stats.zscore": lambda m, x: m.zscore(x, axis=1),
}


def module(name):
    return cupyx_scipy.module(f"cupyx.scipy.{name}")


@pytest.fixture
def scipy():
    return pytest.importorskip("scipy", reason="SciPy is not installed")


@pytest.fixture
def served():
    from phalanx import compat

    compat.install()
    yield
    compat.uninstall()


@pytest.mark.parametrize("name", CALLS)
def test_functions_are_scipys(scipy, served, name):
    part = name.partition(".")[0]
    expected = CALLS[name](importlib.import_module(f"scipy.{part}"), NUMBERS)
    made = CALLS[name](importlib.import_module(f"cupyx.scipy.{part}"), px.asarray(NUMBERS))
    assert isinstance(made, px.ndarray) == isinstance(expected, (np.ndarray, np.generic))
    np.testing.assert_allclose(np.asarray(made), expected, rtol=1e-12, atol=1e-12)


def test_results_are_written_to_arrays(scipy):
    x = px.asarray(NUMBERS)
    for call in (
        lambda out: module("ndimage").gaussian_filter(x, 1, output=out),
        lambda out: module("ndimage").gaussian_filter(x, 1, 0, out),
        lambda out: module("special").jv(1, x, out),
        lambda out: module("special").jv(1, x, out=out),
        lambda out: module("special").erf(x, out=out),
    ):
        out = px.zeros(x.shape, "f4")
        assert call(out) is out and float(out.sum()) > 0
    assert module("ndimage").gaussian_filter(x, 1, output="f4").dtype == np.float32


def test_operands_stay_as_they_are(scipy):
    x = px.asarray(NUMBERS.copy())
    module("fft").fft(x, overwrite_x=True)
    module("linalg").lu_factor(x[:6, :6], overwrite_a=True)
    assert (np.asarray(x) == NUMBERS).all()


def test_hints_for_a_gpu_change_nothing(scipy):
    made = module("ndimage").distance_transform_edt(
        px.asarray(NUMBERS > 0.5), block_params=(1, 1, 1)
    )
    assert made.shape == NUMBERS.shape


def test_objects_give_arrays(scipy):
    tree = module("spatial").KDTree(px.asarray(NUMBERS))
    distance, index = tree.query(px.asarray(NUMBERS[:2]))
    assert isinstance(distance, px.ndarray) and index.tolist() == [0, 1]
    result = module("stats").ttest_ind(px.asarray(NUMBERS), px.asarray(NUMBERS))
    assert isinstance(result.statistic, px.ndarray) and isinstance(result[1], px.ndarray)
    assert len([*result]) == len(result) == 2


def test_the_module_of_arrays(scipy):
    out = run(
        "import cupy as cp, cupyx, numpy as np, scipy\n"
        "assert cupyx.scipy.get_array_module(cp.ones(1)) is cupyx.scipy\n"
        "assert cupyx.scipy.get_array_module(np.ones(1)) is scipy\n"
        "print(cupyx.scipy.ndimage.sum(cp.ones((2, 3))))\n"
        "from cupyx.scipy.signal import windows\n"
        "print(hasattr(cupyx.scipy.ndimage, 'nothing'), 'label' in dir(cupyx.scipy.ndimage))\n"
    )
    assert out == "6.0\nFalse True\n"


def test_what_needs_scipy_says_so():
    out = run(
        "import sys\n"
        "sys.modules['scipy'] = None\n"
        "import cupyx.scipy.special as special, cupy as cp\n"
        "print(float(special.erf(cp.zeros(1))[0]))\n"
        "try: import cupyx.scipy.ndimage\n"
        "except ImportError as error: print(error)\n"
        "try: from cupyx.scipy.special import jv\n"
        "except ImportError as error: print(error)\n"
    )
    assert out.startswith("0.0\ncupyx.scipy.ndimage needs SciPy")
    assert (
        "cupyx.scipy.special needs SciPy, which computes it on the host: pip install scipy" in out
    )


def run(code):
    command = [sys.executable, "-m", "phalanx", "run", "-c", code]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout
