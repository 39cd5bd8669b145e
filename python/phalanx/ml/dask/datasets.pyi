"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.dask.datasets."""

from ..._dask.models.datasets import make_blobs as make_blobs
from ..._dask.models.datasets import make_classification as make_classification
from ..._dask.models.datasets import make_regression as make_regression

__all__: list[str]
