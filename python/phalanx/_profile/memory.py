"""The most memory that was in use at once, and the lines that made what was in use then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from .records import MOMENTS, Record, Site


class Allocation(NamedTuple):
    """Memory that one line of the program had made and that was in use at the peak."""

    site: Site | None
    bytes: int
    blocks: int  # in how many pieces


class Peak(NamedTuple):
    """The most memory of a device that what was made inside of the profile took."""

    device: str
    bytes: int
    at: float  # seconds since the profile began
    largest: tuple[Allocation, ...]  # by line, the largest first


def peaks(records: Iterable[Record], most: int = 8) -> list[Peak]:
    """The peak of each device; `most` lines are told of each."""
    by_device: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record.kind in MOMENTS:
            by_device[record.device].append(record)
    return [_peak(device, events, most) for device, events in sorted(by_device.items())]


def course(records: Iterable[Record], device: str) -> list[tuple[float, int]]:
    """Seconds, and bytes in use from then on."""
    live: dict[tuple[str, int], int] = {}
    used = 0
    points: list[tuple[float, int]] = []
    for record in records:
        if record.device != device:
            continue
        if record.kind == "allocate":
            live[_key(record)] = record.bytes_read
            used += record.bytes_read
        elif record.kind == "release":
            used -= live.pop(_key(record), 0)  # others are older than the profile
        else:
            continue
        points.append((record.start, used))
    return points


def _key(record: Record) -> tuple[str, int]:
    """What tells memory apart: processes of a merged profile may have it at one address."""
    return record.process, record.address


def _peak(device: str, events: list[Record], most: int) -> Peak:
    points = course(events, device)
    best = max(range(len(points)), key=lambda i: points[i][1])
    live: dict[tuple[str, int], Record] = {}
    for record in events[: best + 1]:
        if record.kind == "allocate":
            live[_key(record)] = record
        else:
            live.pop(_key(record), None)
    by_site: dict[Site | None, list[int]] = defaultdict(list)
    for record in live.values():
        by_site[record.site].append(record.bytes_read)
    rows = [Allocation(site, sum(sizes), len(sizes)) for site, sizes in by_site.items()]
    rows.sort(key=lambda row: -row.bytes)
    return Peak(device, points[best][1], points[best][0], tuple(rows[:most]))
