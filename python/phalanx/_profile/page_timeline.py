"""The timeline of a profile's page: a canvas, and the records that it shows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .records import MOMENTS, Record
from .trace import label_of
from .units import bytes_text

if TYPE_CHECKING:
    from .profile import Profile

# Of more, the longest: the trace has all.
_MOST = 20_000

# A wheel zooms, a drag moves, a double click shows all. Times are microseconds.
_SCRIPT = """
(function (root) {
  const data = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  const canvas = root.querySelector("canvas"), tip = root.querySelector(".tip");
  const row = 18, gap = 10, left = canvas.clientWidth < 600 ? 104 : 150, colors = data.colors;
  const whole = [0, Math.max(data.end, 1)];
  let [from, to] = whole, drag = null;
  const tops = []; let height = 24;
  for (const track of data.tracks) { tops.push(height); height += track[1] * row + gap; }
  const ink = () => getComputedStyle(root).color;
  const span = (us) => us === 0 ? "0" : us >= 1e6 ? (us / 1e6).toPrecision(3) + " s"
    : us >= 1e3 ? (us / 1e3).toPrecision(3) + " ms" : us.toPrecision(3) + " us";
  const scale = () => (canvas.clientWidth - left) / (to - from);
  function draw() {
    const ratio = devicePixelRatio || 1, width = canvas.clientWidth;
    canvas.style.height = height + "px";
    canvas.width = width * ratio; canvas.height = height * ratio;
    const g = canvas.getContext("2d"); g.scale(ratio, ratio);
    g.font = "11px system-ui, sans-serif"; g.textBaseline = "middle";
    const s = scale(), text = ink();
    g.fillStyle = text;
    const parts = Math.max(2, Math.floor((width - left) / 120));
    for (let i = 0; i <= parts; ++i) {
      const x = left + (width - left) * i / parts;
      g.textAlign = i === parts ? "right" : "left";
      g.fillText(span(from + (to - from) * i / parts), x, 10);
      g.globalAlpha = 0.15; g.fillRect(x, 20, 1, height - 20); g.globalAlpha = 1;
    }
    g.textAlign = "left";
    g.save(); g.beginPath(); g.rect(left, 0, width - left, height); g.clip();
    for (const [track, level, start, taken, name, kind] of data.spans) {
      if (start + taken < from || start > to) continue;
      const x = left + (start - from) * s, w = Math.max(taken * s, 0.7);
      const y = tops[track] + level * row;
      g.fillStyle = colors[kind]; g.fillRect(x, y, w, row - 2);
      if (w > 40) {
        g.save(); g.beginPath(); g.rect(x, y, w, row); g.clip();
        g.fillStyle = "#fff"; g.fillText(data.names[name], Math.max(x, left) + 3, y + row / 2 - 1);
        g.restore();
      }
    }
    g.restore(); g.fillStyle = text;
    data.tracks.forEach((track, i) => g.fillText(track[0], 6, tops[i] + row / 2 - 1, left - 12));
  }
  function at(event) {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const [x] = at(event), middle = from + (x - left) / scale();
    const factor = Math.exp(event.deltaY / 400);
    from = Math.max(whole[0], middle - (middle - from) * factor);
    to = Math.min(whole[1], Math.max(from + 0.1, middle + (to - middle) * factor));
    draw();
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    drag = [at(event)[0], from, to]; canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", () => { drag = null; });
  canvas.addEventListener("dblclick", () => { [from, to] = whole; draw(); });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    if (drag) {
      const wide = drag[2] - drag[1];
      from = drag[1] - (x - drag[0]) / scale();
      from = Math.min(Math.max(from, whole[0]), whole[1] - wide); to = from + wide;
      draw();
      return;
    }
    const time = from + (x - left) / scale(), slack = 2 / scale();
    const found = data.spans.filter(([track, level, start, taken]) =>
      y >= tops[track] + level * row && y < tops[track] + (level + 1) * row
      && time >= start - slack && time <= start + taken + slack);
    const best = found.sort((a, b) => a[3] - b[3])[0];
    tip.textContent = best === undefined ? data.hint
      : data.names[best[4]] + ", " + span(best[3]) + data.notes[best[6]];
  });
  tip.textContent = data.hint;
  addEventListener("resize", draw); draw();
})(document.currentScript.parentElement);
"""

_COLORS = {
    "launch": "#0b6bcb",
    "graph": "#0b6bcb",
    "call": "#0e7490",
    "compile": "#b45309",
    "to_device": "#15803d",
    "to_host": "#4d7c0f",
    "copy": "#65a30d",
    "fill": "#65a30d",
    "wait": "#78716c",
    "spill": "#b91c1c",
    "restore": "#b91c1c",
    "expression": "#4f46e5",
    "scope": "#7e22ce",
}


class _Numbers:
    """Texts by their numbers, so that the page has each once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


def to_html(profile: Profile) -> str:
    """The canvas with its data and its script."""
    records = [each for each in profile.records if each.kind not in MOMENTS]
    left_out = len(records) - _MOST
    if left_out > 0:
        kept = sorted(records, key=lambda each: -each.seconds)[:_MOST]
        records = sorted(kept, key=lambda each: each.start)
    data = json.dumps(_data(profile, records, left_out)).replace("<", "\\u003c")
    return (
        f"<div><canvas aria-label='Timeline of host and devices'></canvas><p class='tip'></p>"
        f"<script type='application/json'>{data}</script><script>{_SCRIPT}</script></div>"
    )


def _data(profile: Profile, records: list[Record], left_out: int) -> dict[str, object]:
    names, notes, kinds = _Numbers(), _Numbers(), _Numbers()
    tracks: dict[str, int] = {}
    levels: dict[str, int] = {}
    spans: list[list[float]] = []
    depths = _depths(records)

    def add(track: str, level: int, start: float, end: float, record: Record) -> None:
        number = tracks.setdefault(track, len(tracks))
        levels[track] = max(levels.get(track, 0), level)
        spans.append(
            [
                number,
                level,
                round(start * 1e6, 3),
                round(max(end - start, 0) * 1e6, 3),
                names(label_of(record)),
                kinds(record.kind),
                notes(_note(record)),
            ]
        )

    several = len({each.process for each in records}) > 1
    for record in records:
        process = f"{record.process} " if several else ""
        host = f"{process}host thread {record.thread}"
        add(host, depths[id(record)], record.start, record.end, record)
        if record.is_on_stream:
            stream = f"{process}{record.device} stream {record.stream:#x}"
            add(stream, 0, record.device_start, record.device_end, record)
    hint = "Turn the wheel to zoom, drag to move, double click for all."
    if left_out > 0:
        hint += f" {left_out:,} shorter records are left out; the trace has them."
    return {
        "tracks": [[track, levels[track] + 1] for track in tracks],
        "spans": spans,
        "names": list(names.numbers),
        "notes": list(notes.numbers),
        "colors": [_COLORS.get(kind, "#555") for kind in kinds.numbers],
        "end": profile.seconds * 1e6,
        "hint": hint,
    }


def _depths(records: list[Record]) -> dict[int, int]:
    by_key = {each.key: each for each in records}
    depths: dict[int, int] = {}
    for record in records:  # those around it began before
        parent = by_key.get(record.parent_key)
        is_above = parent is not None and record.parent_thread == record.thread
        depths[id(record)] = depths.get(id(parent), -1) + 1 if is_above else 0
    return depths


def _note(record: Record) -> str:
    moved = record.bytes_read + record.bytes_written
    parts = ["", record.kind, record.device]
    if moved:
        parts.append(bytes_text(moved))
    if record.blocks:
        parts.append(f"{record.blocks} blocks of {record.threads} threads")
    if record.site is not None:
        parts.append(str(record.site))
    return ", ".join(parts)  # the script shows it as text, not as HTML
