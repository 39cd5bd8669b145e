"""Columns of Python's objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..dtypes import OBJECT
from ..missing import is_missing
from .column import Column


class ObjectColumn(Column):
    """An array of objects in the host's memory: for what has no dtype of its own."""

    __slots__ = ("objects",)
    dtype = OBJECT

    def __init__(self, objects: np.ndarray) -> None:
        self.objects = objects

    def __len__(self) -> int:
        return len(self.objects)

    def take(self, rows: ndarray, *, has_missing: bool = False) -> ObjectColumn:
        places = np.asarray(rows)
        if not has_missing:
            return ObjectColumn(self.objects[places])
        made = np.full(len(places), np.nan, object)
        there = places >= 0
        made[there] = self.objects[places[there]]
        return ObjectColumn(made)

    def filter(self, mask: ndarray) -> ObjectColumn:
        return ObjectColumn(self.objects[np.asarray(mask)])

    def slice(self, part: slice) -> ObjectColumn:
        return ObjectColumn(self.objects[part])

    def element(self, row: int) -> Any:
        return self.objects[row]

    def joined(self, others: Sequence[Column]) -> ObjectColumn:
        return ObjectColumn(np.concatenate([self.objects, *(each.to_numpy() for each in others)]))

    def where(self, mask: ndarray, other: Column) -> ObjectColumn:
        return ObjectColumn(np.where(np.asarray(mask), self.objects, other.to_numpy()))

    def isna(self) -> ndarray:
        gone: ndarray = px.asarray(self.missing_rows())
        return gone

    def missing_rows(self) -> np.ndarray:
        """The mask that ``isna`` gives, as an array of NumPy's."""
        return np.fromiter(map(is_missing, self.objects), bool, len(self))

    def missing(self, count: int) -> ObjectColumn:
        return ObjectColumn(np.full(count, np.nan, object))

    def to_numpy(self) -> np.ndarray:
        return self.objects

    def objects_of(self) -> np.ndarray:
        return self.objects

    def tolist(self) -> list[Any]:
        return list(self.objects)

    def key(self) -> tuple[Any, ...]:
        """Equal objects have the same number, missing ones have -1."""
        places: dict[Any, int] = {}
        codes = [
            -1 if is_missing(each) else places.setdefault(each, len(places))
            for each in self.objects
        ]
        return "codes", np.array(codes, np.int64), None

    @property
    def nbytes(self) -> int:
        return self.objects.nbytes


def object_array(values: Sequence[Any]) -> np.ndarray:
    """An array of one dimension whose elements are the values, also where these are sequences."""
    made = np.empty(len(values), object)
    for i, each in enumerate(values):
        made[i] = each
    return made
