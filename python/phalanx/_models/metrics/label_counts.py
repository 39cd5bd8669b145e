"""How many samples are of a class, predicted so, and both: of classes or of samples' labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .checks import pair_of_labels


class Counts(NamedTuple):
    """Of each class, or of each sample: hits, what is predicted, what is true, and how many."""

    hits: np.ndarray
    predicted: np.ndarray
    true: np.ndarray
    total: Any

    def tables(self) -> np.ndarray:
        """The four counts of each, 2 x 2: rows are not true and true, columns predicted so."""
        low, missed = self.predicted - self.hits, self.true - self.hits
        right = self.total - self.hits - low - missed
        return np.stack([right, low, missed, self.hits], axis=-1).reshape(-1, 2, 2)


def made_of(parts: Iterable[np.ndarray], total: Any) -> Counts:
    """Counts of hits, predicted and true."""
    hits, predicted, true = parts
    return Counts(hits, predicted, true, total)


def counts_of(
    true: np.ndarray, predicted: np.ndarray, labels: np.ndarray, weight: Any, *, by_sample: bool
) -> Counts:
    """The counts of some labels, or of samples over these; with weights float64, else int64.

    Labels of samples x labels are numbers of columns. Raises ValueError for samples' counts of
    samples that have one class each.
    """
    share = None if weight is None else np.asarray(weight, np.float64)
    if true.ndim == 1:
        if by_sample:
            raise ValueError(
                "Samplewise metrics are not available outside of multilabel classification."
            )
        whole = len(true) if share is None else share.sum()
        return made_of(_of_classes(true, predicted, labels, share), whole)
    is_true, is_predicted = true[:, labels] != 0, predicted[:, labels] != 0
    parts = (is_true & is_predicted, is_predicted, is_true)
    if by_sample:
        made = (each.sum(axis=1) for each in parts)
        if share is None:
            return made_of(made, len(labels))
        return made_of((each * share for each in made), len(labels) * share)
    if share is None:
        return made_of((each.sum(axis=0) for each in parts), len(true))
    return made_of((share @ each for each in parts), share.sum())


def _of_classes(
    true: np.ndarray, predicted: np.ndarray, labels: np.ndarray, share: Any
) -> list[np.ndarray]:
    classes = np.unique(np.concatenate([true, predicted, labels]))
    one, other, wanted = (np.searchsorted(classes, each) for each in (true, predicted, labels))
    is_hit = one == other
    made = []
    for codes, own in ((one[is_hit], is_hit), (other, slice(None)), (one, slice(None))):
        weight = None if share is None else share[own]
        made.append(np.bincount(codes, weight, len(classes))[wanted])
    return made


def classes_of_pair(true: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """The sorted classes of both, or the numbers of the columns of samples x labels."""
    if true.ndim == 2:
        return np.arange(true.shape[1])
    return np.unique(np.concatenate([true, predicted]))


def wanted_labels(true: np.ndarray, there: np.ndarray, labels: Any) -> np.ndarray:
    """`labels`, or all. Raises ValueError for numbers of columns that there are not."""
    if labels is None:
        return there
    wanted = np.asarray(labels)
    if true.ndim == 2 and wanted.size and not 0 <= wanted.min() <= wanted.max() < len(there):
        raise ValueError(
            f"All labels must be in [0, n labels) for multilabel targets. Got {wanted.tolist()} of "
            f"{len(there)} labels"
        )
    return wanted


def multilabel_confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    labels: Any = None,
    samplewise: bool = False,
) -> np.ndarray:
    """Return a 2 x 2 table of each class against all others: classes x 2 x 2.

    Rows are whether samples are of the class, columns whether they are predicted so. Of samples x
    labels each label has a table, with `samplewise` each sample. `labels` says which classes, or
    columns, in order. Counts are int64, of weights float64. Raises what `pair_of_labels` raises,
    and ValueError for columns that there are not, and `samplewise` of one class a sample.
    """
    true, predicted = pair_of_labels(y_true, y_pred, sample_weight)
    wanted = wanted_labels(true, classes_of_pair(true, predicted), labels)
    return counts_of(true, predicted, wanted, sample_weight, by_sample=samplewise).tables()
