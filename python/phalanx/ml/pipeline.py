"""scikit-learn's pipelines, where it is installed, with our models in them."""

from __future__ import annotations

from .._models.names import public

__getattr__, __dir__, __all__ = public("pipeline")
