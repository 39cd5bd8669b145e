"""Kernels that read a column of numbers, bools or dates: a thread for each row."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import cuda
from .dates import date_of
from .decimals import NO_NUMBER, NUMBER, UNDECIDED, decimal_number
from .fields import (
    GOOD,
    INVALID,
    TOO_LARGE,
    bounds_of,
    equals_in_any_case,
    is_missing,
    whole_number,
)

# What `state` tells of a column.
MISSING, FAILED, LARGE, FORMS, NANOSECONDS, LEFT = range(6)
STATES = 6
# Whole numbers with so many digits may be larger than an int64.
_DIGITS_OF_LARGE = 19
_NAT = np.int64(np.iinfo(np.int64).min)


class Rules(NamedTuple):
    """How a kernel reads a column, and which row of the state is the column's."""

    at: Any
    is_number_missing: Any  # 1: some texts of missing values are numbers, else 0
    point: Any


@cache
def read_integers() -> Any:
    """int64, 0 where the value is missing."""
    bounds, whole, missing = bounds_of(), whole_number(), is_missing()

    @cuda.jit
    def read_whole_numbers(source: Any, fields: Any, rules: Any, gone: Any, made: Any) -> None:
        at, is_first, _ = rules
        text, starts = source
        texts, ends = gone
        out, valid, state = made
        for row in range(cuda.grid(1), out.size, cuda.gridsize(1)):
            begin, end = bounds(text, starts, fields, row)
            value, found = np.int64(0), INVALID
            is_gone = is_first != 0 and missing(text, begin, end, texts, ends)
            if not is_gone:
                value, found = whole(text, begin, end)
                if found != GOOD:
                    is_gone = is_first == 0 and missing(text, begin, end, texts, ends)
            out[row] = value
            valid[row] = not is_gone
            # Threads that write here write the same.
            if is_gone:
                state[at, MISSING] = 1
            elif found == TOO_LARGE:
                state[at, LARGE] = 1
                state[at, FAILED] = 1
            elif found == INVALID:
                state[at, FAILED] = 1

    return read_whole_numbers


@cache
def _is_large() -> Any:
    whole = whole_number()

    @cuda.jit(device=True)
    def is_large(text: Any, begin: Any, end: Any) -> Any:
        """Tells if a text is a whole number that no int64 holds: those decide a column's kind."""
        if end - begin < _DIGITS_OF_LARGE:
            return False
        return whole(text, begin, end)[1] == TOO_LARGE

    return is_large


@cache
def _number_or_missing() -> Any:
    decimal, missing = decimal_number(), is_missing()

    @cuda.jit(device=True)
    def read_one(text: Any, bounds: Any, rules: Any, gone: Any, tables: Any) -> Any:
        """A field's number, what it is found to be, and if it is missing."""
        begin, end = bounds
        _, is_first, point = rules
        texts, ends, numbers = gone
        if is_first != 0 and missing(text, begin, end, texts, ends):
            return np.nan, NO_NUMBER, True
        value, found = decimal(text, bounds, point, tables)
        if found == NO_NUMBER:
            is_gone = is_first == 0 and missing(text, begin, end, texts, ends)
            return np.nan, found, is_gone
        for k in range(numbers.size):
            if found == NUMBER and value == numbers[k]:
                return np.nan, found, True
        return value, found, False

    return read_one


@cache
def read_floats() -> Any:
    """float64, NaN where the value is missing; rows that are undecided go to a list."""
    bounds, is_large, read_one = bounds_of(), _is_large(), _number_or_missing()

    @cuda.jit
    def read_decimals(
        source: Any, fields: Any, rules: Any, gone: Any, made: Any, more: Any
    ) -> None:
        text, starts = source
        out, valid, state = made
        tables, left = more
        at = rules[0]
        for row in range(cuda.grid(1), out.size, cuda.gridsize(1)):
            begin, end = bounds(text, starts, fields, row)
            value, found, is_gone = read_one(text, (begin, end), rules, gone, tables)
            out[row] = value
            valid[row] = not is_gone
            if is_gone:
                state[at, MISSING] = 1
            elif found == NO_NUMBER:
                state[at, FAILED] = 1
            if found == UNDECIDED:
                slot = cuda.atomic.add(state, (at, LEFT), 1)
                if slot < left.size:
                    left[slot] = row
            if is_large(text, begin, end):
                state[at, LARGE] = 1

    return read_decimals


@cache
def read_bools() -> Any:
    """Bools, False where the value is missing."""
    bounds, missing = bounds_of(), is_missing()
    is_true, is_false = equals_in_any_case("true"), equals_in_any_case("false")

    @cuda.jit
    def read_truths(source: Any, fields: Any, rules: Any, gone: Any, made: Any) -> None:
        at = rules[0]
        text, starts = source
        texts, ends = gone
        out, valid, state = made
        for row in range(cuda.grid(1), out.size, cuda.gridsize(1)):
            begin, end = bounds(text, starts, fields, row)
            is_gone = missing(text, begin, end, texts, ends)
            value = not is_gone and is_true(text, begin, end)
            out[row] = value
            valid[row] = not is_gone
            if is_gone:
                state[at, MISSING] = 1
            elif not value and not is_false(text, begin, end):
                state[at, FAILED] = 1

    return read_truths


@cache
def read_dates() -> Any:
    """int64 of a unit of which a second has `scale`, NaT where the value is missing."""
    bounds, missing, date = bounds_of(), is_missing(), date_of()

    @cuda.jit
    def read_moments(
        source: Any, fields: Any, rules: Any, gone: Any, made: Any, scale: Any
    ) -> None:
        at = rules[0]
        text, starts = source
        texts, ends = gone
        out, valid, state = made
        for row in range(cuda.grid(1), out.size, cuda.gridsize(1)):
            begin, end = bounds(text, starts, fields, row)
            is_gone = missing(text, begin, end, texts, ends)
            valid[row] = not is_gone
            if is_gone:
                out[row] = _NAT
                state[at, MISSING] = 1
                continue
            value, form, needs_nanoseconds = date(text, begin, end, scale)
            out[row] = value
            if needs_nanoseconds:
                state[at, NANOSECONDS] = 1
            if form == 0:
                state[at, FAILED] = 1
            elif state[at, FORMS] & (1 << form) == 0:
                cuda.atomic.or_(state, (at, FORMS), 1 << form)

    return read_moments
