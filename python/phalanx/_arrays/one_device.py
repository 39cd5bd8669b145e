"""What functions of arrays of one device say to an array that is spread over several."""

from __future__ import annotations

from typing import Any

from .._core.warnings import called_from_outside

_WAY = "a spread array has its methods and NumPy's functions"


def refuse_spread(value: Any, way: str = _WAY) -> None:
    """Raises NotImplementedError for a spread array: nothing moves without being told."""
    if getattr(type(value), "is_over_devices", False):
        frame, _ = called_from_outside()
        raise NotImplementedError(
            f"{_named(frame.f_code.co_qualname)} is of arrays of one device: {way}, and x.gather() "
            "is the whole on one device"
        )


def _named(function: str) -> str:
    """The function as a program calls it; operators and wrappers have no such name."""
    owner, _, name = function.rpartition(".")
    if name in ("__init__", "__new__"):
        owner, _, name = owner.rpartition(".")
    is_name = not name.startswith("_") and not owner.endswith("<locals>")
    return f"phalanx's {name}" if is_name else "this"
