"""k-means over blocks: at each step the sums of clusters are added up."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ..cluster import kmeans
from ..cluster.cluster_sums import ClusterSums
from ..cluster.distance_kernels import less, nearest, own_squares
from ..cluster.lloyd_steps import DeviceSums
from ..cluster.seeding import SEEDINGS
from ..cluster.steps_of_processes import StepsOfProcess
from ..cluster.steps_over_devices import StepsOverDevices, reach_each_other
from ..options import generator_of
from .reduction import Reduction, beside
from .source import Block, Prepared, Queued, Source, added, queues_where, refuse_no_weight

_MOST_FOR_SEEDS = 1 << 17  # samples that come to this process, from which first centers are drawn


class _Run(NamedTuple):
    """What a run from some centers ended with: centers less the mean of the samples."""

    centers: np.ndarray
    inertia: float
    met: np.ndarray  # how many samples each cluster has
    steps: int
    labels: Any  # where the source has all samples; else None


class _Outline(NamedTuple):
    """Of samples, without their weights: features' means and sums of squares around them."""

    samples: int
    total: float  # of the weights
    mean: np.ndarray  # float64, as the next
    squares: np.ndarray
    dtype: np.dtype
    is_weighted: bool


class _Ending(NamedTuple):
    """When steps end: the squared shift that centers must have to go on, and the most steps."""

    tolerance: float
    most: int


def _outline_of(block: Block) -> _Outline:
    x, weight = block.x, block.weight
    mean = px.mean(x, axis=0, dtype=np.float64, keepdims=True)
    return _Outline(
        x.shape[0],
        float(x.shape[0] if weight is None else px.sum(weight, dtype=np.float64)),
        np.asarray(mean[0]),
        np.asarray(px.var(x, axis=0, dtype=np.float64, mean=mean)) * x.shape[0],
        x.dtype,
        weight is not None,
    )


def _of_both(first: _Outline, second: _Outline) -> _Outline:
    """T. Chan, G. Golub and R. LeVeque, "Updating formulae" (1979)."""
    samples = first.samples + second.samples
    apart, share = second.mean - first.mean, second.samples / samples
    return _Outline(
        samples,
        first.total + second.total,
        first.mean + apart * share,
        first.squares + second.squares + apart * apart * (first.samples * share),
        np.promote_types(first.dtype, second.dtype),
        first.is_weighted or second.is_weighted,
    )


def _moved(block: Block, middle: np.ndarray) -> Prepared:
    """The samples, the same less the mean of all, that mean, and their weights."""
    there = px.asarray(middle, device=block.x.device)
    return Prepared(*kmeans.Data(block.x, less(block.x, there), there, block.weight))


def _here(centers: np.ndarray, block: Prepared) -> Any:
    return px.asarray(centers, device=block.data[0].device)


def _nearest(block: Prepared, centers: np.ndarray) -> Any:
    return nearest(kmeans.Data(*block.data).moved, _here(centers, block))


def _stays(block: Prepared, centers: np.ndarray) -> bool:
    return kmeans.steps_stay(kmeans.Data(*block.data).moved, len(centers))


@queues_where(_stays)
def _sums(block: Prepared, centers: np.ndarray) -> Any:
    """Of each cluster the sums of features less the mean, the weight, and the samples.

    Sums are kept for the next step; on a GPU they are computed there, where they have room.
    """
    data, count = kmeans.Data(*block.data), len(centers)
    if _stays(block, centers):
        on_device = _sums_there(block, count)
        return Queued(on_device.queued(centers), lambda sums: (on_device.table(sums),))
    sums = block.kept(lambda x, moved, middle, weight: ClusterSums(x, weight, count))
    sums.move(_nearest(block, centers))
    table = sums.table.copy()
    table[:, :-2] -= table[:, -2:-1] * np.asarray(data.middle)
    return (table,)


def _sums_there(block: Prepared, clusters: int) -> DeviceSums:
    made: DeviceSums = block.kept(
        lambda x, moved, middle, weight: DeviceSums(moved, weight, clusters)
    )
    return made


class _OverProcesses:
    """Steps of several processes, each with the blocks that it has."""

    def __init__(self, blocks: Source) -> None:
        self._blocks = blocks

    def run(self, centers: np.ndarray, most: int, tolerance: float) -> tuple[np.ndarray, int, bool]:
        """As `StepsOverDevices.run`."""
        made: tuple[np.ndarray, int, bool] = self._blocks.together(
            _steps_of_process, centers, most, tolerance
        )
        return made


def _rows_of_process(blocks: Sequence[Any], reduction: Reduction, centers: np.ndarray) -> int:
    """The most blocks that a process has; 0 where some have to be added up by the host."""
    stay = all(
        each is not None and _stays(each, centers) and each.data[0].dtype == centers.dtype
        for each in blocks
    )
    counts = beside(reduction, len(blocks) if stay else 0)
    return int(counts.max()) if counts.all() else 0


def _steps_of_process(
    blocks: Sequence[Any], reduction: Reduction, centers: np.ndarray, most: int, tolerance: float
) -> tuple[np.ndarray, int, bool]:
    clusters, features = centers.shape
    rows = int(beside(reduction, len(blocks)).max())
    sums = [_sums_there(each, clusters) for each in blocks]
    return StepsOfProcess(sums, features, reduction, rows).run(centers, most, tolerance)


def _without_the_host(
    blocks: Source, centers: np.ndarray
) -> StepsOverDevices | _OverProcesses | None:
    """Steps whose sums and centers stay on devices, where these have kernels for that."""
    if blocks.together(_rows_of_process, centers):
        return _OverProcesses(blocks)
    return _over_devices(blocks, centers)


def _over_devices(blocks: Source, centers: np.ndarray) -> StepsOverDevices | None:
    """Steps of the devices of this process, where they reach each other."""
    there = blocks.here()
    samples = [kmeans.Data(*each.data).moved for each in there]
    clusters, features = centers.shape
    if not there or not all(kmeans.steps_stay(each, clusters) for each in samples):
        return None
    if not reach_each_other(samples):
        return None
    return StepsOverDevices([_sums_there(each, clusters) for each in there], features)


def _inertia(block: Prepared, centers: np.ndarray, labels: Any = None) -> tuple[float, np.ndarray]:
    """The inertia, and how many samples each cluster has."""
    data = kmeans.Data(*block.data)
    labels = _nearest(block, centers) if labels is None else labels
    met = np.asarray(px.bincount(labels, minlength=len(centers)))
    return kmeans.inertia_of(data.moved, data.weight, _here(centers, block), labels), met


def _far(block: Prepared, centers: np.ndarray, count: int) -> list[Any]:
    """The samples farthest from their centers: squares, labels, weights, features less the mean."""
    data, labels = kmeans.Data(*block.data), _nearest(block, centers)
    squares = np.asarray(own_squares(data.moved, _here(centers, block), labels))
    made = []
    for row in np.argsort(-squares, kind="stable")[:count].tolist():
        weight = 1.0 if data.weight is None else float(data.weight[row])
        features = np.asarray(data.moved[row], np.float64)
        made.append((float(squares[row]), int(labels[row]), weight, features))
    return made


def _farthest(count: int, first: list[Any], second: list[Any]) -> list[Any]:
    return sorted([*first, *second], key=lambda each: -each[0])[:count]


def _rows(block: Block, rows: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
    """Some samples of a block, or all, with their weights."""
    taken = slice(None) if rows is None else px.asarray(rows, device=block.x.device)
    weight = None if block.weight is None else np.asarray(block.weight[taken])
    return np.asarray(block.x[taken]), weight


def _drawn(blocks: Source, count: int, random: Any) -> list[Any]:
    """All samples with their weights, or some that are drawn by their number among all.

    So they do not depend on how samples are cut into blocks. One that is drawn twice is there once.
    """
    if count <= _MOST_FOR_SEEDS:
        found = blocks.each(_rows, None)
    else:
        ends = np.cumsum(blocks.lengths())
        rows = np.unique(random.randint(count, size=_MOST_FOR_SEEDS, dtype=np.int64))
        cut = np.split(rows, np.searchsorted(rows, ends[:-1]))
        found = blocks.each(_rows, of_blocks=[a - b for a, b in zip(cut, [0, *ends], strict=False)])
    return [each for each in found if each is not None]


def _seeds(
    model: Any, blocks: Source, found: _Outline, middle: np.ndarray, random: Any
) -> kmeans.Data:
    """The samples from which first centers are drawn."""
    there = px.asarray(middle)
    needs = isinstance(model.init, str) and model.init in SEEDINGS
    if not needs and not callable(model.init):
        none = px.zeros((0, len(middle)), found.dtype)
        return kmeans.Data(none, none, there, None)
    drawn = _drawn(blocks, found.samples, random)
    x = px.asarray(np.concatenate([each for each, _ in drawn]))
    own = [each for _, each in drawn if each is not None]
    weight = px.asarray(np.concatenate(own)) if own else None
    return kmeans.Data(x, less(x, there), there, weight)


def fit(model: Any, blocks: Source) -> None:
    """Find the clusters, all of `KMeans` but its labels.

    Raises ValueError for fewer samples than clusters and for weights that are all 0.
    """
    found: _Outline = blocks.reduced(_outline_of, _of_both)
    if found.samples < model.n_clusters:
        raise ValueError(f"n_samples={found.samples} should be >= n_clusters={model.n_clusters}.")
    refuse_no_weight(found.total)
    middle = found.mean.astype(found.dtype)
    spread = float(np.mean(found.squares) / found.samples)
    ending = _Ending(model.tol * spread, model.max_iter)
    random = generator_of(model.random_state)
    seeds = _seeds(model, blocks, found, middle, random)
    moved = blocks.prepared(_moved, middle)
    runs = (
        _run(moved, model._first_centers(seeds, random), ending, verbose=bool(model.verbose))
        for _ in range(model._runs())
    )
    best = min(runs, key=lambda run: run.inertia)
    found_labels = px.asarray(np.flatnonzero(best.met))
    model._keep(None, kmeans.Run(found_labels, best.inertia, best.centers, best.steps), middle)
    model.labels_ = best.labels


def _run(blocks: Source, centers: np.ndarray, ending: _Ending, *, verbose: bool) -> _Run:
    centers, steps = _steps(blocks, centers, ending, verbose=verbose)
    labels = blocks.rows(_nearest, centers)
    own = None if labels is None else labels.parts
    inertia, met = blocks.reduced(_inertia, added, centers, of_blocks=own)
    return _Run(centers, inertia, met, steps, labels)


def _steps(
    blocks: Source, centers: np.ndarray, ending: _Ending, *, verbose: bool
) -> tuple[np.ndarray, int]:
    """The centers after the last step, and how many there were."""
    over_devices = None if verbose else _without_the_host(blocks, centers)
    step, has_ended = 0, False
    while not has_ended and step < ending.most:
        if over_devices is not None:
            centers, made, has_ended = over_devices.run(
                centers, ending.most - step, ending.tolerance
            )
            step += made
        if not has_ended:
            centers, shift = _step(blocks, centers)
            if verbose:
                print(f"Iteration {step}, squared shift of the centers {shift:.6e}.")
            step += 1
            has_ended = shift <= ending.tolerance
    return centers, step


def _step(blocks: Source, centers: np.ndarray) -> tuple[np.ndarray, float]:
    """A step whose sums come to the host; the centers after it, and their squared shift."""
    (table,) = blocks.reduced(_sums, added, centers)
    made = _means(blocks, table, centers)
    return made, float(((made - centers).astype(np.float64) ** 2).sum())


def _means(blocks: Source, table: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """The means of clusters; far samples for those that have none."""
    empty = np.flatnonzero(table[:, -1] <= 0)
    if len(empty):
        table = table.copy()
        farthest = functools.partial(_farthest, len(empty))
        far = blocks.reduced(_far, farthest, centers, len(empty))
        for cluster, (_, label, weight, features) in zip(empty, far, strict=False):
            moved = np.append(features * weight, [weight, 1])
            table[cluster] = moved
            table[label] -= moved
    with np.errstate(invalid="ignore", divide="ignore"):
        made = table[:, :-2] / table[:, -2:-1]
    return np.where(table[:, -2:-1] > 0, made, centers).astype(centers.dtype)
