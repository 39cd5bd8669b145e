"""How many clusters: k-means for several numbers, and what speaks for each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import phalanx as px

from ..metrics.cluster_shape import davies_bouldin_score, silhouette_score
from ..options import generator_of
from ..validation import as_array, numbers
from .kmeans import KMeans

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


def select_k(
    x: Any,
    ks: Iterable[int] = range(2, 11),
    *,
    sample_size: int = _SAMPLED,
    random_state: Any = None,
    **options: Any,
) -> Selection:
    """Return a `Selection` of k-means with each number of clusters of `ks`.

    `x` is samples x features, `options` are `KMeans`'s. Silhouettes are of the same `sample_size`
    samples for all. Raises ValueError for no numbers and for numbers below 2, and what `KMeans`
    raises.
    """
    numbers_of_clusters = [int(k) for k in ks]
    if not numbers_of_clusters or min(numbers_of_clusters) < 2:
        raise ValueError(f"ks must be numbers from 2 on, got {numbers_of_clusters}")
    random = generator_of(random_state)
    values = numbers(as_array(x))
    rows = random.permutation(values.shape[0])[:sample_size]
    sampled = values[px.asarray(np.sort(rows))]
    models: dict[int, KMeans] = {}
    columns: dict[str, list[float]] = {"inertia": [], "silhouette": [], "davies_bouldin": []}
    for k in numbers_of_clusters:
        model = models[k] = KMeans(k, random_state=random, **options).fit(x)
        labels = np.asarray(model.labels_)
        columns["inertia"].append(model.inertia_)
        columns["silhouette"].append(silhouette_score(sampled, labels[np.sort(rows)]))
        columns["davies_bouldin"].append(davies_bouldin_score(values, labels))
    return Selection(models, columns)
