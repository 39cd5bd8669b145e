"""The table of a profile: its columns, and the whole as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .busy import headline
from .rates import Rates
from .records import Site
from .summary import GROUPS, Row
from .units import bytes_text, count_text, number_text, seconds_text

if TYPE_CHECKING:
    from .profile import Profile

_LONGEST_NAME = 44


class Column(NamedTuple):
    """A title, and what is shown of a row beside the rates of its device: "" for nothing."""

    title: str
    text: Callable[[Row, Rates | None], str]


def _time(seconds: float) -> str:
    return seconds_text(seconds) if seconds else ""


def _count(number: int) -> str:
    return count_text(number) if number else ""


def _rate(row: Row, _: Rates | None) -> str:
    return number_text(row.rate / 1e9) if row.rate else ""


def _share_of_copy(row: Row, rates: Rates | None) -> str:
    """The rate beside that of a copy within the device."""
    return f"{row.rate / rates.memory:.0%}" if rates and rates.memory and row.rate else ""


def _occupancy(row: Row, rates: Rates | None) -> str:
    if rates is None or not row.resident_threads or not rates.max_threads:
        return ""
    return f"{row.resident_threads / rates.max_threads:.0%}"


def _lines(sites: Sequence[Site]) -> str:
    if not sites:
        return ""
    more = f" and {len(sites) - 1} more" if len(sites) > 1 else ""
    return f"{sites[0]}{more}"


_ON = Column("on", lambda row, _: row.device)
_COLUMNS = (
    Column("", lambda row, _: row.name),
    _ON,
    Column("calls", lambda row, _: count_text(row.calls)),
    Column("device", lambda row, _: "~" * bool(row.untimed) + _time(row.device_seconds)),
    Column("host", lambda row, _: _time(row.seconds)),
    Column("compile", lambda row, _: _time(row.compile_seconds)),
    Column("hits", lambda row, _: _count(row.cache_hits)),
    Column("bytes", lambda row, _: bytes_text(row.bytes) if row.bytes else ""),
    Column("GB/s", _rate),
    Column("of copy", _share_of_copy),
    Column("lanes", lambda row, _: str(row.lanes or "")),
    Column("registers", lambda row, _: str(row.registers or "")),
    Column("occupancy", _occupancy),
    Column("expected", lambda row, _: _time(row.expected_seconds)),
    Column("line", lambda row, _: _lines(row.sites)),
)


def columns(rows: Sequence[Row], rates: dict[str, Rates]) -> list[Column]:
    """The columns that have something to show, the name first."""
    is_of_one = len({row.device for row in rows} - {""}) < 2
    first, *others = _COLUMNS
    return [first] + [
        each
        for each in others
        if any(each.text(row, rates.get(row.device)) for row in rows)
        and not (each is _ON and is_of_one)
    ]


def to_text(profile: Profile) -> str:
    """The table as text, with peaks of memory and advice."""
    title = f"{profile.label}: " if profile.label else ""
    lines = [title + headline(profile)]
    if profile.lost:
        lines.append(f"{count_text(profile.lost)} older records had no room: times are of the rest")
    lines += _table(profile.rows(), profile.rates)
    for peak in profile.peaks:
        where = ", ".join(
            f"{bytes_text(each.bytes)} by {each.site or 'other code'}" for each in peak.largest[:3]
        )
        lines.append(f"peak memory on {peak.device}: {bytes_text(peak.bytes)} ({where})")
    told = profile.advice()
    lines += ["", *(f"advice: {each}" for each in told)] if told else []
    return "\n".join(lines)


def _table(rows: Sequence[Row], rates: dict[str, Rates]) -> list[str]:
    if not rows:
        return ["nothing ran on a device"]
    shown = columns(rows, rates)
    lines: list[list[str]] = [[each.title for each in shown]]
    group = ""
    for row in rows:
        if row.group != group:
            group = row.group
            lines.append([GROUPS[group]])
        figures = [each.text(row, rates.get(row.device)) for each in shown[1:]]
        lines.append([f"  {_shortened(row.name)}", *figures])
    return _aligned(lines)


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 3] + "..."


def _aligned(lines: Sequence[list[str]]) -> list[str]:
    """Columns of one width, the first and the last to the left; a line of one cell is a heading."""
    whole = [line for line in lines if len(line) > 1] or [[""]]
    widths = [max(len(line[i]) for line in whole) for i in range(len(whole[0]))]
    made = []
    for line in lines:
        texts = [line[0].ljust(widths[0])]
        texts += [line[i].rjust(widths[i]) for i in range(1, len(line) - 1)]
        made.append("  ".join([*texts, *line[1:][-1:]]).rstrip())
    return made
