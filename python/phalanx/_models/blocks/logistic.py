"""Logistic regression: the loss and its slopes, added up over blocks at each step."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..classes import weights_of_classes
from ..linear_model import logistic
from ..linear_model.centers import Centers, centers_of
from ..linear_model.lbfgs import Ending
from ..linear_model.logistic_loss import Loss, loss_of
from ..linear_model.logistic_penalty import Penalty, Problem, penalty_of, refuse_classes
from ..linear_model.units import mean_sizes, rounding_of
from .classes import classes_met, codes_in
from .source import Block, Prepared, Shape, Source, added, refuse_no_weight


def _coded(block: Block, classes: np.ndarray, of_class: np.ndarray | None) -> Prepared:
    """The samples, the numbers of their classes, and their weights times those of the classes."""
    x, weight, codes = block.x, block.weight, codes_in(block, classes)
    if of_class is not None:
        own = px.asarray(of_class[codes].astype(x.dtype), device=x.device)
        weight = own if weight is None else own * weight
    return Prepared(x, px.asarray(codes, device=x.device), weight)


def _total(block: Prepared) -> float:
    x, _, weight = block.data
    return float(x.shape[0] if weight is None else px.sum(weight, dtype=np.float64))


def _centers(block: Prepared) -> tuple[np.ndarray, float]:
    """The weighted means of a block's features, and its weight."""
    x, _, weight = block.data
    total = _total(block)
    return np.asarray(centers_of(x, weight if total else None), np.float64), total


def _merged(first: tuple[Any, float], second: tuple[Any, float]) -> tuple[Any, float]:
    """The means of both; a feature that is the same in all samples keeps its number."""
    total = first[1] + second[1]
    share = second[1] / total if total else 0.0
    return first[0] + (second[0] - first[0]) * share, total


def _less(block: Prepared, centers: np.ndarray) -> Prepared:
    x, *others = block.data
    return Prepared(x - px.asarray(centers.astype(x.dtype), device=x.device), *others)


def _sizes(block: Prepared) -> tuple[np.ndarray, float]:
    """The weighted sums of features' absolute values, and the weight of all."""
    x, _, weight = block.data
    total = _total(block)
    return (mean_sizes(x, weight) * total if total else np.zeros(x.shape[1])), total


def _loss(block: Prepared, rows: int, intercept: bool, flat: np.ndarray) -> Any:
    """The loss of a block and its slopes, which are sums."""
    total = _total(block)
    if not total:
        return 0.0, np.zeros_like(flat)

    def make(x: Any, codes: Any, weight: Any) -> Loss:
        zeros = np.zeros((rows, x.shape[1] + intercept))
        return loss_of(x, codes, weight, rows, zeros, intercept=intercept)

    value, slopes = block.kept(make)(flat)
    return value * total, slopes * total


def _problem(model: Any, blocks: Source, penalty: Penalty, dtype: np.dtype) -> Problem:
    """The problem of samples in blocks, which are centered as those of one device are."""
    rows = 1 if len(model.classes_) == 2 else len(model.classes_)
    intercept, centers, plain = bool(model.fit_intercept), None, blocks
    if intercept and not penalty.of_intercept:
        middle = blocks.reduced(_centers, _merged)[0].astype(dtype)
        blocks, centers = plain.prepared(_less, middle), Centers(middle.astype(np.float64))
    with np.errstate(invalid="ignore", over="ignore"):
        sizes, total = blocks.reduced(_sizes, added)
    if centers is not None and not np.isfinite(sizes).all():
        # Of samples in which numbers of both ends of the dtype's range meet.
        blocks, centers = plain, Centers(np.zeros(len(sizes)))
        sizes, total = blocks.reduced(_sizes, added)

    def loss_with(squares: np.ndarray) -> Loss:
        def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
            value, slopes = blocks.reduced(_loss, added, rows, intercept, flat)
            table = flat.reshape(rows, -1)
            own = 0.5 * float((squares * table * table).sum())
            return value / total + own, slopes / total + (squares * table).ravel()

        return loss

    all_: Any = Shape((0, len(sizes)), dtype)
    return Problem(loss_with, rows, intercept, sizes / total, total, rounding_of(all_), centers)


def fit(model: Any, blocks: Source) -> None:
    """Find the coefficients: each step of the descent reads the samples once."""
    penalty = penalty_of(model)
    model.classes_, counts, dtype = classes_met(blocks)
    refuse_classes(model.classes_, model.solver)
    of_class = _weights(model, counts)
    refuse_no_weight(counts.sum() if of_class is None else (counts * of_class).sum())
    coded = blocks.prepared(_coded, model.classes_, of_class)
    problem = _problem(model, coded, penalty, dtype)
    rows, features = problem.rows, len(problem.sizes)
    start, ending = model._start(rows, features), Ending(model.tol, model.max_iter)
    found = problem.least(penalty, start, ending, verbose=bool(model.verbose))
    logistic.warn_of_few_steps(found, model.max_iter)
    all_ = Shape((0, features), dtype)
    model._keep(None, found.place.reshape(rows, -1), all_)
    model.n_iter_ = np.array([found.steps], np.int32)


def _weights(model: Any, counts: np.ndarray) -> np.ndarray | None:
    """The weight of each class, by the weights of their samples."""
    if model.class_weight is None:
        return None
    codes: Any = np.arange(len(counts))
    given: Any = counts
    return weights_of_classes(model.class_weight, model.classes_, codes, given)
