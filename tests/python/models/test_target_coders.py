"""TargetEncoder and binarizers of targets and functions against scikit-learn's."""

import numpy as np
import pandas as pd
import pytest
from phalanx.ml import model_selection
from phalanx.ml import preprocessing as ours

import phalanx as px

theirs = pytest.importorskip("sklearn.preprocessing")


def data(kind):
    random = np.random.default_rng(1)
    x = np.column_stack([random.integers(0, 5, 80), random.integers(0, 3, 80)])
    if kind == "continuous":
        return x, random.normal(size=80) + x[:, 0]
    classes = np.array(["no", "yes", "perhaps"])[: 2 if kind == "binary" else 3]
    return x, classes[random.integers(0, len(classes), 80)]


@pytest.mark.parametrize("smooth", ["auto", 0.0, 7])
@pytest.mark.parametrize("kind", ["continuous", "binary", "multiclass"])
@pytest.mark.parametrize("texts", [False, True])
def test_target_encoder(kind, smooth, texts):
    x, y = data(kind)
    if texts:
        x = x.astype(str).astype(object)
    splits = model_selection.KFold(4, shuffle=True, random_state=2)
    mine, other = (each.TargetEncoder(smooth=smooth, cv=splits) for each in (ours, theirs))
    other = theirs.TargetEncoder(smooth=smooth, cv=list(splits.split(x)))
    np.testing.assert_allclose(mine.fit_transform(x, y), other.fit_transform(x, y), rtol=1e-10)
    assert mine.target_type_ == other.target_type_ == kind
    np.testing.assert_allclose(mine.target_mean_, other.target_mean_)
    for found, expected in zip(mine.encodings_, other.encodings_, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10)
    unknown = x.copy()
    unknown[0] = "q" if texts else 9
    np.testing.assert_allclose(mine.transform(unknown), other.transform(unknown), rtol=1e-10)
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())


def test_target_encoder_draws_parts_as_scikit_learn():
    x, y = data("multiclass")
    for module in (ours, theirs):
        with pytest.warns(FutureWarning, match="deprecated in version"):
            module.TargetEncoder(random_state=3).fit_transform(x, y)
    with pytest.warns(FutureWarning):
        found, expected = (
            each.TargetEncoder(random_state=3).fit_transform(x, y) for each in (ours, theirs)
        )
    np.testing.assert_allclose(found, expected)


def test_target_encoder_refuses():
    x, y = data("continuous")
    with pytest.raises(ValueError, match="exactly once"):
        ours.TargetEncoder(cv=[(np.arange(40), np.arange(30))]).fit_transform(x, y)
    with pytest.raises(ValueError, match="1d array"):
        ours.TargetEncoder().fit(x, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="target_type"):
        ours.TargetEncoder(target_type="text").fit(x, y)
    frame = px.DataFrame(x, columns=["a", "b"])
    assert isinstance(ours.TargetEncoder().fit(frame, y).transform(frame), px.ndarray)


TARGETS = [
    [3, 1, 2, 3],
    ["b", "a", "a"],
    [1, 0, 1],
    [5, 5],
    np.array([2.0, 1.0]),
    np.array([[1], [2], [3]]),
    np.array([[0, 1, 1], [1, 0, 0]]),
]


@pytest.mark.parametrize(
    "options", [{}, {"neg_label": -2, "pos_label": 3}, {"sparse_output": True}]
)
@pytest.mark.parametrize("y", TARGETS, ids=lambda y: f"{np.asarray(y).tolist()}")
@pytest.mark.filterwarnings("ignore:A column-vector")
def test_label_binarizer(y, options):
    mine, other = (each.LabelBinarizer(**options).fit(y) for each in (ours, theirs))
    np.testing.assert_array_equal(mine.classes_, other.classes_)
    assert mine.y_type_ == other.y_type_
    found, expected = mine.transform(y), other.transform(y)
    if options.get("sparse_output"):
        assert found.format == "csr"
        found, expected = found.toarray(), expected.toarray()
    np.testing.assert_array_equal(found, expected)
    if np.ndim(y) == 1:
        np.testing.assert_array_equal(mine.inverse_transform(expected), np.asarray(y))
        assert mine.transform(y[:1]).shape == other.transform(y[:1]).shape


def test_label_binarize_and_unknown_classes():
    for classes in ([2, 1, 5], [1, 2], [1]):
        found, expected = (
            each.label_binarize([1, 2, 2, 1], classes=classes) for each in (ours, theirs)
        )
        np.testing.assert_array_equal(found, expected)
    mine = ours.LabelBinarizer().fit([1, 2, 3])
    assert mine.transform([1, 9]).tolist() == [[1, 0, 0], [0, 0, 0]]
    assert mine.inverse_transform(np.array([[0.1, 0.2, 0.9]])).tolist() == [3]
    assert isinstance(mine.transform(px.asarray([1, 2])), px.ndarray)


@pytest.mark.parametrize(
    ("options", "y", "text"),
    [
        ({"neg_label": 2}, [1, 2], "strictly less"),
        ({"sparse_output": True, "neg_label": -1}, [1, 2], "only supported with non zero"),
        ({}, [], "0 samples"),
        ({}, [[1, 2, 3], [4, 5, 6]], "Multioutput"),
        ({}, [0.5, 1.2], "Unknown label type|not supported"),
    ],
)
def test_label_binarizer_refuses(options, y, text):
    for module in (theirs, ours):
        with pytest.raises(ValueError, match=text):
            module.LabelBinarizer(**options).fit_transform(y)


def test_multilabel_binarizer():
    sets = [("b", "a"), (), ("c", "b"), ["a", "a"]]
    mine, other = (each.MultiLabelBinarizer() for each in (ours, theirs))
    found, expected = mine.fit_transform(sets), other.fit_transform(sets)
    np.testing.assert_array_equal(found, expected)
    assert mine.classes_.tolist() == other.classes_.tolist()
    assert mine.inverse_transform(found) == other.inverse_transform(expected)
    given = ours.MultiLabelBinarizer(classes=[3, 1, 2], sparse_output=True).fit([])
    assert given.transform([[1], [2, 3]]).toarray().tolist() == [[0, 1, 0], [1, 0, 1]]
    with pytest.warns(UserWarning, match="unknown class"):
        assert mine.transform([["z", "a"]]).tolist() == [[1, 0, 0]]
    with pytest.raises(ValueError, match="duplicate"):
        ours.MultiLabelBinarizer(classes=[1, 1]).fit([])
    with pytest.raises(ValueError, match="Expected only 0s and 1s"):
        mine.inverse_transform(np.array([[2, 0, 0]]))


def test_function_transformer():
    x = np.arange(6.0).reshape(3, 2)
    options = {"func": np.log1p, "inverse_func": np.expm1, "feature_names_out": "one-to-one"}
    mine, other = (each.FunctionTransformer(**options).fit(x) for each in (ours, theirs))
    np.testing.assert_array_equal(mine.transform(x), other.transform(x))
    np.testing.assert_allclose(mine.inverse_transform(mine.transform(x)), x)
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())
    array = px.asarray(x)
    assert isinstance(ours.FunctionTransformer(px.sqrt, validate=True).transform(array), px.ndarray)
    frame = pd.DataFrame(x, columns=["a", "b"])
    assert ours.FunctionTransformer().fit_transform(frame) is frame
    with pytest.warns(UserWarning, match="not strictly inverse"):
        ours.FunctionTransformer(np.exp, np.exp).fit(x)
    with pytest.raises(ValueError, match="feature_names_out=None is invalid"):
        ours.FunctionTransformer().fit(x).get_feature_names_out()


def test_a_target_encoder_says_that_it_has_no_rare_categories():
    model = ours.TargetEncoder().fit([["red"], ["red"], ["green"]], [1.0, 2.0, 3.0])
    with pytest.raises(AttributeError, match="TargetEncoder groups no infrequent categories"):
        _ = model.infrequent_categories_
