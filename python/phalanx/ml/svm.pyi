"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.svm."""

from .._models.svm.classifiers import NuSVC as NuSVC
from .._models.svm.classifiers import SVC as SVC
from .._models.svm.linear import LinearSVC as LinearSVC
from .._models.svm.linear import LinearSVR as LinearSVR
from .._models.svm.regressors import NuSVR as NuSVR
from .._models.svm.regressors import OneClassSVM as OneClassSVM
from .._models.svm.regressors import SVR as SVR

__all__: list[str]
