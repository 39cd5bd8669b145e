"""Kernels that call linked code: CUDA C, PTX, cubins."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from phalanx._core import toolkit
from phalanx._core.toolkit import find_library, find_tool
from phalanx._types.bridge import to_engine
from phalanx.errors import CompileError

from phalanx import _engine, cuda, types

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")

TWICE = 'extern "C" __device__ int twice(int x) { return 2 * x; }'
TWICE_WITH_STATUS = """
extern "C" __device__ int twice_status(int* result, int x) { *result = 2 * x; return 0; }
"""
TWICE_IN_PTX = """
.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b32 result) twice(.param .b32 x)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [x];
  shl.b32 %r2, %r1, 1;
  st.param.b32 [result], %r2;
  ret;
}
"""

needs_nvrtc = pytest.mark.skipif(find_library("nvrtc") is None, reason="NVRTC is not installed")


def needs_gpu(device):
    if device == "cpu":
        pytest.skip("PTX and cubins run on a GPU only; for CUDA C see test_link_on_cpu.py")


def caller_of(function):
    @cuda.jit
    def kernel(out, x):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = function(x[i]) + 1

    return kernel


def check(kernel):
    x = np.arange(40, dtype=np.int32)
    out = np.zeros_like(x)
    kernel[2, 32](out, x)
    np.testing.assert_array_equal(out, 2 * x + 1)


@pytest.mark.parametrize(
    "name, source, abi", [("twice", TWICE, "c"), ("twice_status", TWICE_WITH_STATUS, "numba")]
)
def test_cuda_c_is_called_by_either_convention(device, name, source, abi):
    check(caller_of(cuda.declare_device(name, "int32(int32)", cuda.CUSource(source), abi=abi)))


def test_ptx_is_linked(device):
    needs_gpu(device)
    check(
        caller_of(
            cuda.declare_device("twice", "int32(int32)", cuda.PTXSource(TWICE_IN_PTX), abi="c")
        )
    )


def test_files_are_linked_by_the_decorator(device, tmp_path):
    needs_gpu(device)
    file = tmp_path / "twice.ptx"
    file.write_text(TWICE_IN_PTX)
    twice = cuda.declare_device("twice", "int32(int32)", abi="c")

    @cuda.jit(link=[str(file)])
    def kernel(out, x):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = twice(x[i]) + 1

    check(kernel)


def test_a_cubin_is_linked(device, tmp_path):
    needs_gpu(device)
    ptxas = find_tool("ptxas")
    if ptxas is None:
        pytest.skip("needs ptxas")
    major, minor = cuda.get_current_device().compute_capability
    source, cubin = tmp_path / "twice.ptx", tmp_path / "twice.cubin"
    source.write_text(TWICE_IN_PTX)
    target = f"-arch=sm_{major}{minor}"
    subprocess.run([ptxas, "-c", target, source, "-o", cubin], check=True)
    check(caller_of(cuda.declare_device("twice", "int32(int32)", str(cubin), abi="c")))


def test_linked_functions_are_called_from_device_functions_too(device):
    needs_gpu(device)
    twice = cuda.declare_device("twice", "int32(int32)", cuda.PTXSource(TWICE_IN_PTX), abi="c")

    @cuda.jit(device=True)
    def through(x):
        return twice(x)

    check(caller_of(through))


def test_pointers_of_arrays_reach_linked_code(device):
    needs_gpu(device)
    source = cuda.CUSource('extern "C" __device__ float first(float* p) { return *p; }')
    first = cuda.declare_device(
        "first", types.float32(types.CPointer(types.float32)), source, abi="c"
    )
    a = cuda.to_device(np.float32([5, 6]))
    out = cuda.device_array(1, np.float32)

    @cuda.jit(types.void(types.CPointer(types.float32), types.float32[:]))
    def kernel(p, out):
        out[0] = first(p)

    kernel[1, 1](a.address, out)
    assert out.copy_to_host()[0] == 5


@needs_nvrtc
@pytest.mark.parametrize("abi", ["c", "numba"])
def test_calls_fit_what_nvrtc_makes(abi, tmp_path):
    """Linked by the toolkit's own linker, for machines without a GPU."""
    from phalanx._kernels import link

    ptxas, nvlink = shutil.which("ptxas"), find_tool("nvlink")
    ptxas = ptxas or find_tool("ptxas")
    if ptxas is None or nvlink is None:
        pytest.skip("needs ptxas and nvlink")
    source = TWICE if abi == "c" else TWICE_WITH_STATUS
    name = "twice" if abi == "c" else "twice_status"
    twice = cuda.declare_device(name, "int32(int32)", cuda.CUSource(source), abi=abi)
    kernel = caller_of(twice)
    ptx, _ = cuda.compile_ptx(kernel, (types.int32[::1], types.int32[::1]), cc=(9, 0))
    assert f"{name}" in ptx
    objects = []
    for i, text in enumerate((ptx, link.compile_source(twice.link[0], (9, 0)))):
        file = tmp_path / f"{i}.ptx"
        file.write_text(text)
        objects.append(file.with_suffix(".o"))
        subprocess.run([ptxas, "-c", "-arch=sm_90", file, "-o", objects[-1]], check=True)
    linked = tmp_path / "all.cubin"
    done = subprocess.run(
        [nvlink, "-arch=sm_90", *objects, "-o", linked], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert linked.exists()


@needs_nvrtc
def test_wrong_cuda_c_shows_nvrtcs_log():
    from phalanx._kernels import link

    with pytest.raises(CompileError, match=r"undeclared|undefined") as raised:
        link.compile_source(cuda.CUSource("int f() { return nothing; }", name="mine.cu"), (9, 0))
    assert "mine.cu" in str(raised.value)


def test_the_cpu_device_says_that_linked_code_needs_a_gpu(device):
    if device == "cuda":
        pytest.skip("about the CPU device")
    kernel = caller_of(cuda.declare_device("twice", "int32(int32)", cuda.PTXSource(TWICE_IN_PTX)))
    with pytest.raises(CompileError, match="runs on a GPU only"):
        check(kernel)


def test_a_declaration_has_a_name_and_a_signature():
    f = cuda.declare_device("f", "int32(float32[:])")
    assert (f.name, f.sig.args, f.sig.return_type) == ("f", (types.float32[:],), types.int32)
    with pytest.raises(TypeError, match="Return type"):
        cuda.declare_device("f", (types.float32[:],))
    with pytest.raises(NotImplementedError, match="Unsupported ABI"):
        cuda.declare_device("f", "int32()", abi="pascal")
    with pytest.raises(RuntimeError, match="only in a kernel"):
        f(1)


def test_wrong_calls_of_declared_functions_are_typing_errors():
    f = cuda.declare_device("f", "int32(int32)", abi="c")
    with pytest.raises(CompileError, match="declared with 1 arguments"):
        cuda.compile(lambda: f(1, 2), ())
    with pytest.raises(CompileError, match="argument"):
        cuda.compile(lambda x: f(x), (types.float32[:],))


def test_what_cannot_be_linked_says_so(tmp_path):
    with pytest.raises(ValueError, match=r"Unknown extension: \.txt"):
        cuda.declare_device("f", "int32()", link=str(tmp_path / "code.txt"))
    with pytest.raises(RuntimeError, match="how to link file with no extension"):
        cuda.jit("void()", link=["data"])(lambda: None)
    with pytest.raises(FileNotFoundError, match=r"nothing\.a not found"):
        cuda.declare_device("f", "int32()", link=str(tmp_path / "nothing.a"))
    from phalanx._kernels import link

    with pytest.raises(NotImplementedError, match="LTO-IR"):
        link.driver_rows([cuda.LTOIR(b"...")], (9, 0))


def test_kernels_with_other_linked_code_are_other_kernels():
    from phalanx._frontend import fingerprint

    def key(text):
        f = cuda.declare_device("f", "int32(int32)", cuda.PTXSource(text))
        return fingerprint(lambda x: f(x), lines=False)

    assert key("a") == key("a")
    assert key("a") != key("b")


def test_headers_come_from_a_toolkit_that_has_them_all(tmp_path, monkeypatch):
    partial, complete = tmp_path / "package", tmp_path / "toolkit"
    for root in (partial, complete):
        (root / "include").mkdir(parents=True)
        (root / "include" / "cuda_fp16.h").touch()
    monkeypatch.setattr(toolkit, "_roots", lambda: iter([partial, complete]))
    assert toolkit.include_folders()[-1:] == [partial / "include"]
    (complete / "include" / "cccl").mkdir()
    wanted = [complete / "include", complete / "include" / "cccl"]
    assert toolkit.include_folders()[-2:] == wanted


class Pathfinder:
    """cuda-pathfinder, with one library."""

    def load_nvidia_dynamic_lib(self, name):
        if name != "nvrtc":
            raise RuntimeError(f"{name} was not found")
        return SimpleNamespace(abs_path="/elsewhere/libnvrtc.so.13")


def test_libraries_are_found_by_cuda_pathfinder_where_it_is_installed(tmp_path, monkeypatch):
    (tmp_path / "lib").mkdir()
    for stem in ("nvrtc", "nvrtc-builtins", "nvjitlink"):
        (tmp_path / "lib" / f"lib{stem}.so.13").touch()
    monkeypatch.setattr(toolkit, "_roots", lambda: iter([tmp_path]))
    monkeypatch.setitem(sys.modules, "cuda.pathfinder", Pathfinder())
    assert find_library("nvrtc") == Path("/elsewhere/libnvrtc.so.13")
    assert find_library("nvjitlink") == tmp_path / "lib" / "libnvjitlink.so.13"
    monkeypatch.setitem(sys.modules, "cuda.pathfinder", None)  # an ImportError
    assert find_library("nvrtc") == tmp_path / "lib" / "libnvrtc.so.13"
    assert find_library("no_such_library") is None


def test_setup_and_teardown_are_called_with_each_loaded_module(device):
    needs_gpu(device)
    events = []

    def setup(module):
        assert module.handle != 0
        events.append(("setup", module.name))

    def teardown(module):
        events.append(("teardown", module.name))

    source = cuda.PTXSource(TWICE_IN_PTX, setup_callback=setup, teardown_callback=teardown)
    twice = cuda.declare_device("twice", "int32(int32)", source, abi="c")
    kernel = caller_of(twice)
    assert events == []
    check(kernel)
    check(kernel)
    assert events == [("setup", "kernel")]
    kernel[1, 32](np.zeros(4, np.int64), np.zeros(4, np.int16))
    assert events == [("setup", "kernel")] * 2
    cuda.current_context().reset()
    assert sorted(events) == [("setup", "kernel")] * 2 + [("teardown", "kernel")] * 2
    check(kernel)
    assert len(events) == 5
    del kernel
    gc.collect()
    assert len(events) == 6


NUMBER_IN_PTX = """
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 number = 0;
.visible .func (.param .b32 result) number_now()
{
  .reg .b32 %r<2>;
  ld.global.u32 %r1, [number];
  st.param.b32 [result], %r1;
  ret;
}
"""


def test_a_setup_callback_reaches_global_variables(device):
    needs_gpu(device)
    problems = []

    def setup(module):
        address, size = module.get_global("number")
        element = _engine.Type.scalar("int32")
        number = _engine.DeviceArray(address, (1,), (4,), element, module)
        number.copy_from_host(np.array([42], np.int32))
        assert size == 4
        try:
            module.get_global("missing")
        except ValueError as error:
            problems.append(str(error))

    source = cuda.PTXSource(NUMBER_IN_PTX, setup_callback=setup)
    number_now = cuda.declare_device("number_now", "int32()", source, abi="c")

    @cuda.jit
    def read(out):
        out[0] = number_now()

    out = np.zeros(1, np.int32)
    read[1, 1](out)
    assert out[0] == 42
    assert problems == ["the module of kernel read has no global variable 'missing'"]


def test_linked_code_that_waits_for_blocks_makes_its_kernels_cooperative():
    waits = cuda.declare_device("waits", "int32(int32)", use_cooperative=True, abi="c")
    plain = cuda.declare_device("plain", "int32(int32)", abi="c")
    types_ = (types.int32[::1], types.int32[::1])
    assert caller_of(waits).kernel_for(tuple(map(to_engine, types_))).cooperative
    assert not caller_of(plain).kernel_for(tuple(map(to_engine, types_))).cooperative


def test_callbacks_are_called_once_for_each_module():
    from phalanx._kernels.callbacks import module_loaded

    calls = []
    source = cuda.PTXSource("", setup_callback=calls.append, teardown_callback=calls.append)
    plain = cuda.PTXSource("")
    kernel = caller_of(None)
    assert module_loaded(kernel, [plain], "unseen") is None
    before_unload = module_loaded(kernel, [plain, source], "module")
    assert calls == ["module"]
    before_unload()
    before_unload()
    assert calls == ["module", "module"]


def test_code_without_a_kind_is_refused():
    with pytest.raises(TypeError, match="Expected path to file or a LinkableCode, got bytes"):
        cuda.jit("void()", link=[b"code"])(lambda: None)
