"""Pictures of a profile: rates against what the devices can do, and memory over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from .memory import Peak, course
from .rates import Rates
from .records import Record
from .summary import Row
from .units import bytes_text, seconds_text

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 560, 320, 62, 40, 16, 14
_COLORS = ("#0b6bcb", "#c2410c", "#15803d", "#7e22ce")
_MOST_POINTS = 600


class _Axis:
    """Values on a logarithmic axis to places of a picture."""

    def __init__(self, values: Sequence[float], first: float, last: float) -> None:
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self._first, self._last = first, last

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self._first + share * (self._last - self._first)

    @property
    def ticks(self) -> list[float]:
        return [10.0**power for power in range(self.low, self.high + 1)]


def roofline(rows: Sequence[Row], rates: dict[str, Rates]) -> str:
    """Operations per second over operations per byte, below what each device can do.

    Source: Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for
    multicore architectures", CACM 52(4), 2009. The roof is of measured rates.
    """
    shown = [
        row
        for row in rows
        if row.operations and row.bytes and row.device_seconds > 0 and row.device in rates
    ]
    if not shown:
        return ""
    devices = sorted({row.device for row in shown})
    intensities = [row.operations / row.bytes for row in shown]
    speeds = [row.operations / row.device_seconds for row in shown]
    knees = [rates[each].arithmetic / rates[each].memory for each in devices]
    x = _Axis([*intensities, *knees, min(knees) / 30], _LEFT, _WIDTH - _RIGHT)
    y = _Axis([*speeds, *(rates[each].arithmetic for each in devices)], _HEIGHT - _BOTTOM, _TOP)
    parts = [_axes(x, y)]
    for i, device in enumerate(devices):
        color = _COLORS[i % len(_COLORS)]
        parts.append(_roof(rates[device], x, y, color, device))
        for row, intensity, speed in zip(shown, intensities, speeds, strict=True):
            if row.device == device:
                parts.append(
                    f"<circle cx='{x(intensity):.1f}' cy='{y(speed):.1f}' r='5' fill='{color}' "
                    f"fill-opacity='0.7'><title>{escape(row.name)}: {speed / 1e9:.3g} Gop/s, "
                    f"{intensity:.3g} op/byte, {seconds_text(row.device_seconds)}</title></circle>"
                )
    return _picture("Roofline: expressions of arrays", "".join(parts))


def _roof(rates: Rates, x: _Axis, y: _Axis, color: str, device: str) -> str:
    low, high = 10.0**x.low, 10.0**x.high
    knee = rates.arithmetic / rates.memory
    floor = 10.0**y.low
    start = max(low, floor / rates.memory)
    points = [(start, start * rates.memory), (knee, rates.arithmetic), (high, rates.arithmetic)]
    line = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
    return (
        f"<polyline points='{line}' fill='none' stroke='{color}' stroke-width='1.5'/>"
        f"<text x='{_WIDTH - _RIGHT}' y='{y(rates.arithmetic) - 4:.1f}' text-anchor='end' "
        f"fill='{color}' font-size='11'>{escape(device)}</text>"
    )


def _axes(x: _Axis, y: _Axis) -> str:
    parts = [
        (
            f"<line x1='{x(value):.1f}' x2='{x(value):.1f}' y1='{_TOP}' y2='{_HEIGHT - _BOTTOM}' "
            "stroke='currentColor' stroke-opacity='0.12'/>"
            f"<text x='{x(value):.1f}' y='{_HEIGHT - _BOTTOM + 15}' text-anchor='middle' "
            f"font-size='11' fill='currentColor'>{value:g}</text>"
        )
        for value in x.ticks
    ]
    parts += [
        (
            f"<line y1='{y(value):.1f}' y2='{y(value):.1f}' x1='{_LEFT}' x2='{_WIDTH - _RIGHT}' "
            "stroke='currentColor' stroke-opacity='0.12'/>"
            f"<text x='{_LEFT - 6}' y='{y(value) + 4:.1f}' text-anchor='end' font-size='11' "
            f"fill='currentColor'>{value / 1e9:g}</text>"
        )
        for value in y.ticks
    ]
    parts.append(
        f"<text x='{(_LEFT + _WIDTH) / 2}' y='{_HEIGHT - 6}' text-anchor='middle' font-size='11' "
        "fill='currentColor'>operations per byte</text>"
        f"<text x='12' y='{_HEIGHT / 2}' text-anchor='middle' font-size='11' fill='currentColor' "
        f"transform='rotate(-90 12 {_HEIGHT / 2})'>Gop/s</text>"
    )
    return "".join(parts)


def memory(records: Sequence[Record], peak: Peak) -> str:
    """Bytes in use of a device over time."""
    points = _thinned(course(records, peak.device))
    if len(points) < 2 or peak.bytes <= 0:
        return ""
    end = max(points[-1][0], 1e-9)
    bottom, top = _HEIGHT - _BOTTOM, _TOP

    def place(at: float, used: float) -> tuple[float, float]:
        return (
            _LEFT + at / end * (_WIDTH - _LEFT - _RIGHT),
            bottom - max(used, 0) / peak.bytes * (bottom - top),
        )

    line = f"M{_LEFT},{bottom}"
    for at, used in points:
        across, up = place(at, used)
        line += f"H{across:.1f}V{up:.1f}"
    across, up = place(peak.at, peak.bytes)
    body = (
        f"<path d='{line}V{bottom}Z' fill='#0b6bcb' fill-opacity='0.25' stroke='#0b6bcb'/>"
        f"<circle cx='{across:.1f}' cy='{up:.1f}' r='4' fill='#c2410c'>"
        f"<title>{bytes_text(peak.bytes)} at {seconds_text(peak.at)}</title></circle>"
        f"<text x='{_LEFT - 6}' y='{top + 4}' text-anchor='end' font-size='11' "
        f"fill='currentColor'>{bytes_text(peak.bytes)}</text>"
        f"<text x='{_LEFT - 6}' y='{bottom}' text-anchor='end' font-size='11' "
        "fill='currentColor'>0</text>"
        f"<text x='{_WIDTH - _RIGHT}' y='{bottom + 15}' text-anchor='end' font-size='11' "
        f"fill='currentColor'>{seconds_text(end)}</text>"
    )
    return _picture(f"Memory in use on {peak.device}", body)


def _thinned(points: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Of many points the largest of each part, so that no peak is lost."""
    step = len(points) // _MOST_POINTS + 1
    return [
        max(points[i : i + step], key=lambda point: point[1]) for i in range(0, len(points), step)
    ]


def _picture(title: str, body: str) -> str:
    return (
        f"<div><h2>{escape(title)}</h2><svg width='{_WIDTH}' height='{_HEIGHT}' "
        f"viewBox='0 0 {_WIDTH} {_HEIGHT}' role='img' aria-label='{escape(title)}'>"
        f"{body}</svg></div>"
    )
