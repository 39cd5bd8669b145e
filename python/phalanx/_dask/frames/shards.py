"""Partitions of what a shuffle between workers ("p2p") has collected as Arrow's tables.

Distributed asks pandas for the dtypes that a table and the empty partition have in common, and
knows categories by pandas' class alone: its function is replaced by one that knows ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import phalanx as px

from . import tables


def register() -> None:
    """Puts the function in the place of Distributed's, which is loaded by now."""
    from distributed.shuffle import _shuffle

    _shuffle.convert_shards = _converting(_shuffle.convert_shards)


def _converting(theirs: Callable[..., Any]) -> Callable[..., Any]:
    from distributed.shuffle import _arrow

    def convert_shards(shards: Any, meta: Any, partition_column: str, drop_column: bool) -> Any:
        """The rows of some tables in the order of the partitions that they came from."""
        if not isinstance(meta, px.DataFrame):
            return theirs(shards, meta, partition_column, drop_column)
        source = _arrow._INPUT_PARTITION_ID_COLUMN
        table = _arrow.concat_tables(shards).sort_by(source).drop([source])
        own = meta.drop(columns=partition_column) if drop_column else meta
        return tables.frame_of(own, table)

    return convert_shards
