"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.ml.manifold."""

from .._models.manifold.trustworthiness import trustworthiness as trustworthiness
from .._models.manifold.tsne import TSNE as TSNE
from .._models.manifold.umap import UMAP as UMAP

__all__: list[str]
