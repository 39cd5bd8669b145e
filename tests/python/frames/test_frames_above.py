"""What modules reach by `above`: every name that one asks for is there."""

import re
from pathlib import Path

import pytest
from phalanx._frames import above

from phalanx import _frames

SOURCES = Path(_frames.__file__).parent.rglob("*.py")
ASKED = {
    name
    for source in SOURCES
    for name in re.findall(r"(?<![\w.])above\.([A-Za-z]\w*)", source.read_text())
}


@pytest.mark.parametrize("name", sorted(ASKED))
def test_every_name_that_is_asked_for_is_found(name):
    found = getattr(above, name)
    assert getattr(found, "__name__", "NaT") == name


def test_nothing_is_listed_that_nobody_asks_for():
    assert set(above._NAMES) == ASKED


def test_other_names_are_none():
    with pytest.raises(AttributeError, match="no attribute 'absent'"):
        above.absent  # noqa: B018
