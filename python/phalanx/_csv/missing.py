"""Sets of missing values in a device's memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import phalanx as px


class Missing(NamedTuple):
    """What counts as missing."""

    texts: Any  # uint8, one text after another
    ends: Any  # int32, 0 and where each ends
    numbers: Any  # float64
    has_numbers: bool  # of the texts
    has_quotes: bool  # a text has a quote, which fields have twice


def _is_number(text: str) -> bool:
    try:
        return not math.isnan(float(text))
    except ValueError:
        return False


def missing_on(device: str, values: tuple[Sequence[str], Sequence[float]], quote: int) -> Missing:
    """A set on a device; at least one byte is there, so that kernels have an array."""
    texts = [text.encode() for text in values[0]]
    ends = np.cumsum([0, *map(len, texts)]).astype(np.int32)
    joined = np.frombuffer(b"".join(texts) + b"\0", np.uint8)
    return Missing(
        px.asarray(joined, device=device),
        px.asarray(ends, device=device),
        px.asarray(np.array(values[1], np.float64), device=device),
        any(map(_is_number, values[0])),
        quote >= 0 and any(quote in text for text in texts),
    )
