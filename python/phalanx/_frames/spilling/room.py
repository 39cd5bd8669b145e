"""What the limit of the host's memory leaves to an operation, and the work that needs more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from phalanx._arrays import memory, placement

from ..._core.progress_bar import ProgressBar
from ..columns.column import Column
from .files import SpillFile

# What the engine takes of a row beside keys and values: words, tables, codes and row numbers.
ROW_BYTES = 32
FEWEST_ROWS = 256  # of a piece: what is done for a piece takes as long as some rows
MOST_PARTS = 1024

_is_inside: ContextVar[bool] = ContextVar("is_inside", default=False)


def room() -> int | None:
    """The bytes that the limit of the host's memory leaves; None where there is no limit."""
    found: int | None = placement.engine_device("cpu").memory_room  # type: ignore[union-attr]
    return found


class Work:
    """An operation that goes through files: how large its pieces are, and how far it is."""

    def __init__(self, what: str, left: int, total: int) -> None:
        self.room = left
        self._total = total
        self._done = 0
        self._files: list[SpillFile] = []
        self._bar = ProgressBar(what)

    def new_file(self) -> SpillFile:
        """A file that is closed when the work ends."""
        self._files.append(SpillFile())
        return self._files[-1]

    def parts_for(self, nbytes: int) -> int:
        """So many parts that four of them have room: one, what is made of it, and a larger one."""
        return min(max(-(-4 * nbytes // max(self.room, 1)), 2), MOST_PARTS)

    def rows_of_piece(self, rows: int, nbytes: int) -> int:
        """So many rows that what is made of them has room beside them."""
        return max(self.room // 8 * rows // max(nbytes, 1), FEWEST_ROWS)

    def has_room(self, nbytes: int) -> bool:
        """True where so many bytes can be worked on in memory."""
        return 4 * nbytes <= self.room

    def moved(self, nbytes: int) -> None:
        """So many more bytes are through."""
        self._done += nbytes
        self._bar(min(self._done, self._total), self._total)

    def close(self) -> None:
        """Gives the files' room back, and counts what was written."""
        memory.FILES.add(sum(each.size for each in self._files))
        for each in self._files:
            each.close()
        self._bar.close()


def bytes_of(columns: Iterable[Column]) -> int:
    """The bytes of some columns, one that is there twice counted once."""
    return sum(each.nbytes for each in {id(each): each for each in columns}.values())


def for_work(rows: int, columns: Iterable[Column]) -> int | None:
    """What is left for an operation that moves some columns, if that is too little; else None."""
    left = room()
    if left is None or _is_inside.get():
        return None
    return left if rows * ROW_BYTES + bytes_of(columns) > left else None


@contextmanager
def work(what: str, left: int, total: int) -> Iterator[Work]:
    """The work of an operation, in which others stay in memory. Its files are closed whatever
    happens.
    """
    token = _is_inside.set(True)
    made = Work(what, left, total)
    try:
        yield made
    finally:
        made.close()
        _is_inside.reset(token)
