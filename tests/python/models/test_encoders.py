"""Encoders of categories against scikit-learn's."""

import numpy as np
import pandas as pd
import pytest
from phalanx.ml import preprocessing as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.preprocessing")

pytestmark = pytest.mark.filterwarnings("ignore:Found unknown categories")

random = np.random.default_rng(2)
PICKED = random.integers(0, 4, (30, 3))
PICKED[:9, 0] = 1
SEEN = {
    "int64": PICKED * 3 - 2,
    "uint8": PICKED.astype(np.uint8),
    "float32": PICKED.astype(np.float32) / 4,
    "nan": np.where(PICKED == 2, np.nan, PICKED),
    "bool": PICKED > 1,
    "text": np.array(["ab", "b", "ü", ""])[PICKED],
    "object": np.array(["ab", "b", "ü", ""], object)[PICKED],
    "none": np.array(["ab", "b", None, ""], object)[PICKED],
    "none and nan": np.array(["ab", "b", None, np.nan], object)[PICKED],
    "frame": pd.DataFrame({"a": PICKED[:, 0], "b": PICKED[:, 1] / 2, "c": list("abc") * 10}),
    "list": np.array(["x", "y", "z", "w"])[PICKED].tolist(),
}
ONE_HOT = [
    {},
    {"sparse_output": False, "dtype": np.float32},
    {"drop": "first"},
    {"drop": "if_binary"},
    {"min_frequency": 8},
    {"min_frequency": 0.25, "drop": "first"},
    {"max_categories": 2},
    {"max_categories": 1},
    {"max_categories": 3, "min_frequency": 3},
]
ORDINAL = [
    {},
    {"encoded_missing_value": -2},
    {"min_frequency": 8},
    {"max_categories": 2},
    {"max_categories": 3, "min_frequency": 0.1, "encoded_missing_value": 77},
]


def dense(found):
    return found.toarray() if hasattr(found, "toarray") else found


def assert_same(found, expected):
    found, expected = dense(found), dense(expected)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if found.dtype.kind == "f":
        np.testing.assert_array_equal(found, expected)
    else:
        plain = [
            [each.item() if isinstance(each, np.generic) else each for each in one.ravel()]
            for one in (found, expected)
        ]
        assert repr(plain[0]) == repr(plain[1])


def compare(name, options, x, others=None, inverse=True):
    mine, other = (getattr(each, name)(**options).fit(x) for each in (ours, theirs))
    for found, expected in zip(mine.categories_, other.categories_, strict=True):
        assert found.dtype == expected.dtype
        assert repr(found.tolist()) == repr(expected.tolist())
    x = x if others is None else others
    found, expected = mine.transform(x), other.transform(x)
    assert_same(found, expected)
    if inverse:
        assert_same(mine.inverse_transform(found), other.inverse_transform(expected))
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())
    return mine, other


@pytest.mark.parametrize("options", ONE_HOT, ids=str)
@pytest.mark.parametrize("kind", SEEN)
def test_one_hot(kind, options):
    mine, other = compare("OneHotEncoder", options, SEEN[kind])
    assert np.array_equal(mine.drop_idx_, other.drop_idx_)
    if "min_frequency" in options:
        assert str(mine.infrequent_categories_) == str(other.infrequent_categories_)


@pytest.mark.parametrize("options", ORDINAL, ids=str)
@pytest.mark.parametrize("kind", SEEN)
def test_ordinal(kind, options):
    # Theirs takes the wrong number for NaN where categories are rare.
    is_right = "nan" not in kind or not {"max_categories", "min_frequency"} & set(options)
    compare("OrdinalEncoder", options, SEEN[kind], inverse=is_right)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("OneHotEncoder", {"handle_unknown": "ignore"}),
        ("OneHotEncoder", {"handle_unknown": "ignore", "drop": "first"}),
        ("OneHotEncoder", {"handle_unknown": "infrequent_if_exist", "min_frequency": 8}),
        ("OneHotEncoder", {"handle_unknown": "warn", "max_categories": 2}),
        ("OrdinalEncoder", {"handle_unknown": "use_encoded_value", "unknown_value": -1}),
        ("OrdinalEncoder", {"handle_unknown": "use_encoded_value", "unknown_value": np.nan}),
    ],
)
@pytest.mark.parametrize("kind", ["int64", "nan", "object", "text"])
def test_unknown_categories(name, options, kind):
    x = SEEN[kind]
    others = x.copy()
    others[3:5, 1] = "far" if x.dtype.kind in "OU" else 99
    compare(name, options, x, others, inverse=options["handle_unknown"] != "warn")
    with pytest.raises(ValueError, match=r"Found unknown categories .* column 1 during transform"):
        getattr(ours, name)().fit(x).transform(others)


@pytest.mark.parametrize("name", ["OneHotEncoder", "OrdinalEncoder"])
def test_given_categories(name):
    compare(name, {"categories": [[1, 2, 5], [0, 9]]}, np.array([[1, 9], [5, 0]]))
    x = np.array([["b", "y"], ["a", "x"]])
    compare(name, {"categories": [["b", "a", "none of them"], ["x", "y"]]}, x)


def test_numbers_of_rare_categories_and_nan_go_back():
    x = np.array([[1.0], [1], [2], [3], [np.nan], [3]])
    model = ours.OrdinalEncoder(min_frequency=2, encoded_missing_value=9).fit(x)
    assert model.transform(x).ravel().tolist() == [0, 0, 2, 1, 9, 1]
    back = model.inverse_transform(model.transform(x)).ravel().tolist()
    assert repr(back) == "[1.0, 1.0, 'infrequent_sklearn', 3.0, nan, 3.0]"


def test_dropped_categories_by_value():
    compare("OneHotEncoder", {"drop": [1, 0, 3]}, PICKED)


@pytest.mark.parametrize("kind", ["int64", "float32", "nan", "frame"])
def test_ours_give_ours(kind, device):
    x = SEEN[kind]
    given = px.DataFrame(x) if kind == "frame" else px.asarray(x)
    expected = theirs.OrdinalEncoder().fit_transform(x)
    found = ours.OrdinalEncoder().fit_transform(given)
    assert isinstance(found, px.ndarray)
    np.testing.assert_array_equal(np.asarray(found), expected)
    sparse = ours.OneHotEncoder().fit_transform(given)
    # Of frames it is SciPy's, which scikit-learn's ColumnTransformer puts beside other columns.
    assert px.sparse.issparse(sparse) == (kind != "frame")
    expected = theirs.OneHotEncoder(sparse_output=False).fit_transform(x)
    np.testing.assert_array_equal(np.asarray(sparse.toarray()), expected)


@pytest.mark.parametrize("kind", ["int64", "float32", "bool", "text", "object"])
def test_labels(kind):
    y = SEEN[kind][:, 0]
    mine, other = ours.LabelEncoder(), theirs.LabelEncoder()
    assert_same(mine.fit_transform(y), other.fit_transform(y))
    assert_same(mine.classes_, other.classes_)
    assert_same(mine.inverse_transform([0, 1, 0]), other.inverse_transform([0, 1, 0]))
    wrong = np.array(["far"], object) if y.dtype.kind in "OU" else np.array([99])
    with pytest.raises(ValueError, match="previously unseen labels"):
        mine.transform(wrong)
    with pytest.raises(ValueError, match="previously unseen labels: \\[9\\]"):
        mine.inverse_transform([9])


@pytest.mark.parametrize(
    ("name", "options", "x", "error", "text"),
    [
        ("OneHotEncoder", {"drop": [1]}, PICKED, ValueError, "`drop` should have length"),
        ("OneHotEncoder", {"drop": [9, 0, 0]}, PICKED, ValueError, "Category: 9, Feature: 0"),
        ("OneHotEncoder", {"categories": [[2, 1]]}, [[1]], ValueError, "Unsorted categories"),
        ("OneHotEncoder", {"categories": [[1, 1]]}, [[1]], ValueError, "duplicate elements"),
        ("OneHotEncoder", {"categories": [[np.nan, 1.0]]}, [[1.0]], ValueError, "Nan should be"),
        ("OneHotEncoder", {"categories": [[1]]}, PICKED, ValueError, "Shape mismatch"),
        ("OneHotEncoder", {"categories": [[2]]}, [[1]], ValueError, "unknown .* during fit"),
        ("OneHotEncoder", {"handle_unknown": "x"}, [[1]], ValueError, "one of 'error', 'ignore'"),
        ("OneHotEncoder", {"max_categories": 0}, [[1]], ValueError, "'max_categories' parameter"),
        (
            "OneHotEncoder",
            {},
            np.array([["a"], [1]], object),
            TypeError,
            "uniformly strings or numbers",
        ),
        ("OneHotEncoder", {}, [[np.inf]], ValueError, "contains infinity"),
        ("OrdinalEncoder", {"unknown_value": 3}, [[1]], TypeError, "should only be set when"),
        (
            "OrdinalEncoder",
            {"handle_unknown": "use_encoded_value", "unknown_value": 0},
            [[1]],
            ValueError,
            "already used for encoding",
        ),
        (
            "OrdinalEncoder",
            {"encoded_missing_value": 0},
            [[1], [np.nan]],
            ValueError,
            "already used to encode a known",
        ),
        (
            "OrdinalEncoder",
            {"dtype": np.int32},
            [[1], [np.nan]],
            ValueError,
            "set dtype to a",
        ),
    ],
)
def test_wrong_input(name, options, x, error, text):
    with pytest.raises(error, match=text):
        getattr(ours, name)(**options).fit(x)
