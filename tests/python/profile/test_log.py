"""What the log has of compilations."""

from __future__ import annotations

import logging

import numpy as np

import phalanx
from phalanx import cuda


def test_it_names_what_is_compiled_and_what_is_found(caplog, tmp_path):
    text = "def scaled(x):\n    i = cuda.grid(1)\n    if i < x.size:\n        x[i] *= 3\n"
    path = tmp_path / "scaled.py"
    path.write_text(text)

    def kernel():
        space = {"cuda": cuda}
        exec(compile(text, str(path), "exec"), space)
        return cuda.jit(space["scaled"])

    with caplog.at_level(logging.DEBUG, logger="phalanx"):
        for _ in range(2):
            kernel()[1, 32](np.ones(32))
    first, second = [each.getMessage() for each in caplog.records if "scaled" in each.getMessage()]
    assert first.startswith("compiled scaled (")
    assert "scaled.py:1): " in first
    assert "codegen" in first
    assert second.startswith("found in the cache scaled (")
    assert "disk" in second


def test_functions_are_told_of_and_nothing_below_debug(caplog):
    def make():
        return phalanx.njit(lambda x: x + 0.25)

    with caplog.at_level(logging.INFO, logger="phalanx"):
        make()(1.0)
    assert not caplog.records
    with caplog.at_level(logging.DEBUG, logger="phalanx"):
        make()(1)
    assert len(caplog.records) == 1
