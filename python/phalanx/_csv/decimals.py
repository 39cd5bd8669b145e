"""Decimal numbers as float64, rounded correctly.

D. Lemire, Number Parsing at a Gigabyte per Second, Software: Practice and Experience 51, 2021;
N. Mushtak, D. Lemire, Fast Number Parsing Without Fallback, the same 53, 2023.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from .. import cuda
from ..cuda import libdevice
from .fields import equals_in_any_case, sign_of, without_blanks

u64 = np.uint64
LEAST_POWER, MOST_POWER = -342, 308
EXACT_POWER = 22  # 10**22 is a float64
MOST_DIGITS = 19  # that 64 bits hold
_MOST_EXPONENT = 100_000  # of a text; what is beyond is as large
_LETTER_E = 101

# What a text is found to be; of the last it is known to be a number, which others are to round.
NUMBER, NO_NUMBER, UNDECIDED = range(3)


def _power_of_five(power: int) -> int:
    """The highest 128 bits of 5**power, rounded up where it is a fraction."""
    if power >= 0:
        number: int = 5**power
        shift = 128 - number.bit_length()
        return number << shift if shift >= 0 else number >> -shift
    divisor: int = 5**-power
    bits = (divisor - 1).bit_length()
    fraction = (1 << (bits + 127 if power >= -27 else 2 * bits + 128)) // divisor + 1
    return fraction >> max(fraction.bit_length() - 128, 0)


@cache
def _tables() -> tuple[Any, Any]:
    """Powers of five, two words each; exact powers of ten."""
    powers = [_power_of_five(power) for power in range(LEAST_POWER, MOST_POWER + 1)]
    words = [word for each in powers for word in (each >> 64, each & ((1 << 64) - 1))]
    return np.array(words, u64), 10.0 ** np.arange(EXACT_POWER + 1)


def tables_on(device: Any) -> tuple[Any, Any]:
    """The tables that kernels read, on a device."""
    fives, tens = _tables()
    return px.asarray(fives, device=device), px.asarray(tens, device=device)


@cache
def _product() -> Any:
    @cuda.jit(device=True)
    def product(number: Any, power: Any, fives: Any) -> Any:
        """The highest 128 bits, as far as 55 bits need them, of a number and 5**power."""
        index = 2 * (power - LEAST_POWER)
        five = fives[index]
        high = u64(libdevice.umul64hi(np.int64(number), np.int64(five)))
        low = number * five
        if high & u64(0x1FF) == u64(0x1FF):
            more = u64(libdevice.umul64hi(np.int64(number), np.int64(fives[index + 1])))
            low += more
            if more > low:
                high += u64(1)
        return high, low

    return product


@cache
def _rounded() -> Any:
    multiply = _product()

    @cuda.jit(device=True)
    def rounded(number: Any, power: Any, fives: Any) -> Any:
        """The bits of the float64 next to number * 10**power; the number is not 0."""
        if power < LEAST_POWER:
            return u64(0)
        if power > MOST_POWER:
            return u64(0x7FF) << u64(52)
        zeros = np.int64(libdevice.clzll(np.int64(number)))
        high, low = multiply(number << u64(zeros), power, fives)
        top = np.int64(high >> u64(63))
        mantissa = high >> u64(top + 9)
        exponent = (((152170 + 65536) * np.int64(power)) >> 16) + 63 + top - zeros + 1023
        if exponent <= 0:
            if 1 - exponent >= 64:
                return u64(0)
            mantissa >>= u64(1 - exponent)
            # A carry makes it the least normal number.
            return (mantissa + (mantissa & u64(1))) >> u64(1)
        is_half = low <= u64(1) and power >= -4 and power <= 23 and mantissa & u64(3) == u64(1)
        if is_half and mantissa << u64(top + 9) == high:
            mantissa &= ~u64(1)
        mantissa = (mantissa + (mantissa & u64(1))) >> u64(1)
        if mantissa >= u64(1 << 53):
            mantissa = u64(1 << 52)
            exponent += 1
        if exponent >= 0x7FF:
            return u64(0x7FF) << u64(52)
        return (mantissa & u64((1 << 52) - 1)) | (u64(exponent) << u64(52))

    return rounded


@cache
def float_of() -> Any:
    """The float64 next to `number * 10**power`: W. D. Clinger's way where both are exact."""
    rounded = _rounded()

    @cuda.jit(device=True)
    def nearest(number: Any, power: Any, fives: Any, tens: Any) -> Any:
        if number <= u64(1 << 53) and power >= -EXACT_POWER and power <= EXACT_POWER:
            value = np.float64(np.int64(number))
            return value / tens[-power] if power < 0 else value * tens[power]
        if number == u64(0):
            return 0.0
        return libdevice.longlong_as_double(np.int64(rounded(number, power, fives)))

    return nearest


@cache
def _digits() -> Any:
    @cuda.jit(device=True)
    def read_digits(text: Any, begin: Any, end: Any, point: Any) -> Any:
        """The first 19 digits as a number, its power of ten, if others are not 0, and the end.

        The end is -1 where there is no digit.
        """
        number = u64(0)
        power = np.int64(0)
        count = 0
        has_digit = False
        has_point = False
        is_cut = False
        at = begin
        while at < end:
            digit = np.int32(text[at]) - 48
            if digit >= 0 and digit <= 9:
                has_digit = True
                if count < MOST_DIGITS:
                    number = number * u64(10) + u64(digit)
                    count += 1 if number != u64(0) else 0
                    power -= 1 if has_point else 0
                else:
                    is_cut |= digit != 0
                    power += 0 if has_point else 1
            elif digit + 48 == point and not has_point:
                has_point = True
            else:
                break
            at += 1
        return number, power, is_cut, (at if has_digit else np.int64(-1))

    return read_digits


@cache
def _exponent() -> Any:
    sign = sign_of()

    @cuda.jit(device=True)
    def read_exponent(text: Any, begin: Any, end: Any) -> Any:
        """The number after an "e", and if that is all of the text."""
        if (np.int32(text[begin]) | 32) != _LETTER_E:
            return np.int64(0), False
        signed = sign(text, begin + 1, end)
        at = begin + (1 if signed == 0 else 2)
        if at == end:
            return np.int64(0), False
        power = np.int64(0)
        while at < end:
            digit = np.int32(text[at]) - 48
            if digit < 0 or digit > 9:
                return np.int64(0), False
            power = min(power * 10 + digit, np.int64(_MOST_EXPONENT))
            at += 1
        return (-power if signed < 0 else power), True

    return read_exponent


@cache
def decimal_number() -> Any:
    """A text's float64, and what the text is: NUMBER, NO_NUMBER, UNDECIDED."""
    trimmed, sign, nearest = without_blanks(), sign_of(), float_of()
    digits, exponent = _digits(), _exponent()
    is_inf, is_infinity = equals_in_any_case("inf"), equals_in_any_case("infinity")

    @cuda.jit(device=True)
    def read_decimal(text: Any, given: Any, point: Any, tables: Any) -> Any:
        fives, tens = tables
        begin, end = trimmed(text, given[0], given[1])
        has_blanks = begin != given[0] or end != given[1]
        signed = sign(text, begin, end)
        if signed != 0:
            begin += 1
        number, power, is_cut, at = digits(text, begin, end, point)
        if at < 0:
            is_word = is_inf(text, begin, end) or is_infinity(text, begin, end)
            if has_blanks or not is_word:
                return 0.0, NO_NUMBER
            return (-np.inf if signed < 0 else np.inf), NUMBER
        if at < end:
            more, is_all = exponent(text, at, end)
            if not is_all:
                return 0.0, NO_NUMBER
            power += more
        value = nearest(number, power, fives, tens)
        if is_cut and value != nearest(number + u64(1), power, fives, tens):
            return 0.0, UNDECIDED
        return (-value if signed < 0 else value), NUMBER

    return read_decimal
