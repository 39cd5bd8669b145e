"""Vectorizers of texts against scikit-learn's: the same columns, counts and weights."""

import io
import time

import numpy as np
import pandas as pd
import pytest
from phalanx.ml import feature_extraction
from phalanx.ml.feature_extraction import text as ours
from plain_names import plain

import phalanx as px

theirs = pytest.importorskip("sklearn.feature_extraction.text")

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

DOCUMENTS = [
    "The quick brown fox jumps over the lazy dog",
    "Never jump over the lazy dog quickly; the dog is lazy.",
    "",
    "Déjà vu: a naïve café, über-fast naïve café",
    "x yy  zzz   yy\tyy",
    "人工 智能 fox",
    "THE the The tHe",
]


def split(text):
    return text.split("o")


OPTIONS = [
    {},
    {"lowercase": False},
    {"ngram_range": (1, 3)},
    {"ngram_range": (2, 2), "stop_words": ["the", "is"]},
    {"stop_words": "english"},
    {"analyzer": "char", "ngram_range": (1, 3)},
    {"analyzer": "char_wb", "ngram_range": (2, 5)},
    {"strip_accents": "unicode"},
    {"strip_accents": "ascii", "lowercase": False},
    {"token_pattern": r"(?u)\b(\w)\w*\b"},
    {"tokenizer": split, "token_pattern": None},
    {"analyzer": split},
    {"preprocessor": str.upper},
    {"binary": True},
    {"dtype": np.float32},
]
COUNTS = [
    {"min_df": 2},
    {"max_df": 0.2, "min_df": 1},
    {"max_features": 5},
    {"max_features": 5, "binary": True},
    {"vocabulary": ["fox", "dog", "unseen"]},
    {"vocabulary": {"fox": 1, "dog": 0}},
]
WEIGHTS = [
    {"norm": "l1"},
    {"norm": None, "sublinear_tf": True},
    {"use_idf": False},
    {"smooth_idf": False},
]
CASES = [
    *(("CountVectorizer", each) for each in OPTIONS + COUNTS),
    *(("TfidfVectorizer", each) for each in OPTIONS[::3] + COUNTS[::2] + WEIGHTS),
    *(("HashingVectorizer", {"n_features": 64, **each}) for each in OPTIONS),
    ("HashingVectorizer", {"n_features": 2**20, "norm": None, "alternate_sign": False}),
]


def assert_same(found, expected):
    assert found.format == expected.format == "csr"
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found.toarray(), expected.toarray(), rtol=1e-6)


@pytest.mark.parametrize(("name", "options"), CASES, ids=plain)
def test_as_scikit_learn(name, options):
    mine, other = (getattr(each, name)(**options) for each in (ours, theirs))
    assert_same(mine.fit_transform(DOCUMENTS), other.fit_transform(DOCUMENTS))
    others = ["a fox and the unknown", "", "dog naïve dog"]
    assert_same(mine.transform(others), other.transform(others))
    if name == "HashingVectorizer":
        return
    assert mine.vocabulary_ == other.vocabulary_
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())
    for terms, wanted in zip(
        mine.inverse_transform(mine.transform(others)),
        other.inverse_transform(other.transform(others)),
        strict=True,
    ):
        assert sorted(terms) == sorted(wanted)
    if name == "TfidfVectorizer" and options.get("use_idf", True):
        np.testing.assert_allclose(mine.idf_, other.idf_)


@pytest.mark.parametrize("options", WEIGHTS, ids=plain)
@pytest.mark.parametrize("kind", ["sparse", "dense", "float32"])
def test_weights_of_counts(options, kind):
    counts = theirs.CountVectorizer().fit_transform(DOCUMENTS)
    counts = counts.toarray() if kind == "dense" else counts
    counts = counts.astype(np.float32) if kind == "float32" else counts
    found, expected = (
        each.TfidfTransformer(**options).fit_transform(counts) for each in (ours, theirs)
    )
    assert_same(found, expected)


def test_documents_of_all_kinds(tmp_path):
    expected = ours.CountVectorizer().fit_transform(DOCUMENTS).toarray()
    coded = [each.encode() for each in DOCUMENTS]
    files = [io.BytesIO(each) for each in coded]
    paths = [tmp_path / str(number) for number in range(len(coded))]
    for path, each in zip(paths, coded, strict=True):
        path.write_bytes(each)
    given = [
        (coded, "content"),
        (files, "file"),
        (paths, "filename"),
        (np.array(DOCUMENTS), "content"),
        (pd.Series(DOCUMENTS), "content"),
        ((each for each in DOCUMENTS), "content"),
    ]
    for documents, kind in given:
        found = ours.CountVectorizer(input=kind).fit_transform(documents)
        np.testing.assert_array_equal(found.toarray(), expected)


@pytest.mark.parametrize("name", ["CountVectorizer", "TfidfVectorizer", "HashingVectorizer"])
def test_columns_of_ours_give_matrices_of_scipy(name):
    column = px.Series(DOCUMENTS)
    found = getattr(ours, name)(dtype=np.float64).fit_transform(column)
    # scikit-learn's ColumnTransformer puts them beside other columns.
    assert type(found).__module__.startswith("scipy")
    expected = getattr(ours, name)(dtype=np.float64).fit_transform(DOCUMENTS)
    np.testing.assert_allclose(np.asarray(found.toarray()), expected.toarray())


SAMPLES = {
    "dict": [{"a": 1, "b": 2.5, "c": "x"}, {}, {"a": -1, "d": 0}],
    "pair": [[("a", 1), ("a", 2)], [("q", -3.5)]],
    "string": [["a", "b", "a"], ["long term " * 9]],
}


@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.parametrize("alternate", [False, True])
def test_feature_hasher(kind, alternate):
    from sklearn.feature_extraction import FeatureHasher

    options = {"n_features": 50, "input_type": kind, "alternate_sign": alternate}
    found = feature_extraction.FeatureHasher(**options).transform(SAMPLES[kind])
    assert_same(found, FeatureHasher(**options).transform(SAMPLES[kind]))


def test_hashes_are_those_of_scikit_learn():
    from phalanx._models.feature_extraction.hashing import murmurhash3
    from sklearn.utils import murmurhash3_32

    random = np.random.default_rng(0)
    texts = [random.bytes(length) for length in [*range(40), 1000]]
    expected = [murmurhash3_32(each, seed=0) for each in texts]
    assert murmurhash3(texts).tolist() == expected


@pytest.mark.parametrize(
    ("name", "options", "documents", "text"),
    [
        ("CountVectorizer", {}, "one text", "string object received"),
        ("CountVectorizer", {}, ["", "a"], "empty vocabulary"),
        ("CountVectorizer", {"min_df": 9}, DOCUMENTS, "fewer|< documents|no terms remain"),
        ("CountVectorizer", {"max_df": 1, "min_df": 2}, DOCUMENTS, "max_df corresponds to <"),
        ("CountVectorizer", {"vocabulary": ["a", "a"]}, DOCUMENTS, "Duplicate term"),
        (
            "CountVectorizer",
            {"vocabulary": ["c", "a", "b", "b", "a"]},
            DOCUMENTS,
            "vocabulary: 'b'",
        ),
        ("CountVectorizer", {"vocabulary": {"a": 0, "b": 2}}, DOCUMENTS, "contain index 1"),
        ("CountVectorizer", {"vocabulary": {"a": 0, "b": 0}}, DOCUMENTS, "repeated indices"),
        ("CountVectorizer", {"vocabulary": []}, DOCUMENTS, "empty vocabulary passed"),
        ("CountVectorizer", {"ngram_range": (3, 1)}, DOCUMENTS, "lower boundary larger"),
        ("CountVectorizer", {"token_pattern": "(a)(b)"}, DOCUMENTS, "More than 1 capturing"),
        ("CountVectorizer", {"analyzer": "words"}, DOCUMENTS, "'analyzer' parameter"),
        ("CountVectorizer", {"max_df": 1.5}, DOCUMENTS, "'max_df' parameter"),
        ("CountVectorizer", {}, ["a", np.nan], "invalid document"),
        ("TfidfVectorizer", {"norm": "l3"}, DOCUMENTS, "'norm' parameter"),
        ("HashingVectorizer", {}, "one text", "string object received"),
        ("HashingVectorizer", {"n_features": 0}, DOCUMENTS, "'n_features' parameter"),
    ],
)
def test_wrong_input(name, options, documents, text):
    for module in (theirs, ours):
        with pytest.raises(ValueError, match=text):
            getattr(module, name)(**options).fit_transform(documents)


@pytest.mark.parametrize("kind", [dict, list])
def test_a_vocabulary_of_many_terms_takes_no_square_of_time(kind):
    # The look for missing numbers went through all of them for each term: 100 s for these.
    terms = {str(number): number for number in range(100_000)}
    start = time.process_time()
    model = ours.CountVectorizer(vocabulary=kind(terms)).fit(DOCUMENTS)
    assert time.process_time() - start < 5
    assert len(model.vocabulary_) == 100_000


def test_weights_can_be_set_and_are_checked():
    model = ours.TfidfVectorizer(vocabulary=["fox", "dog"])
    with pytest.raises(ValueError, match="fitted"):
        model.transform(DOCUMENTS)
    with pytest.raises(ValueError, match="must be equal to vocabulary size"):
        model.idf_ = [1.0]
    model.idf_ = [1.0, 2.0]
    other = theirs.TfidfVectorizer(vocabulary=["fox", "dog"])
    other.idf_ = np.array([1.0, 2.0])
    assert_same(model.transform(DOCUMENTS), other.transform(DOCUMENTS))
