"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.naive_bayes."""

from .._models.naive_bayes.categorical import CategoricalNB as CategoricalNB
from .._models.naive_bayes.discrete import BernoulliNB as BernoulliNB
from .._models.naive_bayes.discrete import ComplementNB as ComplementNB
from .._models.naive_bayes.discrete import MultinomialNB as MultinomialNB
from .._models.naive_bayes.gaussian import GaussianNB as GaussianNB

__all__: list[str]
