"""Partitions of what a shuffle between workers ("p2p") has collected as Arrow's tables.

Distributed asks pandas for the dtypes that a table and the empty partition have in common, and
knows categories by pandas' class alone: its function is replaced by one that knows ours.
"""

from __future__ import annotations

from typing import Any

from distributed.shuffle import _arrow, _shuffle

import phalanx as px

from . import tables

_theirs = _shuffle.convert_shards


def convert_shards(shards: Any, meta: Any, partition_column: str, drop_column: bool) -> Any:
    """The rows of some tables in the order of the partitions that they came from."""
    if not isinstance(meta, px.DataFrame):
        return _theirs(shards, meta, partition_column, drop_column)
    source = _arrow._INPUT_PARTITION_ID_COLUMN
    table = _arrow.concat_tables(shards).sort_by(source).drop([source])
    return tables.frame_of(meta.drop(columns=partition_column) if drop_column else meta, table)


def register() -> None:
    """Puts the function in the place of Distributed's."""
    _shuffle.convert_shards = convert_shards
