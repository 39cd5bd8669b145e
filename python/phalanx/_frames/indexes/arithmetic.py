"""Arithmetic and comparisons of indexes, label by label."""

from __future__ import annotations

from .labels import Labels


class Arithmetic(Labels):
    """Operators."""
