"""`pycuda.autoprimaryctx`: the primary context of the best device, for the process."""

from __future__ import annotations

from .autoinit import context, device

__all__ = ["context", "device"]
