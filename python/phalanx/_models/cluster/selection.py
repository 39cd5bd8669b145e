"""How many clusters: k-means for several numbers, and what speaks for each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.in_place import in_place
from ..._arrays.ndarray import ndarray
from ..metrics.cluster_shape import davies_bouldin_of
from ..metrics.pairwise import pairwise_distances
from ..options import generator_of
from ..validation import as_array, numbers
from .cluster_sums import ClusterSums
from .kmeans import Data, KMeans, Run, steps_stay
from .together import fit_together, spreads_of_run, squares_of_each

_SAMPLED = 2000  # samples of the silhouettes


class Selection:
    """Models of several numbers of clusters, a table of what they are worth, and the choice.

    Attributes: `table`, a frame of ours with a row for each number and columns ``k``, ``inertia``,
    ``silhouette``, ``davies_bouldin``; `models`, the fitted `KMeans` by number; `best_k`, the
    number with the greatest silhouette; `best`, its model.
    """

    def __init__(self, models: dict[int, KMeans], columns: dict[str, list[float]]) -> None:
        self.models = models
        self.table = px.DataFrame({"k": list(models), **columns})
        self.best_k = list(models)[int(np.argmax(columns["silhouette"]))]
        self._columns = columns

    @property
    def best(self) -> KMeans:
        """The model of `best_k` clusters."""
        return self.models[self.best_k]

    def plot(self) -> Any:
        """Return matplotlib's figure of all three columns over k, with a line at the choice.

        Raises ImportError where matplotlib is not installed.
        """
        from matplotlib.figure import Figure

        figure = Figure(figsize=(9, 3), layout="constrained")
        for axes, (name, values) in zip(
            figure.subplots(1, len(self._columns)), self._columns.items(), strict=True
        ):
            axes.plot([*self.models], values, marker="o")
            axes.axvline(self.best_k, linestyle=":")
            axes.set(xlabel="k", title=name)
        return figure

    def __repr__(self) -> str:
        return f"{self.table}\nbest_k={self.best_k}"


@in_place
def select_k(
    x: Any,
    ks: Iterable[int] = range(2, 11),
    *,
    sample_size: int = _SAMPLED,
    random_state: Any = None,
    **options: Any,
) -> Selection:
    """Return a `Selection` of k-means with each number of clusters of `ks`.

    All are computed together: a step reads the samples once for all numbers. With k-means++ the
    models begin with the first of the same centers, which are drawn once, so that they are not
    those that `KMeans` of the same seed begins with. `x` is samples x features, `options` are
    `KMeans`'s. Silhouettes are of the same `sample_size` samples for all. Raises ValueError for no
    numbers and for numbers below 2, and what `KMeans` raises.
    """
    ks = [int(k) for k in ks]
    if not ks or min(ks) < 2:
        raise ValueError(f"ks must be numbers from 2 on, got {ks}")
    random = generator_of(random_state)
    models = [KMeans(k, random_state=random, **options) for k in ks]
    values = numbers(as_array(x))
    rows = np.sort(random.permutation(values.shape[0])[:sample_size])
    data, runs = fit_together(models, x, random)
    labels = [np.asarray(model.labels_) for model in models]
    columns = {
        "inertia": [model.inertia_ for model in models],
        "silhouette": _silhouettes(values[px.asarray(rows)], [each[rows] for each in labels]),
        "davies_bouldin": _indices_on_device(data, runs) or _davies_bouldin(values, labels),
    }
    return Selection(dict(zip(ks, models, strict=True)), columns)


def _silhouettes(sampled: ndarray, labels: list[np.ndarray]) -> list[float]:
    """The silhouette of each labelling of some samples, whose distances are computed once.

    Raises ValueError for labellings with one label, as `silhouette_score` does.
    """
    apart = np.asarray(pairwise_distances(sampled), np.float64)
    made = []
    for each in labels:
        names, codes, sizes = np.unique(each, return_inverse=True, return_counts=True)
        if not 1 < len(names) < len(each):
            raise ValueError(
                f"Number of labels is {len(names)} among {len(each)} samples. Valid values are 2 "
                "to n_samples - 1 (inclusive); give a greater sample_size"
            )
        own = np.arange(len(each)), codes
        sums = apart @ np.eye(len(names))[codes]
        within = sums[own] / np.maximum(sizes[codes] - 1, 1)
        sums /= sizes
        sums[own] = np.inf
        other = sums.min(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = np.nan_to_num((other - within) / np.maximum(within, other))
        made.append(float(np.mean(np.where(sizes[codes] > 1, shares, 0))))
    return made


def _indices_on_device(data: Data, runs: list[Run]) -> list[float] | None:
    """The Davies-Bouldin index of each run on a GPU; None where the host is to do it."""
    if not steps_stay(data.moved, max(len(each.centers) for each in runs)):
        return None
    found = [spreads_of_run(data, each) for each in runs]
    made = [davies_bouldin_of(*each) for each in found if each is not None]
    return made if len(made) == len(runs) else None


def _davies_bouldin(values: ndarray, labels: list[np.ndarray]) -> list[float]:
    """The index of each labelling; one more read of the samples finds all spreads."""
    codes = [np.unique(each, return_inverse=True)[1].astype(np.int32) for each in labels]
    centers = []
    for each in codes:
        sums = ClusterSums(values, None, int(each.max()) + 1)
        sums.move(px.asarray(each))
        centers.append(sums.means(np.zeros((int(each.max()) + 1, values.shape[1]))))
    narrow = [each.astype(values.dtype) for each in centers]
    squares = squares_of_each(values, narrow, [px.asarray(each) for each in codes])
    return [
        davies_bouldin_of(np.bincount(code, np.sqrt(row)) / np.bincount(code), center)
        for code, row, center in zip(codes, squares.astype(np.float64), centers, strict=True)
    ]
