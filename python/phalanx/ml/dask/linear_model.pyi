"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.dask.linear_model."""

from ..._dask.models.linear import ElasticNet as ElasticNet
from ..._dask.models.linear import Lasso as Lasso
from ..._dask.models.linear import LinearRegression as LinearRegression
from ..._dask.models.linear import Ridge as Ridge
from ..._dask.models.logistic import LogisticRegression as LogisticRegression

__all__: list[str]
