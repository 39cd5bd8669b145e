"""How the bits of a key are ordered as NumPy orders what they mean.

Radix sort looks at digits of unsigned numbers. `ordered` makes such a number of a key's bits: NaN
and NaT come last whatever their sign, and zeros of either sign are equal, so that a stable order
keeps them as they were. The bits themselves are what is moved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

# Bits of the fraction of each type of floats.
_FRACTIONS = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}
_WIDTHS = {
    **{f"{sign}int{bits}": bits for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **{"bool": 8, "float16": 16, "bfloat16": 16, "float32": 32, "float64": 64},
}


@dataclass(frozen=True)
class KeyType:
    """A type of keys: its bits, and what orders them."""

    bits: int
    kind: str  # unsigned, signed, float, time, or row: a place in rows of a given length
    fraction: int = 0  # of floats
    is_descending: bool = False

    @property
    def stored(self) -> str:
        """The dtype of the bits in memory."""
        return f"uint{self.bits}"

    @property
    def held(self) -> str:
        """The dtype of the bits in a register."""
        return "uint64" if self.bits == 64 else "uint32"


def key_type(dtype: str, is_descending: bool = False) -> KeyType | None:
    """The keys of a dtype; None where there are none."""
    if dtype.startswith(("datetime64", "timedelta64")):
        return KeyType(64, "time", is_descending=is_descending)
    if dtype in _FRACTIONS:
        return KeyType(_WIDTHS[dtype], "float", _FRACTIONS[dtype], is_descending)
    if dtype not in _WIDTHS:
        return None
    kind = "signed" if dtype.startswith("int") else "unsigned"
    return KeyType(_WIDTHS[dtype], kind, is_descending=is_descending)


@cache
def ordered(key: KeyType) -> Callable[..., Any]:
    """The device function of bits, and of the rows' length, that gives the number to order by."""
    import numpy as np

    from .. import cuda

    held = np.uint64 if key.held == "uint64" else np.uint32
    sign = held(1 << (key.bits - 1))
    all_bits = held((1 << key.bits) - 1)
    shift, below_infinity = held(key.bits - 1), held((1 << key.fraction) - 1)
    nan = held(all_bits - held((2 << key.fraction) - 3)) if key.kind == "float" else sign
    turned = all_bits if key.is_descending else held(0)

    @cuda.jit(device=True)
    def unsigned(bits: Any, length: Any) -> Any:
        return held(bits ^ turned)

    @cuda.jit(device=True)
    def signed(bits: Any, length: Any) -> Any:
        return held(bits ^ sign ^ turned)

    @cuda.jit(device=True)
    def floating(bits: Any, length: Any) -> Any:
        flipped = held(bits ^ (sign | (all_bits & (held(0) - (bits >> shift)))))
        if bits == sign:
            flipped = sign
        # Negative NaN, which are the lowest now, go round to the top.
        number = held(flipped - below_infinity)
        return held((number if number < nan else nan) ^ turned)

    @cuda.jit(device=True)
    def time(bits: Any, length: Any) -> Any:
        return held(((bits ^ sign) - held(1)) ^ turned)

    @cuda.jit(device=True)
    def row(bits: Any, length: Any) -> Any:
        return held(bits // length)

    found = {"unsigned": unsigned, "signed": signed, "float": floating, "time": time, "row": row}
    return found[key.kind]
