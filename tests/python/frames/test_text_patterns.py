"""Classes of characters in patterns: of every character what Python's `re` says, of whatever
version of Unicode PCRE2 is."""

from __future__ import annotations

import re
import unicodedata

import pytest
from phalanx._frames.strings import engine, patterns

import phalanx as px

CHARACTERS = [chr(i) for i in range(0x110000) if not 0xD800 <= i < 0xE000]


@pytest.fixture(params=["own version", "another version"])
def _version(request, monkeypatch):
    if request.param == "another version":
        monkeypatch.setattr(unicodedata, "unidata_version", "0.0.0")
    patterns._class_of.cache_clear()
    patterns.in_pcre2.cache_clear()
    engine._compiled.cache_clear()
    yield
    patterns._class_of.cache_clear()
    patterns.in_pcre2.cache_clear()
    engine._compiled.cache_clear()


@pytest.mark.parametrize("text", [r"\w", r"\W", r"\d", r"\D", r"\s", r"[\d_]", r"\b"])
@pytest.mark.usefixtures("_version")
def test_classes_are_pythons(text):
    wanted = re.compile(text)
    found = px.Series(CHARACTERS).str.contains(text).tolist()
    differ = [
        c for c, is_in in zip(CHARACTERS, found, strict=True) if is_in != bool(wanted.search(c))
    ]
    assert differ == []
    assert patterns.in_pcre2(wanted, "search", captures=False) is not None  # not by Python itself


def test_a_pattern_that_pcre2_has_no_room_for():
    text = "(?:ab{2000}){2000}|x"
    assert px.Series(["x", "y"]).str.contains(text).tolist() == [True, False]
