"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.cluster."""

from .._models.cluster.agglomerative import AgglomerativeClustering as AgglomerativeClustering
from .._models.cluster.dbscan import DBSCAN as DBSCAN
from .._models.cluster.hdbscan import HDBSCAN as HDBSCAN
from .._models.cluster.kmeans import KMeans as KMeans
from .._models.cluster.mini_batch import MiniBatchKMeans as MiniBatchKMeans
from .._models.cluster.selection import Selection as Selection
from .._models.cluster.selection import select_k as select_k

__all__: list[str]
