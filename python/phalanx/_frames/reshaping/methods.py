"""What frames and series have of reshaping."""

from __future__ import annotations

from typing import Any

from ..shared.base import Labelled
from ..signatures import NO_DEFAULT
from .melting import melt
from .pivot_tables import pivot_table
from .pivoting import pivot
from .stacking import stacked
from .unstacking import unstacked


class Unstacking(Labelled):
    """`unstack` of both."""

    def unstack(self, level: Any = -1, fill_value: Any = None, sort: bool = True) -> Any:
        """Levels of the rows as the last levels of the columns; `fill_value` where no row is.

        Raises ValueError where two rows have the same labels, KeyError and IndexError for levels
        that are not there.
        """
        return self._keep_attrs(unstacked(self, level, fill_value, sort))


class FrameReshaping(Unstacking):
    """`pivot`, `pivot_table`, `melt`, `stack`."""

    def stack(
        self,
        level: Any = -1,
        dropna: Any = NO_DEFAULT,
        sort: Any = NO_DEFAULT,
        future_stack: bool = True,
    ) -> Any:
        """Levels of the columns as the last levels of the rows: a series where none is left.

        Raises ValueError for repeated labels of columns, and for the keywords of pandas' former
        implementation, which only ``future_stack=False`` had.
        """
        if not future_stack:
            raise NotImplementedError("stack: future_stack=False, pandas' former implementation")
        if dropna is not NO_DEFAULT or sort is not NO_DEFAULT:
            raise ValueError(
                "dropna and sort cannot be given with future_stack=True: nothing is dropped or "
                "sorted; call dropna() or sort_index() on the result"
            )
        return self._keep_attrs(stacked(self, level))

    def melt(
        self,
        id_vars: Any = None,
        value_vars: Any = None,
        var_name: Any = None,
        value_name: Any = "value",
        col_level: Any = None,
        ignore_index: bool = True,
    ) -> Any:
        """A row for each element: its column's label, its value, and the columns `id_vars`.

        Raises KeyError for columns that are not there, ValueError for names that come twice.
        """
        return self._keep_attrs(
            melt(self, id_vars, value_vars, var_name, value_name, col_level, ignore_index)
        )

    def pivot(self, *, columns: Any, index: Any = NO_DEFAULT, values: Any = NO_DEFAULT) -> Any:
        """The values of a column under the labels of two others, of rows and of columns.

        Raises KeyError for columns that are not there, ValueError where two rows have the same
        labels: `pivot_table` aggregates them.
        """
        return self._keep_attrs(pivot(self, columns=columns, index=index, values=values))

    def pivot_table(
        self,
        values: Any = None,
        index: Any = None,
        columns: Any = None,
        aggfunc: Any = "mean",
        fill_value: Any = None,
        margins: bool = False,
        dropna: bool = True,
        margins_name: Any = "All",
        observed: bool = True,
        sort: bool = True,
        **kwargs: Any,
    ) -> Any:
        """Aggregations of groups: keys of rows `index`, keys of columns `columns`.

        Raises KeyError for columns that are not there, ValueError without keys.
        """
        return pivot_table(
            self, values, index, columns, aggfunc, fill_value, margins, dropna, margins_name,
            observed, sort, **kwargs,
        )  # fmt: skip
