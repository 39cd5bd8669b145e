"""Uniform manifold approximation and projection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import ClassNamePrefixFeaturesOutMixin, Estimator, TransformerMixin
from ..classes import classes_of
from ..exceptions import warn_user
from ..fit_progress import FitProgress
from ..neighbors.distances import NAMES
from ..options import ARRAY, BOOL, NONE, RANDOM, Rule, generator_of, one_of, real, whole
from ..validation import given_as, samples
from .first_places import first_places
from .fuzzy_graph import memberships, with_classes
from .layout import Schedule, fitted_curve, optimized
from .neighbor_graph import Graph, in_both_directions, near_others

_FEW = 10_000  # samples, which have more passes


class UMAP(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):  # type: ignore[misc]
    """UMAP: places in few dimensions whose neighborhoods are as fuzzy as those of the samples.

    Of L. McInnes, J. Healy and J. Melville (2018), see `fuzzy_graph`. The nearest neighbors are
    exact but on the host of more than 8,192 samples, by ``"euclidean"`` or ``"cosine"``, where at
    least nine of ten are found. In a pass each sample moves along its edges by itself, others stay
    where they were, so that all cores work at once and the same `random_state` gives the same
    places. Neighbors are searched where the samples are, the rest is done on the host.

    Parameters are umap-learn's, of which there are those below. `metric` is one of
    `NearestNeighbors`'s, ``"cosine"`` or ``"precomputed"`` (then there is no `transform`). `init`
    is ``"spectral"``, ``"pca"``, ``"random"``, or places. `fit` takes classes as `y`, of which
    numbers of -1 are not known; `target_weight` says how much they weigh, from 0 to 1.

    Attributes: `embedding_` (samples x components, float32), `graph_` (starts, others and weights
    of edges), `n_features_in_`, `feature_names_in_`. Arrays are NumPy's unless `fit` got ours.
    """

    _library: ClassVar[str] = "umap-learn"
    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_neighbors": whole(2),
        "n_components": whole(1),
        "metric": one_of(*NAMES, "cosine", "precomputed").refusing("correlation", "hamming"),
        "n_epochs": whole(0) | NONE,
        "learning_rate": real(0, closed="neither"),
        "init": one_of("spectral", "pca", "random").refusing("tswspectral") | ARRAY,
        "min_dist": real(0),
        "spread": real(0, closed="neither"),
        "set_op_mix_ratio": real(0, 1),
        "local_connectivity": real(0),
        "repulsion_strength": real(0),
        "negative_sample_rate": whole(0),
        "random_state": RANDOM,
        "target_metric": one_of("categorical").refusing("euclidean", "l2", "l1", "manhattan"),
        "target_weight": real(0, 1),
        "verbose": whole(0) | BOOL,
    }

    def __init__(
        self,
        n_neighbors: int = 15,
        n_components: int = 2,
        *,
        metric: str = "euclidean",
        n_epochs: int | None = None,
        learning_rate: float = 1.0,
        init: Any = "spectral",
        min_dist: float = 0.1,
        spread: float = 1.0,
        set_op_mix_ratio: float = 1.0,
        local_connectivity: float = 1.0,
        repulsion_strength: float = 1.0,
        negative_sample_rate: int = 5,
        random_state: Any = None,
        target_metric: str = "categorical",
        target_weight: float = 0.5,
        verbose: int = 0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.n_components = n_components
        self.metric = metric
        self.n_epochs = n_epochs
        self.learning_rate = learning_rate
        self.init = init
        self.min_dist = min_dist
        self.spread = spread
        self.set_op_mix_ratio = set_op_mix_ratio
        self.local_connectivity = local_connectivity
        self.repulsion_strength = repulsion_strength
        self.negative_sample_rate = negative_sample_rate
        self.random_state = random_state
        self.target_metric = target_metric
        self.target_weight = target_weight
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        """scikit-learn's tags: samples may be distances, places are float32."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float32"]
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def _tell(self, text: str) -> None:
        if self.verbose:
            print(f"[UMAP] {text}")

    def fit(self, X: Any, y: Any = None) -> Self:
        """Embed samples x features, or a square matrix of distances; `y` has a class of each.

        Raises ValueError for a `min_dist` above `spread`, fewer than 2 samples, NaN and infinity,
        and what `check_options` raises. Warns (UserWarning) of fewer samples than neighbors.
        """
        self._check_options()
        if self.min_dist > self.spread:
            raise ValueError(f"min_dist ({self.min_dist}) must be at most spread ({self.spread})")
        x = samples(self, X, fitting=True, least=2)
        random = generator_of(self.random_state)
        codes = None if y is None else _codes_of(self, y, x.shape[0])
        self._count = self._neighbors_of(x)
        self._tell(f"searches {self._count} neighbors of {x.shape[0]} samples")
        rows, apart = near_others(x, self.metric, self._count)
        graph = in_both_directions(
            rows, memberships(apart, self.local_connectivity), self.set_op_mix_ratio
        )
        if codes is not None:
            graph = with_classes(graph, codes, self.target_weight)
        self.graph_ = graph
        self._curve = fitted_curve(float(self.min_dist), float(self.spread))
        self._tell(f"embeds a graph of {len(graph.others)} edges")
        places = self._embedded(x, graph, random)
        self._seed = int(random.randint(2**31 - 1))
        self._x = None if self.metric == "precomputed" else x
        self.embedding_ = given_as(X, places.astype(np.float32))
        return self

    def _neighbors_of(self, x: ndarray) -> int:
        """How many neighbors a sample has, itself not included."""
        if self.metric == "precomputed" and x.shape[0] != x.shape[1]:
            raise ValueError(f"Distance matrix should be square, got matrix of shape {x.shape}")
        if self.n_neighbors > x.shape[0]:
            warn_user(
                f"n_neighbors ({self.n_neighbors}) is more than the number of samples; "
                f"{x.shape[0]} are taken"
            )
        return min(self.n_neighbors, x.shape[0]) - 1

    def _embedded(self, x: ndarray, graph: Graph, random: Any) -> np.ndarray:
        passes = self.n_epochs
        if passes is None:
            passes = 500 if x.shape[0] <= _FEW else 200
        if isinstance(self.init, str):
            features = None if self.metric == "precomputed" else x
            places = first_places(self.init, graph, features, self.n_components, random)
        else:
            places = np.array(self.init, np.float64)
            if places.shape != (x.shape[0], self.n_components):
                raise ValueError(
                    f"init has the shape {places.shape}, which should be "
                    f"{(x.shape[0], self.n_components)}"
                )
        schedule = self._schedule(passes, int(random.randint(2**31 - 1)), self.learning_rate)
        greatest = graph.weights.max(initial=0.0)
        shares = graph._replace(weights=graph.weights / (greatest if greatest > 0 else 1))
        with FitProgress(self, passes, "epochs") as progress:
            return optimized(shares, places, self._curve, schedule, reached=progress.reached)

    def _schedule(self, passes: int, seed: int, rate: float) -> Schedule:
        return Schedule(
            passes,
            float(rate),
            int(self.negative_sample_rate),
            float(self.repulsion_strength),
            seed,
        )

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return the places of the samples."""
        return self.fit(X, y).embedding_

    def transform(self, X: Any) -> Any:
        """Return places of samples x features among those of `fit`, which stay: float32.

        A sample that is equal to one of those of `fit` gets its place. Raises NotImplementedError
        for ``"precomputed"``, and ValueError for NaN and infinity.
        """
        x = samples(self, X)
        if self._x is None:
            raise NotImplementedError(
                "UMAP(metric='precomputed').transform is not supported by phalanx.ml"
            )
        there = self._x
        rows, apart = near_others(x.astype(there.dtype), self.metric, self._count, there)
        known = np.asarray(self.embedding_, np.float64)
        weights = memberships(apart, max(self.local_connectivity - 1.0, 0.0))
        near = weights / weights.sum(axis=1, keepdims=True)
        places = np.einsum("ij,ijd->id", near, known[rows])
        # Each sample by itself: its greatest edge is gone along in each pass.
        graph = Graph(
            np.arange(0, rows.size + 1, rows.shape[1]),
            rows.ravel(),
            (weights / weights.max(axis=1, keepdims=True)).ravel(),
        )
        passes = self._passes_of_transform(x.shape[0])
        schedule = self._schedule(passes, self._seed, self.learning_rate / 4.0)
        made = optimized(graph, places, self._curve, schedule, known)
        same = _same_rows(x, there, rows[:, 0])
        made[same] = known[rows[same, 0]]
        return given_as(X, made.astype(np.float32))

    def _passes_of_transform(self, count: int) -> int:
        if self.n_epochs is not None:
            return int(self.n_epochs) // 3
        # By the samples of `fit`: a sample's place must not depend on those beside it.
        return 100 if self._x is not None and self._x.shape[0] <= _FEW else 30


def _same_rows(x: ndarray, there: ndarray, rows: np.ndarray) -> np.ndarray:
    nearest = there[px.asarray(rows)]
    return np.asarray(px.all(x.astype(there.dtype) == nearest, axis=1))


def _codes_of(model: UMAP, y: Any, count: int) -> np.ndarray:
    """A number for each class, and -1 for the class -1, which is not known."""
    classes, codes = classes_of(model, y, count)
    return np.where(classes == -1, -1, np.arange(len(classes)))[codes]
