"""Rows that are spread to parts by a hash of their keys."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import engine
from ..columns.column import Column
from ..dtypes import Dtype
from .room import Work
from .tables import Rows, Table, divided


def places_of(wanted: Sequence[Column], columns: Sequence[Column]) -> list[int]:
    """Where some columns are among others."""
    places = {id(each): i for i, each in enumerate(columns)}
    return [places[id(each)] for each in wanted]


def spread(
    working: Work, source: Rows, keys: Sequence[tuple[int, Dtype]], parts: int
) -> list[Table]:
    """The rows in parts, those whose keys are equal in the dtypes given in the same one."""

    def arrange(columns: list[Column]) -> tuple[np.ndarray, np.ndarray]:
        told = [columns[i].astype(dtype).key() for i, dtype in keys]
        codes = engine.of_host("spread_rows", told, parts)
        rows, bounds = engine.rows_by_group(codes, parts)
        return np.asarray(rows), np.asarray(bounds)

    return divided(working, source, arrange, parts)
