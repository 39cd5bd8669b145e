"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.dask.preprocessing."""

from ..._dask.models.encoders import LabelBinarizer as LabelBinarizer
from ..._dask.models.encoders import LabelEncoder as LabelEncoder
from ..._dask.models.encoders import OneHotEncoder as OneHotEncoder
from ..._dask.models.encoders import OrdinalEncoder as OrdinalEncoder

__all__: list[str]
