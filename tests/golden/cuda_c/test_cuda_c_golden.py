"""CUDA C to IR, and wrong CUDA C to messages: text in, text out.

What the front end makes of a .cu file, or says of it, is beside it in a .out file;
PHALANX_UPDATE_GOLDEN=1 rewrites it. Name expressions are in a comment: // kernels: f<int>
A line // linked says that the source is linked with others.
"""

import os
import re
from pathlib import Path

import pytest
from phalanx._cuda_c.compiler import compile_with_log

from phalanx import errors

HERE = Path(__file__).parent
CASES = sorted(HERE.glob("*.cu"))


def made(path):
    text = path.read_text()
    named = re.search(r"^// kernels: (.*)$", text, re.MULTILINE)
    kernels = named[1].split("; ") if named else []
    try:
        is_linked = text.startswith("// linked\n")
        return str(compile_with_log(text, path.name, kernels=kernels, linked=is_linked)[0])
    except errors.CompileError as error:
        return error.log


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_source_becomes_what_is_beside_it(path):
    expected = path.with_suffix(".out")
    found = made(path)
    if os.environ.get("PHALANX_UPDATE_GOLDEN"):
        expected.write_text(found)
    assert found == expected.read_text()
