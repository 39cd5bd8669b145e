"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.random_projection."""

from .._models.random_projection import GaussianRandomProjection as GaussianRandomProjection
from .._models.random_projection import SparseRandomProjection as SparseRandomProjection
from .._models.random_projection import johnson_lindenstrauss_min_dim as johnson_lindenstrauss_min_dim

__all__: list[str]
