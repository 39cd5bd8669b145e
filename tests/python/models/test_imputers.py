"""Imputers against scikit-learn's."""

import numpy as np
import pandas as pd
import pytest
from phalanx.ml import impute as ours
from plain_names import plain

import phalanx as px

theirs = pytest.importorskip("sklearn.impute")

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def values(kind):
    random = np.random.default_rng(0)
    made = np.round(random.normal(size=(30, 4)) * 2)
    gaps = random.random(made.shape) < 0.2
    if kind in ("float64", "float32"):
        made[gaps] = np.nan
        return made.astype(kind), np.nan
    if kind == "empty":
        made[gaps] = np.nan
        made[:, 2] = np.nan
        return made, np.nan
    if kind == "int":
        made = made.astype(np.int64)
        made[gaps] = -9
        return made, -9
    texts = np.array(list("abcdefghijk"), object)[made.astype(int) + 5]
    texts[gaps] = None if kind == "none" else np.nan
    return texts, None if kind == "none" else np.nan


KINDS = ["float64", "float32", "int", "empty", "texts", "none"]
STRATEGIES = [
    {"strategy": "mean"},
    {"strategy": "median"},
    {"strategy": "most_frequent"},
    {"strategy": "constant"},
    {"strategy": "constant", "fill_value": 7},
    {"strategy": np.max},
    {"strategy": "median", "keep_empty_features": True},
    {"strategy": "mean", "add_indicator": True},
    {"strategy": "most_frequent", "add_indicator": True, "keep_empty_features": True},
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", STRATEGIES, ids=plain)
def test_simple_imputer(options, kind):
    x, mark = values(kind)
    mine, other = (each.SimpleImputer(missing_values=mark, **options) for each in (ours, theirs))
    try:
        other.fit(x)
    except (ValueError, TypeError) as error:
        with pytest.raises(type(error)):
            mine.fit(x)
        return
    mine.fit(x)
    if kind == "empty" and callable(options["strategy"]):
        return
    np.testing.assert_array_equal(
        mine.statistics_.astype(object), other.statistics_.astype(object)
    ) if x.dtype == object else np.testing.assert_allclose(
        mine.statistics_.astype(float), other.statistics_.astype(float), rtol=1e-6
    )
    found, expected = mine.transform(x), other.transform(x)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if x.dtype == object:
        assert found.tolist() == expected.tolist()
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())
    if options.get("add_indicator") and kind == "float64":
        np.testing.assert_allclose(
            mine.inverse_transform(found), other.inverse_transform(expected), rtol=1e-6
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("features", ["missing-only", "all"])
@pytest.mark.parametrize("sparse", [False, True, "auto"])
def test_missing_indicator(kind, features, sparse):
    x, mark = values(kind)
    options = {"missing_values": mark, "features": features, "sparse": sparse}
    mine, other = (each.MissingIndicator(**options).fit(x) for each in (ours, theirs))
    found, expected = mine.transform(x), other.transform(x)
    assert type(found) is type(expected) or sparse is True
    if sparse is True:
        assert found.format == expected.format
        found, expected = found.toarray(), expected.toarray()
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())


@pytest.mark.parametrize("options", STRATEGIES[:4], ids=plain)
def test_arrays_and_frames_of_ours(options, device):
    x, _ = values("float64")
    expected = ours.SimpleImputer(**options).fit_transform(x)
    frame = px.DataFrame(x, columns=list("abcd"))
    for given in (px.asarray(x), frame):
        found = ours.SimpleImputer(**options).fit(given).transform(given)
        assert isinstance(found, px.ndarray)
        np.testing.assert_allclose(np.asarray(found), expected)


def test_frames_of_texts():
    x = pd.DataFrame({"a": ["x", None, "x"], "b": ["p", "q", np.nan]}, dtype=object)
    options = {"strategy": "most_frequent", "missing_values": np.nan}
    with pytest.raises(ValueError):
        theirs.SimpleImputer(strategy="mean").fit(x)
    with pytest.raises(ValueError, match="Cannot use mean strategy"):
        ours.SimpleImputer(strategy="mean").fit(pd.DataFrame({"a": ["x", "y"]}))
    found = ours.SimpleImputer(**options).fit_transform(x[["b"]])
    assert found.tolist() == [["p"], ["q"], ["p"]]
    nothing = ours.SimpleImputer(strategy="constant", missing_values=None).fit_transform(x[["a"]])
    assert nothing.tolist() == [["x"], ["missing_value"], ["x"]]


@pytest.mark.parametrize(
    ("options", "x", "text"),
    [
        ({"strategy": "best"}, [[1.0]], "'strategy' parameter"),
        ({"strategy": "constant", "fill_value": "x"}, [[1.0, np.nan]], "cannot be cast"),
        ({"missing_values": -1}, [[np.nan]], "contains NaN"),
        ({"missing_values": "x"}, [[1.0]], "expected to be both numerical"),
        ({}, [[np.inf]], "infinity"),
        ({}, [1.0], "Expected 2D array"),
        ({"strategy": "constant"}, np.array([["a"]]), "does not support data with dtype"),
    ],
)
def test_wrong_input(options, x, text):
    for module in (theirs, ours):
        with pytest.raises(ValueError, match=text):
            module.SimpleImputer(**options).fit(x)


def test_gaps_in_other_features_and_features_without_values():
    x, _ = values("empty")
    with pytest.warns(UserWarning, match="Skipping features without any observed"):
        assert ours.SimpleImputer().fit_transform(x).shape == (30, 3)
    model = ours.MissingIndicator().fit([[1.0, np.nan], [1, 2]])
    with pytest.raises(ValueError, match="have no missing values in fit"):
        model.transform([[np.nan, 2.0]])
    with pytest.raises(ValueError, match="only when 'SimpleImputer'"):
        ours.SimpleImputer().fit(x).inverse_transform(x)
    with pytest.raises(TypeError, match="Sparse data"):
        ours.SimpleImputer().fit(pytest.importorskip("scipy.sparse").csr_array(np.eye(3)))
