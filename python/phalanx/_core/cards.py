"""What notebooks show of objects that are no data: a title and a table of facts."""

from __future__ import annotations

from collections.abc import Iterable


def card(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """HTML of a title and a row for each fact; facts that are None are left out."""
    import html  # a millisecond, which programs without notebooks do not spend

    body = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
        f"<td style='text-align:left'>{html.escape(str(fact))}</td></tr>"
        for name, fact in rows
        if fact is not None
    )
    return f"<div>{html.escape(title)}</div><table>{body}</table>"


def size(count: int) -> str:
    """A number of bytes as people read it: ``24 B``, ``1.5 GiB``."""
    amount, units = float(count), ["B", "KiB", "MiB", "GiB", "TiB"]
    while amount >= 1024 and len(units) > 1:
        amount /= 1024
        units.pop(0)
    return f"{amount:.4g} {units[0]}"
