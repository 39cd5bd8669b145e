"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.model_selection."""

from .._models.model_selection.draws import GroupShuffleSplit as GroupShuffleSplit
from .._models.model_selection.draws import ShuffleSplit as ShuffleSplit
from .._models.model_selection.draws import StratifiedShuffleSplit as StratifiedShuffleSplit
from .._models.model_selection.draws import train_test_split as train_test_split
from .._models.model_selection.folds import GroupKFold as GroupKFold
from .._models.model_selection.folds import KFold as KFold
from .._models.model_selection.folds import StratifiedGroupKFold as StratifiedGroupKFold
from .._models.model_selection.folds import StratifiedKFold as StratifiedKFold
from .._models.model_selection.folds import TimeSeriesSplit as TimeSeriesSplit
from .._models.model_selection.left_out import LeaveOneGroupOut as LeaveOneGroupOut
from .._models.model_selection.left_out import LeaveOneOut as LeaveOneOut
from .._models.model_selection.left_out import LeavePGroupsOut as LeavePGroupsOut
from .._models.model_selection.left_out import LeavePOut as LeavePOut
from .._models.model_selection.left_out import PredefinedSplit as PredefinedSplit
from .._models.model_selection.repeated import RepeatedKFold as RepeatedKFold
from .._models.model_selection.repeated import RepeatedStratifiedKFold as RepeatedStratifiedKFold
from sklearn.model_selection import GridSearchCV as GridSearchCV
from sklearn.model_selection import HalvingGridSearchCV as HalvingGridSearchCV
from sklearn.model_selection import ParameterGrid as ParameterGrid
from sklearn.model_selection import ParameterSampler as ParameterSampler
from sklearn.model_selection import RandomizedSearchCV as RandomizedSearchCV
from sklearn.model_selection import check_cv as check_cv
from sklearn.model_selection import cross_val_predict as cross_val_predict
from sklearn.model_selection import cross_val_score as cross_val_score
from sklearn.model_selection import cross_validate as cross_validate
from sklearn.model_selection import learning_curve as learning_curve
from sklearn.model_selection import permutation_test_score as permutation_test_score
from sklearn.model_selection import validation_curve as validation_curve

__all__: list[str]
