"""Splits of samples; searches and cross-validation are scikit-learn's, where it is installed."""

from __future__ import annotations

from .._models.names import public

__getattr__, __dir__, __all__ = public("model_selection")
