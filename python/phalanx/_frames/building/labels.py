"""Labels of several objects together."""

from __future__ import annotations

from ..indexes.index import Index


def union_of(indexes: list[Index]) -> Index:
    """The labels of several indexes, in the order in which they come.

    Raises ValueError for different indexes of which one repeats a label.
    """
    index = indexes[0]
    for each in indexes[1:]:
        if each is not index and not each.equals(index):
            if not (index.is_unique and each.is_unique):
                raise ValueError("cannot reindex on an axis with duplicate labels")
            index = index.union(each, sort=False)
    return index
