"""What functions of arrays of one device say to an array that is spread over several."""

from __future__ import annotations

from typing import Any

from .._core.warnings import called_from_outside


def refuse_spread(value: Any) -> None:
    """Raises NotImplementedError for a spread array: nothing moves without being told."""
    if getattr(type(value), "is_over_devices", False):
        frame, _ = called_from_outside()
        raise NotImplementedError(
            f"phalanx's {frame.f_code.co_name} is of arrays of one device: a spread array has its "
            "methods and NumPy's functions, and x.gather() is the whole on one device"
        )
