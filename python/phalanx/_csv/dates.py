"""Dates of ISO 8601 in text: the same ones, with the same forms, as the host's reader takes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .. import cuda

_DASH, _COLON, _POINT, _SPACE, _LETTER_T = 45, 58, 46, 32, 84
_BILLION = 1_000_000_000
_MOST = np.iinfo(np.int64).max


@cache
def _digits() -> Any:
    @cuda.jit(device=True)
    def digits_at(text: Any, at: Any, count: Any) -> Any:
        """The number of some digits, or -1."""
        number = np.int64(0)
        for k in range(count):
            digit = np.int64(text[at + k]) - 48
            if digit < 0 or digit > 9:
                return np.int64(-1)
            number = number * 10 + digit
        return number

    return digits_at


@cache
def _day() -> Any:
    digits = _digits()

    @cuda.jit(device=True)
    def day_at(text: Any, at: Any) -> Any:
        """Days since 1970 of YYYY-MM-DD, and if it is one."""
        year, month, day = digits(text, at, 4), digits(text, at + 5, 2), digits(text, at + 8, 2)
        if text[at + 4] != _DASH or text[at + 7] != _DASH:
            return np.int64(0), False
        if year < 1 or month < 1 or month > 12 or day < 1:
            return np.int64(0), False
        is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        most = 30 + (month + month // 8) % 2
        if month == 2:
            most = 29 if is_leap else 28
        if day > most:
            return np.int64(0), False
        # Years that begin in March end with the day that may not be there.
        y = year - 1 if month <= 2 else year
        of_era = y % 400
        of_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
        days = y // 400 * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
        return days, True

    return day_at


@cache
def _time() -> Any:
    digits = _digits()

    @cuda.jit(device=True)
    def time_at(text: Any, at: Any, end: Any) -> Any:
        """Seconds of a time after a day, or -1."""
        size = end - at
        if size < 6:
            return np.int64(-1)
        if text[at + 3] != _COLON or (text[at] != _SPACE and text[at] != _LETTER_T):
            return np.int64(-1)
        hours, minutes, rest = digits(text, at + 1, 2), digits(text, at + 4, 2), np.int64(0)
        if size > 6:
            if size < 9 or text[at + 6] != _COLON:
                return np.int64(-1)
            rest = digits(text, at + 7, 2)
        if hours < 0 or hours > 23 or minutes < 0 or minutes > 59 or rest < 0 or rest > 59:
            return np.int64(-1)
        return hours * 3600 + minutes * 60 + rest

    return time_at


@cache
def _fraction() -> Any:
    digits = _digits()

    @cuda.jit(device=True)
    def fraction_at(text: Any, at: Any, end: Any) -> Any:
        """Billionths of a point and up to nine digits, or -1."""
        count = end - at - 1
        if text[at] != _POINT or count < 1 or count > 9:
            return np.int64(-1)
        billionths = digits(text, at + 1, count)
        for _ in range(count, 9):
            billionths *= 10
        return max(billionths, np.int64(-1))

    return fraction_at


@cache
def date_of() -> Any:
    """A date in a unit, its form (0: it is none), and if the unit is too long for it."""
    day, time, fraction = _day(), _time(), _fraction()

    @cuda.jit(device=True)
    def read_date(text: Any, begin: Any, end: Any, scale: Any) -> Any:
        size = end - begin
        if size < 10:
            return np.int64(0), 0, False
        days, is_day = day(text, begin)
        if not is_day:
            return np.int64(0), 0, False
        form = 1
        seconds = np.int64(0)
        if size > 10:
            seconds = time(text, begin + 10, end)
            if seconds < 0:
                return np.int64(0), 0, False
            form = (8 if text[begin + 10] == _LETTER_T else 2) + (1 if size > 16 else 0)
        billionths = np.int64(0)
        if size > 19:
            billionths = fraction(text, begin + 19, end)
            form += 1
        if billionths < 0:
            return np.int64(0), 0, False
        seconds += days * 86400
        if abs(seconds) > _MOST // scale:
            return np.int64(0), 0, False
        value = seconds * scale + billionths // (_BILLION // scale)
        return value, form, size > 26

    return read_date
