"""Every cell of the tutorials and of docs/how-it-works.md that needs no tool runs, in order."""

from __future__ import annotations

import linecache
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.glob("tutorials/*.md"))
CELL = re.compile(r"^```\{code-cell\}\n(.*?)^```", re.DOTALL | re.MULTILINE)


def cells(page):
    """(name for errors, code, whether it is meant to raise) of each cell."""
    text = page.read_text()
    for match in CELL.finditer(text):
        tags = re.match(r":tags: \[(.*)\]\n", match[1])
        code = match[1][tags.end() :] if tags else match[1]
        name = f"{page.name}:{text[: match.start()].count(chr(10)) + 1}"
        yield name, code, bool(tags) and "raises-exception" in tags[1]


def run(name, code, names):
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    exec(compile(code, name, "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_cells_of_a_tutorial_run(device, page, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)  # one writes a file
    names = {"__name__": f"tutorial_{page.stem}"}
    for name, code, raises in cells(page):
        if raises:
            with pytest.raises(Exception, match=r"bounds|does not compile"):
                run(name, code, names)
        else:
            run(name, code, names)


def test_there_are_four_tutorials_with_cells():
    assert len(PAGES) == 4
    assert all(len(list(cells(page))) >= 6 for page in PAGES)
