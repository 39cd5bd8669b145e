"""Where texts begin, of their sizes."""

from __future__ import annotations

from typing import Any

import phalanx as px


def offsets_of(sizes: Any) -> Any:
    """Where each text begins, and at last where the last one ends."""
    return px.concatenate([px.zeros_like(sizes, shape=(1,)), px.cumsum(sizes)])
