"""Columns of texts of many rows, which are taken in blocks and by steps of bytes, beside Python."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import phalanx as px
from phalanx import _engine

# More than a loop hands to one thread, in blocks of 1,024.
ROWS = 17_000
ALPHABETS = {"ascii": "ab", "accents": "aé", "wide": "日😀x"}


def _texts(alphabet: str, seed: int, *, missing: bool = False, late: bool = False) -> list:
    """Texts of 0 to 70 characters; `late`: all but one of the last rows are ASCII."""
    rng = np.random.default_rng(seed)
    # Most texts of columns are short; lengths around a step of 16 and the last one of 64.
    lengths = rng.choice([0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 70], 50)
    pool = ["".join(rng.choice(list(alphabet), length)) for length in lengths]
    made = [pool[i] for i in rng.integers(0, len(pool), ROWS)]
    if late:
        made = [each.translate({ord("é"): "b"}) for each in made]
        made[-2] = "é"
    if missing:
        for row in rng.integers(0, ROWS, ROWS // 10):
            made[row] = None
    return made


COLUMNS = {
    **{name: _texts(alphabet, 1) for name, alphabet in ALPHABETS.items()},
    "late": _texts("aé", 1, late=True),
    "missing": _texts("aé", 1, missing=True),
    "empty": [""] * ROWS,
}
OTHERS = {
    "ascii": _texts("ab", 2),
    "missing": _texts("aé", 3, missing=True),
    "a text": "né" * 9,
}


def _of_rows(function, *columns):
    """What a function gives for the texts of each row; None where one is missing."""
    return [None if None in row else function(*row) for row in zip(*columns, strict=True)]


def _column(other):
    return [other] * ROWS if isinstance(other, str) else other


def _given(other, library):
    return other if isinstance(other, str) else library.Series(other, dtype="str")


@pytest.mark.parametrize("name", COLUMNS)
def test_lengths(name):
    made = px.Series(COLUMNS[name], dtype="str").str.len().to_numpy()
    expected = pd.Series(_of_rows(len, COLUMNS[name])).to_numpy()
    np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("name", COLUMNS)
def test_sums(name, other):
    made = px.Series(COLUMNS[name], dtype="str") + _given(OTHERS[other], px)
    expected = _of_rows(lambda a, b: a + b, COLUMNS[name], _column(OTHERS[other]))
    assert [each if isinstance(each, str) else None for each in made.tolist()] == expected


@pytest.mark.parametrize("other", [*OTHERS, "the same", "one byte differs"])
@pytest.mark.parametrize("name", COLUMNS)
def test_equal(name, other):
    texts = COLUMNS[name]
    if other == "the same":
        others = list(texts)
    elif other == "one byte differs":
        others = [each and each[: i % len(each)] + "~" + each[i % len(each) + 1 :]
                  for i, each in enumerate(texts)]  # fmt: skip
    else:
        others = OTHERS[other]
    made = px.Series(texts, dtype="str") == _given(others, px)
    expected = _of_rows(lambda a, b: a == b, texts, _column(others))
    assert made.tolist() == [bool(each) for each in expected]


@pytest.mark.parametrize("name", COLUMNS)
def test_taken(name):
    rows = np.random.default_rng(4).permutation(ROWS)
    made = px.Series(COLUMNS[name], dtype="str").iloc[rows].tolist()
    expected = [COLUMNS[name][row] for row in rows]
    assert [each if isinstance(each, str) else None for each in made] == expected


def test_offsets_that_decrease_are_refused():
    offsets = np.arange(ROWS + 1)
    offsets[-2] = 3
    key = ("string", offsets, np.zeros(ROWS, np.uint8), None)
    with pytest.raises(ValueError, match=f"must not decrease: see row {ROWS - 2}"):
        _engine.frames.text_lengths(key)
