"""Naive Bayes classifiers, under scikit-learn's names."""

from __future__ import annotations

from .._models.names import public

__getattr__, __dir__, __all__ = public("naive_bayes")
