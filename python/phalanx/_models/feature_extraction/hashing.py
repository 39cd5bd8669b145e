"""Terms of documents in columns by their hash: no vocabulary is kept."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Estimator, TransformerMixin
from ..options import BOOL, NONE, Rule, one_of, whole
from ..sparse_results import compressed
from .analysis import ANALYSIS, WORDS, Analyzer, documents_of
from .counting import Vocabulary, as_numbers, summed
from .tfidf import normalized_rows

_MIX = np.uint32(0xCC9E2D51), np.uint32(0x1B873593)


def _rotated(words: np.ndarray, by: int) -> np.ndarray:
    return (words << np.uint32(by)) | (words >> np.uint32(32 - by))


def murmurhash3(texts: list[bytes]) -> np.ndarray:
    """The hash of each text, int32: A. Appleby's MurmurHash3 of 32 bits, of seed 0.

    All texts take their steps of four bytes together.
    """
    lengths = np.array([len(each) for each in texts], np.int64)
    padded = b"".join(each + bytes(-len(each) % 4) for each in texts)
    words = np.frombuffer(padded, "<u4").astype(np.uint32)
    starts = np.append(0, np.cumsum((lengths + 3) // 4))[:-1]
    hashes = np.zeros(len(texts), np.uint32)
    active, step = np.flatnonzero(lengths > 0), 0
    while len(active):
        mixed = _rotated(words[starts[active] + step] * _MIX[0], 15) * _MIX[1]
        changed = hashes[active] ^ mixed
        is_whole = lengths[active] >= 4 * step + 4
        turned = _rotated(changed, 13) * np.uint32(5) + np.uint32(0xE6546B64)
        hashes[active] = np.where(is_whole, turned, changed)
        step += 1
        active = active[lengths[active] > 4 * step]
    hashes ^= lengths.astype(np.uint32)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        hashes = (hashes ^ (hashes >> np.uint32(shift))) * np.uint32(factor)
    return (hashes ^ (hashes >> np.uint32(16))).view(np.int32)


def _placed(terms: list[Any], columns: int) -> tuple[np.ndarray, np.ndarray]:
    """The column and the sign of each term."""
    hashes = murmurhash3([t if isinstance(t, bytes) else str(t).encode() for t in terms])
    hashes = hashes.astype(np.int64)
    least = -(2**31)
    places = np.where(hashes == least, 2**31 - columns, np.abs(hashes)) % columns
    return places, np.where(hashes >= 0, 1, -1)


class FeatureHasher(TransformerMixin, Estimator):  # type: ignore[misc]
    """Adds up values of named features in columns that the names' hashes choose.

    Of K. Weinberger and others, "Feature hashing for large scale multitask learning" (2009); hash,
    columns and signs are scikit-learn's. Results are SciPy's matrices in CSR form.

    >>> from phalanx.ml.feature_extraction import FeatureHasher
    >>> FeatureHasher(n_features=4).transform([{"a": 1.0}, {"b": 2.0}]).shape
    (2, 4)
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_features": whole(1, 2**31 - 1),
        "input_type": one_of("dict", "pair", "string"),
        "alternate_sign": BOOL,
    }

    def __init__(
        self,
        n_features: int = 2**20,
        *,
        input_type: str = "dict",
        dtype: Any = np.float64,
        alternate_sign: bool = True,
    ) -> None:
        self.dtype = dtype
        self.input_type = input_type
        self.n_features = n_features
        self.alternate_sign = alternate_sign

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Check parameters; nothing is learnt."""
        self._check_options()
        return self

    def transform(self, raw_X: Any) -> Any:
        """Return samples x `n_features` of samples: dicts, pairs of a name and a value, or names.

        A text as value is part of the name. Raises ValueError for no samples, and for single texts
        in the place of lists of them.

        >>> from phalanx.ml.feature_extraction import FeatureHasher
        >>> FeatureHasher(n_features=4).transform([{"a": 1.0}, {"b": 2.0}]).shape
        (2, 4)
        """
        self._check_options()
        samples = raw_X if hasattr(raw_X, "__len__") else list(raw_X)
        first = next(iter(samples), None)
        if self.input_type == "string" and isinstance(first, str):
            raise ValueError(
                "Samples can not be a single string. The input must be an iterable over iterables "
                "of strings."
            )
        if not len(samples):
            raise ValueError("Cannot vectorize empty sequence.")
        return compressed(None, *self._hashed(map(self._pairs, samples)))

    def _pairs(self, sample: Any) -> Iterable[tuple[Any, Any]]:
        if self.input_type == "string":
            return ((term, 1) for term in sample)
        given = sample.items() if self.input_type == "dict" else sample
        return (
            (f"{name}={value}", 1) if isinstance(value, str) else (name, value)
            for name, value in given
        )

    def _hashed(
        self, samples: Iterable[Iterable[tuple[Any, Any]]]
    ) -> tuple[tuple[np.ndarray, ...], tuple[int, int]]:
        table = Vocabulary()
        terms: list[int] = []
        values: list[Any] = []
        ends = [0]
        for sample in samples:
            for term, value in sample:
                if value != 0:
                    terms.append(table[term])
                    values.append(value)
            ends.append(len(terms))
        return hashed_rows(self, list(table), (np.array(terms, np.int64), values), ends)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = self.input_type == "string"
        tags.input_tags.dict = self.input_type == "dict"
        tags.requires_fit = False
        return tags


def hashed_rows(
    model: Any, names: list[Any], elements: tuple[np.ndarray, Any], ends: list[int]
) -> tuple[tuple[np.ndarray, ...], tuple[int, int]]:
    """Rows in CSR form, and their shape, of terms' numbers and values, each row up to its end."""
    terms, values = elements
    shape = (len(ends) - 1, int(model.n_features))
    places, signs = _placed(names, shape[1])
    made = np.ones(len(terms)) if values is None else np.asarray(values, np.float64)
    if model.alternate_sign:
        made = made * signs[terms]
    used, number_of = np.unique(places, return_inverse=True)  # which are few beside all columns
    found, numbers, starts = summed(number_of[terms], made, np.array(ends), len(used))
    return (found.astype(model.dtype), used[numbers].astype(numbers.dtype), starts), shape


class HashingVectorizer(TransformerMixin, Analyzer, Estimator, auto_wrap_output_keys=None):  # type: ignore[call-arg,misc]
    """Counts the terms of documents in columns that their hashes choose, rows of norm 1.

    Parameters, hash, columns and signs are scikit-learn's. Documents and results are as of
    `CountVectorizer`; nothing is learnt. Every term is hashed once.

    >>> from phalanx.ml.feature_extraction.text import HashingVectorizer
    >>> texts = ["red fish", "blue fish"]
    >>> HashingVectorizer(n_features=8).transform(texts).shape
    (2, 8)
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **ANALYSIS,
        "n_features": whole(1, 2**31 - 1),
        "binary": BOOL,
        "norm": one_of("l1", "l2") | NONE,
        "alternate_sign": BOOL,
    }

    def __init__(
        self,
        *,
        input: str = "content",
        encoding: str = "utf-8",
        decode_error: str = "strict",
        strip_accents: Any = None,
        lowercase: bool = True,
        preprocessor: Any = None,
        tokenizer: Any = None,
        stop_words: Any = None,
        token_pattern: Any = WORDS,
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: Any = "word",
        n_features: int = 2**20,
        binary: bool = False,
        norm: str | None = "l2",
        alternate_sign: bool = True,
        dtype: Any = np.float64,
    ) -> None:
        self.input = input
        self.encoding = encoding
        self.decode_error = decode_error
        self.strip_accents = strip_accents
        self.preprocessor = preprocessor
        self.tokenizer = tokenizer
        self.analyzer = analyzer
        self.lowercase = lowercase
        self.token_pattern = token_pattern
        self.stop_words = stop_words
        self.n_features = n_features
        self.ngram_range = ngram_range
        self.binary = binary
        self.norm = norm
        self.alternate_sign = alternate_sign
        self.dtype = dtype

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Do nothing: there is nothing to learn.

        >>> from phalanx.ml.feature_extraction.text import HashingVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> HashingVectorizer(n_features=8).partial_fit(texts).transform(texts).shape
        (2, 8)
        """
        return self

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check parameters and documents. Raises ValueError for one text in the place of many."""
        self._check_options()
        if isinstance(X, str):
            documents_of(X)
        self.build_analyzer()
        return self

    def transform(self, X: Any) -> Any:
        """Return documents x `n_features`. Raises ValueError for one text in the place of many.

        >>> from phalanx.ml.feature_extraction.text import HashingVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> HashingVectorizer(n_features=8).transform(texts).shape
        (2, 8)
        """
        self._check_options()
        documents = documents_of(X)
        if not documents:
            raise ValueError("Cannot vectorize empty sequence.")
        analyze = self.build_analyzer()
        table = Vocabulary()
        terms = array("q")
        ends = [0]
        for document in documents:
            terms.extend(map(table.__getitem__, analyze(document)))
            ends.append(len(terms))
        parts, shape = hashed_rows(self, list(table), (as_numbers(terms), None), ends)
        values, columns, starts = parts
        if self.binary:
            values = np.ones_like(values)
        return compressed(X, (normalized_rows(values, starts, self.norm), columns, starts), shape)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Return documents x `n_features`.

        >>> from phalanx.ml.feature_extraction.text import HashingVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> HashingVectorizer(n_features=8).fit_transform(texts).shape
        (2, 8)
        """
        return self.fit(X).transform(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = False
        return tags
