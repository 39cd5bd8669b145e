"""Files to read from: paths, open files, and what is compressed."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import os
import zipfile
from collections.abc import Iterator
from typing import Any

from .compressing import method_of

_READERS: dict[str, Any] = {"gzip": gzip.open, "bz2": bz2.open, "xz": lzma.open}


@contextlib.contextmanager
def opened_bytes(source: Any, compression: Any, caller: str) -> Iterator[Any]:
    """A file of bytes: of a path, or an open file as it is, decompressed.

    Raises OSError, and NotImplementedError for URLs and kinds of compression that are not there.
    """
    is_open = hasattr(source, "read")
    if not is_open and "://" in os.fsdecode(os.fspath(source)):
        raise NotImplementedError(f"{caller}: URLs; open the file and hand it over")
    method, _ = method_of(
        None if is_open and compression == "infer" else compression, source, caller
    )
    given = source if is_open else os.path.expanduser(os.fspath(source))  # noqa: PTH111
    if method is None:
        if is_open:
            yield source
            return
        with open(given, "rb") as file:  # noqa: PTH123
            yield file
    elif method == "zip":
        with zipfile.ZipFile(given) as archive, archive.open(archive.namelist()[0]) as file:
            yield file
    elif method in _READERS:
        with _READERS[method](given, "rb") as file:
            yield file
    else:
        raise NotImplementedError(f"{caller}: compression={method!r}")


def text_of(
    source: Any, caller: str, compression: Any = "infer", encoding: str | None = None,
    errors: str | None = "strict",
) -> str:  # fmt: skip
    """All text of a path or an open file. Raises OSError and UnicodeDecodeError too."""
    with opened_bytes(source, compression, caller) as file:
        read: str | bytes = file.read()
    return read if isinstance(read, str) else read.decode(encoding or "utf-8", errors or "strict")


def refuse(caller: str, **given: Any) -> None:
    """Raises NotImplementedError for keywords of pandas that are given and not there."""
    for name, value in given.items():
        if value is not None:
            raise NotImplementedError(f"{caller}: the keyword {name!r} of pandas is not supported")
