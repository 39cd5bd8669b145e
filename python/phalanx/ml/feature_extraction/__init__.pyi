"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.feature_extraction."""

from . import text as text
from ..._models.feature_extraction.dict_vectorizer import DictVectorizer as DictVectorizer
from ..._models.feature_extraction.hashing import FeatureHasher as FeatureHasher

__all__: list[str]
