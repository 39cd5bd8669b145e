"""The engine's records of a profile, unpacked; they are plain values and can be pickled."""

from __future__ import annotations

import statistics
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .. import _engine

# phalanx/runtime/profile_record.h: ProfileRecord.
_RECORD = struct.Struct("<4q4Q2f2Q9IBbH")
_PLACED, _WIDENED, _RECORDED, _FAILED, _UNTIMED = 1, 2, 4, 8, 16
_NANOSECOND = 1e-9

# Kinds of records whose time is a device's.
ON_DEVICES = ("launch", "graph", "call", "to_device", "to_host", "copy", "fill")
# Those that take no time.
MOMENTS = ("allocate", "release")


def is_cpu(device: str) -> bool:
    """Says whether a device is a CPU device by its name."""
    return device.partition(":")[0] == "cpu"


class Site(NamedTuple):
    """A line of the program."""

    path: str
    function: str
    line: int

    @property
    def file(self) -> str:
        """The file's name without its folders."""
        return self.path.replace("\\", "/").rpartition("/")[2]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def text(self) -> str:
        """The line itself; "" where its file cannot be read."""
        import linecache

        return linecache.getline(self.path, self.line).strip()


class CompilerAdvice(NamedTuple):
    """What the compiler said of a kernel: of a line of the kernel's own."""

    kind: str  # "float64", "stride", "parallel"
    text: str
    path: str
    line: int


@dataclass
class Executable:
    """Loaded code of a kernel or of a CPU function."""

    number: int  # in the engine's table while the profile is the newest one
    name: str
    lanes: int  # CPU: threads in a vector, 1 for scalar code; 0 on a GPU
    registers: int  # of a thread; 0 on the CPU device
    local_bytes: int  # of a thread
    shared_bytes: int  # static, of a block
    advice: tuple[CompilerAdvice, ...] = ()
    # GPU: how many blocks a multiprocessor runs at once, by their threads and the dynamic shared
    # memory of each.
    active_blocks: dict[tuple[int, int], int] = field(default_factory=dict)


@dataclass
class Record:
    """One thing that the engine did. Times are seconds since the profile began."""

    kind: str  # of _engine.PROFILE_KINDS
    name: str
    start: float
    end: float
    device_start: float  # what the device took; the host's where it is the CPU device
    device_end: float
    device: str  # "cpu", "cpu:1", "cuda:0"
    thread: int
    id: int  # among the thread's
    parent: int  # the id of the record it lies within; 0: none
    parent_thread: int = 0  # whose that record is: one that works for another has its
    site: Site | None = None
    detail: str = ""  # expression: the result's dtype; compile: the stage; scope: its group
    executable: Executable | None = None
    bytes_read: int = 0  # of a copy, a fill, an allocation: its bytes
    bytes_written: int = 0
    operations: int = 0
    address: int = 0  # of memory; of a copy with the host: that of the host's
    checksum: int = 0  # of a copy with the host: of a sample of its bytes
    expected: tuple[float, float] = (0.0, 0.0)  # seconds on the CPU device and the GPU; 0: unknown
    stream: int = 0
    blocks: int = 0
    threads: int = 0
    shared_bytes: int = 0  # dynamic, of a block
    placed: bool = False
    widened: bool = False
    recorded: bool = False
    failed: bool = False
    untimed: bool = False  # its device times are those of the same kernel's other launches
    process: str = ""  # of a merged profile: which
    children: list[Record] = field(default_factory=list, repr=False, compare=False)

    @property
    def seconds(self) -> float:
        """What the host was busy with it."""
        return self.end - self.start

    @property
    def device_seconds(self) -> float:
        """What the device was busy with it; nothing for what is only recorded into a graph."""
        return 0.0 if self.recorded else self.device_end - self.device_start

    @property
    def is_on_stream(self) -> bool:
        """True if a GPU did it at times of its own: not what is only recorded into a graph."""
        is_timed = self.device_end > 0 and not self.recorded
        return is_timed and self.kind in ON_DEVICES and not is_cpu(self.device)

    @property
    def resident_threads(self) -> int:
        """How many threads a GPU's multiprocessor runs at once of such a launch; 0: not known."""
        known = {} if self.executable is None else self.executable.active_blocks
        return known.get((self.threads, self.shared_bytes), 0) * self.threads

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells it from all others."""
        return self.process, self.thread, self.id

    @property
    def parent_key(self) -> tuple[str, int, int]:
        """The key of the record it lies within."""
        return self.process, self.parent_thread, self.parent

    def walk(self) -> Iterator[Record]:
        """Itself and all within it."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass
class Tables:
    """What the numbers in records mean."""

    texts: list[str]
    sites: list[Site]
    executables: list[Executable]

    def text(self, number: int) -> str:
        """A text by its number, of which 0 is none."""
        return self.texts[number - 1] if number else ""

    def site(self, number: int) -> Site | None:
        """A line by its number, of which 0 is none."""
        return self.sites[number - 1] if 0 < number <= len(self.sites) else None

    def executable(self, number: int) -> Executable | None:
        """Code by its number, of which 0 is none."""
        return self.executables[number - 1] if 0 < number <= len(self.executables) else None


def _executable_of(number: int, row: Mapping[str, Any]) -> Executable:
    return Executable(
        number=number,
        name=row["name"],
        lanes=row["lanes"],
        registers=row["registers"],
        local_bytes=row["local_bytes"],
        shared_bytes=row["shared_bytes"],
        advice=tuple(CompilerAdvice(*each) for each in row["warnings"]),
    )


def unpack(taken: Mapping[str, Any], first: int) -> tuple[list[Record], int]:
    """The records that began at `first` (`_engine.profile_time`) or later, and how many are lost.

    They are in the order in which they began.
    """
    tables = Tables(
        list(taken["texts"]),
        [Site(*each) for each in taken["sites"]],
        [_executable_of(i, each) for i, each in enumerate(taken["executables"], 1)],
    )
    records: list[Record] = []
    lost = 0
    for thread, lost_here, data in taken["threads"]:
        lost += lost_here
        records += [_record_of(row, thread, first, tables) for row in _RECORD.iter_unpack(data)]
    records.sort(key=lambda record: (record.start, -record.end))
    _estimate(records)
    return [record for record in records if record.start >= 0], lost


def _estimate(records: list[Record]) -> None:
    """Gives launches that no events were around the mean time of the same kernel's others.

    They begin when they were launched, or when what was queued before them had ended.
    """
    launches = [each for each in records if each.kind == "launch" and not is_cpu(each.device)]
    if not any(each.untimed for each in launches):
        return
    timed: dict[Any, list[float]] = {}
    for each in launches:
        if not each.untimed and not each.recorded and each.device_end > each.device_start:
            timed.setdefault(_alike(each), []).append(each.device_seconds)
    means = {key: statistics.fmean(seconds) for key, seconds in timed.items()}
    ends: dict[tuple[str, int], float] = {}
    for each in records:
        queue = (each.device, each.stream)
        if each.untimed:
            each.device_start = max(each.start, ends.get(queue, 0.0))
            each.device_end = each.device_start + means.get(_alike(each), 0.0)
        if each.is_on_stream:
            ends[queue] = max(ends.get(queue, 0.0), each.device_end)


def _alike(launch: Record) -> tuple[str, int, int]:
    """What launches of equal times have in common; the engine decides by it which it times."""
    code = launch.executable
    return launch.device, 0 if code is None else code.number, launch.blocks


_COPIES = ("to_device", "to_host")
_WITH_CODE = ("launch", "call")


def _record_of(row: tuple[Any, ...], thread: int, first: int, tables: Tables) -> Record:
    (start, end, device_start, device_end, read, written, operations, address, *rest) = row
    on_host, on_gpu, stream, blocks, threads, shared_bytes, name, site, detail, *rest = rest
    number, parent_thread, parent, slot, kind_number, device, flags = rest
    kind = _engine.PROFILE_KINDS[kind_number]
    if slot == 0:
        device_start, device_end = start, end
    code = tables.executable(detail) if kind in _WITH_CODE else None
    return Record(
        kind=kind,
        name=tables.text(name) if code is None else code.name,
        start=(start - first) * _NANOSECOND,
        end=(end - first) * _NANOSECOND,
        # A slot without times: the work never began, or its device is lost.
        device_start=(device_start - first) * _NANOSECOND if device_start else 0.0,
        device_end=(device_end - first) * _NANOSECOND if device_end else 0.0,
        device=_device_of(device),
        thread=thread,
        id=number,
        parent=parent,
        parent_thread=parent_thread,
        site=tables.site(site),
        detail="" if kind in _WITH_CODE else tables.text(detail),
        executable=code,
        bytes_read=read,
        bytes_written=written,
        operations=0 if kind in _COPIES else operations,
        checksum=operations if kind in _COPIES else 0,
        address=address,
        expected=(on_host, on_gpu),
        stream=stream,
        blocks=blocks,
        threads=threads,
        shared_bytes=shared_bytes,
        placed=bool(flags & _PLACED),
        widened=bool(flags & _WIDENED),
        recorded=bool(flags & _RECORDED),
        failed=bool(flags & _FAILED),
        untimed=bool(flags & _UNTIMED),
    )


def _device_of(number: int) -> str:
    """The name of a device by its number: GPUs count from 0 upwards, CPU devices from -1 down."""
    if number >= 0:
        return f"cuda:{number}"
    return "cpu" if number == -1 else f"cpu:{-1 - number}"


def linked(records: list[Record]) -> list[Record]:
    """Those that lie within no other; each has what lies within it as `children`."""
    known = {record.key: record for record in records}
    for record in records:
        record.children = []
    roots = []
    for record in records:
        parent = known.get(record.parent_key)
        if record.parent and parent is not None:
            parent.children.append(record)
        else:
            roots.append(record)
    return roots
