"""Kernels that read a column of strings: their lengths, then their bytes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .. import cuda
from .fields import bounds_of, is_missing
from .numbers import MISSING


@cache
def measure() -> Any:
    """Bytes of each row, 0 where the value is missing; of quotes within a field every other."""
    bounds, missing = bounds_of(), is_missing()

    @cuda.jit
    def measure_texts(source: Any, fields: Any, rules: Any, gone: Any, made: Any) -> None:
        text, starts = source
        lengths, valid, state = made
        at, quote = rules[0], fields[3]
        texts, ends = gone
        for row in range(cuda.grid(1), lengths.size, cuda.gridsize(1)):
            begin, end = bounds(text, starts, fields, row)
            is_gone = missing(text, begin, end, texts, ends)
            size = np.int64(0) if is_gone else end - begin
            if quote >= 0 and size > 0:
                quotes = 0
                for k in range(begin, end):
                    quotes += 1 if text[k] == quote else 0
                size -= quotes // 2
            lengths[row] = size
            valid[row] = not is_gone
            if is_gone:
                state[at, MISSING] = 1

    return measure_texts


@cache
def copy() -> Any:
    """The bytes of all rows to their offsets."""
    bounds = bounds_of()

    @cuda.jit
    def copy_texts(source: Any, fields: Any, valid: Any, offsets: Any, out: Any) -> None:
        text, starts = source
        quote = fields[3]
        for row in range(cuda.grid(1), valid.size, cuda.gridsize(1)):
            if valid[row]:
                begin, end = bounds(text, starts, fields, row)
                to = np.int64(offsets[row])
                is_skipped = False
                for k in range(begin, end):
                    is_skipped = quote >= 0 and text[k] == quote and not is_skipped
                    if not is_skipped:
                        out[to] = text[k]
                        to += 1

    return copy_texts
