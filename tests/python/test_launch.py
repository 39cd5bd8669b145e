"""Launching: configurations, wrong input, signatures, forall."""

import pickle

import numpy as np
import pytest

from phalanx import PerformanceWarning, cuda, errors


@cuda.jit
def add_one(values):
    i = cuda.grid(1)
    if i < values.shape[0]:
        values[i] += 1


def test_configurations_take_ints_and_tuples(device):
    values = np.zeros(64)
    for grid, block in ((2, 32), ((2,), (32,)), ((2, 1), (32, 1)), ((4, 1, 1), (16, 1, 1))):
        add_one[grid, block](values)
    add_one[np.int64(2), np.int32(32)](values)
    cuda.synchronize()
    assert values[0] == 5


@pytest.mark.parametrize(
    ("grid", "block"),
    [(0, 32), (1, 0), (-1, 32), (1, -5), (1, 1025), (1, (32, 64)), ((1, 1, 1, 1), 32)],
)
def test_impossible_configurations_say_what_is_wrong(device, grid, block):
    with pytest.raises(ValueError, match=r"grid|block|thread|dimension"):
        add_one[grid, block](np.zeros(4))


@pytest.mark.parametrize(("grid", "block"), [(1.5, 32), (1, "x"), (None, 32)])
def test_configurations_of_other_types_are_type_errors(device, grid, block):
    with pytest.raises(TypeError):
        add_one[grid, block](np.zeros(4))


def test_a_kernel_without_configuration_says_how_to_launch(device):
    with pytest.raises(ValueError, match=r"\[blockspergrid, threadsperblock\]"):
        add_one(np.zeros(4))


def test_too_much_shared_memory_names_the_limit(device):
    with pytest.raises(ValueError, match=r"shared memory"):
        add_one[1, 32, 0, 10**8](np.zeros(4))
    values = np.zeros(4)
    add_one[1, 32](values)
    assert (values == 1).all()


def test_wrong_number_of_arguments(device):
    with pytest.raises(TypeError, match=r"add_one|argument"):
        add_one[1, 32](np.zeros(4), 1)
    with pytest.raises(TypeError, match=r"add_one|argument"):
        add_one[1, 32]()


def test_arguments_without_a_type_are_named(device):
    with pytest.raises(TypeError, match=r"dict|object"):
        add_one[1, 32]({"a": 1})


def test_signatures_compile_at_once_and_convert_scalars(device):
    @cuda.jit("void(float32[:], float32)")
    def scale(values, factor):
        i = cuda.grid(1)
        if i < values.shape[0]:
            values[i] *= factor

    values = np.ones(8, np.float32)
    scale[1, 8](values, 3)
    assert (values == 3).all()
    with pytest.raises(TypeError):
        scale[1, 8](values.astype(np.float64), 3)


def test_a_signature_that_does_not_parse_shows_the_spot():
    with pytest.raises((ValueError, TypeError), match=r"float33"):
        cuda.jit("void(float33[:])")(lambda x: None)


def test_kernels_cannot_return_values(device):
    @cuda.jit
    def wrong(values):
        return values[0]

    with pytest.raises(errors.CompileError, match=r"return"):
        wrong[1, 1](np.zeros(4))
    with pytest.raises(TypeError, match="void return type"):
        cuda.jit("int32(int32[:])")(lambda x: 1)


def test_forall_covers_every_element(device):
    values = np.zeros(1000)
    add_one.forall(1000)(values)
    assert (values == 1).all()
    add_one.forall(0)(values)
    assert (values == 1).all()
    with pytest.raises(ValueError, match="negative"):
        add_one.forall(-1)


def test_a_new_type_compiles_a_new_kernel(device):
    @cuda.jit
    def double(values):
        i = cuda.grid(1)
        if i < values.shape[0]:
            values[i] *= 2

    for dtype in ("int32", "float32", "float64"):
        values = np.arange(5).astype(dtype)
        double[1, 32](values)
        assert values.tolist() == [0, 2, 4, 6, 8]
    assert len(double.signatures) == 3


def test_read_only_arrays_cannot_be_written(device):
    values = np.zeros(4)
    values.flags.writeable = False
    with pytest.raises(errors.CompileError, match=r"read-only|readonly|constant"):
        add_one[1, 32](values)


def test_host_arrays_on_a_gpu_warn_about_the_copy(device):
    if device == "cpu":
        pytest.skip("the CPU device uses host arrays in place: there is no copy to warn of")

    @cuda.jit
    def touch(values):
        values[0] = 1

    with pytest.warns(PerformanceWarning, match="[Hh]ost array"):
        touch[128, 32](np.zeros(4))


def test_options_that_do_not_exist_are_named():
    with pytest.raises(TypeError, match="fastmth"):
        cuda.jit(fastmth=True)
    with pytest.raises(NotImplementedError, match="bounds checking"):
        cuda.jit(boundscheck=True)
    with pytest.raises(errors.DeprecationError):
        cuda.jit(argtypes=[])
    with pytest.raises(ValueError, match="max_registers"):
        cuda.jit(max_registers=-3)


def test_decorating_twice_is_refused():
    with pytest.raises(TypeError, match="already jitted"):
        cuda.jit(add_one)


def test_cpu_device_uses_host_arrays_in_place(device):
    if device != "cpu":
        pytest.skip("GPUs copy host arrays")
    values = np.zeros(10)
    view = values[::2]
    add_one[1, 32](view)
    assert values.tolist() == [1, 0] * 5


@pytest.mark.parametrize("threads", ["1", "2"])
def test_thread_count_follows_the_environment(run_python, threads):
    done = run_python(
        "from phalanx import _engine\nprint(_engine.device('cpu').limits['multiprocessors'])\n",
        PHALANX_NUM_THREADS=threads,
    )
    assert done.stdout.strip() == threads


def test_interrupting_a_long_kernel_raises_keyboard_interrupt(run_python):
    done = run_python(
        """
import signal, threading, os, time
import numpy as np
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it for background jobs
from phalanx import cuda
@cuda.jit
def busy(out, n):
    total = 0.0
    for i in range(n):
        total += total * 0.5 + i
    out[cuda.grid(1)] = total
out = np.zeros(64 * 100000)
busy[1, 64](out, 1)
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.time()
try:
    busy[100000, 64](out, 1000000)
except KeyboardInterrupt:
    print("interrupted", time.time() - start < 30)
busy[1, 64](out, 1)
""",
        PHALANX_DEVICE="cpu",
    )
    assert done.stdout.split() == ["interrupted", "True"]


def test_kernels_run_in_a_forked_child(run_python):
    done = run_python(
        """
import os
import numpy as np
from phalanx import cuda
@cuda.jit
def add_one(values):
    i = cuda.grid(1)
    if i < values.shape[0]:
        values[i] += 1
values = np.zeros(100000)
add_one[1000, 128](values)
child = os.fork()
if child == 0:
    add_one[1000, 128](values)
    os._exit(0 if (values == 2).all() else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""",
        PHALANX_DEVICE="cpu",
    )
    assert done.stdout.strip() == "0"


def test_callbacks_run_before_each_launch_of_their_configuration(device):
    @cuda.jit
    def increment(values):
        values[0] += 1

    values = np.zeros(1)
    calls = []
    configured = increment[2, (8, 4)]
    configured.pre_launch_callbacks.append(
        lambda kernel, launch: calls.append((kernel.name, launch.griddim, launch.block, values[0]))
    )
    increment[1, 1](values)
    assert calls == []
    configured(values)
    configured(values.astype(np.float32))
    assert [call[:3] for call in calls] == [("increment", (2, 1, 1), (8, 4, 1))] * 2
    assert calls[0][3] == 1
    with pytest.raises(pickle.PicklingError, match="with pre-launch callbacks"):
        pickle.dumps(configured)

    def refuse(kernel, launch):
        raise RuntimeError("not now")

    configured.pre_launch_callbacks[:] = [refuse]
    before = values[0]
    with pytest.raises(RuntimeError, match="not now"):
        configured(values)
    assert values[0] == before
    configured.pre_launch_callbacks.clear()
    assert pickle.loads(pickle.dumps(configured)).block == (8, 4, 1)
