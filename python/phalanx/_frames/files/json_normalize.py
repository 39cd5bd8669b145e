"""`json_normalize`: nested dicts and lists, as JSON has them, as one flat table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .. import above
from ..building.columns import is_series, ours
from ..missing import is_missing

Path = list[Any]


def json_normalize(
    data: Any,
    record_path: Any = None,
    meta: Any = None,
    meta_prefix: str | None = None,
    record_prefix: str | None = None,
    errors: str = "raise",
    sep: str = ".",
    max_level: int | None = None,
) -> Any:
    """A frame of dicts, one or a list or series; nested ones have columns "outer.inner".

    ``record_path`` is the key of a list within each dict, or the keys on the way to it: its records
    are the rows then, and ``meta`` lists keys of the dicts above them, whose values each row gets.
    ``max_level`` is how deep dicts are taken apart.

    Raises KeyError for a key of ``meta`` that is not there unless ``errors`` is "ignore", TypeError
    for a path that leads to no list, ValueError for names that are there twice,
    NotImplementedError for other data.

    >>> px.json_normalize([{"a": 1, "b": {"c": 2}}])
       a  b.c
    0  1    2
    """
    if errors not in ("raise", "ignore"):
        raise ValueError(f"errors must be 'raise' or 'ignore', not {errors!r}")
    data = ours(data)
    index = data.index if is_series(data) else None
    records = _records_of(data)
    if not records:
        return above.DataFrame()
    if record_path is None:
        if any(not isinstance(each, Mapping) for each in records):
            records = [each if isinstance(each, Mapping) else {} for each in records]
        rows = [_flat(each, sep, max_level) for each in records]
        return _frame_of(rows, index)
    paths = _as_path(record_path)
    metas = [_as_path(each) for each in ([] if meta is None else _as_path(meta))]
    return _Normalizer(paths, metas, errors, sep, max_level).frame(
        records, record_prefix, meta_prefix
    )


def _records_of(data: Any) -> list[Any]:
    if is_series(data):
        return [each if isinstance(each, Mapping) else {} for each in data]
    if isinstance(data, list):
        return list(data)
    if isinstance(data, Mapping):
        return [data]
    if isinstance(data, Iterable) and not isinstance(data, str):
        return list(data)
    raise NotImplementedError(f"json_normalize: data of type {type(data).__name__}")


def _as_path(given: Any) -> Path:
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _flat(record: Mapping[Any, Any], sep: str, most: int | None, level: int = 0) -> dict[Any, Any]:
    """A dict without dicts in it, but for those below the level that is taken apart last.

    What was in dicts comes after what was not, as pandas has it.
    """
    made: dict[Any, Any] = {}
    items = list(record.items())
    if level == 0:
        items.sort(key=lambda item: isinstance(item[1], Mapping) and most != 0)
    for key, value in items:
        if not isinstance(value, Mapping) or (most is not None and level >= most):
            made[key if isinstance(key, str) or level == 0 else str(key)] = value
            continue
        for inner, each in _flat(value, sep, most, level + 1).items():
            made[f"{key}{sep}{inner}"] = each
    return made


def _frame_of(rows: Sequence[Mapping[Any, Any]], index: Any = None) -> Any:
    return above.DataFrame(list(rows), index=index)


class _Normalizer:
    """Records that are lists within dicts, and what of the dicts above goes with each."""

    def __init__(
        self, path: Path, metas: list[Path], errors: str, sep: str, most: int | None
    ) -> None:
        self._path, self._metas, self._errors = path, metas, errors
        self._sep, self._most = sep, most
        self._rows: list[Any] = []
        self._counts: list[int] = []
        self._found: dict[str, list[Any]] = {self._name(each): [] for each in metas}

    def _name(self, meta: Path) -> str:
        return self._sep.join(map(str, meta))

    def frame(self, records: list[Any], record_prefix: str | None, meta_prefix: str | None) -> Any:
        """The frame of all records."""
        for each in records:
            self._walk(each, self._path, {}, 0)
        made = _frame_of(
            [_flat(each, self._sep, self._most) for each in self._rows]
            if all(isinstance(each, Mapping) for each in self._rows)
            else self._rows
        )
        if record_prefix is not None:
            made = made.rename(columns=lambda label: f"{record_prefix}{label}")
        for name, values in self._found.items():
            label = name if meta_prefix is None else meta_prefix + name
            if label in made.columns:
                raise ValueError(f"Conflicting metadata name {label}, need distinguishing prefix ")
            repeated = [
                value
                for value, count in zip(values, self._counts, strict=True)
                for _ in range(count)
            ]
            kept = [each for each in repeated if not is_missing(each)]
            are_texts = kept and all(isinstance(each, str) for each in kept)
            dtype = None if are_texts else object
            made[label] = above.Series(repeated, index=made.index, dtype=dtype)
        return made

    def _walk(self, record: Any, path: Path, seen: dict[str, Any], level: int) -> None:
        """Take the records at the end of a path; `seen` are values of the dicts above."""
        if len(path) > 1:
            for meta in self._metas:
                if len(meta) == level + 1:
                    seen[self._name(meta)] = self._value(record, meta[-1:])
            inner = _pulled(record, path[0])
            for each in inner if isinstance(inner, list) else [inner]:
                self._walk(each, path[1:], dict(seen), level + 1)
            return
        rows = _pulled(record, path[0])
        if rows is None:
            rows = []
        if not isinstance(rows, list):
            raise TypeError(
                f"Path must contain list or null, but got {type(rows).__name__} at {path[0]!r}"
            )
        self._rows.extend(rows)
        self._counts.append(len(rows))
        for meta in self._metas:
            name = self._name(meta)
            value = seen[name] if level + 1 > len(meta) else self._value(record, meta[level:])
            self._found[name].append(value)

    def _value(self, record: Any, keys: Path) -> Any:
        """What a dict has under keys, one within the other."""
        for key in keys:
            try:
                record = record[key]
            except (KeyError, TypeError):
                if self._errors == "ignore":
                    return float("nan")
                raise KeyError(
                    f"Key {key!r} not found. To replace missing values of {key!r} with "
                    "np.nan, pass in errors='ignore'"
                ) from None
        return record


def _pulled(record: Any, key: Any) -> Any:
    """What a dict has under a key of the path of records. Raises KeyError without it."""
    try:
        for each in key if isinstance(key, list) else [key]:
            record = record[each]
    except KeyError:
        raise KeyError(
            f"Key {key!r} not found. If specifying a record_path, all elements of data "
            "should have the path."
        ) from None
    return record
