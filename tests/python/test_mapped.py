"""Mapped and managed memory: host arrays that kernels of either device take."""

import numpy as np
import pytest

from phalanx import cuda


@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


@pytest.mark.parametrize("make", [cuda.mapped_array, cuda.managed_array])
def test_a_kernel_changes_it_in_place(make, device):
    x = make(10, np.float32)
    x[:] = np.arange(10)
    double[1, 32](x)
    cuda.synchronize()
    assert x.tolist() == list(range(0, 20, 2))


def test_like_keeps_shape_dtype_and_order():
    made = cuda.mapped_array_like(np.zeros((3, 4), np.int16, order="F"))
    assert (made.shape, made.dtype, made.strides) == ((3, 4), np.dtype("int16"), (2, 6))


def test_a_with_block_gives_the_arrays(device):
    x, y = np.ones(4), np.ones(5)
    with cuda.mapped(x) as one:
        double[1, 32](one)
    with cuda.mapped(x, y) as both:
        assert len(both) == 2
    assert x.tolist() == [2, 2, 2, 2]


def test_flags_are_those_of_numpy(device):
    host = np.zeros((3, 4), np.float32)
    for array in (host, host.T, host[:1], np.float32(1)):
        flags = np.asarray(array).flags
        made = cuda.to_device(np.asarray(array)).flags
        assert made == {
            "C_CONTIGUOUS": flags["C_CONTIGUOUS"],
            "F_CONTIGUOUS": flags["F_CONTIGUOUS"],
        }


@pytest.fixture
def served(monkeypatch):
    """Arrays of the CPU device have the interface too, as under ``phalanx run``."""
    monkeypatch.setattr(cuda.DeviceNDArray, "has_interface_on_cpu", True)


@pytest.mark.parametrize("make", [cuda.mapped_array, cuda.managed_array])
def test_its_interface_names_the_memory_and_the_stream(make, device, served):
    assert make(10).__cuda_array_interface__["stream"] is None
    stream = cuda.stream()
    x = make((4, 6), np.int16, stream=stream)
    whole, part = x.__cuda_array_interface__, x[1::2, 2:].__cuda_array_interface__
    assert whole["stream"] == part["stream"] == stream.handle != 0
    assert (whole["shape"], whole["strides"], whole["typestr"]) == ((4, 6), None, "<i2")
    assert (part["shape"], part["strides"]) == ((2, 4), (24, 2))
    assert part["data"][0] - whole["data"][0] == 12 + 4
    assert make(0).__cuda_array_interface__["data"][0] == 0


def test_a_copy_of_it_is_no_memory_of_a_device(device, served):
    x = cuda.mapped_array(10)
    with pytest.raises(AttributeError, match="a copy"):
        _ = (x + 1).gpu_data
    double[1, 32](x + 1)


def test_views_of_it_are_changed_in_place(device):
    x = cuda.mapped_array(10, np.float32)
    x[:] = 1
    double[1, 32](x[::2])
    cuda.synchronize()
    assert x.tolist() == [2, 1] * 5


def test_without_phalanx_run_the_cpu_device_has_no_interface():
    if cuda.get_current_device().name.startswith(b"NVIDIA"):
        pytest.skip("a GPU is the device")
    assert not hasattr(cuda.mapped_array(3), "__cuda_array_interface__")


def test_streams_that_were_made_are_told_apart(device):
    one, other = cuda.stream(), cuda.stream()
    assert one != other
    assert one.handle != 0
    assert cuda.default_stream() == 0
    assert not one.external
    assert cuda.external_stream(one.handle).external


class Foreign:
    def __init__(self, array, **changed):
        self.held = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, **changed}


def test_an_array_of_another_library_brings_its_stream(device, served):
    stream = cuda.stream()
    made = cuda.as_cuda_array(Foreign(cuda.device_array(10, stream=stream)))
    assert made.stream.external
    assert made.stream == stream
    assert cuda.as_cuda_array(Foreign(cuda.device_array(10), stream=None)).stream == 0


def test_masked_arrays_are_refused(device, served):
    array = cuda.device_array(10)
    with pytest.raises(NotImplementedError, match="Masked arrays are not supported"):
        cuda.as_cuda_array(Foreign(array, mask=array))


DISABLED = """
from numba import cuda
from numba.cuda.cudadrv.error import CudaSupportError

print(cuda.is_available(), cuda.is_supported_version(), len(cuda.gpus))
try:
    cuda.device_array(1)
except CudaSupportError as error:
    assert error.msg == cuda.cuda_error()
    print(error.msg)
"""


def test_numba_disable_cuda_disables_devices(tmp_path, run_python):
    script = tmp_path / "program.py"
    script.write_text(DISABLED)
    code = f"from phalanx._tools.cli import main; main(['run', {str(script)!r}])"
    done = run_python(code, NUMBA_DISABLE_CUDA="1", PHALANX_DEVICE="")
    first, second = done.stdout.splitlines()
    assert first.startswith("False False")
    assert "NUMBA_DISABLE_CUDA=1 in the environment; unset it" in second
