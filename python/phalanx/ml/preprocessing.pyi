"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.preprocessing."""

from .._models.preprocessing.binarizer import Binarizer as Binarizer
from .._models.preprocessing.bins import KBinsDiscretizer as KBinsDiscretizer
from .._models.preprocessing.function_transformer import FunctionTransformer as FunctionTransformer
from .._models.preprocessing.functions import add_dummy_feature as add_dummy_feature
from .._models.preprocessing.functions import binarize as binarize
from .._models.preprocessing.functions import maxabs_scale as maxabs_scale
from .._models.preprocessing.functions import minmax_scale as minmax_scale
from .._models.preprocessing.functions import normalize as normalize
from .._models.preprocessing.functions import power_transform as power_transform
from .._models.preprocessing.functions import quantile_transform as quantile_transform
from .._models.preprocessing.functions import robust_scale as robust_scale
from .._models.preprocessing.functions import scale as scale
from .._models.preprocessing.label_binarizer import LabelBinarizer as LabelBinarizer
from .._models.preprocessing.label_binarizer import label_binarize as label_binarize
from .._models.preprocessing.label_encoder import LabelEncoder as LabelEncoder
from .._models.preprocessing.multilabel_binarizer import MultiLabelBinarizer as MultiLabelBinarizer
from .._models.preprocessing.normalizer import Normalizer as Normalizer
from .._models.preprocessing.one_hot_encoder import OneHotEncoder as OneHotEncoder
from .._models.preprocessing.ordinal_encoder import OrdinalEncoder as OrdinalEncoder
from .._models.preprocessing.polynomial import PolynomialFeatures as PolynomialFeatures
from .._models.preprocessing.power_transformer import PowerTransformer as PowerTransformer
from .._models.preprocessing.quantile_transformer import QuantileTransformer as QuantileTransformer
from .._models.preprocessing.range_scalers import MaxAbsScaler as MaxAbsScaler
from .._models.preprocessing.range_scalers import MinMaxScaler as MinMaxScaler
from .._models.preprocessing.robust_scaler import RobustScaler as RobustScaler
from .._models.preprocessing.spline_transformer import SplineTransformer as SplineTransformer
from .._models.preprocessing.standard_scaler import StandardScaler as StandardScaler
from .._models.preprocessing.target_encoder import TargetEncoder as TargetEncoder

__all__: list[str]
