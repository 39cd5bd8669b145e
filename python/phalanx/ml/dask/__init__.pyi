"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.dask."""

from . import cluster as cluster
from . import datasets as datasets
from . import decomposition as decomposition
from . import ensemble as ensemble
from . import linear_model as linear_model
from . import naive_bayes as naive_bayes
from . import neighbors as neighbors
from . import preprocessing as preprocessing
from ..._dask.models.datasets import make_blobs as make_blobs
from ..._dask.models.datasets import make_classification as make_classification
from ..._dask.models.datasets import make_regression as make_regression
from ..._dask.models.dbscan import DBSCAN as DBSCAN
from ..._dask.models.decomposition import PCA as PCA
from ..._dask.models.decomposition import TruncatedSVD as TruncatedSVD
from ..._dask.models.encoders import LabelBinarizer as LabelBinarizer
from ..._dask.models.encoders import LabelEncoder as LabelEncoder
from ..._dask.models.encoders import OneHotEncoder as OneHotEncoder
from ..._dask.models.encoders import OrdinalEncoder as OrdinalEncoder
from ..._dask.models.forests import RandomForestClassifier as RandomForestClassifier
from ..._dask.models.forests import RandomForestRegressor as RandomForestRegressor
from ..._dask.models.kmeans import KMeans as KMeans
from ..._dask.models.linear import ElasticNet as ElasticNet
from ..._dask.models.linear import Lasso as Lasso
from ..._dask.models.linear import LinearRegression as LinearRegression
from ..._dask.models.linear import Ridge as Ridge
from ..._dask.models.logistic import LogisticRegression as LogisticRegression
from ..._dask.models.naive_bayes import BernoulliNB as BernoulliNB
from ..._dask.models.naive_bayes import ComplementNB as ComplementNB
from ..._dask.models.naive_bayes import GaussianNB as GaussianNB
from ..._dask.models.naive_bayes import MultinomialNB as MultinomialNB
from ..._dask.models.neighbors import KNeighborsClassifier as KNeighborsClassifier
from ..._dask.models.neighbors import KNeighborsRegressor as KNeighborsRegressor
from ..._dask.models.neighbors import NearestNeighbors as NearestNeighbors

__all__: list[str]
