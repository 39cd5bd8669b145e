"""What numba.cuda has on the host, by name: each used once, with its effect."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from phalanx import cuda, types

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")

# Every name of the peer's documentation.
NAMES = """
Archive BaseCUDAMemoryManager CUSource Cubin Fatbin GetIpcHandleMixin HostOnlyCUDAMemoryManager In
InOut IpcArrayHandle LTOIR Object Out PTXSource Reduce activemask all_sync any_sync as_cuda_array
atomic ballot_sync bf16 blockDim blockIdx brev cbrt cg close clz compile compile_all
compile_for_current_device compile_ptx compile_ptx_for_current_device const cuda_error
current_context declare_device default_stream defer_cleanup detect device_array device_array_like
eq_sync event event_elapsed_time extending external_stream ffs fma fp16 from_cuda_array_interface
get_current_device gpus grid gridDim gridsize guvectorize is_available is_bfloat16_supported
is_cuda_array is_float16_supported is_fp8_supported is_supported_version jit kernels laneid
lanemask_lt launchconfig ldca ldcg ldcs ldcv ldlu legacy_default_stream libdevice list_devices local
managed_array mapped mapped_array mapped_array_like match_all_sync match_any_sync nanosleep
open_ipc_array per_thread_default_stream pinned pinned_array pinned_array_like popc profile_start
profile_stop profiling random reduce require_context select_device selp set_memory_manager shared
shfl_down_sync shfl_sync shfl_up_sync shfl_xor_sync stcg stcs stream stwb stwt synchronize
syncthreads syncthreads_and syncthreads_count syncthreads_or syncwarp threadIdx threadfence
threadfence_block threadfence_system to_device types vectorize warpsize
"""


@pytest.mark.parametrize("name", NAMES.split())
def test_names_are_there(name):
    assert getattr(cuda, name) is not None


def test_words_for_the_device(device, capsys):
    @cuda.require_context
    def here():
        return cuda.get_current_device()

    current = here()
    assert current == cuda.current_context().device
    assert cuda.gpus.current == current
    assert cuda.list_devices() is cuda.gpus
    assert len(cuda.gpus) == len(list(cuda.gpus)) == len(cuda.gpus.lst)
    major, minor = current.compute_capability
    assert major >= 5
    assert 0 <= minor <= 9
    assert current.id == 0
    assert isinstance(current.name, bytes)
    kind, *digits = current.uuid.split("-")
    assert kind == ("GPU" if device == "cuda" else "CPU")
    assert [len(each) for each in digits] == [8, 4, 4, 4, 12]
    assert current.supports_float16
    assert current.WARP_SIZE == 32
    assert cuda.detect() == bool(len(cuda.gpus))
    assert f"{len(cuda.gpus)} CUDA devices" in capsys.readouterr().out
    if device == "cuda":
        assert cuda.is_available()
        assert cuda.is_supported_version()
        assert cuda.cuda_error() is None


def test_contexts_and_closing(device):
    context = cuda.select_device(0)
    before = context.get_memory_info()
    assert 0 < before.free <= before.total
    with cuda.defer_cleanup(), context.defer_cleanup(), context:
        a = cuda.to_device(np.arange(3))
    del a
    context.synchronize()
    context.reset()
    cuda.get_current_device().reset()
    cuda.close()
    assert cuda.to_device(np.arange(3)).copy_to_host().tolist() == [0, 1, 2]


def test_arrays_have_numpys_ways(device):
    host = np.arange(12.0).reshape(3, 4)
    a = cuda.to_device(host)
    assert (a.nbytes, a.size, a.shape, a.dtype) == (96, 12, (3, 4), np.float64)
    assert a.is_c_contiguous()
    assert not a.is_f_contiguous()
    assert a.T.is_f_contiguous()
    np.testing.assert_array_equal(a.T.copy_to_host(), host.T)
    np.testing.assert_array_equal(a.ravel().copy_to_host(), host.ravel())
    np.testing.assert_array_equal(a.view(np.int64).copy_to_host(), host.view(np.int64))
    assert a.reshape(1, 12).squeeze().shape == (12,)
    parts = list(a.ravel().split(5))
    assert [each.size for each in parts] == [5, 5, 2]
    stream = cuda.stream()
    assert a.bind(stream).stream == stream
    b = cuda.device_array_like(a)
    b.copy_to_device(a)
    b[1] = 7
    assert b[1, 2] == 7
    assert len(b) == 3


def test_views_of_other_memory(device):
    a = cuda.to_device(np.arange(4.0))
    assert cuda.is_cuda_array(a)
    assert not cuda.is_cuda_array(np.zeros(3))
    assert cuda.as_cuda_array(a) is a
    if device == "cuda":
        described = cuda.from_cuda_array_interface(a.__cuda_array_interface__)
        assert described.copy_to_host().tolist() == [0, 1, 2, 3]
        with pytest.raises(TypeError):
            cuda.as_cuda_array(np.zeros(3))


def test_memory_of_the_host(device):
    made = [
        cuda.pinned_array((2, 3), np.float32, order="F"),
        cuda.mapped_array((2, 3), np.float32),
        cuda.managed_array((2, 3), np.float32),
    ]
    like = [cuda.pinned_array_like(made[0]), cuda.mapped_array_like(made[1])]
    assert made[0].flags.f_contiguous
    assert like[0].flags.f_contiguous

    @cuda.jit
    def count(a):
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            a[i, j] = 10 * i + j

    for array in (*made, *like):
        assert array.shape == (2, 3)
        assert array.dtype == np.float32
        count[1, (2, 3)](array)
        cuda.synchronize()
        assert np.asarray(array).tolist() == [[0, 1, 2], [10, 11, 12]]
    own = np.zeros((2, 3), np.float32)
    with cuda.pinned(own):
        cuda.to_device(own, stream=cuda.stream())
    with cuda.mapped(own) as view:
        count[1, (2, 3)](view)
        cuda.synchronize()
    assert own[1, 2] == 12


def test_streams_and_events(device):
    streams = [
        cuda.default_stream(),
        cuda.legacy_default_stream(),
        cuda.per_thread_default_stream(),
        cuda.stream(),
    ]
    streams.append(cuda.external_stream(streams[3].handle) if device == "cuda" else cuda.stream())
    a = cuda.to_device(np.zeros(4))

    @cuda.jit
    def add_one(a):
        a[cuda.threadIdx.x] += 1

    start, end = cuda.event(), cuda.event()
    for stream in streams:
        start.record(stream)
        with stream.auto_synchronize():
            add_one[1, 4, stream](a)
        end.record(stream)
        end.wait(streams[0])
        end.synchronize()
        assert start.query()
        assert end.query()
        assert cuda.event_elapsed_time(start, end) == start.elapsed_time(end) >= 0
        stream.synchronize()
    assert a.copy_to_host().tolist() == [len(streams)] * 4


def test_streams_are_awaited(device):
    import asyncio

    async def run():
        stream = cuda.stream()
        await stream.async_done()
        return "done"

    assert asyncio.run(run()) == "done"


def test_transposed_by_a_kernel(device):
    from phalanx.cuda.kernels.transpose import transpose

    host = np.arange(35.0).reshape(5, 7)
    result = transpose(cuda.to_device(host))
    np.testing.assert_array_equal(result.copy_to_host(), host.T)


# ---- The decorator and what it makes ----


def scale(a, by):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= by


def test_decorators_take_signatures_of_each_kind(device):
    for signature in (
        "void(float64[:], float64)",
        types.void(types.float64[:], types.float64),
        (types.float64[:], types.float64),
        ["void(float64[::1], float64)", "void(float32[::1], float64)"],
    ):
        kernel = cuda.jit(signature)(scale)
        a = np.ones(3)
        kernel[1, 32](a, 3)
        assert a.tolist() == [3, 3, 3]
        assert (
            len(kernel.overloads)
            == len(kernel.signatures)
            == (len(signature) if isinstance(signature, list) else 1)
        )


@pytest.mark.parametrize(
    "options",
    [
        {"inline": "always"},
        {"forceinline": True},
        {"fastmath": True},
        {"lineinfo": True},
        {"debug": True, "opt": False},
        {"opt": 0},
        {"cache": True},
        {"max_registers": 32},
        {"launch_bounds": 64},
        {"launch_bounds": (64, 2)},
        {"launch_bounds": (64, 2, 1)},
        {"lto": False},
        {"shared_memory_carveout": "MaxL1"},
        {"shared_memory_carveout": 50},
    ],
    ids=str,
)
def test_options_leave_results_as_they_are(device, options):
    kernel = cuda.jit(**options)(scale)
    a = np.ones(40)
    kernel[1, 64](a, 3)
    cuda.synchronize()
    assert a.tolist() == [3] * 40


def test_launch_bounds_are_kept(device):
    kernel = cuda.jit("void(float64[:], float64)", launch_bounds=64)(scale)
    assert kernel.get_max_threads_per_block() <= 1024
    if device == "cuda":
        assert kernel.get_max_threads_per_block() == 64


def test_what_a_kernel_became(device, capsys):
    kernel = cuda.jit("void(float64[:], float64)")(scale)
    (types_of,) = kernel.overloads
    assert "define" in kernel.inspect_llvm()[types_of]
    assert kernel.inspect_asm(types_of) == kernel.inspect_ptx()[types_of]
    assert (".visible .entry" in kernel.inspect_ptx(types_of)) == (device == "cuda")
    kernel.inspect_types()
    assert "scale" in capsys.readouterr().out
    assert kernel.get_shared_mem_per_block() == 0
    assert kernel.get_regs_per_thread() >= 0
    assert kernel.get_const_mem_size() >= 0
    assert kernel.get_local_mem_per_thread() >= 0
    with pytest.raises(NotImplementedError, match="LTO"):
        kernel.inspect_lto_ptx()
    stats = kernel.stats
    assert isinstance(stats.cache_path, str)
    kernel[1, 32](np.ones(3), 2.0)
    assert sum(kernel.stats.cache_hits.values()) + sum(kernel.stats.cache_misses.values()) >= 1


def test_specialized_kernels_take_one_signature(device):
    kernel = cuda.jit(scale)
    a = np.ones(3)
    special = kernel.specialize(a, 2.0)
    assert special.specialized
    special[1, 32](a, 2.0)
    assert a.tolist() == [2, 2, 2]
    assert kernel.specialize(a, 2.0) is special
    with pytest.raises(RuntimeError, match="specialized"):
        special.specialize(a, 2.0)
    with pytest.raises(TypeError, match="declared"):
        special[1, 32](np.ones(3, np.complex64), 2.0)


FACTOR = 2


def test_changed_globals_are_seen_after_recompile(device):
    global FACTOR

    @cuda.jit
    def times(a):
        a[0] *= FACTOR

    a = np.ones(1)
    FACTOR = 2
    times[1, 1](a)
    FACTOR = 5
    times[1, 1](a)
    assert a[0] == 4
    times.recompile()
    times[1, 1](a)
    assert a[0] == 20
    FACTOR = 2


def test_arguments_say_which_way_they_are_copied(device):
    @cuda.jit
    def move(source, target, both):
        i = cuda.threadIdx.x
        target[i] = source[i] + both[i]
        both[i] += 1

    source, target, both = np.arange(3.0), np.full(3, -1.0), np.ones(3)
    move[1, 3](cuda.In(source), cuda.Out(target), cuda.InOut(both))
    assert target.tolist() == [1, 2, 3]
    assert both.tolist() == [2, 2, 2]


def test_pointers_are_arguments_by_signature(device):
    @cuda.jit(types.void(types.CPointer(types.float32), types.int32))
    def fill(pointer, count):
        for i in range(count):
            pointer[i] = i

    a = cuda.to_device(np.zeros(3, np.float32))
    fill[1, 1](a.device_ctypes_pointer.value, 3)
    assert a.copy_to_host().tolist() == [0, 1, 2]
    assert isinstance(a.device_ctypes_pointer, ctypes.c_void_p)


def test_extensions_change_arguments(device):
    class Doubled:
        def __init__(self, array):
            self.array = array

    asked = []

    class Handler:
        def __init__(self, name):
            self.name = name

        def prepare_args(self, ty, value, stream, retr):
            asked.append((self.name, str(ty)))
            if isinstance(value, Doubled):
                retr.append(lambda: asked.append("launched"))
                return types.float64[::1], value.array
            return ty, value

    @cuda.jit(extensions=[Handler("last"), Handler("first")])
    def kernel(a, x):
        a[0] = x

    a = cuda.to_device(np.zeros(1))
    kernel[1, 1](Doubled(a), 5)
    assert a.copy_to_host()[0] == 5
    assert asked == [
        ("first", "None"),
        ("last", "array(float64, 1d, C)"),
        ("first", "int64"),
        ("last", "int64"),
        "launched",
    ]


def test_ufuncs_reductions_and_random_states_stand_beside_kernels(device):
    from phalanx.cuda.random import (
        create_xoroshiro128p_states,
        xoroshiro128p_normal_float32,
        xoroshiro128p_normal_float64,
    )

    states = create_xoroshiro128p_states(64, seed=3)

    @cuda.jit
    def draw(states, out):
        i = cuda.grid(1)
        out[i, 0] = xoroshiro128p_normal_float32(states, i)
        out[i, 1] = xoroshiro128p_normal_float64(states, i)

    out = np.zeros((64, 2))
    draw[1, 64](states, out)
    assert np.all(np.abs(out) < 6)
    assert abs(out.mean()) < 0.5
    assert 0.7 < out.std() < 1.3
    total = cuda.Reduce(lambda a, b: a + b)
    assert total(np.arange(10)) == 45
