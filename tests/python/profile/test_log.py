"""What the log has of compilations."""

from __future__ import annotations

import logging
import re

import fake_gpu
import numpy as np
import pytest

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


def messages(caplog):
    return [each.getMessage() for each in caplog.records if "expression" in each.getMessage()]


def test_expressions_of_arrays_are_told_of_once(caplog, tmp_path):
    def compute():
        return float((phalanx.asarray(np.arange(7.0), device="cpu") * 4.125 - 2).sum())

    background = phalanx.config.background_compile
    phalanx.config.background_compile = False
    try:
        with caplog.at_level(logging.DEBUG, logger="phalanx"):
            assert compute() == 4.125 * 21 - 14
            first = messages(caplog)
            caplog.clear()
            compute()
            second = messages(caplog)
    finally:
        phalanx.config.background_compile = background
    assert first and not second
    verb, _, rest = first[-1].partition(" expression ")
    assert verb in ("compiled", "found in the cache")
    assert "sum" in rest and " for cpu: " in rest
    assert ("codegen" in rest) == (verb == "compiled")
    assert rest.endswith(" ms")


PLACED = """
import logging
import sys

import numpy as np
import phalanx as px

logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.WARNING)
logging.getLogger("phalanx").setLevel(logging.DEBUG)
with px.device("auto"):
    np.asarray(px.asarray(np.ones(4)) + 1)
    np.asarray(px.asarray(np.ones(1 << 22)) * 2)
"""


@fake_gpu.needed
def test_the_choice_of_a_device_is_told_with_its_times(tmp_path):
    done = fake_gpu.run(PLACED, tmp_path)
    assert done.returncode == 0, done.stderr
    placed = [line for line in done.stdout.splitlines() if line.startswith("placed")]
    found = re.fullmatch(
        r"placed expression a \* n0 on (cpu|cuda:0): (\S+) ms expected there, (\S+) ms on "
        r"(the CPU device|the GPU), (\S+) MB to copy",
        placed[-1],
    )
    assert found, placed
    where, here, there, other, copied = found.groups()
    assert (where == "cpu") == (other == "the GPU")
    assert float(here) > 0 and float(there) > 0
    assert float(copied) == (0 if where == "cpu" else pytest.approx(33.554, abs=0.001))
    assert len(placed) == 1  # the small one is not asked about
