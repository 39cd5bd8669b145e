"""Code that is compiled, or fetched from the cache, again and again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..records import Record, Site
from ..units import count_text
from .found import Advice, by

if TYPE_CHECKING:
    from ..profile import Profile

_MANY = 4
# The stages that code goes through once each, whether it is compiled or found.
_ONCE = ("codegen", "disk")


def compiled_again(profile: Profile) -> Iterator[Advice]:
    """One line makes the code of one function, or of one expression, again and again."""
    expressions = {each.key: each for each in profile.records if each.kind == "expression"}

    def what_of(record: Record) -> tuple[Site, str] | None:
        if record.kind != "compile" or record.site is None:
            return None
        around = expressions.get(record.parent_key)
        # Kernels of expressions have names by what they do: their texts tell them apart.
        own = record.name if around is None else f"{around.name} of {around.detail}"
        return record.site, own

    for (site, name), records in by(profile.records, what_of).items():
        made = [each for each in records if each.detail in _ONCE]
        times = max(Counter(each.name for each in made).values(), default=0)
        if times < _MANY:
            continue
        seconds = sum(each.seconds for each in _outermost(records))
        yield Advice(
            "compilations",
            f"{name} is compiled or loaded {count_text(times)} times here: define it once, outside "
            "of the loop, and call it with the same types, blocks and values of closures",
            site,
            seconds * (1 - 1 / times),
        )


def _outermost(records: list[Record]) -> list[Record]:
    keys = {each.key for each in records}
    return [each for each in records if each.parent_key not in keys]
