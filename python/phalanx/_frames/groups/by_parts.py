"""Groups whose rows are spread to parts by a hash of their keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import phalanx as px

from ..columns.column import Column
from ..ordering.by_parts import Order, in_order, is_on_host
from ..spilling.room import Work, for_work, work
from ..spilling.spreading import places_of, spread
from ..spilling.tables import Rows, Table, form_of
from .aggregation import Wanted, aggregated
from .grouping import Grouping, has_unobserved
from .keys import Key


class SpilledGrouping(Grouping):
    """Groups that are found part by part, each time that something is aggregated.

    What asks for the group of each row, as running numbers do, groups them in memory then.
    """

    def __init__(self, keys: Sequence[Key], *, sort: bool, dropna: bool) -> None:
        self._begin(keys, sort=sort, dropna=dropna)

    def __getattr__(self, name: str) -> Any:
        if name == "count":
            self.count = len(self.labels()[0])
        elif name in ("raw", "order", "firsts"):
            self.order = None
            self._group()
        else:
            raise AttributeError(name)
        return getattr(self, name)

    def labels(self) -> list[Column]:
        """The keys of the groups, a column for each."""
        if self._labels is None:
            self.aggregated([])
        # Keys alone may have room where the columns beside them had none.
        return super().labels() if self._labels is None else self._labels

    def aggregated(self, wanted: list[Wanted]) -> list[Column] | None:
        """The columns that are wanted, in the order of the groups; None for what is made of
        Python's objects, which are in memory anyway. Raises SpillError, and what `aggregated` does.
        """
        if any(form_of(each.column) is None for each in wanted):
            return None
        keys = [each.column for each in self.keys]
        columns = list({id(each): each for each in [*keys, *(w.column for w in wanted)]}.values())
        left = for_work(len(keys[0]), columns)
        if left is None:
            return None
        nbytes = sum(each.nbytes for each in columns)
        with work("grouping", left, 2 * nbytes) as working:
            source = Rows(columns, working.rows_of_piece(len(keys[0]), nbytes))
            made = self._of_parts(working, source, columns, wanted)
        if self._labels is None:
            self._labels = made[: len(keys)]
        return made[len(keys) + 1 :]

    def _of_parts(
        self, working: Work, source: Rows, columns: list[Column], wanted: list[Wanted]
    ) -> list[Column]:
        """The keys, the first row and what is wanted of all groups, in their order."""
        keys = places_of([each.column for each in self.keys], columns)
        values = places_of([each.column for each in wanted], columns)
        results = Table(working.new_file())
        told = [(i, columns[i].dtype) for i in keys]
        count = working.parts_for(source.nbytes + 24 * source.rows)
        for part in spread(working, source, told, count):
            if not part.rows:
                continue
            rows = part.read()
            inside = [Key(rows[i], key.name) for i, key in zip(keys, self.keys, strict=True)]
            groups = Grouping(inside, sort=False, dropna=self.dropna)
            inner = [w._replace(column=rows[i]) for w, i in zip(wanted, values, strict=True)]
            firsts = rows[-1].take(px.asarray(groups.firsts))
            results.add([*groups.labels(), firsts, *aggregated(groups, inner)])
        by = range(len(keys)) if self.sort else [len(keys)]
        return in_order(working, results, Order(list(by), [True] * len(by)))


def grouping_of(of: Any, keys: Sequence[Key], *, sort: bool, dropna: bool) -> Grouping:
    """The groups of some keys: found part by part where the rows of an object need more memory
    than there is.
    """
    columns = [each.column for each in keys]
    left = for_work(len(of), [*columns, *of._parts])
    if left is not None and len(of) and is_on_host(columns) and all(map(_can_spread, keys)):
        return SpilledGrouping(keys, sort=sort, dropna=dropna)
    return Grouping(keys, sort=sort, dropna=dropna)


def _can_spread(key: Key) -> bool:
    return form_of(key.column) is not None and not has_unobserved(key)
