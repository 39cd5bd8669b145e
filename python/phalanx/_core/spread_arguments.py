"""What takes arrays of one device says to one that is spread over several."""

from __future__ import annotations

from typing import Any


def refuse_spread_argument(value: Any, callee: str) -> None:
    """Raises TypeError for a spread array, with the ways that there are."""
    if getattr(type(value), "is_over_devices", False):
        raise refusal(callee)


def refusal(callee: str) -> TypeError:
    """The error of a spread array that was passed; compiled functions say the same."""
    return TypeError(
        f"a spread array cannot be passed to {callee}; pass the array of one device: x.parts has "
        "one for each, x.gather() is the whole on one"
    )
