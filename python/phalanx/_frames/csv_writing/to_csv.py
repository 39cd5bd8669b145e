"""`to_csv` of frames and series."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import Any

from ..._core.warnings import say
from ..shared.base import Labelled
from ..storage.compressing import compressed, method_to_write
from ..storage.output import local_path, open_output
from .options import options_of
from .table import CsvTable


class CsvWriting(Labelled):
    """Frames and series as CSV text."""

    def to_csv(
        self,
        path_or_buf: Any = None,
        *,
        sep: str = ",",
        na_rep: str = "",
        float_format: Any = None,
        columns: Any = None,
        header: Any = True,
        index: bool = True,
        index_label: Any = None,
        mode: str = "w",
        encoding: str | None = None,
        compression: Any = "infer",
        quoting: int | None = None,
        quotechar: str | None = '"',
        lineterminator: str | None = None,
        chunksize: int | None = None,
        date_format: str | None = None,
        doublequote: bool = True,
        escapechar: str | None = None,
        decimal: str = ".",
        errors: str = "strict",
        storage_options: Any = None,
    ) -> str | None:
        """CSV text, to a path, to an open file, or as a string where there is neither.

        Floats are the shortest text that reads the same. A file appears when it is whole: where
        writing fails nothing is left, and an older file stays. ``chunksize`` means nothing: rows
        are written in pieces by all threads.

        Raises ValueError for another number of aliases than columns, KeyError for columns that
        are not there, TypeError for separators and quotes that are no characters, csv.Error for
        fields that need an escape, UnicodeEncodeError, OSError, and NotImplementedError for URLs.
        """
        if storage_options:
            raise ValueError("storage_options passed with file object or non-fsspec file path")
        if chunksize is not None:
            int(chunksize)
        options = options_of(
            {
                "sep": sep,
                "na_rep": na_rep,
                "float_format": float_format,
                "quoting": quoting,
                "quotechar": quotechar,
                "lineterminator": lineterminator,
                "date_format": date_format,
                "doublequote": doublequote,
                "escapechar": escapechar,
                "decimal": decimal,
            }
        )
        table = CsvTable(_chosen(self, columns), options, header, index, index_label)
        if path_or_buf is None:
            return b"".join(table.pieces()).decode("utf-8", "surrogatepass")
        target = Target(mode, encoding or "utf-8", errors, compression)
        if hasattr(path_or_buf, "write"):
            target.to_buffer(table, path_or_buf)
        else:
            target.to_path(table, path_or_buf)
        return None


def _chosen(data: Any, columns: Any) -> Any:
    frame = data.to_frame() if data.ndim == 1 else data
    if columns is None:
        return frame
    if frame.columns.nlevels > 1:
        raise TypeError("cannot specify cols with a MultiIndex on the columns")
    return frame.loc[:, list(columns)]


class Target:
    """Where the text goes and in which form."""

    def __init__(self, mode: str, encoding: str, errors: str, compression: Any) -> None:
        self._mode = mode
        self._encoding = encoding
        self._errors = errors
        self._compression = compression

    def _encoded(self, table: CsvTable) -> Iterator[bytes]:
        """The text in the encoding asked for."""
        if self._is_plain(table):
            yield from table.pieces()
            return
        import codecs

        encoder = codecs.getincrementalencoder(self._encoding)(self._errors)
        for piece in table.pieces():
            yield encoder.encode(piece.decode("utf-8", "surrogatepass"))
        yield encoder.encode("", final=True)

    def _is_plain(self, table: CsvTable) -> bool:
        is_utf8 = self._encoding.lower() in ("utf-8", "utf8", "utf_8")
        return is_utf8 and not table.has_surrogates

    def to_path(self, table: CsvTable, path: Any) -> None:
        """Writes to a file of the file system."""
        where = local_path(path, "to_csv")
        method, options = method_to_write(self._compression, where, "to_csv")
        with open_output(where, self._mode) as file:
            if method is None and self._is_plain(table):
                _write_plain(table, file)
                return
            name = where.name.removesuffix(".zip") if method == "zip" else where.name
            with compressed(file, method, options, name) as inner:
                for piece in self._encoded(table):
                    inner.write(piece)

    def to_buffer(self, table: CsvTable, file: Any) -> None:
        """Writes to an open file, of text or of bytes."""
        method, options = method_to_write(
            None if self._compression == "infer" else self._compression, None, "to_csv"
        )
        if not _takes_bytes(file, self._mode):
            if method is not None:
                say(
                    "compression has no effect when passing a non-binary object as input.",
                    RuntimeWarning,
                )
            for piece in table.pieces():
                file.write(piece.decode("utf-8", "surrogatepass"))
            return
        with compressed(file, method, options) as inner:
            for piece in self._encoded(table):
                inner.write(piece)


def _write_plain(table: CsvTable, file: Any) -> None:
    file.write(table.header)
    file.flush()
    can_seek = file.seekable() and "a" not in file.mode
    table.write_to(file.fileno(), file.tell() if can_seek else -1)
    if can_seek:
        file.seek(0, os.SEEK_END)


def _takes_bytes(file: Any, mode: str) -> bool:
    if isinstance(file, io.TextIOBase):
        return False
    binary = isinstance(file, (io.BufferedIOBase, io.RawIOBase))
    return binary or "b" in str(getattr(file, "mode", mode))
