"""``numba.cuda.vector_types``: CUDA's vector types by name."""

from __future__ import annotations

from ..types import VECTORS, Vector

vector_types: dict[str, Vector] = {name: made for name, made in VECTORS.items() if "x" in name}

__all__ = ["vector_types"]
