"""Kernels and expressions that compute more, or read memory worse, than they have to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..records import CompilerAdvice, Record, Site
from ..units import seconds_text
from .found import Advice, by

if TYPE_CHECKING:
    from ..profile import Profile

# The causes of what the compiler says.
_CAUSES = {"float64": "float64", "stride": "strides", "parallel": "processors"}
# The part of the time that may go. Half the bytes are half the time; how much strides and loops on
# one core cost is not known from here, and said to be no less.
_PART = 0.5


def wide_floats(profile: Profile) -> Iterator[Advice]:
    """Arrays of float32 meet one of float64, and all that follows is twice as wide."""
    wide = [each for each in profile.records if each.kind == "expression" and each.widened]
    for site, records in by(wide, lambda each: each.site).items():
        seconds = sum(each.device_seconds for each in records)
        yield Advice(
            "float64",
            f"float32 arrays become float64 in {records[0].name}: convert the float64 operand to "
            "float32 (x.astype(numpy.float32)), before the loop where there is one, and a number "
            "of NumPy's to one of Python's (float(n)), which changes no dtype; it takes "
            f"{seconds_text(seconds)}",
            site,
            seconds * _PART,
        )


def compiler_advice(profile: Profile) -> Iterator[Advice]:
    """What the compiler has said of the kernels that took time, by their own lines."""
    told: dict[CompilerAdvice, list[Record]] = {}
    for record in profile.records:
        if record.executable is None:
            continue
        for each in record.executable.advice:
            if each.kind in _CAUSES and each.path:
                told.setdefault(each, []).append(record)
    for each, records in told.items():
        seconds = sum(record.device_seconds for record in records)
        site = Site(each.path, records[0].name, each.line)
        text = f"{each.text}; it takes {seconds_text(seconds)}"
        yield Advice(_CAUSES[each.kind], text, site, seconds * _PART)
