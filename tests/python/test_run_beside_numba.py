"""``python -m phalanx run``: names of the installed Numba, and functions that fall back to it."""

from __future__ import annotations

import json

import pytest
from beside_numba import HELPER, UNSUPPORTED, run

pytest.importorskip("numba", reason="what falls back needs Numba")


def test_a_function_falls_back_with_its_helpers_and_one_summary():
    done = run(
        HELPER
        + UNSUPPORTED
        + """
a = np.arange(4.0)
print(unsupported(a), unsupported(a=a), helper(3))
print(unsupported.counterpart.signatures == unsupported.signatures, type(helper).__module__)
"""
    )
    assert done.returncode == 0, done.stderr
    assert done.lines[0] == "6.0 6.0 6"
    assert "1 of 2 CPU functions compiled by Phalanx" in done.stderr
    summary = done.stderr.strip().splitlines()
    assert len(summary) == 2
    assert "unsupported, compiled by Numba: a dict cannot be used" in summary[1]


def test_functions_fall_back_to_python_or_not_at_all():
    code = HELPER + UNSUPPORTED + "print(unsupported(np.arange(4.0)))"
    done = run(code, "--fallback", "python")
    assert done.lines == ["6.0"]
    assert "unsupported, left in Python" in done.stderr
    for done in (run(code, "--fallback=error"), run(code, PHALANX_FALLBACK="error")):
        assert done.returncode == 1
        assert "UnsupportedError" in done.stderr
        assert "CPU functions compiled" not in done.stderr


def test_what_both_refuse_shows_both_errors_and_is_of_both_classes():
    done = run(
        """
        import phalanx

        @njit
        def wrong(x):
            return x.missing

        for _ in range(2):
            try:
                wrong(1.0)
            except numba.core.errors.TypingError as error:
                text = str(error)
                is_ours = isinstance(error, phalanx.CompileError)
                print(is_ours, "Phalanx: " in text, "Numba: " in text)

        @njit
        def of_its_own(x):
            raise TypeError("mine", x > 0)

        try:
            of_its_own(1)
        except TypeError as error:
            print(error.args[0])
        try:
            of_its_own(1, 2)
        except TypeError as error:
            print("arguments")
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.lines == ["True True True", "True True True", "mine", "arguments"]
    assert "wrong" not in done.stderr


def test_signatures_and_options_that_are_not_ours_fall_back_where_they_decorate():
    done = run(
        """
        from numba import types

        @njit(types.ListType(types.int64)(types.int64))
        def numbers(n):
            made = numba.typed.List.empty_list(types.int64)
            for i in range(n):
                made.append(i)
            return made

        @njit("float64(float64[:])", locals={"s": types.float64})
        def total(a):
            s = 0
            for x in a:
                s += x
            return s

        print(list(numbers(3)), total(np.ones(3)), type(total).__module__)
        """
    )
    assert done.lines == ["[0, 1, 2] 3.0 phalanx._functions.dispatcher"], done.stderr
    assert "numbers, compiled by Numba: there is no type ListType" in done.stderr


def test_functions_that_fall_back_take_functions():
    done = run(
        """
        from numba import float64, types

        @njit("float64(float64, float64)")
        def plus(x, y):
            return x + y

        @njit
        def fold(a, function):
            d = {0: 0.0}
            for x in a:
                d[0] = function(d[0], x)
            return d[0]

        @njit(float64(float64, types.FunctionType(float64(float64, float64))))
        def twice(x, function):
            return function(x, x)

        print(fold(np.ones(3), plus), fold(np.ones(4), function=plus), twice(2.0, plus))
        """
    )
    assert done.lines == ["3.0 4.0 4.0"], done.stderr


def test_kernels_never_fall_back():
    done = run(
        """
        from numba import cuda

        @cuda.jit
        def kernel(a):
            a[0] = {1: 2}[1]

        kernel[1, 1](np.zeros(1))
        """
    )
    assert done.returncode == 1
    assert "UnsupportedError" in done.stderr
    assert "compiled by Numba" not in done.stderr


def test_types_and_functions_of_numbas_mean_what_ours_do():
    done = run(
        """
        from numba import carray, cuda, literal_unroll, prange, types

        @njit(parallel=True)
        def total(a):
            s = types.float32(0)
            for i in prange(len(a)):
                s += numba.float32(a[i])
            return s

        @njit([types.int64(types.int64[:]), (types.float64[::1],)])
        def first(a):
            return a[0]

        @cuda.jit((types.float32[:], types.Tuple([types.int32, types.float64])))
        def kernel(out, pair):
            tile = cuda.shared.array(32, types.float32)
            tile[cuda.threadIdx.x] = pair[0]
            out[cuda.grid(1)] = tile[cuda.threadIdx.x] + types.int32(pair[1])

        out = np.zeros(32, np.float32)
        kernel[1, 32](out, (np.int32(2), 1.5))
        print(total(np.ones(9)), first(np.arange(3)), first(np.ones(2)), out.sum())
        """
    )
    assert done.lines == ["9.0 0 1.0 96.0"], done.stderr
    assert "CPU functions" not in done.stderr


def test_numba_itself_is_imported_when_something_of_it_is_asked_for():
    done = run(
        """
        import sys
        from numba import cuda, njit

        @njit
        def f(x):
            return x + 1

        print(f(1), "numba.core" in sys.modules)
        import numba.core.types
        import numba.typed as typed
        from numba.experimental import jitclass
        print(numba.__version__[0], numba.core.types.int64 is numba.int64, typed is numba.typed)

        @jitclass([("n", numba.int64)])
        class Counter:
            def __init__(self):
                self.n = f(1)

        print(Counter().n)
        """,
        head="import numba\n",
    )
    assert done.lines == ["2 False", "0 True True", "2"], done.stderr


# What programs import of numba, found in public packages.
PATHS = [
    "numba.cuda.cudadrv.driver._raise_driver_not_found",
    "numba.cuda.cudadrv.nvvm.NVVM",
    "numba.errors",
    "numba.core.errors.NumbaPerformanceWarning",
    "numba.core.errors.NumbaTypeSafetyWarning",
    "numba.core.registry.CPUDispatcher",
    "numba.core.types.misc.NoneType",
    "numba.core.imputils.lower_builtin",
    "numba.core.typing.typeof.typeof_impl",
    "numba.core.cgutils.create_struct_proxy",
    "numba.typed.List",
    "numba.experimental.structref.register",
    "numba.np.ufunc.gufunc.GUFunc",
    "numba.np.numpy_support.as_dtype",
    "numba.np.linalg._LAPACK",
    "numba.extending.intrinsic",
    "numba.objmode",
    "numba.misc.special.prange",
    "numba.core.config.THREADING_LAYER",
    "numba.TypingError",
    "numba.literally",
    "numba.stencils.stencil.StencilFunc",
    "numba.types.float32",
    "numba.typed.Dict",
    "numba.optional",
    "numba.cfunc",
]

IMPORT = """
import importlib

def follow(path):
    parts = path.split(".")
    found = importlib.import_module(parts[0])
    for i, part in enumerate(parts[1:], 2):
        try:
            found = getattr(found, part)
        except AttributeError:
            found = importlib.import_module(".".join(parts[:i]))
    return found

for path in PATHS:
    try:
        print(path, follow(path) is not None)
    except Exception as error:
        print(path, repr(error))
"""


@pytest.mark.parametrize("is_installed", [True, False])
def test_paths_that_programs_use_are_there(is_installed, run_python):
    code = f"PATHS = {[each for each in PATHS if each != 'numba.errors' or not is_installed]}\n"
    if is_installed:
        printed = run(code + IMPORT, head="").stdout
    else:
        printed = without_numba(run_python, code + IMPORT).stdout
    wrong = [line for line in printed.splitlines() if not line.endswith(" True")]
    assert printed
    assert not wrong


def without_numba(run_python, code):
    """As `phalanx run` where Numba is not installed."""
    return run_python(
        "from phalanx._types import numba_objects\n"
        "numba_objects.find_installed = lambda: None\n"
        "from phalanx import compat\n"
        "compat.find_installed = lambda: None\n"
        "compat.install()\n" + code,
        PHALANX_DEVICE="cpu",
    )


PLACEHOLDERS = """
import numba
from numba import njit, stencil, types
from numba.experimental import jitclass

@stencil
def kernel(a):
    return a[0]

@jitclass([("n", types.int64)])
class Counter:
    pass

class Special(numba.core.datamodel.models.StructModel):
    pass

def message(action):
    try:
        action()
    except (NotImplementedError, AttributeError) as error:
        return str(error)

print(njit(lambda x: x + 1)(1))
print(message(lambda: kernel(1)))
print(message(lambda: Counter()))
print(message(lambda: numba.typed.List()))
print(message(lambda: setattr(numba.core.typeinfer, "TypeInferer", 1)))
"""


def test_without_numba_a_name_raises_where_it_is_used(run_python):
    first, *lines = without_numba(run_python, PLACEHOLDERS).stdout.splitlines()
    assert first == "2"
    for line, name in zip(
        lines,
        ("numba.stencil, which decorates kernel", "numba.experimental.jitclass", "numba.typed.List",
         "numba.core.typeinfer.TypeInferer"),
        strict=True,
    ):  # fmt: skip
        assert name in line
    assert all("pip install numba" in line for line in lines[:3])
    assert "Numba's inside" in lines[3]


def test_a_program_that_changes_numba_cuda_is_told_what_it_touched():
    done = run(
        """
        from numba.cuda.cudadrv import nvvm
        nvvm.NVVM_LIBRARY = None
        """
    )
    assert done.returncode == 1
    assert "numba.cuda.cudadrv.nvvm.NVVM_LIBRARY" in done.stderr


PATCHES = [
    "numba.cuda.cudadrv.nvvm.NVVM_LIBRARY",
    "numba.cuda.codegen.CUDACodeLibrary.get_cubin",
    "numba.cuda.cudadrv.driver.Linker.new",
    "numba.cuda.cudadrv.driver.launch_kernel",
    "numba.cuda.cudadrv.driver.driver",
    "numba.cuda.cudadrv.devices.get_context",
    "numba.cuda.cudadrv.driver",
    "numba.cuda.compiler.compile_cuda",
    "numba.cuda.dispatcher.CUDADispatcher",
    "numba.cuda.decorators.jit",
    "numba.cuda.stubs.threadIdx",
]


@pytest.mark.parametrize("way", ["import numba.cuda", "from numba import cuda"])
@pytest.mark.parametrize("is_installed", [True, False])
def test_a_package_that_patches_the_inside_is_told_what_it_touched(way, is_installed, run_python):
    code = f"""
{way}
import importlib
for path in {PATCHES!r}:
    owner, _, name = path.rpartition(".")
    parts = owner.split(".")
    for i in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:i]))
        except ImportError:
            continue
        break
    for part in parts[i:]:
        found = getattr(found, part)
    try:
        setattr(found, name, 1)
    except AttributeError as error:
        print(error)
    else:
        print("nothing was said of", path)
import numba
numba.cuda.cudadrv.devices.get_context(), numba.cuda.dispatcher.CUDADispatcher
from numba.cuda.stubs import *
numba.cuda.jit = numba.cuda.jit  # what is public may be wrapped
numba.cuda.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
"""
    done = run(code, head="") if is_installed else without_numba(run_python, code)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.partition(", a part of Numba's inside")[0] for line in lines] == [
        f"the program sets {path}" for path in PATCHES
    ]


def test_only_cuda_leaves_the_rest_to_numba():
    code = """
        from numba import cuda

        @njit
        def f(x):
            return {1: x}[1]

        @cuda.jit
        def kernel(a):
            a[cuda.grid(1)] = 3

        a = np.zeros(32)
        kernel[1, 32](a)
        print(f(2), a.sum(), type(f).__module__.split(".")[0], cuda.__name__)
        """
    done = run(code, "--only", "cuda")
    assert done.lines == ["2 96.0 numba phalanx.compat.numba_cuda"], done.stderr
    assert done.stderr == ""
    assert "only 'cuda' can be served alone" in run("", "--only", "jit").stderr
    assert "there is no fallback 'c'" in run("", "--fallback=c").stderr


def test_ufuncs_fall_back_call_by_call():
    done = run(
        """
        from numba import guvectorize, vectorize

        @vectorize
        def add(a, b):
            return a + b

        @guvectorize(["(f8[:], f8[:])"], "(n)->()")
        def total(a, out):
            d = {0: 0.0}
            for x in a:
                d[0] += x
            out[0] = d[0]

        @njit
        def calls(a):
            return {1: add(a, a)}[1]

        print(add(np.arange(3), 1).tolist(), total(np.ones((2, 3))).tolist(), calls(2.0))
        """
    )
    assert done.lines == ["[1, 2, 3] [3.0, 3.0] 4.0"], done.stderr


def test_a_log_has_a_row_for_each_function(tmp_path):
    log = tmp_path / "functions.json"
    code = HELPER + UNSUPPORTED + "unsupported(np.arange(4.0)), helper(1)"
    run(code, PHALANX_FALLBACK_LOG=str(log))
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert {row["name"]: row["to"] for row in rows} == {"helper": "phalanx", "unsupported": "numba"}


def test_a_log_has_no_row_for_the_loops_around_ufuncs(tmp_path):
    log = tmp_path / "functions.json"
    code = """
    @numba.guvectorize(["(f8[:], f8[:])"], "(n)->()")
    def total(a, out):
        out[0] = a.sum()

    @njit
    def calls(a):
        out = np.zeros(len(a))
        total(a, out)
        return out

    print(calls(np.ones((2, 3))), total(np.ones(3)))
    """
    assert run(code, PHALANX_FALLBACK_LOG=str(log)).lines == ["[3. 3.] 3.0"]
    names = [json.loads(line)["name"] for line in log.read_text().splitlines()]
    assert sorted(names) == ["calls", "total"]


def test_settings_and_errors_are_numbas_too():
    done = run(
        """
        import warnings
        import phalanx
        from numba import cuda
        from numba.core.errors import NumbaPerformanceWarning

        numba.float32

        @cuda.jit(cache=False)
        def scale(a):
            a[cuda.grid(1)] *= 0.5

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            scale[1, 8](np.zeros(8, np.float32))
        print([issubclass(w.category, NumbaPerformanceWarning) for w in caught])
        print(all(issubclass(w.category, phalanx.PerformanceWarning) for w in caught))
        try:
            cuda.jit("void(float32[:])")(lambda a: a.missing).compile("void(float32[:])")
        except numba.TypingError as error:
            print(type(error).__name__)
        numba.set_num_threads(1)
        print(phalanx.get_num_threads())
        """
    )
    assert done.lines[0].startswith("[True"), done.stderr
    assert done.lines[1:] == ["True", "TypingError", "1"], done.stderr


def test_a_ufunc_that_raises_is_not_run_again_by_numba():
    done = run(
        """
        from numba import vectorize

        @vectorize(["float64(float64)"])
        def double(x):
            if x > 100:
                raise ValueError("big")
            return x * 2

        a = np.array([1.0, 2, 60, 200])
        try:
            double(a, a)
        except ValueError as error:
            print(error)
        print(a)
        """
    )
    assert done.lines == ["big", "[  2.   4. 120. 200.]"], done.stderr


@pytest.mark.parametrize("fallback", ["numba", "python"])
def test_a_call_that_no_declared_signature_takes_is_refused(fallback):
    done = run(
        """
        @njit("int64(int64)")
        def double(x):
            return x * 2

        print(double(4))
        try:
            double(np.ones(2))
        except TypeError:
            print("refused")
        print(double(5))
        """,
        f"--fallback={fallback}",
    )
    assert done.lines == ["8", "refused", "10"], done.stderr


def test_the_fallback_counts_for_functions_that_were_decorated_before():
    done = run(
        """
        import phalanx

        @njit
        def f(x):
            return {1: x}[1]

        phalanx.set_fallback("error")
        try:
            f(2)
        except phalanx.CompileError:
            print("refused")
        phalanx.set_fallback("python")
        print(f(2))
        """,
        "--fallback=python",
    )
    assert done.lines == ["refused", "2"], done.stderr


def test_the_interface_sets_the_fallback():
    done = run(
        """
        import phalanx

        phalanx.set_fallback("python")

        @njit
        def f(x):
            return {1: x}[1]

        print(f(2))
        try:
            phalanx.set_fallback("perl")
        except ValueError as error:
            print(error)
        """,
        "--fallback=error",
    )
    assert done.lines == ["2", "there is no fallback 'perl': it is one of numba, python, error"]
