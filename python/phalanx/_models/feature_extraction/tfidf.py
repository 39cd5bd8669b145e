"""Counts of terms weighed by how rare they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Estimator, OneToOneFeatureMixin, TransformerMixin
from ..exceptions import NotFittedError, check_is_fitted, warn_user
from ..features import compare_count, compare_names, keep_features
from ..options import BOOL, NONE, Rule, one_of
from ..sparse_loops import by_column, normalized_values
from ..sparse_results import compressed
from ..sparse_samples import refuse_columns, refuse_ends
from ..validation import FLOATS, as_array, numbers, refuse_gaps, refuse_shapes
from .analysis import WORDS
from .count_vectorizer import COUNTING, CountVectorizer

_RULES: Mapping[str, Rule] = {
    "norm": one_of("l1", "l2") | NONE,
    "use_idf": BOOL,
    "smooth_idf": BOOL,
    "sublinear_tf": BOOL,
}


def _rows_of(estimator: Any, X: Any) -> tuple[tuple[np.ndarray, ...], tuple[int, int]]:
    """Values, columns and where rows begin, and the shape, of sparse or dense counts."""
    if hasattr(X, "tocsr"):
        rows = X.tocsr()
        values = np.asarray(rows.data)
        columns, ends = np.asarray(rows.indices), np.asarray(rows.indptr)
        shape = (int(X.shape[0]), int(X.shape[1]))
        if not shape[0] or not shape[1]:
            refuse_shapes(np.empty(shape), estimator)
        if values.dtype.kind == "c":
            raise ValueError(f"Complex data not supported\n{X!r}\n")
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise ValueError(f"Input X contains NaN or infinity: {type(estimator).__name__}")
        refuse_ends(ends, min(len(values), len(columns)))
        refuse_columns(columns, shape[1])
        return (values[: ends[-1]], columns[: ends[-1]], ends), shape
    dense = as_array(X)
    refuse_shapes(dense, estimator)
    made = numbers(dense, FLOATS)
    refuse_gaps(made, "X", estimator)
    host = np.asarray(made)
    columns = np.nonzero(host)[1].astype(np.int32)
    ends = np.append(0, np.cumsum((host != 0).sum(axis=1))).astype(np.int32)
    return (host[host != 0], columns, ends), host.shape


def normalized_rows(values: np.ndarray, ends: np.ndarray, norm: str | None) -> np.ndarray:
    """The values of rows in CSR form, each row of norm 1; rows of zeros stay."""
    if norm is None or not len(values):
        return values
    return normalized_values(values, ends, norm)


class TfidfTransformer(  # type: ignore[call-arg]
    OneToOneFeatureMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    Estimator,
    auto_wrap_output_keys=None,
):
    """Weighs counts by log(documents / documents with the term) + 1, and rows to norm 1.

    Of K. Sparck Jones, "A statistical interpretation of term specificity and its application in
    retrieval" (1972), in scikit-learn's form, and with its parameters. Counts are matrices of
    SciPy's or ours, or dense; results are in CSR form, floats in their dtype.

    Attributes: `idf_` (a weight a term; not there without `use_idf`), `n_features_in_`.

    >>> from phalanx.ml.feature_extraction.text import TfidfTransformer
    >>> TfidfTransformer().fit_transform([[1, 1, 0], [0, 1, 1]]).toarray().round(3)
    array([[0.815, 0.58 , 0.   ],
           [0.   , 0.58 , 0.815]])
    """

    _rules: ClassVar[Mapping[str, Rule]] = _RULES

    def __init__(
        self,
        *,
        norm: str | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
    ) -> None:
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the weights of terms, of counts, documents x terms.

        Raises ValueError for NaN, infinities and other shapes, and what `check_options` raises.
        """
        self._check_options()
        (values, columns, _), shape = _rows_of(self, X)
        keep_features(self, X, shape[1])
        self.__dict__.pop("idf_", None)
        if self.use_idf:
            dtype = values.dtype if values.dtype in FLOATS else np.dtype(np.float64)
            more = int(self.smooth_idf)
            documents = np.bincount(columns, minlength=shape[1]).astype(dtype) + dtype.type(more)
            with np.errstate(divide="ignore"):
                self.idf_ = np.log(dtype.type(shape[0] + more) / documents) + dtype.type(1)
        return self

    def transform(self, X: Any, copy: bool = True) -> Any:
        """Return documents x terms, weighed. Raises ValueError as `fit` does.

        >>> from phalanx.ml.feature_extraction.text import TfidfTransformer
        >>> model = TfidfTransformer().fit([[1, 1, 0], [0, 1, 1]])
        >>> model.transform([[1, 0, 0]]).toarray()
        array([[1., 0., 0.]])
        """
        check_is_fitted(self)
        compare_names(self, X)
        (values, columns, ends), shape = _rows_of(self, X)
        compare_count(self, shape[1])
        if values.dtype not in FLOATS:
            values = values.astype(np.float64)
        if self.sublinear_tf:
            values = np.log(values) + values.dtype.type(1)
        if hasattr(self, "idf_"):
            values = by_column(values, columns, self.idf_, divides=False)
        return compressed(X, (normalized_rows(values, ends, self.norm), columns, ends), shape)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class TfidfVectorizer(CountVectorizer):
    """Counts the terms of documents and weighs them: `CountVectorizer`, then `TfidfTransformer`.

    Parameters are scikit-learn's. Attributes: `vocabulary_`, `fixed_vocabulary_`, `idf_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {**COUNTING, **_RULES}

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
        analyzer: Any = "word",
        stop_words: Any = None,
        token_pattern: Any = WORDS,
        ngram_range: tuple[int, int] = (1, 1),
        max_df: Any = 1.0,
        min_df: Any = 1,
        max_features: int | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.float64,
        norm: str | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
    ) -> None:
        super().__init__(
            input=input,
            encoding=encoding,
            decode_error=decode_error,
            strip_accents=strip_accents,
            lowercase=lowercase,
            preprocessor=preprocessor,
            tokenizer=tokenizer,
            analyzer=analyzer,
            stop_words=stop_words,
            token_pattern=token_pattern,
            ngram_range=ngram_range,
            max_df=max_df,
            min_df=min_df,
            max_features=max_features,
            vocabulary=vocabulary,
            binary=binary,
            dtype=dtype,
        )
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf

    def _weigher(self) -> TfidfTransformer:
        return TfidfTransformer(
            norm=self.norm,
            use_idf=self.use_idf,
            smooth_idf=self.smooth_idf,
            sublinear_tf=self.sublinear_tf,
        )

    @property
    def idf_(self) -> np.ndarray:
        """The weight of each term. It can be set, one number a term: else a ValueError.

        >>> from phalanx.ml.feature_extraction.text import TfidfVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> model = TfidfVectorizer().fit(texts)
        >>> model.idf_.round(3)
        array([1.405, 1.   , 1.405])
        """
        if not hasattr(self, "_tfidf"):
            raise NotFittedError(
                f"{type(self).__name__} is not fitted yet. Call 'fit' with appropriate arguments "
                "before using this attribute."
            )
        return self._tfidf.idf_

    @idf_.setter
    def idf_(self, value: Any) -> None:
        if not self.use_idf:
            raise ValueError("`idf_` cannot be set when `user_idf=False`.")
        if self.vocabulary is not None:
            self._take_vocabulary()
        count = len(getattr(self, "vocabulary_", value))
        if len(value) != count:
            raise ValueError(
                f"idf length = {len(value)} must be equal to vocabulary size = {count}"
            )
        self._tfidf = self._weigher()
        self._tfidf.n_features_in_ = count
        self._tfidf.idf_ = np.asarray(value)

    def fit(self, raw_documents: Any, y: Any = None) -> Self:
        """Find the terms of documents and their weights. Raises what `CountVectorizer` raises."""
        self.fit_transform(raw_documents)
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Find the terms and their weights, and return documents x terms, weighed."""
        if self.dtype not in FLOATS:
            warn_user(
                f"Only {FLOATS} 'dtype' should be used. {self.dtype} 'dtype' will be converted to "
                "np.float64."
            )
        counts = super().fit_transform(raw_documents)
        self._tfidf = self._weigher().fit(counts)
        return self._tfidf.transform(counts)

    def transform(self, raw_documents: Any) -> Any:
        """Return documents x terms, weighed. Raises NotFittedError before `fit`."""
        if not hasattr(self, "_tfidf"):
            raise NotFittedError("The TF-IDF vectorizer is not fitted")
        return self._tfidf.transform(super().transform(raw_documents))
