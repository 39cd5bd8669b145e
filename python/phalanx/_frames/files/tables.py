"""`read_table`: `read_csv` of text whose fields are separated by tabs."""

from __future__ import annotations

from typing import Any

from ..reading import read_csv


def read_table(filepath_or_buffer: Any, *, sep: str = "\t", **keywords: Any) -> Any:
    """A frame of text, as `read_csv` makes it, with tabs between the fields.

    Raises what `read_csv` raises.

    >>> import io
    >>> px.read_table(io.StringIO("a b" + chr(10) + "1 2"), sep=" ")
       a  b
    0  1  2
    """
    return read_csv(filepath_or_buffer, sep=sep, **keywords)
