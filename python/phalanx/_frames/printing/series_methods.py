"""Text of series."""

from __future__ import annotations

from typing import Any

from ..shared.base import Labelled
from ..signatures import leaves_out
from .info import series_info
from .table import TableOptions
from .text import series_repr, series_text
from .writing import written


class SeriesPrinting(Labelled):
    """`to_string` and `info` of series."""

    def __repr__(self) -> str:
        return series_repr(self)  # type: ignore[arg-type]

    @leaves_out("mode", "storage_options")
    def to_string(
        self,
        buf: Any = None,
        *,
        na_rep: str = "NaN",
        float_format: Any = None,
        header: bool = True,
        index: bool = True,
        length: bool | str = False,
        dtype: bool = False,
        name: bool = False,
        max_rows: int | None = None,
        min_rows: int | None = None,
    ) -> str | None:
        """The rows as lines of text, or written to a file."""
        options = TableOptions(
            na_rep=na_rep,
            float_format=float_format,
            header=header,
            index=index,
            max_rows=max_rows,
            min_rows=min_rows,
        )
        text = series_text(self, options, name=name, dtype=dtype, length=length)  # type: ignore[arg-type]
        return written(text, buf)

    @leaves_out("max_cols")
    def info(
        self,
        verbose: bool | None = None,
        buf: Any = None,
        memory_usage: Any = None,
        show_counts: bool | None = None,
    ) -> None:
        """Print the index, the number of values, the dtype and the memory."""
        written(series_info(self, verbose, memory_usage, show_counts), buf, printed=True)  # type: ignore[arg-type]
