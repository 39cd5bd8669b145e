"""Files to write to: a new one takes the old one's place when all of it is written."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any


def local_path(path: Any, caller: str) -> Path:
    """A path of the file system. Raises NotImplementedError for URLs, OSError without a folder."""
    given = os.fspath(path)
    if isinstance(given, bytes):
        given = os.fsdecode(given)
    if "://" in given:
        raise NotImplementedError(f"{caller}: URLs; write to an open file instead")
    made = Path(given).expanduser()
    if not made.parent.is_dir():
        raise OSError(f"Cannot save file into a non-existent directory: '{made.parent}'")
    return made


@contextlib.contextmanager
def open_output(path: Path, mode: str = "w") -> Iterator[IO[bytes]]:
    """A file to write bytes to.

    With mode "w" and "x" it has another name until all is written; where something fails, or the
    disk is full, it is removed and an older file stays as it was. What is appended (mode "a") is
    cut off again. Raises OSError, FileExistsError for "x", ValueError for another mode.
    """
    kind = mode.replace("b", "").replace("t", "")
    if kind not in ("w", "x", "a"):
        raise ValueError(f"invalid mode: '{mode}'")
    if kind == "x" and path.exists():
        raise FileExistsError(17, "File exists", str(path))
    if kind == "a":
        with _appended(path) as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as file:  # a device or a pipe
            yield file
        return
    with _replaced(target) as file:
        yield file


@contextlib.contextmanager
def _appended(path: Path) -> Iterator[IO[bytes]]:
    with path.open("ab") as file:
        size = file.tell()
        try:
            yield file
            file.flush()
        except BaseException:
            with contextlib.suppress(OSError):
                os.ftruncate(file.fileno(), size)
            raise


@contextlib.contextmanager
def _replaced(target: Path) -> Iterator[IO[bytes]]:
    beside = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.partial")
    try:
        file = beside.open("xb")
    except PermissionError:
        # The folder takes no new file; the old one may be open to us.
        with target.open("r+b") as old:
            old.truncate()
            yield old
        return
    try:
        with file:
            if target.exists():
                os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
            yield file
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
