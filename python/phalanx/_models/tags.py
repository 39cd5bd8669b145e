"""What scikit-learn's tools ask a model: its tags, where they are not a base class's."""

from __future__ import annotations

from typing import Any


class KeepsFloats:
    """Transformers whose result has the dtype of float32 and float64 samples."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class TakesGaps:
    """Models to which NaN is a missing number."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        return tags


class TakesSparse:
    """Models that take sparse samples: `samples_or_sparse`."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        return tags


class NeedsNoFit:
    """Models that learn nothing from samples."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.requires_fit = False
        return tags


class TakesSeveralTargets:
    """Models of one target, or of a column for each of several."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.target_tags.multi_output = True
        return tags
