"""The suites there are: where each comes from, what of it is run, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


def is_below(module: str, places: Sequence[str]) -> bool:
    """Returns whether a module is one of the places, or in a folder of them."""
    return any(f"{module}/".startswith(f"{place}/") for place in places)


@dataclass(frozen=True)
class Suite:
    """One suite of somebody else's tests."""

    name: str
    variable: str  # the environment variable that names the checkout
    repository: str
    version: str  # the release that the list of known differences is about
    tests: str  # folder of the tests in the checkout
    modules: tuple[str, ...]  # below that folder, without .py; none: all that are there
    further_modules: tuple[str, ...]  # with --all, these too
    plugin: str  # the pytest plugin that reports
    python_path: tuple[Path, ...]  # what the test process finds first
    left_out: tuple[str, ...] = ()  # folders and modules that are not run
    settings: str = ""  # pytest's configuration in the checkout, if the tests need it
    marks: str = ""  # which tests are run, as pytest's -m
    is_counted: bool = False  # the list has counts of modules (counted.py), no names of tests
    has_folder_counts: bool = False  # whether a line for each folder is printed

    @property
    def known_differences(self) -> Path:
        """The file that lists what is known to fail, with reasons."""
        return HERE / "known" / f"{self.name}.txt"

    @property
    def public_tests(self) -> Path:
        """The file that says how many tests of each module are about public behaviour."""
        return HERE / "known" / f"{self.name}-public.txt"

    def chosen(self, source: Path, wanted: Sequence[str], takes_all: bool) -> list[str]:
        """The modules to run: those of `wanted`, modules or folders of them, or the usual ones."""
        usual = [*self.modules, *(self.further_modules if takes_all else ())]
        folder = source / self.tests
        if not usual:
            files = sorted(folder.rglob("test_*.py"))
            usual = [str(file.relative_to(folder).with_suffix("")) for file in files]
            usual = [module for module in usual if not is_below(module, self.left_out)]
        if not wanted:
            return usual
        found = [module for module in usual if is_below(module, wanted)]
        return [*found, *(each for each in wanted if not any(is_below(m, [each]) for m in found))]

    def instructions(self) -> str:
        """How to get the suite."""
        return (
            f"{self.name}: the suite is not here. Get it, outside this repository, with\n"
            f"    git clone --branch {self.version} --depth 1 https://github.com/{self.repository}\n"
            f"and set {self.variable} to the folder of the clone."
        )


NUMBA_CUDA = Suite(
    name="numba-cuda",
    variable="PHALANX_NUMBA_CUDA_SRC",
    repository="NVIDIA/numba-cuda",
    version="v0.30.4",
    tests="numba_cuda/numba/cuda/tests",
    modules=(
        "cudapy/test_array_args",
        "cudapy/test_ssa",
        "cudapy/test_sync",
        "cudapy/test_array",
        "cudapy/test_atomics",
        "cudapy/test_intrinsics",
        "cudapy/test_math",
        "cudapy/test_ufuncs",
        "cudapy/test_dispatcher",
        "cudapy/test_device_func",
        "cudapy/test_gufunc",
        "cudapy/test_cuda_array_interface",
        "cudapy/test_warp_ops",
        "cudapy/test_record_dtype",
        "cudapy/test_print",
        "cudapy/test_reduction",
        "cudapy/test_random",
    ),
    further_modules=(
        "benchmarks/test_kernel_launch",
        "core/test_serialize",
        "cudadrv/test_array_attr",
        "cudadrv/test_context_stack",
        "cudadrv/test_cuda_array_slicing",
        "cudadrv/test_cuda_auto_context",
        "cudadrv/test_cuda_devicerecord",
        "cudadrv/test_cuda_driver",
        "cudadrv/test_cuda_ndarray",
        "cudadrv/test_deallocations",
        "cudadrv/test_detect",
        "cudadrv/test_events",
        "cudadrv/test_host_alloc",
        "cudadrv/test_init",
        "cudadrv/test_is_fp16",
        "cudadrv/test_linkable_code",
        "cudadrv/test_linker",
        "cudadrv/test_managed_alloc",
        "cudadrv/test_module_callbacks",
        "cudadrv/test_nvjitlink",
        "cudadrv/test_pinned",
        "cudadrv/test_profiler",
        "cudadrv/test_runtime",
        "cudadrv/test_select_device",
        "cudadrv/test_streams",
        "cudapy/test_alignment",
        "cudapy/test_analysis",
        "cudapy/test_array_alignment",
        "cudapy/test_array_methods",
        "cudapy/test_array_reductions",
        "cudapy/test_bfloat16",
        "cudapy/test_blackscholes",
        "cudapy/test_boolean",
        "cudapy/test_casting",
        "cudapy/test_cffi",
        "cudapy/test_compiler",
        "cudapy/test_complex",
        "cudapy/test_complex_kernel",
        "cudapy/test_const_string",
        "cudapy/test_constmem",
        "cudapy/test_cooperative_groups",
        "cudapy/test_cuda_jit_no_types",
        "cudapy/test_cupy_bfloat16_interop",
        "cudapy/test_datetime",
        "cudapy/test_debug",
        "cudapy/test_debuginfo",
        "cudapy/test_device_array_capture",
        "cudapy/test_enums",
        "cudapy/test_errors",
        "cudapy/test_exception",
        "cudapy/test_fastmath",
        "cudapy/test_flow_control",
        "cudapy/test_forall",
        "cudapy/test_freevar",
        "cudapy/test_frexp_ldexp",
        "cudapy/test_globals",
        "cudapy/test_gufunc_scalar",
        "cudapy/test_idiv",
        "cudapy/test_ipc",
        "cudapy/test_iterators",
        "cudapy/test_lang",
        "cudapy/test_laplace",
        "cudapy/test_launch_config_sensitive",
        "cudapy/test_libdevice",
        "cudapy/test_lineinfo",
        "cudapy/test_localmem",
        "cudapy/test_make_function_to_jit_function",
        "cudapy/test_matmul",
        "cudapy/test_montecarlo",
        "cudapy/test_multigpu",
        "cudapy/test_multithreads",
        "cudapy/test_nondet",
        "cudapy/test_operator",
        "cudapy/test_overload",
        "cudapy/test_powi",
        "cudapy/test_py2_div_issue",
        "cudapy/test_recursion",
        "cudapy/test_serialize",
        "cudapy/test_slicing",
        "cudapy/test_sm",
        "cudapy/test_sm_creation",
        "cudapy/test_stream_api",
        "cudapy/test_tracing",
        "cudapy/test_transpose",
        "cudapy/test_userexc",
        "cudapy/test_vector_type",
        "cudapy/test_vectorize",
        "cudapy/test_vectorize_complex",
        "cudapy/test_vectorize_decor",
        "cudapy/test_vectorize_device",
        "cudapy/test_vectorize_scalar_arg",
        "cudapy/test_warning",
        "doc_examples/test_cpointer",
        "doc_examples/test_cpu_gpu_compat",
        "cudasim/test_cudasim_issues",
        "doc_examples/test_ffi",
        "doc_examples/test_globals",
        "doc_examples/test_laplace",
        "doc_examples/test_matmul",
        "doc_examples/test_montecarlo",
        "doc_examples/test_random",
        "doc_examples/test_reduction",
        "doc_examples/test_sessionize",
        "doc_examples/test_ufunc",
        "doc_examples/test_vecadd",
        "nocuda/test_dummyarray",
        "nocuda/test_import",
        "nrt/test_nrt",
    ),
    plugin="numba_cuda_suite.plugin",
    python_path=(HERE / "numba_cuda_suite" / "site", HERE),
)

CUPY = Suite(
    name="cupy",
    variable="PHALANX_CUPY_SRC",
    repository="cupy/cupy",
    version="main",
    tests="tests/cupy_tests",
    modules=(),
    further_modules=(),
    plugin="cupy_suite.plugin",
    python_path=(HERE,),
    left_out=("cuda_tests",),
    settings="pyproject.toml",
    marks="not slow",  # as in CuPy's own CI; they take gigabytes each
    has_folder_counts=True,
)

CUPYX = Suite(
    name="cupyx",
    variable="PHALANX_CUPY_SRC",
    repository="cupy/cupy",
    version="main",
    tests="tests/cupyx_tests",
    modules=(),
    further_modules=(),
    plugin="cupy_suite.plugin",
    python_path=(HERE,),
    left_out=(
        "distributed_tests",
        "jit_tests/test_cooperative_groups",
        "jit_tests/test_cub",
        "jit_tests/test_thrust",
        "linalg_tests",
        "profiler_tests",
        "scipy_tests/fft_tests",  # plans of cuFFT in each test
        "scipy_tests/fftpack_tests",
        "scipy_tests/sparse_tests",
        "signal_tests",
        "test_cusolver",
        "test_cusparse",
        "test_cutensor",
        "test_lapack",
        "test_optimize",
        "test_runtime",
        "test_time",
        "tools_tests",
    ),
    settings="pyproject.toml",
    marks="not slow",
    has_folder_counts=True,
)

CUPYX_SPARSE = Suite(
    name="cupyx-sparse",
    variable="PHALANX_CUPY_SRC",
    repository="cupy/cupy",
    version="main",
    tests="tests/cupyx_tests/scipy_tests/sparse_tests",
    modules=(),
    further_modules=(),
    plugin="cupy_suite.plugin",
    python_path=(HERE,),
    # Graphs are not there; the other asks for cuSPARSE's dtypes of indices, in arrays of gigabytes.
    left_out=("csgraph_tests", "test_sparse_int64_indices"),
    settings="pyproject.toml",
    marks="not slow",
)

PYCUDA = Suite(
    name="pycuda",
    variable="PHALANX_PYCUDA_SRC",
    repository="inducer/pycuda",
    version="main",
    tests="test",
    modules=("test_cumath", "test_driver", "test_gpuarray"),
    further_modules=(),
    plugin="pycuda_suite.plugin",
    python_path=(HERE,),
)

PANDAS = Suite(
    name="pandas",
    variable="PHALANX_PANDAS_SRC",
    repository="pandas-dev/pandas",
    version="v3.1.1",
    tests="pandas/tests",
    modules=(),
    further_modules=(),
    plugin="pandas_suite.plugin",
    python_path=(HERE,),
    left_out=(
        # pandas' arrays, types, files and machinery; the others are about its public names.
        "api", "arithmetic", "arrays", "base", "computation", "config", "construction", "copy_view",
        "dtypes", "extension", "generic", "interchange", "internals", "io", "libs", "plotting",
        "scalar", "tools", "tseries", "tslibs", "util", "indexes/period", "indexes/test_engines",
        "test_aggregation", "test_algos", "test_col", "test_common", "test_cpu", "test_downstream",
        "test_errors", "test_expressions", "test_flags", "test_multilevel", "test_nanops",
        "test_optional_dependency", "test_register_accessor", "test_sorting", "test_take",
    ),
    is_counted=True,
)  # fmt: skip

SUITES = {suite.name: suite for suite in (NUMBA_CUDA, CUPY, CUPYX, CUPYX_SPARSE, PANDAS, PYCUDA)}
