"""The engine's own interface: types, argument rules, sharing memory, threads, errors, the cache."""

import array
import collections
import enum
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref

import numpy as np
import pytest

from phalanx import _engine, cuda, errors

Point = collections.namedtuple("Point", "x y")
RECORD = np.dtype([("a", np.int8), ("b", np.float64)], align=True)
PACKED = np.dtype([("a", np.int8), ("b", np.float64)])


class Color(enum.IntEnum):
    RED = 7


class Plain(enum.Enum):
    HALF = 0.5


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "bool"),
        (1, "i64"),
        (2**63, "u64"),
        (1.0, "f64"),
        (1j, "c128"),
        (None, "none"),
        (np.bool_(1), "bool"),
        (np.uint8(1), "u8"),
        (np.float16(1), "f16"),
        (np.complex64(1), "c64"),
        (np.float64(1), "f64"),
        (np.datetime64(1, "s"), 'datetime<"s">'),
        (Color.RED, "i64"),
        (Plain.HALF, "f64"),
        ((1, (2.0, True)), "(i64, (f64, bool))"),
        ((), "()"),
        (Point(1, 2.0), "Point(x: i64, y: f64)"),
        (np.zeros(3, "f4"), "array<f32, 1, C, global>"),
        (np.zeros((3, 3), order="F"), "array<f64, 2, F, global>"),
        (np.zeros((4, 4))[::2], "array<f64, 2, any, global>"),
        (np.zeros(()), "array<f64, 0, C, global>"),
        (np.broadcast_to(np.zeros(3), (2, 3)), "array<const f64, 2, any, global>"),
        (np.zeros(3, "m8[ns]"), 'array<timedelta<"ns">, 1, C, global>'),
        (np.zeros(2, RECORD), "array<record<16, 8, a: i8 @0, b: f64 @8>, 1, C, global>"),
        (np.zeros(2, PACKED)[0], "ptr<record<9, 1, a: i8 @0, b: f64 @1>, global>"),
        (array.array("i", [1]), "array<i32, 1, C, global>"),
        (b"ab", "array<const u8, 1, C, global>"),
        (memoryview(np.zeros((2, 2), "f4"))[::-1], "array<f32, 2, any, global>"),
    ],
)
def test_typeof_follows_numba(value, expected):
    assert str(_engine.typeof(value)) == expected


@pytest.mark.parametrize(
    "value", [[1], {}, "text", 2**64, -(2**63) - 1, object(), np.zeros(2, ">f4"), np.zeros(2, "O")]
)
def test_typeof_refuses_what_kernels_cannot_hold(value):
    with pytest.raises(TypeError):
        _engine.typeof(value)


def test_types_are_values():
    f4 = _engine.Type.scalar("float32")
    assert _engine.typeof(np.float32(1)) == f4
    assert len({f4, _engine.typeof(np.float32(1)), _engine.Type.scalar("int32")}) == 2
    record = _engine.Type.record([("x", f4, 4)], 8, 4)
    assert (record.kind, record.size, record.alignment) == ("record", 8, 4)
    assert record.fields == [("x", f4, 4)]
    assert _engine.Type.array(f4, 2, "A", mutable=False).layout == "A"
    with pytest.raises(AttributeError, match="no ndim"):
        _ = f4.ndim
    with pytest.raises(ValueError, match="float33"):
        _engine.Type.scalar("float33")


@cuda.jit
def double(values):
    i = cuda.grid(1)
    if i < values.shape[0]:
        values[i] *= 2


def test_host_arrays_of_every_kind_are_used_in_place(device):
    for values in (
        np.arange(5.0),
        np.arange(10.0)[::2],
        np.arange(5.0)[::-1],
        array.array("d", range(5)),
        memoryview(bytearray(range(5))),
    ):
        expected = [2 * each for each in np.asarray(values).tolist()]
        double[1, 32](values)
        cuda.synchronize()
        assert np.asarray(values).tolist() == expected


def test_tuples_and_scalars_arrive(device):
    @cuda.jit
    def gather(out, point, pair, flag, z):
        out[0] = point.x + point.y
        out[1] = pair[0][1]
        out[2] = 1.0 if flag else 0.0
        out[3] = z.imag

    out = np.zeros(4)
    gather[1, 1](out, Point(1, 2.5), ((1, np.float32(4)), 5), True, 2 - 3j)
    assert out.tolist() == [3.5, 4.0, 1.0, -3.0]


def test_records_arrive_by_their_place(device):
    @cuda.jit
    def gather(out, record):
        out[0] = record.a + record.b

    out = np.zeros(1)
    value = np.zeros(1, RECORD)
    value[0] = (3, 0.25)
    gather[1, 1](out, value[0])
    assert out[0] == 3.25


def test_dlpack_shares_memory_both_ways():
    if _engine.current_device().kind != "cpu":
        pytest.skip("NumPy reads host memory only")
    host = np.arange(6, dtype=np.float32).reshape(2, 3)
    shared = _engine.from_dlpack(host)
    assert shared.address == host.ctypes.data
    back = np.from_dlpack(shared)
    back[1, 2] = 50
    assert host[1, 2] == 50
    column = np.from_dlpack(_engine.from_dlpack(host[:, 1]))
    assert column.tolist() == [1, 4]
    host.flags.writeable = False
    assert _engine.from_dlpack(host).read_only
    assert not np.from_dlpack(_engine.from_dlpack(host)).flags.writeable


def test_shared_memory_outlives_its_names():
    if _engine.current_device().kind != "cpu":
        pytest.skip("reads the memory in place")
    host = np.arange(1000.0)
    view = np.from_dlpack(_engine.from_dlpack(host))
    made = _engine.DeviceArray((1000,), _engine.Type.scalar("float64"))
    made.copy_from_host(host)
    second = np.asarray(made)
    del host, made
    gc.collect()
    np.zeros(1000)
    assert view.sum() == second.sum() == 499500


def test_objects_that_share_through_dlpack_only_can_be_passed(device):
    class Tensor:
        def __init__(self, values):
            self.values = values

        def __dlpack__(self, **options):
            return self.values.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.values.__dlpack_device__()

    values = np.arange(4.0)
    double[1, 32](Tensor(values))
    assert values.tolist() == [0, 2, 4, 6]


def test_host_memory_is_a_buffer(device):
    memory = _engine.HostMemory(80)
    values = np.frombuffer(memory, np.float64)
    values[:] = np.arange(10)
    double[1, 32](values)
    assert values.tolist() == list(range(0, 20, 2))


def test_arguments_are_not_leaked(device):
    values = np.zeros(8)
    configured = double[1, 32]
    configured(values)
    before = sys.getrefcount(values)
    for _ in range(100):
        configured(values)
        double[1, 32](values)
    assert sys.getrefcount(values) == before


def test_dispatchers_are_collected(device):
    def make():
        @cuda.jit
        def short_lived(values):
            values[0] = 1

        short_lived[1, 1](np.zeros(1))
        return weakref.ref(short_lived)

    reference = make()
    gc.collect()
    assert reference() is None


def test_the_same_configuration_is_the_same_object():
    assert double[1, 32] is double[1, 32]
    assert double[(1, 2), (1000, 1)] is double[(1, 2), (1000, 1)]
    assert double[1, 32] is not double[2, 32]
    assert double[300, 32].grid == (300, 1, 1)


def test_threads_that_launch_first_compile_once(device):
    @cuda.jit(cache=False)
    def fresh(values):
        i = cuda.grid(1)
        if i < values.shape[0]:
            values[i] += 1

    arrays = [np.zeros(100) for _ in range(8)]
    start = threading.Barrier(8)
    problems = []

    def work(values):
        try:
            start.wait()
            for _ in range(20):
                fresh[4, 32](values)
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(values,)) for values in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert all((values == 20).all() for values in arrays)
    (kernel,) = fresh.overloads.values()
    assert kernel.stats["counts"]["codegen"] == 1
    assert kernel.stats["counts"]["front_end"] == 1


def test_other_threads_run_while_a_cpu_kernel_does():
    if _engine.current_device().kind != "cpu":
        pytest.skip("launches on a GPU do not wait")

    @cuda.jit
    def slow(values, count):
        total = 0.0
        for i in range(count):
            total = total * 0.5 + values[0] + i
        values[0] = total

    slow[1, 1](np.zeros(1), 10)
    ticks = 0
    done = threading.Event()

    def launch():
        slow[1, 1](np.zeros(1), 300_000_000)
        done.set()

    thread = threading.Thread(target=launch)
    thread.start()
    while not done.wait(0.005):
        ticks += 1
    thread.join()
    assert ticks > 10


def run_child(folder, text, **environment):
    script = folder / "script.py"
    script.write_text(textwrap.dedent(text))
    return subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)),
            "PHALANX_DEVICE": "cpu",
            **environment,
        },
    )


def test_an_interrupt_ends_a_long_cpu_kernel(tmp_path):
    child = run_child(
        tmp_path,
        """
        import signal
        import numpy as np
        from phalanx import cuda

        # Shells ignore it for background jobs.
        signal.signal(signal.SIGINT, signal.default_int_handler)

        @cuda.jit
        def long(values, count):
            total = 0.0
            for i in range(count):
                total = total * 0.5 + i
            values[cuda.blockIdx.x] = total

        values = np.zeros(100000)
        long[2, 1](values, 10)
        print("ready", flush=True)
        try:
            long[100000, 1](values, 3_000_000)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        values[:] = 0
        long[1, 1](values, 3)
        print(values[0])
        """,
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    try:
        output, problems = child.communicate(timeout=60)  # the kernel itself would take minutes
    finally:
        child.kill()
    assert output == "interrupted\n2.5\n", problems


def test_exceptions_of_kernels_are_pythons(device):
    @cuda.jit(debug=True, opt=False)
    def picky(values):
        i = cuda.grid(1)
        if values[i] < 0:
            raise ValueError("no negative values")
        if values[i] > 100:
            raise ArithmeticError

    picky[2, 4](np.zeros(8))
    values = np.zeros(8)
    values[6] = -1
    with pytest.raises(ValueError, match=r"tid=\[2, 0, 0\] ctaid=\[1, 0, 0\]: no negative values"):
        picky[2, 4](values)
        cuda.synchronize()
    values[6] = 101
    with pytest.raises(ArithmeticError, match=r"tid=\[2, 0, 0\] ctaid=\[1, 0, 0\]"):
        picky[2, 4](values)
        cuda.synchronize()


def test_an_array_of_the_gpu_cannot_be_used_on_the_cpu():
    if _engine.current_device().kind != "cpu":
        pytest.skip("for the CPU device")

    class Foreign:
        __cuda_array_interface__ = {  # noqa: RUF012
            "shape": (4,), "typestr": "<f8", "data": (1 << 40, False), "version": 3,
        }  # fmt: skip

    with pytest.raises(TypeError, match="GPU's memory"):
        double[1, 32](Foreign())


def test_launch_errors_leave_the_kernel_usable(device):
    values = np.ones(4)
    for problem in (lambda: double[1, 32](values, 1), lambda: double[1, 32]({}),
                    lambda: double[1, 2000](values)):  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            problem()
    with pytest.raises(errors.LaunchError):
        double[1, 2000](values)
    with pytest.raises(TypeError, match="others"):
        double[1, 32](values, others=values)
    double[1, 32](values)
    assert (values == 2).all()


def test_compiled_kernels_are_found_by_the_next_process(tmp_path):
    text = """
        import sys, numpy as np
        from phalanx import cuda

        @cuda.jit
        def add(a, b):
            i = cuda.grid(1)
            if i < a.shape[0]:
                a[i] += b

        values = np.zeros(4)
        add[1, 32](values, 2.0)
        (kernel,) = add.overloads.values()
        print(values.tolist(), kernel.stats["counts"]["codegen"], kernel.stats["counts"]["disk"])
    """
    outputs = []
    for _ in range(2):
        child = run_child(tmp_path, text, PHALANX_CACHE_DIR=str(tmp_path / "cache"))
        output, problems = child.communicate(timeout=60)
        outputs.append(output)
        assert problems == ""
    assert outputs == ["[2.0, 2.0, 2.0, 2.0] 1 0\n", "[2.0, 2.0, 2.0, 2.0] 0 1\n"]


def test_an_unsafe_cache_directory_costs_one_warning(tmp_path):
    unsafe = tmp_path / "cache"
    unsafe.mkdir()
    unsafe.chmod(0o777)
    child = run_child(
        tmp_path,
        """
        import warnings
        import numpy as np
        from phalanx import cuda, errors

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for dtype in ("f4", "f8", "i4"):
                values = np.ones(3, dtype)

                @cuda.jit
                def double(values):
                    values[0] *= 2

                double[1, 1](values)
                assert values[0] == 2
        cache = [each for each in caught if each.category.__name__ == "CacheWarning"]
        print([(each.category.__name__, "machine code" in str(each.message)) for each in cache])
        """,
        PHALANX_CACHE_DIR=str(unsafe),
    )
    output, problems = child.communicate(timeout=60)
    assert output == "[('CacheWarning', True)]\n", problems
    assert list(unsafe.iterdir()) == []
