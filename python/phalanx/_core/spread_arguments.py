"""What takes arrays of one device says to one that is spread over several."""

from __future__ import annotations

from typing import Any


def refuse_spread_argument(value: Any, callee: str) -> None:
    """Raises TypeError for a spread array, with the ways that there are."""
    if getattr(type(value), "is_over_devices", False):
        raise TypeError(
            f"a spread array cannot be passed to {callee}: pass each of x.parts, "
            "or x.gather(), the whole on one device"
        )
