"""Programs that import CuPy, under `phalanx run`: its names, and what it has beyond NumPy."""

import shutil
import subprocess
import sys

import pytest
from phalanx.compat import _cupy_names, _cupy_table


def run(code):
    command = [sys.executable, "-m", "phalanx", "run", "-c", code]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_script_computes_and_brings_its_results_to_the_host():
    out = run(
        "import cupy as cp, numpy as np\n"
        "x = cp.arange(6, dtype=cp.float32).reshape(2, 3)\n"
        "y = cp.asnumpy(x * 2 + cp.ones(3))\n"
        "assert isinstance(y, np.ndarray) and isinstance(x.get(), np.ndarray)\n"
        "assert cp.get_array_module(x) is cp and cp.get_array_module(y) is np\n"
        "x.set(np.full((2, 3), 7, 'f4'))\n"
        "print(y.tolist(), float(x.sum()), cp.float_, cp.PINF)\n"
    )
    assert out == "[[1.0, 3.0, 5.0], [7.0, 9.0, 11.0]] 42.0 <class 'numpy.float64'> inf\n"


def test_an_array_is_made_by_its_class():
    run(
        "import cupy as cp, numpy as np\n"
        "x = cp.ndarray((2, 3), cp.int16)\n"
        "assert x.shape == (2, 3) and x.dtype == np.int16\n"
        "memory = cp.cuda.alloc(24)\n"
        "y = cp.ndarray((2, 2), 'f4', memory + 8)\n"
        "y[...] = [[1, 2], [3, 4]]\n"
        "assert memory.of_bytes[8:].view('f4').tolist() == [1, 2, 3, 4]\n"
        "assert cp.ndarray((2,), 'f4', memory + 8, strides=(8,)).tolist() == [1, 3]\n"
    )


def test_set_and_get_refuse_what_does_not_fit():
    run(
        "import cupy as cp, numpy as np\n"
        "x = cp.zeros(3, 'f4')\n"
        "def raised(function, *args, **options):\n"
        "    try: function(*args, **options)\n"
        "    except Exception as error: return type(error)\n"
        "assert raised(x.set, np.zeros(3)) is TypeError\n"
        "assert raised(x.set, np.zeros(4, 'f4')) is ValueError\n"
        "assert raised(x.set, [1, 2, 3]) is TypeError\n"
        "assert raised(x.get, out=np.zeros(4, 'f4')) is ValueError\n"
        "out = np.ones(3, 'f4')\n"
        "assert x.get(out=out) is out and out.sum() == 0\n"
    )


def test_scatters_count_each_index():
    run(
        "import cupy as cp, cupyx\n"
        "x = cp.zeros(3)\n"
        "cupyx.scatter_add(x, cp.array([0, 2, 2]), 1.5)\n"
        "assert x.tolist() == [1.5, 0, 3]\n"
        "x.scatter_max(cp.array([1, 1]), cp.array([4, 5]))\n"
        "cupyx.scatter_min(x, [0], -1)\n"
        "assert x.tolist() == [-1, 5, 3]\n"
        "assert cupyx.rsqrt(cp.array([4.0])).tolist() == [0.5]\n"
    )


def test_devices_streams_and_the_runtime():
    run(
        "import cupy as cp\n"
        "from cupy.cuda import runtime\n"
        "assert cp.cuda.is_available() and runtime.getDeviceCount() >= 1 and not runtime.is_hip\n"
        "with cp.cuda.Device(0) as device, cp.cuda.Stream() as stream:\n"
        "    assert cp.cuda.get_current_stream() == stream and device.id == runtime.getDevice()\n"
        "    begin, end = cp.cuda.Event(), cp.cuda.Event()\n"
        "    begin.record()\n"
        "    x = cp.ones(10).sum()\n"
        "    end.record(stream)\n"
        "    stream.wait_event(end)\n"
        "    end.synchronize()\n"
        "    assert cp.cuda.get_elapsed_time(begin, end) >= 0 and stream.done\n"
        "assert cp.cuda.get_current_stream() == cp.cuda.Stream.null\n"
        "runtime.deviceSynchronize()\n"
        "free, total = runtime.memGetInfo()\n"
        "assert 0 < free <= total and runtime.getDeviceProperties(0)['warpSize'] == 32\n"
        "assert int(device.compute_capability) > 10 and device.mem_info[1] == total\n"
    )


def test_pools_are_those_of_the_arrays():
    run(
        "import cupy as cp\n"
        "pool = cp.get_default_memory_pool()\n"
        "x = cp.ones(1000)\n"
        "x.sum().item()\n"
        "assert pool.used_bytes() >= 0 and pool.total_bytes() >= pool.used_bytes()\n"
        "pool.set_limit(1 << 30)\n"
        "assert pool.get_limit() == 1 << 30\n"
        "pool.set_limit(0)\n"
        "pool.free_all_blocks()\n"
        "cp.get_default_pinned_memory_pool().free_all_blocks()\n"
        "cp.cuda.set_allocator(cp.cuda.MemoryPool().malloc)\n"
        "try: cp.cuda.set_allocator(lambda size: None)\n"
        "except NotImplementedError as error: assert 'set_memory_limit' in str(error)\n"
        "else: raise AssertionError\n"
    )


def test_an_address_stays_that_of_the_array():
    run(
        "import cupy as cp\n"
        "x = cp.arange(6.0)\n"
        "address = x.data.ptr\n"
        "x.fill(2)\n"
        "x[...] = x + 1\n"
        "assert x.data.ptr == address\n"
        "memory = cp.cuda.UnownedMemory(address, x.nbytes, x)\n"
        "beside = cp.ndarray((2, 2), 'float64', cp.cuda.MemoryPointer(memory, 16))\n"
        "assert beside.tolist() == [[3, 3], [3, 3]]\n"
        "beside[0, 0] = 7\n"
        "assert x.tolist() == [3, 3, 7, 3, 3, 3]\n"
        "assert beside.data.mem.ptr == beside.data.ptr == address + 16\n"
        "assert cp.cuda.MemoryPointer(memory, 0).mem is memory\n"
        "assert cp.zeros(0).data.ptr == 0\n"
        "assert bytes(cp.arange(2, dtype='int16')) == bytes([0, 0, 1, 0])\n"
        "assert (x.data + 8).ptr == address + 8 and (x.data + 8).mem.ptr == address + 8\n"
        "for wrong in (-8, 49):\n"
        "    try: x.data + wrong\n"
        "    except ValueError as error: assert 'not within' in str(error)\n"
        "    else: raise AssertionError\n"
        "try: cp.cuda.UnownedMemory(address, 8, x, device_id=9)\n"
        "except ValueError as error: assert 'not the current one' in str(error)\n"
        "else: raise AssertionError\n"
    )


def test_functions_are_decorated():
    run(
        "import cupy as cp\n"
        "calls = []\n"
        "@cp.fuse()\n"
        "def f(x, y): return cp.sqrt(x * x + y * y)\n"
        "@cp.fuse\n"
        "def g(x): return x + 1\n"
        "@cp.memoize()\n"
        "def h(x): calls.append(x); return x\n"
        "@cp.vectorize\n"
        "def larger(a, b):\n"
        "    if a > b:\n"
        "        return a\n"
        "    return b\n"
        "assert f(cp.array([3.0]), 4).tolist() == [5] and g(cp.arange(2)).tolist() == [1, 2]\n"
        "assert h(1) + h(1) == 2 and calls == [1]\n"
        "cp.clear_memo()\n"
        "assert h(1) == 1 and calls == [1, 1]\n"
        "x = cp.arange(4)\n"
        "assert larger(x, x[::-1]).tolist() == [3, 2, 2, 3]\n"
    )


def test_whole_kernels_in_cuda_c():
    out = run(
        "import cupy as cp\n"
        "text = 'template <typename T> __global__ void f(T* x) { x[threadIdx.x] *= 2; }'\n"
        "module = cp.RawModule(code=text, name_expressions=('f<double>',))\n"
        "x = cp.arange(4.0)\n"
        "module.get_function('f<double>')((1,), (4,), (x,))\n"
        "assert x.tolist() == [0, 2, 4, 6]\n"
        "try: cp.RawKernel('__global__ void k() { y; }', 'k').compile()\n"
        "except cp.cuda.compiler.CompileException as error: print(error)\n"
    )
    assert "use of undeclared identifier 'y'" in out


@pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")
def test_elements_in_cuda_c():
    run(
        "import cupy as cp\n"
        "squared = cp.ElementwiseKernel('T x, T y', 'T z', 'z = (x - y) * (x - y)', 'squared')\n"
        "x = cp.arange(10, dtype='f4').reshape(2, 5)\n"
        "assert squared(x, 5).tolist() == [[25, 16, 9, 4, 1], [0, 1, 4, 9, 16]]\n"
        "norm = cp.ReductionKernel('T x', 'T y', 'x * x', 'a + b', 'y = sqrt(a)', '0', 'norm')\n"
        "assert abs(norm(x, axis=1) - cp.linalg.norm(x, axis=1)).max() < 1e-5\n"
    )


def test_random_numbers_repeat_with_their_seed():
    run(
        "import cupy as cp\n"
        "cp.random.seed(3)\n"
        "a = cp.random.rand(3, dtype=cp.float32)\n"
        "cp.random.seed(3)\n"
        "b = cp.random.rand(3, dtype=cp.float32)\n"
        "assert a.dtype == cp.float32 and (a == b).all()\n"
        "assert cp.random.default_rng(1).standard_normal((2, 2)).shape == (2, 2)\n"
        "assert cp.random.randint(0, 5, 10).max() < 5\n"
        "assert cp.random.lognormal(0.0, 1.0, 3, cp.float32).dtype == cp.float32\n"
        "assert cp.random.rand().shape == () and cp.random.randint(3).get() < 3\n"
        "assert 1 <= cp.random.random_integers(2) <= 2\n"
        "rng = cp.random.Generator(cp.random.XORWOW(1))\n"
        "first = rng.integers(0, 100, 5)\n"
        "rng.bit_generator = cp.random.XORWOW(1)\n"
        "assert (rng.integers(0, 100, 5) == first).all() and rng.random().shape == ()\n"
    )


def test_transforms_are_numpys():
    run(
        "import cupy as cp, numpy as np\n"
        "x = np.random.default_rng(1).random((4, 6))\n"
        "for name in ('fft', 'ifft', 'rfft', 'fft2', 'rfftn', 'hfft', 'fftshift'):\n"
        "    ours = getattr(cp.fft, name)(cp.asarray(x))\n"
        "    np.testing.assert_allclose(ours.get(), getattr(np.fft, name)(x))\n"
        "assert (cp.fft.fftfreq(5, 0.1).get() == np.fft.fftfreq(5, 0.1)).all()\n"
    )


def test_polynomials_by_the_lowest_power():
    run(
        "import cupy as cp, numpy as np\n"
        "from cupy.polynomial import polynomial, polyutils\n"
        "x = cp.arange(3.0)\n"
        "made = polynomial.polyvander(x, 2)\n"
        "assert isinstance(made, cp.ndarray)\n"
        "assert (made.get() == np.polynomial.polynomial.polyvander(x.get(), 2)).all()\n"
        "assert polyutils.trimseq(cp.array([1, 2, 0])).tolist() == [1, 2]\n"
        "assert not hasattr(polynomial, 'no_such_name')\n"
    )


def test_a_benchmark_computes_what_is_recorded():
    out = run(
        "import cupy as cp\n"
        "from cupyx.profiler import benchmark\n"
        "x = cp.ones(1 << 20)\n"
        "made = benchmark(lambda: cp.sin(x), n_repeat=3, n_warmup=1)\n"
        "assert made.cpu_times.shape == (3,) and made.gpu_times.shape == (1, 3)\n"
        "assert made.gpu_times.min() > 2e-5\n"
        "print(made)\n"
    )
    assert "CPU:" in out
    assert "GPU-0:" in out


def test_the_pool_is_cupys():
    run(
        "import cupy as cp\n"
        "pool = cp.get_default_memory_pool()\n"
        "assert isinstance(pool, cp.cuda.MemoryPool)\n"
        "x = cp.arange(1000) * 2.0; x.get()\n"
        "assert pool.used_bytes() >= 8000 and pool.n_free_blocks() in (0, 1)\n"
        "pool.free_all_blocks(cp.cuda.Stream.null)\n"
        "assert cp.trapz(cp.arange(3.0)) == 2\n"
        "assert cp.random.random_sample(dtype='f').dtype == 'f4'\n"
        "assert cp.random.uniform(0, 1, (2,), 'f').dtype == 'f4'\n"
    )


def test_attributes_of_devices_are_those_of_the_runtime():
    run(
        "import cupy as cp\n"
        "r, d = cp.cuda.runtime, cp.cuda.Device()\n"
        "count = r.getDeviceProperties(0)['multiProcessorCount']\n"
        "assert count >= 1\n"
        "assert r.deviceGetAttribute(r.cudaDevAttrMultiProcessorCount, 0) == count\n"
        "assert d.attributes['MultiProcessorCount'] == count\n"
        "major = r.deviceGetAttribute(r.cudaDevAttrComputeCapabilityMajor, 0)\n"
        "minor = r.deviceGetAttribute(r.cudaDevAttrComputeCapabilityMinor, 0)\n"
        "assert f'{major}{minor}' == d.compute_capability\n"
        "assert d.attributes['WarpSize'] == r.deviceGetAttribute(10, 0) == 32\n"
    )


def test_every_name_of_the_tables_is_there():
    run(
        "import cupy, importlib\n"
        "from phalanx.compat import _cupy_names, _cupy_table\n"
        "for name in (*_cupy_names.OWN, *_cupy_names.RENAMED, *_cupy_names.CONSTANTS):\n"
        "    getattr(cupy, name)\n"
        "for name in _cupy_table.TABLE:\n"
        "    importlib.import_module(name)\n"
    )
    assert set(_cupy_names.MODULES) <= {name.removeprefix("cupy.") for name in _cupy_table.TABLE}


def test_what_is_not_there_says_what_to_take():
    out = run(
        "import cupy\n"
        "for name in ('cupyx.scipy.nothing', 'cupyx.tools', 'cupy.cuda.nccl'):\n"
        "    try: __import__(name)\n"
        "    except ModuleNotFoundError as error: print(error)\n"
        "print(hasattr(cupy, 'no_such_name'), hasattr(cupy, 'njit'))\n"
    )
    assert "provide cupyx.scipy.nothing; SciPy's functions take cupy.asnumpy(x)" in out
    assert "provide cupyx.tools; docs/guide/coming-from-cupy.md" in out
    assert out.endswith("False False\n")


def test_functions_as_in_cupy():
    run(
        "import cupy as cp, numpy as np\n"
        "x = cp.asarray([[3.0, 1.0], [2.0, 5.0]])\n"
        "made = cp.allclose(x, x)\n"
        "assert isinstance(made, cp.ndarray) and made.shape == () and bool(made)\n"
        "assert cp.argmax(x, dtype='i4').dtype == 'i4' and int(cp.argmin(x)) == 1\n"
        "assert cp.argmax(x, 0, None).tolist() == [0, 1]\n"
        "out = cp.empty(2, 'i8'); assert cp.argmax(x, 0, out=out) is out\n"
        "assert cp.percentile(x, 50, interpolation='lower') == 2\n"
        "assert cp.quantile(x, 0.5, method='higher') == 3\n"
        "assert isinstance(cp.sum(np.ones((2, 2)), axis=0), np.ndarray)\n"
        "assert cp.amax(np.ones(3)) == 1 and cp.max(x) == 5\n"
        "strided = cp.lib.stride_tricks.as_strided(x, (2,), (8,), writeable=False)\n"
        "assert not strided.flags.writeable\n"
    )


def test_texts_and_tables():
    out = run(
        "import cupy as cp\n"
        "cp.disp('first', linefeed=False); cp.disp(2)\n"
        "x = cp.ones((2, 3), 'f4')\n"
        "cp.who({'a': x, 'b': x, 'n': 3})\n"
    )
    assert out.startswith("first2\n")
    assert ["a", "2", "x", "3", "24", "float32"] in [line.split() for line in out.splitlines()]
    assert out.endswith("Upper bound on total bytes  =       24\n")


def test_streams_of_others_and_peers():
    run(
        "import cupy as cp\n"
        "stream = cp.cuda.Stream(non_blocking=True, priority=-1)\n"
        "assert stream.priority == 0\n"
        "other = cp.cuda.Stream.from_external(stream)\n"
        "assert other == stream and isinstance(other, cp.cuda.ExternalStream)\n"
        "try: cp.cuda.Stream.from_external(3)\n"
        "except TypeError: pass\n"
        "else: raise AssertionError\n"
        "assert cp.cuda.runtime.deviceCanAccessPeer(0, 0) == 0\n"
    )


def test_the_device_of_an_array_is_cupys():
    run(
        "import cupy as cp\n"
        "x = cp.zeros(3)\n"
        "assert isinstance(x.device, cp.cuda.Device) and x.device == cp.cuda.Device(0)\n"
        "assert x.device.id == 0 and x.device == cp.cuda.Device()\n"
        "with x.device, cp.cuda.Device(0): y = x + 1\n"
        "try: cp.cuda.Device(99).use()\n"
        "except cp.cuda.runtime.CUDARuntimeError: pass\n"
        "else: raise AssertionError\n"
    )


def test_matrices_without_a_result_give_nan():
    run(
        "import cupy as cp, cupyx, numpy as np\n"
        "a = cp.asarray([[[1.0, 2.0], [2.0, 4.0]], [[2.0, 0.0], [0.0, 4.0]]])\n"
        "made = cp.linalg.inv(a).get()\n"
        "assert np.isnan(made[0]).all() and made[1].tolist() == [[0.5, 0], [0, 0.25]]\n"
        "assert cp.isnan(cp.linalg.solve(a[0], cp.ones(2))).all()\n"
        "assert cp.linalg.solve(a, cp.ones((2, 1))).shape == (2, 2, 1)\n"
        "assert cp.isnan(cp.linalg.cholesky(-a[1])).all()\n"
        "assert isinstance(cp.linalg.matrix_rank(a[0, 0]), cp.ndarray)\n"
        "with cupyx.errstate(linalg='raise'):\n"
        "    assert cupyx.geterr()['linalg'] == 'raise'\n"
        "    try: cp.linalg.inv(a)\n"
        "    except np.linalg.LinAlgError: pass\n"
        "    else: raise AssertionError\n"
        "assert cupyx.geterr()['linalg'] == 'ignore'\n"
        "try: cp.linalg.inv(cp.ones((2, 3)))\n"
        "except np.linalg.LinAlgError: pass\n"
        "else: raise AssertionError\n"
        "with cupyx.allow_synchronize(False): cp.arange(3) + 1\n"
    )


def test_vectorized_functions():
    run(
        "import cupy as cp, math\n"
        "@cp.vectorize\n"
        "def chosen(x, y):\n"
        "    if x > y:\n"
        "        return cp.add(x, y)\n"
        "    return cp.sqrt(y)\n"
        "x = cp.arange(4.0)\n"
        "assert chosen(x, 1.0).tolist() == [1, 1, 3, 4]\n"
        "total = cp.vectorize(lambda x, y: cp.add(x, y))\n"
        "assert total(cp.ones(2, 'i1'), cp.ones(2, 'i1')).dtype == 'i1'\n"
        "sine = cp.vectorize(lambda x: math.sin(x))\n"
        "assert sine(cp.ones((1, 1))).shape == (1, 1) and sine(x)[0] == 0\n"
        "first = cp.vectorize(lambda x, y: x)\n"
        "made = first(x, cp.ones((2, 1)))\n"
        "made += 1\n"
        "assert made.shape == (2, 4) and x.tolist() == [0, 1, 2, 3]\n"
        "pair = cp.vectorize(lambda x: (x, -x), otypes=['f4', 'f8'])\n"
        "assert [each.dtype.char for each in pair(x)] == ['f', 'd']\n"
        "try: cp.vectorize(lambda x: x << 1)(x)\n"
        "except TypeError: pass\n"
        "else: raise AssertionError\n"
    )


def test_generalized_ufuncs():
    run(
        "import cupy as cp, cupyx, numpy as np\n"
        "def product(x, y): return x @ y\n"
        "f = cupyx.GeneralizedUFunc(product, '(i,j),(j,k)->(i,k)')\n"
        "a, b = cp.arange(24.0).reshape(2, 3, 4), cp.arange(20.0).reshape(4, 5)\n"
        "assert (f(a, b).get() == a.get() @ b.get()).all()\n"
        "out = cp.empty((2, 3, 5)); assert f(a, b, out=out) is out\n"
        "g = cupyx.GeneralizedUFunc(lambda x: x.sum(), '(i)->()')\n"
        "assert (g(a, axis=1).get() == a.get().sum(1)).all()\n"
        "assert g(a, axis=1, keepdims=True).shape == (2, 1, 4)\n"
        "h = cupyx.GeneralizedUFunc(lambda x: x, '(i)->(i)', signatures=['d->f'])\n"
        "assert h(cp.ones(3)).dtype == 'f4'\n"
        "for call in (lambda: f(a, a), lambda: cupyx.GeneralizedUFunc(product, 'i->')):\n"
        "    try: call()\n"
        "    except ValueError: pass\n"
        "    else: raise AssertionError\n"
    )


def test_sparse_matrices_have_cupys_names():
    out = run(
        "import cupy, cupyx.scipy.sparse as sparse\n"
        "from cupyx.scipy.sparse.linalg import cg\n"
        "from cupyx.scipy import get_array_module\n"
        "a = sparse.eye(3, format='csr')\n"
        "print((a @ cupy.ones(3)).tolist(), get_array_module(a).__name__)\n"
    )
    assert out == "[1.0, 1.0, 1.0] phalanx.compat.cupyx_scipy\n"
