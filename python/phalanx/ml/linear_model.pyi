"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.linear_model."""

from .._models.linear_model.coordinate_descent import ElasticNet as ElasticNet
from .._models.linear_model.coordinate_descent import Lasso as Lasso
from .._models.linear_model.lasso_cv import ElasticNetCV as ElasticNetCV
from .._models.linear_model.lasso_cv import LassoCV as LassoCV
from .._models.linear_model.least_squares import LinearRegression as LinearRegression
from .._models.linear_model.least_squares import Ridge as Ridge
from .._models.linear_model.logistic import LogisticRegression as LogisticRegression
from .._models.linear_model.logistic_cv import LogisticRegressionCV as LogisticRegressionCV
from .._models.linear_model.ridge_cv import RidgeCV as RidgeCV
from .._models.linear_model.ridge_cv import RidgeClassifier as RidgeClassifier
from .._models.linear_model.sgd_classifier import Perceptron as Perceptron
from .._models.linear_model.sgd_classifier import SGDClassifier as SGDClassifier
from .._models.linear_model.sgd_regressor import SGDRegressor as SGDRegressor

__all__: list[str]
