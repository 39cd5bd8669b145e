"""Figures as people read them."""

from __future__ import annotations

_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
_SIZES = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def seconds_text(seconds: float) -> str:
    """``"12.3 ms"``: three digits."""
    for unit, name in _TIMES:
        if abs(seconds) >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-9:.2g} ns" if seconds else "0"


def bytes_text(count: float) -> str:
    """``"4.5 MB"``: three digits, of powers of ten as rates of memory are."""
    for unit, name in _SIZES:
        if abs(count) >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count:.0f} B"


def count_text(count: int) -> str:
    """``"12,345"``."""
    return f"{count:,}"
