"""Files to read from: paths, URLs, open files, and what is compressed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from .compressing import method_of
from .decompressing import decompressed
from .locations import local_or_opened, name_of


@contextlib.contextmanager
def opened_bytes(
    source: Any, compression: Any, caller: str, storage_options: Any = None
) -> Iterator[Any]:
    """A file of bytes: of a path or a URL, or an open file as it is, decompressed.

    Raises OSError, what `local_or_opened` and `decompressed` raise, and ValueError for kinds of
    compression that do not exist.
    """
    method, _ = method_of(compression, name_of(source))
    given = local_or_opened(source, storage_options, caller)
    if hasattr(given, "read"):
        yield decompressed(given, method)
        return
    with open(os.path.expanduser(os.fspath(given)), "rb") as file:  # noqa: PTH111, PTH123
        yield decompressed(file, method)


def text_of(
    source: Any, caller: str, compression: Any = "infer", encoding: str | None = None,
    errors: str | None = "strict", storage_options: Any = None,
) -> str:  # fmt: skip
    """All text of a path, a URL or an open file. Raises UnicodeDecodeError too."""
    with opened_bytes(source, compression, caller, storage_options) as file:
        read: str | bytes = file.read()
    return read if isinstance(read, str) else read.decode(encoding or "utf-8", errors or "strict")


def refuse(caller: str, **given: Any) -> None:
    """Raises NotImplementedError for keywords of pandas that are given and not there."""
    for name, value in given.items():
        if value is not None:
            raise NotImplementedError(f"{caller}: the keyword {name!r} of pandas is not supported")
