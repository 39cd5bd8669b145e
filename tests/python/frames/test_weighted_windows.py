"""`rolling(win_type=)` beside pandas; the weights beside values that SciPy 1.17 gave."""

import itertools
import sys
import types

import numpy as np
import pandas as pd
import pytest
from phalanx._frames.windows.weights import weights

import phalanx as px

from .against_pandas import check

# Name, parameters, the first half of 7 weights and of 6.
WEIGHTS = [
    ("boxcar", {}, [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0]),
    ("bartlett", {}, [0.0, 0.333333, 0.666667, 1.0], [0.0, 0.4, 0.8]),
    ("hann", {}, [0.0, 0.25, 0.75, 1.0], [0.0, 0.345492, 0.904508]),
    ("hamming", {}, [0.08, 0.31, 0.77, 1.0], [0.08, 0.397852, 0.912148]),
    ("blackman", {}, [0.0, 0.13, 0.63, 1.0], [0.0, 0.200770, 0.849230]),
    ("nuttall", {}, [0.000363, 0.061335, 0.529230, 1.0], [0.000363, 0.110515, 0.798258]),
    ("blackmanharris", {}, [6e-05, 0.055645, 0.520575, 1.0], [6e-05, 0.103011, 0.793834]),
    ("flattop", {}, [-0.000421, -0.051263, 0.198211, 1.000000], [-0.000421, -0.067714, 0.606872]),
    ("general_cosine", {"a": (0.4, 0.5, 0.1)}, [0.0, 0.1, 0.6, 1.0], [0.0, 0.164590, 0.835410]),
    ("general_hamming", {"alpha": 0.6}, [0.2, 0.4, 0.8, 1.0], [0.2, 0.476393, 0.923607]),
    ("triang", {}, [0.25, 0.5, 0.75, 1.0], [0.166667, 0.5, 0.833333]),
    ("parzen", {}, [0.005831, 0.157434, 0.650146, 1.0], [0.009259, 0.25, 0.861111]),
    ("bohman", {}, [0.0, 0.108998, 0.608998, 1.0], [0.0, 0.179124, 0.834311]),
    ("barthann", {}, [0.0, 0.27, 0.73, 1.0], [0.0, 0.358574, 0.879426]),
    ("cosine", {}, [0.222521, 0.623490, 0.900969, 1.0], [0.258819, 0.707107, 0.965926]),
    ("lanczos", {}, [0.0, 0.413497, 0.826993, 1.0], [0.0, 0.504551, 0.935489]),
    ("gaussian", {"std": 1.5}, [0.135335, 0.411112, 0.800737, 1.0], [0.249352, 0.606531, 0.945959]),
    ("general_gaussian", {"p": 1.5, "sig": 2},
     [0.184981, 0.606531, 0.939413, 1.0], [0.376603, 0.809825, 0.992218]),
    ("exponential", {}, [0.049787, 0.135335, 0.367879, 1.0], [0.082085, 0.223130, 0.606531]),
    ("tukey", {}, [0.0, 0.75, 1.0, 1.0], [0.0, 0.904508, 1.0]),
    ("kaiser", {"beta": 3}, [0.204885, 0.553053, 0.871242, 1.0], [0.204885, 0.624746, 0.952222]),
]  # fmt: skip
PARAMETERS = {name: parameters for name, parameters, _, _ in WEIGHTS}


@pytest.fixture(autouse=True)
def windows_of_scipy(monkeypatch):
    """pandas asks SciPy for the weights: without SciPy, these ones."""
    try:
        import scipy.signal.windows  # noqa: F401
    except ImportError:
        parts = ["scipy", "scipy.signal", "scipy.signal.windows"]
        made = {name: types.ModuleType(name) for name in parts}
        made["scipy"].__version__ = "1.17.0"
        for name in PARAMETERS:

            def window(count, name=name, **parameters):
                return weights(name, int(count), parameters)

            setattr(made[parts[-1]], name, window)
        for name, module in made.items():
            monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize(("name", "parameters", "odd", "even"), WEIGHTS)
def test_weights(name, parameters, odd, even):
    wanted = {7: odd + odd[-2::-1], 6: even + even[::-1], 1: [1], 0: []}
    for count, values in wanted.items():
        np.testing.assert_allclose(weights(name, count, parameters), values, atol=1e-6)


SERIES = {
    "plain": lambda m: m.Series(np.arange(12.0) ** 1.5),
    "holes": lambda m: m.Series([1.0, None, 4, 2, 8, np.inf, None, 5, 7, 1, 0, 2]),
    "int": lambda m: m.Series([3, 1, 4, 1, 5, 9, 2, 6]),
    "bool": lambda m: m.Series([True, False, True, True]),
    "nullable": lambda m: m.Series([1, None, 3, 4], dtype="Int64"),
    "short": lambda m: m.Series([1.0, 2.0]),
    "none": lambda m: m.Series([], dtype=float),
}


@pytest.mark.parametrize("given", SERIES)
@pytest.mark.parametrize("method", ["sum", "mean", "var", "std"])
def test_methods(given, method):
    # pandas' variance is NaN for good once it met a weight of 0.
    names = ("triang", "cosine") if method in ("var", "std") else ("triang", "hann")
    kept = {}
    for m in (px, pd):
        made = kept[m] = []
        for center, least, step in itertools.product((False, True), (None, 0, 2), (None, 2)):
            keywords = {"center": center, "min_periods": least, "step": step}
            for name in names:
                windows = SERIES[given](m).rolling(4, win_type=name, **keywords)
                made.append(getattr(windows, method)().to_numpy())
    for ours, theirs in zip(kept[px], kept[pd], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", PARAMETERS)
def test_names(name):
    check(
        lambda s: s.rolling(5, win_type=name).mean(**PARAMETERS[name]), SERIES["holes"], exact=False
    )


def frame(m):
    index = m.date_range("2024", periods=5, name="day")
    return m.DataFrame({"a": [1.0, 2, 3, 5, 8], "b": [1, 0, 1, 0, 1], "t": list("xyxyx")}, index)


FRAMES = [
    lambda f: f[["a", "b"]].rolling(3, win_type="hamming").sum(),
    lambda f: f.rolling(3, win_type="hamming").mean(numeric_only=True),
    lambda f: f.rolling(3, win_type="hamming")["a"].mean(),
    lambda f: f.rolling(3, win_type="hamming")[["b"]].std(ddof=0),
    lambda f: f.a.rolling(3, win_type="gaussian").agg(["sum", "mean"], std=1.0),
    lambda f: f[["a", "b"]].rolling(3, win_type="boxcar", min_periods=1).agg({"a": "sum"}),
    lambda f: f.a.rolling(3, win_type="boxcar").agg(lambda w: w.sum()),
    lambda f: f[["a", "b"]].rolling(2, win_type="boxcar", on="b").sum(),
]


@pytest.mark.parametrize("number", range(len(FRAMES)))
def test_frames(number):
    check(FRAMES[number], frame, exact=False)


WRONG = [
    (lambda f: f.a.rolling(3, win_type="foo"), ValueError, "Invalid win_type foo; pass one of"),
    (lambda f: f.a.rolling(3, win_type=3), ValueError, "Invalid win_type 3"),
    (lambda f: f.a.rolling("2D", win_type="hann"), ValueError, "window must be an integer"),
    (lambda f: f.a.rolling(3, win_type="kaiser").sum(), TypeError, "beta"),
    (lambda f: f.a.rolling(3, win_type="hann").sum(std=1), TypeError, "std"),
    (lambda f: f.a.rolling(3, win_type="hann").max(), AttributeError, "max"),
    (lambda f: f.a.rolling(3, win_type="chebwin"), NotImplementedError, "chebwin"),
    (lambda f: f.groupby("b").a.rolling(3, win_type="hann"), NotImplementedError, "win_type"),
    (lambda f: f.t.rolling(3, win_type="hann").sum(), px.errors.DataError, "No numeric types"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_wrong_input(number):
    program, error, message = WRONG[number]
    with pytest.raises(error, match=message):
        program(frame(px))
