"""Files that operations keep rows in: without a name, gone when they are closed."""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from phalanx.errors import SpillError

FOLDER = "PHALANX_SPILL_DIR"


def folder() -> str:
    """Where the files are: the environment's folder, or the system's for such files."""
    return os.environ.get(FOLDER) or tempfile.gettempdir()


class Extent(NamedTuple):
    """An array in a file."""

    offset: int
    dtype: np.dtype
    length: int

    @property
    def nbytes(self) -> int:
        """Its bytes."""
        return self.dtype.itemsize * self.length


def _bytes_of(array: np.ndarray) -> memoryview:
    """The bytes of an array of one dimension: without a copy where they lie one after another."""
    return memoryview(np.ascontiguousarray(array).view(np.uint8))  # type: ignore[arg-type]


class SpillFile:
    """Arrays one after the other. The system gives the disk back when the file is closed or the
    process has ended, in whatever way.

    Raises SpillError where there is no folder for it, and where the disk is full.
    """

    def __init__(self) -> None:
        self.size = 0
        self._folder = folder()
        try:
            self._file = tempfile.TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115
        except OSError as error:
            raise self._failed(error, "be made") from error

    def append(self, data: np.ndarray) -> Extent:
        """Writes an array of one dimension. Raises SpillError."""
        found = Extent(self.size, data.dtype, len(data))
        left = _bytes_of(data)
        try:
            while left:
                left = left[os.write(self._file.fileno(), left) :]
        except OSError as error:
            raise self._failed(error, "grow") from error
        self.size += found.nbytes
        return found

    def read(self, extents: Sequence[Extent], dtype: np.dtype) -> np.ndarray:
        """The elements of some arrays of one dtype, one array's after the other's."""
        made = np.empty(sum(each.length for each in extents), dtype)
        target = _bytes_of(made)
        for each in extents:
            offset, end = each.offset, each.offset + each.nbytes
            while offset < end:
                count = self._read_at(target[: end - offset], offset)
                target, offset = target[count:], offset + count
        return made

    def _read_at(self, target: memoryview, offset: int) -> int:
        try:
            count = os.preadv(self._file.fileno(), [target], offset)
        except OSError as error:
            raise self._failed(error, "be read") from error
        if count == 0:
            raise SpillError(f"a file in {self._folder} has become shorter while it was used")
        return count

    def mapped(self, dtype: np.dtype) -> np.ndarray:
        """All of it as an array that stays in the file: memory that the system can take back."""
        if self.size == 0:
            return np.empty(0, dtype)
        memory = mmap.mmap(self._file.fileno(), self.size, prot=mmap.PROT_READ)
        return np.frombuffer(memory, dtype)

    def close(self) -> None:
        """The file is gone, but for what is mapped of it."""
        self._file.close()

    def _failed(self, error: OSError, what: str) -> SpillError:
        return SpillError(
            error.errno,
            f"a file in {self._folder} for rows that memory has no room for could not {what}: "
            f"{error.strerror}; name a folder with more room in {FOLDER}, or raise the limit with "
            "px.set_memory_limit()",
        )
