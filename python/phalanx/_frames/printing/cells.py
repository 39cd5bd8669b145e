"""The rows of a column, and the labels of an index, as cells of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..columns.objects import object_array
from ..columns.time_texts import texts_of_zoned
from ..dtypes import CategoricalDtype, DatetimeTZDtype, ExtensionDtype, ListDtype
from ..missing import NA, is_missing
from ..options import get_option
from ..scalars.cells import datetime_cells, moment_text, timedelta_cells
from ..scalars.rows import scalars_of
from .numbers import FloatFormat, float_cells
from .things import adjoined, escaped, fixed_width, name_text, trimmed, without_front

if TYPE_CHECKING:
    from ..columns import Column
    from ..indexes.index import Index

Formatter = Callable[[Any], str] | None


class Style:
    """How the cells of a column are written; a formatter makes each by itself."""

    def __init__(
        self,
        formatter: Formatter = None,
        float_format: FloatFormat = None,
        na_rep: str = "NaN",
        leading_space: bool | None = True,
        decimal: str = ".",
        justify: str = "right",
    ) -> None:
        self.formatter = formatter
        self.float_format = float_format
        self.na_rep = na_rep
        self.leading_space = leading_space
        self.decimal = decimal
        self.justify = justify

    @property
    def time_rep(self) -> str:
        """The text of a missing date."""
        return "NaT" if self.na_rep == "NaN" else self.na_rep


def column_cells(column: Column, style: Style | None = None) -> list[str]:
    """A column's rows as text of one width."""
    style = style or Style()
    return fixed_width(_raw_cells(column, style), style.justify)[0]


def _raw_cells(column: Column, style: Style) -> list[str]:
    dtype = column.dtype
    if isinstance(dtype, CategoricalDtype):
        return _category_cells(column, style)
    if isinstance(dtype, DatetimeTZDtype):
        return _moments(column, style)
    if isinstance(dtype, ListDtype) and style.formatter is None:
        arrays = column.objects_of()
        return object_cells(
            object_array([each if each is NA else str(each) for each in arrays]), style
        )
    if isinstance(dtype, ExtensionDtype):
        return object_cells(column.objects_of(), style)
    return array_cells(column.to_numpy(), style)


def array_cells(values: np.ndarray, style: Style) -> list[str]:
    """Cells of NumPy's array, by the kind of its dtype."""
    kind = values.dtype.kind
    if kind in "Mm":
        if style.formatter is not None:
            return [str(style.formatter(each)) for each in scalars_of(values)]
        return (datetime_cells if kind == "M" else timedelta_cells)(values, style.time_rep)
    if kind in "fc":
        return _float_column(values, style)
    if kind in "iu":
        spec = "d" if style.leading_space is False else " d"
        return [
            format(each, spec) if style.formatter is None else style.formatter(each)
            for each in values.tolist()
        ]
    return object_cells(values, style)


def _float_column(values: np.ndarray, style: Style) -> list[str]:
    if style.formatter is not None:
        formatter = style.formatter
        return [style.na_rep if is_missing(each) else formatter(each) for each in values]
    return float_cells(
        values,
        na_rep=style.na_rep,
        float_format=style.float_format,
        leading_space=style.leading_space,
        decimal=style.decimal,
        justify=style.justify,
    )


def object_cells(values: np.ndarray, style: Style) -> list[str]:
    """Cells of Python's objects: floats with decimals, others as they write themselves."""
    floats = [isinstance(each, float) and not is_missing(each) for each in values]
    space = style.leading_space
    if space is None:
        space = any(floats)
    number = _float_writer(style)
    cells = []
    for each, is_float in zip(values, floats, strict=True):
        if style.formatter is not None:
            cells.append(_object_text(each, style))
        elif is_float:
            cells.append(number(each))
        else:
            cells.append((" " if space else "") + _object_text(each, style))
    return cells


def _float_writer(style: Style) -> Callable[[Any], str]:
    given = style.float_format or get_option("display.float_format")
    if callable(given):
        return given
    if given is not None:
        return lambda value: given % value
    precision = get_option("display.precision")
    return lambda value: trimmed(f"{value: .{precision}f}")


def _object_text(value: Any, style: Style) -> str:
    if is_missing(value):
        if value is None:
            return "None"
        if value is NA:
            return str(NA)
        if not isinstance(value, float):
            return "NaT"
        return style.na_rep
    if style.formatter is not None:
        return str(style.formatter(value))
    return moment_text(value) if isinstance(value, np.datetime64) else escaped(value)


def _moments(column: Any, style: Style) -> list[str]:
    if style.formatter is not None:
        return [str(style.formatter(each)) for each in column.to_numpy()]
    missing = np.asarray(column.isna())
    texts = np.full(len(missing), style.time_rep, object)
    texts[~missing] = texts_of_zoned(np.asarray(column.values)[~missing], column.dtype.tz)
    found: list[str] = texts.tolist()
    return found


def _category_cells(column: Any, style: Style) -> list[str]:
    return _raw_cells(column.values(), style)


# Labels.


def has_levels(index: Index) -> bool:
    """True for a MultiIndex, also of one level, whose labels are tuples."""
    return hasattr(index, "levels")


def label_cells(index: Index, formatter: Formatter = None, *, with_name: bool = False) -> list[str]:
    """The labels of an index of one level, left-aligned, after its name if asked for."""
    header = [name_text(index.name)] if with_name else []
    if formatter is not None:
        return header + [formatter(each) for each in index]
    column = index._values_column()
    if column.dtype.kind == "M":
        return header + _raw_cells(column, Style())
    textual = column.dtype.kind == "O"
    style = Style(justify="all" if textual else "left")
    return header + without_front(column_cells(column, style))


def levels_cells(
    index: Any, formatter: Formatter = None, *, with_names: bool, sparse: bool
) -> list[list[str]]:
    """The labels of an index of several levels, a list for each; repeated ones are empty."""
    if len(index) == 0:
        return []
    levels = []
    for number in range(index.nlevels):
        level = index.get_level_values(number)
        header = [name_text(index.names[number])] if with_names else []
        cells = label_cells(level, formatter)
        if isinstance(level.dtype, ExtensionDtype):
            # pandas writes a level's missing label as its dtype has it: nan, <NA>.
            gone = level.isna()
            rep = str(level.dtype.na_value)
            cells = [rep if lost else each for each, lost in zip(cells, gone, strict=True)]
        levels.append(header + cells)
    return sparsified(levels, int(with_names)) if sparse else levels


def sparsified(levels: list[list[str]], start: int = 0, repeated: Any = "") -> list[list[Any]]:
    """Labels of levels, where those that repeat the row above are replaced, but for the last."""
    rows = list(zip(*levels, strict=True))
    made: list[list[Any]] = [list(each) for each in rows[: start + 1]]
    for before, row in zip(rows[start:], rows[start + 1 :], strict=False):
        same = 0
        while same < len(row) - 1 and before[same] == row[same]:
            same += 1
        made.append([repeated] * same + list(row[same:]))
    return [list(each) for each in zip(*made, strict=True)]


def index_block(
    index: Any, *, with_names: bool, sparse: bool, formatter: Formatter = None
) -> list[str]:
    """The labels of any index as lines, its levels beside each other."""
    if not has_levels(index):
        return label_cells(index, formatter, with_name=with_names)
    levels = levels_cells(index, formatter, with_names=with_names, sparse=sparse)
    return adjoined(2, *levels).split("\n") if levels else []
