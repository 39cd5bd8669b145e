"""Embeddings in few dimensions, under scikit-learn's names and umap-learn's."""

from __future__ import annotations

from .._models.names import public

__getattr__, __dir__, __all__ = public("manifold")
