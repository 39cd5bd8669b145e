"""From a document to its terms: words, runs of words, or runs of characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..exceptions import warn_user
from ..frames_given import is_column
from ..options import BOOL, FUNCTION, NONE, Rule, one_of

_TEXT = Rule(lambda value: isinstance(value, str), "a text")
WORDS = r"(?u)\b\w\w+\b"
ANALYSIS: Mapping[str, Rule] = {
    "input": one_of("filename", "file", "content"),
    "encoding": _TEXT,
    "decode_error": one_of("strict", "ignore", "replace"),
    "strip_accents": one_of("ascii", "unicode") | FUNCTION | NONE,
    "lowercase": BOOL,
    "preprocessor": FUNCTION | NONE,
    "tokenizer": FUNCTION | NONE,
    "stop_words": one_of("english") | Rule(lambda value: isinstance(value, list), "a list") | NONE,
    "token_pattern": _TEXT | NONE,
    "ngram_range": Rule(lambda value: isinstance(value, tuple), "a tuple"),
    "analyzer": one_of("word", "char", "char_wb") | FUNCTION,
}


def strip_accents_unicode(text: str) -> str:
    """Return a text without the marks that combine with letters.

    >>> from phalanx.ml.feature_extraction.text import strip_accents_unicode
    >>> strip_accents_unicode("café")
    'cafe'
    """
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    return "".join(each for each in parts if not unicodedata.combining(each))


def strip_accents_ascii(text: str) -> str:
    """Return the ASCII characters of a text whose accents stand apart.

    >>> from phalanx.ml.feature_extraction.text import strip_accents_ascii
    >>> strip_accents_ascii("café")
    'cafe'
    """
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


_ACCENTS = {"ascii": strip_accents_ascii, "unicode": strip_accents_unicode}


def documents_of(X: Any) -> list[Any]:
    """Documents one after another. Raises ValueError for a single text."""
    if isinstance(X, str):
        raise ValueError("Iterable over raw text documents expected, string object received.")
    return np.asarray(X, object).tolist() if is_column(X) else list(X)


class Analyzer:
    """Parameters that say what the terms of a document are; a vectorizer has them."""

    input: str
    encoding: str
    decode_error: str
    strip_accents: Any
    lowercase: bool
    preprocessor: Any
    tokenizer: Any
    stop_words: Any
    token_pattern: Any
    ngram_range: tuple[int, int]
    analyzer: Any

    def decode(self, doc: Any) -> Any:
        """Return the text of a document: a text, bytes, or a file to be read.

        Raises ValueError for NaN, and TypeError for other objects where texts are needed.

        >>> from phalanx.ml.feature_extraction.text import CountVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> CountVectorizer().decode(b"fish")
        'fish'
        """
        if self.input == "filename":
            doc = Path(doc).read_bytes()
        elif self.input == "file":
            doc = doc.read()
        if isinstance(doc, bytes):
            doc = doc.decode(self.encoding, self.decode_error)
        if isinstance(doc, float) and doc != doc:
            raise ValueError("np.nan is an invalid document, expected byte or unicode string.")
        return doc

    def build_preprocessor(self) -> Callable[[str], str]:
        """Return what changes a text before it is split.

        >>> from phalanx.ml.feature_extraction.text import CountVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> CountVectorizer().build_preprocessor()("Red Fish")
        'red fish'
        """
        if self.preprocessor is not None:
            return self.preprocessor
        accents = (
            _ACCENTS.get(self.strip_accents)
            if isinstance(self.strip_accents, str)
            else self.strip_accents
        )
        if not accents:
            return str.lower if self.lowercase else str
        if not self.lowercase:
            return accents
        return lambda text: accents(text.lower())

    def build_tokenizer(self) -> Callable[[str], list[str]]:
        """Return what splits a text. Raises ValueError for a pattern of several groups.

        >>> from phalanx.ml.feature_extraction.text import CountVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> CountVectorizer().build_tokenizer()("red fish")
        ['red', 'fish']
        """
        if self.tokenizer is not None:
            return self.tokenizer
        pattern = re.compile(self.token_pattern)
        if pattern.groups > 1:
            raise ValueError(
                "More than 1 capturing group in token pattern. Only a single group should be "
                "captured."
            )
        return pattern.findall

    def get_stop_words(self) -> frozenset[str] | None:
        """Return the words to leave out. Raises ImportError where ``"english"`` are not there.

        >>> from phalanx.ml.feature_extraction.text import CountVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> CountVectorizer(stop_words=["the"]).get_stop_words()
        frozenset({'the'})
        """
        if self.stop_words != "english":
            return None if self.stop_words is None else frozenset(self.stop_words)
        try:
            from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
        except ImportError as error:
            raise ImportError(
                "stop_words='english' is scikit-learn's list of words, which is not installed: "
                "pip install scikit-learn, or give a list"
            ) from error
        return ENGLISH_STOP_WORDS

    def build_analyzer(self) -> Callable[[Any], Iterable[Any]]:
        """Return a function of a document that gives its terms.

        Raises ValueError for an empty range of numbers of words or characters.

        >>> from phalanx.ml.feature_extraction.text import CountVectorizer
        >>> texts = ["red fish", "blue fish"]
        >>> CountVectorizer(ngram_range=(1, 2)).build_analyzer()("Red fish")
        ['red', 'fish', 'red fish']
        """
        low, high = self.ngram_range
        if low > high:
            raise ValueError(
                f"Invalid value for ngram_range={self.ngram_range} lower boundary larger than the "
                "upper boundary."
            )
        self._warn_of_unused()
        decode = self.decode
        if callable(self.analyzer):
            own = self.analyzer
            return lambda doc: own(decode(doc))
        prepare = self.build_preprocessor()
        if self.analyzer != "word":
            runs = _char_runs if self.analyzer == "char" else _char_runs_of_words
            return lambda doc: runs(prepare(decode(doc)), low, high)
        split, left_out = self.build_tokenizer(), self.get_stop_words()
        if left_out is None and (low, high) == (1, 1):
            return lambda doc: split(prepare(decode(doc)))
        _warn_of_inconsistent(left_out, prepare, split)
        return lambda doc: _word_runs(split(prepare(decode(doc))), low, high, left_out)

    def _warn_of_unused(self) -> None:
        """Warn (UserWarning) of parameters that have no effect beside others."""
        is_own = callable(self.analyzer)
        cases = [
            ("token_pattern", "tokenizer", self.tokenizer is not None and self.token_pattern),
            ("preprocessor", "analyzer", is_own and self.preprocessor is not None),
            ("ngram_range", "analyzer", is_own and self.ngram_range != (1, 1)),
        ]
        for name, other, is_unused in cases:
            if is_unused:
                state = "is not None'" if other == "tokenizer" else "is callable'"
                warn_user(f"The parameter '{name}' will not be used since '{other}' {state}")
        if self.analyzer == "word":
            return
        pattern = self.token_pattern not in (None, WORDS)
        for name, is_given in (
            ("stop_words", self.stop_words is not None),
            ("token_pattern", pattern),
            ("tokenizer", self.tokenizer is not None),
        ):
            if is_given:
                warn_user(f"The parameter '{name}' will not be used since 'analyzer' != 'word'")


def _warn_of_inconsistent(left_out: Any, prepare: Any, split: Any) -> None:
    made = {token for word in left_out or () for token in split(prepare(word))}
    others = sorted(made - set(left_out or ()))
    if others:
        warn_user(
            "Your stop_words may be inconsistent with your preprocessing. Tokenizing the stop "
            f"words generated tokens {others!r} not in stop_words."
        )


def _word_runs(tokens: list[str], low: int, high: int, left_out: Any) -> list[str]:
    if left_out is not None:
        tokens = [each for each in tokens if each not in left_out]
    made: list[str] = []
    for length in range(low, min(high, len(tokens)) + 1):
        if length == 1:
            made += tokens
            continue
        runs = zip(*(tokens[start:] for start in range(length)), strict=False)
        made += map(" ".join, runs)
    return made


_SPACES = re.compile(r"\s\s+")


def _char_runs(text: str, low: int, high: int) -> list[str]:
    text = _SPACES.sub(" ", text)
    made: list[str] = []
    for length in range(low, min(high, len(text)) + 1):
        made += [text[i : i + length] for i in range(len(text) - length + 1)]
    return made


def _char_runs_of_words(text: str, low: int, high: int) -> list[str]:
    """Runs of characters inside words, each between two spaces."""
    made: list[str] = []
    for each in text.split():
        word = f" {each} "
        for length in range(low, high + 1):
            made += [word[i : i + length] for i in range(max(1, len(word) - length + 1))]
            if length >= len(word):  # the whole word, once
                break
    return made
