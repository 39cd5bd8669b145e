"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.dask.decomposition."""

from ..._dask.models.decomposition import PCA as PCA
from ..._dask.models.decomposition import TruncatedSVD as TruncatedSVD

__all__: list[str]
