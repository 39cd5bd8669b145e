"""Where files are that are read: URLs become open files, paths and open files stay as they are."""

from __future__ import annotations

import gzip
import importlib
import io
import os
import re
import urllib.parse
import urllib.request
from typing import Any

# As "https://...", or fsspec's chains, "zip::s3://...": a file may have "::" in its name.
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)(::[a-z0-9+.-]+)*://", re.IGNORECASE)
# What the standard library opens; other schemes (s3, gs, abfs, memory, ...) are fsspec's.
_OF_URLLIB = frozenset({"http", "https", "ftp"})


def is_url(source: Any) -> bool:
    """True for a text that names a scheme, as "https://..." or "s3://..."."""
    return isinstance(source, str) and _SCHEME.match(source) is not None


def local_or_opened(source: Any, storage_options: Any, caller: str) -> Any:
    """An open file of bytes for a URL; a path or an open file as it is.

    http, https and ftp go through urllib, with ``storage_options`` as the request's headers, other
    schemes through fsspec, with ``storage_options`` as its keywords. "file://" is a path.

    Raises OSError (``urllib.error.URLError`` is one), ImportError that names fsspec, and ValueError
    for ``storage_options`` beside what is no URL.
    """
    found = _SCHEME.match(source) if isinstance(source, str) else None
    scheme = "" if found is None else found.group(1).lower()
    if scheme in ("", "file") and storage_options:
        raise ValueError("storage_options passed with file object or non-fsspec file path")
    if not scheme:
        return source
    if scheme == "file":
        return urllib.request.url2pathname(urllib.parse.urlsplit(source).path)
    if scheme in _OF_URLLIB:
        return _requested(source, dict(storage_options or {}))
    try:
        fsspec = importlib.import_module("fsspec")
    except ImportError:
        raise ImportError(f"{caller} of {scheme} URLs needs fsspec: pip install fsspec") from None
    return fsspec.open(source, "rb", **(storage_options or {})).open()


def _requested(url: str, headers: dict[str, str]) -> io.BytesIO:
    """The whole answer: readers seek in it, which connections do not."""
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
        data = answer.read()
        if answer.headers.get("Content-Encoding") == "gzip":
            data = gzip.decompress(data)
    return io.BytesIO(data)


def name_of(source: Any) -> str | None:
    """What a compression is inferred from: a path, or the path of a URL; None for open files."""
    if is_url(source):
        return str(urllib.parse.urlsplit(source).path)
    return os.fsdecode(os.fspath(source)) if isinstance(source, str | bytes | os.PathLike) else None
