"""Where CSV text comes from: files, buffers, compressed files and other encodings."""

from __future__ import annotations

import bz2
import codecs
import gzip
import importlib
import io
import lzma
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import IO, Any

# Text that is made on the way is kept in memory up to here, and in a file without a name beyond:
# it may have to be read again.
_MOST_IN_MEMORY = 64 << 20
_PIECE = 1 << 20

_ENDINGS = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd"}
_ARCHIVES = (".zip", ".tar", ".tgz")
_UTF8 = frozenset({"utf-8", "utf-8-sig", "ascii"})


class Text:
    """CSV text for the engine: `source` is a descriptor or a buffer, as long as it is open."""

    def __init__(self, source: object, file: IO[bytes] | None = None) -> None:
        self.source = source
        self._file = file

    def close(self) -> None:
        """Close the file; the engine has its own descriptor."""
        if self._file is not None:
            self._file.close()


def _opened_zstd(file: Any) -> Any:
    for name, function in (("compression.zstd", "ZstdFile"), ("zstandard", "open")):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        return getattr(module, function)(file, "rb")
    raise NotImplementedError(
        "read_csv: compression='zstd' needs Python 3.14 or the package zstandard"
    )


_OPENERS: dict[str, Callable[[Any], Any]] = {
    "gzip": lambda file: gzip.GzipFile(fileobj=file),
    "bz2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
    "zstd": _opened_zstd,
}


def _compression_of(path: str | None, compression: object) -> str | None:
    if isinstance(compression, dict):
        compression = compression.get("method", "infer")
    if compression == "infer":
        ending = os.path.splitext(path or "")[1].lower()  # noqa: PTH122
        if ending in _ARCHIVES:
            raise NotImplementedError(f"read_csv: compression of {ending} files")
        return _ENDINGS.get(ending)
    if compression is None:
        return None
    if compression not in _OPENERS:
        raise NotImplementedError(f"read_csv: compression={compression!r}")
    return str(compression)


def _pieces(stream: Any) -> Iterator[bytes]:
    while piece := stream.read(_PIECE):
        yield piece.encode() if isinstance(piece, str) else piece


def _as_utf8(pieces: Iterator[bytes], encoding: str, errors: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for piece in pieces:
        yield decoder.decode(piece).encode()
    yield decoder.decode(b"", final=True).encode()


def _spooled(pieces: Iterator[bytes]) -> Text:
    """The text in memory, or in a temporary file where it is long."""
    memory = io.BytesIO()
    for piece in pieces:
        memory.write(piece)
        if memory.tell() > _MOST_IN_MEMORY:
            break
    else:
        return Text(memory.getbuffer())
    file = tempfile.TemporaryFile()  # noqa: SIM115
    file.write(memory.getbuffer())
    for piece in pieces:
        file.write(piece)
    file.flush()
    return Text(file.fileno(), file)


def open_text(source: Any, compression: object, encoding: str | None, errors: str) -> Text:
    """Open a path, a file that is open, or a buffer of bytes, as UTF-8.

    Raises OSError, UnicodeDecodeError, and NotImplementedError for URLs and archives.
    """
    name = codecs.lookup(encoding or "utf-8").name
    is_utf8 = name in _UTF8 and errors == "strict"
    path = None
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        if isinstance(path, str) and "://" in path:
            raise NotImplementedError("read_csv: URLs; open the file and hand it over")
    kind = _compression_of(path if isinstance(path, str) else None, compression)
    if path is None and hasattr(source, "read"):
        stream = source if kind is None else _OPENERS[kind](source)
        first = source.read(0)
        pieces = _pieces(stream)
        return _spooled(
            pieces if is_utf8 or isinstance(first, str) else _as_utf8(pieces, name, errors)
        )
    if path is None:
        if is_utf8 and kind is None:
            return Text(source)
        file: IO[bytes] = io.BytesIO(source)
    else:
        file = open(path, "rb")  # noqa: SIM115, PTH123
    if is_utf8 and kind is None:
        return Text(file.fileno(), file)
    with file:
        pieces = _pieces(file if kind is None else _OPENERS[kind](file))
        return _spooled(pieces if is_utf8 else _as_utf8(pieces, name, errors))
