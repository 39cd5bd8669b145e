"""Advice: what would make a program faster, where, and how much that may be worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..records import linked
from . import compiling, computing, copying, launching, placing
from .found import Advice

if TYPE_CHECKING:
    from ..profile import Profile

__all__ = ("RULES", "Advice", "find")

# Each looks at a profile for one fault. What they need to know of devices is `profile.rates`.
RULES = (
    copying.unchanged_copies,
    copying.round_trips,
    copying.single_reads,
    launching.small_launches,
    launching.idle_processors,
    launching.small_blocks,
    launching.low_occupancy,
    computing.wide_floats,
    computing.compiler_advice,
    compiling.compiled_again,
    placing.other_device,
)

# What is worth less is not told: seconds, and a share of what the program took without compiling.
_LEAST_SECONDS = 200e-6
_LEAST_SHARE = 0.02


def find(profile: Profile) -> list[Advice]:
    """All that is worth something, the largest gain first."""
    linked(profile.records)  # rules look at what lies within others
    compiled = sum(
        each.seconds for each in profile.records if each.kind == "compile" and not each.children
    )
    least = max(_LEAST_SECONDS, _LEAST_SHARE * (profile.seconds - compiled))
    found = [each for rule in RULES for each in rule(profile) if each.seconds >= least]
    return sorted(_without_repetitions(found), key=lambda each: -each.seconds)


def _without_repetitions(found: list[Advice]) -> list[Advice]:
    """One of each cause for a line: that of the largest gain."""
    best: dict[object, Advice] = {}
    for each in found:
        key = (each.cause, each.site)
        if key not in best or best[key].seconds < each.seconds:
            best[key] = each
    return list(best.values())
