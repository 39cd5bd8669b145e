"""The table of libdevice's functions against the bitcode that they come from."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import phalanx
from phalanx import _engine

# The first argument of these is an array in the caller's memory.
TAKE_ARRAYS = {"norm", "normf", "rnorm", "rnormf", "nan", "nanf"}
LETTERS = {"i16": "h", "i32": "i", "i64": "l", "float": "f", "double": "d", "void": ""}


def bitcode():
    toolkits = sorted(Path("/usr/local").glob("cuda*/nvvm/libdevice/libdevice.10.bc"))
    named = os.environ.get("PHALANX_LIBDEVICE", "")
    bundled = Path(phalanx.__file__).parent / "_libs" / "libdevice.10.bc"
    return next((path for path in (Path(named), bundled, *toolkits) if path.is_file()), None)


def disassembler():
    folder = "/usr/lib/llvm-19/bin"
    return shutil.which("llvm-dis-19") or shutil.which("llvm-dis", path=folder)


@pytest.fixture(scope="module")
def defined():
    """Result, operands by value and number of pointers of each function of the bitcode."""
    if bitcode() is None:
        pytest.skip("there is no libdevice.10.bc: no CUDA toolkit is installed")
    if disassembler() is None:
        pytest.skip("llvm-dis of LLVM 19 is not installed")
    text = subprocess.run(
        [disassembler(), str(bitcode()), "-o", "-"], capture_output=True, text=True, check=True
    ).stdout
    found = {}
    for result, name, operands in re.findall(
        r"^define (?:\w+ )*?(void|i\d+|float|double) @__nv_(\w+)\((.*?)\)", text, re.MULTILINE
    ):
        types = [operand.split()[0] for operand in operands.split(", ") if operand]
        values = "".join(LETTERS[each] for each in types if each != "ptr")
        found[name] = LETTERS[result], values, types.count("ptr")
    return found


def test_the_table_has_each_function_that_takes_no_array(defined):
    assert set(dict(_engine.libdevice_functions())) == set(defined) - TAKE_ARRAYS


def test_the_types_are_those_of_the_bitcode(defined):
    for name, signature in _engine.libdevice_functions():
        results, _, operands = signature.rstrip(")").partition("(")
        # What comes after > is written through pointers, which come last.
        returned, _, written = results.partition(">")
        assert (returned, operands, len(written)) == defined[name], name
