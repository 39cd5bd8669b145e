"""Launches that leave a device idle: too many small ones, too few or too small blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..records import Executable, Record, Site, is_cpu
from ..units import count_text, seconds_text
from .found import Advice, by, span

if TYPE_CHECKING:
    from ..profile import Profile

_MANY_LAUNCHES = 100
_SHORT = 20e-6  # seconds: a few times what a launch costs by itself
_CALLERS = ("agg", "aggregate", "apply", "filter", "map", "transform")
_WARP = 32
_LOW = 0.3  # of the threads that a multiprocessor has room for
_WORTH_SPREADING = 50e-6  # seconds of a launch


def small_launches(profile: Profile) -> Iterator[Advice]:
    """A line launches many kernels that each do next to nothing."""
    own = [
        each for each in profile.records if each.kind in ("launch", "call") and not each.recorded
    ]
    for site, records in by(own, lambda each: each.site).items():
        if len(records) < _MANY_LAUNCHES:
            continue
        busy = sum(each.device_seconds for each in records)
        if busy / len(records) > _SHORT:
            continue
        # What one launch of all the work would take: the work itself, without its beginnings.
        work = sum(_seconds_by_memory(profile, each) for each in records)
        caller = _operator_that_calls(profile, site)
        helps = (
            f"{caller} calls its function in Python: write it with methods of whole columns or "
            "groups, or so that it is compiled (PHX106)"
            if caller
            else "do the work of the loop in one kernel or one expression over a larger array, or "
            "record the steps as a graph"
        )
        yield Advice(
            "launches",
            f"{count_text(len(records))} launches of {seconds_text(busy / len(records))} each: "
            + helps,
            site,
            span(records) - _compiled_within(profile, records) - work,
        )


def _operator_that_calls(profile: Profile, site: Site | None) -> str:
    """The operator of the line that calls a function of the program again and again; else ""."""
    names = [
        each.name
        for each in profile.records
        if each.site == site and each.kind == "scope" and each.detail == "operator"
    ]
    return next((each for each in names if each.rpartition(".")[2] in _CALLERS), "")


def _compiled_within(profile: Profile, records: list[Record]) -> float:
    """Seconds of compilation in the midst of some launches, in their threads."""
    first, last = min(each.start for each in records), max(each.end for each in records)
    threads = {(each.process, each.thread) for each in records}
    return sum(
        each.seconds
        for each in profile.records
        if each.kind == "compile"
        and not each.children
        and first <= each.start < last
        and (each.process, each.thread) in threads
    )


def idle_processors(profile: Profile) -> Iterator[Advice]:
    """Fewer blocks than the device has processors, in launches that take their time."""
    for (site, name, device), records in _launches(profile).items():
        rates = profile.rates.get(device)
        if rates is None:
            continue
        few = [
            each
            for each in records
            if each.blocks < rates.processors and each.device_seconds > _WORTH_SPREADING
        ]
        if not few:
            continue
        blocks = max(each.blocks for each in few)
        yield Advice(
            "processors",
            f"{name} runs in {count_text(blocks)} block{'s' * (blocks > 1)}, which keeps "
            f"{blocks} of {rates.processors} processors of {device} busy: launch more, smaller "
            "blocks, or let kernel.over(array) choose them",
            site,
            sum(each.device_seconds * (1 - each.blocks / rates.processors) for each in few),
        )


def small_blocks(profile: Profile) -> Iterator[Advice]:
    """Blocks of less than a warp: its other lanes do nothing.

    The CPU device puts threads of several such blocks into one vector where the kernel allows it.
    """
    for (site, name, device), records in _launches(profile).items():
        small = [
            each
            for each in records
            if each.threads < _WARP and each.blocks > _WARP and not _has_full_lanes(each)
        ]
        if not small:
            continue
        threads = max(each.threads for each in small)
        yield Advice(
            "blocks",
            f"{name} has blocks of {threads} thread{'s' * (threads > 1)}: {_WARP} run together, "
            f"so that {_WARP - threads} of them do nothing on {device}; take blocks of 128 or more",
            site,
            sum(each.device_seconds * (1 - each.threads / _WARP) for each in small),
        )


def low_occupancy(profile: Profile) -> Iterator[Advice]:
    """Registers or shared memory leave a multiprocessor few threads to switch between."""
    for (site, name, device), records in _launches(profile).items():
        rates = profile.rates.get(device)
        if rates is None or not rates.max_threads:
            continue
        first = records[0]  # others of the line seldom have other blocks
        share = first.resident_threads / rates.max_threads
        if first.executable is None or not 0 < share < _LOW:
            continue
        seconds = sum(each.device_seconds for each in records)
        yield Advice(
            "occupancy",
            f"{name} fills {share:.0%} of a multiprocessor's threads "
            f"({_limits(first, first.executable)}): set max_registers, use less shared memory, or "
            "take blocks of another size",
            site,
            seconds * (1 - share / _LOW) / 2,
        )


def _has_full_lanes(record: Record) -> bool:
    code = record.executable
    return is_cpu(record.device) and code is not None and code.lanes > record.threads


def _launches(profile: Profile) -> dict[tuple[Site | None, str, str], list[Record]]:
    """Launches of the program's own kernels: the shapes of others are not its to choose."""
    inside = {each.key for each in profile.records if each.kind in ("expression", "scope")}
    own = [
        each for each in profile.records if each.kind == "launch" and each.parent_key not in inside
    ]
    return by(own, lambda each: (each.site, each.name, each.device))


def _limits(record: Record, code: Executable) -> str:
    shared_bytes = code.shared_bytes + record.shared_bytes
    shared = f", {shared_bytes} bytes of shared memory" if shared_bytes else ""
    return f"{code.registers} registers a thread{shared}, blocks of {record.threads}"


def _seconds_by_memory(profile: Profile, record: Record) -> float:
    rates = profile.rates.get(record.device)
    moved = record.bytes_read + record.bytes_written
    return moved / rates.memory if rates is not None and rates.memory else 0.0
