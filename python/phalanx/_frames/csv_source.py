"""Where CSV text comes from: files, buffers, compressed files and other encodings."""

from __future__ import annotations

import codecs
import io
import os
import tempfile
from collections.abc import Iterator, Mapping
from typing import IO, Any

from .storage.compressing import method_of
from .storage.decompressing import decompressed
from .storage.locations import local_or_opened, name_of

# Text that is made on the way is kept in memory up to here, and in a file without a name beyond:
# it may have to be read again.
_MOST_IN_MEMORY = 64 << 20
_PIECE = 1 << 20

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


def open_text(source: Any, options: Mapping[str, Any]) -> Text:
    """Open a path, a URL, a file that is open, or a buffer of bytes, as UTF-8.

    Raises OSError, UnicodeDecodeError, and what `local_or_opened` and `decompressed` raise.
    """
    errors = options["encoding_errors"]
    name = codecs.lookup(options["encoding"] or "utf-8").name
    is_utf8 = name in _UTF8 and errors == "strict"
    method, _ = method_of(options["compression"], name_of_source(source))
    given = local_or_opened(source, options["storage_options"], "read_csv")
    if hasattr(given, "read"):
        stream = decompressed(given, method)
        pieces = _pieces(stream)
        is_text = method is None and isinstance(given.read(0), str)
        return _spooled(pieces if is_utf8 or is_text else _as_utf8(pieces, name, errors))
    if not isinstance(given, str | os.PathLike):
        if is_utf8 and method is None:
            return Text(given)
        file: IO[bytes] = io.BytesIO(given)
    else:
        file = open(os.path.expanduser(given), "rb")  # noqa: SIM115, PTH111, PTH123
    if is_utf8 and method is None:
        return Text(file.fileno(), file)
    with file:
        pieces = _pieces(decompressed(file, method))
        return _spooled(pieces if is_utf8 else _as_utf8(pieces, name, errors))


def name_of_source(source: Any) -> str | None:
    """What the compression is inferred from; bytes are text here, not a path."""
    return None if isinstance(source, bytes) else name_of(source)


def undecodable_of(text: Text) -> UnicodeDecodeError | None:
    """The first place that is no UTF-8; None where all of a text is."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    if isinstance(text.source, int):
        with open(os.dup(text.source), "rb") as file:  # noqa: PTH123
            file.seek(0)
            return _first_error(_pieces(file), decoder)
    return _first_error(iter([bytes(text.source)]), decoder)  # type: ignore[call-overload]


def _first_error(
    pieces: Iterator[bytes], decoder: codecs.IncrementalDecoder
) -> UnicodeDecodeError | None:
    try:
        for piece in pieces:
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        return error
    return None
