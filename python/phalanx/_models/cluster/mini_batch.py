"""k-means of samples that are drawn, some at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ... import njit
from ..._arrays.ndarray import ndarray
from ..exceptions import warn_user
from ..fit_progress import FitProgress
from ..options import BOOL, NONE, Rule, generator_of, real, whole
from ..validation import given_as, samples, weights
from .kmeans import Data, KMeans, inertia_of
from .means_of_batches import Progress, labels_of, random_part

_REASSIGN_AFTER = 10  # samples for each cluster, after which light clusters may begin anew


@njit
def _take_in(x: Any, weight: Any, labels: Any, centers: Any, counts: Any) -> None:
    """Move each center to the mean of all samples that it has had, the new ones included."""
    clusters, features = centers.shape
    added = np.zeros(clusters, counts.dtype)
    sums = np.zeros_like(centers)
    for i in range(x.shape[0]):
        label = labels[i]
        added[label] += weight[i]
        for j in range(features):
            sums[label, j] += x[i, j] * weight[i]
    for c in range(clusters):
        if added[c] > 0:
            total = counts[c] + added[c]
            for j in range(features):
                centers[c, j] = (centers[c, j] * counts[c] + sums[c, j]) / total
            counts[c] = total


class MiniBatchKMeans(KMeans):
    """k-means whose steps take some samples that are drawn: centers are means of what they had.

    Of D. Sculley, "Web-scale k-means clustering" (2010). Parameters are scikit-learn's, and so are
    the samples that the same `random_state` draws. Steps are made on the host.

    Attributes: those of `KMeans`, and `n_steps_`; with `compute_labels=False` no `labels_`, and an
    `inertia_` that is estimated from batches.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **{
            name: rule
            for name, rule in KMeans._rules.items()
            if name not in ("copy_x", "algorithm")
        },
        "batch_size": whole(1),
        "compute_labels": BOOL,
        "max_no_improvement": whole(0) | NONE,
        "init_size": whole(1) | NONE,
        "reassignment_ratio": real(0),
    }
    _runs_of_random = 3

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        max_iter: int = 100,
        batch_size: int = 1024,
        verbose: int = 0,
        compute_labels: bool = True,
        random_state: Any = None,
        tol: float = 0.0,
        max_no_improvement: int | None = 10,
        init_size: int | None = None,
        n_init: Any = "auto",
        reassignment_ratio: float = 0.01,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.verbose = verbose
        self.compute_labels = compute_labels
        self.random_state = random_state
        self.tol = tol
        self.max_no_improvement = max_no_improvement
        self.init_size = init_size
        self.n_init = n_init
        self.reassignment_ratio = reassignment_ratio

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters of samples x features; float32 stays, other numbers become float64.

        Raises ValueError for fewer samples than clusters and for NaN and infinity, and what
        `check_options` raises. Weights are how often samples are drawn.
        """
        x, weight = self._checked(X, sample_weight)
        self._random = generator_of(self.random_state)
        tolerance = self.tol * float(np.mean(np.var(x, axis=0))) if self.tol else 0.0
        centers = self._best_start(x, weight)
        self._counts = np.zeros(self.n_clusters, x.dtype)
        self._seen = 0
        progress = self._drawn_steps(x, weight, centers, tolerance)
        self.cluster_centers_ = given_as(X, centers)
        self._n_features_out = self.n_clusters
        self.n_steps_ = progress.step
        self.n_iter_ = int(np.ceil(progress.step * progress.size / len(x)))
        if self.compute_labels:
            self._keep_labels(X, x, weight)
        else:
            self.inertia_ = float((progress.smooth or 0.0) * weight.sum())
        return self

    def _checked(self, X: Any, sample_weight: Any, fitting: bool = True) -> Any:
        self._check_options()
        given = samples(self, X, fitting=fitting)
        if fitting and given.shape[0] < self.n_clusters:
            raise ValueError(
                f"n_samples={given.shape[0]} should be >= n_clusters={self.n_clusters}."
            )
        weight = weights(sample_weight, given)
        x = np.ascontiguousarray(np.asarray(given))
        return x, np.ones(len(x), x.dtype) if weight is None else np.asarray(weight)

    def _start_size(self, count: int) -> int:
        """How many samples are drawn, out of which the first centers are chosen."""
        size = self.init_size
        if size is None:
            size = 3 * min(self.batch_size, count)
            size = 3 * self.n_clusters if size < self.n_clusters else size
        elif size < self.n_clusters:
            warn_user(
                f"init_size={size} should be larger than n_clusters={self.n_clusters}. Setting it "
                "to min(3*n_clusters, n_samples)",
                RuntimeWarning,
            )
            size = 3 * self.n_clusters
        return int(min(size, count))

    def _start(self, x: np.ndarray, weight: np.ndarray, size: int) -> np.ndarray:
        part, weight = random_part(x, weight, size, self._random)
        given = px.asarray(part)
        middle = px.zeros(x.shape[1], x.dtype)
        data = Data(given, given, middle, px.asarray(weight))
        return np.array(self._first_centers(data, self._random), x.dtype)

    def _best_start(self, x: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Of some sets of centers the one that is nearest to samples that are drawn."""
        size = self._start_size(len(x))
        rows = self._random.randint(0, len(x), size)
        seen, share = px.asarray(x[rows]), px.asarray(weight[rows])
        found: list[tuple[float, np.ndarray]] = []
        runs = self._runs()
        for run in range(runs):
            centers = self._start(x, weight, size)
            inertia = inertia_of(seen, share, centers, px.asarray(labels_of(seen, centers)))
            if self.verbose:
                print(f"Inertia for init {run + 1}/{runs}: {inertia}")
            found.append((inertia, centers))
        return min(found, key=lambda each: each[0])[1]

    def _drawn_steps(
        self, x: np.ndarray, weight: np.ndarray, centers: np.ndarray, tolerance: float
    ) -> Progress:
        size = min(self.batch_size, len(x))
        steps = self.max_iter * len(x) // size
        bar = FitProgress(self, steps, "steps at most")
        progress = Progress(size, len(x), steps, self.max_no_improvement, bar.tell)
        ones = np.ones(size, x.dtype)
        # NumPy's `choice` adds up the shares in each call.
        sums = np.cumsum((weight / weight.sum()).astype(np.float64))
        sums /= sums[-1]
        with bar:
            for step in range(steps):
                rows = np.searchsorted(sums, self._random.random_sample(size), side="right")
                before = centers.copy() if tolerance else centers
                inertia = self._step(x[rows], ones, centers, bar.tell)
                moved = float(((centers - before) ** 2).sum()) if tolerance else np.inf
                if progress.ends(inertia, moved <= tolerance):
                    break
                bar.reached(step + 1)
        return progress

    def _step(
        self,
        batch: np.ndarray,
        weight: np.ndarray,
        centers: np.ndarray,
        tell: Callable[[str], None],
    ) -> float:
        """Bring centers up to date with a batch, in place; return the inertia of before."""
        given = px.asarray(batch)
        labels = labels_of(given, centers)
        inertia = inertia_of(given, px.asarray(weight), centers, px.asarray(labels))
        # Whether light clusters may begin anew is asked before these samples are counted.
        reassigns = self._is_time_to_reassign(min(self.batch_size, len(batch)))
        _take_in(batch, weight, labels, centers, self._counts)
        if reassigns and self.reassignment_ratio > 0:
            self._reassign(batch, centers, tell)
        return inertia

    def _is_time_to_reassign(self, size: int) -> bool:
        self._seen += size
        if (self._counts == 0).any() or self._seen >= _REASSIGN_AFTER * self.n_clusters:
            self._seen = 0
            return True
        return False

    def _reassign(
        self, batch: np.ndarray, centers: np.ndarray, tell: Callable[[str], None]
    ) -> None:
        """Let clusters with few samples begin anew, at samples of the batch."""
        counts = self._counts
        is_light = counts < self.reassignment_ratio * counts.max()
        most = int(0.5 * len(batch))
        if is_light.sum() > 0.5 * len(batch):
            is_light[np.argsort(counts)[most:]] = False
        number = int(is_light.sum())
        if not number:
            return
        rows = self._random.choice(len(batch), replace=False, size=number)
        tell(f"[MiniBatchKMeans] Reassigning {number} cluster centers.")
        centers[is_light] = batch[rows]
        # Not so few that they would begin anew at once.
        counts[is_light] = counts[~is_light].min()

    def _keep_labels(self, X: Any, x: np.ndarray, weight: np.ndarray) -> None:
        centers = np.asarray(self.cluster_centers_)
        given: ndarray = px.asarray(x)
        labels = labels_of(given, centers)
        self.labels_ = given_as(X, labels)
        self.inertia_ = inertia_of(given, px.asarray(weight), centers, px.asarray(labels))

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Bring the centers up to date with one batch; the first one chooses them.

        Raises what `fit` raises, of the first batch for fewer samples than clusters.
        """
        is_first = not hasattr(self, "cluster_centers_")
        x, weight = self._checked(X, sample_weight, is_first)
        if is_first:
            self._random = generator_of(self.random_state)
            centers = self._start(x, weight, self._start_size(len(x)))
            self._counts = np.zeros(self.n_clusters, x.dtype)
            self._seen, self.n_steps_ = 0, 0
        else:
            if not hasattr(self, "_random"):
                self._random = generator_of(self.random_state)
            centers, self._counts = np.array(self.cluster_centers_), self._counts.copy()
            x, weight = x.astype(centers.dtype), weight.astype(centers.dtype)
        self._step(x, weight, centers, FitProgress(self, 1, "steps").tell)
        self.cluster_centers_ = given_as(X, centers)
        self._n_features_out = self.n_clusters
        self.n_steps_ += 1
        if self.compute_labels:
            self._keep_labels(X, x, weight)
        return self
