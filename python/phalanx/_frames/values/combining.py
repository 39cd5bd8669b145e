"""`combine`, `case_when`, `transpose` of series, `flags` and `to_markdown`."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from .. import above
from ..building.columns import is_series, ours
from ..columns.making import column_of
from ..missing import is_missing
from ..shared.base import Labelled
from ..shared.deferred import applied
from ..signatures import NO_DEFAULT


class Flags:
    """What holds of an object: ``allows_duplicate_labels``, which is always True."""

    __module__ = "phalanx"

    @property
    def allows_duplicate_labels(self) -> bool:
        """True: labels may come twice."""
        return True

    @allows_duplicate_labels.setter
    def allows_duplicate_labels(self, value: bool) -> None:
        _check_duplicates(value)

    def __getitem__(self, key: str) -> bool:
        if key != "allows_duplicate_labels":
            raise KeyError(key)
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flags)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<Flags(allows_duplicate_labels=True)>"


def _check_duplicates(value: Any) -> None:
    if value is not None and not value:
        raise NotImplementedError("flags: allows_duplicate_labels=False; check index.is_unique")


class Marks(Labelled):
    """What frames and series have alike."""

    @property
    def flags(self) -> Flags:
        """What holds of it."""
        return Flags()

    def set_flags(self, *, copy: Any = NO_DEFAULT, allows_duplicate_labels: Any = None) -> Any:
        """The same object with flags; NotImplementedError for labels that may not come twice."""
        _check_duplicates(allows_duplicate_labels)
        return self.copy()

    def to_markdown(
        self, buf: Any = None, *, mode: str = "wt", index: bool = True, storage_options: Any = None,
        **kwargs: Any,
    ) -> Any:  # fmt: skip
        """A table in Markdown, which the package tabulate writes with further keywords.

        Raises ImportError without tabulate. ``buf`` is a path or an open file.
        """
        if storage_options is not None:
            raise NotImplementedError("to_markdown: the keyword 'storage_options' of pandas")
        write = importlib.import_module("tabulate").tabulate
        frame: Any = self if self.ndim == 2 else self.to_frame()  # type: ignore[attr-defined]
        kwargs = {"headers": "keys", "tablefmt": "pipe", "showindex": index, **kwargs}
        rows = [list(row) for row in frame.itertuples(index=False, name=None)]
        if kwargs["headers"] == "keys":
            kwargs["headers"] = list(map(str, frame.columns))
            name = frame.index.name
            if kwargs["showindex"] is True and name is not None:
                kwargs["headers"].insert(0, str(name))
        if kwargs["showindex"] is True:
            kwargs["showindex"] = list(frame.index)
        text = write(rows, **kwargs)
        if buf is None:
            return text
        if hasattr(buf, "write"):
            buf.write(text)
        else:
            with open(buf, mode) as file:  # noqa: PTH123 - as pandas takes a mode
                file.write(text)
        return None


class SeriesCombining(Marks):
    """`combine` and `case_when` of series."""

    name: Any

    def transpose(self, *args: Any, **kwargs: Any) -> Any:
        """The series itself."""
        return self

    def combine(self, other: Any, func: Any, fill_value: Any = None) -> Any:
        """What a function makes of each pair of values, of another series by labels, or of one.

        ``fill_value`` is for labels that only one of them has.
        """
        other = ours(other)
        index, name = self._index, self.name
        mine = self._parts[0].tolist()
        if is_series(other):
            index = self._index.union(other.index)
            missing = np.nan if fill_value is None else fill_value
            pairs = zip(_at(self, index, missing), _at(other, index, missing), strict=True)
            values = [func(a, b) for a, b in pairs]
            name = name if name is other.name or name == other.name else None
        else:
            values = [func(each, other) for each in mine]
        made = column_of(values) if values else self._parts[0]
        return above.Series._of(made, index, name)

    def case_when(self, caselist: Any) -> Any:
        """The values, replaced where conditions hold: pairs of a condition and a value.

        The first condition that holds counts. Conditions may be functions of the series. Raises
        TypeError for what is no list of pairs, ValueError for an empty one.
        """
        if not isinstance(caselist, list):
            raise TypeError(f"The caselist argument should be a list; instead got {type(caselist)}")
        if not caselist:
            raise ValueError("provide at least one boolean condition, with a corresponding value.")
        for number, each in enumerate(caselist):
            if not isinstance(each, tuple):
                raise TypeError(f"Argument {number} must be a tuple; instead got {type(each)}.")
            if len(each) != 2:
                raise ValueError(
                    f"Argument {number} must have length 2; a condition and replacement; instead "
                    f"got length {len(each)}."
                )
        made: Any = self
        for condition, value in reversed(caselist):
            holds = applied(condition, self)
            given = applied(value, self)
            made = made.mask(holds, given)
        return made


def _at(series: Any, index: Any, missing: Any) -> list[Any]:
    rows = np.asarray(series.index.get_indexer_for(index))
    values = series._parts[0].tolist()
    return [missing if row < 0 else values[row] for row in rows]


class FrameCombining(Marks):
    """`combine` of frames."""

    def combine(self, other: Any, func: Any, fill_value: Any = None, overwrite: bool = True) -> Any:
        """What a function makes of each pair of columns of the same label, aligned by rows.

        Labels that one frame lacks are missing in it, or ``fill_value``. Without ``overwrite`` a
        column stays where the other frame has it not.
        """
        other = ours(other)
        left, right = self.align(other)  # type: ignore[attr-defined]
        columns = {}
        for label in left.columns:
            mine, theirs = left[label], right[label]
            if not overwrite and bool(theirs.isna().all()):
                columns[label] = self[label].reindex(left.index)  # type: ignore[index]
                continue
            if not is_missing(fill_value):
                mine, theirs = mine.fillna(fill_value), theirs.fillna(fill_value)
            columns[label] = _in_dtype_of(func(mine, theirs), (self, other), label)
        return above.DataFrame(columns, index=left.index, columns=left.columns)


def _in_dtype_of(made: Any, frames: tuple[Any, Any], label: Any) -> Any:
    """Floats that are whole as integers, where the columns that they are made of are such."""
    kinds = {each[label].dtype.kind for each in frames if label in each.columns}
    if not is_series(made) or made.dtype.kind != "f" or not kinds <= set("iu"):
        return made
    whole = not made.hasnans and bool((made == made.round()).all())
    return made.astype(np.int64) if whole else made
