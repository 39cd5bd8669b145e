"""``cupy.cuda.nvtx``: names of ranges, for which there is no library here: they do nothing."""

from __future__ import annotations

available = False


def RangePush(message: str, id_color: int = -1) -> None:
    """Begins nothing."""


RangePushC = RangePush


def RangePop() -> None:
    """Ends nothing."""


def Mark(message: str, id_color: int = -1) -> None:
    """Marks nothing."""


MarkC = Mark
