"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.neighbors."""

from .._models.neighbors.density import KernelDensity as KernelDensity
from .._models.neighbors.supervised import KNeighborsClassifier as KNeighborsClassifier
from .._models.neighbors.supervised import KNeighborsRegressor as KNeighborsRegressor
from .._models.neighbors.unsupervised import NearestNeighbors as NearestNeighbors

__all__: list[str]
