"""`read_csv`: frames of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, overload

import phalanx as px

from .._core.progress_bar import ProgressBar
from .csv_columns import Columns, CsvChunks
from .csv_frames import frame_of
from .csv_keywords import keywords as keywords_of

if TYPE_CHECKING:
    from .frame import DataFrame


# Type checkers want to know a frame from an iterator of frames: most calls give a frame.
@overload
def read_csv(
    filepath_or_buffer: Any,
    *,
    device: Any = None,
    chunksize: None = None,
    iterator: Literal[False] = False,
    **keywords: Any,
) -> DataFrame: ...
@overload
def read_csv(
    filepath_or_buffer: Any, *, device: Any = None, chunksize: int, **keywords: Any
) -> CsvFrames: ...
@overload
def read_csv(
    filepath_or_buffer: Any, *, device: Any = None, iterator: Literal[True], **keywords: Any
) -> CsvFrames: ...
@overload
def read_csv(
    filepath_or_buffer: Any,
    *,
    device: Any = None,
    chunksize: int | None = None,
    iterator: bool = False,
    **keywords: Any,
) -> DataFrame | CsvFrames: ...
def read_csv(
    filepath_or_buffer: Any, *, device: Any = None, **keywords: Any
) -> DataFrame | CsvFrames:
    """A frame of CSV text: a path, a URL, bytes, or an open file, with pandas' keyword arguments.

    ``chunksize`` and ``iterator`` give `CsvFrames`, an iterator of frames. Floats are rounded
    correctly, as with pandas' ``float_precision="round_trip"``. Columns of ``parse_dates`` become
    dates where all their texts have one form: that of ``date_format``, or of the first text. On a
    terminal a bar shows how far a long read is.

    Lines by number or function in ``skiprows``, ``skipfooter``, ``lineterminator`` and separators
    that are patterns, of several characters, or None (found out) go through Python's csv module
    first, at its speed. URLs of http, https and ftp are read by Python, others by fsspec.

    ``device`` is where the columns are made, ``"cuda"`` for example; without it that is the current
    device. A GPU reads a long text itself.

    Raises NotImplementedError for a keyword that pandas has and Phalanx has not, TypeError for one
    that pandas has not either, ParserError with the line for what is no table, EmptyDataError for
    text without columns, ValueError for what does not fit a dtype asked for, and OSError.

    >>> import io
    >>> px.read_csv(io.StringIO("zone,km"+chr(10)+"1,3.5"+chr(10)))
       zone   km
    0     1  3.5
    """
    bar = ProgressBar("read_csv")
    with _current(device):
        chunks = CsvChunks(filepath_or_buffer, keywords_of(keywords), bar)
        if chunks.is_iterator:
            return CsvFrames(chunks, device)
        with chunks:
            try:
                return frame_of(chunks.get_chunk(), chunks, 0)
            finally:
                bar.close()


def _current(device: Any) -> AbstractContextManager[Any]:
    """Makes a device that is given the current one."""
    return nullcontext() if device is None else px.device(device)


class CsvFrames:
    """Frames of the next rows of a text, again and again; it is closed at the text's end."""

    def __init__(self, chunks: CsvChunks, device: Any = None) -> None:
        self._chunks = chunks
        self._device = device
        self._rows = 0

    def get_chunk(self, size: int | None = None) -> DataFrame:
        """The next `size` rows, or `chunksize`. Raises StopIteration where there are none."""
        return self._next(lambda: self._chunks.get_chunk(size))

    def _next(self, read: Callable[[], Columns]) -> DataFrame:
        with _current(self._device):
            made = frame_of(read(), self._chunks, self._rows)
        self._rows += len(made)
        return made

    def __iter__(self) -> Iterator[DataFrame]:
        return self

    def __next__(self) -> DataFrame:
        return self._next(lambda: next(self._chunks))

    def close(self) -> None:
        """Closes the file, as far as it was opened here."""
        self._chunks.close()

    def __enter__(self) -> CsvFrames:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
