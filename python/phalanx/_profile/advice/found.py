"""What a rule has found, and what rules share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from ..records import Record, Site
from ..units import seconds_text


@dataclass(frozen=True)
class Advice:
    """One sentence about one line of the program.

    Attributes:
        cause: "copies", "round trips", "reads", "launches", "processors", "blocks", "occupancy",
            "float64", "strides", "compilations" or "device".
        text: What is the matter, and what to write instead.
        site: The line; None where it is not known.
        seconds: An estimate of what the program would take less.
    """

    cause: str
    text: str
    site: Site | None
    seconds: float

    def __str__(self) -> str:
        where = f"{self.site}: " if self.site is not None else ""
        return f"{where}{self.text} (about {seconds_text(self.seconds)} less)"


def by(records: Iterable[Record], key: Callable[[Record], Hashable]) -> dict[Any, list[Record]]:
    """Records by what `key` gives; those of None are left out."""
    made: dict[Any, list[Record]] = defaultdict(list)
    for record in records:
        name = key(record)
        if name is not None:
            made[name].append(record)
    return made


def span(records: list[Record]) -> float:
    """Seconds from the first one's begin to the last one's end."""
    return max(record.end for record in records) - min(record.start for record in records)
