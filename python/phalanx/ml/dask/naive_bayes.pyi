"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.dask.naive_bayes."""

from ..._dask.models.naive_bayes import BernoulliNB as BernoulliNB
from ..._dask.models.naive_bayes import ComplementNB as ComplementNB
from ..._dask.models.naive_bayes import GaussianNB as GaussianNB
from ..._dask.models.naive_bayes import MultinomialNB as MultinomialNB

__all__: list[str]
