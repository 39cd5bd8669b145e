"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.dask.cluster."""

from ..._dask.models.dbscan import DBSCAN as DBSCAN
from ..._dask.models.kmeans import KMeans as KMeans

__all__: list[str]
