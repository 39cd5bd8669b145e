"""Group-bys over devices: partial results of each device's rows, put together on one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from ..._arrays.placement import device
from ..._arrays.spread.threads import run_on
from ..combining.concat import concat
from ..frame import DataFrame
from .moving import on_device

if TYPE_CHECKING:
    from .frame import SpreadFrame

# For each aggregation what each device finds of its rows.
PARTIAL = {
    **{name: (name,) for name in ("sum", "prod", "min", "max", "first", "last", "any", "all")},
    "count": ("count",),
    "size": ("size",),
    "mean": ("mean", "count"),
    "var": ("mean", "count", "var"),
    "std": ("mean", "count", "var"),
}
_FEW = 1 << 20  # rows of partial results that are put together on the host
# How results of one kind are put together.
_MERGED = {"count": "sum", "size": "sum"}


class Wish(NamedTuple):
    """One column of the result: which aggregation of which column."""

    column: Any
    name: str


def _refuse(name: Any) -> NoReturn:
    raise NotImplementedError(
        f"{name!r} of groups is not put together from several devices, only "
        f"{', '.join(sorted(PARTIAL))}: frame.gather().groupby(...)"
    )


class SpreadGroups:
    """Groups of a spread frame's rows. Results are frames on the group's first device.

    `agg` takes pandas' forms: a name, a list, a dict of columns, named pairs; and `sum`, `mean`,
    `count`, `size`, `min`, `max`, `var`, `std`, `prod`, `first`, `last`, `any`, `all` are methods.
    Means and variances are put together as Chan, Golub and LeVeque (1979) do.
    """

    def __init__(
        self,
        frame: SpreadFrame,
        keys: list[Any],
        as_index: bool,
        is_list: bool,
        options: dict[str, Any],
        chosen: Any = None,
    ) -> None:
        self._frame, self._keys, self._as_index = frame, keys, as_index
        self._is_list, self._options, self._chosen = is_list, options, chosen

    def __getitem__(self, columns: Any) -> SpreadGroups:
        names = list(columns) if isinstance(columns, (list, tuple)) else [columns]
        for each in names:
            if each not in self._frame.columns:
                raise KeyError(f"Column not found: {each}")
        return SpreadGroups(
            self._frame, self._keys, self._as_index, self._is_list, self._options, columns
        )

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name in PARTIAL:
            return lambda **options: self._one(name, options)
        if name.startswith("_"):
            raise AttributeError(name)
        _refuse(name)

    def _one(self, name: str, options: dict[str, Any]) -> Any:
        def call(part: Any) -> Any:
            return getattr(self._own(part), name)(**options)

        return self._combined(call, name, options)

    def agg(self, func: Any = None, /, **named: Any) -> Any:
        """Aggregations in pandas' forms. Raises NotImplementedError for a function, and for a name
        that cannot be put together from parts."""
        return self._combined(
            lambda part: self._own(part).agg(*([] if func is None else [func]), **named),
            func,
            {},
            named,
        )

    aggregate = agg

    def _own(self, part: Any, as_index: bool | None = None) -> Any:
        by = self._keys if self._is_list else self._keys[0]
        index = self._as_index if as_index is None else as_index
        groups = part.groupby(by, as_index=index, **self._options)
        return groups if self._chosen is None else groups[self._chosen]

    def _combined(
        self,
        call: Callable[[Any], Any],
        func: Any,
        options: dict[str, Any],
        named: Mapping[str, Any] | None = None,
    ) -> Any:
        """The result of the whole: in the form that the first rows of the frame give."""
        first = self._frame.group[0]
        with device("cpu"):
            form = call(on_device(self._frame.parts[0].iloc[:1], "cpu"))
        wishes = _wishes(self._values(func), func, named or {})
        ddof = options.pop("ddof", 1)
        least = {key: options.pop(key) for key in ("min_count",) if key in options}
        if least or any(options.values()):
            _refuse(f"{func} with {', '.join([*least, *options])}")
        partial, names = self._partials(wishes)
        # Of few groups the many small steps take less on the host than launches on a GPU would.
        is_few = sum(map(len, partial)) <= _FEW
        with device("cpu" if is_few else first.name) as place:
            parts = concat([on_device(each, place.name) for each in partial], ignore_index=True)
            merged = Merged(parts, self._keys, names, self._options)
            made = {i: _result(merged, wish, ddof) for i, wish in enumerate(wishes)}
            result = self._in_form(form, made)
        return on_device(result, first.name)

    def _values(self, func: Any) -> list[Any]:
        if self._chosen is not None:
            return self._chosen if isinstance(self._chosen, list) else [self._chosen]
        return [each for each in self._frame.columns if each not in self._keys]

    def _partials(self, wishes: list[Wish]) -> tuple[list[Any], dict[tuple[Any, str], str]]:
        """By group what each device finds of its rows, key columns first; the columns' names."""
        needs = {(wish.column, part): None for wish in wishes for part in PARTIAL[wish.name]}
        names = {need: f"part{i}" for i, need in enumerate(needs)}
        frame = self._frame
        # A device's groups are waited for: each has a thread of its own.
        return run_on(frame.group, lambda part: self._partial(part, names), frame.parts), names

    def _partial(self, part: Any, names: Mapping[tuple[Any, str], str]) -> Any:
        groups = part.groupby(self._keys, as_index=False, **{**self._options, "sort": False})
        wanted = {
            name: (self._keys[0] if kind == "size" else column, kind)
            for (column, kind), name in names.items()
            if kind != "var"
        }
        made = groups.agg(**wanted)
        for (column, kind), name in names.items():
            if kind == "var":  # of which nothing is taken away
                made[name] = groups[column].var(ddof=0)[column]
        return made

    def _in_form(self, form: Any, made: Mapping[int, Any]) -> Any:
        if form.ndim == 1:
            series = made[0]
            series.name = form.name
            return series
        whole = DataFrame({str(i): each for i, each in made.items()})
        keys = form.shape[1] - whole.shape[1]
        if keys > 0:
            whole = whole.reset_index()
        whole.columns = form.columns
        return whole


def _wishes(values: list[Any], func: Any, named: Mapping[str, Any]) -> list[Wish]:
    """The columns of the result in their order, of pandas' forms of `agg`."""
    if named:
        wishes = []
        for each in named.values():
            pair = each if isinstance(each, tuple) else (values[0], each)
            wishes.append(Wish(*pair))
    elif isinstance(func, Mapping):
        wishes = [Wish(column, name) for column, names in func.items() for name in _listed(names)]
    else:
        wishes = [Wish(column, name) for column in values for name in _listed(func)]
        if func == "size":
            wishes = wishes[:1]
    for wish in wishes:
        if not isinstance(wish.name, str) or wish.name not in PARTIAL:
            _refuse(wish.name)
    return wishes


def _listed(names: Any) -> list[Any]:
    return list(names) if isinstance(names, (list, tuple)) else [names]


class Merged:
    """Partial results of all devices, and what they come to by group."""

    def __init__(
        self,
        parts: Any,
        keys: list[Any],
        names: Mapping[tuple[Any, str], str],
        options: dict[str, Any],
    ) -> None:
        self.parts, self.names = parts, names
        self.by = keys if len(keys) > 1 else keys[0]
        self.options = options

    def column(self, column: Any, kind: str) -> Any:
        """The partial results of one kind, a series of all devices' groups."""
        return self.parts[self.names[column, kind]]

    def folded(self, values: Any, name: str, **options: Any) -> Any:
        """A series over partial results, by group."""
        frame = self.parts[self.by if isinstance(self.by, list) else [self.by]]
        made = frame.assign(value=values).groupby(self.by, **self.options)["value"]
        return getattr(made, name)(**options)

    def spread(self, totals: Any) -> Any:
        """What a group has, for each of its partial results."""
        keys = self.by if isinstance(self.by, list) else [self.by]
        return self.parts[keys].merge(totals.rename("total").reset_index(), on=keys, how="left")[
            "total"
        ]


def _result(merged: Merged, wish: Wish, ddof: int) -> Any:
    if wish.name in ("mean", "var", "std"):
        return _moment(merged, wish, ddof)
    values = merged.column(wish.column, wish.name)
    return merged.folded(values, _MERGED.get(wish.name, wish.name))


def _moment(merged: Merged, wish: Wish, ddof: int) -> Any:
    means, counts = merged.column(wish.column, "mean"), merged.column(wish.column, "count")
    total = merged.folded(counts, "sum")
    sums = (means.astype(np.float64) * counts).where(counts > 0, 0.0)
    middle = merged.folded(sums, "sum") / total
    if wish.name == "mean":
        return middle.astype(means.dtype)
    inner = (merged.column(wish.column, "var").astype(np.float64) * counts).where(counts > 0, 0.0)
    distances = means.astype(np.float64) - merged.spread(middle)
    squares = inner + (distances * distances * counts).where(counts > 0, 0.0)
    made = merged.folded(squares, "sum") / (total - ddof).where(total > ddof)
    if wish.name == "std":
        made = made**0.5
    return made.astype(merged.column(wish.column, "var").dtype)
