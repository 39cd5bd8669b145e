"""Copies between the host and a device that need not be."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..records import Record, Site
from ..units import bytes_text, count_text
from .found import Advice, by, span

if TYPE_CHECKING:
    from ..profile import Profile

_MANY_COPIES = 4
_MANY_READS = 50
_SMALL_READ = 64  # bytes: a number or a few


def unchanged_copies(profile: Profile) -> Iterator[Advice]:
    """The same data of the host goes to a device again and again."""
    copies = [each for each in profile.records if each.kind == "to_device" and each.checksum]
    same = by(copies, lambda each: (each.site, each.device, each.checksum, each.bytes_read))
    for (site, device, _, size), records in same.items():
        if len(records) < _MANY_COPIES or size <= _SMALL_READ:
            continue
        yield Advice(
            "copies",
            f"the same {bytes_text(size)} are copied to {device} {count_text(len(records))} times: "
            "copy them once, before the loop, and pass the device array",
            site,
            _seconds_of(records[1:]),
        )


def round_trips(profile: Profile) -> Iterator[Advice]:
    """Data goes to the host and back to the device each time around a loop.

    It is the same data where it comes from where it went: who streams chunks takes the next ones.
    """
    copies = [each for each in profile.records if each.kind in ("to_device", "to_host")]
    for (*_, device, size), records in by(copies, _trip_of).items():
        if size <= _SMALL_READ:
            continue
        returns = [
            (earlier, later)
            for earlier, later in itertools.pairwise(records)
            if earlier.kind == "to_host"
            and later.kind == "to_device"
            and earlier.address == later.address
        ]
        if len(returns) < _MANY_COPIES:
            continue
        site = _most_common([later.site for _, later in returns])
        yield Advice(
            "round trips",
            f"{bytes_text(size)} go from {device} to the host and back {count_text(len(returns))} "
            "times: keep them on the device between the steps, and compute there",
            site,
            sum(_seconds_of([earlier, later]) for earlier, later in returns),
        )


def single_reads(profile: Profile) -> Iterator[Advice]:
    """Numbers of an array are read one by one, each with a wait for the device."""
    reads = [each for each in profile.records if each.kind == "to_host"]
    small = [each for each in reads if each.bytes_read <= _SMALL_READ]
    for site, records in by(small, lambda each: each.site).items():
        if len(records) < _MANY_READS:
            continue
        yield Advice(
            "reads",
            f"{count_text(len(records))} results of a few bytes are read from "
            f"{records[0].device} one by one: read the whole array once (numpy.asarray), or "
            "compute with it on the device",
            site,
            span(records) * (1 - 1 / len(records)),
        )


def _trip_of(record: Record) -> tuple[str, int, str, int]:
    return (record.process, record.thread, record.device, record.bytes_read)


def _seconds_of(records: list[Record]) -> float:
    return sum(max(each.seconds, each.device_seconds) for each in records)


def _most_common(sites: list[Site | None]) -> Site | None:
    return max(set(sites), key=sites.count)
