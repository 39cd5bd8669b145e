"""Data sets drawn by chance, and scikit-learn's own where it is installed."""

from __future__ import annotations

from .._models.names import public

__getattr__, __dir__, __all__ = public("datasets")
