"""Dicts as rows of numbers, against scikit-learn's."""

import numpy as np
import pytest
from phalanx.ml.feature_extraction import DictVectorizer

theirs = pytest.importorskip("sklearn.feature_extraction")

SAMPLES = {
    "numbers": [{"a": 1, "b": 2.5}, {"c": -1, "a": 0}, {}],
    "texts": [{"town": "Bonn", "age": 3}, {"town": "Jena"}, {"age": True, "x": "Bonn"}],
    "lists": [{"word": ["a", "b", "a"]}, {"word": ("c",), "n": 2}, {"word": []}],
    "gaps": [{"a": None, "b": 1}, {"a": 2}],
    "numbered names": [{3: 1.0, 1: 2.0}, {2: "x" if False else 5}],
    "one": {"b": 2, "a": "t"},
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("sort", [False, True])
@pytest.mark.parametrize("case", SAMPLES)
def test_rows_are_scikit_learns(case, sort, sparse, dtype):
    if dtype is np.int64 and case == "gaps":
        return
    options = {"dtype": dtype, "sparse": sparse, "sort": sort, "separator": ":"}
    given = SAMPLES[case]
    listed = [given] if case == "one" else given
    for method in ("fit_transform", "transform"):
        model, other = (
            each(**options).fit(listed) for each in (DictVectorizer, theirs.DictVectorizer)
        )
        found, expected = (getattr(each, method)(given) for each in (model, other))
        assert model.feature_names_ == other.feature_names_
        assert model.vocabulary_ == other.vocabulary_
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        if sparse:
            assert found.format == expected.format == "csr"
            assert found.has_canonical_format
            found, expected = found.toarray(), expected.toarray()
        np.testing.assert_array_equal(found, expected)
    assert model.get_feature_names_out().tolist() == other.get_feature_names_out().tolist()
    if case != "gaps":
        assert model.inverse_transform(found) == other.inverse_transform(expected)


def test_unknown_names_are_left_out_and_columns_restricted():
    classes = DictVectorizer, theirs.DictVectorizer
    model, other = (each().fit(SAMPLES["texts"]) for each in classes)
    more = [{"town": "Ulm", "age": 2, "new": 1}]
    for each in (model, other):
        each.restrict([True, False, True, False])
    assert model.vocabulary_ == other.vocabulary_
    np.testing.assert_array_equal(model.transform(more).toarray(), other.transform(more).toarray())
    model.restrict([1], indices=True)
    assert model.feature_names_ == other.restrict([1], indices=True).feature_names_


@pytest.mark.parametrize(
    ("samples", "error", "text"),
    [
        ([{"a": {"b": 1}}], TypeError, "not supported"),
        ([{"a": [1, 2]}], TypeError, "in iterable value"),
        ([{"a": object()}], TypeError, "not supported"),
        ([], ValueError, "empty"),
    ],
)
def test_wrong_input(samples, error, text):
    model = DictVectorizer()
    with pytest.raises(error, match=text):
        model.fit_transform(samples)
    assert not hasattr(model, "feature_names_")
    with pytest.raises(error, match=text):
        DictVectorizer().fit([{"a": 1}]).transform(samples)


def test_what_was_not_fitted_and_other_columns():
    with pytest.raises(ValueError, match="not fitted"):
        DictVectorizer().transform([{"a": 1}])
    with pytest.raises(ValueError, match="expecting 2 columns"):
        DictVectorizer().fit([{"a": 1, "b": 1}]).inverse_transform([[1.0]])
    with pytest.raises(ValueError, match="separator"):
        DictVectorizer(separator=1).fit([{"a": 1}])
