"""What is installed: one module that keeps to itself, and lives beside Numba's LLVM."""

import importlib.metadata
import shutil
import subprocess
import sys

import pytest

from phalanx import _engine as engine


def test_the_module_exports_its_entry_point_only():
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("needs nm of binutils")
    table = subprocess.run(
        [nm, "-D", "--defined-only", engine.__file__], check=True, capture_output=True, text=True
    ).stdout
    # The last two are where GDB looks for compiled code.
    assert {line.split()[-1] for line in table.splitlines()} == {
        "PyInit__engine",
        "__jit_debug_descriptor",
        "__jit_debug_register_code",
    }


def test_the_version_is_the_package_s():
    try:
        installed = importlib.metadata.version("phalanx")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("runs from a build directory")
    assert engine.version() == installed


def test_the_build_id_is_sixteen_hex_digits():
    assert len(engine.build_id()) == 16
    int(engine.build_id(), 16)


@pytest.mark.parametrize("order", ["numba first", "phalanx first"])
def test_numba_compiles_in_the_same_process(order):
    pytest.importorskip("numba")
    imports = ["import numba", "import phalanx._engine"]
    if order == "phalanx first":
        imports.reverse()
    code = "\n".join([*imports, "print(numba.njit(lambda x: x + 1)(41))"])
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.strip() == "42", result.stderr
