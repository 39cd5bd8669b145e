"""Scalers of features against scikit-learn's."""

import pickle

import numpy as np
import pytest
from phalanx.ml import preprocessing as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.preprocessing")

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning:sklearn|numpy")

SCALERS = [
    ("StandardScaler", {}),
    ("StandardScaler", {"with_mean": False}),
    ("StandardScaler", {"with_std": False}),
    ("StandardScaler", {"with_mean": False, "with_std": False}),
    ("MinMaxScaler", {}),
    ("MinMaxScaler", {"feature_range": (-2, 5.5), "clip": True}),
    ("MaxAbsScaler", {}),
    ("MaxAbsScaler", {"clip": True}),
    ("RobustScaler", {}),
    ("RobustScaler", {"with_centering": False, "quantile_range": (5.0, 80.0)}),
    ("RobustScaler", {"with_scaling": False}),
    ("RobustScaler", {"unit_variance": True}),
    ("Normalizer", {}),
    ("Normalizer", {"norm": "l1"}),
    ("Normalizer", {"norm": "max"}),
]
ATTRIBUTES = [
    "mean_ var_ scale_ n_samples_seen_ min_ data_min_ data_max_ data_range_ max_abs_",
    "center_ n_features_in_ feature_names_in_",
]
ATTRIBUTES = " ".join(ATTRIBUTES).split()


def values(special="plain", dtype="float64", count=40):
    made = np.random.default_rng(3).normal(50, 9, (count, 4))
    made[:, 1] = 7.3  # a constant feature
    made[:, 2] *= 1e-3
    made[0] = 0
    if special == "nan":
        made[3:7, 0] = made[5, 3] = np.nan
    if special == "all nan":
        made[:, 1] = np.nan
    return (made * 100).astype(dtype) if dtype.startswith("int") else made.astype(dtype)


def assert_same(found, expected, name):
    if expected is None:
        assert found is None, name
        return
    assert np.shape(found) == np.shape(expected), name
    if np.asarray(expected).dtype.kind != "f":
        np.testing.assert_array_equal(found, expected, name)
        return
    close = 1e-5 if np.asarray(expected).dtype == np.float32 else 1e-10
    np.testing.assert_allclose(found, expected, rtol=close, atol=close, err_msg=name)


def compare(name, options, x, other, **keywords):
    mine, other_model = (
        getattr(each, name)(**options).fit(x, **keywords) for each in (ours, theirs)
    )
    for attribute in ATTRIBUTES:
        assert hasattr(mine, attribute) == hasattr(other_model, attribute), attribute
        if hasattr(mine, attribute):
            assert_same(getattr(mine, attribute), getattr(other_model, attribute), attribute)
    found, expected = mine.transform(other), other_model.transform(other)
    assert found.dtype == expected.dtype
    assert_same(found, expected, "transform")
    if hasattr(other_model, "inverse_transform"):
        assert_same(mine.inverse_transform(found), other_model.inverse_transform(found), "inverse")
    assert list(mine.get_feature_names_out()) == list(other_model.get_feature_names_out())


@pytest.mark.parametrize("special", ["plain", "nan", "all nan"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize(("name", "options"), SCALERS)
def test_as_scikit_learn(name, options, dtype, special):
    if special != "plain" and (dtype == "int32" or name == "Normalizer"):
        return
    compare(name, options, values(special, dtype), values(special, dtype)[::-1] * 2)


@pytest.mark.parametrize("name", ["StandardScaler", "MinMaxScaler", "MaxAbsScaler"])
@pytest.mark.parametrize("special", ["plain", "nan"])
def test_parts_are_as_the_whole(name, special):
    x = values(special)
    mine, other = getattr(ours, name)(), getattr(theirs, name)()
    for rows in (slice(0, 6), slice(6, 9), slice(9, 40)):
        mine.partial_fit(x[rows])
        other.partial_fit(x[rows])
    for attribute in ATTRIBUTES:
        if hasattr(other, attribute):
            assert_same(getattr(mine, attribute), getattr(other, attribute), attribute)


def test_a_part_whose_feature_is_missing_leaves_its_moments():
    x = values("nan")
    model = ours.StandardScaler().fit(x[5:6]).partial_fit(x[3:7]).partial_fit(x[7:])
    used = np.concatenate([x[5:6], x[3:]])
    np.testing.assert_allclose(model.mean_, np.nanmean(used, axis=0), rtol=1e-12)
    np.testing.assert_allclose(model.var_, np.nanvar(used, axis=0), rtol=1e-9, atol=1e-20)


@pytest.mark.parametrize("special", ["plain", "nan"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_weights(dtype, special):
    weight = np.random.default_rng(0).integers(0, 4, 40).astype(dtype)
    x = values(special, dtype)
    compare("StandardScaler", {}, x, x, sample_weight=weight)
    repeated = np.repeat(x, weight.astype(int), axis=0)
    mine = ours.StandardScaler().fit(x, sample_weight=weight)
    again = ours.StandardScaler().fit(repeated)
    np.testing.assert_allclose(mine.var_, again.var_, rtol=1e-6, atol=1e-20)


@pytest.mark.parametrize(("name", "options"), SCALERS[::3])
def test_our_arrays_and_frames_give_our_arrays(name, options, device):
    x = values()
    expected = getattr(ours, name)(**options).fit_transform(x)
    frame = px.DataFrame(x, columns=list("abcd"))
    for given in (px.asarray(x), frame):
        model = getattr(ours, name)(**options).fit(given)
        found = pickle.loads(pickle.dumps(model)).transform(given)
        assert isinstance(found, px.ndarray)
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12)
    assert list(model.get_feature_names_out()) == list("abcd")


def test_normalizer_needs_no_fit_and_learns_nothing_from_a_transform():
    model = ours.Normalizer()
    assert model.transform([[3.0, 4.0]]).tolist() == [[0.6, 0.8]]
    assert not hasattr(model, "n_features_in_")


@pytest.mark.parametrize(
    ("name", "options", "x", "text"),
    [
        ("MinMaxScaler", {"feature_range": (1, 0)}, [[1.0]], "Minimum of desired feature range"),
        ("MinMaxScaler", {"feature_range": [0, 1]}, [[1.0]], "must be a tuple"),
        ("RobustScaler", {"quantile_range": (90.0, 10.0)}, [[1.0]], "Invalid quantile range"),
        ("Normalizer", {"norm": "l3"}, [[1.0]], "'norm' parameter .* one of 'l1'"),
        ("Normalizer", {}, [[np.nan]], "contains NaN"),
        ("StandardScaler", {"with_std": 1}, [[1.0]], "must be a bool"),
        ("StandardScaler", {}, [[np.inf]], "contains infinity"),
        ("MaxAbsScaler", {}, [1.0], "Expected 2D array"),
    ],
)
def test_wrong_input(name, options, x, text):
    with pytest.raises(ValueError, match=text):
        getattr(ours, name)(**options).fit(x)
