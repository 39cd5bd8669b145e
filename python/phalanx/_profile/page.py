"""A profile as one page of HTML, which needs no network."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from . import page_pictures, page_timeline
from .busy import headline
from .memory import Allocation
from .summary import GROUPS, Row
from .table import columns
from .units import bytes_text

if TYPE_CHECKING:
    from .profile import Profile

_STYLE = """
.phx-profile { font: 14px/1.45 system-ui, sans-serif; color: #1c2733; background: #fff;
  --line: #d5dce3; --soft: #5a6875; --accent: #0b6bcb; }
.phx-profile h1 { font-size: 20px; margin: 0 0 4px; }
.phx-profile h2 { font-size: 15px; margin: 22px 0 6px; }
.phx-profile p { margin: 4px 0; max-width: 72em; }
.phx-profile .soft { color: var(--soft); }
.phx-profile .wide { overflow-x: auto; }
.phx-profile table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.phx-profile th, .phx-profile td { padding: 2px 10px; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
.phx-profile th:first-child, .phx-profile td:first-child,
.phx-profile th:last-child, .phx-profile td:last-child { text-align: left; }
.phx-profile td:first-child { max-width: 26em; overflow: hidden; text-overflow: ellipsis; }
.phx-profile tr.group td { font-weight: 600; padding-top: 10px; }
.phx-profile li { margin: 3px 0; max-width: 72em; }
.phx-profile code { font: 12.5px ui-monospace, monospace; }
.phx-profile canvas { width: 100%; display: block; border: 1px solid var(--line); cursor: grab; }
.phx-profile svg { max-width: 100%; height: auto; }
.phx-profile .tip { min-height: 1.5em; color: var(--soft); }
.phx-profile .pictures { display: flex; flex-wrap: wrap; gap: 24px; }
@media (max-width: 700px) { .phx-profile td:first-child { max-width: 40vw; } }
@media (prefers-color-scheme: dark) { .phx-profile { color: #dfe6ec; background: #14191e;
  --line: #333d47; --soft: #93a1ad; --accent: #62a8f0; } }
"""


def to_html(profile: Profile) -> str:
    """The whole page."""
    title = escape(profile.label or "Profile")
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{title}</title>"
        "<style>body { margin: 0; padding: 16px; } "
        "@media (prefers-color-scheme: dark) { body { background: #14191e; } }</style>"
        f"</head><body>{to_fragment(profile)}</body></html>\n"
    )


def to_fragment(profile: Profile) -> str:
    """The same as a part of another page: what notebooks show."""
    rows = profile.rows()
    parts = [
        f"<style>{_STYLE}</style><div class='phx-profile'>",
        f"<h1>{escape(profile.label or 'Profile')}</h1>",
        f"<p class='soft'>{escape(headline(profile))}{_lost(profile)}</p>",
        _advice(profile),
        "<h2>Timeline</h2>",
        page_timeline.to_html(profile),
        "<h2>What it cost</h2>",
        _table(rows, profile),
        "<div class='pictures'>",
        page_pictures.roofline(rows, profile.rates),
        *(page_pictures.memory(profile.records, peak) for peak in profile.peaks),
        "</div>",
        _peaks(profile),
        "</div>",
    ]
    return "".join(parts)


def _lost(profile: Profile) -> str:
    if not profile.lost:
        return ""
    return f"; {profile.lost:,} older records had no room, figures are of the rest"


def _advice(profile: Profile) -> str:
    found = profile.advice()
    if not found:
        return "<p>No advice: nothing that is known to be slow was found.</p>"
    items = []
    for each in found:
        text = each.site.text() if each.site is not None else ""
        shown = f"<br><code>{escape(text)}</code>" if text else ""
        items.append(f"<li>{escape(str(each))}{shown}</li>")
    return f"<h2>Advice</h2><ul>{''.join(items)}</ul>"


def _table(rows: list[Row], profile: Profile) -> str:
    if not rows:
        return "<p>Nothing ran on a device.</p>"
    shown = columns(rows, profile.rates)
    lines = ["<tr>" + "".join(f"<th>{escape(each.title)}</th>" for each in shown) + "</tr>"]
    group = ""
    for row in rows:
        if row.group != group:
            group = row.group
            name = escape(GROUPS[group])
            lines.append(f"<tr class='group'><td colspan='{len(shown)}'>{name}</td></tr>")
        texts = [each.text(row, profile.rates.get(row.device)) for each in shown[1:]]
        hint = escape("\n".join([row.name, *row.notes]), quote=True)
        first = f'<td title="{hint}">{escape(row.name)}</td>'
        rest = "".join(f"<td>{escape(text)}</td>" for text in texts)
        lines.append(f"<tr>{first}{rest}</tr>")
    return f"<div class='wide'><table>{''.join(lines)}</table></div>"


def _allocation(each: Allocation) -> str:
    where = escape(str(each.site or "other code"))
    text = escape(each.site.text() if each.site is not None else "")
    return (
        f"<tr><td>{where}</td><td>{bytes_text(each.bytes)}</td><td>{each.blocks}</td>"
        f"<td><code>{text}</code></td></tr>"
    )


def _peaks(profile: Profile) -> str:
    parts = []
    for peak in profile.peaks:
        rows = "".join(map(_allocation, peak.largest))
        parts.append(
            f"<h2>In use at the peak on {escape(peak.device)}: {bytes_text(peak.bytes)}</h2>"
            "<div class='wide'><table><tr><th>line</th><th>bytes</th><th>pieces</th><th></th></tr>"
            f"{rows}</table></div>"
        )
    return "".join(parts)
