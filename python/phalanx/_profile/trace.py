"""A profile as a trace for Perfetto and chrome://tracing.

Source of the format: "Trace Event Format", Google,
https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .memory import course
from .records import MOMENTS, Record

if TYPE_CHECKING:
    from .profile import Profile

_MICROSECOND = 1e6  # of a second


def to_json(profile: Profile) -> str:
    """The trace: each process has its threads, and each device its streams."""
    tracks = _Tracks()
    events: list[dict[str, Any]] = []
    for record in profile.records:
        if record.kind in MOMENTS:
            continue
        process, thread = tracks.of_thread(record)
        events.append(_event(record, process, thread, record.start, record.end))
        if record.is_on_stream:
            process, thread = tracks.of_stream(record)
            events.append(_event(record, process, thread, record.device_start, record.device_end))
    for device in profile.devices:
        events += _memory(profile, device, tracks)
    named = {"traceEvents": tracks.names() + events, "displayTimeUnit": "ms"}
    return json.dumps(named)


def label_of(record: Record) -> str:
    """What a record is called in pictures."""
    if record.kind == "compile":
        return f"{record.detail} {record.name}"
    return record.name or record.kind


class _Tracks:
    """Numbers of processes and threads of the trace."""

    def __init__(self) -> None:
        self._processes: dict[str, int] = {}
        self._threads: dict[tuple[int, str], int] = {}

    def _number(self, process: str, thread: str) -> tuple[int, int]:
        first = self._processes.setdefault(process, len(self._processes) + 1)
        return first, self._threads.setdefault((first, thread), len(self._threads) + 1)

    def of_thread(self, record: Record) -> tuple[int, int]:
        return self._number(f"host {record.process}", f"thread {record.thread}")

    def of_stream(self, record: Record) -> tuple[int, int]:
        return self._number(f"{record.device} {record.process}", f"stream {record.stream:#x}")

    def of_memory(self, device: str) -> int:
        return self._number(f"memory of {device}", "bytes")[0]

    def names(self) -> list[dict[str, Any]]:
        made: list[dict[str, Any]] = [
            {"ph": "M", "name": "process_name", "pid": number, "args": {"name": name}}
            for name, number in self._processes.items()
        ]
        made += [
            {
                "ph": "M",
                "name": "thread_name",
                "pid": process,
                "tid": number,
                "args": {"name": name},
            }
            for (process, name), number in self._threads.items()
        ]
        return made


def _event(record: Record, process: int, thread: int, start: float, end: float) -> dict[str, Any]:
    return {
        "ph": "X",
        "name": label_of(record),
        "cat": record.kind,
        "ts": start * _MICROSECOND,
        "dur": max(end - start, 0.0) * _MICROSECOND,
        "pid": process,
        "tid": thread,
        "args": _arguments(record),
    }


def _arguments(record: Record) -> dict[str, Any]:
    given: dict[str, Any] = {"device": record.device}
    if record.site is not None:
        given["line"] = f"{record.site.path}:{record.site.line}"
    if record.bytes_read + record.bytes_written:
        given["bytes"] = record.bytes_read + record.bytes_written
    if record.blocks:
        given["grid"], given["block"] = record.blocks, record.threads
    if record.shared_bytes:
        given["dynamic shared bytes"] = record.shared_bytes
    if record.executable is not None:
        given["lanes"], given["registers"] = record.executable.lanes, record.executable.registers
    if any(record.expected):
        given["expected seconds on cpu, gpu"] = list(record.expected)
    return given


def _memory(profile: Profile, device: str, tracks: _Tracks) -> list[dict[str, Any]]:
    process = tracks.of_memory(device)
    return [
        {
            "ph": "C",
            "name": f"bytes on {device}",
            "ts": at * _MICROSECOND,
            "pid": process,
            "args": {"bytes": used},
        }
        for at, used in course(profile.records, device)
    ]
