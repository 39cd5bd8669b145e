"""Every Python block of the guide, and of the page to begin with, runs, in its page's order."""

from __future__ import annotations

import linecache
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import phalanx

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [*sorted(DOCS.glob("guide/*.md")), DOCS / "first-speed-up.md"]


class Block:
    """A fenced block, and what is shown after it."""

    def __init__(self, page, start, lines, shown):
        self.page = page
        self.start = start  # lines of the page before it
        self.lines = lines
        self.shown = shown

    def run(self, names):
        # The page itself is the file, less what is no program: errors name its lines.
        text = "\n" * self.start + "\n".join(self.lines)
        name = str(self.page)
        known = list(linecache.cache.get(name, (0, None, [], name))[2])
        end = self.start + len(self.lines)
        known += ["\n"] * (end - len(known))
        known[self.start : end] = [line + "\n" for line in self.lines]
        linecache.cache[name] = (len(known), None, known, name)
        exec(compile(text, name, "exec"), names)


def fences(page):
    """(language, lines before, lines) of each fenced block."""
    found, language, start, lines = [], None, 0, []
    for number, line in enumerate(page.read_text().splitlines()):
        if not line.startswith("```"):
            lines.append(line)
        elif language is None:
            language, start, lines = line[3:], number + 1, []
        else:
            found.append((language, start, lines))
            language, lines = None, []
    return found


def blocks(page):
    all_fences = fences(page)
    for i, (language, start, lines) in enumerate(all_fences):
        if language == "python":
            follows = all_fences[i + 1 : i + 2]
            shown = "\n".join(follows[0][2]) if follows and follows[0][0] == "text" else ""
            yield Block(page, start, lines, shown)


def without_places(message):
    """What the lines of check mode's message say, without the file.

    Of races the array: which of two accesses comes first is another one from run to run.
    """
    lines = re.findall(r"\[[a-z]{3,}\] .*", message)  # no indices of the lines shown
    return [re.sub(r"(\[races\]) \w+ (\w+)\[.*", r"\1 \2", line) for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_run(device, page, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # pages write files
    names = {"__name__": f"guide_{page.stem}"}
    with warnings.catch_warnings():
        warnings.simplefilter("error", phalanx.PhalanxWarning)
        # The kernels of a page are small, and show host arrays.
        warnings.simplefilter("ignore", phalanx.errors.OccupancyWarning)
        warnings.simplefilter("ignore", phalanx.errors.CopyWarning)
        for block in blocks(page):
            told = without_places(block.shown)
            if not told:
                block.run(names)
            elif device == "cpu" or "[races]" not in block.shown:
                with pytest.raises(phalanx.KernelError) as raised:
                    block.run(names)
                assert told == without_places(str(raised.value))[: len(told)]


def test_pages_show_code():
    assert sum(len(list(blocks(page))) for page in PAGES) > 20
    assert np.all([page.read_text().startswith("# ") for page in PAGES])
