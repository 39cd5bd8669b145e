"""Arrays, streams and devices in ways that few use: NumPy's results, or a clear error."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import _engine, cuda, errors

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")


@cuda.jit
def scale(a, factor=2, *, shift=0):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] * factor + shift


@pytest.mark.parametrize("dtype", ["S5", "U3"])
def test_text_goes_to_the_device_and_back(device, dtype):
    host = np.array([b"abc", b"d", b""]).astype(dtype)
    there = cuda.to_device(host)
    assert there.dtype == host.dtype
    np.testing.assert_array_equal(there.copy_to_host(), host)
    assert cuda.device_array_like(host).dtype == host.dtype


@pytest.mark.parametrize("make", [cuda.to_device, cuda.device_array_like])
def test_swapped_bytes_are_refused_with_what_to_do(device, make):
    with pytest.raises(TypeError, match=r"its bytes are swapped; convert with \.astype"):
        make(np.zeros(3, ">f4"))
    with pytest.raises(TypeError, match="bytes are swapped"):
        cuda.device_array(3, np.float64).view(">f8")


def test_what_kernels_cannot_hold_is_a_type_error(device):
    for dtype in (np.longdouble, object, "V7"):
        with pytest.raises(TypeError, match="kernels have no element type"):
            cuda.device_array(3, dtype)


@pytest.mark.parametrize("make", [cuda.pinned_array, cuda.mapped_array, cuda.managed_array])
def test_memory_of_the_host_holds_no_python_objects(device, make):
    with pytest.raises(TypeError, match="not Python objects"):
        make(3, object)
    with pytest.raises(ValueError, match="order is 'C' or 'F'"):
        make(3, order="K")
    wide = make((2, 3), np.float32, (100, 4))
    wide[...] = np.arange(6).reshape(2, 3)
    assert wide.strides == (100, 4)
    assert wide.sum() == 15
    back = make((2, 3), np.float32, (-12, 4))
    back[...] = np.arange(6).reshape(2, 3)
    assert back[1, 2] == 5


def test_negative_strides_stay_inside_of_the_memory(device):
    there = cuda.device_array((2, 3), np.float32, strides=(-12, 4))
    host = np.arange(6, dtype=np.float32).reshape(2, 3)
    there[...] = host
    np.testing.assert_array_equal(there.copy_to_host(), host)
    np.testing.assert_array_equal(there[::-1].copy_to_host(), host[::-1])
    with pytest.raises(ValueError, match="do not fit a shape of 2 dimensions"):
        cuda.device_array((2, 3), np.float32, strides=(4,))


def test_to_device_into_an_array_copies_unless_told_not_to(device):
    target = cuda.to_device(np.zeros(3))
    assert cuda.to_device(np.arange(3.0), copy=False, to=target) is target
    assert not target.copy_to_host().any()
    cuda.to_device(cuda.to_device(np.arange(3.0)), to=target)
    np.testing.assert_array_equal(target.copy_to_host(), np.arange(3.0))
    with pytest.raises(TypeError, match="to= is a device array"):
        cuda.to_device(np.arange(3.0), to=np.zeros(3))


def test_assignment_converts_and_drops_leading_dimensions_of_one(device):
    there = cuda.to_device(np.zeros((2, 3), np.float32))
    there[:] = cuda.to_device(np.arange(6.0).reshape(2, 3))  # float64, of the same shape
    np.testing.assert_array_equal(there.copy_to_host(), np.arange(6).reshape(2, 3))
    there[0] = np.full((1, 1, 3), 7)
    np.testing.assert_array_equal(there.copy_to_host()[0], [7, 7, 7])
    with pytest.raises(ValueError, match="Can't assign 2-D array to 1-D self"):
        there[0] = np.zeros((2, 3))


def test_wrong_indices_and_shapes_say_so(device):
    there = cuda.to_device(np.arange(6.0).reshape(1, 6))
    with pytest.raises(TypeError, match="integers and slices as indices, not ndarray"):
        there[np.array([0, 2])]
    with pytest.raises(ValueError, match="axis 5 is out of bounds"):
        there.squeeze(5)
    with pytest.raises(TypeError, match="float"):
        there.reshape(2.0, 3)
    with pytest.raises(ValueError, match="at least one element, not 0"):
        list(there[0].split(0))
    with pytest.raises(TypeError, match="expected a NumPy array, not list"):
        there.copy_to_host([1, 2])
    with pytest.raises(TypeError, match="to another device array"):
        there.copy_to_host(cuda.device_array_like(there))


def test_views_keep_the_stream_that_the_array_is_bound_to(device):
    stream = cuda.stream()
    bound = cuda.to_device(np.zeros((2, 3))).bind(stream)
    for view in (bound[0], bound.T, bound.reshape(6), bound.view(np.int64)):
        assert view.stream == stream


def test_launches_without_numbers_take_arguments_by_name(device):
    a = np.ones(100)
    scale.forall(100)(a, factor=3)
    scale.forall(100)(a, shift=1)
    scale.over(a)(a, shift=1, factor=1)
    np.testing.assert_array_equal(a, np.full(100, 8.0))
    for wrong, words in (((100,), "over\\(\\) takes shapes"), (2.5, "whole number"), ("a", "'a'")):
        with pytest.raises(TypeError, match=words):
            scale.forall(wrong)
    with pytest.raises(ValueError, match="-1 threads"):
        scale.forall(10, tpb=-1)


def test_a_signature_that_was_not_compiled_is_named_with_those_that_were(device):
    kernel = cuda.jit(scale.py_func)
    kernel[1, 32](np.zeros(3))
    with pytest.raises(KeyError, match=r"not compiled for \(float32\), but for .*float64"):
        kernel.inspect_llvm(("float32",))


def test_contexts_are_one_for_a_device(device):
    assert cuda.current_context() == cuda.current_context(0)
    assert len({cuda.current_context(), cuda.current_context()}) == 1
    assert repr(cuda.current_context()) == "<CUDA context of device 0>"
    assert cuda.current_context().get_legacy_default_stream() == cuda.default_stream()
    stream = cuda.current_context().get_per_thread_default_stream()
    assert stream == cuda.per_thread_default_stream()


def test_attributes_of_devices_by_the_drivers_names(device):
    current = cuda.get_current_device()
    major, minor = current.compute_capability
    assert (major, minor) == (current.COMPUTE_CAPABILITY_MAJOR, current.COMPUTE_CAPABILITY_MINOR)
    assert current.MAX_THREADS_PER_MULTIPROCESSOR == current.MAX_THREADS_PER_MULTI_PROCESSOR > 0
    assert current.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN >= current.MAX_SHARED_MEMORY_PER_BLOCK
    assert current.PCI_BUS_ID >= 0
    assert not current.supports_fp8
    with pytest.raises(AttributeError, match="NO_SUCH_THING"):
        _ = current.NO_SUCH_THING


def test_streams_and_events_refuse_what_they_are_not(device):
    with pytest.raises(TypeError, match="a callback is called"):
        cuda.stream().add_callback(3)
    with pytest.raises(TypeError, match="a stream's handle"):
        cuda.external_stream("x")
    event = cuda.event()
    event.record()
    with pytest.raises(TypeError, match="between two events"):
        event.elapsed_time(3)
    assert repr(event).startswith("<CUDA event ")


def test_compile_takes_one_function_and_one_signature():
    with pytest.raises(TypeError, match="a Python function, not 3"):
        cuda.compile(3, "int32(int32)")
    for wrong in (None, ["int32(int32)", "int64(int64)"]):
        with pytest.raises(TypeError, match="takes one signature"):
            cuda.compile(lambda x: x, wrong)


def test_ufuncs_take_a_largest_block(device):
    @cuda.vectorize(["float64(float64, float64)"], target="cuda")
    def add(a, b):
        return a + b

    @cuda.guvectorize(["void(float64[:], float64[:])"], "(n)->(n)", target="cuda")
    def twice(a, out):
        for i in range(a.shape[0]):
            out[i] = 2 * a[i]

    values = np.arange(300.0).reshape(100, 3)
    for each in (add, twice):
        assert each.max_blocksize > 1024
        each.max_blocksize = 16
    np.testing.assert_array_equal(add(values, 1), values + 1)
    np.testing.assert_array_equal(twice(values), values * 2)


def test_bfloat16_arrays_of_ml_dtypes(device):
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    host = np.array([1.5, 2, 3], bfloat16)
    there = cuda.to_device(host)
    assert there.dtype == host.dtype
    scale[1, 32](there, bfloat16(2))
    np.testing.assert_array_equal(there.copy_to_host(), np.array([3, 4, 6], bfloat16))
    there[0] = 0.5
    assert there[0] == bfloat16(0.5)
    assert cuda.device_array(3, bfloat16).dtype == host.dtype
    assert cuda.device_array(3, np.uint16).view(bfloat16).dtype == host.dtype
    half = bfloat16(0.5)

    @cuda.jit
    def constants(out):
        shared = cuda.shared.array(3, bfloat16)
        shared[0] = host[1]
        out[0] = shared[0] + half + bfloat16(3)

    out = np.zeros(1)
    constants[1, 1](out)
    assert out[0] == 5.5

    @cuda.vectorize(target="cuda")
    def add(a, b):
        return a + b

    np.testing.assert_array_equal(add(host, host), host + host)
    assert cuda.reduce(lambda a, b: a + b)(host) == 6.5


MODULES = """
from numba import cuda
import numba, numpy as np
import numba.cuda.libdevice
from numba.core.typing import signature
from numba.core.typing.typeof import typeof
from numba.cuda.api import to_device
from numba.cuda.cudadrv.driver import driver
from numba.cuda.cudadrv.runtime import runtime
from numba.cuda.dispatcher import CUDADispatcher
from numba.cuda.errors import KernelRuntimeError
from numba.cuda.kernels.reduction import Reduce
from numba.cuda.testing import CUDATestCase, skip_on_cudasim, unittest

@cuda.jit
def kernel(a):
    for x in cuda.literal_unroll((1, 2.5)):
        a[0] += x

class Test(CUDATestCase):
    @skip_on_cudasim("simulated")
    def test_kernel(self):
        a = to_device(np.zeros(1))
        kernel[1, 1](a)
        self.assertEqual(a[0], 3.5)

assert isinstance(kernel, CUDADispatcher)
assert typeof(1) == numba.int64 and signature(numba.int32).return_type == numba.int32
assert Reduce is cuda.Reduce and issubclass(KernelRuntimeError, Exception)
assert cuda.runtime is runtime
assert driver.is_available and driver.get_device_count() == 1 == len(cuda.gpus)
assert driver.get_device(0) == cuda.get_current_device() and cuda.detect()
assert numba.config.NUMBA_NUM_THREADS == numba.get_num_threads()
unittest.main()
"""


def test_modules_that_users_import_from(run_python):
    code = f"from phalanx._tools.cli import main; main(['run', '-c', {MODULES!r}])"
    done = run_python(code, PHALANX_DEVICE="cpu", check=False)
    assert "OK" in done.stderr, done.stderr


def test_the_runtime_is_the_drivers():
    from phalanx.compat.numba_runtime import runtime

    info = _engine.driver_info()
    assert runtime.is_supported_version() == info["usable"]
    if info["usable"]:
        assert runtime.get_version() >= (11, 0)
    else:
        with pytest.raises(errors.DeviceError):
            runtime.get_version()


def test_scripts_that_print_versions_run_without_a_gpu(run_python):
    done = run_python(
        "from phalanx import compat; from phalanx._device import devices\n"
        "devices.serve_cpu_as_cuda(); compat.install(beside_installed=False)\n"
        "from numba import cuda\n"
        "assert cuda.is_available()\n"
        "print(cuda.runtime.get_version(), cuda.cudadrv.driver.driver.get_version())\n"
    )
    version = _engine.driver_info()["version"] if _engine.driver_info()["usable"] else None
    expected = (version // 1000, version % 1000 // 10) if version else (-1, -1)
    assert done.stdout == f"{expected} {expected}\n", done.stderr


def test_keyword_only_parameters_are_passed(device):
    a = np.ones(3)
    scale[1, 32](a, shift=5)
    np.testing.assert_array_equal(a, np.full(3, 7))
    scale[1, 32](a, shift=1, factor=1)
    np.testing.assert_array_equal(a, np.full(3, 8))


def test_parameters_that_cannot_be_compiled_are_refused(device):
    @cuda.jit
    def names(a, **rest):
        a[0] = 1

    @cuda.jit
    def both(a, *rest, last=3):
        a[0] = last

    with pytest.raises(errors.UnsupportedError, match=r"takes \*\*, which cannot be compiled"):
        names[1, 1](np.zeros(3), x=3)
    with pytest.raises(errors.UnsupportedError, match="keyword-only parameters after"):
        both[1, 1](np.zeros(3), 1, 2)


@pytest.mark.parametrize("make", [cuda.mapped_array, cuda.managed_array])
def test_arrays_of_the_host_have_the_methods_of_device_arrays(device, make):
    there = make(3, np.float64)
    there.copy_to_device(np.arange(3.0))
    scale[1, 32](there)
    host = there.copy_to_host()
    assert type(host) is np.ndarray
    np.testing.assert_array_equal(host, [0, 2, 4])
    there.copy_to_device(cuda.to_device(np.ones(3)))
    target = np.zeros(3)
    assert there.copy_to_host(target, cuda.stream()) is target
    assert target.sum() == 3
    with pytest.raises(ValueError, match="incompatible shape"):
        there.copy_to_device(np.zeros(4))
    assert isinstance(there, cuda.devicearray.MappedNDArray)


def test_names_that_are_loaded_late_are_listed():
    listed = set(dir(cuda))
    assert {"jit", "random", "vectorize", "declare_device", "float32x3"} <= listed
    assert all(getattr(cuda, name) is not None for name in listed - {"__doc__", "__file__"})
