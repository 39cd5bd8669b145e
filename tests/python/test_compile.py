"""Functions compiled for other programs: cuda.compile and its relatives."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from phalanx.errors import CompileError

from phalanx import cuda, types

RETURNS = r"\.visible\s+\.func\s+\(\.param\s+\.b(\d+)\s+func_retval0\)\s+(\S+)\("


def assemble(ptx, tmp_path, target):
    """Runs ptxas where there is one."""
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
    if ptxas is None:
        return
    file = tmp_path / "code.ptx"
    file.write_text(ptx)
    done = subprocess.run(
        [ptxas, "-c", f"-arch={target}", str(file), "-o", str(tmp_path / "code.cubin")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def add(x, y):
    return x + y


def test_a_device_function_has_the_c_calling_convention(tmp_path):
    ptx, result = cuda.compile(add, types.int32(types.int32, types.int32), cc=(9, 0))
    assert result == types.int32
    assert re.search(RETURNS, ptx).groups() == ("32", "add")
    assert "param_2" not in ptx
    assert ".entry" not in ptx
    assemble(ptx, tmp_path, "sm_90")


def test_the_result_is_inferred_or_converted_to_the_declared_type():
    _, inferred = cuda.compile(add, (types.float32, types.float64))
    assert inferred == types.float64
    ptx, declared = cuda.compile(add, "float32(float32, float64)")
    assert declared == types.float32
    assert re.search(RETURNS, ptx).group(1) == "32"
    _, compared = cuda.compile(lambda a, b: a < b, (types.int32, types.int32))
    assert compared == types.boolean


def test_the_symbol_is_the_functions_name_or_the_given_one():
    info = {"abi_name": "_Z4funcii"}
    ptx, _ = cuda.compile(add, types.int32(types.int32, types.int32), abi_info=info)
    assert re.search(RETURNS, ptx).group(2) == "_Z4funcii"
    ptx, _ = cuda.compile(lambda x: x, "int32(int32)")
    assert "func_retval0" in ptx


def test_numbas_convention_returns_a_status(tmp_path):
    ptx, result = cuda.compile_ptx(add, "float64(float64, float64)", device=True, cc=(9, 0))
    assert result == types.float64
    assert re.search(RETURNS, ptx).groups() == ("32", "add")
    assert "add_param_2" in ptx
    assert re.search(r"st(\.\w+)*\.f64", ptx)
    assemble(ptx, tmp_path, "sm_90")


def test_a_kernel(tmp_path):
    def f(r, x):
        i = cuda.grid(1)
        if i < len(r):
            r[i] = x[i]

    ptx, result = cuda.compile_ptx(f, (types.float32[:], types.float32[:]), cc=(9, 0))
    assert result == types.void
    assert ".visible .entry" in ptx
    assert ".func" not in ptx
    assemble(ptx, tmp_path, "sm_90")


def test_complex_and_constant_results(tmp_path):
    ptx, result = cuda.compile(lambda x: x / 2, "complex128(complex128)", cc=(9, 0))
    assert result == types.complex128
    assemble(ptx, tmp_path, "sm_90")
    ptx, result = cuda.compile(lambda: 7, (), cc=(9, 0))
    assert result == types.int64
    assemble(ptx, tmp_path, "sm_90")


def test_the_compute_capability_and_options():
    from phalanx import _engine

    ptx, _ = cuda.compile(add, "float32(float32, float32)", cc=(8, 0))
    assert ".target sm_80" in ptx
    assert ".target sm_75" in cuda.compile(add, "float32(float32, float32)")[0]
    here, _ = cuda.compile_for_current_device(add, "float32(float32, float32)")
    kernel, _ = cuda.compile_ptx_for_current_device(lambda x: None, (types.float32,))
    if _engine.current_device().kind == "cpu":
        assert ".target sm_90" in here
        assert ".target sm_90" in kernel
    div = "float32(float32, float32)"
    assert "div.rn.f32" in cuda.compile(lambda a, b: a / b, div)[0]
    assert "div.approx.ftz.f32" in cuda.compile(lambda a, b: a / b, div, fastmath=True)[0]


def test_lines_and_debug_information(tmp_path):
    def f(x):
        return x * 2 + 1

    ptx, _ = cuda.compile(f, "float32(float32)", lineinfo=True, cc=(9, 0))
    assert re.search(r'\.file.*test_compile.py"', ptx)
    assemble(ptx, tmp_path, "sm_90")
    ptx, _ = cuda.compile(f, "float32(float32)", debug=True, opt=False, cc=(9, 0))
    assert re.search(r"\.section\s+\.debug_info", ptx)
    assemble(ptx, tmp_path, "sm_90")


def test_a_function_that_calls_others_is_one_function():
    @cuda.jit(device=True)
    def square(x):
        return x * x

    ptx, _ = cuda.compile(lambda x: square(x) + 1, "float32(float32)")
    assert ptx.count(".func") == 1


@pytest.mark.parametrize(
    "options, error, words",
    [
        ({"output": "ltoir"}, NotImplementedError, "LTO-IR"),
        ({"output": "elf"}, NotImplementedError, "Unsupported output type: elf"),
        ({"abi": "fastcall"}, NotImplementedError, "Unsupported ABI: fastcall"),
        ({"device": False}, NotImplementedError, "The C ABI is not supported for kernels"),
        ({"forceinline": True}, ValueError, "LTO-IR"),
    ],
)
def test_what_is_not_there_says_so(options, error, words):
    with pytest.raises(error, match=words):
        cuda.compile(add, (types.int32, types.int32), **options)


def test_wrong_functions_are_refused():
    with pytest.raises(TypeError, match="must have void return type"):
        cuda.compile_ptx(add, (types.int32, types.int32))
    with pytest.raises(CompileError, match="nothing_like_it"):
        cuda.compile(lambda x: nothing_like_it(x), (types.int32,))  # noqa: F821
    with pytest.raises(NotImplementedError, match="output='ptx'"):
        cuda.compile_all(add, (types.int32, types.int32))


def test_compile_all_gives_linked_code_too():
    code = cuda.PTXSource(".version 7.0")
    one = cuda.declare_device("one", "float32(float32)", link=[code, code])

    def function(x):
        return one(x) + add(x, 1)

    codes, result = cuda.compile_all(function, "float32(float32)", output="ptx", cc=(8, 0))
    assert ".visible .func" in codes[0]
    assert ".target sm_80" in codes[0]
    assert codes[1:] == [code]
    assert result == types.float32
