"""Memory of device arrays that waits before it is given back: `defer_cleanup`, numba's settings."""

import ctypes
import gc

import numpy as np
import pytest

from phalanx import _engine, cuda


@pytest.fixture
def waiting(device):
    _engine.set_pending_limits(0, 0)  # the default, which numba's config changes for the process
    found = cuda.current_context().deallocations
    found.clear()
    gc.collect()  # arrays of earlier tests, which may be freed at any time otherwise
    yield found
    _engine.set_pending_limits(0, 0)
    found.clear()


def used() -> int:
    return int(_engine.current_device().memory_info()["used_here"])


def test_memory_is_given_back_at_once_without_limits(waiting):
    before = used()
    a = cuda.to_device(np.ones(1000))
    del a
    assert len(waiting) == 0
    assert used() == before


def test_there_are_no_limits_by_default(run_python):
    code = """
import numpy as np
from phalanx import cuda
a = cuda.to_device(np.ones(1000))
del a
print(len(cuda.current_context().deallocations))
"""
    assert run_python(code).stdout == "0\n"


def test_nothing_is_given_back_inside_of_defer_cleanup(waiting):
    before = used()
    with cuda.defer_cleanup():
        a = cuda.to_device(np.ones(1000))
        view = a[3:]
        del a
        assert len(waiting) == 0  # the view uses it
        del view
        with cuda.defer_cleanup():
            cuda.to_device(np.ones(1000))
        waiting.clear()
        assert len(waiting) == 2
        assert used() >= before + 16000
    assert len(waiting) == 0
    assert used() == before


def test_an_error_ends_the_block_too(waiting):
    with pytest.raises(ZeroDivisionError), cuda.defer_cleanup():
        cuda.to_device(np.ones(1000))
        raise ZeroDivisionError
    assert len(waiting) == 0


def test_as_many_arrays_wait_as_the_limit_says(waiting):
    _engine.set_pending_limits(3, 1.0)
    for i in range(3):
        cuda.to_device(np.ones(10))
        assert len(waiting) == i + 1
    cuda.to_device(np.ones(10))
    assert len(waiting) == 0


def test_as_large_a_part_of_the_memory_waits_as_the_limit_says(waiting):
    total = cuda.current_context().get_memory_info().total
    _engine.set_pending_limits(100, 100_000 / total)
    cuda.to_device(np.ones(60_000, np.int8))
    assert len(waiting) == 1
    cuda.to_device(np.ones(50_000, np.int8))
    assert len(waiting) == 0


@pytest.mark.parametrize("ratio", [-0.1, 1.5, float("nan")])
def test_a_part_is_from_0_to_1(ratio):
    with pytest.raises(ValueError, match="from 0 to 1"):
        _engine.set_pending_limits(1, ratio)


def test_contexts_give_memory_streams_and_events(device):
    context = cuda.current_context()
    assert context.memalloc(100).device_pointer_value != 0
    for kind in (context.memhostalloc(64), context.memhostalloc(64, mapped=True),
                 context.memallocmanaged(64)):  # fmt: skip
        host = np.frombuffer(kind, np.uint8)
        host[:] = 7
        assert host.sum() == 7 * 64
    stream, event = context.create_stream(), context.create_event()
    event.record(stream)
    stream.synchronize()
    assert event.query()


SETTINGS = """
import numpy as np
from numba import cuda

waiting = cuda.current_context().memory_manager.deallocations
counts = []
for _ in range(4):
    cuda.to_device(np.ones(10))
    counts.append(len(waiting))
cuda.config.CUDA_DEALLOCS_COUNT = 0
cuda.to_device(np.ones(10))
print(*counts, len(waiting))
"""


def test_the_environment_lets_memory_wait_under_phalanx_run(tmp_path, run_python):
    script = tmp_path / "program.py"
    script.write_text(SETTINGS)
    code = f"from phalanx._tools.cli import main; main(['run', {str(script)!r}])"
    done = run_python(code, NUMBA_CUDA_MAX_PENDING_DEALLOCS_COUNT="2")
    assert done.stdout.split() == ["1", "2", "0", "1", "0"]


def test_memory_of_an_allocator_goes_back_before_another_one_comes(waiting):
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    live = []

    @ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p)
    def allocate(size, device, stream):
        live.append(size)
        return libc.malloc(ctypes.c_size_t(size))

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p)
    def deallocate(memory, size, device, stream):
        live.remove(size)
        libc.free(ctypes.c_void_p(memory))

    if cuda.current_context().device._device.kind != "cpu":
        pytest.skip("libc's memory is the CPU device's only")
    _engine.set_pending_limits(10, 0.5)
    cuda.set_allocator(
        *(ctypes.cast(each, ctypes.c_void_p).value for each in (allocate, deallocate))
    )
    try:
        x = cuda.to_device(np.ones(1000))
        del x
        assert (live, len(waiting)) == ([8000], 1)
    finally:
        cuda.set_allocator(None)
    assert (live, len(waiting)) == ([], 0)
