"""The rows of a profile's table: what was called how often, and what each cost."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .. import _engine
from .._device.names import name_of
from ..errors import DeviceError
from .records import ON_DEVICES, Executable, Record, Site, is_cpu, linked

# The groups of rows in their order, with the headings that they have.
GROUPS = {
    "kernel": "kernels",
    "function": "CPU functions",
    "expression": "expressions of arrays",
    "operator": "operators of frames",
    "fit": "models",
    "graph": "graphs",
    "copy": "memory",
    "compile": "other code compiled",
}
# The groups of the kinds of records that have rows by their names.
_GROUP_OF = {"launch": "kernel", "call": "function", "graph": "graph", "expression": "expression"}
# The kinds that have a row each, in the group "copy".
_COPIES = {
    "to_device": "copies to the device",
    "to_host": "copies to the host",
    "copy": "copies within devices",
    "fill": "fills",
    "spill": "spills to the host",
    "restore": "spilled arrays read again",
    "wait": "waits for the device",
}


@dataclass
class Row:
    """What one kernel, expression, operator, fit or kind of copy took in all."""

    group: str  # of GROUPS
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
    order = {group: i for i, group in enumerate(GROUPS)}
    return sorted(
        made.values(),
        key=lambda row: (order[row.group], -max(row.device_seconds, row.seconds)),
    )


def _key_of(record: Record) -> tuple[str, str, str] | None:
    if record.kind == "scope":
        return (record.detail, record.name, "")
    if record.kind in _GROUP_OF:
        return (_GROUP_OF[record.kind], record.name or "graph", record.device)
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
    """To the rows of the kernels; those of other code have rows of their own."""
    by_code: dict[str, Row] = {}
    for row in made.values():
        if row.group in ("kernel", "function"):
            by_code.setdefault(row.name, row)
    for name, records in compiled.items():
        row = by_code.get(name) or _row_of_other_code(made, name, records)
        for record in records:
            _add_stage(row, record)
            if record.site is not None and record.site not in row.sites:
                row.sites.append(record.site)


def _row_of_other_code(
    made: dict[tuple[str, str, str], Row], name: str, records: Sequence[Record]
) -> Row:
    key = ("compile", name, "")
    row = made.setdefault(key, Row(*key))
    row.calls = sum(record.detail in ("codegen", "disk") for record in records)
    return row


def _add_stage(row: Row, record: Record) -> None:
    row.compile_seconds += _own_seconds(record)
    row.compilations += record.detail == "codegen"
    row.cache_hits += record.detail == "disk"


def _own_seconds(record: Record) -> float:
    """Without compilations within it."""
    return record.seconds - sum(each.seconds for each in record.children if each.kind == "compile")
