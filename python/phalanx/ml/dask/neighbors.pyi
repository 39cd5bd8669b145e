"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.dask.neighbors."""

from ..._dask.models.neighbors import KNeighborsClassifier as KNeighborsClassifier
from ..._dask.models.neighbors import KNeighborsRegressor as KNeighborsRegressor
from ..._dask.models.neighbors import NearestNeighbors as NearestNeighbors

__all__: list[str]
