"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.compose."""

from sklearn.compose import ColumnTransformer as ColumnTransformer
from sklearn.compose import TransformedTargetRegressor as TransformedTargetRegressor
from sklearn.compose import make_column_selector as make_column_selector
from sklearn.compose import make_column_transformer as make_column_transformer

__all__: list[str]
