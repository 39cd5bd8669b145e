"""Documents as counts of their terms."""

from __future__ import annotations

import itertools
import numbers
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Estimator
from ..exceptions import NotFittedError, warn_user
from ..options import BOOL, NONE, Rule, whole
from ..sparse_results import compressed
from .analysis import ANALYSIS, WORDS, Analyzer, documents_of
from .counting import Vocabulary, counted, summed

_SHARE = whole(1) | Rule(
    lambda value: isinstance(value, float) and 0 <= value <= 1, "a float in the range [0.0, 1.0]"
)
COUNTING: Mapping[str, Rule] = {
    **ANALYSIS,
    "max_df": _SHARE,
    "min_df": _SHARE,
    "max_features": whole(1) | NONE,
    "vocabulary": Rule(lambda value: hasattr(value, "__iter__"), "an iterable of terms") | NONE,
    "binary": BOOL,
}


class CountVectorizer(Analyzer, Estimator):
    """Counts the terms of documents: a row for each, a column for each term.

    Parameters and columns are scikit-learn's. Documents are texts, bytes, files or names of files,
    in a list, an array, or a column of pandas' or ours. Results are matrices in CSR form: SciPy's,
    or ours of a column of ours. The counts of all documents are added up at once.

    Attributes: `vocabulary_` (the column of each term), `fixed_vocabulary_`.

    >>> from phalanx.ml.feature_extraction.text import CountVectorizer
    >>> texts = ["red fish", "blue fish"]
    >>> CountVectorizer().fit_transform(texts).toarray()
    array([[0, 1, 1],
           [1, 1, 0]])
    """

    _rules: ClassVar[Mapping[str, Rule]] = COUNTING

    vocabulary_: dict[Any, int]

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
        max_df: Any = 1.0,
        min_df: Any = 1,
        max_features: int | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.int64,
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
        self.max_df = max_df
        self.min_df = min_df
        self.max_features = max_features
        self.ngram_range = ngram_range
        self.vocabulary = vocabulary
        self.binary = binary
        self.dtype = dtype

    def fit(self, raw_documents: Any, y: Any = None) -> Self:
        """Find the terms of documents.

        Raises ValueError for one text in the place of many, for documents without terms, for bounds
        that no term keeps, and what `check_options` raises.

        >>> from phalanx.ml.feature_extraction.text import CountVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> model = CountVectorizer().fit(texts)
        >>> model.vocabulary_
        {'blue': 0, 'fish': 1, 'red': 2}
        """
        self._fit(raw_documents)
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Find the terms, and return their counts, documents x terms.

        >>> from phalanx.ml.feature_extraction.text import CountVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> CountVectorizer().fit_transform(texts).toarray()
        array([[0, 1, 1],
               [1, 1, 0]])
        """
        return self._matrix(raw_documents, self._fit(raw_documents))

    def _fit(self, raw_documents: Any) -> tuple[np.ndarray, ...]:
        self._check_options()
        documents = documents_of(raw_documents)
        analyze = self.build_analyzer()
        if self.vocabulary is not None:
            self._take_vocabulary()
            self._warn_of_case()
            return counted(map(analyze, documents), self.vocabulary_)
        table = Vocabulary()
        parts = counted(map(analyze, documents), table)
        if not table:
            raise ValueError("empty vocabulary; perhaps the documents only contain stop words")
        kept, parts = self._limited(list(table), parts, len(documents))
        self.fixed_vocabulary_ = False
        self.vocabulary_ = {term: number for number, term in enumerate(kept)}
        return parts

    def _limited(
        self, terms: list[Any], parts: tuple[np.ndarray, ...], count: int
    ) -> tuple[list[Any], tuple[np.ndarray, ...]]:
        """The terms that the bounds keep, sorted, and the counts of these."""
        values, columns, _ = parts
        high, low = (
            bound if isinstance(bound, numbers.Integral) else bound * count
            for bound in (self.max_df, self.min_df)
        )
        if high < low:
            raise ValueError("max_df corresponds to < documents than min_df")
        order = np.array(sorted(range(len(terms)), key=terms.__getitem__))
        documents = np.bincount(columns, minlength=len(terms))[order]
        kept = np.flatnonzero((documents <= high) & (documents >= low))
        if self.max_features is not None and len(kept) > self.max_features:
            weights = None if self.binary else values
            totals = np.bincount(columns, weights, minlength=len(terms))[order]
            kept = np.sort(kept[(-totals[kept]).argsort()[: self.max_features]])
        if len(kept) == 0:
            raise ValueError(
                "After pruning, no terms remain. Try a lower min_df or a higher max_df."
            )
        places = np.full(len(terms), -1, columns.dtype)
        places[order[kept]] = np.arange(len(kept), dtype=columns.dtype)
        return [terms[each] for each in order[kept]], _renumbered(parts, places)

    def _take_vocabulary(self) -> None:
        given = self.vocabulary
        if not isinstance(given, Mapping):
            terms = sorted(given) if isinstance(given, (set, frozenset)) else list(given)
            made: dict[Any, int] = {}
            for number, term in enumerate(terms):
                if made.setdefault(term, number) != number:
                    raise ValueError(f"Duplicate term in vocabulary: {term!r}")
        else:
            made = dict(given)
            used = set(made.values())
            if len(used) != len(made):
                raise ValueError("Vocabulary contains repeated indices.")
            missing = next((each for each in range(len(made)) if each not in used), None)
            if missing is not None:
                raise ValueError(f"Vocabulary of size {len(made)} doesn't contain index {missing}.")
        if not made:
            raise ValueError("empty vocabulary passed to fit")
        self.fixed_vocabulary_ = True
        self.vocabulary_ = made

    def _warn_of_case(self) -> None:
        terms = (each for each in self.vocabulary_ if isinstance(each, str))
        if self.lowercase and any(any(map(str.isupper, each)) for each in terms):
            warn_user(
                "Upper case characters found in vocabulary while 'lowercase' is True. These "
                "entries will not be matched with any documents"
            )

    def _check_vocabulary(self) -> None:
        if not hasattr(self, "vocabulary_"):
            if self.vocabulary is None:
                raise NotFittedError("Vocabulary not fitted or provided")
            self._take_vocabulary()

    def transform(self, raw_documents: Any) -> Any:
        """Return the counts of the terms, documents x terms; others are left out.

        Raises NotFittedError before `fit` where no vocabulary is given, and ValueError for one text
        in the place of many.

        >>> from phalanx.ml.feature_extraction.text import CountVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> model = CountVectorizer().fit(texts)
        >>> model.transform(["red red fish"]).toarray()
        array([[0, 1, 2]])
        """
        documents = documents_of(raw_documents)
        self._check_vocabulary()
        parts = counted(map(self.build_analyzer(), documents), self.vocabulary_)
        return self._matrix(raw_documents, parts)

    def _matrix(self, given: Any, parts: tuple[np.ndarray, ...]) -> Any:
        values, columns, ends = parts
        values = np.ones_like(values) if self.binary else values
        shape = (len(ends) - 1, len(self.vocabulary_))
        return compressed(given, (values.astype(self.dtype), columns, ends), shape)

    def inverse_transform(self, X: Any) -> list[np.ndarray]:
        """Return the terms that each row of counts has, in no order of their places.

        >>> from phalanx.ml.feature_extraction.text import CountVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> model = CountVectorizer().fit(texts)
        >>> model.inverse_transform(model.transform(texts))
        [array(['fish', 'red'], dtype=object), array(['blue', 'fish'], dtype=object)]
        """
        self._check_vocabulary()
        terms = self.get_feature_names_out()
        if not hasattr(X, "nnz"):
            return [terms[np.flatnonzero(row)] for row in np.asarray(X)]
        rows = X.tocsr()
        columns, ends = np.asarray(rows.indices), np.asarray(rows.indptr)
        used = np.asarray(rows.data) != 0
        spans = itertools.pairwise(ends)
        return [terms[columns[a:b][used[a:b]]] for a, b in spans]

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the terms in the order of their columns.

        >>> from phalanx.ml.feature_extraction.text import CountVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> model = CountVectorizer().fit(texts)
        >>> model.get_feature_names_out()
        array(['blue', 'fish', 'red'], dtype=object)
        """
        self._check_vocabulary()
        ordered = sorted(self.vocabulary_.items(), key=lambda item: item[1])
        made = np.empty(len(ordered), object)
        made[:] = [term for term, _ in ordered]
        return made

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def _renumbered(parts: tuple[np.ndarray, ...], places: np.ndarray) -> tuple[np.ndarray, ...]:
    """Counts under other columns, sorted in each row; those at -1 are left out."""
    values, columns, ends = parts
    moved = places[columns]
    used = moved >= 0
    kept = np.append(0, np.cumsum(used))[ends]
    return summed(moved[used], values[used], kept, int(places.max()) + 1)
