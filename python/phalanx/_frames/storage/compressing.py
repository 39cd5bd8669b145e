"""Bytes that are compressed while they are written."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import importlib
import lzma
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

ENDINGS = {".gz": "gzip", ".bz2": "bz2", ".zip": "zip", ".xz": "xz", ".zst": "zstd", ".tar": "tar"}
_TARS = (".tar.gz", ".tar.bz2", ".tar.xz")


def method_of(compression: Any, path: Any) -> tuple[str | None, dict[str, Any]]:
    """The method of pandas' keyword ``compression``, by the path's ending, and its options.

    Raises ValueError for one that does not exist.
    """
    options: dict[str, Any] = {}
    if isinstance(compression, dict):
        options = dict(compression)
        if "method" not in options:
            raise ValueError("If mapping, compression must have key 'method'")
        compression = options.pop("method")
    if compression == "infer":
        name = str(path).lower() if path is not None else ""
        compression = "tar" if name.endswith(_TARS) else ENDINGS.get(Path(name).suffix)
    if compression is None:
        return None, options
    if compression not in ENDINGS.values():
        valid = ["infer", None, *sorted(ENDINGS.values())]
        raise ValueError(
            f"Unrecognized compression type: {compression}\nValid compression types are {valid}"
        )
    return compression, options


def method_to_write(compression: Any, path: Any, caller: str) -> tuple[str | None, dict[str, Any]]:
    """`method_of` for a file to be written. Raises NotImplementedError for tar too."""
    method, options = method_of(compression, path)
    if method == "tar":
        raise NotImplementedError(f"{caller}: compression='tar'; use gzip, bz2, xz, zip or zstd")
    return method, options


def _gzip(file: IO[bytes], options: dict[str, Any], name: str) -> Any:
    return gzip.GzipFile(filename="", fileobj=file, mode="wb", **options)


def _bz2(file: IO[bytes], options: dict[str, Any], name: str) -> Any:
    return bz2.BZ2File(file, "wb", **options)


def _xz(file: IO[bytes], options: dict[str, Any], name: str) -> Any:
    return lzma.LZMAFile(file, "wb", **options)


@contextlib.contextmanager
def _zip(file: IO[bytes], options: dict[str, Any], name: str) -> Iterator[Any]:
    member = options.pop("archive_name", None) or name
    settings = {"compression": zipfile.ZIP_DEFLATED, **options}
    with (
        zipfile.ZipFile(file, "w", **settings) as archive,
        archive.open(member, "w", force_zip64=True) as inner,
    ):
        yield inner


def _python_zstd(module: Any, file: IO[bytes], options: dict[str, Any]) -> Any:
    return module.ZstdFile(file, "wb", **options)


def _package_zstd(module: Any, file: IO[bytes], options: dict[str, Any]) -> Any:
    return module.open(file, "wb", module.ZstdCompressor(**options))


def _zstd(file: IO[bytes], options: dict[str, Any], name: str) -> Any:
    for module, make in (
        ("compression.zstd", _python_zstd),
        ("zstandard", _package_zstd),
    ):
        with contextlib.suppress(ImportError):
            return make(importlib.import_module(module), file, options)
    raise ImportError("compression='zstd' needs the package zstandard: pip install zstandard")


_OPENERS: dict[str, Callable[[IO[bytes], dict[str, Any], str], Any]] = {
    "gzip": _gzip,
    "bz2": _bz2,
    "xz": _xz,
    "zip": _zip,
    "zstd": _zstd,
}


@contextlib.contextmanager
def compressed(
    file: IO[bytes], method: str | None, options: dict[str, Any], name: str = "data"
) -> Iterator[IO[bytes]]:
    """A file whose bytes go into another one compressed; the other one stays open."""
    if method is None:
        yield file
        return
    with _OPENERS[method](file, dict(options), name) as inner:
        yield inner
