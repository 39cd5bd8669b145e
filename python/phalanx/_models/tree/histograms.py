"""Histograms of a node: sums of its samples by the bins of a feature, without the empty ones."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ... import njit
from .criteria import FIRST, WEIGHT

# Nodes of fewer samples sort them, which is less work than to look through all bins.
_FEW = 24


@cache
def adder(is_class: bool) -> Any:
    """A function that adds a sample to a row of sums."""

    @njit
    def add(row: Any, target: Any, weight: Any) -> None:
        row[0] += 1.0
        row[WEIGHT] += weight
        if is_class:
            row[FIRST + np.int64(target)] += weight
        else:
            row[FIRST] += weight * target

    return add


@cache
def _by_sorting(is_class: bool) -> Any:
    add = adder(is_class)

    @njit
    def by_sorting(codes: Any, rows: Any, room: Any) -> Any:
        ids, order, keys = room.ids[0], room.ids[1], room.ids[2]
        n = rows.shape[0]
        for i in range(n):
            code = np.int64(codes[rows[i]])
            j = i
            while j > 0 and keys[j - 1] > code:
                keys[j] = keys[j - 1]
                order[j] = order[j - 1]
                j -= 1
            keys[j] = code
            order[j] = i
        groups = 0
        for j in range(n):
            if groups == 0 or ids[groups - 1] != keys[j]:
                ids[groups] = keys[j]
                groups += 1
            add(room.hist[groups - 1], room.targets[order[j]], room.weights[order[j]])
        return groups

    return by_sorting


@cache
def _by_bins(is_class: bool) -> Any:
    add = adder(is_class)

    @njit
    def by_bins(codes: Any, rows: Any, room: Any) -> Any:
        hist, ids = room.hist, room.ids[0]
        for i in range(rows.shape[0]):
            add(hist[codes[rows[i]]], room.targets[i], room.weights[i])
        groups = 0
        for b in range(hist.shape[0]):
            if hist[b, 0] > 0.0:
                ids[groups] = b
                if groups != b:
                    for k in range(hist.shape[1]):
                        hist[groups, k] = hist[b, k]
                        hist[b, k] = 0.0
                groups += 1
        return groups

    return by_bins


@cache
def histogram_of(is_class: bool) -> Any:
    """A function that fills the histogram of a node, which was 0, and returns its number of rows.

    It has a row of sums for each bin with samples, in order; ``ids[0]`` gets their bins.
    """
    by_sorting, by_bins = _by_sorting(is_class), _by_bins(is_class)

    @njit
    def histogram(codes: Any, rows: Any, room: Any) -> Any:
        if rows.shape[0] <= _FEW:
            return by_sorting(codes, rows, room)
        return by_bins(codes, rows, room)

    return histogram
