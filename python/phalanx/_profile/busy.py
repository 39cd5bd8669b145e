"""How much of a profile's time the engine was at work; the rest is the program's own Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .records import Record
from .units import seconds_text

if TYPE_CHECKING:
    from .profile import Profile


def headline(profile: Profile) -> str:
    """``"2.11 s on cpu, 558 ms of it in Phalanx"``: without the share for several processes."""
    text = f"{seconds_text(profile.seconds)} on {', '.join(profile.devices) or 'no device'}"
    processes = {each.process for each in profile.records}
    if len(processes) != 1:  # nothing to tell, or clocks of their own
        return text
    return f"{text}, {seconds_text(busy_seconds(profile.records))} of it in Phalanx"


def busy_seconds(records: Iterable[Record]) -> float:
    """Seconds in which a call of the engine, or a device at work for it, was under way."""
    spans = []
    for each in records:
        spans.append((each.start, each.end))
        if each.device_seconds > 0:
            spans.append((each.device_start, each.device_end))
    total, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total
