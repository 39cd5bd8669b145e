"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.datasets."""

from .._models.datasets.blobs import make_blobs as make_blobs
from .._models.datasets.blobs import make_gaussian_quantiles as make_gaussian_quantiles
from .._models.datasets.blobs import make_hastie_10_2 as make_hastie_10_2
from .._models.datasets.classification import make_classification as make_classification
from .._models.datasets.classification import make_multilabel_classification as make_multilabel_classification
from .._models.datasets.regression import make_friedman1 as make_friedman1
from .._models.datasets.regression import make_friedman2 as make_friedman2
from .._models.datasets.regression import make_friedman3 as make_friedman3
from .._models.datasets.regression import make_low_rank_matrix as make_low_rank_matrix
from .._models.datasets.regression import make_regression as make_regression
from .._models.datasets.regression import make_sparse_uncorrelated as make_sparse_uncorrelated
from .._models.datasets.regression import make_spd_matrix as make_spd_matrix
from .._models.datasets.shapes import make_circles as make_circles
from .._models.datasets.shapes import make_moons as make_moons
from .._models.datasets.shapes import make_s_curve as make_s_curve
from .._models.datasets.shapes import make_swiss_roll as make_swiss_roll
from sklearn.datasets import fetch_20newsgroups as fetch_20newsgroups
from sklearn.datasets import fetch_california_housing as fetch_california_housing
from sklearn.datasets import fetch_covtype as fetch_covtype
from sklearn.datasets import fetch_openml as fetch_openml
from sklearn.datasets import load_breast_cancer as load_breast_cancer
from sklearn.datasets import load_diabetes as load_diabetes
from sklearn.datasets import load_digits as load_digits
from sklearn.datasets import load_iris as load_iris
from sklearn.datasets import load_linnerud as load_linnerud
from sklearn.datasets import load_wine as load_wine

__all__: list[str]
