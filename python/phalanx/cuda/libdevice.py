"""The functions of libdevice, NVIDIA's library of mathematics, for use in kernels.

Names and types are libdevice's own without the prefix ``__nv_``: ``sinf`` takes and gives float32,
``sin`` float64. What libdevice writes through pointers comes back in a tuple. On the CPU device the
same mathematics is computed.
"""

from __future__ import annotations

from typing import Any

from .._core.libdevice_names import NAMES

globals().update(NAMES)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"libdevice has no function {name!r}: dir(cuda.libdevice) lists them")


__all__ = [*NAMES]
