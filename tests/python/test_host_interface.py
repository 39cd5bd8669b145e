"""The rest of the host's interface: profilers, memory managers, handles for other processes."""

from __future__ import annotations

import ctypes
import multiprocessing
import pickle

import numpy as np
import pytest
from phalanx.errors import DeviceError, OutOfMemoryError

from phalanx import _engine, cuda

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.shape[0]:
        a[i] *= 2


def test_profiling_surrounds_launches(device):
    a = cuda.to_device(np.ones(4))
    with cuda.profiling():
        double[1, 32](a)
    cuda.profile_start()
    cuda.profile_stop()
    np.testing.assert_array_equal(a.copy_to_host(), np.full(4, 2.0))


def plugin_for(device):
    """A memory manager that takes its memory from the engine, and counts."""

    class Plugin(cuda.HostOnlyCUDAMemoryManager):
        interface_version = 1
        sizes = ()
        freed = ()
        initialized = 0

        def initialize(self):
            Plugin.initialized += 1

        def memalloc(self, size):
            block = _engine.DeviceArray((max(size, 1),), _engine.Type.scalar("uint8"))
            Plugin.sizes += (size,)
            self.allocations[block.address] = block

            def finalizer(address=block.address, kept=self.allocations):
                Plugin.freed += (size,)
                del kept[address]

            pointer = ctypes.c_uint64(block.address)
            return cuda.MemoryPointer(self.context, pointer, size, finalizer=finalizer)

        def get_memory_info(self):
            return cuda.MemoryInfo(free=32, total=64)

        def get_ipc_handle(self, memory):
            raise NotImplementedError

    return Plugin


def test_a_memory_manager_gives_device_arrays_their_memory(device):
    plugin = plugin_for(device)
    cuda.set_memory_manager(plugin)
    try:
        a = cuda.to_device(np.ones(10))
        b = cuda.device_array((3, 4), np.float32, order="F")
        assert plugin.sizes == (80, 48)
        assert plugin.initialized == 1
        double[1, 32](a)
        np.testing.assert_array_equal(a.copy_to_host(), np.full(10, 2.0))
        assert b.is_f_contiguous()
        info = cuda.current_context().get_memory_info()
        assert (info.free, info.total) == (32, 64)
        view = a[2:5]
        del a
        assert plugin.freed == ()
        np.testing.assert_array_equal(view.copy_to_host(), np.full(3, 2.0))
        del view
        assert plugin.freed == (80,)
    finally:
        cuda.set_memory_manager(None)
    cuda.to_device(np.ones(10))
    assert plugin.sizes == (80, 48)


def test_c_functions_give_device_arrays_their_memory(device):
    if device != "cpu":
        pytest.skip("malloc gives memory of the host; tests/cpp/runtime/memory_resource_test.cpp")
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    live, seen = {}, []

    @ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p)
    def allocate(size, ordinal, stream):
        if size > 1 << 20:
            return None
        address = libc.malloc(size)
        live[address] = size
        seen.append((size, ordinal))
        return address

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p)
    def deallocate(address, size, ordinal, stream):
        assert live.pop(address) == size
        libc.free(address)

    addresses = [ctypes.cast(f, ctypes.c_void_p).value for f in (allocate, deallocate)]
    cuda.set_allocator(*addresses)
    try:
        a = cuda.to_device(np.ones(10))
        assert seen[-1] == (80, 0)
        assert a.address in live
        double[1, 32](a)
        np.testing.assert_array_equal(a.copy_to_host(), np.full(10, 2.0))
        with pytest.raises(OutOfMemoryError, match="allocator that was set"):
            cuda.device_array(1 << 21, np.int8)
    finally:
        cuda.set_allocator(None)
    cuda.device_array(33, np.int8)
    assert seen[-1][0] != 33
    view = a[2:5]
    del a
    assert len(live) == 1
    del view
    cuda.current_context().deallocations.clear()  # memory waits where numba's settings are served
    assert not live
    with pytest.raises(ValueError, match="two functions"):
        cuda.set_allocator(addresses[0])


def test_a_memory_manager_of_another_version_is_refused(device):
    plugin = plugin_for(device)
    plugin.interface_version = 2
    with pytest.raises(RuntimeError, match="version 1 required"):
        cuda.set_memory_manager(plugin)
    assert type(cuda.current_context().memory_manager) is not plugin


def _doubled(handle):
    with handle as array:
        double[1, 32](array)
        cuda.synchronize()
        return array.copy_to_host()


def test_another_process_opens_an_array(device):
    a = cuda.to_device(np.arange(10.0))
    if device == "cpu":
        with pytest.raises(DeviceError, match=r"multiprocessing\.shared_memory"):
            a.get_ipc_handle()
        return
    part = a[2:8]
    with pytest.raises(ValueError, match="made first"):
        part.get_ipc_handle()
    del part
    handle = a.get_ipc_handle()
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        seen = pool.apply(_doubled, (handle,))
    np.testing.assert_array_equal(seen, np.arange(10.0) * 2)
    np.testing.assert_array_equal(a.copy_to_host(), np.arange(10.0) * 2)
    assert pickle.loads(pickle.dumps(handle))._owner is None


def test_views_share_the_handle_once_the_array_has_moved(device):
    if device == "cpu":
        pytest.skip("the CPU device has no handles")
    a = cuda.to_device(np.arange(10.0))
    a.get_ipc_handle()
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        seen = pool.apply(_doubled, (a[2:5].get_ipc_handle(),))
    np.testing.assert_array_equal(seen, [4.0, 6.0, 8.0])


def _read(handle):
    array = handle.open_array(cuda.current_context(), handle.size // 8, np.float64)
    seen = array.copy_to_host()
    with pytest.raises(ValueError, match="already opened"):
        handle.open(cuda.current_context())
    handle.close()
    return seen


def test_another_process_opens_memory_by_its_address(device):
    a = cuda.to_device(np.arange(10.0))
    if device == "cpu":
        with pytest.raises(DeviceError, match=r"multiprocessing\.shared_memory"):
            cuda.current_context().get_ipc_handle(a.gpu_data)
        return
    part = a[2:8]
    del a
    handle = cuda.current_context().get_ipc_handle(part.gpu_data)
    assert handle.size == 48
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        seen = pool.apply(_read, (handle,))
    np.testing.assert_array_equal(seen, np.arange(2.0, 8.0))
    again = pickle.loads(pickle.dumps(handle))
    assert again.base is None
    assert again.handle.reserved == handle.handle.reserved
    with pytest.raises(ValueError, match="not opened"):
        again.close()


def test_handles_are_of_memory_of_ours(device):
    with pytest.raises(TypeError, match="gpu_data"):
        cuda.current_context().get_ipc_handle(1234)


def test_memory_is_copied_by_its_address(device):
    from phalanx.compat import numba_driver as driver

    a = cuda.to_device(np.arange(4.0))
    host = np.zeros(4)
    driver.device_to_host(host, a.gpu_data, 32)
    np.testing.assert_array_equal(host, np.arange(4.0))
    driver.host_to_device(a.gpu_data, np.full(4, 7.0), 16)
    np.testing.assert_array_equal(a.copy_to_host(), [7, 7, 2, 3])
    memory = cuda.current_context().memalloc(32)
    driver.host_to_device(memory, host, 32)
    driver.device_to_host(host[::-1].copy(), memory, 32)


def test_the_configuration_that_is_compiled_for_is_known(device):
    @cuda.jit
    def fresh(a):
        a[0] = 1

    assert cuda.launchconfig.current_launch_config() is None
    with pytest.raises(RuntimeError, match="No launch config"):
        cuda.launchconfig.ensure_current_launch_config()
    with cuda.launchconfig.capture_compile_config(fresh) as record:
        fresh[3, (4, 5), 0, 16](np.zeros(4))
    config = record["config"]
    assert (config.griddim, config.blockdim, config.sharedmem) == ((3, 1, 1), (4, 5, 1), 16)
    assert config.dispatcher is fresh
    with cuda.launchconfig.capture_compile_config(fresh) as record:
        fresh[2, 32](np.zeros(4))
    assert record["config"] is None


def test_streams_of_other_libraries_are_taken(device):
    class Foreign:
        def __cuda_stream__(self):
            return (0, 0)

    a = cuda.to_device(np.ones(4))
    double[1, 32, Foreign()](a)
    np.testing.assert_array_equal(a.copy_to_host(), np.full(4, 2.0))


def test_most_blocks_of_a_cooperative_launch(device):
    a = cuda.to_device(np.ones(4))
    double[1, 32](a)
    kernel = next(iter(double.overloads.values()))
    line = kernel.max_cooperative_grid_blocks(256)
    assert line == kernel.max_cooperative_grid_blocks((16, 16))
    assert line == kernel.max_cooperative_grid_blocks((16, 4, 4))
    assert line >= 1
    assert line in double.max_cooperative_grid_blocks(256).values()


def test_machine_code_as_text(device):
    from phalanx._core.toolkit import find_tool

    a = cuda.to_device(np.ones(4))
    double[1, 32](a)
    if find_tool("nvdisasm") is None and find_tool("cuobjdump") is None:
        with pytest.raises(RuntimeError, match="nvdisasm was not found"):
            double.inspect_sass()
    elif device == "cpu":
        with pytest.raises(RuntimeError, match="current device is the CPU"):
            double.inspect_sass()
    else:
        assert "EXIT" in next(iter(double.inspect_sass().values()))


def test_a_function_that_requires_a_context_keeps_its_device():
    if len(cuda.gpus) < 2:
        pytest.skip("needs two GPUs")

    @cuda.require_context
    def switch():
        with cuda.gpus[1]:
            pass

    with cuda.gpus[0]:
        with pytest.raises(RuntimeError, match="Cannot switch CUDA-context"):
            switch()
        with cuda.gpus[1]:
            assert cuda.get_current_device().id == 1
