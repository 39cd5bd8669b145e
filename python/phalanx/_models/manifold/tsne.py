"""t-distributed stochastic neighbor embedding."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from ..._arrays.ndarray import ndarray
from ..base import ClassNamePrefixFeaturesOutMixin, Estimator, TransformerMixin
from ..decomposition.pca import PCA
from ..fit_progress import FitProgress
from ..neighbors.distances import NAMES
from ..options import ARRAY, BOOL, NONE, RANDOM, Rule, generator_of, one_of, real, whole
from ..validation import given_as, samples
from .affinities import affinities
from .descent_steps import Forces, State, move
from .grid_repulsion import Interpolated
from .neighbor_graph import near_others
from .repulsion import of_all_pairs

_EXPLORING = 250  # steps with exaggerated affinities
_CHECKED = 50  # steps from one look at the divergence to the next
_FEW = 6000  # samples, all pairs of which take less time than the interpolation
_SPREAD = 1e-4  # of the places to begin with


class _Phase(NamedTuple):
    """Steps that are alike: where they end, momentum, exaggeration, and how long they may fail."""

    end: int
    momentum: float
    exaggeration: float
    patience: int


class TSNE(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):  # type: ignore[misc]
    """t-SNE: places in few dimensions, where neighbors of a sample are likely its neighbors.

    Of L. van der Maaten and G. Hinton, "Visualizing data using t-SNE" (2008), with scikit-learn's
    steps. Of more than 6,000 samples in two dimensions the push of all others is interpolated from
    a grid (see `grid_repulsion` for the paper); else all pairs are summed up. The nearest neighbors
    are exact but on the host of more than 8,192 samples, by ``"euclidean"`` or ``"cosine"``, where
    at least nine of ten are found. They and the sums over pairs are computed where the samples are,
    the rest on the host.

    Parameters are scikit-learn's; `angle` and `n_jobs` change nothing. ``"exact"`` as `method` has
    affinities of all pairs, and sums up all pairs. `metric` is one of `NearestNeighbors`'s,
    ``"cosine"``, or ``"precomputed"``.

    Attributes: `embedding_` (samples x components, float32), `kl_divergence_`, `n_iter_`,
    `learning_rate_`, `n_features_in_`, `feature_names_in_`. Arrays are NumPy's unless `fit` got
    ours.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_components": whole(1),
        "perplexity": real(0, closed="neither"),
        "early_exaggeration": real(1),
        "learning_rate": one_of("auto") | real(0, closed="neither"),
        "max_iter": whole(250),
        "n_iter_without_progress": whole(-1),
        "min_grad_norm": real(0),
        "metric": one_of(*NAMES, "cosine", "precomputed").refusing("correlation", "hamming"),
        "metric_params": NONE,
        "init": one_of("pca", "random") | ARRAY,
        "verbose": whole(0) | BOOL,
        "random_state": RANDOM,
        "method": one_of("barnes_hut", "exact"),
        "angle": real(0, 1),
        "n_jobs": whole() | NONE,
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        perplexity: float = 30.0,
        early_exaggeration: float = 12.0,
        learning_rate: Any = "auto",
        max_iter: int = 1000,
        n_iter_without_progress: int = 300,
        min_grad_norm: float = 1e-7,
        metric: str = "euclidean",
        metric_params: Any = None,
        init: Any = "pca",
        verbose: int = 0,
        random_state: Any = None,
        method: str = "barnes_hut",
        angle: float = 0.5,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.perplexity = perplexity
        self.early_exaggeration = early_exaggeration
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.n_iter_without_progress = n_iter_without_progress
        self.min_grad_norm = min_grad_norm
        self.metric = metric
        self.metric_params = metric_params
        self.init = init
        self.verbose = verbose
        self.random_state = random_state
        self.method = method
        self.angle = angle
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        """scikit-learn's tags: samples may be distances."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def fit(self, X: Any, y: Any = None) -> Self:
        """Embed samples x features, or a square matrix of distances.

        Raises what `fit_transform` raises.
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Return the places of samples x features, or of a square matrix of distances, float32.

        Raises ValueError for a perplexity that is not below the number of samples, for more than 3
        components unless `method` is ``"exact"``, distances that are negative or not square, NaN
        and infinity, and what `check_options` raises.
        """
        self._check_options()
        x = samples(self, X, fitting=True, least=2)
        self._check_together(x)
        count = x.shape[0]
        rate = max(count / self.early_exaggeration / 4, 50)
        self.learning_rate_ = rate if self.learning_rate == "auto" else self.learning_rate
        is_exact = self.method == "exact"
        most = count - 1 if is_exact else min(count - 1, int(3.0 * self.perplexity + 1))
        self._tell(f"Computing {most} nearest neighbors...")
        rows, apart = near_others(x, self.metric, most)
        graph = affinities(rows, apart * apart, self.perplexity)
        # Their rounding keeps descents from optima where samples of one dimension block each other.
        places = self._first_places(x).astype(np.float32)
        freedom = max(self.n_components - 1, 1)
        interpolates = not is_exact and self.n_components == 2 and count > _FEW
        of_pairs = partial(of_all_pairs, freedom=freedom, device=x.device)
        push = Interpolated() if interpolates else of_pairs
        embedded = self._descend(Forces(graph, freedom, push), places)
        self.embedding_ = given_as(X, embedded.astype(np.float32))
        return self.embedding_

    def _tell(self, text: str) -> None:
        if self.verbose:
            print(f"[t-SNE] {text}")

    def _check_together(self, x: ndarray) -> None:
        if self.perplexity >= x.shape[0]:
            raise ValueError(
                f"perplexity ({self.perplexity}) must be less than n_samples ({x.shape[0]})"
            )
        if self.method == "barnes_hut" and self.n_components > 3:
            raise ValueError(
                "'n_components' should be inferior to 4 for the barnes_hut algorithm; use "
                "method='exact' for more"
            )
        if self.metric != "precomputed":
            return
        if isinstance(self.init, str) and self.init == "pca":
            raise ValueError('The parameter init="pca" cannot be used with metric="precomputed".')
        if x.shape[0] != x.shape[1]:
            raise ValueError("X should be a square distance matrix")
        if bool((np.asarray(x) < 0).any()):
            raise ValueError(
                "Negative values in data passed to TSNE.fit(). With metric='precomputed', X should "
                "contain positive distances."
            )

    def _first_places(self, x: ndarray) -> np.ndarray:
        shape = x.shape[0], self.n_components
        random = generator_of(self.random_state)
        if not isinstance(self.init, str):
            given = np.array(self.init, np.float64)
            if given.shape != shape:
                raise ValueError(f"init has the shape {given.shape}, which should be {shape}")
            return given
        if self.init == "random":
            return _SPREAD * random.standard_normal(size=shape)
        made = np.asarray(PCA(self.n_components, random_state=random).fit_transform(x), np.float64)
        spread = np.std(made[:, 0])
        return made / (spread if spread > 0 else 1) * _SPREAD

    def _descend(self, forces: Forces, places: np.ndarray) -> np.ndarray:
        """Go down the divergence in two phases, with gains of single coordinates."""
        state = State(places, np.zeros_like(places), np.ones_like(places))
        step = 0
        phases = (
            _Phase(_EXPLORING, 0.5, self.early_exaggeration, _EXPLORING),
            _Phase(self.max_iter, 0.8, 1.0, self.n_iter_without_progress),
        )
        with FitProgress(self, self.max_iter, "iterations") as progress:
            for phase in phases:
                state.update[:], state.gains[:] = 0.0, 1.0
                step = self._run(forces, state, phase, step, progress)
                progress.tell(
                    f"[t-SNE] KL divergence after {step} iterations: {self.kl_divergence_:f}"
                )
        self.n_iter_ = step - 1
        return places

    def _run(
        self, forces: Forces, state: State, phase: _Phase, step: int, progress: FitProgress
    ) -> int:
        best, best_step = np.inf, step
        while step < phase.end:
            gradient, total = forces.gradient(state.places, phase.exaggeration)
            is_checked = (step + 1) % _CHECKED == 0 or step + 1 == phase.end
            if is_checked:
                self.kl_divergence_ = forces.divergence(state.places, total, phase.exaggeration)
            move(tuple(state), gradient, float(self.learning_rate_), phase.momentum)
            step += 1
            progress.reached(step)
            if not is_checked:
                continue
            error, norm = self.kl_divergence_, float(np.linalg.norm(gradient))
            progress.tell(
                f"[t-SNE] Iteration {step}: error = {error:.7f}, gradient norm = {norm:.7f}"
            )
            if error < best:
                best, best_step = error, step
            elif step - best_step > phase.patience:
                break
            if norm <= self.min_grad_norm:
                break
        return step
