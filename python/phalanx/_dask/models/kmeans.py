"""k-means over blocks: at each step the sums of clusters are added up."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

import phalanx as px

from ..._models.cluster import kmeans
from ..._models.cluster.cluster_sums import ClusterSums
from ..._models.cluster.distance_kernels import less, nearest, own_squares
from ..._models.cluster.seeding import SEEDINGS
from ..._models.options import generator_of
from .blocks import Block, Blocks, added
from .moments import Moments, moments_of
from .results import OverBlocks, over_blocks

_MOST_FOR_SEEDS = 1 << 17  # samples that come to this process, from which first centers are drawn


class _Run(NamedTuple):
    """What a run from some centers ended with: centers less the mean of the samples."""

    centers: np.ndarray
    inertia: float
    steps: int


def _sums(block: Block, centers: np.ndarray, middle: np.ndarray) -> tuple[np.ndarray]:
    sums = ClusterSums(block.x, block.weight, len(centers))
    sums.move(nearest(block.x - px.asarray(middle), px.asarray(centers)))
    return (sums.table,)


def _inertia(block: Block, centers: np.ndarray, middle: np.ndarray) -> tuple[float, np.ndarray]:
    moved = block.x - px.asarray(middle)
    labels = nearest(moved, px.asarray(centers))
    met = np.bincount(np.asarray(labels), minlength=len(centers))
    return kmeans.inertia_of(moved, block.weight, centers, labels), met


def _far(block: Block, centers: np.ndarray, middle: np.ndarray, count: int) -> list[Any]:
    """The samples farthest from their centers: squares, labels, weights, features."""
    moved = block.x - px.asarray(middle)
    labels = nearest(moved, px.asarray(centers))
    squares = np.asarray(own_squares(moved, px.asarray(centers), labels))
    made = []
    for row in np.argsort(-squares, kind="stable")[:count].tolist():
        weight = 1.0 if block.weight is None else float(block.weight[row])
        features = np.asarray(block.x[row], np.float64)
        made.append((float(squares[row]), int(labels[row]), weight, features))
    return made


def _farthest(first: list[Any], second: list[Any]) -> list[Any]:
    most = max(len(first), len(second))
    return sorted([*first, *second], key=lambda each: -each[0])[:most]


def _drawn(block: Block, share: float, seed: int) -> list[tuple[np.ndarray, Any]]:
    """Samples of a block, with their weights: all, or so many that are drawn."""
    x = np.asarray(block.x)
    weight = None if block.weight is None else np.asarray(block.weight)
    if share < 1:
        count = max(1, int(len(x) * share))
        # Blocks draw by their own first numbers, so that equal seeds give different rows.
        own = int(abs(float(x[0].astype(np.float64).sum())) * 1e6) % 2**31
        rows = np.sort(np.random.RandomState((seed + own) % 2**32).permutation(len(x))[:count])
        x, weight = x[rows], None if weight is None else weight[rows]
    return [(x, weight)]


@over_blocks("predict", "transform")
class KMeans(OverBlocks, kmeans.KMeans):
    """`phalanx.ml.KMeans` over arrays and frames of Dask's.

    A step reads the samples once; the centers travel, the samples do not. First centers are drawn
    as one process draws them, from all samples where these are at most 131,072, else from as many
    that are drawn. `labels_` is an array of Dask's.
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        blocks = Blocks(self, X, None, sample_weight)
        found = moments_of(blocks)
        if found.samples < self.n_clusters:
            raise ValueError(
                f"n_samples={found.samples} should be >= n_clusters={self.n_clusters}."
            )
        # As in one process the mean and the spread are those without weights.
        plain = found if sample_weight is None else moments_of(Blocks(self, X))
        middle = plain.mean.astype(found.dtype)
        spread = float(np.mean(np.diag(plain.products)) / plain.samples)
        random = generator_of(self.random_state)
        seeds = self._seeds(blocks, found, middle, random)
        runs = [
            self._steps_over(blocks, self._first_centers(seeds, random), middle, self.tol * spread)
            for _ in range(self._runs())
        ]
        best = min(runs, key=lambda run: run.inertia)
        labels = px.asarray(np.arange(self.n_clusters))
        met = blocks.reduced(_inertia, added, best.centers, middle)[1]
        run = kmeans.Run(labels[np.flatnonzero(met)], best.inertia, best.centers, best.steps)
        self._keep(None, run, middle)
        self.labels_ = self.predict(X)
        return self

    def _seeds(self, blocks: Blocks, found: Moments, middle: Any, random: Any) -> kmeans.Data:
        """The samples from which first centers are drawn."""
        needs = isinstance(self.init, str) and self.init in SEEDINGS
        if not needs and not callable(self.init):
            none = px.zeros((0, found.features), found.dtype)
            return kmeans.Data(none, none, px.asarray(middle), None)
        share = min(1.0, _MOST_FOR_SEEDS / found.samples)
        seed = int(random.randint(2**31)) if share < 1 else 0
        drawn = blocks.reduced(_drawn, lambda one, other: one + other, share, seed)
        x = px.asarray(np.concatenate([each for each, _ in drawn]))
        own = [each for _, each in drawn if each is not None]
        weight = px.asarray(np.concatenate(own)) if own else None
        return kmeans.Data(x, less(x, px.asarray(middle)), px.asarray(middle), weight)

    def _steps_over(
        self, blocks: Blocks, centers: np.ndarray, middle: np.ndarray, tolerance: float
    ) -> _Run:
        step = 0
        for step in range(1, self.max_iter + 1):
            (table,) = blocks.reduced(_sums, added, centers, middle)
            before, centers = centers, self._means(blocks, table, centers, middle)
            shift = float(((centers - before).astype(np.float64) ** 2).sum())
            if self.verbose:
                print(f"Iteration {step - 1}, squared shift of the centers {shift:.6e}.")
            if shift <= tolerance:
                break
        inertia = blocks.reduced(_inertia, added, centers, middle)[0]
        return _Run(centers, inertia, step)

    def _means(
        self, blocks: Blocks, table: np.ndarray, centers: np.ndarray, middle: np.ndarray
    ) -> np.ndarray:
        """The means of clusters, less the middle; far samples for those that have none."""
        empty = np.flatnonzero(table[:, -1] <= 0)
        if len(empty):
            table = table.copy()
            far = blocks.reduced(_far, _farthest, centers, middle, len(empty))
            for cluster, (_, label, weight, features) in zip(empty, far, strict=False):
                moved = np.append(features * weight, [weight, 1])
                table[cluster] = moved
                table[label] -= moved
        with np.errstate(invalid="ignore", divide="ignore"):
            made = table[:, :-2] / table[:, -2:-1] - middle
        return np.where(table[:, -2:-1] > 0, made, centers).astype(centers.dtype)
