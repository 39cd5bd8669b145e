"""Floats and complex numbers of a column as text: one form for all of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..missing import is_missing
from ..options import get_option

FloatFormat = Callable[[Any], str] | str | None


def float_cells(
    values: np.ndarray,
    *,
    na_rep: str = "NaN",
    float_format: FloatFormat = None,
    leading_space: bool | None = True,
    decimal: str = ".",
    justify: str = "right",
) -> list[str]:
    """Cells of floats: decimals as many as needed up to the option, else exponents for all."""
    if float_format is None:
        float_format = get_option("display.float_format")
    if callable(float_format):
        return [na_rep if is_missing(each) else float_format(each) for each in values]
    if float_format is not None:
        # What has a format of its own keeps its zeros, as pandas leaves it.
        return [na_rep if is_missing(each) else float_format % each for each in values]
    if justify == "left":
        na_rep = " " + na_rep
    digits = get_option("display.precision")
    space = " " if leading_space is True else ""
    forms = _Forms(values, na_rep, decimal)
    cells = forms.trimmed(f"{space}.{digits}f")
    sizes = np.abs(values)
    too_long = max(map(len, cells), default=0) > digits + 6
    has_small = bool(((sizes < 10.0**-digits) & (sizes > 0)).any())
    if has_small or (too_long and bool((sizes > 1e6).any())):
        return forms.trimmed(f"{space}.{digits}e")
    return cells


class _Forms:
    """The values of a column in one format and another."""

    def __init__(self, values: np.ndarray, na_rep: str, decimal: str) -> None:
        self.values = values
        self.na_rep = na_rep
        self.decimal = decimal
        self.threshold = get_option("display.chop_threshold")

    def trimmed(self, spec: str) -> list[str]:
        if self.values.dtype.kind == "c":
            return _trimmed_complex([self._complex(each, spec) for each in self.values])
        return trimmed_alike([self._one(each, spec) for each in self.values], self.decimal)

    def _one(self, value: Any, spec: str) -> str:
        if is_missing(value):
            return self.na_rep
        if self.threshold is not None and abs(value) <= self.threshold:
            value = 0.0
        return format(value, spec).replace(".", self.decimal, 1)

    def _complex(self, value: Any, spec: str) -> str:
        real, imaginary = self._one(value.real, spec), self._one(value.imag, spec).strip()
        if not is_missing(value.real) and not is_missing(value.imag):
            return self._whole(value, spec)
        return f"{real}{'' if imaginary.startswith('-') else '+'}{imaginary}j"

    def _whole(self, value: Any, spec: str) -> str:
        if self.threshold is not None and abs(value) <= self.threshold:
            value = 0.0
        return format(value, spec)


def trimmed_alike(cells: list[str], decimal: str = ".") -> list[str]:
    """Numbers without the zeros that all of them end in, but one after the point."""
    number = re.compile(rf"^\s*[+-]?[0-9]+{re.escape(decimal)}[0-9]*$")
    which = [number.match(each) is not None for each in cells]
    zeros = [
        len(each) - len(each.rstrip("0"))
        for each, is_one in zip(cells, which, strict=True)
        if is_one
    ]
    if not zeros or min(zeros) == 0:
        return _with_a_zero(cells, which, decimal)
    cut = min(zeros)
    cells = [each[:-cut] if is_one else each for each, is_one in zip(cells, which, strict=True)]
    return _with_a_zero(cells, which, decimal)


def _with_a_zero(cells: list[str], which: list[bool], decimal: str) -> list[str]:
    return [
        each + "0" if is_one and each.endswith(decimal) else each
        for each, is_one in zip(cells, which, strict=True)
    ]


def _trimmed_complex(cells: list[str]) -> list[str]:
    parts = [re.split(r"(?<!e)([j+-])", each) for each in cells]
    real = ["".join(each[:-4]) for each in parts]
    imaginary = ["".join(each[-4:-2]) for each in parts]
    padded = trimmed_alike(real + imaginary)
    width = max(map(len, padded), default=1) - 1
    count = len(cells)
    return [
        f"{first}{second[0]}{second[1:]:>{width}}j"
        for first, second in zip(padded[:count], padded[count:], strict=True)
    ]
