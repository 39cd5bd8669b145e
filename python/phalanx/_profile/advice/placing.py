"""Work that another device would do in less time, copies included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..rates import Rates
from ..records import Record, is_cpu
from ..units import seconds_text
from .found import Advice, by

if TYPE_CHECKING:
    from ..profile import Profile

_WORTH = 2.0  # times as fast, so that errors of the model do not send work to and fro


def other_device(profile: Profile) -> Iterator[Advice]:
    """Expressions that are on one device and would be done sooner on another."""
    expressions = [
        each for each in profile.records if each.kind == "expression" and not each.placed
    ]
    groups = by(expressions, lambda each: (each.site, each.device))
    for (site, device), records in groups.items():
        took = sum(max(each.seconds, _launched(each)) for each in records)
        for other, rates in profile.rates.items():
            if other == device or is_cpu(device) == is_cpu(other):
                continue
            there = _expected(profile, records, rates, other)
            if there * _WORTH > took:
                continue
            yield Advice(
                "device",
                f"what takes {seconds_text(took)} on {device} would take about "
                f"{seconds_text(there)} on {other}, copies included: make the arrays there "
                f"(px.device({other!r})), or let px.device('auto') choose",
                site,
                took - there,
            )


def _launched(record: Record) -> float:
    """What the device was busy with it, and the copies that the host waited for."""
    return sum(each.device_seconds for each in record.walk() if each is not record)


def _expected(profile: Profile, records: list[Record], rates: Rates, other: str) -> float:
    """The work, and a copy of what was read at first and written at last, between the devices."""
    gpu = rates if not is_cpu(other) else profile.rates.get(records[0].device)
    moved = max(each.bytes_read for each in records) + records[-1].bytes_written
    copies = 2 * gpu.copy + moved / gpu.from_host if gpu is not None and gpu.from_host else 0.0
    work = sum(
        rates.seconds(each.bytes_read + each.bytes_written, each.operations) for each in records
    )
    return work + copies
