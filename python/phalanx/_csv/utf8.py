"""Tells if a text is UTF-8: each byte looks for the character that it is of."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .. import cuda
from .._arrays.launching import read, written
from .._grouping.kernels import full, launch_over


@cache
def _length() -> Any:
    @cuda.jit(device=True)
    def length_at(text: Any, at: Any, size: Any) -> Any:
        """Bytes of the character that begins there, 0 where none does. Unicode, table 3-7."""
        lead = np.int32(text[at])
        if lead < 0x80:
            return 1
        length = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        if lead < 0xC2 or lead > 0xF4 or at + length > size:
            return 0
        second = np.int32(text[at + 1])
        least = 0xA0 if lead == 0xE0 else 0x90 if lead == 0xF0 else 0x80
        most = 0x9F if lead == 0xED else 0x8F if lead == 0xF4 else 0xBF
        is_good = second >= least and second <= most
        for k in range(2, length):
            is_good = is_good and np.int32(text[at + k]) & 0xC0 == 0x80
        return length if is_good else 0

    return length_at


@cache
def _find() -> Any:
    length_at = _length()

    @cuda.jit
    def find_no_utf8(text: Any, size: Any, facts: Any) -> None:
        for i in range(cuda.grid(1), size, cuda.gridsize(1)):
            if np.int32(text[i]) >= 0x80:
                lead = np.int64(i)
                while lead > 0 and i - lead < 3 and np.int32(text[lead]) & 0xC0 == 0x80:
                    lead -= 1
                if length_at(text, lead, size) <= i - lead:
                    facts[0] = 1

    return find_no_utf8


def is_utf8(text: Any, size: int) -> bool:
    """Tells if the first bytes of a text are UTF-8 from a character's start to another's end."""
    facts = full(1, 0, np.int32, text.device)
    launch_over(_find(), size, text._device, read(text), np.int64(size), written(facts))
    return not np.asarray(facts)[0]
