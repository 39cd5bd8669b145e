"""Splines of features, against scikit-learn's."""

import numpy as np
import pytest
from phalanx.ml.preprocessing import SplineTransformer

import phalanx as px

theirs = pytest.importorskip("sklearn.preprocessing")

EXTRAPOLATIONS = ("error", "constant", "linear", "continue", "periodic")


def problem(dtype="float64"):
    random = np.random.default_rng(0)
    train = random.normal(size=(60, 3)).astype(dtype)
    train[:, 2] = random.integers(0, 4, 60)  # quantiles that repeat
    test = (random.normal(size=(40, 3)) * 2).astype(dtype)
    test[:3] = [train.min(axis=0), train.max(axis=0), train[0]]
    return train, test, random.integers(0, 3, 60)


def both(options, train, test, weight=None):
    models = [
        each(**options).fit(train, sample_weight=weight)
        for each in (SplineTransformer, theirs.SplineTransformer)
    ]
    return models, [each.transform(test) for each in models]


@pytest.mark.parametrize("extrapolation", EXTRAPOLATIONS)
@pytest.mark.parametrize("degree", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("knots", ["uniform", "quantile"])
@pytest.mark.parametrize("weighted", [False, True])
def test_splines_are_scikit_learns(extrapolation, degree, knots, weighted):
    train, test, weight = problem()
    used = train[weight > 0] if weighted else train
    if knots == "quantile":  # where knots repeat, what lies on them depends on rounding
        train, test, used = train[:, :2], test[:, :2], used[:, :2]
    if extrapolation == "error" or (degree == 0 and extrapolation == "constant"):
        test = np.clip(test, used.min(axis=0), used.max(axis=0))
    if degree < 2 and extrapolation == "linear":  # scikit-learn's is so for the first feature only
        train, test = train[:, :1], test[:, :1]
    options = {"degree": degree, "knots": knots, "extrapolation": extrapolation, "n_knots": 7}
    given = weight if weighted else None
    (model, other), (found, expected) = both(options, train, test, given)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert model.n_features_out_ == other.n_features_out_
    assert model.get_feature_names_out().tolist() == other.get_feature_names_out().tolist()
    for one, two in zip(model.bsplines_, other.bsplines_, strict=True):
        np.testing.assert_allclose(one.t, two.t)
        np.testing.assert_array_equal(one.c, two.c)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("extrapolation", ["constant", "linear", "periodic"])
def test_dtypes_bias_and_sparse_results(extrapolation, sparse, bias, dtype):
    train, test, _ = problem()
    train, test = ((each * 5).astype(dtype) for each in (train, test))
    options = {
        "extrapolation": extrapolation,
        "sparse_output": sparse,
        "include_bias": bias,
        "order": "F",
    }
    _, (found, expected) = both(options, train, test)
    # Sparse results of scikit-learn's are float64 always.
    assert found.dtype == (expected.dtype if not sparse or dtype != "float32" else "float32")
    if sparse:
        assert found.format == "csr"
        found, expected = found.toarray(), expected.toarray()
    else:
        assert found.flags.f_contiguous
    np.testing.assert_allclose(found, expected, atol=1e-4 if dtype == "float32" else 1e-9)


def test_given_knots_and_a_constant_feature():
    train, test, _ = problem()
    knots = [[-2.0, -3, 0], [0, 0, 1], [1, 1, 2], [4, 4, 4]]
    _, (found, expected) = both({"knots": knots, "extrapolation": "linear"}, train, test)
    np.testing.assert_allclose(found, expected, atol=1e-9)
    for extrapolation in ("constant", "linear", "periodic", "continue"):
        options = {"extrapolation": extrapolation}
        _, (found, expected) = both(options, np.ones((9, 1)), np.array([[0.0], [1], [2]]))
        np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("extrapolation", ["constant", "linear", "continue", "periodic", "error"])
def test_missing_numbers(extrapolation):
    train, test, _ = problem()
    train[::5, 0], train[:, 1], test[1::4, 2] = np.nan, np.nan, np.nan
    if extrapolation == "error":
        test = np.clip(test, np.nanmin(train[:, [0, 2]]), 0.5)
        test[:, [0, 1]] = np.nan
        test[:, 2] = 1.5
    options = {"extrapolation": extrapolation, "handle_missing": "zeros"}
    _, (found, expected) = both(options, train[:, [0, 2]], test[:, [0, 2]])
    np.testing.assert_allclose(found, expected, atol=1e-9)
    with pytest.raises(ValueError, match="handle_missing='zeros'"):
        SplineTransformer().fit(train)
    model = SplineTransformer().fit(test[:, :1] if extrapolation != "error" else [[0.0], [1]])
    with pytest.raises(ValueError, match="handle_missing='zeros'"):
        model.transform([[np.nan]])


def test_arrays_and_frames_of_ours(device):
    train, test, _ = problem()
    expected = SplineTransformer(extrapolation="linear").fit(train).transform(test)
    model = SplineTransformer(extrapolation="linear").fit(px.asarray(train))
    found = model.transform(px.asarray(test))
    assert isinstance(found, px.ndarray)
    np.testing.assert_allclose(found, expected)
    named = SplineTransformer(n_knots=2, degree=1).fit(px.DataFrame(train, columns=list("abc")))
    assert named.get_feature_names_out()[:2].tolist() == ["a_sp_0", "a_sp_1"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"n_knots": 1}, "n_knots"),
        ({"degree": -1}, "degree"),
        ({"knots": [[1.0, 1, 1]]}, "must be >= 2"),
        ({"knots": [[1.0], [2]]}, "n_features is violated"),
        ({"knots": [[1.0, 1, 1], [2, 2, 1]]}, "without duplicates"),
        ({"extrapolation": "no"}, "extrapolation"),
        ({"extrapolation": "periodic", "n_knots": 3}, "degree < n_knots"),
    ],
)
def test_wrong_options(options, text):
    with pytest.raises(ValueError, match=text):
        SplineTransformer(**options).fit(problem()[0])


def test_numbers_beyond_the_knots_and_a_single_sample():
    model = SplineTransformer(extrapolation="error").fit([[0.0], [1.0]])
    with pytest.raises(ValueError, match="beyond the limits"):
        model.transform([[1.5]])
    with pytest.raises(ValueError, match="1 sample"):
        SplineTransformer().fit([[0.0]])
