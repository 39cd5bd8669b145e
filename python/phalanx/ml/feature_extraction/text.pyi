"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.feature_extraction.text."""

from ..._models.feature_extraction.analysis import strip_accents_ascii as strip_accents_ascii
from ..._models.feature_extraction.analysis import strip_accents_unicode as strip_accents_unicode
from ..._models.feature_extraction.count_vectorizer import CountVectorizer as CountVectorizer
from ..._models.feature_extraction.hashing import HashingVectorizer as HashingVectorizer
from ..._models.feature_extraction.tfidf import TfidfTransformer as TfidfTransformer
from ..._models.feature_extraction.tfidf import TfidfVectorizer as TfidfVectorizer

__all__: list[str]
