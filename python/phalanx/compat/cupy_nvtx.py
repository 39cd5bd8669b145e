"""``cupy.cuda.nvtx``: ranges and marks for Nsight Systems; without NVTX's library they do nothing.

The engine gives ranges of its own where a profiler runs the program: docs/guide/profile.md.
"""

from __future__ import annotations

from .. import _engine

available = _engine.has_nvtx()

# The colors that numbers mean, alpha first.
_COLORS = (
    0xFF00FF00,  # green
    0xFF0000FF,  # blue
    0xFFFFFF00,  # yellow
    0xFFFF00FF,  # magenta
    0xFF00FFFF,  # cyan
    0xFFFF0000,  # red
    0xFFFF8000,  # orange
    0xFF808080,  # grey
    0xFF800080,  # purple
    0xFF80C000,  # lime
)


def _color(number: int) -> int | None:
    """A color by its number, of which there are ten in turn; below 0 none."""
    return None if number < 0 else _COLORS[number % len(_COLORS)]


def RangePush(message: str, id_color: int = -1) -> None:
    """Begins a range of this thread; ranges nest. The color is one of ten by its number."""
    if available:
        _engine.nvtx_push(message, _color(id_color))


def RangePushC(message: str, color: int = 0) -> None:
    """Begins a range of a color that is given as ARGB, 0xFFFF0000 for red."""
    if available:
        _engine.nvtx_push(message, color)


def RangePop() -> None:
    """Ends the range that this thread has begun last."""
    if available:
        _engine.nvtx_pop()


def Mark(message: str, id_color: int = -1) -> None:
    """Marks this moment. The color is one of ten by its number."""
    if available:
        _engine.nvtx_mark(message, _color(id_color))


def MarkC(message: str, color: int = 0) -> None:
    """Marks this moment in a color that is given as ARGB."""
    if available:
        _engine.nvtx_mark(message, color)
