"""Compressed files and archives of one file, as files of bytes to read from."""

from __future__ import annotations

import bz2
import gzip
import importlib
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from typing import Any


def _opened_zstd(file: Any) -> Any:
    for name, function in (("compression.zstd", "ZstdFile"), ("zstandard", "open")):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        return getattr(module, function)(file, "rb")
    raise ImportError("compression='zstd' needs the package zstandard: pip install zstandard")


def _only(names: list[str], kind: str) -> str:
    if not names:
        raise ValueError(f"Zero files found in {kind} file")
    if len(names) > 1:
        raise ValueError(f"Multiple files found in {kind} file. Only one file per {kind}: {names}")
    return names[0]


def _opened_zip(file: Any) -> Any:
    archive = zipfile.ZipFile(file)
    files = [each for each in archive.namelist() if not each.endswith("/")]
    return archive.open(_only(files, "ZIP"))


def _opened_tar(file: Any) -> Any:
    archive = tarfile.open(fileobj=file, mode="r:*")  # noqa: SIM115
    files = [each.name for each in archive.getmembers() if each.isfile()]
    return archive.extractfile(_only(files, "TAR"))


_OPENERS: dict[str, Callable[[Any], Any]] = {
    "gzip": lambda file: gzip.GzipFile(fileobj=file),
    "bz2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
    "zstd": _opened_zstd,
    "zip": _opened_zip,
    "tar": _opened_tar,
}


def decompressed(file: Any, method: str | None) -> Any:
    """A file of what another one, which stays open, has compressed; itself without a method.

    Raises ValueError for archives of no file or several, ImportError for zstd without a package,
    and at reading what the modules raise of damage.
    """
    return file if method is None else _OPENERS[method](file)
