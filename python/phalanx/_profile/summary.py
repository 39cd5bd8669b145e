"""The table of a profile: what was called how often, and what each cost."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .. import _engine
from .._device.names import name_of
from ..errors import DeviceError
from .busy import headline
from .rates import Rates
from .records import ON_DEVICES, Executable, Record, Site, is_cpu, linked
from .units import bytes_text, count_text, number_text, seconds_text

if TYPE_CHECKING:
    from .profile import Profile

_COPIES = {
    "to_device": "copies to the device",
    "to_host": "copies to the host",
    "copy": "copies within devices",
    "fill": "fills",
    "spill": "spills to the host",
    "restore": "spilled arrays read again",
    "wait": "waits for the device",
}
_GROUPS = {"launch": "kernel", "call": "function", "graph": "graph", "expression": "expression"}
_ORDER = ("kernel", "function", "expression", "operator", "fit", "graph", "copy", "compile")


@dataclass
class Row:
    """What one kernel, expression, operator, fit or kind of copy took in all."""

    group: str  # "kernel", "function", "expression", "operator", "fit", "graph", "copy", "compile"
    name: str
    device: str
    calls: int = 0
    seconds: float = 0.0  # of the host
    device_seconds: float = 0.0
    untimed: int = 0  # launches whose device times are those of others
    compile_seconds: float = 0.0
    compilations: int = 0
    cache_hits: int = 0  # code that was found in the disk cache
    bytes: int = 0  # read and written; of kernels their arrays' sizes
    operations: int = 0
    expected_seconds: float = 0.0  # by the cost model, where that has placed it
    lanes: int = 0
    registers: int = 0
    blocks: int = 0  # of the largest launch, as are the next two
    threads: int = 0
    resident_threads: int = 0  # that a GPU's multiprocessor runs at once; 0: not known
    sites: list[Site] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Bytes per second."""
        return self.bytes / self.device_seconds if self.device_seconds > 0 else 0.0


def add_occupancy(records: Iterable[Record]) -> None:
    """Asks GPUs how many blocks such as a launch's run at once: while the code is loaded."""
    devices = {name_of(each): each for each in _engine.devices() if not each.is_host}
    for record in records:
        code = record.executable
        if code is None or record.device not in devices or record.kind != "launch":
            continue
        block = (record.threads, record.shared_bytes)
        if block in code.active_blocks:
            continue
        code.active_blocks[block] = 0  # its context may be lost
        with contextlib.suppress(DeviceError):
            code.active_blocks[block] = _engine.profile_active_blocks(
                devices[record.device], code.number, *block
            )


def rows(records: Sequence[Record]) -> list[Row]:
    """The table, by group, what took most first."""
    made: dict[tuple[str, str, str], Row] = {}
    compiled: dict[str, list[Record]] = {}
    for root in linked(list(records)):
        _add(root, made, compiled, within=False)
    _add_compilations(made, compiled)
    order = {group: i for i, group in enumerate(_ORDER)}
    return sorted(
        made.values(),
        key=lambda row: (order.get(row.group, 9), -max(row.device_seconds, row.seconds)),
    )


def _key_of(record: Record) -> tuple[str, str, str] | None:
    if record.kind == "scope":
        return (record.detail, record.name, "")
    if record.kind in _GROUPS:
        return (_GROUPS[record.kind], record.name or "graph", record.device)
    if record.kind in _COPIES:
        return ("copy", _COPIES[record.kind], record.device)
    return None


def _add(
    record: Record,
    made: dict[tuple[str, str, str], Row],
    compiled: dict[str, list[Record]],
    within: bool,
) -> None:
    """`within` an expression, its launches and its compilations are the expression's."""
    if record.kind == "compile" and not within:
        compiled.setdefault(record.name, []).append(record)
    key = _key_of(record)
    is_part = within and record.kind in ("launch", "fill")
    if key is not None and not is_part:
        _count(made.setdefault(key, Row(*key)), record)
    for child in record.children:
        _add(child, made, compiled, within or record.kind == "expression")


def _count(row: Row, record: Record) -> None:
    row.calls += 1
    row.seconds += record.seconds
    row.bytes += record.bytes_read + record.bytes_written
    row.operations += record.operations
    row.expected_seconds += record.expected[0 if is_cpu(record.device) else 1]
    if record.site is not None and record.site not in row.sites:
        row.sites.append(record.site)
    for each in record.walk():
        if each.kind in ON_DEVICES and not each.children:
            row.device_seconds += each.device_seconds
            row.untimed += each.untimed
        if each.executable is not None:
            _add_code(row, each, each.executable)
        if each.kind == "compile" and record.kind in ("expression", "scope"):
            _add_stage(row, each)


def _add_code(row: Row, record: Record, code: Executable) -> None:
    row.lanes = max(row.lanes, code.lanes)
    row.registers = max(row.registers, code.registers)
    if record.blocks >= row.blocks:
        row.blocks, row.threads = record.blocks, record.threads
        row.resident_threads = record.resident_threads
    for each in code.advice:
        if each.text not in row.notes:
            row.notes.append(each.text)
    if record.kind == "launch" and is_cpu(record.device) and code.lanes == 1 and record.threads > 1:
        note = "scalar code: its lanes could not be put into vectors"
        if note not in row.notes:
            row.notes.append(note)


def _add_compilations(
    made: dict[tuple[str, str, str], Row], compiled: dict[str, list[Record]]
) -> None:
    """To the rows of the kernels; of other code, rows of their own."""
    by_code: dict[str, list[Row]] = {}
    for row in made.values():
        if row.group in ("kernel", "function"):
            by_code.setdefault(row.name, []).append(row)
    for name, records in compiled.items():
        targets = by_code.get(name)
        if not targets:
            key = ("compile", name, "")
            targets = [made.setdefault(key, Row(*key))]
            targets[0].calls = sum(record.detail in ("codegen", "disk") for record in records)
        row = targets[0]
        for record in records:
            _add_stage(row, record)
            if record.site is not None and record.site not in row.sites:
                row.sites.append(record.site)


def _add_stage(row: Row, record: Record) -> None:
    row.compile_seconds += _own_seconds(record)
    row.compilations += record.detail == "codegen"
    row.cache_hits += record.detail == "disk"


def _own_seconds(record: Record) -> float:
    """Without compilations within it."""
    return record.seconds - sum(each.seconds for each in record.children if each.kind == "compile")


_TITLES = (
    "", "on", "calls", "device", "host", "compile", "hits", "bytes", "GB/s", "of copy", "lanes",
    "registers", "occupancy", "expected", "line",
)  # fmt: skip


def headers(found: Sequence[Row], rates: dict[str, Rates]) -> list[tuple[int, str]]:
    """The columns that have something to show, with their numbers among `cells`."""
    texts = [cells(row, rates) for row in found]
    shown = [i for i in range(len(_TITLES)) if i == 0 or any(line[i] for line in texts)]
    is_of_one = len({row.device for row in found} - {""}) < 2
    return [(i, _TITLES[i]) for i in shown if not (is_of_one and _TITLES[i] == "on")]


def to_text(profile: Profile) -> str:
    """The table as text, with peaks of memory and advice."""
    title = f"{profile.label}: " if profile.label else ""
    lines = [title + headline(profile)]
    if profile.lost:
        lines.append(f"{count_text(profile.lost)} older records had no room: times are of the rest")
    found = profile.rows()
    lines += _table(found, profile.rates)
    for peak in profile.peaks:
        where = ", ".join(
            f"{bytes_text(each.bytes)} by {each.site or 'other code'}" for each in peak.largest[:3]
        )
        lines.append(f"peak memory on {peak.device}: {bytes_text(peak.bytes)} ({where})")
    told = profile.advice()
    lines += ["", *(f"advice: {each}" for each in told)] if told else []
    return "\n".join(lines)


def _table(found: Sequence[Row], rates: dict[str, Rates]) -> list[str]:
    if not found:
        return ["nothing ran on a device"]
    titles = headers(found, rates)
    lines: list[list[str]] = [[name for _, name in titles]]
    group = ""
    for row in found:
        if row.group != group:
            group = row.group
            lines.append([GROUP_NAMES.get(group, group)])
        texts = cells(row, rates)
        lines.append([f"  {_shortened(row.name)}", *(texts[i] for i, _ in titles[1:])])
    return _aligned(lines)


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 3] + "..."


def _aligned(lines: Sequence[list[str]]) -> list[str]:
    """Columns of one width; a line of one cell is a heading."""
    whole = [line for line in lines if len(line) > 1] or [[""]]
    widths = [max(len(line[i]) for line in whole) for i in range(len(whole[0]))]
    made = []
    for line in lines:
        texts = [line[0].ljust(widths[0])]
        texts += [line[i].rjust(widths[i]) for i in range(1, len(line) - 1)]
        made.append("  ".join([*texts, *line[1:][-1:]]).rstrip())
    return made


GROUP_NAMES = {
    "kernel": "kernels",
    "function": "CPU functions",
    "expression": "expressions of arrays",
    "operator": "operators of frames",
    "fit": "models",
    "graph": "graphs",
    "copy": "memory",
    "compile": "other code compiled",
}
_LONGEST_NAME = 44


def cells(row: Row, rates: dict[str, Rates]) -> tuple[str, ...]:
    """What is shown of a row, by column."""
    rate = rates.get(row.device)
    share = row.rate / rate.memory if rate is not None and rate.memory else 0.0
    has_rate = row.bytes > 0 and row.device_seconds > 0
    return (
        row.name,
        row.device,
        count_text(row.calls),
        "~" * bool(row.untimed) + _time(row.device_seconds),
        _time(row.seconds),
        _time(row.compile_seconds),
        count_text(row.cache_hits) if row.cache_hits else "",
        bytes_text(row.bytes) if row.bytes else "",
        number_text(row.rate / 1e9) if has_rate else "",
        f"{share:.0%}" if has_rate and share else "",
        str(row.lanes) if row.lanes else "",
        str(row.registers) if row.registers else "",
        _occupancy_text(row, rate),
        _time(row.expected_seconds),
        _lines_text(row.sites),
    )


def _time(seconds: float) -> str:
    return seconds_text(seconds) if seconds else ""


def _occupancy_text(row: Row, rate: Rates | None) -> str:
    if rate is None or not row.resident_threads or not rate.max_threads:
        return ""
    return f"{row.resident_threads / rate.max_threads:.0%}"


def _lines_text(sites: Sequence[Any]) -> str:
    if not sites:
        return ""
    more = f" and {len(sites) - 1} more" if len(sites) > 1 else ""
    return f"{sites[0]}{more}"
