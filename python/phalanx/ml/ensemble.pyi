"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.ensemble."""

from .._models.ensemble.boosting.models import HistGradientBoostingClassifier as HistGradientBoostingClassifier
from .._models.ensemble.boosting.models import HistGradientBoostingRegressor as HistGradientBoostingRegressor
from .._models.ensemble.forest_classifiers import ExtraTreesClassifier as ExtraTreesClassifier
from .._models.ensemble.forest_classifiers import RandomForestClassifier as RandomForestClassifier
from .._models.ensemble.forest_regressors import ExtraTreesRegressor as ExtraTreesRegressor
from .._models.ensemble.forest_regressors import RandomForestRegressor as RandomForestRegressor
from .._models.ensemble.isolation import IsolationForest as IsolationForest

__all__: list[str]
