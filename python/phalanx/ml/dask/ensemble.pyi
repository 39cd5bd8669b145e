"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.dask.ensemble."""

from ..._dask.models.forests import RandomForestClassifier as RandomForestClassifier
from ..._dask.models.forests import RandomForestRegressor as RandomForestRegressor

__all__: list[str]
