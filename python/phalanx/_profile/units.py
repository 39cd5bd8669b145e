"""Figures as people read them."""

from __future__ import annotations

_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
_SIZES = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
_ROUNDED_UP = 0.9995  # three digits of this are 1, and of a thousand such 1000


def number_text(number: float) -> str:
    """``"12.3"``, ``"2,655"``: three digits, and of thousands all."""
    return f"{number:.3g}" if abs(number) < 1000 * _ROUNDED_UP else f"{number:,.0f}"


def seconds_text(seconds: float) -> str:
    """``"12.3 ms"``: three digits."""
    for unit, name in _TIMES:
        if abs(seconds) >= _ROUNDED_UP * unit:
            return f"{number_text(seconds / unit)} {name}"
    return f"{seconds / 1e-9:.2g} ns" if seconds else "0"


def bytes_text(count: float) -> str:
    """``"4.5 MB"``: three digits, of powers of ten as rates of memory are."""
    for unit, name in _SIZES:
        if abs(count) >= _ROUNDED_UP * unit:
            return f"{number_text(count / unit)} {name}"
    return f"{count:.0f} B"


def count_text(count: int) -> str:
    """``"12,345"``."""
    return f"{count:,}"
