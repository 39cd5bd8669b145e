"""The table of programs in docs/examples.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from _program import text_of

BEGIN, END = "<!-- programs -->\n", "<!-- /programs -->"
HEADS = ["field", "program", "what it computes", "uses", "time", "plain program", "times faster"]


def write(page: Path, rows: list[dict[str, Any]]) -> None:
    """Replaces the table of the page; raises `ValueError` where its marks are missing."""
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{page} needs the lines {BEGIN.strip()} and {END} around its table")
    ran = [row for row in rows if "seconds" in row]
    ranked = sorted(ran, key=lambda row: (row["field"], row["name"]))
    lines = [_line(HEADS), _line(["---"] * 4 + ["---:"] * 3), *map(_row, ranked)]
    page.write_text(before + begin + "".join(lines) + end + after)


def _row(row: dict[str, Any]) -> str:
    link = f"[{row['name']}](../examples/programs/{row['name']}.py)"
    peer, times = "", ""
    if "peer" in row:
        peer, times = f"{row['peer']} {text_of(row['peer_seconds'])}", f"{row['times']:.1f}"
    title = str(row["title"]).rstrip(".")
    return _line([row["field"], link, title, row["uses"], text_of(row["seconds"]), peer, times])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |\n"
