"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.decomposition."""

from .._models.decomposition.incremental_pca import IncrementalPCA as IncrementalPCA
from .._models.decomposition.pca import PCA as PCA
from .._models.decomposition.truncated_svd import TruncatedSVD as TruncatedSVD

__all__: list[str]
