"""Text and HTML of frames."""

from __future__ import annotations

from typing import Any

from ..options import get_option, option_context
from ..shared.base import Labelled
from ..signatures import leaves_out
from .html import frame_html, notebook_html
from .info import frame_info
from .table import TableOptions
from .text import frame_repr, frame_text
from .writing import written


class FramePrinting(Labelled):
    """`to_string`, `to_html` and `info` of frames."""

    def __repr__(self) -> str:
        if get_option("display.large_repr") == "info" and self._is_large():
            return frame_info(self)  # type: ignore[arg-type]
        return frame_repr(self)  # type: ignore[arg-type]

    def _is_large(self) -> bool:
        return len(self) > (get_option("display.max_rows") or len(self))

    def _repr_html_(self) -> str | None:
        if not get_option("display.notebook_repr_html"):
            return None
        return notebook_html(self)  # type: ignore[arg-type]

    @leaves_out("encoding")
    def to_string(
        self,
        buf: Any = None,
        *,
        columns: Any = None,
        line_width: int | None = None,
        max_colwidth: int | None = None,
        **options: Any,
    ) -> str | None:
        """The rows as lines of text, or written to a file.

        Keywords: ``col_space``, ``header``, ``index``, ``na_rep``, ``formatters``,
        ``float_format``, ``sparsify``, ``index_names``, ``justify``, ``max_rows``, ``max_cols``,
        ``show_dimensions``, ``decimal``, ``min_rows``.
        """
        shown = self if columns is None else self[columns]  # type: ignore[index]
        with option_context("display.max_colwidth", max_colwidth):
            return written(frame_text(shown, TableOptions(**options), line_width), buf)  # type: ignore[arg-type]

    @leaves_out("encoding", "render_links")
    def to_html(
        self,
        buf: Any = None,
        *,
        columns: Any = None,
        bold_rows: bool = True,
        classes: Any = None,
        escape: bool = True,
        notebook: bool = False,
        border: Any = None,
        table_id: str | None = None,
        **options: Any,
    ) -> str | None:
        """The rows as a table of HTML, or written to a file; keywords as those of `to_string`."""
        shown: Any = self if columns is None else self[columns]  # type: ignore[index]
        marks = {
            "bold_rows": bold_rows,
            "classes": classes,
            "escape": escape,
            "border": border,
            "table_id": table_id,
        }
        return written(frame_html(shown, TableOptions(**options), marks, notebook=notebook), buf)

    def info(
        self,
        verbose: bool | None = None,
        buf: Any = None,
        max_cols: int | None = None,
        memory_usage: Any = None,
        show_counts: bool | None = None,
    ) -> None:
        """Print the index, each column with its number of values and dtype, and the memory."""
        text = frame_info(self, verbose, max_cols, memory_usage, show_counts)  # type: ignore[arg-type]
        written(text, buf, printed=True)
