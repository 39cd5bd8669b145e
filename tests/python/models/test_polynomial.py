"""Products of features against scikit-learn's."""

import numpy as np
import pytest
from phalanx.ml.preprocessing import PolynomialFeatures

import phalanx as px

theirs = pytest.importorskip("sklearn.preprocessing")


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("interaction", [False, True])
@pytest.mark.parametrize("degree", [1, 2, 3, (2, 3), (0, 2), 5])
def test_as_scikit_learn(degree, interaction, bias, dtype):
    x = (np.random.default_rng(0).normal(size=(9, 4)) * 3).astype(dtype)
    options = {"degree": degree, "interaction_only": interaction, "include_bias": bias}
    mine = PolynomialFeatures(**options).fit(x)
    other = theirs.PolynomialFeatures(**options).fit(x)
    assert mine.n_output_features_ == other.n_output_features_
    assert mine.powers_.tolist() == other.powers_.tolist()
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())
    close = 1e-5 if dtype == "float32" else 1e-12
    found, expected = mine.transform(x), other.transform(x)
    np.testing.assert_allclose(found, expected, rtol=close)
    assert found.dtype == (expected.dtype if dtype != "int64" else np.float64)


def test_ours_give_ours(device):
    x = np.arange(6.0).reshape(3, 2)
    found = PolynomialFeatures().fit_transform(px.asarray(x))
    assert isinstance(found, px.ndarray)
    assert np.asarray(found)[1].tolist() == [1, 2, 3, 4, 6, 9]
    assert PolynomialFeatures(0).fit_transform(x).tolist() == [[1]] * 3


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"degree": (3, 2)}, ValueError, "min_degree <= max_degree"),
        ({"degree": 0, "include_bias": False}, ValueError, "empty output array"),
        ({"degree": -1}, ValueError, "'degree' parameter of PolynomialFeatures"),
        ({"order": "F"}, NotImplementedError, "order='F'"),
    ],
)
def test_wrong_input(options, error, text):
    with pytest.raises(error, match=text):
        PolynomialFeatures(**options).fit([[1.0, 2.0]])
