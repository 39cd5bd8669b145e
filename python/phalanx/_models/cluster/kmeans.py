"""k-means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import (
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    Estimator,
    TransformerMixin,
)
from ..exceptions import ConvergenceWarning, warn_user
from ..fit_progress import FitProgress
from ..options import ARRAY, BOOL, FUNCTION, RANDOM, Rule, generator_of, one_of, real, whole
from ..validation import as_array, given_as, numbers, refuse_gaps, samples, weights
from .active_steps import ActiveSteps, finds_active
from .cluster_sums import ClusterSums
from .distance_kernels import less, nearest, nearest_of_any, own_squares, squares
from .full_steps import FullSteps
from .lloyd_steps import HAS_EMPTY, LloydSteps, fits
from .seeding import SEEDINGS

_RUNS_OF_RANDOM = 10


class Data(NamedTuple):
    """Samples, the same less their mean, that mean, and their weights."""

    x: ndarray
    moved: ndarray
    middle: ndarray
    weight: ndarray | None


class Run(NamedTuple):
    """What a run from some centers ended with."""

    labels: ndarray
    inertia: float
    centers: np.ndarray
    steps: int


class KMeans(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, Estimator):  # type: ignore[misc]
    """k-means: samples in `n_clusters` groups, each around its mean, by Lloyd's steps.

    A step reads each sample once to find its nearest center, and once more only if that is another
    than before: the sums of the clusters are kept. On the CPU, of 65,536
    samples or more of at most 64 features, many steps leave out those that stay for sure. Distances
    are of samples less their mean; the inertia is summed up from the distances to the centers, so
    that nothing cancels.

    Parameters are scikit-learn's, in which `init` may also be ``"k-means||"``, cuML's. ``"elkan"``
    as `algorithm` gives the same result by the same steps. The same `random_state` begins with the
    samples that scikit-learn begins with.

    Attributes: `cluster_centers_` (clusters x features), `labels_` (int32, one a sample),
    `inertia_` (the weighted sum of squared distances to the nearest centers), `n_iter_`,
    `n_features_in_`, `feature_names_in_`. They are NumPy's arrays unless `fit` got ours.
    """

    _adds_scores: ClassVar[bool] = True
    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_clusters": whole(1),
        "init": one_of(*SEEDINGS) | FUNCTION | ARRAY,
        "n_init": one_of("auto") | whole(1),
        "max_iter": whole(1),
        "tol": real(0),
        "verbose": whole(0) | BOOL,
        "random_state": RANDOM,
        "copy_x": BOOL,
        "algorithm": one_of("lloyd", "elkan"),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        n_init: Any = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        verbose: int = 0,
        random_state: Any = None,
        copy_x: bool = True,
        algorithm: str = "lloyd",
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters of samples x features; float32 stays, other numbers become float64.

        Raises ValueError for fewer samples than clusters and for NaN and infinity, and what
        `check_options` raises. Warns (ConvergenceWarning) where fewer clusters were found.
        """
        self._check_options()
        data = self._data(X, sample_weight)
        tolerance = self._tolerance(data)
        random = generator_of(self.random_state)
        best = self._run(data, random, tolerance)
        for _ in range(1, self._runs()):
            best = better(best, self._run(data, random, tolerance))
        self._keep(X, best, np.asarray(data.middle))
        return self

    def _data(self, X: Any, sample_weight: Any) -> Data:
        """The samples that are given, checked."""
        x = samples(self, X, fitting=True)
        if x.shape[0] < self.n_clusters:
            raise ValueError(f"n_samples={x.shape[0]} should be >= n_clusters={self.n_clusters}.")
        middle = px.mean(x, axis=0)
        return Data(x, less(x, middle), middle, weights(sample_weight, x))

    def _tolerance(self, data: Data) -> float:
        """The sum of squares by which centers must move to go on."""
        return self.tol * float(px.mean(px.var(data.x, axis=0)))

    def _keep(self, X: Any, run: Run, middle: np.ndarray) -> None:
        found = int(px.count_nonzero(px.bincount(run.labels, minlength=self.n_clusters)))
        if found < self.n_clusters:
            warn_user(
                f"Number of distinct clusters ({found}) found smaller than n_clusters "
                f"({self.n_clusters}). Possibly due to duplicate points in X.",
                ConvergenceWarning,
            )
        self.cluster_centers_ = given_as(X, run.centers + middle)
        self.labels_ = given_as(X, run.labels)
        self.inertia_ = run.inertia
        self.n_iter_ = run.steps
        self._n_features_out = self.n_clusters

    # Runs from centers that are drawn without care.
    _runs_of_random = _RUNS_OF_RANDOM

    def _runs(self) -> int:
        if not isinstance(self.init, str) and not callable(self.init):
            if self.n_init not in ("auto", 1):
                warn_user(
                    "Explicit initial center position passed: performing only one init in "
                    f"{type(self).__name__} instead of n_init={self.n_init}.",
                    RuntimeWarning,
                )
            return 1
        if self.n_init != "auto":
            return int(self.n_init)
        return self._runs_of_random if callable(self.init) or self.init == "random" else 1

    def _first_centers(self, data: Data, random: Any) -> np.ndarray:
        """The centers to begin with, less the mean of all samples."""
        _, x, middle, weight = data
        if isinstance(self.init, str):
            return np.asarray(SEEDINGS[self.init](x, weight, self.n_clusters, random))
        given = self.init
        if callable(given):
            given = given(np.asarray(x), self.n_clusters, random_state=random)
            middle = px.zeros_like(middle)
        made = numbers(as_array(given, "init"), (x.dtype,), "init")
        refuse_gaps(made, "init", self)
        if made.shape != (self.n_clusters, x.shape[1]):
            raise ValueError(
                f"The shape of the initial centers {made.shape} does not match the number of "
                f"clusters {self.n_clusters} and of features {x.shape[1]}."
            )
        return np.asarray(made - middle)

    def _run(self, data: Data, random: Any, tolerance: float) -> Run:
        return self._run_from(self._first_centers(data, random), data, tolerance)

    def _run_from(self, centers: np.ndarray, data: Data, tolerance: float) -> Run:
        if not self.verbose and steps_stay(data.moved, self.n_clusters):
            labels, centers, step = self._steps_on_device(data, centers, tolerance)
        else:
            labels, centers, step = self._steps(data, centers, tolerance)
        return Run(labels, inertia_of(data.moved, data.weight, centers, labels), centers, step)

    def _steps(
        self, data: Data, centers: np.ndarray, tolerance: float
    ) -> tuple[ndarray, np.ndarray, int]:
        steps = (ActiveSteps if finds_active(data.moved) else FullSteps)(data, self.n_clusters)
        step = 0
        with FitProgress(self, self.max_iter, "iterations at most") as progress:
            for step in range(1, self.max_iter + 1):
                has_moved = steps.move(centers)
                before, centers = centers, steps.means(centers)
                if self.verbose:
                    inertia = inertia_of(data.moved, data.weight, before, steps.labels)
                    progress.tell(f"Iteration {step - 1}, inertia {inertia}.")
                progress.reached(step)
                shift = float(((centers - before).astype(np.float64) ** 2).sum())
                if not has_moved or shift <= tolerance:
                    break
        steps.finish(centers)
        return steps.labels.astype(np.int32), centers, step

    def _steps_on_device(
        self, data: Data, centers: np.ndarray, tolerance: float
    ) -> tuple[ndarray, np.ndarray, int]:
        """The same with nothing on the host but clusters that are left without samples."""
        steps = LloydSteps(data.moved, data.weight, centers, self.max_iter, tolerance)
        ended = steps.run()
        while ended == HAS_EMPTY:
            sums = ClusterSums(data.x, data.weight, self.n_clusters, data.middle)
            sums.move(steps.labels)
            before = np.array(steps.centers)
            made = sums.means(before)
            shift = float(((made - before).astype(np.float64) ** 2).sum())
            ended = steps.go_on(made, not steps.has_moved or shift <= tolerance) or steps.run()
        made = np.array(steps.centers)
        return nearest(data.moved, px.asarray(made)), made, steps.count

    def predict(self, X: Any) -> Any:
        """Return the number of each sample's nearest center, int32."""
        x = samples(self, X)
        return given_as(X, nearest_of_any(x, px.asarray(self.cluster_centers_).astype(x.dtype)))

    def transform(self, X: Any) -> Any:
        """Return the distance of each sample to each center, samples x clusters."""
        x = samples(self, X)
        apart = px.sqrt(squares(x, px.asarray(self.cluster_centers_).astype(x.dtype)))
        return given_as(X, px.ascontiguousarray(apart.T))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the inertia of samples, with a minus, so that more is better."""
        x = samples(self, X)
        centers = px.asarray(self.cluster_centers_).astype(x.dtype)
        labels = nearest_of_any(x, centers)
        return -inertia_of(x, weights(sample_weight, x), centers, labels)


def steps_stay(x: ndarray, clusters: int) -> bool:
    """True if steps run on the device alone: on a GPU, where their sums have room."""
    return not x._device.is_host and fits(x, clusters)


def inertia_of(x: ndarray, weight: Any, centers: Any, labels: ndarray) -> float:
    """The weighted sum of squared distances of samples to the centers of their labels."""
    apart = own_squares(x, px.asarray(centers), labels)
    return float(px.sum(apart if weight is None else apart * weight, dtype=np.float64))


def better(best: Run, run: Run) -> Run:
    """The run with the lesser inertia, if it differs by more than the numbers of clusters."""
    is_better = run.inertia < best.inertia and not _is_same(run.labels, best.labels)
    return run if is_better else best


def _is_same(first: ndarray, second: ndarray) -> bool:
    """True if two labellings differ by the numbers of the clusters only."""
    one, other = (np.asarray(each).astype(np.int64) for each in (first, second))
    pairs = np.unique(one * (other.max() + 1) + other)
    return len(pairs) == len(np.unique(one)) == len(np.unique(other))
