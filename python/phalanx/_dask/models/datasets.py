"""Data sets drawn by chance in Dask's blocks, each by a task with a seed of its own."""

from __future__ import annotations

import numbers
from typing import Any, NamedTuple

import dask
import dask.array as da
import numpy as np

import phalanx as px

from ..._models.datasets import blobs, classification
from ..._models.datasets.output import check_count
from ..._models.draws import shuffled
from ..._models.options import generator_of
from .blocks import client_of

_SEEDS = 2**31 - 1


class _Cut(NamedTuple):
    """How many samples each block has, its seed, and the dtype of all."""

    counts: list[int]
    seeds: list[int]
    dtype: np.dtype

    def arrays(self, made: list[Any], features: int, target: Any) -> tuple[Any, Any]:
        """Samples and targets as Dask's arrays, of delayed pairs of both; `target` has no rows."""
        like = px.empty((0, features), self.dtype)
        pairs = list(zip(made, self.counts, strict=True))
        x = [da.from_delayed(each[0], (count, features), meta=like) for each, count in pairs]
        y = [
            da.from_delayed(each[1], (count, *target.shape[1:]), meta=target)
            for each, count in pairs
        ]
        return da.concatenate(x), da.concatenate(y)


def _cut(n_samples: Any, n_parts: Any, dtype: Any, random: Any) -> _Cut:
    check_count("n_samples", n_samples)
    if n_parts is None:
        client = client_of()
        n_parts = 1 if client is None else max(1, len(client.nthreads()))
    check_count("n_parts", n_parts)
    if np.dtype(dtype).kind != "f":
        raise ValueError(f"The 'dtype' of a data set must be a float's. Got {dtype!r} instead.")
    parts = min(n_parts, n_samples)
    counts = [n_samples // parts + (number < n_samples % parts) for number in range(parts)]
    return _Cut(counts, [int(random.randint(_SEEDS)) for _ in counts], np.dtype(dtype))


def _refuse_workers(workers: Any, function: str) -> None:
    if workers is not None:
        raise NotImplementedError(
            f"{function}(workers=...) is not supported by phalanx.ml.dask: tasks go to all "
            "workers; use dask.annotate(workers=...) where they are computed"
        )


def _ours(x: np.ndarray, y: np.ndarray, dtype: np.dtype, shuffle: Any = None) -> tuple[Any, Any]:
    """Both as arrays of ours, in one random order if `shuffle` is a generator."""
    if shuffle is not None:
        x, y = shuffled(shuffle, x, y)
    targets = y.astype(dtype) if y.dtype.kind == "f" else y
    return px.asarray(np.ascontiguousarray(x, dtype)), px.asarray(np.ascontiguousarray(targets))


def _blob(
    counts: list[int], centers: Any, spread: Any, shuffle: bool, seed: int, dtype: Any
) -> Any:
    random = np.random.RandomState(seed)
    middle = np.repeat(centers, counts, axis=0)
    x = middle + random.standard_normal(middle.shape) * np.repeat(spread, counts)[:, None]
    y = np.repeat(np.arange(len(counts)), counts)
    return _ours(x, y, dtype, random if shuffle else None)


def make_blobs(
    n_samples: Any = 100,
    n_features: int = 2,
    centers: Any = None,
    cluster_std: Any = 1.0,
    n_parts: int | None = None,
    center_box: tuple[float, float] = (-10.0, 10.0),
    shuffle: bool = True,
    random_state: Any = None,
    return_centers: bool = False,
    *,
    dtype: Any = "float32",
    client: Any = None,
    workers: Any = None,
) -> Any:
    """Return normal samples x features around centers, and the number of each one's center.

    Both are Dask's arrays of `n_parts` blocks of ours: as many as the cluster has workers unless
    given, without a cluster one. Parameters are those of `phalanx.ml.datasets.make_blobs`; each
    block has its share of all centers, and rows are shuffled within it. `client` changes nothing.
    With `return_centers` also these, NumPy's. Raises ValueError for numbers that do not fit each
    other, NotImplementedError for `workers`.
    """
    _refuse_workers(workers, "make_blobs")
    random = generator_of(random_state)
    each = None if isinstance(n_samples, numbers.Integral) else [int(one) for one in n_samples]
    total = n_samples if each is None else sum(each)
    centers = blobs.centers_of(centers, each, n_features, center_box, random)
    spread = blobs.spreads_of(cluster_std, centers)
    cut = _cut(total, n_parts, dtype, random)
    shares = _shares(blobs.counts_of(each, total, len(centers)), cut.counts)
    draw = dask.delayed(_blob, nout=2)
    made = [
        draw(share, centers, spread, shuffle, seed, cut.dtype)
        for share, seed in zip(shares, cut.seeds, strict=True)
    ]
    x, y = cut.arrays(made, centers.shape[1], px.empty(0, np.int64))
    return (x, y, centers) if return_centers else (x, y)


def _shares(of_centers: list[int], of_blocks: list[int]) -> list[list[int]]:
    """How many samples of each center each block has: all centers take turns."""
    places = np.concatenate([np.arange(count) / max(count, 1) for count in of_centers])
    owners = np.repeat(np.arange(len(of_centers)), of_centers)[np.argsort(places, kind="stable")]
    parts = np.split(owners, np.cumsum(of_blocks)[:-1])
    return [np.bincount(part, minlength=len(of_centers)).tolist() for part in parts]


class _Corners(NamedTuple):
    """What the clusters of all blocks share."""

    centers: np.ndarray
    stretches: np.ndarray  # clusters x features x features
    mixing: np.ndarray
    copied: np.ndarray
    shift: Any
    scale: Any
    order: np.ndarray  # of the features


class _Classes(NamedTuple):
    number: int
    flipped: float  # the share of samples whose class is drawn
    is_shuffled: bool


def _classified(sizes: list[int], shared: _Corners, of: _Classes, seed: int, dtype: Any) -> Any:
    random = np.random.RandomState(seed)
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    drawn = random.standard_normal((len(clusters), shared.centers.shape[1]))
    for cluster, stretch in enumerate(shared.stretches):
        rows = clusters == cluster
        drawn[rows] = drawn[rows] @ stretch + shared.centers[cluster]
    made = np.hstack([drawn, drawn @ shared.mixing])
    made = np.hstack([made, made[:, shared.copied]])
    noise = random.standard_normal((len(made), len(shared.order) - made.shape[1]))
    x = (np.hstack([made, noise]) + shared.shift) * shared.scale
    y = clusters % of.number
    flipped = random.uniform(size=len(y)) < of.flipped
    y[flipped] = random.randint(of.number, size=flipped.sum())
    return _ours(x[:, shared.order], y, dtype, random if of.is_shuffled else None)


def make_classification(
    n_samples: int = 100,
    n_features: int = 20,
    n_informative: int = 2,
    n_redundant: int = 2,
    n_repeated: int = 0,
    n_classes: int = 2,
    n_clusters_per_class: int = 2,
    weights: Any = None,
    flip_y: float = 0.01,
    class_sep: float = 1.0,
    hypercube: bool = True,
    shift: Any = 0.0,
    scale: Any = 1.0,
    shuffle: bool = True,
    random_state: Any = None,
    *,
    dtype: Any = "float32",
    n_parts: int | None = None,
    client: Any = None,
    workers: Any = None,
) -> Any:
    """Return samples x features and their classes, as `phalanx.ml.datasets.make_classification`.

    Both are Dask's arrays of `n_parts` blocks of ours, as `make_blobs` gives them. Raises
    ValueError for numbers of features and clusters that do not fit, NotImplementedError for
    `workers`.
    """
    _refuse_workers(workers, "make_classification")
    check_count("n_features", n_features)
    per_class = (n_classes, n_clusters_per_class)
    classification.check_features(n_features, n_informative, n_redundant + n_repeated, *per_class)
    random = generator_of(random_state)
    cut = _cut(n_samples, n_parts, dtype, random)
    clusters, made = n_classes * n_clusters_per_class, n_informative + n_redundant
    shared = _Corners(
        classification.centers_of(clusters, n_informative, class_sep, hypercube, random),
        2 * random.uniform(size=(clusters, n_informative, n_informative)) - 1,
        2 * random.uniform(size=(n_informative, n_redundant)) - 1,
        ((made - 1) * random.uniform(size=n_repeated) + 0.5).astype(np.intp),
        *classification.shift_and_scale(shift, scale, class_sep, n_features, random),
        random.permutation(n_features) if shuffle else np.arange(n_features),
    )
    draw, of = dask.delayed(_classified, nout=2), _Classes(n_classes, flip_y, shuffle)
    blocks = [
        draw(classification.sizes_of(count, weights, *per_class), shared, of, seed, cut.dtype)
        for count, seed in zip(cut.counts, cut.seeds, strict=True)
    ]
    return cut.arrays(blocks, n_features, px.empty(0, np.int64))


def _sloped(count: int, truth: np.ndarray, bias: float, noise: float, seed: int, dtype: Any) -> Any:
    random = np.random.RandomState(seed)
    x = random.standard_normal((count, len(truth)))
    y = x @ truth + bias
    if noise > 0:
        y = y + random.normal(scale=noise, size=y.shape)
    return _ours(x, y, dtype)


def make_regression(
    n_samples: int = 100,
    n_features: int = 100,
    n_informative: int = 10,
    n_targets: int = 1,
    bias: float = 0.0,
    effective_rank: int | None = None,
    tail_strength: float = 0.5,
    noise: float = 0.0,
    shuffle: bool = False,
    coef: bool = False,
    random_state: Any = None,
    *,
    n_parts: int | None = None,
    dtype: Any = "float32",
    client: Any = None,
    workers: Any = None,
) -> Any:
    """Return samples x features, targets linear in some of them, and with `coef` the coefficients.

    Both are Dask's arrays of `n_parts` blocks of ours, as `make_blobs` gives them; coefficients are
    NumPy's. With `shuffle` any features count, else the first ones; rows are independent as they
    are. Raises ValueError for no samples, features or targets, NotImplementedError for
    `effective_rank` and `workers`.
    """
    _refuse_workers(workers, "make_regression")
    if effective_rank is not None:
        raise NotImplementedError(
            f"make_regression(effective_rank={effective_rank}) is not supported by phalanx.ml.dask,"
            " as it needs all samples; phalanx.ml.datasets.make_regression has it"
        )
    check_count("n_features", n_features)
    check_count("n_targets", n_targets)
    random = generator_of(random_state)
    cut = _cut(n_samples, n_parts, dtype, random)
    used = min(n_features, n_informative)
    truth = np.zeros((n_features, n_targets))
    truth[:used] = 100 * random.uniform(size=(used, n_targets))
    if shuffle:
        truth = truth[random.permutation(n_features)]
    truth = truth[:, 0] if n_targets == 1 else truth
    draw = dask.delayed(_sloped, nout=2)
    made = [
        draw(count, truth, bias, noise, seed, cut.dtype)
        for count, seed in zip(cut.counts, cut.seeds, strict=True)
    ]
    x, y = cut.arrays(made, n_features, px.empty((0, *truth.shape[1:]), cut.dtype))
    return (x, y, truth) if coef else (x, y)
